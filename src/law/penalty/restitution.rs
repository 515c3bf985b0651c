//! The coefficient of restitution that an impact model really gives.
//!
//! With no linear damping and no other load, for every exponent n_exp,
//!
//! ```text
//! A = −c v₀/v_i,   A (1 + e′) = ln[(1 + A)/(1 − A e′)]
//! ```
//!
//! from the first integral of m δ̈ = −k δⁿ (1 + (A/v₀) δ̇): with w = δ̇, the integral ∫ w dw/(1 + A w/v₀) from 0 to v₀
//! (the way in) equals that from 0 to −e′v₀ (the way out). The left side minus the right falls in e′ from
//! A − ln(1 + A) > 0 at 0 to −∞ at 1/A, so the root is unique; e′ = −1 is the trivial one.

use crate::law::penalty::NormalForce;
use crate::math::bisection::bisect;

/// Restitution e′ (rebound over approach speed) of an undamped impact at closing speed `v0` (m/s, > 0) under `law`'s
/// impact model; 1 where there is no restitution term.
///
/// `minimum_impact_velocity` above `v0` lowers A and so *raises* e′.
pub fn effective_restitution(law: &NormalForce, v0: f64) -> f64 {
    let v_i = law.minimum_impact_velocity.max(v0);
    let a = -law.impact_coefficient() * v0 / v_i;
    // Below this e′ differs from 1 by 2A/3 < ε.
    if a < 1e-16 {
        return 1.0;
    }
    let excess = |e: f64| {
        let left = a * (1.0 + e);
        left - a.ln_1p() + (-a * e).ln_1p()
    };
    // A double has 53 bits, so the bracket is then at neighbouring numbers.
    bisect(0.0, f64::min(1.0, 1.0 / a), 60, |e| excess(e) > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::penalty::ImpactModel;

    #[test]
    fn each_model_gives_the_known_effective_restitution() {
        // Half a unit of the last printed digit.
        const PRINTED: f64 = 0.51e-6;
        let known = [
            (ImpactModel::HuntCrossley, 0.9, 0.909_016),
            (ImpactModel::HuntCrossley, 0.5, 0.662_962),
            (ImpactModel::Mixed, 0.9, 0.899_999),
            (ImpactModel::Mixed, 0.5, 0.500_174),
            (ImpactModel::Mixed, 1.0 / 3.0, 0.336_001),
            (ImpactModel::Mixed, 0.05, 0.050_125),
        ];
        for (impact_model, restitution, expected) in known {
            let law = NormalForce { impact_model, restitution, ..Default::default() };
            let e = effective_restitution(&law, 1.7);
            assert!((e - expected).abs() <= PRINTED, "{impact_model:?} {restitution}: {e} for {expected}");
        }
    }

    #[test]
    fn a_larger_minimum_impact_velocity_lowers_the_damping_of_slow_impacts() {
        let law = NormalForce { impact_model: ImpactModel::Mixed, restitution: 0.5, ..Default::default() };
        let bounded = NormalForce { minimum_impact_velocity: 1.0, ..law };
        assert!(effective_restitution(&bounded, 0.1) > 0.9);
        assert!((effective_restitution(&bounded, 2.0) - effective_restitution(&law, 2.0)).abs() < 1e-15);
    }
}

//! Student's t distribution for whole degrees of freedom, in closed form [Abramowitz Stegun 26.7.3–4].
//!
//! ```text
//! A(t|ν) = P(|T| ≤ t),  θ = atan(t/√ν)
//! ν odd    A = 2/π (θ + sin θ (cos θ + 2/3 cos³θ + … + (2·4…(ν−3))/(3·5…(ν−2)) cos^(ν−2) θ))
//! ν even   A = sin θ (1 + 1/2 cos²θ + … + (1·3…(ν−3))/(2·4…(ν−2)) cos^(ν−2) θ)
//! ```

use crate::math::bisection::bisect;
use std::f64::consts::FRAC_2_PI;

/// P(|T| > |t|) for ν = `freedom` ≥ 1 degrees of freedom; 1 for t = 0, NaN for a NaN.
pub fn two_sided(t: f64, freedom: usize) -> f64 {
    let nu = freedom.max(1);
    if t.is_infinite() {
        return 0.0;
    }
    let theta = (t.abs() / (nu as f64).sqrt()).atan();
    let (sin, cos) = theta.sin_cos();
    let odd = nu % 2 == 1;
    let mut term = if odd { cos } else { 1.0 };
    let mut sum = 0.0;
    let mut k = if odd { 1 } else { 0 };
    while k + 2 <= nu {
        sum += term;
        // From cosᵏ to cosᵏ⁺²: (k + 1)/(k + 2).
        term *= cos * cos * (k + 1) as f64 / (k + 2) as f64;
        k += 2;
    }
    let within = if odd { FRAC_2_PI * (theta + sin * sum) } else { sin * sum };
    (1.0 - within).clamp(0.0, 1.0)
}

/// The t that |T| exceeds with the probability `p` in (0, 1), for `freedom` ≥ 1 degrees of freedom.
pub fn quantile(p: f64, freedom: usize) -> f64 {
    let mut high = 1.0;
    while two_sided(high, freedom) > p && high < 1e12 {
        high *= 2.0;
    }
    // 200 halvings are below round-off.
    bisect(0.0, high, 200, |t| two_sided(t, freedom) > p)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quantiles_are_those_of_the_tables() {
        // Two-sided 5 % and 1 %, to the three decimals of the usual tables.
        for (freedom, five, one) in [
            (1, 12.706, 63.657),
            (2, 4.303, 9.925),
            (3, 3.182, 5.841),
            (4, 2.776, 4.604),
            (9, 2.262, 3.250),
            (30, 2.042, 2.750),
        ] {
            let (a, b) = (quantile(0.05, freedom), quantile(0.01, freedom));
            assert!((a - five).abs() < 6e-4 && (b - one).abs() < 6e-4, "ν = {freedom}: {a}, {b}");
        }
    }

    #[test]
    fn one_degree_is_the_cauchy_distribution_and_many_the_normal_one() {
        assert!((two_sided(1.0, 1) - 0.5).abs() < 1e-15);
        // 2(1 − Φ(1.959964)) = 0.05; the tail of ν = 10⁵ is within 1e-5 of it.
        assert!((two_sided(1.959_964, 100_000) - 0.05).abs() < 1e-5);
        assert!((two_sided(0.0, 7) - 1.0).abs() < 1e-15 && two_sided(f64::INFINITY, 7).abs() < 1e-300);
    }
}

//! What a visit does with the right-hand side of a contact: the law of a step, or of the impact stage of two.
//!
//! ```text
//! one stage    bn ← bn − c,                 Λ = law(b)
//! impacts      bn ≤ c: Λ = 0,  otherwise    Λ = (1 − c/bn) law(b)
//! ```
//!
//! Under the first the contact ends at δvn⁺ = −c: an open contact may close its gap (c = ξ/δt), an overlapping one is
//! pushed apart (c < 0). Under the second it ends there too, but by that share of the impulse of the whole impact, so
//! that the shares of an impact which is split over two steps add up to the whole.

use crate::law::Cone;
use crate::law::ContactBlock;
use crate::law::ContactLaw;
use crate::law::ContactState;
use crate::law::Coulomb;
use crate::law::CoulombLeast;
use crate::law::Frictionless;
use crate::law::MaxDissipation;
use crate::law::Solution;
use crate::math::Vec3;

/// A contact whose Delassus block is diagonal with equal tangential entries: two balls, a ball and a wall.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Isotropic {
    /// Ann in 1/kg.
    pub(in crate::solver) nn: f64,
    /// Att in 1/kg.
    pub(in crate::solver) tt: f64,
    /// 1/Ann in kg.
    pub(in crate::solver) inv_nn: f64,
    /// 1/Att in kg.
    pub(in crate::solver) inv_tt: f64,
    /// Coefficient of friction.
    pub(in crate::solver) mu: f64,
}

impl Isotropic {
    /// The block diag(`nn`, `tt`, `tt`) in 1/kg, with friction `mu`.
    pub(in crate::solver) fn new(nn: f64, tt: f64, mu: f64) -> Self {
        Self { nn, tt, inv_nn: 1.0 / nn, inv_tt: 1.0 / tt, mu }
    }
}

/// The impulse on an isotropic contact: Λn, and Λto = `factor` · b_to.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Along {
    pub(in crate::solver) normal: f64,
    pub(in crate::solver) factor: f64,
    pub(in crate::solver) state: ContactState,
}

impl Along {
    const NOTHING: Self = Self { normal: 0.0, factor: 0.0, state: ContactState::Separating };
}

/// A law with its closed form for isotropic contacts (e = 0).
pub(in crate::solver) trait SweepLaw: ContactLaw {
    /// The impulse for the normal part `bn` and the square `bt2` of the length of the tangential part of b.
    fn isotropic(self, contact: &Isotropic, bn: f64, bt2: f64) -> Along;
}

/// Signorini and friction for e = 0, where maximum dissipation and Coulomb are one law:
///
/// ```text
/// bn ≤ 0              Λ = 0
/// ‖b_to‖ ≤ μ Λn Att   Λn = bn/Ann,  Λto = b_to/Att
/// otherwise           Λn = bn/Ann,  Λto = μ Λn b_to/‖b_to‖
/// ```
#[inline(always)]
fn signorini(contact: &Isotropic, bn: f64, bt2: f64) -> Along {
    if bn <= 0.0 {
        return Along::NOTHING;
    }
    let normal = bn * contact.inv_nn;
    let limit = contact.mu * normal;
    let border = limit * contact.tt;
    if bt2 <= border * border {
        Along { normal, factor: contact.inv_tt, state: ContactState::Sticking }
    } else {
        Along { normal, factor: limit / bt2.sqrt(), state: ContactState::Sliding }
    }
}

impl SweepLaw for MaxDissipation {
    #[inline(always)]
    fn isotropic(self, contact: &Isotropic, bn: f64, bt2: f64) -> Along {
        signorini(contact, bn, bt2)
    }
}

impl SweepLaw for Coulomb {
    #[inline(always)]
    fn isotropic(self, contact: &Isotropic, bn: f64, bt2: f64) -> Along {
        signorini(contact, bn, bt2)
    }
}

impl SweepLaw for CoulombLeast {
    #[inline(always)]
    fn isotropic(self, contact: &Isotropic, bn: f64, bt2: f64) -> Along {
        signorini(contact, bn, bt2)
    }
}

impl SweepLaw for Frictionless {
    #[inline(always)]
    fn isotropic(self, contact: &Isotropic, bn: f64, _bt2: f64) -> Along {
        if bn <= 0.0 {
            return Along::NOTHING;
        }
        Along { normal: bn * contact.inv_nn, factor: 0.0, state: ContactState::Sliding }
    }
}

/// The projection onto the cone alone:
///
/// ```text
/// bn + μ‖b_to‖ ≤ 0              Λ = 0
/// ‖b_to‖/Att ≤ μ bn/Ann         Λ = A⁻¹b
/// otherwise                     Λn = (bn + μ‖b_to‖)/(Ann + μ²Att),  Λto = μ Λn b_to/‖b_to‖
/// ```
impl SweepLaw for Cone {
    #[inline(always)]
    fn isotropic(self, contact: &Isotropic, bn: f64, bt2: f64) -> Along {
        let (mu, bt) = (contact.mu, bt2.sqrt());
        if bn + mu * bt <= 0.0 {
            return Along::NOTHING;
        }
        let normal = bn * contact.inv_nn;
        if bt * contact.inv_tt <= mu * normal {
            return Along { normal, factor: contact.inv_tt, state: ContactState::Sticking };
        }
        let normal = (bn + mu * bt) / (contact.nn + mu * mu * contact.tt);
        Along { normal, factor: mu * normal / bt, state: ContactState::Sliding }
    }
}

/// What a visit does with b and the correction c of a contact.
pub(in crate::solver) trait Rule: Copy + Send + Sync {
    /// Whether residuals are velocities (‖ΔΛ‖ Ann, by the largest ‖b‖) or impulses (‖ΔΛ‖, by the largest ‖Λ‖).
    const BY_VELOCITY: bool;

    /// The impulse on an isotropic contact.
    fn isotropic(self, contact: &Isotropic, bn: f64, bt2: f64, c: f64) -> Along;

    /// The law behind the rule.
    type Law: ContactLaw;

    /// The law behind the rule.
    fn law(self) -> Self::Law;

    /// The right-hand side that the law sees.
    fn enter(self, b: &Vec3, c: f64) -> Vec3;

    /// What becomes of the law's `solution`; `b` as before [`Rule::enter`].
    fn leave(self, solution: Solution, b: &Vec3, c: f64) -> Solution;

    /// The impulse on any contact.
    #[inline(always)]
    fn general(self, block: &ContactBlock, b: &Vec3, c: f64) -> Solution {
        self.leave(self.law().solve(block, &self.enter(b, c)), b, c)
    }
}

/// The law of a whole step.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct OneStage<L>(pub(in crate::solver) L);

impl<L: SweepLaw> Rule for OneStage<L> {
    const BY_VELOCITY: bool = true;

    #[inline(always)]
    fn isotropic(self, contact: &Isotropic, bn: f64, bt2: f64, c: f64) -> Along {
        self.0.isotropic(contact, bn - c, bt2)
    }

    type Law = L;

    #[inline(always)]
    fn law(self) -> L {
        self.0
    }

    #[inline(always)]
    fn enter(self, b: &Vec3, c: f64) -> Vec3 {
        Vec3::new(b.x - c, b.y, b.z)
    }

    #[inline(always)]
    fn leave(self, solution: Solution, _b: &Vec3, _c: f64) -> Solution {
        solution
    }
}

/// The impact stage of two.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Impacts<L>(pub(in crate::solver) L);

impl<L: SweepLaw> Rule for Impacts<L> {
    const BY_VELOCITY: bool = false;

    #[inline(always)]
    fn isotropic(self, contact: &Isotropic, bn: f64, bt2: f64, c: f64) -> Along {
        if bn <= c {
            return Along::NOTHING;
        }
        let share = 1.0 - c / bn;
        let whole = self.0.isotropic(contact, bn, bt2);
        Along { normal: share * whole.normal, factor: share * whole.factor, state: whole.state }
    }

    type Law = L;

    #[inline(always)]
    fn law(self) -> L {
        self.0
    }

    #[inline(always)]
    fn enter(self, b: &Vec3, c: f64) -> Vec3 {
        // What does not hit separates: no impulse is computed for it.
        if b.x <= c { Vec3::zeros() } else { *b }
    }

    #[inline(always)]
    fn leave(self, whole: Solution, b: &Vec3, c: f64) -> Solution {
        if b.x <= c {
            return Solution::SEPARATING;
        }
        Solution { impulse: whole.impulse * (1.0 - c / b.x), ..whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;

    #[test]
    fn the_closed_form_agrees_with_the_law_of_the_block() {
        // One rounding in each of a handful of operations.
        const TOLERANCE: f64 = 1e-14;
        fn compare<L: SweepLaw>(law: L, name: &str) {
            let (nn, tt) = (1.7, 4.1);
            for mu in [0.0, 0.3, 1.5] {
                let contact = Isotropic::new(nn, tt, mu);
                let block = ContactBlock::new(&Mat3::from_diagonal(&Vec3::new(nn, tt, tt)), mu);
                for b in [[1.0, 0.2, 0.1], [1.0, 2.0, -1.0], [-0.1, 0.3, 0.4], [-2.0, 0.1, 0.0], [0.5, 0.0, 0.0]] {
                    let b = Vec3::from(b);
                    let along = law.isotropic(&contact, b.x, b.y * b.y + b.z * b.z);
                    let got = Vec3::new(along.normal, along.factor * b.y, along.factor * b.z);
                    let expected = law.solve(&block, &b);
                    let off = (got - expected.impulse).norm();
                    assert!(off <= TOLERANCE * b.norm(), "{name}, μ = {mu}, b = {b}: {got} for {}", expected.impulse);
                }
            }
        }
        compare(MaxDissipation, "max-dissipation");
        compare(Coulomb, "coulomb");
        compare(CoulombLeast, "coulomb, least");
        compare(Cone, "cone");
        compare(Frictionless, "frictionless");
    }
}

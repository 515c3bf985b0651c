//! The law of the paper: of all impulses that friction and the normal conditions allow, the one that leaves the least
//! kinetic energy. Analytic, for one contact.
//!
//! ```text
//! separating   bn ≤ 0                  Λ = 0
//! sticking     ‖x₀‖ + e·x₀ ≤ ρ         x = x₀ = Ǎ⁻¹b̌
//! sliding      otherwise               Ǎx − b̌ + κ(u + e) = 0,  κ ≥ 0,  x = r(α) u     (unique)
//!
//! x = (Λt, Λo),  Λn = (bn − a·x)/Ann,  ρ = μ bn/Ann,  b̌ = bto − a bn/Ann,  r(α) = ρ/(1 + e·u)
//! ```
//!
//! The sliding condition is one trigonometric equation of degree two in α, a quartic in tan(α/2). Among its real roots
//! exactly one has 1 + e·u > 0 and κ ≥ 0; the problem is convex, so that root is the solution and κ ≥ 0 its certificate.
//! A Halley iteration finds it in two or three steps for nearly every contact; where its root is not certified, all
//! roots of the quartic are taken. Closed forms serve μ = 0 and e = 0 with isotropic Ǎ (spheres): x = ρ b̌/‖b̌‖.

use crate::law::ContactBlock;
use crate::law::ContactLaw;
use crate::law::Solution;
use crate::law::lanes::Decided;
use crate::law::reduce;
use crate::law::reduce::Reduced;
use crate::law::slip;
use crate::law::slip::Opposes;
use crate::law::slip::SlipProblem;
use crate::math::Mat3;
use crate::math::Vec3;

/// The law of maximum dissipation (see the module).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaxDissipation;

impl ContactLaw for MaxDissipation {
    const DECIDED: Decided = Decided::Dissipative;

    #[inline(always)]
    fn solve(self, block: &ContactBlock, b: &Vec3) -> Solution {
        let reduced = match reduce::shared(block, b) {
            Ok(answer) => return answer,
            Err(reduced) => reduced,
        };
        let problem = reduced.slip_problem(&block.plane, Opposes::Gradient);
        match fast(block, &problem, &reduced) {
            Some(answer) => answer,
            None => by_quartic(block, &problem, &reduced),
        }
    }
}

/// The impulse Λ in N·s for the Delassus block `a` in 1/kg, the right-hand side `b` in m/s (b = −δv without this
/// contact's own impulse) and the coefficient of friction `mu`, all in the contact frame (n, t, o).
///
/// Exact to round-off, in units where the impulse is of order one: the error is a few ε times the condition of A.
///
/// ```
/// use maxdiss::math::{Mat3, Vec3};
/// let a = Mat3::new(2.0, 0.5, 0.0, 0.5, 3.0, 0.0, 0.0, 0.0, 3.0);
/// let answer = maxdiss::law::max_dissipation::solve(&a, &Vec3::new(1.0, -2.0, 0.5), 0.3);
/// assert!(answer.certified);
/// assert!(answer.impulse.yz().norm() <= 0.3 * answer.impulse.x * (1.0 + 1e-15));
/// ```
#[inline]
pub fn solve(a: &Mat3, b: &Vec3, mu: f64) -> Solution {
    MaxDissipation.solve(&ContactBlock::new(a, mu), b)
}

/// Whether the Halley iteration is certified for this contact, that is, the quartic is not needed. `None` where no slip
/// equation is solved at all (separating, sticking, or a closed form).
pub fn fast_path_suffices(block: &ContactBlock, b: &Vec3) -> Option<bool> {
    let reduced = reduce::shared(block, b).err()?;
    Some(fast(block, &reduced.slip_problem(&block.plane, Opposes::Gradient), &reduced).is_some())
}

/// The solution by Halley's iteration, if it is certified.
#[inline(always)]
fn fast(block: &ContactBlock, problem: &SlipProblem, reduced: &Reduced) -> Option<Solution> {
    let u = reduced.root(problem, &problem.equation())?;
    reduced.at_root(block, problem, u)
}

/// The root of the quartic that breaks the conditions least.
#[cold]
fn by_quartic(block: &ContactBlock, problem: &SlipProblem, reduced: &Reduced) -> Solution {
    let (roots, count) = problem.equation().roots();
    let (best, fault) = roots[..count]
        .iter()
        .map(|&u| problem.refined(u))
        .reduce(|best, next| if next.1 < best.1 { next } else { best })
        .expect("a quartic gives at least one candidate");
    reduced.sliding(block, best.x, fault <= slip::CERTIFIED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::ContactState;

    const A: [[f64; 3]; 3] = [[2.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 3.0]];

    #[test]
    fn a_separating_contact_gets_no_impulse() {
        let answer = MaxDissipation.solve(&ContactBlock::block_of(&A, 0.5), &Vec3::new(-0.1, 5.0, 1.0));
        assert_eq!((answer.impulse, answer.state, answer.certified), (Vec3::zeros(), ContactState::Separating, true));
    }

    #[test]
    fn a_contact_within_the_cone_sticks() {
        // A (1, 0.2, 0.1) = (2.2, 1.6, 0.3), and ‖(0.2, 0.1)‖ = 0.224 < 0.5.
        let answer = MaxDissipation.solve(&ContactBlock::block_of(&A, 0.5), &Vec3::new(2.2, 1.6, 0.3));
        assert_eq!(answer.state, ContactState::Sticking);
        assert!((answer.impulse - Vec3::new(1.0, 0.2, 0.1)).norm() < 1e-15, "{}", answer.impulse);
    }

    #[test]
    fn planar_slip_takes_the_end_of_the_segment_that_costs_least() {
        // In the plane o = 0 the conic section is a segment; b̌ points to −t, so x = −ρ/(1 − e) = −0.25/0.75.
        let answer = MaxDissipation.solve(&ContactBlock::block_of(&A, 0.5), &Vec3::new(1.0, -5.0, 0.0));
        assert_eq!(answer.state, ContactState::Sliding);
        let x = -0.25 / 0.75;
        assert!((answer.impulse - Vec3::new(-x / 0.5, x, 0.0)).norm() < 2e-16, "{}", answer.impulse);
    }
}

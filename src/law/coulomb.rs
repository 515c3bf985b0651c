//! Coulomb friction on impulses: friction opposes the slip that is left after the impulse.
//!
//! ```text
//! separating   bn ≤ 0                  Λ = 0
//! sticking     ‖x₀‖ + e·x₀ ≤ ρ         x = x₀ = Ǎ⁻¹b̌
//! sliding      Ǎx − b̌ = −κ u,  κ ≥ 0,  x = r(α) u           none, one or several, also beside sticking
//! ```
//!
//! in the symbols of [`max_dissipation`](crate::law::max_dissipation): the same quartic with u + e replaced by u. For
//! bn > 0 there is always a solution, one or three in general. With bn < 0 and ‖e‖ > 1 further impulses satisfy the
//! conditions but the pressure constraint: jams, which no simulation takes.
//!
//! **Which one a simulation takes.** [`Coulomb`]: sticking if it is admissible, else the most dissipative sliding
//! solution. [`CoulombLeast`] (second stage of `two-stage`): the one with the smallest Λn. Neither depends on a start.
//!
//! **When there is just one.** Let x₁, x₂ be two solutions with velocities v₁, v₂, d = x₁ − x₂ and radii rᵢ = ρ − e·xᵢ.
//! Each vᵢ is a variational inequality over its disc; testing each with the other's impulse scaled into its disc gives
//! `dᵀǍd ≤ |r₁ − r₂| |v₁·x₂/r₂ − v₂·x₁/r₁| ≤ ‖e‖‖d‖ ‖v₁ − v₂‖`, so `λmin ≤ ‖e‖ λmax`: for ‖e‖ cond(Ǎ) < 1 the solution
//! is unique.

use crate::law::ContactBlock;
use crate::law::ContactLaw;
use crate::law::Solution;
use crate::law::block::Plane;
use crate::law::lanes::Decided;
use crate::law::reduce;
use crate::law::reduce::Reduced;
use crate::law::slip;
use crate::law::slip::Opposes;
use crate::law::slip::Slip;
use crate::law::slip::SlipProblem;
use crate::math::Mat3;
use crate::math::Vec3;
use crate::math::plane::Pair;
use crate::math::real::Real;

/// Coulomb friction; of several solutions sticking, else the most dissipative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coulomb;

/// Coulomb friction; of several solutions the one with the smallest normal impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoulombLeast;

impl ContactLaw for Coulomb {
    const DECIDED: Decided = Decided::Sole;

    #[inline]
    fn solve(self, block: &ContactBlock, b: &Vec3) -> Solution {
        let reduced = match reduce::shared(block, b) {
            Ok(answer) => return answer,
            Err(reduced) => reduced,
        };
        let problem = reduced.slip_problem(&block.plane, Opposes::Slip);
        match sole(block, &problem, &reduced) {
            Some(answer) => answer,
            None => most_dissipative(block, &problem, &reduced),
        }
    }
}

/// The most dissipative of all sliding solutions.
#[cold]
fn most_dissipative(block: &ContactBlock, problem: &SlipProblem, reduced: &Reduced) -> Solution {
    let roots = SlidingRoots::of(problem);
    let best =
        roots.list[..roots.count].iter().min_by(|p, q| problem.objective(p.x).total_cmp(&problem.objective(q.x)));
    match best {
        Some(slip) => reduced.sliding(block, slip.x, true),
        None => reduced.sliding(block, roots.nearest.x, false),
    }
}

impl ContactLaw for CoulombLeast {
    const DECIDED: Decided = Decided::Unique;

    #[inline]
    fn solve(self, block: &ContactBlock, b: &Vec3) -> Solution {
        if block.isotropic || is_unique(&block.plane) {
            return Coulomb.solve(block, b);
        }
        let all = solutions(block, b);
        let least = |best: Solution, next: &Solution| if next.impulse.x < best.impulse.x { *next } else { best };
        match all.admissible() {
            [first, rest @ ..] => rest.iter().fold(*first, least),
            [] => Coulomb.solve(block, b),
        }
    }
}

/// The impulse in N·s that a simulation takes ([`Coulomb`]); units, frame and signs as in
/// [`max_dissipation::solve`](crate::law::max_dissipation::solve).
#[inline]
pub fn solve(a: &Mat3, b: &Vec3, mu: f64) -> Solution {
    Coulomb.solve(&ContactBlock::new(a, mu), b)
}

/// All solutions of one contact under Coulomb friction.
#[derive(Clone, Copy, Debug)]
pub struct Solutions {
    list: [Solution; 5],
    count: usize,
    pressure: bool,
}

impl Solutions {
    /// Those that satisfy the pressure constraint, by energy change, the most dissipative first. Never empty for an
    /// SPD block unless round-off has left no solution certified.
    pub fn admissible(&self) -> &[Solution] {
        if self.pressure { &self.list[..self.count] } else { &[Solution::SEPARATING] }
    }

    /// Those that satisfy all conditions but the pressure constraint (bn < 0): jams, by energy change.
    pub fn excluded(&self) -> &[Solution] {
        if self.pressure { &[] } else { &self.list[..self.count] }
    }
}

/// Lists all solutions for bn > 0, and for bn < 0 those that the pressure constraint excludes.
pub fn solutions(block: &ContactBlock, b: &Vec3) -> Solutions {
    let mut all = Solutions { list: [Solution::SEPARATING; 5], count: 0, pressure: b.x > 0.0 };
    if b.x == 0.0 {
        return all;
    }
    let reduced = Reduced::new(&block.plane, b.into());
    let mut push = |solution| {
        all.list[all.count] = solution;
        all.count += 1;
    };
    if let Some(stick) = reduced.sticking(block) {
        push(stick);
    }
    if block.plane.mu == 0.0 {
        if all.count == 0 && all.pressure {
            all.list[0] = Coulomb.solve(block, b);
            all.count = 1;
        }
        return all;
    }
    let problem = reduced.slip_problem(&block.plane, Opposes::Slip);
    let roots = SlidingRoots::of(&problem);
    for slip in &roots.list[..roots.count] {
        // On the stick border the sticking impulse is met again as a sliding one with κ = 0.
        let solution = reduced.sliding(block, slip.x, true);
        let sticks = (solution.impulse - all.list[0].impulse).norm() <= SAME * solution.impulse.norm();
        if !(all.count > 0 && sticks) {
            all.list[all.count] = solution;
            all.count += 1;
        }
    }
    all.list[..all.count].sort_by(|p, q| block.energy(&p.impulse, b).total_cmp(&block.energy(&q.impulse, b)));
    all
}

/// Relative distance below which two roots are one: near a double root an angle is known to half the digits.
const SAME: f64 = 1e-7;

/// Whether the solution is known to be unique, ‖e‖ cond(Ǎ) < 1, with cond(Ǎ) ≤ (trace Ǎ)²/det Ǎ.
#[inline(always)]
pub(in crate::law) fn is_unique<T: Real>(plane: &Plane<T>) -> T::Mask {
    let (trace, det) = (plane.schur.size(), plane.schur.det());
    let (least, most) = (plane.nn * plane.nn * det * det, plane.tilt.norm_squared() * (trace * trace * trace * trace));
    most.below(least) & det.like(0.0).below(det)
}

/// The certified sliding root found by the fast path, if it is known to be the only one.
#[inline(always)]
fn sole(block: &ContactBlock, problem: &SlipProblem, reduced: &Reduced) -> Option<Solution> {
    let equation = problem.equation();
    let u = reduced.root(problem, &equation)?;
    // The certified roots are one or three, the real ones two or four: with two real roots one is certified.
    let sole = is_unique(&block.plane) || !equation.has_further_roots(u);
    if sole { reduced.at_root(block, problem, u) } else { None }
}

/// The certified sliding roots of a problem.
struct SlidingRoots {
    list: [Slip; 4],
    count: usize,
    /// The root nearest to being certified, for the case that none is.
    nearest: Slip,
}

impl SlidingRoots {
    #[cold]
    fn of(problem: &SlipProblem) -> Self {
        let nothing = Slip { x: Pair::ZERO, kappa: 0.0 };
        let mut roots = Self { list: [nothing; 4], count: 0, nearest: nothing };
        let mut least = f64::INFINITY;
        let (directions, found) = problem.equation().roots();
        for &u in &directions[..found] {
            let (slip, fault) = problem.refined(u);
            if fault < least {
                (least, roots.nearest) = (fault, slip);
            }
            let known = |other: &Slip| (slip.x - other.x).norm() <= SAME * slip.x.norm();
            if fault <= slip::CERTIFIED && !roots.list[..roots.count].iter().any(known) {
                roots.list[roots.count] = slip;
                roots.count += 1;
            }
        }
        roots
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::ContactState;

    const A: [[f64; 3]; 3] = [[2.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 3.0]];

    #[test]
    fn a_separating_contact_gets_no_impulse() {
        let answer = Coulomb.solve(&ContactBlock::block_of(&A, 0.5), &Vec3::new(0.0, 5.0, 1.0));
        assert_eq!((answer.impulse, answer.state), (Vec3::zeros(), ContactState::Separating));
    }

    #[test]
    fn a_contact_within_the_cone_sticks() {
        let answer = Coulomb.solve(&ContactBlock::block_of(&A, 0.5), &Vec3::new(2.2, 1.6, 0.3));
        assert_eq!(answer.state, ContactState::Sticking);
        assert!((answer.impulse - Vec3::new(1.0, 0.2, 0.1)).norm() < 1e-15);
    }

    #[test]
    fn sliding_friction_opposes_the_slip_that_is_left() {
        let block = ContactBlock::block_of(&A, 0.5);
        let b = Vec3::new(1.0, -2.0, 3.0);
        let answer = Coulomb.solve(&block, &b);
        assert_eq!(answer.state, ContactState::Sliding);
        let v = block.velocity(&answer.impulse, &b);
        let x = answer.impulse.yz();
        assert!(v.x.abs() < 1e-15, "normal velocity {}", v.x);
        assert!((x.normalize() + v.yz().normalize()).norm() < 1e-15, "friction {x} against slip {}", v.yz());
        assert!((x.norm() - 0.5 * answer.impulse.x).abs() < 1e-16);
    }

    #[test]
    fn a_nearly_singular_block_has_three_sliding_solutions_at_a_small_eccentricity() {
        let a = 0.997_496_867_163;
        let block = ContactBlock::block_of(&[[1.0, a, 0.0], [a, 1.0, 0.0], [0.0, 0.0, 1.0]], 0.200502);
        let b = Vec3::new(0.98, 0.977_445_876_870_785_3, 0.199_504_834_423_005_32);
        let all = solutions(&block, &b);
        assert_eq!(all.admissible().len(), 3, "{:?}", all.admissible());
        assert!(all.excluded().is_empty());
        let least = CoulombLeast.solve(&block, &b).impulse.x;
        assert!(all.admissible().iter().all(|s| s.impulse.x >= least));
        assert_eq!(Coulomb.solve(&block, &b).impulse, all.admissible()[0].impulse);
    }
}

//! The field's measure of a solution, so that numbers compare with other libraries.
//!
//! ```text
//! m² = Σ_j ‖A_jj‖² ‖Λ_j − P(Λ_j − ũ_j/‖A_jj‖)‖² / Σ_j ‖b_j‖²        P: projection on the cone ‖(t, o)‖ ≤ μ n
//!
//! frictionless      ũ = δv⁺, on the cone of μ = 0
//! cone              ũ = δv⁺
//! coulomb           ũ = δv⁺ + (μ‖δv_t⁺‖, 0, 0)                          [De Saxcé 1992]
//! max-dissipation   as coulomb, with δv_t⁺ + κe in place of δv_t⁺
//! ```
//!
//! m vanishes exactly at the solutions of the law (and at jams, which the pressure constraint excludes). Siconos and FCLIB
//! take 1 N·s per m/s in place of 1/‖A_jj‖, which is not invariant under the unit of mass.
//!
//! For `max-dissipation`, δv_t⁺ = −κ(w + e) while sliding, with w = Λ_t/‖Λ_t‖, so that δv_t⁺ + κe opposes friction as δv_t⁺
//! does under Coulomb; κ = −δv_t⁺·w/(1 + e·w).

use crate::law::ContactBlock;
use crate::law::Law;
use crate::math::Vec2;
use crate::math::Vec3;
use crate::problem::ContactProblem;

/// The merit m (no unit) of `impulses` in N·s under `law`; `None` for laws that are no inclusion in δv⁺.
pub fn merit(problem: &ContactProblem, law: Law, impulses: &[Vec3]) -> Option<f64> {
    if !matches!(law, Law::MaxDissipation | Law::Coulomb | Law::Cone | Law::Frictionless) {
        return None;
    }
    let (mut squares, mut size) = (0.0_f64, 0.0_f64);
    for (j, (impulse, b)) in impulses.iter().zip(problem.b()).enumerate() {
        let a = problem.diagonal(j);
        let norm = a.symmetric_eigenvalues().max();
        let mu = if law == Law::Frictionless { 0.0 } else { problem.mu()[j] };
        let v = problem.velocity(j, impulses);
        let modified = match law {
            Law::MaxDissipation => saxce(&(v + turned(&ContactBlock::new(a, mu), impulse, &v)), mu),
            Law::Coulomb => saxce(&v, mu),
            _ => v,
        };
        let defect = (impulse - project(&(impulse - modified / norm), mu)).norm() * norm;
        // hypot: squares of numbers near the ends of the range would overflow or vanish.
        squares = squares.hypot(defect);
        size = size.hypot(b.norm());
    }
    Some(if size > 0.0 { squares / size } else { squares })
}

/// u + (μ‖u_t‖, 0, 0).
fn saxce(u: &Vec3, mu: f64) -> Vec3 {
    Vec3::new(u.x + mu * u.y.hypot(u.z), u.y, u.z)
}

/// κe: what turns the slip of `max-dissipation` against its friction.
fn turned(block: &ContactBlock, impulse: &Vec3, v: &Vec3) -> Vec3 {
    let x = Vec2::new(impulse.y, impulse.z);
    let size = x.norm();
    if size <= 0.0 {
        return Vec3::zeros();
    }
    let (w, e) = (x / size, block.eccentricity());
    let closing = 1.0 + e.dot(&w);
    if closing <= 0.0 {
        return Vec3::zeros();
    }
    let kappa = (-Vec2::new(v.y, v.z).dot(&w) / closing).max(0.0);
    Vec3::new(0.0, kappa * e.x, kappa * e.y)
}

/// The nearest point of the cone ‖(t, o)‖ ≤ μ n.
fn project(p: &Vec3, mu: f64) -> Vec3 {
    let size = p.y.hypot(p.z);
    if size <= mu * p.x {
        return *p;
    }
    if mu * size <= -p.x {
        return Vec3::zeros();
    }
    let n = (p.x + mu * size) / (1.0 + mu * mu);
    let t = if size > 0.0 { mu * n / size } else { 0.0 };
    Vec3::new(n, t * p.y, t * p.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Cone;
    use crate::law::ContactLaw;
    use crate::law::Coulomb;
    use crate::law::Frictionless;
    use crate::law::MaxDissipation;
    use crate::math::Mat3;

    /// A sliding contact with e ≠ 0, on which all laws differ.
    fn sliding() -> ContactProblem {
        let a = Mat3::new(5.4, 0.55, 2.8, 0.55, 7.9, -0.48, 2.8, -0.48, 6.0);
        ContactProblem::one(&a, &Vec3::new(0.7, -0.3, 0.5), 0.24).expect("valid")
    }

    #[test]
    fn each_law_zeroes_its_own_merit_and_no_other() {
        let problem = sliding();
        let block = ContactBlock::new(problem.diagonal(0), problem.mu()[0]);
        let b = &problem.b()[0];
        let answers = [
            (Law::MaxDissipation, MaxDissipation.solve(&block, b)),
            (Law::Coulomb, Coulomb.solve(&block, b)),
            (Law::Cone, Cone.solve(&block, b)),
            (Law::Frictionless, Frictionless.solve(&block, b)),
        ];
        for (law, answer) in answers {
            for (other, _) in answers {
                let merit = merit(&problem, other, &[answer.impulse]).expect("a law with a merit");
                // Rounding of an answer, with room; the laws differ by percents here.
                let own = merit < 1e-14;
                assert_eq!(own, law == other, "{law} by the measure of {other}: {merit}");
            }
        }
        assert_eq!(merit(&problem, Law::Incremental, &[Vec3::zeros()]), None);
    }

    #[test]
    fn the_projection_on_the_cone_is_the_nearest_point() {
        let mu = 0.5;
        for (p, expected) in [
            (Vec3::new(2.0, 1.0, 0.0), Vec3::new(2.0, 1.0, 0.0)),
            (Vec3::new(-1.0, 1.0, 1.0), Vec3::zeros()),
            (Vec3::new(0.0, 0.0, 2.0), Vec3::new(0.8, 0.0, 0.4)),
        ] {
            let projected = project(&p, mu);
            assert!((projected - expected).norm() < 1e-15, "{projected:?} for {expected:?}");
        }
        assert_eq!(project(&Vec3::new(3.0, 1.0, 1.0), 0.0), Vec3::new(3.0, 0.0, 0.0));
    }
}

//! One rigid body that meets a fixed wall, in the contact frame (n, t, o), and the laws that solve its contact.

use crate::law::Law;
use crate::law::Solution;
use crate::law::cone;
use crate::law::coulomb;
use crate::law::frictionless;
use crate::law::incremental;
use crate::law::max_dissipation;
use crate::math::Mat3;
use crate::math::Vec3;

/// A body at the moment of contact; all vectors in the contact frame.
#[derive(Clone, Copy, Debug)]
pub(in crate::experiment) struct Body {
    /// Mass in kg.
    pub(in crate::experiment) mass: f64,
    /// Inertia about the centre of mass in kg·m².
    pub(in crate::experiment) inertia: Mat3,
    /// From the centre of mass to the contact point, in m.
    pub(in crate::experiment) lever: Vec3,
}

impl Body {
    /// The Delassus block in 1/kg.
    ///
    /// ```text
    /// A = 1/m E − [r]ₓ I⁻¹ [r]ₓ
    /// ```
    pub(in crate::experiment) fn delassus(&self) -> Mat3 {
        let r = self.lever.cross_matrix();
        let a = Mat3::from_diagonal_element(1.0 / self.mass) - r * self.inverse_inertia() * r;
        // Symmetric in exact arithmetic; made so in the digits.
        (a + a.transpose()) * 0.5
    }

    /// The velocity of the contact point, v + ω × r.
    pub(in crate::experiment) fn contact_velocity(&self, v: &Vec3, w: &Vec3) -> Vec3 {
        v + w.cross(&self.lever)
    }

    /// Velocity and angular velocity after an impulse Λ at the contact point.
    pub(in crate::experiment) fn after(&self, v: &Vec3, w: &Vec3, impulse: &Vec3) -> (Vec3, Vec3) {
        (v + impulse / self.mass, w + self.inverse_inertia() * self.lever.cross(impulse))
    }

    fn inverse_inertia(&self) -> Mat3 {
        self.inertia.try_inverse().expect("a body of these experiments has an inertia about every axis")
    }
}

/// The impulse of one contact under one of the laws of [`Law::SOLVE`].
pub(in crate::experiment) fn solve(law: Law, a: &Mat3, b: &Vec3, mu: f64) -> Solution {
    match law {
        Law::MaxDissipation => max_dissipation::solve(a, b, mu),
        Law::Coulomb => coulomb::solve(a, b, mu),
        Law::Cone => cone::solve(a, b, mu),
        Law::Frictionless => frictionless::solve(a, b),
        Law::Incremental => incremental::solve(a, b, mu),
        Law::TwoStage | Law::Penalty => unreachable!("{law} is a law of many contacts in time"),
    }
}

/// The change of kinetic energy ½ΛᵀAΛ − bᵀΛ in J.
pub(in crate::experiment) fn energy(a: &Mat3, b: &Vec3, impulse: &Vec3) -> f64 {
    0.5 * impulse.dot(&(a * impulse)) - b.dot(impulse)
}

/// The word for the state of a solution in tables.
pub(in crate::experiment) fn state(solution: &Solution) -> &'static str {
    match solution.state {
        crate::law::ContactState::Separating => "separating",
        crate::law::ContactState::Sticking => "sticking",
        crate::law::ContactState::Sliding => "sliding",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corner_of_a_cube_has_the_delassus_block_worked_out_by_hand() {
        // r = d/2 (−1, 1, 1), I = m d²/6: Ann = (1 + 3)/m, Ant = Ano = 3/2 /m.
        let (m, d) = (2.0, 0.3);
        let inertia = Mat3::from_diagonal_element(m * d * d / 6.0);
        let body = Body { mass: m, inertia, lever: Vec3::new(-1.0, 1.0, 1.0) * (0.5 * d) };
        let a = body.delassus() * m;
        for (entry, expected) in [(a[(0, 0)], 4.0), (a[(0, 1)], 1.5), (a[(0, 2)], 1.5), (a[(1, 2)], -1.5)] {
            assert!((entry - expected).abs() < 1e-14, "{entry} for {expected}");
        }
    }

    #[test]
    fn the_velocity_after_an_impulse_is_that_of_the_delassus_block() {
        let inertia = Mat3::new(2.0, 0.1, 0.2, 0.1, 1.0, 0.3, 0.2, 0.3, 1.5);
        let body = Body { mass: 1.3, inertia, lever: Vec3::new(-0.4, 0.7, -0.2) };
        let (v, w) = (Vec3::new(-1.0, 0.3, 0.2), Vec3::new(0.5, -0.1, 0.9));
        let impulse = Vec3::new(1.0, -0.3, 0.2);
        let (v1, w1) = body.after(&v, &w, &impulse);
        let direct = body.contact_velocity(&v1, &w1);
        let by_block = body.delassus() * impulse + body.contact_velocity(&v, &w);
        assert!((direct - by_block).norm() < 1e-14, "{direct} and {by_block}");
        let kinetic = |v: &Vec3, w: &Vec3| 0.5 * body.mass * v.dot(v) + 0.5 * w.dot(&(inertia * w));
        let lost = energy(&body.delassus(), &-body.contact_velocity(&v, &w), &impulse);
        assert!((kinetic(&v1, &w1) - kinetic(&v, &w) - lost).abs() < 1e-14);
    }
}

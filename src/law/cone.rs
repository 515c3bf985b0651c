//! The convex relaxation: least kinetic energy over the friction cone alone, without the plane of maximum compression.
//!
//! ```text
//! separating   bn + μ‖bto‖ ≤ 0           Λ = 0
//! sticking     A⁻¹b in the cone          Λ = A⁻¹b
//! sliding      AΛ − b = κ (μ, −u),  κ ≥ 0,  Λ = λ g,  g = (1, μu)
//! ```
//!
//! Sliding opens the contact: the normal velocity after the impulse is μκ. Taking λ = b·g/(gᵀAg) leaves one equation in
//! the angle, u⊥·(AΛ − b)to = 0. Where Newton's iteration on it is not certified, the direction follows from the least
//! energy over the disc ‖Λto‖ ≤ μλ, a convex function of λ whose derivative is the normal velocity less μκ: bisection on
//! its sign cannot fail. [Anitescu 2006; Tasora and Anitescu 2011]

use crate::law::ContactBlock;
use crate::law::ContactLaw;
use crate::law::ContactState;
use crate::law::Frictionless;
use crate::law::Solution;
use crate::math::Mat3;
use crate::math::Vec3;
use crate::math::bisection::bisect;
use crate::math::plane::Pair;
use crate::math::plane::Sym2;

/// The cone relaxation (see the module).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cone;

impl ContactLaw for Cone {
    fn solve(self, block: &ContactBlock, b: &Vec3) -> Solution {
        let tangential = Pair::from(b.yz());
        let mu = block.plane.mu;
        if !(b.x + mu * tangential.norm() > 0.0) {
            return Solution::SEPARATING;
        }
        if mu == 0.0 {
            return Frictionless.solve(block, b);
        }
        let x0 = block.plane.schur.solve(tangential * block.plane.nn - block.plane.a * b.x);
        let normal = (b.x - block.plane.a.dot(x0)) / block.plane.nn;
        if x0.norm() <= mu * normal {
            let impulse = Vec3::new(normal, x0.x, x0.y) * block.plane.scale;
            return Solution { impulse, state: ContactState::Sticking, certified: impulse.sum().is_finite() };
        }
        let border = Border { block, b: *b };
        let start = if tangential == Pair::ZERO { x0 } else { tangential };
        let fast = border.root_near(start / start.norm());
        let (u, certified) = if border.fault(fast) <= CERTIFIED { (fast, true) } else { border.by_bisection() };
        let g = Vec3::new(1.0, mu * u.x, mu * u.y);
        let impulse = g * (border.size(u) * block.plane.scale);
        Solution { impulse, state: ContactState::Sliding, certified: certified && impulse.sum().is_finite() }
    }
}

/// The impulse in N·s of the cone relaxation; units, frame and signs as in
/// [`max_dissipation::solve`](crate::law::max_dissipation::solve).
pub fn solve(a: &Mat3, b: &Vec3, mu: f64) -> Solution {
    Cone.solve(&ContactBlock::new(a, mu), b)
}

/// Relative size of what the conditions of a certified direction may leave over: some ten roundings.
const CERTIFIED: f64 = 64.0 * f64::EPSILON;

/// A contact that slides on the border of its cone.
struct Border<'a> {
    block: &'a ContactBlock,
    b: Vec3,
}

impl Border<'_> {
    /// gᵀAg and (Ag)to for the direction u.
    fn stiffness(&self, u: Pair) -> (f64, Pair) {
        let mu = self.block.plane.mu;
        let tangential = self.block.plane.a + self.block.tangential.times(u) * mu;
        (self.block.plane.nn + mu * (self.block.plane.a + tangential).dot(u), tangential)
    }

    /// λ = Λn for the direction u.
    fn size(&self, u: Pair) -> f64 {
        (self.b.x + self.block.plane.mu * Pair::from(self.b.yz()).dot(u)) / self.stiffness(u).0
    }

    /// Newton's iteration on u⊥·(λ(Ag)to − bto) = 0.
    fn root_near(&self, mut u: Pair) -> Pair {
        const STEPS: usize = 12;
        let (mu, b) = (self.block.plane.mu, Pair::from(self.b.yz()));
        for _ in 0..STEPS {
            let across = Pair::new(-u.y, u.x);
            let (d, c) = self.stiffness(u);
            let lambda = (self.b.x + mu * b.dot(u)) / d;
            let d_lambda = mu * (b.dot(across) - 2.0 * lambda * c.dot(across)) / d;
            let velocity = c * lambda - b;
            let value = velocity.dot(across);
            let d_velocity = c * d_lambda + self.block.tangential.times(across) * (lambda * mu);
            let slope = d_velocity.dot(across) - velocity.dot(u);
            let step = -value / slope;
            if !step.is_finite() {
                break;
            }
            u = u + across * step.clamp(-0.5, 0.5);
            u = u / u.norm();
            if step.abs() < 1e-15 {
                break;
            }
        }
        u
    }

    /// How far u is from being the solution, relative to the largest terms: balance across u, κ ≥ 0, λ ≥ 0.
    ///
    /// κ shows along u and, times μ, along the normal: at a large μ only there.
    fn fault(&self, u: Pair) -> f64 {
        let (mu, a) = (self.block.plane.mu, self.block.plane.a.norm());
        let (stiffness, tangential) = self.stiffness(u);
        let lambda = self.size(u);
        let pushed = tangential * lambda;
        let velocity = pushed - Pair::from(self.b.yz());
        let across = Pair::new(-u.y, u.x);
        // λ has the rounding of gᵀAg, whose terms may cancel.
        let sum = self.block.plane.nn + mu * (2.0 * a + mu * self.block.tangential.size());
        let terms = (self.block.tangential.size() * mu + a) * lambda.abs()
            + self.b.abs().max()
            + pushed.norm() * (sum / stiffness);
        let closing = self.b.x - lambda * (self.block.plane.nn + mu * self.block.plane.a.dot(u));
        let normal_terms = self.b.x.abs() + lambda.abs() * (self.block.plane.nn + mu * a) * (sum / stiffness);
        let fault = (velocity.dot(across).abs().max(velocity.dot(u)) / terms).max(closing / normal_terms);
        if lambda >= 0.0 && fault.is_finite() { fault.max(0.0) } else { f64::INFINITY }
    }

    /// The direction from the convex problem in λ alone (see the module), sharpened by Newton's iteration, and whether it
    /// is certified.
    #[cold]
    fn by_bisection(&self) -> (Pair, bool) {
        const HALVINGS: u32 = 100;
        // Only the direction is wanted: b in units of its largest entry.
        let unit = Border { block: self.block, b: self.b / self.b.abs().max() };
        let falls = |lambda: f64| unit.least_at(lambda).1 < 0.0;
        let mut high = 1.0;
        while falls(high) {
            high *= 2.0;
        }
        let x = unit.least_at(bisect(0.0, high, HALVINGS, falls)).0;
        let u = x / x.norm();
        let sharp = self.root_near(u);
        let u = if self.fault(sharp) < self.fault(u) { sharp } else { u };
        (u, self.fault(u) <= CERTIFIED)
    }

    /// The tangential impulse of least energy with ‖x‖ ≤ μλ beside the normal impulse λ, and the derivative by λ of that
    /// energy.
    ///
    /// (Att + sE) x = bto − λa with s ≥ 0; s grows from zero by Newton's iteration on 1/‖x(s)‖ = 1/(μλ), which is concave
    /// in s. [Moré and Sorensen 1983]
    fn least_at(&self, lambda: f64) -> (Pair, f64) {
        const STEPS: usize = 64;
        let Sym2 { xx, xy, yy } = self.block.tangential;
        let (a, radius) = (self.block.plane.a, self.block.plane.mu * lambda);
        let load = Pair::from(self.b.yz()) - a * lambda;
        let mut s = 0.0;
        let mut x = self.block.tangential.solve(load);
        for _ in 0..STEPS {
            let shifted = Sym2 { xx: xx + s, xy, yy: yy + s };
            x = shifted.solve(load);
            let excess = x.norm() / radius - 1.0;
            let step = excess * x.norm_squared() / x.dot(shifted.solve(x));
            if !(excess > 0.0 && s + step > s) {
                break;
            }
            s += step;
        }
        let velocity = self.block.plane.nn * lambda + a.dot(x) - self.b.x;
        (x, velocity - self.block.plane.mu * s * x.norm())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    const A: [[f64; 3]; 3] = [[2.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.0, 3.0]];

    #[test]
    fn a_contact_in_the_polar_cone_gets_no_impulse() {
        let answer = Cone.solve(&ContactBlock::block_of(&A, 0.5), &Vec3::new(-3.0, 4.0, 3.0));
        assert_eq!((answer.impulse, answer.state), (Vec3::zeros(), ContactState::Separating));
    }

    #[test]
    fn a_contact_within_the_cone_sticks() {
        let answer = Cone.solve(&ContactBlock::block_of(&A, 0.5), &Vec3::new(2.2, 1.6, 0.3));
        assert_eq!(answer.state, ContactState::Sticking);
        assert!((answer.impulse - Vec3::new(1.0, 0.2, 0.1)).norm() < 1e-15);
    }

    #[test]
    fn at_a_huge_friction_the_contact_opens_and_all_but_sticks() {
        // A pencil in inertia: Newton's iteration finds the direction only from within a few degrees.
        let a = Mat3::new(
            88220.71787367396,
            18.781478499436055,
            -99.57713313863186,
            18.781478499436055,
            49743.298373063415,
            16232.389004720379,
            -99.57713313863186,
            16232.389004720379,
            5377.331352293733,
        );
        let b = Vec3::new(0.002586072211409829, 0.4538056505796895, -0.015752401283658252);
        let block = ContactBlock::new(&a, 856_723.543_465_314_8);
        let answer = Cone.solve(&block, &b);
        assert_eq!((answer.state, answer.certified), (ContactState::Sliding, true));
        // From 60 digits: bisection on u⊥·(AΛ − b)to = 0.
        let v = block.velocity(&answer.impulse, &b);
        assert!((v.x - 0.213_409_096_306_106_84).abs() < 1e-9, "{v}");
        assert!((answer.impulse.x - 2.507_627_159_615_721_4e-9).abs() < 1e-18, "{answer:?}");
    }

    #[test]
    fn sliding_on_a_diagonal_block_opens_the_contact() {
        // A = E, b = (0, 3, 4), μ = 1: u along bto, g = (1, u), λ = 5/2; the velocity is 2.5 (1, −u).
        let block = ContactBlock::new(&Mat3::identity(), 1.0);
        let b = Vec3::new(0.0, 3.0, 4.0);
        let answer = Cone.solve(&block, &b);
        assert_eq!((answer.state, answer.certified), (ContactState::Sliding, true));
        assert!((answer.impulse - Vec3::new(2.5, 1.5, 2.0)).norm() < 1e-15);
        assert!((block.velocity(&answer.impulse, &b) - Vec3::new(2.5, -1.5, -2.0)).norm() < 1e-15);
    }
}

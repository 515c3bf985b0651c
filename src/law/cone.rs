//! The convex relaxation: least kinetic energy over the friction cone alone, without the plane of maximum compression.
//!
//! ```text
//! separating   bn + μ‖bto‖ ≤ 0           Λ = 0
//! sticking     A⁻¹b in the cone          Λ = A⁻¹b
//! sliding      AΛ − b = κ (μ, −u),  κ ≥ 0,  Λ = λ g,  g = (1, μu)
//! ```
//!
//! Sliding opens the contact: the normal velocity after the impulse is μκ. Taking λ = b·g/(gᵀAg) leaves one equation in
//! the angle, u⊥·(AΛ − b)to = 0. Where Newton's iteration on it is not certified, the solution follows from the pencil
//! (A + sK) Λ = b with K = diag(−μ², 1, 1), s = κ/(λμ): Λ(s) = adj(A + sK) b/det, and ΛᵀKΛ = 0 is a quartic in s.
//! [Anitescu 2006; Tasora and Anitescu 2011]

use crate::law::ContactBlock;
use crate::law::ContactLaw;
use crate::law::ContactState;
use crate::law::Frictionless;
use crate::law::Solution;
use crate::math::Mat3;
use crate::math::Vec3;
use crate::math::plane::Pair;
use crate::math::quartic;

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
        let (u, certified) = if border.fault(fast) <= CERTIFIED { (fast, true) } else { border.by_quartic() };
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
        let fault = velocity.dot(across).abs().max(velocity.dot(u)) / terms;
        if lambda >= 0.0 && fault.is_finite() { fault.max(0.0) } else { f64::INFINITY }
    }

    /// The direction that breaks its conditions least among all roots of the quartic in s, and whether it is certified.
    #[cold]
    fn by_quartic(&self) -> (Pair, bool) {
        // With Λto = μ y the cone is that of μ = 1: K = diag(−1, 1, 1).
        let mu = self.block.plane.mu;
        let scale = Mat3::from_diagonal(&Vec3::new(1.0, mu, mu));
        let a = scale * self.block.delassus() * scale * self.block.plane.scale;
        let size = a.trace();
        let a = a / size;
        let b = scale * self.b;
        let b = b / b.abs().max();
        let k = Mat3::from_diagonal(&Vec3::new(-1.0, 1.0, 1.0));
        // adj(A + sK) = adj A + s [A, K] + s² adj K, with adj X = X² − tr X X + ½(tr² X − tr X²) E polarised.
        let mixed = a * k + k * a - k * a.trace() - a * k.trace()
            + Mat3::identity() * (a.trace() * k.trace() - (a * k).trace());
        let [x, y, z] = [a.column(0), a.column(1), a.column(2)];
        let p0 = Mat3::from_columns(&[y.cross(&z), z.cross(&x), x.cross(&y)]) * b;
        let p1 = mixed * b;
        let p2 = Vec3::new(b.x, -b.y, -b.z);
        let form = |p: &Vec3, q: &Vec3| p.dot(&(k * q));
        let ascending = [
            form(&p0, &p0),
            2.0 * form(&p0, &p1),
            2.0 * form(&p0, &p2) + form(&p1, &p1),
            2.0 * form(&p1, &p2),
            form(&p2, &p2),
        ];
        // Solved in s or in 1/s, whichever has the larger leading coefficient.
        let inverse = ascending[0].abs() > ascending[4].abs();
        let mut c = ascending;
        if inverse {
            c.reverse();
        }
        let (found, count) = quartic::candidates([c[3] / c[4], c[2] / c[4], c[1] / c[4], c[0] / c[4]]);
        let mut best = (Pair::new(1.0, 0.0), f64::INFINITY);
        let mut consider = |u: Pair| {
            let u = self.root_near(u / u.norm());
            let fault = self.fault(u);
            if fault < best.1 {
                best = (u, fault);
            }
        };
        for &root in &found[..count] {
            let s = if inverse { 1.0 / root } else { root };
            let direction = (p0 + (p1 + p2 * s) * s).yz().into();
            consider(direction);
            consider(direction * -1.0);
        }
        // Close to sticking the root s is lost in the rounding of the quartic's last coefficient: directions all around.
        const SAMPLES: u32 = 64;
        for k in 0..SAMPLES {
            let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / f64::from(SAMPLES)).sin_cos();
            consider(Pair::new(cos, sin));
        }
        (best.0, best.1 <= CERTIFIED)
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

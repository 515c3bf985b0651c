//! Random two-body contacts, for experiments, tests and benches.
//!
//! Two rigid bodies meet at a point. With mass m, second moments per mass s = (s1, s2, s3) about the principal axes and
//! lever arm r, all in the body's own frame, and the contact frame (c1, c2, c3) = (n, t, o) seen from that body,
//!
//! ```text
//! I  = m diag(s2 + s3, s3 + s1, s1 + s2)                       (every real body is of this kind, and no other)
//! A  = Σ over both bodies  δ_ij / m + (r × c_i)·I⁻¹(r × c_j)   (1/kg)
//! b  = −δv⁻,  b_n > 0                                          (closing; uniform on the half sphere ‖b‖ = 1 m/s)
//! μ  uniform in a closed range, [0, 1.5] by default
//! ```
//!
//! s ≥ 0 is the same as the triangle inequality of the principal moments. The laws are homogeneous in b, so its length
//! does not matter. Each body is turned at random about the normal. Directions are drawn by rejection, the same seed
//! gives the same contacts on every machine up to the rounding of `exp` and `ln`.

use crate::math::Mat3;
use crate::math::Vec3;
use crate::math::frame;
use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use std::ops::RangeInclusive;

/// Which bodies meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ensemble {
    /// Uniform spheres: radius and density log-uniform in [0.5, 2]. A is diagonal and e = 0, exactly.
    Spheres,
    /// Uniform ellipsoids: longest over shortest semi-axis log-uniform in [2, 30], the middle one log-uniform between,
    /// longest and density log-uniform in [0.5, 2]; the normal is uniform in the body frame and r its surface point.
    Ellipsoids,
    /// Uniform boxes with the same edges and densities: a vertex of one, with a normal uniform in the vertex's octant,
    /// meets a point uniform on a face of the other; which is which, and which pair of faces, with equal chances.
    Boxes,
    /// Any inertia: mass log-uniform in [0.1, 10], radii √s log-uniform in [0.1, 1]; r uniform in direction, its length
    /// uniform in [0, 1], whatever the normal.
    Generic,
    /// Extreme: mass log-uniform in [1e-6, 1e6], radii √s log-uniform in [0.01, 1], ‖r‖ log-uniform in [1e-3, 10].
    ExtremeMasses,
}

impl Ensemble {
    /// All ensembles.
    pub const ALL: [Self; 5] = [Self::Spheres, Self::Ellipsoids, Self::Boxes, Self::Generic, Self::ExtremeMasses];

    /// The name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spheres => "spheres",
            Self::Ellipsoids => "ellipsoids",
            Self::Boxes => "boxes",
            Self::Generic => "generic",
            Self::ExtremeMasses => "extreme-masses",
        }
    }
}

/// One contact of two random bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomContact {
    /// Delassus block, 1/kg, in the contact frame (n, t, o); exactly symmetric.
    pub a: Mat3,
    /// Minus the relative velocity before the impact, in m/s; b_n > 0, ‖b‖ = 1.
    pub b: Vec3,
    /// Coefficient of friction.
    pub mu: f64,
    /// Longest over shortest principal radius √s of the more slender body; 1 for spheres.
    pub slenderness: f64,
}

/// An endless source of random contacts.
///
/// ```
/// use maxdiss::law::random::ContactSampler;
/// use maxdiss::law::random::Ensemble;
///
/// let mut sampler = ContactSampler::new(Ensemble::Boxes, 7).with_friction(0.2..=0.8);
/// let contact = sampler.sample();
/// assert!(contact.b.x > 0.0 && contact.slenderness >= 2.0);
/// ```
#[derive(Clone, Debug)]
pub struct ContactSampler {
    ensemble: Ensemble,
    friction: RangeInclusive<f64>,
    rng: Pcg64Mcg,
}

/// One of the two bodies, in its own principal frame.
struct Body {
    mass: f64,
    second_moments: Vec3,
    lever: Vec3,
    /// Outward unit normal at the contact point.
    normal: Vec3,
}

impl ContactSampler {
    /// Contacts of `ensemble` with μ in [0, 1.5]; the same seed gives the same contacts.
    pub fn new(ensemble: Ensemble, seed: u64) -> Self {
        Self { ensemble, friction: 0.0..=1.5, rng: Pcg64Mcg::seed_from_u64(seed) }
    }

    /// The same with μ uniform in `range`, which must be finite and not empty.
    #[must_use]
    pub fn with_friction(mut self, range: RangeInclusive<f64>) -> Self {
        assert!(range.start() <= range.end() && range.end().is_finite(), "no friction range: {range:?}");
        self.friction = range;
        self
    }

    /// The next contact.
    pub fn sample(&mut self) -> RandomContact {
        let (a, slenderness) = match self.ensemble {
            Ensemble::Spheres => (self.sphere() + self.sphere(), 1.0),
            Ensemble::Ellipsoids => {
                let bodies = [self.ellipsoid(), self.ellipsoid()];
                self.meet(bodies)
            }
            Ensemble::Boxes => {
                let bodies = [self.box_vertex(), self.box_face()];
                self.meet(bodies)
            }
            Ensemble::Generic => {
                let bodies = [self.any_body(0.1..=10.0, 0.1), self.any_body(0.1..=10.0, 0.1)];
                self.meet(bodies)
            }
            Ensemble::ExtremeMasses => {
                let bodies = [self.any_body(1e-6..=1e6, 0.01), self.any_body(1e-6..=1e6, 0.01)];
                self.meet(bodies)
            }
        };
        let mut b = self.direction();
        b.x = b.x.abs();
        RandomContact { a, b, mu: self.rng.random_range(self.friction.clone()), slenderness }
    }

    /// Delassus block and slenderness of two bodies, each turned at random about the common normal.
    fn meet(&mut self, [first, second]: [Body; 2]) -> (Mat3, f64) {
        // The contact normal points from the second body to the first.
        let a = self.block(&first, -first.normal) + self.block(&second, second.normal);
        let slenderness = [first, second]
            .map(|body| (body.second_moments.max() / body.second_moments.min()).sqrt())
            .into_iter()
            .fold(1.0, f64::max);
        (a, slenderness)
    }

    /// One body's share of A in a contact frame with the normal `n`, turned at random about it.
    fn block(&mut self, body: &Body, n: Vec3) -> Mat3 {
        let (t, o) = frame::tangents(&n);
        let (cos, sin) = self.turn();
        let columns = [n, t * cos + o * sin, o * cos - t * sin];
        let s = body.second_moments;
        let inertia = Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) * body.mass;
        let arms = columns.map(|c| body.lever.cross(&c));
        let mut a = Mat3::from_diagonal_element(1.0 / body.mass);
        for i in 0..3 {
            for j in i..3 {
                let turning = arms[i].component_div(&inertia).dot(&arms[j]);
                a[(i, j)] += turning;
                a[(j, i)] = a[(i, j)];
            }
        }
        a
    }

    /// A sphere's share of A: r ∥ n and I = 2/5 m R² give diag(1, 7/2, 7/2)/m.
    fn sphere(&mut self) -> Mat3 {
        let mass = self.log_uniform(0.5..=2.0) * self.log_uniform(0.5..=2.0).powi(3);
        Mat3::from_diagonal(&Vec3::new(1.0, 3.5, 3.5)) / mass
    }

    /// Half lengths along the principal axes, the longest in [0.5, 2], and the mass of density × their product.
    fn shape(&mut self) -> (Vec3, f64) {
        let longest = self.log_uniform(0.5..=2.0);
        let aspect = self.log_uniform(2.0..=30.0);
        let middle = self.log_uniform(1.0..=aspect);
        let half = Vec3::new(longest, longest / middle, longest / aspect);
        (half, self.log_uniform(0.5..=2.0) * half.product())
    }

    fn ellipsoid(&mut self) -> Body {
        let (half, mass) = self.shape();
        let squares = half.component_mul(&half);
        let normal = self.direction();
        let lever = squares.component_mul(&normal) / half.component_mul(&normal).norm();
        Body { mass, second_moments: squares / 5.0, lever, normal }
    }

    fn box_vertex(&mut self) -> Body {
        let (half, mass) = self.shape();
        let normal = self.direction();
        let lever = half.zip_map(&normal, f64::copysign);
        Body { mass, second_moments: half.component_mul(&half) / 3.0, lever, normal }
    }

    fn box_face(&mut self) -> Body {
        let (half, mass) = self.shape();
        let axis = self.rng.random_range(0..3);
        let side = if self.rng.random() { 1.0 } else { -1.0 };
        let mut lever = half.map(|h| h * self.rng.random_range(-1.0..=1.0));
        lever[axis] = side * half[axis];
        let mut normal = Vec3::zeros();
        normal[axis] = side;
        Body { mass, second_moments: half.component_mul(&half) / 3.0, lever, normal }
    }

    /// A body of any inertia with radii in [`slender`, 1]; light and heavy ones have lever arms as long as each other.
    fn any_body(&mut self, masses: RangeInclusive<f64>, slender: f64) -> Body {
        let mass = self.log_uniform(masses);
        let radii = Vec3::from_fn(|_, _| self.log_uniform(slender..=1.0));
        let length = match self.ensemble {
            Ensemble::ExtremeMasses => self.log_uniform(1e-3..=10.0),
            _ => self.rng.random_range(0.0..=1.0),
        };
        let lever = self.direction() * length;
        Body { mass, second_moments: radii.component_mul(&radii), lever, normal: self.direction() }
    }

    fn log_uniform(&mut self, range: RangeInclusive<f64>) -> f64 {
        self.rng.random_range(range.start().ln()..=range.end().ln()).exp()
    }

    /// A unit vector, uniform on the sphere.
    fn direction(&mut self) -> Vec3 {
        loop {
            let v = Vec3::from_fn(|_, _| self.rng.random_range(-1.0..=1.0));
            let square = v.norm_squared();
            // Near the centre the quotient loses digits.
            if (1e-4..=1.0).contains(&square) {
                return v / square.sqrt();
            }
        }
    }

    /// (cos, sin) of a uniform angle.
    fn turn(&mut self) -> (f64, f64) {
        loop {
            let (x, y): (f64, f64) = (self.rng.random_range(-1.0..=1.0), self.rng.random_range(-1.0..=1.0));
            let square = x * x + y * y;
            if (1e-4..=1.0).contains(&square) {
                let length = square.sqrt();
                return (x / length, y / length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contacts(ensemble: Ensemble, count: usize) -> Vec<RandomContact> {
        let mut sampler = ContactSampler::new(ensemble, 11);
        (0..count).map(|_| sampler.sample()).collect()
    }

    /// ‖e‖ = μ ‖(A_nt, A_no)‖ / A_nn.
    fn eccentricity(contact: &RandomContact) -> f64 {
        contact.mu * contact.a[(0, 1)].hypot(contact.a[(0, 2)]) / contact.a[(0, 0)]
    }

    #[test]
    fn every_block_is_symmetric_positive_definite_and_every_contact_closes() {
        for ensemble in Ensemble::ALL {
            for contact in contacts(ensemble, 2000) {
                assert_eq!(contact.a, contact.a.transpose(), "{ensemble:?}");
                assert!(contact.a.cholesky().is_some(), "{ensemble:?}: {contact:?}");
                // Two roundings of the normalisation.
                assert!((contact.b.norm() - 1.0).abs() < 4.0 * f64::EPSILON && contact.b.x > 0.0, "{contact:?}");
                assert!((0.0..=1.5).contains(&contact.mu), "{contact:?}");
            }
        }
    }

    #[test]
    fn spheres_have_no_eccentricity_and_the_others_reach_the_hyperbola() {
        assert!(contacts(Ensemble::Spheres, 1000).iter().all(|contact| eccentricity(contact) <= 0.0));
        for ensemble in [Ensemble::Ellipsoids, Ensemble::Boxes, Ensemble::Generic, Ensemble::ExtremeMasses] {
            let largest = contacts(ensemble, 5000).iter().map(eccentricity).fold(0.0, f64::max);
            assert!(largest > 1.0, "{ensemble:?}: largest eccentricity {largest}");
        }
    }

    #[test]
    fn ellipsoids_and_boxes_are_as_slender_as_documented() {
        for ensemble in [Ensemble::Ellipsoids, Ensemble::Boxes] {
            for contact in contacts(ensemble, 2000) {
                // Rounding of exp and ln.
                assert!((1.99..30.01).contains(&contact.slenderness), "{ensemble:?}: {}", contact.slenderness);
            }
        }
    }

    #[test]
    fn a_block_is_the_velocity_that_a_unit_impulse_gives_the_contact_point() {
        let mut sampler = ContactSampler::new(Ensemble::Generic, 3);
        let body = sampler.any_body(0.1..=10.0, 0.1);
        let n = Vec3::new(0.0, 0.6, -0.8);
        let a = sampler.block(&body, n);
        let s = body.second_moments;
        let inverse = Mat3::from_diagonal(&Vec3::new(1.0 / (s.y + s.z), 1.0 / (s.z + s.x), 1.0 / (s.x + s.y)));
        let spin = inverse * body.lever.cross(&n) / body.mass;
        let velocity = n / body.mass + spin.cross(&body.lever);
        // A few roundings of numbers of the size of the block.
        let off = (a[(0, 0)] - velocity.dot(&n)).abs();
        assert!(off < 1e-14 * a[(0, 0)], "A_nn {} for {}", a[(0, 0)], velocity.dot(&n));
        let tangential = (velocity - n * velocity.dot(&n)).norm();
        let off = (a[(0, 1)].hypot(a[(0, 2)]) - tangential).abs();
        assert!(off < 1e-14 * a[(0, 0)], "tangential part {} for {tangential}", a[(0, 1)].hypot(a[(0, 2)]));
    }

    #[test]
    fn the_same_seed_gives_the_same_contacts_and_another_seed_others() {
        assert_eq!(contacts(Ensemble::Boxes, 20), contacts(Ensemble::Boxes, 20));
        assert_ne!(ContactSampler::new(Ensemble::Boxes, 12).sample(), contacts(Ensemble::Boxes, 1)[0]);
    }
}

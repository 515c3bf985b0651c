//! How far a shape reaches.

use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::Shape;

/// Axis-aligned bounding box in the inertial frame, relative to the body's position; in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Lower corner.
    pub min: Vec3,
    /// Upper corner.
    pub max: Vec3,
}

impl Aabb {
    fn symmetric(half: Vec3) -> Self {
        Self { min: -half, max: half }
    }
}

impl Shape {
    /// Largest distance of a point of the shape from the origin, in m; infinite for walls without bounds.
    pub fn bounding_radius(&self) -> f64 {
        match self {
            Self::Sphere { radius } => *radius,
            Self::Box { half_extents } => half_extents.norm(),
            Self::Capsule { radius, half_length } => radius + half_length,
            Self::Clump { balls } => balls.iter().map(|ball| ball.center.norm() + ball.radius).fold(0.0, f64::max),
            Self::Cylinder { radius, half_length } => radius.hypot(*half_length),
            Self::Tube { radius, thickness, half_length } => (radius + thickness).hypot(*half_length),
            Self::Funnel { upper_radius, half_height, thickness, .. } => (upper_radius + thickness).hypot(*half_height),
            Self::HalfSpace | Self::HollowSphere { .. } | Self::HollowTorus { .. } => f64::INFINITY,
        }
    }

    /// The size by which contact margins and particle scales are measured, in m: twice the bounding radius, so the
    /// diameter of a sphere and the diagonal of a box.
    pub fn size(&self) -> f64 {
        2.0 * self.bounding_radius()
    }

    /// Whether the shape is a solid with finite extent and mass; if not, it can only be a wall.
    pub fn is_bounded(&self) -> bool {
        self.bounding_radius().is_finite()
    }

    /// The tightest box around the turned shape, relative to the body's position.
    pub fn aabb(&self, orientation: &Quat) -> Aabb {
        match self {
            Self::Sphere { radius } => Aabb::symmetric(Vec3::repeat(*radius)),
            // |R| h: each world axis collects the projections of the three half edges.
            Self::Box { half_extents } => {
                Aabb::symmetric(orientation.to_rotation_matrix().matrix().abs() * half_extents)
            }
            Self::Capsule { radius, half_length } => {
                Aabb::symmetric((orientation * Vec3::new(0.0, 0.0, *half_length)).abs().add_scalar(*radius))
            }
            Self::Clump { balls } => {
                let mut aabb = Aabb { min: Vec3::repeat(f64::INFINITY), max: Vec3::repeat(f64::NEG_INFINITY) };
                for ball in balls {
                    let center = orientation * ball.center;
                    aabb.min = aabb.min.inf(&center.add_scalar(-ball.radius));
                    aabb.max = aabb.max.sup(&center.add_scalar(ball.radius));
                }
                aabb
            }
            Self::Cylinder { radius, half_length } => round(orientation, *radius, *half_length),
            Self::Tube { radius, thickness, half_length } => round(orientation, radius + thickness, *half_length),
            Self::Funnel { upper_radius, half_height, thickness, .. } => {
                round(orientation, upper_radius + thickness, *half_height)
            }
            Self::HollowSphere { .. } | Self::HollowTorus { .. } => Aabb::symmetric(Vec3::repeat(f64::INFINITY)),
            Self::HalfSpace => {
                // Bounded on one side where the normal lies on an axis exactly; else not at all.
                let n = orientation * Vec3::z();
                let mut aabb = Aabb::symmetric(Vec3::repeat(f64::INFINITY));
                for k in 0..3 {
                    if n[(k + 1) % 3] == 0.0 && n[(k + 2) % 3] == 0.0 {
                        if n[k] > 0.0 {
                            aabb.max[k] = 0.0;
                        } else {
                            aabb.min[k] = 0.0;
                        }
                    }
                }
                aabb
            }
        }
    }
}

/// Bounds of a cylinder around the turned z axis u: along each axis R √(1 − u_k²) + h |u_k|.
fn round(orientation: &Quat, radius: f64, half_length: f64) -> Aabb {
    if !(radius + half_length).is_finite() {
        return Aabb::symmetric(Vec3::repeat(f64::INFINITY));
    }
    let u = orientation * Vec3::z();
    Aabb::symmetric(u.map(|x| radius * (1.0 - x * x).max(0.0).sqrt() + half_length * x.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Ball;

    #[test]
    fn the_bounding_box_of_a_turned_box_touches_its_corners() {
        let half = Vec3::new(0.3, 0.5, 0.9);
        let q = Quat::from_euler_angles(0.4, -1.1, 2.0);
        let aabb = Shape::Box { half_extents: half }.aabb(&q);
        let mut max = Vec3::repeat(f64::NEG_INFINITY);
        for i in 0..8 {
            let sign = |bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
            max = max.sup(&(q * half.component_mul(&Vec3::new(sign(0), sign(1), sign(2)))));
        }
        // A few ε: sums of three products of numbers of order one.
        assert!((aabb.max - max).norm() < 1e-15, "{} for {max}", aabb.max);
        assert!((aabb.min + max).norm() < 1e-15);
    }

    #[test]
    fn the_bounding_box_of_a_round_shape_touches_its_surface() {
        let q = Quat::from_euler_angles(0.4, -1.1, 2.0);
        let balls = vec![Ball { center: Vec3::new(0.1, 0.2, 0.3), radius: 0.4 }];
        let capsule = |x: Vec3| Vec3::z() * x.z.signum() * 0.9 + x * 0.3;
        let cylinder = |x: Vec3| Vec3::new(x.x, x.y, 0.0).normalize() * 0.3 + Vec3::z() * (x.z.signum() * 0.9);
        let clump = |x: Vec3| Vec3::new(0.1, 0.2, 0.3) + x * 0.4;
        let shapes: [(Shape, &dyn Fn(Vec3) -> Vec3); 3] = [
            (Shape::Capsule { radius: 0.3, half_length: 0.9 }, &capsule),
            (Shape::Cylinder { radius: 0.3, half_length: 0.9 }, &cylinder),
            (Shape::Clump { balls }, &clump),
        ];
        for (shape, surface) in shapes {
            let mut max = Vec3::repeat(f64::NEG_INFINITY);
            for i in 0..200 {
                for j in 0..200 {
                    let (polar, azimuth) = (f64::from(i) / 199.0 * 3.15, f64::from(j) / 199.0 * 6.3);
                    let direction = Vec3::new(polar.sin() * azimuth.cos(), polar.sin() * azimuth.sin(), polar.cos());
                    max = max.sup(&(q * surface(direction)));
                }
            }
            // The directions are 0.03 apart: the cosine falls by half the square of that.
            let off = shape.aabb(&q).max - max;
            assert!(off.min() > -1e-12 && off.max() < 5e-4, "{shape:?}: {off}");
        }
    }

    #[test]
    fn a_level_half_space_is_bounded_above_and_a_tilted_one_nowhere() {
        let level = Shape::HalfSpace.aabb(&Quat::identity());
        assert!(level.max.z == 0.0 && level.max.x == f64::INFINITY && level.min.z == f64::NEG_INFINITY);
        let tilted = Shape::HalfSpace.aabb(&Quat::from_euler_angles(0.1, 0.0, 0.0));
        assert!(tilted.max.iter().all(|x| *x == f64::INFINITY));
    }
}

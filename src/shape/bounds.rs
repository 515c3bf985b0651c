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
            Self::HalfSpace => f64::INFINITY,
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_level_half_space_is_bounded_above_and_a_tilted_one_nowhere() {
        let level = Shape::HalfSpace.aabb(&Quat::identity());
        assert!(level.max.z == 0.0 && level.max.x == f64::INFINITY && level.min.z == f64::NEG_INFINITY);
        let tilted = Shape::HalfSpace.aabb(&Quat::from_euler_angles(0.1, 0.0, 0.0));
        assert!(tilted.max.iter().all(|x| *x == f64::INFINITY));
    }
}

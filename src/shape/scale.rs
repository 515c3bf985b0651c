//! Shapes of another size, and the number of a kind of shape.

use crate::shape::Ball;
use crate::shape::Shape;

impl Shape {
    /// The same shape with every length multiplied by `factor`; unbounded walls have no length.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        match self {
            Self::Sphere { radius } => Self::Sphere { radius: radius * factor },
            Self::Box { half_extents } => Self::Box { half_extents: half_extents * factor },
            Self::Capsule { radius, half_length } => {
                Self::Capsule { radius: radius * factor, half_length: half_length * factor }
            }
            Self::Cylinder { radius, half_length } => {
                Self::Cylinder { radius: radius * factor, half_length: half_length * factor }
            }
            Self::Clump { balls } => Self::Clump {
                balls: balls
                    .iter()
                    .map(|ball| Ball { center: ball.center * factor, radius: ball.radius * factor })
                    .collect(),
            },
            Self::HalfSpace => Self::HalfSpace,
            Self::Tube { radius, thickness, half_length } => {
                Self::Tube { radius: radius * factor, thickness: thickness * factor, half_length: half_length * factor }
            }
            Self::Funnel { lower_radius, upper_radius, half_height, thickness } => Self::Funnel {
                lower_radius: lower_radius * factor,
                upper_radius: upper_radius * factor,
                half_height: half_height * factor,
                thickness: thickness * factor,
            },
            Self::HollowSphere { radius } => Self::HollowSphere { radius: radius * factor },
            Self::HollowTorus { major_radius, minor_radius } => {
                Self::HollowTorus { major_radius: major_radius * factor, minor_radius: minor_radius * factor }
            }
        }
    }

    /// A number for the kind of shape, for formats that hold numbers only; it never changes.
    pub fn number(&self) -> u8 {
        match self {
            Self::Sphere { .. } => 0,
            Self::Box { .. } => 1,
            Self::HalfSpace => 2,
            Self::Capsule { .. } => 3,
            Self::Clump { .. } => 4,
            Self::Cylinder { .. } => 5,
            Self::Tube { .. } => 6,
            Self::Funnel { .. } => 7,
            Self::HollowSphere { .. } => 8,
            Self::HollowTorus { .. } => 9,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn twice_the_size_is_eight_times_the_volume() {
        // A few roundings of a product of three lengths; of a clump the quadrature of its union.
        const TOLERANCE: f64 = 1e-13;
        let balls = vec![Ball { center: Vec3::zeros(), radius: 0.2 }, Ball { center: Vec3::x() * 0.1, radius: 0.2 }];
        let shapes = [
            Shape::sphere(0.3),
            Shape::cuboid(0.1, 0.2, 0.7),
            Shape::capsule(0.2, 0.5),
            Shape::Cylinder { radius: 0.2, half_length: 0.3 },
            Shape::Tube { radius: 0.2, thickness: 0.1, half_length: 0.3 },
            Shape::Funnel { lower_radius: 0.1, upper_radius: 0.3, half_height: 0.2, thickness: 0.1 },
            Shape::clump(balls).0,
        ];
        for shape in shapes {
            let ratio = shape.scaled(2.0).volume() / shape.volume();
            assert!((ratio - 8.0).abs() <= 8.0 * TOLERANCE, "{}: {ratio}", shape.name());
        }
    }
}

//! Shapes of another size, and the number of a kind of shape.

use crate::shape::Shape;

impl Shape {
    /// The same shape with every length multiplied by `factor`; unbounded walls have no length.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        match self {
            Self::Sphere { radius } => Self::Sphere { radius: radius * factor },
            Self::Box { half_extents } => Self::Box { half_extents: half_extents * factor },
            Self::HalfSpace => Self::HalfSpace,
        }
    }

    /// A number for the kind of shape, for formats that hold numbers only; it never changes.
    pub fn number(&self) -> u8 {
        match self {
            Self::Sphere { .. } => 0,
            Self::Box { .. } => 1,
            Self::HalfSpace => 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twice_the_size_is_eight_times_the_volume() {
        // A few roundings of a product of three lengths.
        const TOLERANCE: f64 = 1e-15;
        for shape in [Shape::sphere(0.3), Shape::cuboid(0.1, 0.2, 0.7)] {
            let ratio = shape.scaled(2.0).volume() / shape.volume();
            assert!((ratio - 8.0).abs() <= 8.0 * TOLERANCE, "{}: {ratio}", shape.name());
        }
    }
}

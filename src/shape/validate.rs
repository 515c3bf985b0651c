//! What can be wrong with a shape.

use crate::error::Fault;
use crate::math::Vec3;
use crate::shape::Shape;

impl Shape {
    /// Everything that is wrong with the shape, each fault named below `key` (such as `bodies[3].shape`).
    pub fn validate(&self, key: &str) -> Vec<Fault> {
        let mut faults = Vec::new();
        match self {
            Self::Sphere { radius } => length(key, "radius", *radius, &mut faults),
            Self::Box { half_extents } => edges(key, half_extents, &mut faults),
            Self::HalfSpace => {}
        }
        faults
    }
}

/// A length must be positive and finite.
fn length(key: &str, name: &str, value: f64, faults: &mut Vec<Fault>) {
    if !(value > 0.0 && value.is_finite()) {
        faults.push(Fault::new(
            format!("{key}.{name}"),
            format!("{name} is {value}"),
            "give a positive, finite length in m",
        ));
    }
}

fn edges(key: &str, half: &Vec3, faults: &mut Vec<Fault>) {
    for (axis, value) in ["x", "y", "z"].into_iter().zip(half.iter()) {
        if !(*value > 0.0 && value.is_finite()) {
            faults.push(Fault::new(
                format!("{key}.half-extents"),
                format!("half the edge along {axis} is {value}"),
                "give positive, finite lengths in m",
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lengths_are_named_with_their_value() {
        for radius in [0.0, -1.5, f64::NAN, f64::INFINITY] {
            let faults = Shape::sphere(radius).validate("bodies[3].shape");
            assert_eq!(faults.len(), 1, "{radius}");
            assert_eq!(faults[0].key, "bodies[3].shape.radius");
            assert!(faults[0].what.contains(&radius.to_string()), "{}", faults[0]);
        }
        assert_eq!(Shape::cuboid(1.0, -1.0, f64::NAN).validate("s").len(), 2);
        assert!(Shape::cuboid(1.0, 2.0, 3.0).validate("s").is_empty());
        assert!(Shape::HalfSpace.validate("s").is_empty());
    }
}

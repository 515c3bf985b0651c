//! What can be wrong with a shape.

use crate::error::Fault;
use crate::math::Vec3;
use crate::shape::Ball;
use crate::shape::Shape;
use crate::shape::union;

impl Shape {
    /// Everything that is wrong with the shape, each fault named below `key` (such as `bodies[3].shape`).
    pub fn validate(&self, key: &str) -> Vec<Fault> {
        let mut faults = Vec::new();
        match self {
            Self::Sphere { radius } => length(key, "radius", *radius, &mut faults),
            Self::Box { half_extents } => edges(key, half_extents, &mut faults),
            Self::Capsule { radius, half_length } => {
                length(key, "radius", *radius, &mut faults);
                length(key, "half-length", *half_length, &mut faults);
            }
            Self::Clump { balls } => clump(key, balls, &mut faults),
            Self::Cylinder { radius, half_length } => {
                length(key, "radius", *radius, &mut faults);
                length(key, "half-length", *half_length, &mut faults);
            }
            Self::Tube { radius, thickness, half_length } => {
                length(key, "radius", *radius, &mut faults);
                positive(key, "thickness", *thickness, &mut faults);
                positive(key, "half-length", *half_length, &mut faults);
            }
            Self::Funnel { lower_radius, upper_radius, half_height, thickness } => {
                funnel(key, *lower_radius, *upper_radius, &mut faults);
                length(key, "half-height", *half_height, &mut faults);
                length(key, "thickness", *thickness, &mut faults);
            }
            Self::HollowSphere { radius } => length(key, "radius", *radius, &mut faults),
            Self::HollowTorus { major_radius, minor_radius } => {
                length(key, "major-radius", *major_radius, &mut faults);
                length(key, "minor-radius", *minor_radius, &mut faults);
                if minor_radius > major_radius {
                    faults.push(Fault::new(
                        format!("{key}.minor-radius"),
                        format!("the tube of radius {minor_radius} overlaps itself around a circle of {major_radius}"),
                        "give a minor radius of at most the major one",
                    ));
                }
            }
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

/// A length that may be infinite.
fn positive(key: &str, name: &str, value: f64, faults: &mut Vec<Fault>) {
    if value.is_nan() || value <= 0.0 {
        faults.push(Fault::new(
            format!("{key}.{name}"),
            format!("{name} is {value}"),
            "give a positive length in m, or inf",
        ));
    }
}

fn funnel(key: &str, lower: f64, upper: f64, faults: &mut Vec<Fault>) {
    length(key, "upper-radius", upper, faults);
    if !(lower >= 0.0 && lower.is_finite()) {
        faults.push(Fault::new(
            format!("{key}.lower-radius"),
            format!("lower-radius is {lower}"),
            "give the radius of the outlet in m, zero for a closed tip",
        ));
    } else if lower > upper {
        faults.push(Fault::new(
            format!("{key}.lower-radius"),
            format!("the tip is at the wrong end: {lower} at the bottom is wider than {upper} at the top"),
            "exchange the radii, or turn the body to have the outlet on top",
        ));
    } else if lower >= upper {
        faults.push(Fault::new(
            format!("{key}.lower-radius"),
            format!("zero angle: both radii are {lower}"),
            "use a tube, or make the upper radius larger",
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

fn clump(key: &str, balls: &[Ball], faults: &mut Vec<Fault>) {
    if balls.is_empty() {
        faults.push(Fault::new(format!("{key}.balls"), "a clump without balls", "give at least one ball"));
        return;
    }
    let before = faults.len();
    for (i, ball) in balls.iter().enumerate() {
        length(&format!("{key}.balls[{i}]"), "radius", ball.radius, faults);
        if !ball.center.iter().all(|x| x.is_finite()) {
            let c = ball.center;
            let what = format!("centre ({}, {}, {})", c.x, c.y, c.z);
            faults.push(Fault::new(format!("{key}.balls[{i}].center"), what, "give a finite point in m"));
        }
    }
    if faults.len() > before {
        return;
    }
    // A part of the size: the integrals are good to far less.
    const OFF_CENTER: f64 = 1e-6;
    let center = union::measure(balls).center;
    let size = balls.iter().map(|ball| ball.center.norm() + ball.radius).fold(0.0, f64::max);
    if center.norm() > OFF_CENTER * size {
        faults.push(Fault::new(
            format!("{key}.balls"),
            format!("the centre of mass lies at ({}, {}, {})", center.x, center.y, center.z),
            "move the balls so that it is the origin (`Shape::clump` does)",
        ));
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
        assert_eq!(Shape::capsule(-1.0, 0.0).validate("s").len(), 2);
        let funnel = |lower_radius: f64, upper_radius: f64| {
            Shape::Funnel { lower_radius, upper_radius, half_height: 1.0, thickness: 0.1 }.validate("s")
        };
        assert!(funnel(0.0, 1.0).is_empty());
        assert!(funnel(2.0, 1.0)[0].what.contains("wrong end"));
        assert!(funnel(1.0, 1.0)[0].what.contains("zero angle"));
        assert!(funnel(-1.0, 1.0)[0].key == "s.lower-radius");
        assert_eq!(Shape::HollowTorus { major_radius: 1.0, minor_radius: 2.0 }.validate("s").len(), 1);
        let tube = |thickness: f64| Shape::Tube { radius: 1.0, thickness, half_length: f64::INFINITY };
        assert!(tube(f64::INFINITY).validate("s").is_empty());
        assert_eq!(tube(f64::NAN).validate("s").len(), 1);
    }

    #[test]
    fn a_clump_needs_balls_with_radii_around_its_centre_of_mass() {
        let ball = |x: f64, radius: f64| Ball { center: Vec3::new(x, 0.0, 0.0), radius };
        let faults = |balls: Vec<Ball>| Shape::Clump { balls }.validate("s");
        assert!(faults(vec![])[0].what.contains("without balls"));
        assert_eq!(faults(vec![ball(0.0, 1.0), ball(1.0, -1.0)])[0].key, "s.balls[1].radius");
        assert!(faults(vec![ball(0.0, 1.0), ball(1.0, 0.5)])[0].what.contains("centre of mass"));
        let (shape, center) = Shape::clump(vec![ball(0.0, 1.0), ball(1.0, 0.5)]);
        assert!(shape.validate("s").is_empty() && center.x > 0.0, "{center}");
    }
}

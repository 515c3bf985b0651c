//! The points by which a body spreads its volume over the cells of a grid.

use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::Shape;

/// Points across the box around a body, along each axis: some 250 in a ball, which puts the right share of it into
/// each of two cells to about 2 %.
const ACROSS: usize = 8;

/// Calls `at` with points evenly within the body, in the inertial frame; each stands for an equal part of it. The
/// number of points comes back; it is zero for a shape without an inside.
pub(super) fn points(shape: &Shape, position: &Vec3, orientation: &Quat, at: &mut dyn FnMut(Vec3)) -> usize {
    if shape.volume() == 0.0 || !shape.is_bounded() {
        return 0;
    }
    let bounds = shape.aabb(&Quat::identity());
    let step = (bounds.max - bounds.min) / ACROSS as f64;
    let mut count = 0;
    for i in 0..ACROSS {
        for j in 0..ACROSS {
            for k in 0..ACROSS {
                let lattice = Vec3::new(i as f64 + 0.5, j as f64 + 0.5, k as f64 + 0.5);
                let point = bounds.min + lattice.component_mul(&step);
                if inside(shape, &point) {
                    at(position + orientation.transform_vector(&point));
                    count += 1;
                }
            }
        }
    }
    count
}

/// Whether a point in the body frame is in the shape; false for walls.
fn inside(shape: &Shape, p: &Vec3) -> bool {
    let around = |r: f64| p.x * p.x + p.y * p.y <= r * r;
    match shape {
        Shape::Sphere { radius } => p.norm_squared() <= radius * radius,
        Shape::Box { half_extents } => (0..3).all(|k| p[k].abs() <= half_extents[k]),
        Shape::Capsule { radius, half_length } => {
            let nearest = Vec3::new(0.0, 0.0, p.z.clamp(-half_length, *half_length));
            (p - nearest).norm_squared() <= radius * radius
        }
        Shape::Cylinder { radius, half_length } => around(*radius) && p.z.abs() <= *half_length,
        Shape::Clump { balls } => {
            balls.iter().any(|ball| (p - ball.center).norm_squared() <= ball.radius * ball.radius)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_points_that_are_kept_is_the_share_of_the_volume() {
        // Cells at the surface count whole or not at all: in a lattice of 8 across up to 5 % of the box.
        const TOLERANCE: f64 = 0.06;
        for shape in [
            Shape::sphere(0.3),
            Shape::cuboid(1.0, 2.0, 0.5),
            Shape::capsule(0.2, 0.4),
            Shape::Cylinder { radius: 0.3, half_length: 0.4 },
        ] {
            let mut sum = Vec3::zeros();
            let count = points(&shape, &Vec3::new(1.0, 2.0, 3.0), &Quat::identity(), &mut |p| sum += p);
            let bounds = shape.aabb(&Quat::identity());
            let share = shape.volume() / (bounds.max - bounds.min).product();
            let seen = count as f64 / (ACROSS * ACROSS * ACROSS) as f64;
            assert!((seen - share).abs() < TOLERANCE, "{}: {seen} for {share}", shape.name());
            let mean = sum / count as f64;
            assert!((mean - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-12, "{}: centred at {mean}", shape.name());
        }
        assert_eq!(points(&Shape::HalfSpace, &Vec3::zeros(), &Quat::identity(), &mut |_| {}), 0);
    }
}

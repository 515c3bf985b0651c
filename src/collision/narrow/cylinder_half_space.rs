//! Cylinder and half-space: points of the two rims.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::math::Vec3;

/// Sine of the tilt up to which a cylinder counts as standing; beyond, a rim touches at its lowest point alone.
const STANDING: f64 = 0.2;
/// The lowest point of a rim is a contact of its own if it is lower than the fixed ones by this part of the radius.
const LOWER: f64 = 1e-4;

/// The lowest point of each rim (features 0 and 1 for −z and +z); and for a standing cylinder the four points of each
/// rim on the body's ±x and ±y axes (features 2 to 9), because the lowest point of a level rim is anywhere.
pub(crate) fn collide(radius: f64, half_length: f64, pose_a: &Pose, pose_b: &Pose, sink: &mut Sink<'_>) {
    let normal = pose_b.orientation * Vec3::z();
    let n = pose_a.orientation.inverse() * normal;
    let across = n.xy().norm();
    let standing = across < STANDING;
    let center = normal.dot(&(pose_a.position_w - pose_b.position_w));
    for (rim, side) in [-half_length, half_length].into_iter().enumerate() {
        let height = center + n.z * side;
        let mut push = |feature: usize, p: Vec3| {
            let gap = center + n.dot(&p);
            sink.push(feature as u32, pose_a.to_world(&p) - normal * (0.5 * gap), normal, gap);
        };
        let lowest_fixed = height - radius * n.x.abs().max(n.y.abs());
        if standing {
            for (k, (x, y)) in [(-radius, 0.0), (radius, 0.0), (0.0, -radius), (0.0, radius)].into_iter().enumerate() {
                push(2 + 4 * rim + k, Vec3::new(x, y, side));
            }
        }
        if !standing || height - radius * across < lowest_fixed - LOWER * radius {
            let out = -n.xy() * (radius / across);
            push(rim, Vec3::new(out.x, out.y, side));
        }
    }
}

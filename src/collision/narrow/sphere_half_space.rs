//! Sphere and half-space: one contact.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::math::Vec3;

/// ```text
/// n = R_b e_z,   h = n·(x_a − x_b),   ξ = h − r,   x̂ = x_a − (r + ξ/2) n
/// ```
#[inline]
pub(crate) fn collide(radius: f64, pose_a: &Pose, pose_b: &Pose, sink: &mut Sink<'_>) {
    let normal = pose_b.orientation * Vec3::z();
    let gap = normal.dot(&(pose_a.position_w - pose_b.position_w)) - radius;
    sink.push(0, pose_a.position_w - normal * (radius + 0.5 * gap), normal, gap);
}

//! Sphere and sphere: one contact.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::math::Vec3;

/// ```text
/// d = x_a − x_b,   n = d/‖d‖,   ξ = ‖d‖ − r_a − r_b,   x̂ = x_b + (r_b + ξ/2) n
/// ```
///
/// Where the centres coincide every direction is as good; n = +x then.
#[inline]
pub(crate) fn collide(ra: f64, pose_a: &Pose, rb: f64, pose_b: &Pose, sink: &mut Sink<'_>) {
    let d = pose_a.position_w - pose_b.position_w;
    let distance = d.norm();
    let normal = if distance > 0.0 { d / distance } else { Vec3::x() };
    let gap = distance - ra - rb;
    sink.push(0, pose_b.position_w + normal * (rb + 0.5 * gap), normal, gap);
}

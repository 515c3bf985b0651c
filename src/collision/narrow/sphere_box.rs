//! Sphere and box: one contact.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::math::Vec3;

/// In the frame of the box, with the sphere's centre at c and p the point of the box nearest to it:
///
/// ```text
/// c outside   n = (c − p)/‖c − p‖,                                  ξ = ‖c − p‖ − r
/// c inside    n = the outward normal of the nearest face,  p on it, ξ = −‖c − p‖ − r
/// x̂ = p + ξ/2 n
/// ```
///
/// Of several nearest faces it is the first along x, y, z, and the positive one where c lies on the middle plane.
pub(crate) fn collide(radius: f64, pose_a: &Pose, half: &Vec3, pose_b: &Pose, sink: &mut Sink<'_>) {
    let c = pose_b.to_body(&pose_a.position_w);
    let (p, n, distance) = nearest(&c, half);
    let gap = distance - radius;
    let point_b = p + n * (0.5 * gap);
    sink.push(0, pose_b.to_world(&point_b), pose_b.orientation * n, gap);
}

/// The point of the box's surface nearest to `c`, the outward direction there, and the signed distance of `c`
/// (negative inside); body frame.
#[inline]
pub(crate) fn nearest(c: &Vec3, half: &Vec3) -> (Vec3, Vec3, f64) {
    let p = c.sup(&-half).inf(half);
    let d = c - p;
    let distance = d.norm();
    if distance > 0.0 {
        return (p, d / distance, distance);
    }
    let mut axis = 0;
    for k in 1..3 {
        if half[k] - c[k].abs() < half[axis] - c[axis].abs() {
            axis = k;
        }
    }
    let sign = if c[axis] < 0.0 { -1.0 } else { 1.0 };
    let (mut p, mut n) = (*c, Vec3::zeros());
    p[axis] = sign * half[axis];
    n[axis] = sign;
    (p, n, -(half[axis] - c[axis].abs()))
}

//! Box and half-space: the corners of the box.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::math::Vec3;

/// ```text
/// n = R_b e_z;  each corner p:   ξ = n·(p − x_b),   x̂ = p − ξ/2 n,   feature = number of the corner
/// ```
///
/// Corner i has the signs of the bits of i (bit 0 is x; 1 is +). The corners within the margin carry a face, an edge
/// or a corner at rest.
pub(crate) fn collide(half: &Vec3, pose_a: &Pose, pose_b: &Pose, sink: &mut Sink<'_>) {
    let normal = pose_b.orientation * Vec3::z();
    for i in 0..8 {
        let point = pose_a.to_world(&corner(half, i));
        let gap = normal.dot(&(point - pose_b.position_w));
        sink.push(i, point - normal * (0.5 * gap), normal, gap);
    }
}

/// Corner `i` of a box in its body frame.
#[inline]
pub(crate) fn corner(half: &Vec3, i: u32) -> Vec3 {
    let sign = |bit: u32| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
    Vec3::new(sign(0) * half.x, sign(1) * half.y, sign(2) * half.z)
}

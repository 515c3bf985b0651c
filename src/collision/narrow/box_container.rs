//! Box in a container with a convex inside: the corners of the box.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::box_half_space::corner;
use crate::collision::narrow::surface;
use crate::math::Vec3;
use crate::shape::Shape;

/// Inside a convex container the distance from the wall is concave, so over the box it is least at a corner.
pub(crate) fn collide(half: &Vec3, pose_a: &Pose, container: &Shape, pose_b: &Pose, sink: &mut Sink<'_>) {
    for i in 0..8 {
        surface::ball(i, &pose_a.to_world(&corner(half, i)), 0.0, container, pose_b, sink);
    }
}

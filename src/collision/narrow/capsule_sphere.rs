//! Capsule and sphere: one contact.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::sphere_sphere;
use crate::math::Vec3;

/// The contact of the sphere with the ball around the point of the capsule's segment that is nearest to its centre.
#[inline]
pub(crate) fn collide(
    (radius_a, half_length): (f64, f64),
    pose_a: &Pose,
    radius_b: f64,
    pose_b: &Pose,
    sink: &mut Sink<'_>,
) {
    let z = pose_a.to_body(&pose_b.position_w).z.clamp(-half_length, half_length);
    let center = pose_a.to_world(&Vec3::new(0.0, 0.0, z));
    sphere_sphere::contact(radius_a, &center, radius_b, &pose_b.position_w, sink);
}

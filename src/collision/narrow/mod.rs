//! Contacts of one pair of shapes: one file a pair.
//!
//! Each pair is written for one order of its two shapes; [`collide`] turns normals where the bodies come the other
//! way round.

mod box_box;
mod box_half_space;
mod face_clip;
mod segments;
mod sink;
mod sphere_box;
mod sphere_half_space;
mod sphere_sphere;

pub use sink::Pose;
pub use sink::Sink;

use crate::collision::Contact;
use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::Shape;

/// Hands all contacts of the pair with a gap below the sink's margin to `sink`; false if no routine knows the pair.
pub fn collide(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, sink: &mut Sink<'_>) -> bool {
    match (a, b) {
        (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) => {
            sphere_sphere::collide(*ra, pose_a, *rb, pose_b, sink);
        }
        (Shape::Sphere { radius }, Shape::HalfSpace) => sphere_half_space::collide(*radius, pose_a, pose_b, sink),
        (Shape::Sphere { radius }, Shape::Box { half_extents }) => {
            sphere_box::collide(*radius, pose_a, half_extents, pose_b, sink);
        }
        (Shape::Box { half_extents }, Shape::HalfSpace) => {
            box_half_space::collide(half_extents, pose_a, pose_b, sink);
        }
        (Shape::Box { half_extents: half_a }, Shape::Box { half_extents: half_b }) => {
            box_box::collide(half_a, pose_a, half_b, pose_b, sink);
        }
        (Shape::HalfSpace, Shape::Sphere { .. } | Shape::Box { .. }) | (Shape::Box { .. }, Shape::Sphere { .. }) => {
            return collide(b, pose_b, a, pose_a, &mut sink.turned());
        }
        _ => return false,
    }
    true
}

/// Whether the narrow phase knows the pair of shapes. A scene with a pair that it does not know must be refused.
pub fn supported(a: &Shape, b: &Shape) -> bool {
    // The dispatch itself is asked, so the answer cannot differ from what detection does.
    let mut contacts: Vec<Contact> = Vec::new();
    let pose = Pose { position_w: Vec3::zeros(), orientation: Quat::identity() };
    collide(a, &pose, b, &pose, &mut Sink::new(&mut contacts, 0, 1, 0.0))
}

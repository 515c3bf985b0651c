//! Contacts of one pair of shapes: one file a pair.
//!
//! Each pair is written for one order of its two shapes; [`collide`] turns normals where the bodies come the other
//! way round.

mod box_box;
mod box_container;
mod box_half_space;
mod capsule_capsule;
mod capsule_sphere;
mod capsule_surface;
mod clump;
mod cylinder_half_space;
mod face_clip;
mod profile;
mod segments;
mod sink;
mod sphere_box;
mod sphere_half_space;
pub(crate) mod sphere_sphere;
pub(crate) mod surface;

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
            sphere_sphere::contact(*ra, &pose_a.position_w, *rb, &pose_b.position_w, sink);
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
        (Shape::Capsule { radius, half_length }, Shape::Sphere { radius: radius_b }) => {
            capsule_sphere::collide((*radius, *half_length), pose_a, *radius_b, pose_b, sink);
        }
        (Shape::Capsule { radius: ra, half_length: ha }, Shape::Capsule { radius: rb, half_length: hb }) => {
            capsule_capsule::collide((*ra, *ha), pose_a, (*rb, *hb), pose_b, sink);
        }
        (Shape::Cylinder { radius, half_length }, Shape::HalfSpace) => {
            cylinder_half_space::collide(*radius, *half_length, pose_a, pose_b, sink);
        }
        (Shape::Clump { balls }, _) => return clump::collide_balls(balls, pose_a, b, pose_b, sink),
        // Known the other way round. Nothing below has a sphere, capsule or clump as b.
        (_, Shape::Sphere { .. } | Shape::Capsule { .. } | Shape::Clump { .. })
        | (Shape::HalfSpace, Shape::Box { .. } | Shape::Cylinder { .. }) => {
            return collide(b, pose_b, a, pose_a, &mut sink.turned());
        }
        (Shape::Sphere { radius }, _) => surface::ball(0, &pose_a.position_w, *radius, b, pose_b, sink),
        (Shape::Capsule { radius, half_length }, _) => {
            capsule_surface::collide((*radius, *half_length), pose_a, b, pose_b, sink);
        }
        (Shape::Box { half_extents }, _) if is_convex_container(b) => {
            box_container::collide(half_extents, pose_a, b, pose_b, sink);
        }
        (_, Shape::Box { .. }) if is_convex_container(a) => {
            return collide(b, pose_b, a, pose_a, &mut sink.turned());
        }
        _ => return false,
    }
    true
}

/// Whether the shape is a container whose inside is convex: then the corners of a box are all that can touch it.
fn is_convex_container(shape: &Shape) -> bool {
    match shape {
        Shape::Tube { half_length, .. } => half_length.is_infinite(),
        Shape::HollowSphere { .. } => true,
        _ => false,
    }
}

/// Whether the narrow phase knows the pair of shapes. A scene with a pair that it does not know must be refused.
pub fn supported(a: &Shape, b: &Shape) -> bool {
    // The dispatch itself is asked, so the answer cannot differ from what detection does.
    let mut contacts: Vec<Contact> = Vec::new();
    let pose = Pose { position_w: Vec3::zeros(), orientation: Quat::identity() };
    collide(a, &pose, b, &pose, &mut Sink::new(&mut contacts, 0, 1, 0.0))
}

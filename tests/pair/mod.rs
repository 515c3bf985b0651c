//! What the tests of single pairs share.

use maxdiss::collision::Contact;
use maxdiss::collision::narrow::Pose;
use maxdiss::collision::narrow::Sink;
use maxdiss::collision::narrow::collide;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Shape;

/// Coordinates of order one, a few dozen operations.
pub(crate) const ROUND_OFF: f64 = 1e-13;

#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) shape: Shape,
    pub(crate) pose: Pose,
}

pub(crate) fn placed(shape: Shape, position: Vec3, orientation: Quat) -> Placed {
    Placed { shape, pose: Pose { position_w: position, orientation } }
}

pub(crate) fn contacts(a: &Placed, b: &Placed, margin: f64) -> Vec<Contact> {
    let mut contacts = Vec::new();
    assert!(collide(&a.shape, &a.pose, &b.shape, &b.pose, &mut Sink::new(&mut contacts, 0, 1, margin)));
    contacts.sort_by_key(|contact| contact.feature);
    contacts
}

/// The same thing moved as a whole.
fn moved(thing: &Placed, q: &Quat, shift: &Vec3) -> Placed {
    placed(thing.shape.clone(), q * thing.pose.position_w + shift, q * thing.pose.orientation)
}

/// A motion in general position.
fn some_motion() -> (Quat, Vec3) {
    (Quat::from_euler_angles(0.7, -0.4, 2.1), Vec3::new(0.3, -1.2, 0.8))
}

/// What is expected of a contact in the unmoved scene: point, normal, gap.
pub(crate) type Expected = ([f64; 3], [f64; 3], f64);

/// Checks the contacts of (a, b) in the scene as given, moved as a whole, and with the bodies exchanged.
pub(crate) fn assert_contacts(a: &Placed, b: &Placed, margin: f64, expected: &[Expected]) {
    let (q, shift) = some_motion();
    for (q, shift) in [(Quat::identity(), Vec3::zeros()), (q, shift)] {
        for exchanged in [false, true] {
            let (first, second) = (moved(a, &q, &shift), moved(b, &q, &shift));
            let sign = if exchanged { -1.0 } else { 1.0 };
            let found = if exchanged { contacts(&second, &first, margin) } else { contacts(&first, &second, margin) };
            assert_eq!(found.len(), expected.len(), "exchanged: {exchanged}: {found:#?}");
            for (point, normal, gap) in expected {
                let (point, normal) = (q * Vec3::from(*point) + shift, q * Vec3::from(*normal) * sign);
                let there = found.iter().any(|contact| {
                    (contact.point_w - point).norm() < ROUND_OFF
                        && (contact.normal_w - normal).norm() < ROUND_OFF
                        && (contact.gap - gap).abs() < ROUND_OFF
                });
                assert!(there, "exchanged: {exchanged}: no contact {point} {normal} {gap} in {found:#?}");
            }
            let mut features: Vec<_> = found.iter().map(|contact| contact.feature).collect();
            features.dedup();
            assert_eq!(features.len(), found.len(), "features are told apart");
        }
    }
}

/// The point of a solid nearest to `x`: what the references below know of a shape.
fn projected(thing: &Placed, x: &Vec3) -> Vec3 {
    let c = thing.pose.orientation.inverse() * (x - thing.pose.position_w);
    let p = match &thing.shape {
        Shape::Sphere { radius } => c * (radius / c.norm()).min(1.0),
        Shape::Box { half_extents } => Vec3::from_fn(|k, _| c[k].clamp(-half_extents[k], half_extents[k])),
        Shape::HalfSpace => Vec3::new(c.x, c.y, c.z.min(0.0)),
        Shape::Capsule { radius, half_length } => {
            let axis = Vec3::new(0.0, 0.0, c.z.clamp(-half_length, *half_length));
            axis + (c - axis) * (radius / (c - axis).norm()).min(1.0)
        }
        Shape::Cylinder { radius, half_length } => {
            let xy = c.xy() * (radius / c.xy().norm()).min(1.0);
            Vec3::new(xy.x, xy.y, c.z.clamp(-half_length, *half_length))
        }
        other => panic!("{} is not convex", other.name()),
    };
    thing.pose.orientation * p + thing.pose.position_w
}

/// Distance of two convex solids by projected gradients with momentum (Nesterov), restarted where it overshoots; zero
/// if they overlap.
pub(crate) fn iterated_distance(a: &Placed, b: &Placed) -> f64 {
    let (mut x, mut y) = (a.pose.position_w, b.pose.position_w);
    let (mut u, mut v) = (x, y);
    let (mut distance, mut momentum) = (f64::INFINITY, 1.0_f64);
    for _ in 0..5000 {
        let middle = (u + v) * 0.5;
        let (next_x, next_y) = (projected(a, &middle), projected(b, &middle));
        let next = (next_x - next_y).norm();
        let grown = if next > distance { 1.0 } else { 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt()) };
        let share = if next > distance { 0.0 } else { (momentum - 1.0) / grown };
        (u, v) = (next_x + (next_x - x) * share, next_y + (next_y - y) * share);
        (x, y, momentum) = (next_x, next_y, grown);
        if (next - distance).abs() <= 0.0 {
            break;
        }
        distance = next;
    }
    distance
}

/// Every contact must lie midway between a point of each body's surface, along its normal.
pub(crate) fn assert_on_surfaces(a: &Placed, b: &Placed, found: &[Contact], tolerance: f64) {
    for contact in found {
        assert!((contact.normal_w.norm() - 1.0).abs() < ROUND_OFF);
        for (thing, side) in [(a, 0.5), (b, -0.5)] {
            let p = contact.point_w + contact.normal_w * (side * contact.gap);
            let off = (projected(thing, &p) - p).norm();
            assert!(off < tolerance, "{contact:?} is {off} off {thing:?}");
            // And not below the surface: a step outwards leaves the body.
            let out = p - contact.normal_w * (2.0 * side * 1e-4);
            let left = (projected(thing, &out) - out).norm();
            assert!(left > 1e-6, "{contact:?}: a point within {thing:?}");
        }
    }
}

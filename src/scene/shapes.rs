//! The shapes as a scene file writes them.

use crate::math::Quat;
use crate::math::Vec3;
use crate::scene::fields::Fields;
use crate::scene::fields::Rule;
use crate::shape::Shape;

/// Reads `shape = { kind = …, … }`, which has to be there; also the turn that takes the shape's own axes to those the
/// file asks for (`normal` of a half-space).
///
/// ```text
/// { kind = "sphere", radius = r }          r in m
/// { kind = "box", size = [x, y, z] }       whole edges in m
/// { kind = "half-space", normal = [x, y, z] }     outward normal, default +z; the position is a point of the plane
/// ```
pub(super) fn read(fields: &Fields<'_, '_>) -> (Shape, Quat) {
    const KINDS: [&str; 3] = ["sphere", "box", "half-space"];
    let neutral = (Shape::sphere(1.0), Quat::identity());
    let Some(table) = fields.table("shape") else {
        if !fields.has("shape") {
            fields.fault("shape", "missing", "give a table such as { kind = \"sphere\", radius = 0.1 }");
        }
        return neutral;
    };
    let read = match table.kind(&KINDS) {
        Some(0) => (Shape::sphere(table.need_number("radius", Rule::Positive, "the radius in m")), Quat::identity()),
        Some(1) => {
            let size = table.vector("size", Rule::Positive).unwrap_or_else(|| {
                if !table.has("size") {
                    table.fault("size", "missing", "give the three edge lengths in m");
                }
                Vec3::repeat(1.0)
            });
            (Shape::cuboid(size.x, size.y, size.z), Quat::identity())
        }
        Some(_) => (Shape::HalfSpace, from_z_to(&table.direction("normal").unwrap_or_else(Vec3::z))),
        None => return neutral,
    };
    table.finish();
    read
}

/// The smallest rotation that takes +z to the unit vector `to`; half a turn about x for −z.
fn from_z_to(to: &Vec3) -> Quat {
    Quat::rotation_between(&Vec3::z(), to)
        .unwrap_or_else(|| Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI))
}

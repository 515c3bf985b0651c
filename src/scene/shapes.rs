//! The shapes as a scene file writes them.

use crate::math::Quat;
use crate::math::Vec3;
use crate::scene::fields::Fields;
use crate::scene::fields::Rule;
use crate::shape::Ball;
use crate::shape::Shape;

/// Reads `shape = { kind = …, … }`, which has to be there; also the turn that takes the shape's own axes to those the
/// file asks for (`normal` of a half-space, `axis` of a round shape).
///
/// ```text
/// { kind = "sphere", radius = r }                 lengths in m
/// { kind = "box", size = [x, y, z] }              whole edges
/// { kind = "capsule", radius = r, length = l }    l between the centres of the caps
/// { kind = "cylinder", radius = r, length = l }   solid
/// { kind = "clump", balls = [{ center = [x, y, z], radius = r }, …] }    the position is the centre of mass
/// { kind = "half-space", normal = [x, y, z] }     outward normal, default +z; the position is a point of the plane
/// { kind = "tube", radius = r, length = l, thickness = t }   open pipe of inner radius r; without length or
///                                                 thickness it has no end
/// { kind = "funnel", lower-radius = r, upper-radius = R, height = h, thickness = t }   inner radii
/// { kind = "hollow-sphere", radius = r }          a wall around its inside, as is
/// { kind = "hollow-torus", major-radius = R, minor-radius = r }
/// ```
///
/// Round shapes take `axis = [x, y, z]`, default +z. The position is the middle.
pub(super) fn read(fields: &Fields<'_, '_>) -> (Shape, Quat) {
    let neutral = (Shape::sphere(1.0), Quat::identity());
    let Some(table) = fields.table("shape") else {
        if !fields.has("shape") {
            fields.fault("shape", "missing", "give a table such as { kind = \"sphere\", radius = 0.1 }");
        }
        return neutral;
    };
    let Some(kind) = table.kind(&KINDS) else { return neutral };
    let need = |key, what| table.need_number(key, Rule::Positive, what);
    let endless = |key| table.number(key, Rule::Positive).unwrap_or(f64::INFINITY);
    let axis = || from_z_to(&table.direction("axis").unwrap_or_else(Vec3::z));
    let upright = Quat::identity();
    let read = match KINDS[kind] {
        "sphere" => (Shape::sphere(need("radius", "the radius in m")), upright),
        "box" => (cuboid(&table), upright),
        "capsule" => {
            let radius = need("radius", "the radius in m");
            (Shape::capsule(radius, need("length", "the distance of the centres of the caps in m")), axis())
        }
        "cylinder" => {
            let radius = need("radius", "the radius in m");
            (Shape::Cylinder { radius, half_length: 0.5 * need("length", "the length in m") }, axis())
        }
        "clump" => (clump(&table), upright),
        "half-space" => (Shape::HalfSpace, from_z_to(&table.direction("normal").unwrap_or_else(Vec3::z))),
        "tube" => {
            let radius = need("radius", "the inner radius in m");
            (Shape::Tube { radius, thickness: endless("thickness"), half_length: 0.5 * endless("length") }, axis())
        }
        "funnel" => {
            let funnel = Shape::Funnel {
                lower_radius: table.need_number("lower-radius", Rule::NotNegative, "the radius of the outlet in m"),
                upper_radius: need("upper-radius", "the inner radius at the top in m"),
                half_height: 0.5 * need("height", "the height in m"),
                thickness: need("thickness", "the thickness of the wall in m"),
            };
            (funnel, axis())
        }
        "hollow-sphere" => (Shape::HollowSphere { radius: need("radius", "the radius in m") }, upright),
        _ => {
            let major_radius = need("major-radius", "the radius of the ring in m");
            (
                Shape::HollowTorus { major_radius, minor_radius: need("minor-radius", "the radius of the tube in m") },
                axis(),
            )
        }
    };
    table.finish();
    validate(fields, &read.0);
    read
}

/// Notes what is wrong with a shape of which each number alone is right.
fn validate(fields: &Fields<'_, '_>, shape: &Shape) {
    // A number that could not be read is not a number here; that was told.
    let read = match shape {
        Shape::Funnel { lower_radius, upper_radius, half_height, thickness } => {
            *lower_radius >= 0.0 && [upper_radius, half_height, thickness].into_iter().all(|length| *length > 0.0)
        }
        Shape::HollowTorus { major_radius, minor_radius } => *major_radius > 0.0 && *minor_radius > 0.0,
        _ => false,
    };
    for fault in shape.validate("").into_iter().filter(|_| read) {
        fields.fault("shape", fault.what, fault.remedy);
    }
}

/// The kinds of shapes, as scene files name them.
const KINDS: [&str; 10] =
    ["sphere", "box", "capsule", "cylinder", "clump", "half-space", "tube", "funnel", "hollow-sphere", "hollow-torus"];

fn cuboid(table: &Fields<'_, '_>) -> Shape {
    let size = table.vector("size", Rule::Positive).unwrap_or_else(|| {
        if !table.has("size") {
            table.fault("size", "missing", "give the three edge lengths in m");
        }
        Vec3::repeat(1.0)
    });
    Shape::cuboid(size.x, size.y, size.z)
}

fn clump(table: &Fields<'_, '_>) -> Shape {
    let balls: Vec<Ball> = table
        .tables("balls")
        .into_iter()
        .map(|fields| {
            let ball = Ball {
                center: fields.vector("center", Rule::Finite).unwrap_or_else(Vec3::zeros),
                radius: fields.need_number("radius", Rule::Positive, "the radius in m"),
            };
            fields.finish();
            ball
        })
        .collect();
    if balls.is_empty() {
        table.fault("balls", "a clump without balls", "give balls = [{ center = [0, 0, 0], radius = 0.1 }, …]");
    }
    // A ball with a fault has no radius to integrate over.
    if balls.iter().all(|ball| ball.radius > 0.0) { Shape::clump(balls).0 } else { Shape::Clump { balls } }
}

/// The smallest rotation that takes +z to the unit vector `to`; half a turn about x for −z.
fn from_z_to(to: &Vec3) -> Quat {
    Quat::rotation_between(&Vec3::z(), to)
        .unwrap_or_else(|| Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI))
}

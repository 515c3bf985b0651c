//! Signed distance of a point from a solid, and the contact of a ball that follows from it alone.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::profile;
use crate::collision::narrow::sphere_box;
use crate::math::Vec2;
use crate::math::Vec3;
use crate::shape::Shape;

/// Signed distance of the point `x` from the solid (negative inside) and the outward unit normal there, which is the
/// gradient of the distance; in the solid's body frame.
///
/// ```text
/// half-space                z
/// box, cylinder, tube, …    distance from the nearest point; inside, from the nearest face
/// hollow sphere             R − ‖x‖
/// hollow torus              r − ‖(ρ − R, z)‖,   ρ = √(x² + y²)
/// ```
#[inline]
pub(crate) fn distance(shape: &Shape, x: &Vec3) -> (f64, Vec3) {
    match shape {
        Shape::HalfSpace => (x.z, Vec3::z()),
        Shape::Sphere { radius } => from_point(x, *radius),
        Shape::Box { half_extents } => {
            let (_, normal, distance) = sphere_box::nearest(x, half_extents);
            (distance, normal)
        }
        Shape::Capsule { radius, half_length } => {
            from_point(&(x - Vec3::z() * x.z.clamp(-half_length, *half_length)), *radius)
        }
        Shape::Clump { balls } => {
            let mut nearest = (f64::INFINITY, Vec3::x());
            for ball in balls {
                let own = from_point(&(x - ball.center), ball.radius);
                if own.0 < nearest.0 {
                    nearest = own;
                }
            }
            nearest
        }
        Shape::Cylinder { radius, half_length } => turned(x, |p| profile::rectangle(p, 0.0, *radius, *half_length)),
        Shape::Tube { radius, thickness, half_length } => {
            turned(x, |p| profile::rectangle(p, *radius, radius + thickness, *half_length))
        }
        Shape::Funnel { lower_radius: r0, upper_radius: r1, half_height: h, thickness: t } => {
            let corners = [Vec2::new(*r0, -h), Vec2::new(r0 + t, -h), Vec2::new(r1 + t, *h), Vec2::new(*r1, *h)];
            turned(x, |p| profile::polygon(p, &corners))
        }
        Shape::HollowSphere { radius } => {
            let (distance, normal) = from_point(x, *radius);
            (-distance, -normal)
        }
        Shape::HollowTorus { major_radius, minor_radius } => turned(x, |p| {
            let d = p - Vec2::new(*major_radius, 0.0);
            let distance = d.norm();
            let normal = if distance > 0.0 { -d / distance } else { Vec2::y() };
            (minor_radius - distance, normal)
        }),
    }
}

/// Distance from a ball around the origin; at its centre +x stands for the normal.
#[inline]
fn from_point(x: &Vec3, radius: f64) -> (f64, Vec3) {
    let distance = x.norm();
    (distance - radius, if distance > 0.0 { x / distance } else { Vec3::x() })
}

/// Distance from a solid of revolution around z, by its `profile` in (ρ, z); on the axis +x stands for the direction
/// of ρ.
#[inline]
fn turned(x: &Vec3, profile: impl Fn(&Vec2) -> (f64, Vec2)) -> (f64, Vec3) {
    let rho = x.x.hypot(x.y);
    let (distance, n) = profile(&Vec2::new(rho, x.z));
    let (cos, sin) = if rho > 0.0 { (x.x / rho, x.y / rho) } else { (1.0, 0.0) };
    (distance, Vec3::new(n.x * cos, n.x * sin, n.y))
}

/// Contact of a ball around `center_w` with the solid.
///
/// ```text
/// ξ = d(x) − r,   x̂ = x − (r + d)/2 n
/// ```
#[inline]
pub(crate) fn ball(feature: u32, center_w: &Vec3, radius: f64, solid: &Shape, pose: &Pose, sink: &mut Sink<'_>) {
    let (distance, normal) = distance(solid, &pose.to_body(center_w));
    let normal = pose.orientation * normal;
    sink.push(feature, center_w - normal * (0.5 * (radius + distance)), normal, distance - radius);
}

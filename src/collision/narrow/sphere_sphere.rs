//! Sphere and sphere: one contact.

use crate::collision::narrow::Sink;
use crate::math::Vec3;

/// ```text
/// d = x_a − x_b,   n = d/‖d‖,   ξ = ‖d‖ − r_a − r_b,   x̂ = x_b + (r_b + ξ/2) n
/// ```
///
/// Where the centres coincide every direction is as good; n = +x then.
#[inline]
pub(crate) fn contact(ra: f64, x_a: &Vec3, rb: f64, x_b: &Vec3, sink: &mut Sink<'_>) {
    let d = x_a - x_b;
    let distance = d.norm();
    let normal = if distance > 0.0 { d / distance } else { Vec3::x() };
    let gap = distance - ra - rb;
    sink.push(0, x_b + normal * (rb + 0.5 * gap), normal, gap);
}

//! Contact of two spheres, or of a sphere inside a hollow sphere.
//!
//! ```text
//! h₁ = +1, hollow sphere 1: −1
//! g  = h₁ L − (r₀ + h₁ r₁),   L = ‖p₁ − p₀‖,   n = h₁ (p₁ − p₀)/L          coincident centres: no force
//! c  = p₀ + (r₀ + g/2) n      arms (r₀ + g/2) n and −(h₁ r₁ + g/2) n
//! δv = v₁ − v₀, and with friction + ω₁ × arm₁ − ω₀ × arm₀
//! ```
//!
//! The force law is [`crate::law::penalty`], on marker 1 (body a), with n from marker 0 to the contact point.

use crate::math::Vec3;
use crate::penalty::attachment::Frame;

/// Geometry and relative motion of a contact of two frames.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kinematics {
    /// Gap in m.
    pub(crate) gap: f64,
    /// Normal from marker 0 to the contact point; zero where it is undefined, and there is no force then.
    pub(crate) normal_w: Vec3,
    /// From the two markers to the contact point, in m.
    pub(crate) arms_w: [Vec3; 2],
    /// Velocity of marker 1's side relative to marker 0's, in m/s.
    pub(crate) dv_w: Vec3,
}

/// Gap and unit normal for the centres `p0`, `p1`; `h1` is −1 for a hollow sphere 1.
#[inline]
pub(crate) fn gap_and_normal(p0: &Vec3, p1: &Vec3, [r0, r1]: [f64; 2], h1: f64) -> (f64, Vec3) {
    let between = p1 - p0;
    let distance = between.norm();
    let normal = if distance > 0.0 { between * (h1 / distance) } else { Vec3::zeros() };
    (h1 * distance - (r0 + h1 * r1), normal)
}

/// The contact of two spheres; `rotating` adds the rotations to the relative velocity.
#[inline]
pub(crate) fn kinematics(f0: &Frame, f1: &Frame, radii: [f64; 2], h1: f64, rotating: bool) -> Kinematics {
    let (gap, normal_w) = gap_and_normal(&f0.x_w, &f1.x_w, radii, h1);
    let arms_w = [normal_w * (radii[0] + 0.5 * gap), normal_w * -(h1 * radii[1] + 0.5 * gap)];
    let mut dv_w = f1.v_w - f0.v_w;
    if rotating {
        dv_w += f1.w_w.cross(&arms_w[1]) - f0.w_w.cross(&arms_w[0]);
    }
    Kinematics { gap, normal_w, arms_w, dv_w }
}

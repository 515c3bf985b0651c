//! Contact of a sphere (marker 0) inside the tube of a torus (marker 1), as of a ball in the groove of a bearing ring.
//!
//! ```text
//! a   = A₁ torus_axis
//! q   = (p₀ − p₁) − a (a·(p₀ − p₁))            a centre on the axis is a fault
//! p_c = p₁ + r_M q/‖q‖
//! g   = r_m − r_S − ‖p₀ − p_c‖,   n = (p₀ − p_c)/‖p₀ − p_c‖
//! c   = p₀ + (r_S + g/2) n        arms (r_S + g/2) n and c − p₁
//! δv  = v₁ + ω₁ × arm₁ − v₀ − ω₀ × arm₀
//! ```
//!
//! The normal force turns the torus: T₁ = arm₁ × F₁ also without friction.

use crate::math::Vec3;
use crate::penalty::attachment::Frame;
use crate::penalty::sphere_sphere::Kinematics;

/// The contact for the torus axis `axis_w`, with the direction q/‖q‖; none where the sphere's centre is on the axis.
pub(crate) fn kinematics(f0: &Frame, f1: &Frame, axis_w: &Vec3, item: &Tube) -> Option<(Kinematics, Vec3)> {
    let from_centre = f0.x_w - f1.x_w;
    let radial = from_centre - axis_w * axis_w.dot(&from_centre);
    let distance = radial.norm();
    // Round-off of the projection: below it the direction is noise.
    if distance <= 1e-14 * (from_centre.norm() + item.major_radius) {
        return None;
    }
    let radial = radial / distance;
    let off = from_centre - radial * item.major_radius;
    let offset = off.norm();
    let normal_w = if offset > 0.0 { off / offset } else { Vec3::zeros() };
    let gap = item.minor_radius - item.sphere_radius - offset;
    let arm0 = normal_w * (item.sphere_radius + 0.5 * gap);
    let arm1 = from_centre + arm0;
    let dv_w = f1.v_w + f1.w_w.cross(&arm1) - f0.v_w - f0.w_w.cross(&arm0);
    Some((Kinematics { gap, normal_w, arms_w: [arm0, arm1], dv_w }, radial))
}

/// The lengths of a sphere in a torus, in m.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tube {
    pub(crate) sphere_radius: f64,
    pub(crate) major_radius: f64,
    pub(crate) minor_radius: f64,
}

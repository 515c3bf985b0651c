//! Rotation by a constant angular velocity.

use crate::math::Quat;
use crate::math::Vec3;
use nalgebra::Quaternion;

/// The orientation after turning `q` for `dt` seconds at the angular velocity `w` (inertial frame, in rad/s).
///
/// ```text
/// q⁺ = exp(δt ω / 2) q,   exp(v) = (cos‖v‖, sin‖v‖ v/‖v‖)
/// ```
///
/// renormalised, so the norm stays 1 to round-off over any number of steps.
#[inline]
pub fn turned(q: &Quat, w: &Vec3, dt: f64) -> Quat {
    let half = w * (0.5 * dt);
    let angle = half.norm();
    // sin(x)/x to round-off: below this the next term x⁴/120 is less than ε/2.
    let sinc = if angle < 1e-4 { 1.0 - angle * angle / 6.0 } else { angle.sin() / angle };
    let v = half * sinc;
    Quat::new_normalize(Quaternion::new(angle.cos(), v.x, v.y, v.z) * q.quaternion())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_turn_in_a_thousand_steps_comes_back() {
        let w = Vec3::new(0.3, -1.2, 0.7);
        let dt = std::f64::consts::TAU / w.norm() / 1000.0;
        let start = Quat::from_euler_angles(0.1, 0.2, 0.3);
        let mut q = start;
        for _ in 0..1000 {
            q = turned(&q, &w, dt);
        }
        // 1000 steps, each off by a few ε.
        let angle = q.angle_to(&start);
        assert!(angle < 1e-12, "off by {angle} rad");
        assert!((q.quaternion().norm() - 1.0).abs() <= 2.0 * f64::EPSILON);
    }

    #[test]
    fn small_and_large_angles_meet_without_a_step() {
        let w = Vec3::new(1.0, 0.0, 0.0);
        for half in [0.999_999e-4, 1.000_001e-4] {
            let q = turned(&Quat::identity(), &w, 2.0 * half);
            let expected: f64 = half.sin();
            assert!((q.i - expected).abs() <= f64::EPSILON * expected, "{} for {expected}", q.i);
        }
    }
}

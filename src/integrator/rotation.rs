//! Rotation vectors: the inverse of the differential of the exponential map.
//!
//! An orientation that starts at q₀ and moves by the rotation vector θ (inertial frame, in rad) is q = exp(θ) q₀. Its
//! angular velocity ω and the rate of θ are tied by
//!
//! ```text
//! θ̇ = dexp⁻¹(θ) ω = ω − ½ θ × ω + κ θ × (θ × ω),   κ = (1 − (‖θ‖/2) cot(‖θ‖/2))/‖θ‖²
//! ```
//!
//! [Iserles et al. 2000]. Integrating θ from zero within a step and applying the exponential at its end keeps the norm
//! of the quaternion and the order of the method.

use crate::math::Vec3;

/// dexp⁻¹(θ) ω in rad/s, for a rotation vector `theta` (rad) shorter than 2π and `w` (rad/s), both in the inertial
/// frame.
#[inline]
pub fn rate_of_rotation_vector(theta: &Vec3, w: &Vec3) -> Vec3 {
    let squared = theta.norm_squared();
    // The next term of the series is θ⁴/30240, below ε of 1/12 here.
    let kappa = if squared < 1e-6 {
        1.0 / 12.0 + squared / 720.0
    } else {
        let half = 0.5 * squared.sqrt();
        (1.0 - half / half.tan()) / squared
    };
    let cross = theta.cross(w);
    w - 0.5 * cross + kappa * theta.cross(&cross)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;
    use crate::math::quaternion::turned;

    #[test]
    fn the_rate_of_the_rotation_vector_turns_the_orientation_at_the_angular_velocity() {
        // Central differences with ε = 1e-5: truncation 1e-10, round-off 1e-11.
        const TOLERANCE: f64 = 1e-9;
        let w = Vec3::new(0.7, -0.4, 1.1);
        let moved = |theta: &Vec3| turned(&Quat::identity(), theta, 1.0);
        for theta in [Vec3::new(0.5e-3, 0.2e-3, 0.0), Vec3::new(0.9, -0.3, 0.4), Vec3::new(1.0, 2.0, -0.5)] {
            let rate = rate_of_rotation_vector(&theta, &w);
            let ahead = moved(&(theta + rate * 1e-5));
            let behind = moved(&(theta - rate * 1e-5));
            let measured = (ahead * behind.inverse()).scaled_axis() / 2e-5;
            assert!((measured - w).norm() < TOLERANCE, "{measured:?} for {w:?} at {theta:?}");
        }
    }
}

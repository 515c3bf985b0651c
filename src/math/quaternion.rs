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

/// Half the angle in rad below which [`turned_slightly`] takes the series.
const SLIGHT: f64 = 0.05;

/// As [`turned`] with `theta` = δt w in rad, to round-off, and several times faster for the small turns of short steps:
/// without a root, a division or a trigonometric function.
///
/// ```text
/// cos x = 1 − x²/2 + x⁴/24 − x⁶/720 + x⁸/40320,   sin x/x = 1 − x²/6 + x⁴/120 − x⁶/5040
/// q/‖q‖ = q (3 − ‖q‖²)/2                             off by 3/8 (‖q‖² − 1)²
/// ```
#[inline(always)]
pub fn turned_slightly(q: &Quat, theta: &Vec3) -> Quat {
    let half = theta * 0.5;
    let s = half.norm_squared();
    // The next terms, x¹⁰/3628800 and x⁸/362880, are below ε/2; NaN takes the other way.
    if !(s < SLIGHT * SLIGHT) {
        return turned_far(q, theta);
    }
    let cos = 1.0 + s * (-0.5 + s * (1.0 / 24.0 + s * (-1.0 / 720.0 + s * (1.0 / 40320.0))));
    let sinc = 1.0 + s * (-1.0 / 6.0 + s * (1.0 / 120.0 + s * (-1.0 / 5040.0)));
    let v = half * sinc;
    let product = Quaternion::new(cos, v.x, v.y, v.z) * q.quaternion();
    let squared = product.coords.norm_squared();
    // q had unit norm to round-off, so the product has.
    if (squared - 1.0).abs() < 1e-9 {
        Quat::new_unchecked(product * (1.5 - 0.5 * squared))
    } else {
        turned_far(q, theta)
    }
}

/// The rare other case of [`turned_slightly`], which out of line leaves that one small enough to be inlined.
#[cold]
#[inline(never)]
fn turned_far(q: &Quat, theta: &Vec3) -> Quat {
    turned(q, theta, 1.0)
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
    fn a_slight_turn_is_the_turn_to_round_off_at_every_angle() {
        // A few ε for the products of both.
        const TOLERANCE: f64 = 8.0 * f64::EPSILON;
        let start = Quat::from_euler_angles(0.1, 0.2, 0.3);
        let direction = Vec3::new(0.48, -0.6, 0.64);
        for k in 0..400 {
            let theta = direction * 10_f64.powf(-8.0 + 0.02 * f64::from(k));
            let (slightly, exactly) = (turned_slightly(&start, &theta), turned(&start, &theta, 1.0));
            let off = (slightly.coords - exactly.coords).norm();
            assert!(off <= TOLERANCE, "off by {off:e} at {:e} rad", theta.norm());
        }
        let doubled = Quat::new_unchecked(start.into_inner() * 2.0);
        let norm = turned_slightly(&doubled, &(direction * 1e-3)).coords.norm();
        assert!((norm - 1.0).abs() <= TOLERANCE, "a norm of 2 becomes {norm}");
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

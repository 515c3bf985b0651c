//! The slip equation as a trigonometric polynomial of degree two, and its roots.
//!
//! ```text
//! F(α) = constant + cos·cos α + sin·sin α + cos2·cos 2α + sin2·sin 2α
//! ```

use crate::math::plane::Pair;
use crate::math::quartic;
use crate::math::real::Real;

/// An angle of which the last step of Halley's iteration was below 2e-5 is right to round-off: convergence is cubic.
/// This is the square of half the tangent of that step.
pub(in crate::law) const CONVERGED: f64 = 1e-10;

/// constant + cos·cos α + sin·sin α + cos2·cos 2α + sin2·sin 2α.
#[derive(Clone, Copy, Debug)]
pub(in crate::law) struct TrigPolynomial<T = f64> {
    pub(in crate::law) constant: T,
    pub(in crate::law) cos: T,
    pub(in crate::law) sin: T,
    pub(in crate::law) cos2: T,
    pub(in crate::law) sin2: T,
}

impl<T: Real> TrigPolynomial<T> {
    /// Value, first and half the second derivative in the direction u.
    #[inline(always)]
    fn jet(&self, u: Pair<T>) -> (T, T, T) {
        let (c2, s2) = (u.x * u.x - u.y * u.y, u.x * u.y * 2.0);
        let first = self.cos * u.x + self.sin * u.y;
        let second = self.cos2 * c2 + self.sin2 * s2;
        let value = self.constant + first + second;
        let slope = (self.sin * u.x - self.cos * u.y) + (self.sin2 * c2 - self.cos2 * s2) * 2.0;
        (value, slope, first * -0.5 - second * 2.0)
    }

    /// One step of Halley's iteration, and tan²(δ/2) of its angle δ.
    ///
    /// Turns u without a trigonometric call and with one division; the step is at most about a radian, beyond which the
    /// model is of no use.
    #[inline(always)]
    pub(in crate::law) fn step(&self, u: Pair<T>) -> (Pair<T>, T) {
        let (f, df, half_ddf) = self.jet(u);
        // tan(δ/2) = n/d
        let n = f * df * -0.5;
        let d = (df * df - f * half_ddf).or_larger(n.abs() * 2.0);
        let (n2, d2) = (n * n, d * d);
        let inv = n.like(1.0) / (d2 + n2);
        let (c, s) = ((d2 - n2) * inv, n * d * 2.0 * inv);
        (Pair::new(c * u.x - s * u.y, s * u.x + c * u.y), n2 * inv)
    }

    /// The last step of Halley's iteration, for one that is small, and tan²(δ/2) as it comes out.
    ///
    /// cos δ and sin δ to the third order: what is left out is below ε where tan²(δ/2) is below [`CONVERGED`].
    #[inline(always)]
    pub(in crate::law) fn last_step(&self, u: Pair<T>) -> (Pair<T>, T) {
        let (f, df, half_ddf) = self.jet(u);
        let tau = f * df * -0.5 / (df * df - f * half_ddf);
        let turn = tau * 2.0;
        let keep = tau.like(1.0) - turn * tau;
        (Pair::new(keep * u.x - turn * u.y, turn * u.x + keep * u.y), tau * tau)
    }

    /// The same polynomial of the angle β = α − α0, with (cos α0, sin α0) = `u`.
    #[inline(always)]
    fn turned(&self, u: Pair<T>) -> Self {
        let (c2, s2) = (u.x * u.x - u.y * u.y, u.x * u.y * 2.0);
        Self {
            constant: self.constant,
            cos: self.cos * u.x + self.sin * u.y,
            sin: self.sin * u.x - self.cos * u.y,
            cos2: self.cos2 * c2 + self.sin2 * s2,
            sin2: self.sin2 * c2 - self.cos2 * s2,
        }
    }

    /// Coefficients of the quartic (1 + t²)² F in t = tan(α/2), the leading one (t⁴) first.
    #[inline(always)]
    fn quartic(&self) -> [T; 5] {
        [
            self.constant + self.cos2 - self.cos,
            self.sin * 2.0 - self.sin2 * 4.0,
            self.constant * 2.0 - self.cos2 * 6.0,
            self.sin * 2.0 + self.sin2 * 4.0,
            self.constant + self.cos2 + self.cos,
        ]
    }

    /// Whether there are real roots beside `u` and the one more that parity demands.
    ///
    /// With u turned to t = 0 a cubic is left; it has one real root where its discriminant is negative. `true` also
    /// where the sign is in doubt.
    #[inline(always)]
    pub(in crate::law) fn has_further_roots(&self, u: Pair<T>) -> T::Mask {
        let [a, b, c, d, _] = self.turned(u).quartic();
        let (p, q, r, s, t) =
            (a * b * c * d * 18.0, b * b * b * d * 4.0, b * b * c * c, a * c * c * c * 4.0, a * a * d * d * 27.0);
        let discriminant = p - q + r - s - t;
        let doubt = (p.abs() + q.abs() + r + s.abs() + t) * -1e-9;
        !discriminant.at_most(doubt)
    }
}

impl TrigPolynomial {
    /// Halley's iteration from `u`. `None` where it has not converged in `limit` steps.
    #[inline(always)]
    pub(in crate::law) fn root_near(&self, u: Pair, limit: u32) -> Option<Pair> {
        let (u, _) = self.step(u);
        let (root, tan2) = self.last_step(u);
        if tan2 < CONVERGED { Some(root) } else { self.root_far(u, limit) }
    }

    /// The same where two steps are not enough.
    #[inline(never)]
    fn root_far(&self, mut u: Pair, limit: u32) -> Option<Pair> {
        for _ in 1..limit {
            let (next, tan2) = self.step(u);
            u = next;
            if tan2 < CONVERGED {
                return Some(u);
            }
        }
        None
    }

    /// All directions that may be real roots, polished: up to four, and how many.
    ///
    /// α = π is t = ∞, so the axes are turned first until F(π) is the largest of sixteen samples: the quartic then has a
    /// large leading coefficient and no root near infinity.
    pub(in crate::law) fn roots(&self) -> ([Pair; 4], usize) {
        const SAMPLES: u32 = 16;
        let mut away = Pair::new(1.0, 0.0);
        let mut largest = 0.0;
        for k in 0..SAMPLES {
            let (s, c) = (f64::from(k) * std::f64::consts::TAU / f64::from(SAMPLES)).sin_cos();
            let u = Pair::new(c, s);
            let value = self.jet(u).0.abs();
            if value > largest {
                (largest, away) = (value, u);
            }
        }
        let mut roots = [away; 4];
        if largest == 0.0 {
            return (roots, 1);
        }
        let zero = away * -1.0;
        let [lead, a, b, c, d] = self.turned(zero).quartic();
        let (found, count) = quartic::candidates([a / lead, b / lead, c / lead, d / lead]);
        for (root, t) in roots.iter_mut().zip(&found[..count]) {
            let inv = 1.0 / (1.0 + t * t);
            let v = Pair::new((1.0 - t * t) * inv, 2.0 * t * inv);
            let u = Pair::new(zero.x * v.x - zero.y * v.y, zero.y * v.x + zero.x * v.y);
            // A double root is approached linearly, by a factor of three a step.
            *root = self.root_near(u, 30).unwrap_or(u);
            *root = *root / root.norm();
        }
        (roots, count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(f: &TrigPolynomial, angle: f64) -> f64 {
        f.constant
            + f.cos * angle.cos()
            + f.sin * angle.sin()
            + f.cos2 * (2.0 * angle).cos()
            + f.sin2 * (2.0 * angle).sin()
    }

    const EXAMPLE: TrigPolynomial = TrigPolynomial { constant: 0.1, cos: -0.4, sin: 0.3, cos2: 0.9, sin2: -0.2 };

    #[test]
    fn value_and_derivatives_agree_with_differences() {
        // Second differences at h = 1e-4: truncation 1e-8, round-off 1e-8.
        const TOLERANCE: f64 = 1e-6;
        let h = 1e-4;
        for k in 0..12 {
            let angle = 0.5 * f64::from(k);
            let (f, df, half_ddf) = EXAMPLE.jet(Pair::new(angle.cos(), angle.sin()));
            let [below, here, above] = [-h, 0.0, h].map(|d| value(&EXAMPLE, angle + d));
            assert!((f - here).abs() < 1e-15, "{f} for {here}");
            assert!((df - (above - below) / (2.0 * h)).abs() < TOLERANCE);
            assert!((2.0 * half_ddf - (above - 2.0 * here + below) / (h * h)).abs() < TOLERANCE);
        }
    }

    #[test]
    fn turning_the_axes_and_the_quartic_keep_the_values() {
        let start: f64 = 0.7;
        let turned = EXAMPLE.turned(Pair::new(start.cos(), start.sin()));
        for t in [-3.0_f64, -0.5, 0.0, 0.2, 10.0] {
            let beta = 2.0 * t.atan();
            let expected = value(&EXAMPLE, start + beta);
            let [a, b, c, d, e] = turned.quartic();
            let quartic = ((((a * t + b) * t + c) * t + d) * t + e) / (1.0 + t * t).powi(2);
            assert!((value(&turned, beta) - expected).abs() < 1e-14);
            assert!((quartic - expected).abs() < 1e-14, "{quartic} for {expected}");
        }
    }

    #[test]
    fn every_change_of_sign_around_the_circle_is_found_as_a_root() {
        let (roots, count) = EXAMPLE.roots();
        let samples = 1000;
        let at = |k: i32| f64::from(k) * std::f64::consts::TAU / f64::from(samples);
        let mut changes = 0;
        for k in 0..samples {
            if value(&EXAMPLE, at(k)) * value(&EXAMPLE, at(k + 1)) <= 0.0 {
                changes += 1;
                let middle = 0.5 * (at(k) + at(k + 1));
                let u = Pair::new(middle.cos(), middle.sin());
                assert!(roots[..count].iter().any(|root| (*root - u).norm() < 0.01), "root near {middle} rad missed");
            }
        }
        assert_eq!(changes, 4);
        for root in &roots[..count] {
            assert!(EXAMPLE.jet(*root).0.abs() < 4e-16, "F = {} at a root", EXAMPLE.jet(*root).0);
        }
    }
}

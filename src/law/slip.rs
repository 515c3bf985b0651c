//! The slip equations of `max-dissipation` and `coulomb` on the border of the conic section.
//!
//! With u = (cos α, sin α), the border is r(α) = ρ/(1 + e·u), x = r u, and both laws read
//!
//! ```text
//! Ǎx − b̌ + κ g = 0,   κ ≥ 0,   ‖x‖ + e·x = ρ        g = u + e (max-dissipation),  g = u (coulomb)
//! ```
//!
//! Eliminating κ leaves F(α) = [ρǍu − (1 + e·u) b̌] × g = 0, a trigonometric polynomial of degree two.

use crate::law::block::ContactBlock;
use crate::law::block::Sym2;
use crate::math::Vec2;
use crate::math::quartic;

/// Relative size of what the conditions of a certified root may leave over: some ten roundings of each.
pub(in crate::law) const CERTIFIED: f64 = 128.0 * f64::EPSILON;
/// Steps of the fast path: nearly every contact converges in two; a root that takes more is left to the quartic.
pub(in crate::law) const FAST_STEPS: u32 = 6;
/// Below this 1 + e·u has lost a digit or more, and the root is polished in (x, κ).
pub(in crate::law) const OPEN: f64 = 0.25;

/// Which direction the friction is held against: g = u + e or g = u.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::law) enum Opposes {
    /// The gradient of the cone on the plane of maximum compression (maximum dissipation).
    Gradient,
    /// The slip (Coulomb).
    Slip,
}

/// A slip problem. All conditions are multiplied by N = Ann, so that e, Ǎ, b̌, ρ and g stand for N e, … here, and
/// the conic section is N‖x‖ + e·x = ρ.
#[derive(Clone, Copy, Debug)]
pub(in crate::law) struct SlipProblem {
    /// N.
    n: f64,
    schur: Sym2,
    /// b̌.
    b: Vec2,
    e: Vec2,
    /// Semi-latus rectum ρ.
    rho: f64,
    /// d: e for maximum dissipation, 0 for Coulomb.
    tilt: Vec2,
    /// M = ρǍ − b̌eᵀ by columns, so that (N + e·u) b̌ − ρǍu = N b̌ − Mu.
    m: [Vec2; 2],
}

/// A slip impulse x with its multiplier κ.
#[derive(Clone, Copy, Debug)]
pub(in crate::law) struct Slip {
    /// Tangential impulse (scaled).
    pub(in crate::law) x: Vec2,
    /// Multiplier κ: the velocity left along −g, in m/s.
    pub(in crate::law) kappa: f64,
}

impl SlipProblem {
    /// The slip problem of a contact with Ann b̌ = `b` and Ann ρ = `rho`.
    #[inline(always)]
    pub(in crate::law) fn new(block: &ContactBlock, b: Vec2, rho: f64, opposes: Opposes) -> Self {
        let e = block.tilt;
        let tilt = match opposes {
            Opposes::Gradient => e,
            Opposes::Slip => Vec2::zeros(),
        };
        let Sym2 { xx, xy, yy } = block.schur;
        let m = [
            Vec2::new(rho * xx - b.x * e.x, rho * xy - b.y * e.x),
            Vec2::new(rho * xy - b.x * e.y, rho * yy - b.y * e.y),
        ];
        Self { n: block.nn, schur: block.schur, b, e, rho, tilt, m }
    }

    /// F = (Mu − N b̌) × (N u + d) as a trigonometric polynomial.
    #[inline(always)]
    pub(in crate::law) fn equation(&self) -> TrigPolynomial {
        let (n, d, [mx, my]) = (self.n, self.tilt, self.m);
        let b = self.b * n;
        TrigPolynomial {
            constant: 0.5 * n * (my.x - mx.y) + (d.x * b.y - d.y * b.x),
            cos: d.y * mx.x - d.x * mx.y + n * b.y,
            sin: d.y * my.x - d.x * my.y - n * b.x,
            cos2: -0.5 * n * (my.x + mx.y),
            sin2: 0.5 * n * (mx.x - my.y),
        }
    }

    /// N + e·u for a unit vector u.
    #[inline(always)]
    pub(in crate::law) fn denominator(&self, u: Vec2) -> f64 {
        self.n + self.e.dot(&u)
    }

    /// The direction from which the slip equation is iterated, for `x0` = det(Ǎ) Ǎ⁻¹b̌.
    ///
    /// ```text
    /// at u = x0/‖x0‖:  κ = (b̌ − r Ǎu)·g/‖g‖²,  r = ρ/(N + e·u);   then  (Ǎ + N κ/r) x = b̌ − κ d,   g = N u + d
    /// ```
    ///
    /// with Ǎx0 = det(Ǎ) b̌, and multiplied out so that only the last step divides. ‖x0‖ to 4 % does: no root is taken.
    #[inline(always)]
    pub(in crate::law) fn start(&self, x0: Vec2, det: f64) -> Vec2 {
        let (p, q) = (x0.x.abs(), x0.y.abs());
        let (high, low) = if p > q { (p, q) } else { (q, p) };
        let length = 0.96 * high + 0.4 * low;
        let g = x0 * self.n + self.tilt * length;
        let inside = self.n * length + self.e.dot(&x0);
        let least = 0.1 * length;
        let denominator = if inside > least { inside } else { least };
        let pull = (denominator - self.rho * det) * self.b.dot(&g);
        let kappa = if pull > 0.0 { pull } else { 0.0 };
        let square = g.norm_squared();
        let (k, s) = (self.rho * square, self.n * kappa);
        let h = Sym2 { xx: k * self.schur.xx + s, xy: k * self.schur.xy, yy: k * self.schur.yy + s };
        let x = h.adjugate_times(self.b * (denominator * square) - self.tilt * (kappa * length));
        x * (1.0 / x.norm())
    }

    /// Whether the direction `u` is certified as it stands, for 1 + e·u well above zero: the force balance across g to
    /// `tolerance` of its terms, and κ ≥ 0 along g.
    #[inline(always)]
    pub(in crate::law) fn certified_along(&self, u: Vec2, tolerance: f64) -> bool {
        let g = u * self.n + self.tilt;
        let rest = self.b * self.n - self.m[0] * u.x - self.m[1] * u.y;
        let reach = self.n + size(self.e);
        let terms = (size(self.b) * reach + self.schur.size() * self.rho) * reach;
        rest.perp(&g).abs() <= tolerance * terms && rest.dot(&g) >= 0.0
    }

    /// x and κ for a root u of F.
    #[inline(always)]
    pub(in crate::law) fn at(&self, u: Vec2) -> Slip {
        let g = u * self.n + self.tilt;
        let denominator = self.denominator(u);
        // Where N + e·u has lost its digits, r follows from the direction of the gradient instead: r Ǎu × g = b̌ × g.
        let mut r = self.rho / denominator;
        if !(denominator.abs() > 1e-3) {
            let other = self.b.perp(&g) / self.schur.times(u).perp(&g);
            if other > 0.0 && other.is_finite() {
                r = other;
            }
        }
        let x = u * r;
        let kappa = (self.b - self.schur.times(x)).dot(&g) / g.norm_squared();
        Slip { x, kappa }
    }

    /// One Newton step on the conditions in (x, κ), which keep their digits where the angle loses them.
    #[inline(always)]
    fn polished(&self, slip: Slip) -> Slip {
        let Slip { x, kappa } = slip;
        let length = x.norm();
        let u = x / length;
        let g = u * self.n + self.tilt;
        let row = u * self.n + self.e;
        let r1 = self.schur.times(x) - self.b + g * kappa;
        let r2 = self.n * length + self.e.dot(&x) - self.rho;
        let k = self.n * kappa / length;
        let h = Sym2 {
            xx: self.schur.xx + k * (u.y * u.y),
            xy: self.schur.xy - k * (u.x * u.y),
            yy: self.schur.yy + k * (u.x * u.x),
        };
        let hr = h.solve(r1);
        let hg = h.solve(g);
        let d_kappa = (r2 - row.dot(&hr)) / row.dot(&hg);
        let next = Slip { x: x - hr - hg * d_kappa, kappa: kappa + d_kappa };
        if next.kappa.is_finite() && next.x.norm_squared() > 0.0 { next } else { slip }
    }

    /// How far the conditions are from holding, each with the size of its largest term: force balance, cone,
    /// κ ≥ 0. (The cone's condition excludes the other branch of a hyperbola: it needs ‖x‖ > 0.)
    fn conditions(&self, slip: Slip) -> [(f64, f64); 3] {
        let Slip { x, kappa } = slip;
        let length = x.norm();
        let g = x * (self.n / length) + self.tilt;
        let balance = self.schur.times(x) - self.b + g * kappa;
        let cone = self.n * length + self.e.dot(&x) - self.rho;
        let terms = self.schur.size() * length + size(self.b);
        // g is the difference of N u and −d, and may be small beside both.
        let rounded = kappa.abs() * (self.n + size(self.tilt));
        [
            (size(balance), terms + rounded),
            (cone.abs(), length * (self.n + size(self.e)) + self.rho.abs()),
            (-kappa * size(g), terms),
        ]
    }

    /// The least tolerance at which `slip` is certified; infinite for what is no number.
    pub(in crate::law) fn fault(&self, slip: Slip) -> f64 {
        let fault = self.conditions(slip).iter().map(|(fault, size)| fault / size).fold(0.0, f64::max);
        if slip.x.sum().is_finite() && slip.kappa.is_finite() { fault } else { f64::INFINITY }
    }

    /// The root `u` of F polished, with its fault: the best of a few Newton steps, of which the first may go astray.
    pub(in crate::law) fn refined(&self, u: Vec2) -> (Slip, f64) {
        let mut slip = self.at(u);
        let mut best = (slip, self.fault(slip));
        for _ in 0..6 {
            slip = self.polished(slip);
            let fault = self.fault(slip);
            if fault < best.1 {
                best = (slip, fault);
            }
        }
        best
    }

    /// The reduced objective ½xᵀǍx − b̌ᵀx: energy apart from a constant of the contact.
    #[inline(always)]
    pub(in crate::law) fn objective(&self, x: Vec2) -> f64 {
        (self.schur.times(x) * 0.5 - self.b).dot(&x)
    }
}

/// The size of a vector, ‖v‖₁.
#[inline(always)]
fn size(v: Vec2) -> f64 {
    v.x.abs() + v.y.abs()
}

/// constant + cos·cos α + sin·sin α + cos2·cos 2α + sin2·sin 2α.
#[derive(Clone, Copy, Debug)]
pub(in crate::law) struct TrigPolynomial {
    constant: f64,
    cos: f64,
    sin: f64,
    cos2: f64,
    sin2: f64,
}

impl TrigPolynomial {
    /// Value, first and half the second derivative in the direction u.
    #[inline(always)]
    fn jet(&self, u: Vec2) -> (f64, f64, f64) {
        let (c2, s2) = (u.x * u.x - u.y * u.y, 2.0 * u.x * u.y);
        let first = self.cos * u.x + self.sin * u.y;
        let second = self.cos2 * c2 + self.sin2 * s2;
        let value = self.constant + first + second;
        let slope = (self.sin * u.x - self.cos * u.y) + 2.0 * (self.sin2 * c2 - self.cos2 * s2);
        (value, slope, -0.5 * first - 2.0 * second)
    }

    /// One step of Halley's iteration, and tan²(δ/2) of its angle δ.
    ///
    /// Turns u without a trigonometric call and with one division; the step is at most about a radian, beyond which the
    /// model is of no use.
    #[inline(always)]
    fn step(&self, u: Vec2) -> (Vec2, f64) {
        let (f, df, half_ddf) = self.jet(u);
        // tan(δ/2) = n/d
        let n = -0.5 * f * df;
        let (least, d) = (2.0 * n.abs(), df * df - f * half_ddf);
        let d = if d > least { d } else { least };
        let (n2, d2) = (n * n, d * d);
        let inv = 1.0 / (d2 + n2);
        let (c, s) = ((d2 - n2) * inv, 2.0 * n * d * inv);
        (Vec2::new(c * u.x - s * u.y, s * u.x + c * u.y), n2 * inv)
    }

    /// Halley's iteration from `u`. `None` where it has not converged in `limit` steps
    /// to an angle that is right to round-off: convergence is cubic, and the last step was below 2e-5.
    #[inline(always)]
    pub(in crate::law) fn root_near(&self, u: Vec2, limit: u32) -> Option<Vec2> {
        let (u, _) = self.step(u);
        let (f, df, half_ddf) = self.jet(u);
        let tau = -0.5 * f * df / (df * df - f * half_ddf);
        if tau * tau < 1e-10 {
            // cos δ and sin δ to the third order: what is left out is below ε.
            let turn = 2.0 * tau;
            let keep = 1.0 - turn * tau;
            return Some(Vec2::new(keep * u.x - turn * u.y, turn * u.x + keep * u.y));
        }
        self.root_far(u, limit)
    }

    /// The same where two steps are not enough.
    #[inline(never)]
    fn root_far(&self, mut u: Vec2, limit: u32) -> Option<Vec2> {
        for _ in 1..limit {
            let (next, tan2) = self.step(u);
            u = next;
            if tan2 < 1e-10 {
                return Some(u);
            }
        }
        None
    }

    /// The same polynomial of the angle β = α − α0, with (cos α0, sin α0) = `u`.
    #[inline(always)]
    fn turned(&self, u: Vec2) -> Self {
        let (c2, s2) = (u.x * u.x - u.y * u.y, 2.0 * u.x * u.y);
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
    fn quartic(&self) -> [f64; 5] {
        [
            self.constant + self.cos2 - self.cos,
            2.0 * self.sin - 4.0 * self.sin2,
            2.0 * self.constant - 6.0 * self.cos2,
            2.0 * self.sin + 4.0 * self.sin2,
            self.constant + self.cos2 + self.cos,
        ]
    }

    /// All directions that may be real roots, polished: up to four, and how many.
    ///
    /// α = π is t = ∞, so the axes are turned first until F(π) is the largest of sixteen samples: the quartic then has a
    /// large leading coefficient and no root near infinity.
    pub(in crate::law) fn roots(&self) -> ([Vec2; 4], usize) {
        const SAMPLES: u32 = 16;
        let mut away = Vec2::new(1.0, 0.0);
        let mut largest = 0.0;
        for k in 0..SAMPLES {
            let (s, c) = (f64::from(k) * std::f64::consts::TAU / f64::from(SAMPLES)).sin_cos();
            let u = Vec2::new(c, s);
            let value = self.jet(u).0.abs();
            if value > largest {
                (largest, away) = (value, u);
            }
        }
        let mut roots = [away; 4];
        if largest == 0.0 {
            return (roots, 1);
        }
        let zero = -away;
        let [lead, a, b, c, d] = self.turned(zero).quartic();
        let (found, count) = quartic::candidates([a / lead, b / lead, c / lead, d / lead]);
        for (root, t) in roots.iter_mut().zip(&found[..count]) {
            let inv = 1.0 / (1.0 + t * t);
            let v = Vec2::new((1.0 - t * t) * inv, 2.0 * t * inv);
            let u = Vec2::new(zero.x * v.x - zero.y * v.y, zero.y * v.x + zero.x * v.y);
            // A double root is approached linearly, by a factor of three a step.
            *root = self.root_near(u, 30).unwrap_or(u);
            *root /= root.norm();
        }
        (roots, count)
    }

    /// Whether there are real roots beside `u` and the one more that parity demands.
    ///
    /// With u turned to t = 0 a cubic is left; it has one real root where its discriminant is negative. `true` also
    /// where the sign is in doubt.
    #[inline(always)]
    pub(in crate::law) fn has_further_roots(&self, u: Vec2) -> bool {
        let [a, b, c, d, _] = self.turned(u).quartic();
        let (p, q, r, s, t) =
            (18.0 * a * b * c * d, 4.0 * b * b * b * d, b * b * c * c, 4.0 * a * c * c * c, 27.0 * a * a * d * d);
        let discriminant = p - q + r - s - t;
        discriminant > -1e-9 * (p.abs() + q.abs() + r + s.abs() + t)
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
            let (f, df, half_ddf) = EXAMPLE.jet(Vec2::new(angle.cos(), angle.sin()));
            let [below, here, above] = [-h, 0.0, h].map(|d| value(&EXAMPLE, angle + d));
            assert!((f - here).abs() < 1e-15, "{f} for {here}");
            assert!((df - (above - below) / (2.0 * h)).abs() < TOLERANCE);
            assert!((2.0 * half_ddf - (above - 2.0 * here + below) / (h * h)).abs() < TOLERANCE);
        }
    }

    #[test]
    fn turning_the_axes_and_the_quartic_keep_the_values() {
        let start: f64 = 0.7;
        let turned = EXAMPLE.turned(Vec2::new(start.cos(), start.sin()));
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
                let u = Vec2::new(middle.cos(), middle.sin());
                assert!(roots[..count].iter().any(|root| (root - u).norm() < 0.01), "root near {middle} rad missed");
            }
        }
        assert_eq!(changes, 4);
        for root in &roots[..count] {
            assert!(EXAMPLE.jet(*root).0.abs() < 4e-16, "F = {} at a root", EXAMPLE.jet(*root).0);
        }
    }
}

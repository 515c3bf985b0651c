//! The slip equations of `max-dissipation` and `coulomb` on the border of the conic section.
//!
//! With u = (cos α, sin α), the border is r(α) = ρ/(1 + e·u), x = r u, and both laws read
//!
//! ```text
//! Ǎx − b̌ + κ g = 0,   κ ≥ 0,   ‖x‖ + e·x = ρ        g = u + e (max-dissipation),  g = u (coulomb)
//! ```
//!
//! Eliminating κ leaves F(α) = [ρǍu − (1 + e·u) b̌] × g = 0, a trigonometric polynomial of degree two.

use crate::law::block::Plane;
use crate::law::trig::TrigPolynomial;
use crate::math::plane::Pair;
use crate::math::plane::Sym2;
use crate::math::real::Real;

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
pub(in crate::law) struct SlipProblem<T = f64> {
    /// N.
    n: T,
    schur: Sym2<T>,
    /// b̌.
    b: Pair<T>,
    e: Pair<T>,
    /// Semi-latus rectum ρ.
    rho: T,
    /// d: e for maximum dissipation, 0 for Coulomb.
    tilt: Pair<T>,
    /// M = ρǍ − b̌eᵀ by columns, so that (N + e·u) b̌ − ρǍu = N b̌ − Mu.
    m: [Pair<T>; 2],
}

/// A slip impulse x with its multiplier κ.
#[derive(Clone, Copy, Debug)]
pub(in crate::law) struct Slip {
    /// Tangential impulse (scaled).
    pub(in crate::law) x: Pair,
    /// Multiplier κ: the velocity left along −g, in m/s.
    pub(in crate::law) kappa: f64,
}

impl<T: Real> SlipProblem<T> {
    /// The slip problem of a contact with Ann b̌ = `b` and Ann ρ = `rho`.
    #[inline(always)]
    pub(in crate::law) fn new(plane: &Plane<T>, b: Pair<T>, rho: T, opposes: Opposes) -> Self {
        let e = plane.tilt;
        let tilt = match opposes {
            Opposes::Gradient => e,
            Opposes::Slip => Pair::new(rho.like(0.0), rho.like(0.0)),
        };
        let Sym2 { xx, xy, yy } = plane.schur;
        let m = [
            Pair::new(rho * xx - b.x * e.x, rho * xy - b.y * e.x),
            Pair::new(rho * xy - b.x * e.y, rho * yy - b.y * e.y),
        ];
        Self { n: plane.nn, schur: plane.schur, b, e, rho, tilt, m }
    }

    /// F = (Mu − N b̌) × (N u + d) as a trigonometric polynomial.
    #[inline(always)]
    pub(in crate::law) fn equation(&self) -> TrigPolynomial<T> {
        let (n, d, [mx, my]) = (self.n, self.tilt, self.m);
        let b = self.b * n;
        let half = n * 0.5;
        TrigPolynomial {
            constant: half * (my.x - mx.y) + (d.x * b.y - d.y * b.x),
            cos: d.y * mx.x - d.x * mx.y + n * b.y,
            sin: d.y * my.x - d.x * my.y - n * b.x,
            cos2: -half * (my.x + mx.y),
            sin2: half * (mx.x - my.y),
        }
    }

    /// N + e·u for a unit vector u.
    #[inline(always)]
    pub(in crate::law) fn denominator(&self, u: Pair<T>) -> T {
        self.n + self.e.dot(u)
    }

    /// The direction from which the slip equation is iterated, for `x0` = det(Ǎ) Ǎ⁻¹b̌.
    ///
    /// ```text
    /// at u = x0/‖x0‖:  κ = (b̌ − r Ǎu)·g/‖g‖²,  r = ρ/(N + e·u);   then  (Ǎ + N κ/r) x = b̌ − κ d,   g = N u + d
    /// ```
    ///
    /// with Ǎx0 = det(Ǎ) b̌, and multiplied out so that only the last step divides. ‖x0‖ to 4 % does: no root is taken.
    #[inline(always)]
    pub(in crate::law) fn start(&self, x0: Pair<T>, det: T) -> Pair<T> {
        let (p, q) = (x0.x.abs(), x0.y.abs());
        let length = p.or_larger(q) * 0.96 + p.or_smaller(q) * 0.4;
        let g = x0 * self.n + self.tilt * length;
        let inside = self.n * length + self.e.dot(x0);
        let denominator = inside.or_larger(length * 0.1);
        let pull = (denominator - self.rho * det) * self.b.dot(g);
        let kappa = pull.or_larger(pull.like(0.0));
        let square = g.norm_squared();
        let (k, s) = (self.rho * square, self.n * kappa);
        let h = Sym2 { xx: k * self.schur.xx + s, xy: k * self.schur.xy, yy: k * self.schur.yy + s };
        let x = h.adjugate_times(self.b * (denominator * square) - self.tilt * (kappa * length));
        x * (s.like(1.0) / x.norm())
    }

    /// Whether the direction `u` is certified as it stands, for 1 + e·u well above zero: the force balance across g to
    /// [`CERTIFIED`] of its terms, and κ ≥ 0 along g.
    #[inline(always)]
    pub(in crate::law) fn certified_along(&self, u: Pair<T>) -> T::Mask {
        let g = u * self.n + self.tilt;
        let rest = self.b * self.n - self.m[0] * u.x - self.m[1] * u.y;
        let reach = self.n + self.e.size();
        let terms = (self.b.size() * reach + self.schur.size() * self.rho) * reach;
        rest.perp(g).abs().at_most(terms * CERTIFIED) & terms.like(0.0).at_most(rest.dot(g))
    }
}

impl SlipProblem {
    /// x and κ for a root u of F.
    #[inline(always)]
    pub(in crate::law) fn at(&self, u: Pair) -> Slip {
        let g = u * self.n + self.tilt;
        let denominator = self.denominator(u);
        // Where N + e·u has lost its digits, r follows from the direction of the gradient instead: r Ǎu × g = b̌ × g.
        let mut r = self.rho / denominator;
        if !(denominator.abs() > 1e-3) {
            let other = self.b.perp(g) / self.schur.times(u).perp(g);
            if other > 0.0 && other.is_finite() {
                r = other;
            }
        }
        let x = u * r;
        let kappa = (self.b - self.schur.times(x)).dot(g) / g.norm_squared();
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
        let r2 = self.n * length + self.e.dot(x) - self.rho;
        let k = self.n * kappa / length;
        let h = Sym2 {
            xx: self.schur.xx + k * (u.y * u.y),
            xy: self.schur.xy - k * (u.x * u.y),
            yy: self.schur.yy + k * (u.x * u.x),
        };
        let hr = h.solve(r1);
        let hg = h.solve(g);
        let d_kappa = (r2 - row.dot(hr)) / row.dot(hg);
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
        let cone = self.n * length + self.e.dot(x) - self.rho;
        let terms = self.schur.size() * length + self.b.size();
        // g is the difference of N u and −d, and may be small beside both.
        let rounded = kappa.abs() * (self.n + self.tilt.size());
        [
            (balance.size(), terms + rounded),
            (cone.abs(), length * (self.n + self.e.size()) + self.rho.abs()),
            (-kappa * g.size(), terms),
        ]
    }

    /// The least tolerance at which `slip` is certified; infinite for what is no number.
    pub(in crate::law) fn fault(&self, slip: Slip) -> f64 {
        let fault = self.conditions(slip).iter().map(|(fault, size)| fault / size).fold(0.0, f64::max);
        if (slip.x.x + slip.x.y).is_finite() && slip.kappa.is_finite() { fault } else { f64::INFINITY }
    }

    /// The root `u` of F polished, with its fault: the best of a few Newton steps, of which the first may go astray.
    pub(in crate::law) fn refined(&self, u: Pair) -> (Slip, f64) {
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
    pub(in crate::law) fn objective(&self, x: Pair) -> f64 {
        (self.schur.times(x) * 0.5 - self.b).dot(x)
    }
}

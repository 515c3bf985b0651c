//! `incremental`: Coulomb friction on the slip of the moment, integrated over the impact (Darboux–Keller).
//!
//! The normal impulse p = Λ_n plays the part of time [Keller 1986; Stronge 2018; Jia & Wang 2017]. With s = δv_t, the
//! impulse x = (Λ_t, Λ_o) and the slip direction u = s/‖s‖, from δv = −b and x = 0 to the first δv_n = 0:
//!
//! ```text
//! slip    dx/dp = −μ u    ds/dp = a − μ A_tt u    dδv_n/dp = A_nn − μ a·u       a = (A_nt, A_no)
//! s = 0   y = A_tt⁻¹a;  stick iff ‖y‖ ≤ μ:        dx/dp = −y,   δv_n rises at A_nn − a·y > 0
//!         else slip restarts along u = −w with the unique β > 0 of (μ A_tt + β) w = −a, ‖w‖ = 1; w stays
//! ```
//!
//! It is the limit of a stiff compliant contact without restitution. δv_n may first fall (a jam: A_nn < μ a·u); the end
//! always comes. A contact that ends in stick has δv = 0, so its impulse is A⁻¹b.
//!
//! # Method
//!
//! Slip stops at a finite p where its direction may turn ever faster. With dp = ‖s‖ dτ that point moves to τ = ∞ and
//!
//! ```text
//! q = a − μ A_tt u,   h = u_⊥·q,   g = u·q,   u' = h u_⊥,   ‖s‖' = g ‖s‖,   p' = ‖s‖,   x' = −μ u ‖s‖
//! ```
//!
//! has polynomials on the right: its Taylor series in τ follow term by term from recurrences, to an order where the
//! truncation is below round-off, and the first δv_n = 0 is the first root of a polynomial. The direction tends to a
//! root of h; once it turns no more by anything that a double shows, the rest of the slip is a straight line in closed form.
//! The deviation δθ of a direction shrinks as (‖s‖ δθ)' = −μ (u_⊥·A_tt u_⊥) ‖s‖ δθ, which bounds what is neglected.
//!
//! The law is of one contact: inside Gauss–Seidel it is not the compliant limit of several contacts.

use crate::law::ContactState;
use crate::law::Solution;
use crate::math::Mat2;
use crate::math::Mat3;
use crate::math::Vec2;
use crate::math::Vec3;

/// Terms of the Taylor series. With the step at a fifth of the radius of convergence the last term is 5⁻²⁴ = 1.7e-17.
const ORDER: usize = 24;
/// Size of the last Taylor term kept, relative to ‖s‖ or ‖u‖ = 1: below half an ulp, so truncation is not seen.
const TRUNCATION: f64 = 1.4e-17;
/// Steps after which the answer is given uncertified. The worst of 4.5 million random contacts took 61; this bounds the time.
const MAX_STEPS: usize = 2000;
/// Certificate: residuals relative to ‖A‖‖Λ‖ + ‖b‖. The worst of these contacts is at 4e-14 (extreme masses), 5e-16
/// among bodies of like mass.
const CERTIFICATE: f64 = 1e-12;

/// A contact scaled to order one, split into normal and tangential parts.
struct Block {
    a_nn: f64,
    /// (A_nt, A_no).
    a_nt: Vec2,
    a_tt: Mat2,
    b_n: f64,
    b_t: Vec2,
    mu: f64,
}

/// Where the impact stands: impulse so far, and the slip δv_t = size · u.
#[derive(Clone, Copy)]
struct Stage {
    p: f64,
    x: Vec2,
    u: Vec2,
    size: f64,
}

/// Rates at a slip direction: g, h as above, `fall` = A_nn − μ a·u, `damping` = μ u_⊥·A_tt u_⊥.
struct Rates {
    g: f64,
    h: f64,
    fall: f64,
    damping: f64,
}

/// The impulse by the incremental law for δv⁻ = −`b`.
///
/// `a` is the Delassus block in 1/kg, `b` in m/s, both in the contact frame; the impulse is in N·s. The end state is
/// `Sticking` if the slip is zero when δv_n reaches zero. Never fails to return: where the certificate cannot be had
/// (a block that is not positive definite, or not finite) `certified` is false.
pub fn solve(a: &Mat3, b: &Vec3, mu: f64) -> Solution {
    if b.x <= 0.0 {
        return Solution { impulse: Vec3::zeros(), state: ContactState::Separating, certified: true };
    }
    // Exact: powers of two.
    let (scale_a, scale_b) = (exponent(a.amax()), exponent(b.amax()));
    let [[a1, a2], [b1, b2], [l1, l2]] = [-scale_a, -scale_b, scale_b - scale_a].map(powers);
    let (p, x, state, certified) = Block::new(&(a * a1 * a2), &(b * b1 * b2), mu).impact();
    let impulse = Vec3::new(p, x.x, x.y) * l1 * l2;
    Solution { impulse, state, certified: certified && impulse.iter().all(|v| v.is_finite()) }
}

impl Block {
    fn new(a: &Mat3, b: &Vec3, mu: f64) -> Self {
        Self {
            a_nn: a[(0, 0)],
            a_nt: Vec2::new(a[(0, 1)], a[(0, 2)]),
            a_tt: Mat2::new(a[(1, 1)], a[(1, 2)], a[(1, 2)], a[(2, 2)]),
            b_n: b.x,
            b_t: Vec2::new(b.y, b.z),
            mu,
        }
    }

    /// The whole impact: (Λ_n, Λ_t, state, certified).
    fn impact(&self) -> (f64, Vec2, ContactState, bool) {
        let size = self.b_t.norm();
        // μ = 0: nothing is integrated.
        if self.mu <= 0.0 {
            let p = self.b_n / self.a_nn;
            let slips = self.a_nt * p != self.b_t;
            return (p, Vec2::zeros(), if slips { ContactState::Sliding } else { ContactState::Sticking }, p > 0.0);
        }
        // Spheres: a = 0 and A_tt = α E, so the slip keeps its direction and loses μ α per unit of p.
        let alpha = self.a_tt[(0, 0)];
        if self.a_nt == Vec2::zeros() && self.a_tt == Mat2::from_diagonal_element(alpha) {
            let p = self.b_n / self.a_nn;
            let sticks = size <= self.mu * alpha * p;
            let x = self.b_t * if sticks { 1.0 / alpha } else { self.mu * p / size };
            return (p, x, if sticks { ContactState::Sticking } else { ContactState::Sliding }, p > 0.0);
        }
        let start = Stage { p: 0.0, x: Vec2::zeros(), u: Vec2::zeros(), size };
        if size <= 0.0 {
            return self.at_rest(start, true);
        }
        self.slip(Stage { u: -self.b_t / size, ..start })
    }

    /// Slip from `stage` until δv_n = 0 or the slip stops.
    fn slip(&self, mut stage: Stage) -> (f64, Vec2, ContactState, bool) {
        for _ in 0..MAX_STEPS {
            if let Some((end, slipping)) = self.straight(&stage) {
                let certified = self.drift(&end) <= CERTIFICATE;
                return if slipping { self.sliding(&end, certified) } else { self.at_rest(end, certified) };
            }
            let series = Series::new(self, &stage);
            let step = series.step();
            match series.first_contact_end(self, &stage, step) {
                Some(tau) => {
                    let end = series.at(&stage, tau);
                    return self.sliding(&end, self.drift(&end) <= CERTIFICATE);
                }
                None => stage = series.at(&stage, step),
            }
        }
        self.sliding(&stage, false)
    }

    /// The rest of the slip in closed form, if its direction turns no more: where it ends, and whether still slipping.
    fn straight(&self, stage: &Stage) -> Option<(Stage, bool)> {
        let Rates { g, h, fall, damping } = self.rates(&stage.u);
        let until_end = if fall > 0.0 { -self.closing(stage) / fall } else { f64::INFINITY };
        let until_rest = if g < 0.0 { -stage.size / g } else { f64::INFINITY };
        let slipping = until_end <= until_rest;
        let dp = until_end.min(until_rest);
        if !dp.is_finite() {
            return None;
        }
        // The direction turns by h τ, damped; what that changes in the impulse weighs dp/(p + dp).
        let tau = match slipping {
            true if (g * dp).abs() <= f64::EPSILON * stage.size => dp / stage.size,
            true => (g * dp / stage.size).ln_1p() / g,
            false => f64::INFINITY,
        };
        let turn = h.abs() * tau.min(1.0 / damping) * dp / (stage.p + dp);
        let noise = f64::EPSILON * (self.a_nt.norm() + self.mu * self.a_tt.norm());
        let turns = turn > 0.25 * f64::EPSILON && h.abs() > noise;
        if turns {
            return None;
        }
        let size = if slipping { (stage.size + g * dp).max(0.0) } else { 0.0 };
        Some((Stage { p: stage.p + dp, x: stage.x - stage.u * (self.mu * dp), size, ..*stage }, slipping))
    }

    /// From s = 0 to δv_n = 0: stick, or slip that restarts.
    fn at_rest(&self, stage: Stage, certified: bool) -> (f64, Vec2, ContactState, bool) {
        let Some(y) = solve_2x2(&self.a_tt, &self.a_nt) else {
            return (stage.p, stage.x, ContactState::Sliding, false);
        };
        let rise = self.a_nn - self.a_nt.dot(&y);
        if y.norm() <= self.mu {
            let z = solve_2x2(&self.a_tt, &self.b_t).unwrap_or(stage.x);
            let p = (self.b_n - self.a_nt.dot(&z)) / rise;
            let x = z - y * p;
            // Friction fits the cone on the way, so it does at the end.
            let fits = p >= stage.p * (1.0 - CERTIFICATE) && x.norm() <= self.mu * p * (1.0 + CERTIFICATE);
            let rest = Stage { p, x, size: 0.0, ..stage };
            let certified = certified && rise > 0.0 && fits && self.drift(&rest) <= CERTIFICATE;
            return (p, x, ContactState::Sticking, certified);
        }
        let (w, beta) = self.restart();
        let fall = self.a_nn + self.mu * self.a_nt.dot(&w);
        let dp = -self.closing(&stage) / fall;
        let end = Stage { p: stage.p + dp, x: stage.x + w * (self.mu * dp), u: -w, size: beta * dp };
        self.sliding(&end, certified && fall > 0.0 && dp >= 0.0 && self.drift(&end) <= CERTIFICATE)
    }

    /// The unit w and β > 0 of (μ A_tt + β) w = −a, when ‖A_tt⁻¹a‖ > μ.
    ///
    /// 1/‖(μ A_tt + β)⁻¹a‖ is concave and rises in β, so Newton's iteration on 1 − it climbs from β = 0 without a guard.
    fn restart(&self) -> (Vec2, f64) {
        let mut beta = 0.0;
        let mut w = Vec2::zeros();
        // Converges quadratically, in at most about ten steps; 60 only bounds it.
        for _ in 0..60 {
            let m = self.a_tt * self.mu + Mat2::from_diagonal_element(beta);
            let Some(found) = solve_2x2(&m, &-self.a_nt) else { break };
            let length = found.norm();
            w = found / length;
            let Some(slope) = solve_2x2(&m, &w) else { break };
            // d‖w‖/dβ = −‖w‖ (w/‖w‖)·M⁻¹(w/‖w‖); Newton on 1/‖w‖ = 1.
            let change = (length - 1.0) / w.dot(&slope);
            if beta + change <= beta {
                break;
            }
            beta += change;
        }
        (w, beta)
    }

    fn sliding(&self, end: &Stage, certified: bool) -> (f64, Vec2, ContactState, bool) {
        let certified = certified && self.closing(end).abs() <= CERTIFICATE * self.magnitude(end);
        (end.p, end.x, ContactState::Sliding, certified)
    }

    fn rates(&self, u: &Vec2) -> Rates {
        let q = self.a_nt - self.a_tt * u * self.mu;
        let v = Vec2::new(-u.y, u.x);
        Rates {
            g: u.dot(&q),
            h: v.dot(&q),
            fall: self.a_nn - self.mu * self.a_nt.dot(u),
            damping: self.mu * v.dot(&(self.a_tt * v)),
        }
    }

    /// δv_n = A_nn p + a·x − b_n, negative while closing.
    fn closing(&self, stage: &Stage) -> f64 {
        self.a_nn * stage.p + self.a_nt.dot(&stage.x) - self.b_n
    }

    fn magnitude(&self, stage: &Stage) -> f64 {
        (self.a_nn + self.a_nt.norm() + self.a_tt.norm()) * (stage.p + stage.x.norm()) + self.b_n + self.b_t.norm()
    }

    /// How far the integrated slip is from A Λ − b, which it must equal: the global error, relative.
    fn drift(&self, stage: &Stage) -> f64 {
        let slip = self.a_nt * stage.p + self.a_tt * stage.x - self.b_t;
        (slip - stage.u * stage.size).norm() / self.magnitude(stage)
    }
}

/// Taylor coefficients in τ, from one stage on: direction, ‖s‖ over its value at the start, and the integrals.
struct Series {
    c: [f64; ORDER + 1],
    s: [f64; ORDER + 1],
    size: [f64; ORDER + 1],
    /// ∫ ‖s‖ dτ, over ‖s‖ at the start.
    p: [f64; ORDER + 1],
    /// −μ ∫ u ‖s‖ dτ, likewise.
    x_t: [f64; ORDER + 1],
    x_o: [f64; ORDER + 1],
}

impl Series {
    fn new(block: &Block, stage: &Stage) -> Self {
        const ZERO: [f64; ORDER + 1] = [0.0; ORDER + 1];
        let Block { mu, a_nt, a_tt, .. } = block;
        let (m_tt, m_to, m_oo) = (mu * a_tt[(0, 0)], mu * a_tt[(0, 1)], mu * a_tt[(1, 1)]);
        let (mut c, mut s, mut size, mut p, mut x_t, mut x_o) = (ZERO, ZERO, ZERO, ZERO, ZERO, ZERO);
        let (mut q_t, mut q_o, mut g, mut h) = (ZERO, ZERO, ZERO, ZERO);
        (c[0], s[0], size[0]) = (stage.u.x, stage.u.y, 1.0);
        for n in 0..ORDER {
            q_t[n] = -(m_tt * c[n] + m_to * s[n]);
            q_o[n] = -(m_to * c[n] + m_oo * s[n]);
            if n == 0 {
                q_t[0] += a_nt.x;
                q_o[0] += a_nt.y;
            }
            h[n] = product(&c, &q_o, n) - product(&s, &q_t, n);
            g[n] = product(&c, &q_t, n) + product(&s, &q_o, n);
            let next = 1.0 / (n + 1) as f64;
            p[n + 1] = size[n] * next;
            x_t[n + 1] = -mu * product(&c, &size, n) * next;
            x_o[n + 1] = -mu * product(&s, &size, n) * next;
            size[n + 1] = product(&size, &g, n) * next;
            (c[n + 1], s[n + 1]) = (-product(&s, &h, n) * next, product(&c, &h, n) * next);
        }
        Self { c, s, size, p, x_t, x_o }
    }

    /// The step in τ at which the last two terms of the direction and of ‖s‖ are below [`TRUNCATION`].
    fn step(&self) -> f64 {
        let mut step = f64::INFINITY;
        for n in [ORDER - 1, ORDER] {
            let last = self.c[n].abs().max(self.s[n].abs()).max(self.size[n].abs());
            step = step.min((TRUNCATION / last).powf(1.0 / n as f64));
        }
        step
    }

    fn at(&self, stage: &Stage, tau: f64) -> Stage {
        let u = Vec2::new(value(&self.c, tau), value(&self.s, tau));
        let x = Vec2::new(value(&self.x_t, tau), value(&self.x_o, tau));
        Stage {
            p: stage.p + stage.size * value(&self.p, tau),
            x: stage.x + x * stage.size,
            u: u / u.norm(),
            size: stage.size * value(&self.size, tau),
        }
    }

    /// The first τ in (0, `step`] with δv_n = 0, if there is one.
    ///
    /// δv_n rises at ‖s‖ (A_nn − μ a·u). Within a step u turns one way by less than half a turn, so this rate has at
    /// most one extremum, where u ∥ a; cut there, and then at its zeros, δv_n is monotonic on each piece.
    fn first_contact_end(&self, block: &Block, stage: &Stage, step: f64) -> Option<f64> {
        let mut gap = [0.0; ORDER + 1];
        let mut rate = [0.0; ORDER + 1];
        let mut across = [0.0; ORDER + 1];
        let a = &block.a_nt;
        for n in 0..=ORDER {
            gap[n] = stage.size * (block.a_nn * self.p[n] + a.x * self.x_t[n] + a.y * self.x_o[n]);
            rate[n] = -block.mu * (a.x * self.c[n] + a.y * self.s[n]);
            across[n] = self.c[n] * a.y - self.s[n] * a.x;
        }
        gap[0] = block.closing(stage);
        rate[0] += block.a_nn;
        if gap[0] >= 0.0 {
            return Some(0.0);
        }
        let turning = zero_between(&across, 0.0, step).unwrap_or(step);
        let cuts = [zero_between(&rate, 0.0, turning), Some(turning), zero_between(&rate, turning, step), Some(step)];
        let mut from = 0.0;
        for to in cuts.into_iter().flatten() {
            if value(&gap, to) >= 0.0 {
                return Some(zero_between(&gap, from, to).unwrap_or(to));
            }
            from = to;
        }
        None
    }
}

/// Coefficient `n` of the product of two series.
#[inline]
fn product(f: &[f64; ORDER + 1], g: &[f64; ORDER + 1], n: usize) -> f64 {
    f[..=n].iter().zip(g[..=n].iter().rev()).map(|(x, y)| x * y).sum()
}

/// The polynomial with these coefficients, at `tau`.
#[inline]
fn value(series: &[f64; ORDER + 1], tau: f64) -> f64 {
    series.iter().rev().fold(0.0, |sum, coefficient| sum * tau + coefficient)
}

/// A zero of a polynomial that changes sign between `low` and `high`, by Newton's iteration held in the bracket.
fn zero_between(series: &[f64; ORDER + 1], mut low: f64, mut high: f64) -> Option<f64> {
    let (at_low, at_high) = (value(series, low), value(series, high));
    if (at_low < 0.0) == (at_high < 0.0) {
        return None;
    }
    let mut tau = low - at_low * (high - low) / (at_high - at_low);
    // Bisection alone takes 53 steps to the last bit.
    for _ in 0..100 {
        let (mut f, mut slope) = (0.0, 0.0);
        for coefficient in series.iter().rev() {
            slope = slope * tau + f;
            f = f * tau + coefficient;
        }
        if (f < 0.0) == (at_low < 0.0) {
            low = tau;
        } else {
            high = tau;
        }
        let newton = tau - f / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        if f.abs() <= 0.0 || (next - tau).abs() <= f64::EPSILON * tau.abs() {
            return Some(tau);
        }
        tau = next;
    }
    Some(tau)
}

/// x with m x = r for a symmetric positive definite m, by elimination; none if m is not.
fn solve_2x2(m: &Mat2, r: &Vec2) -> Option<Vec2> {
    // The larger diagonal entry first: its Schur complement has the smaller rounding.
    let [i, j] = if m[(0, 0)] >= m[(1, 1)] { [0, 1] } else { [1, 0] };
    let factor = m[(0, 1)] / m[(i, i)];
    let schur = m[(j, j)] - factor * m[(0, 1)];
    if !(m[(i, i)] > 0.0 && schur > 0.0) {
        return None;
    }
    let mut x = Vec2::zeros();
    x[j] = (r[j] - factor * r[i]) / schur;
    x[i] = (r[i] - m[(0, 1)] * x[j]) / m[(i, i)];
    Some(x)
}

/// k with 2^k ≤ x < 2^(k+1), for a normal x > 0; −1023 at zero and below the normal range.
fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// Two factors of 2^k, which itself may be out of range.
fn powers(k: i32) -> [f64; 2] {
    [k / 2, k - k / 2].map(|k| f64::from_bits(((k.clamp(-1022, 1023) + 1023) as u64) << 52))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Planar closed forms are a handful of operations; the integration is exact to a few roundings more.
    const ROUNDING: f64 = 4e-15;

    /// A planar contact: slip along the first tangent only.
    fn planar(a_nn: f64, a_nt: f64, a_tt: f64, b: (f64, f64), mu: f64) -> Solution {
        let a = Mat3::new(a_nn, a_nt, 0.0, a_nt, a_tt, 0.0, 0.0, 0.0, 3.0);
        let solution = solve(&a, &Vec3::new(b.0, b.1, 0.0), mu);
        assert!(solution.certified, "{solution:?}");
        solution
    }

    fn agrees(solution: &Solution, p: f64, x: f64, state: ContactState) {
        let off = (solution.impulse - Vec3::new(p, x, 0.0)).norm();
        assert!(off <= ROUNDING * p.hypot(x), "{:?} for ({p}, {x})", solution.impulse);
        assert_eq!(solution.state, state);
    }

    #[test]
    fn planar_slip_that_lasts_ends_where_the_normal_velocity_does() {
        // δv_t = 5 > 0, w = −1: p = b_n/(A_nn − μ A_nt); the slip left is 5 + (A_nt − μ A_tt) p > 0.
        let (a_nn, a_nt, a_tt, mu) = (2.0, 0.5, 3.0, 0.3);
        let p = 1.0 / (a_nn - mu * a_nt);
        assert!(5.0 + (a_nt - mu * a_tt) * p > 0.0);
        agrees(&planar(a_nn, a_nt, a_tt, (1.0, -5.0), mu), p, -mu * p, ContactState::Sliding);
    }

    #[test]
    fn planar_slip_that_stops_and_sticks_ends_at_rest() {
        // Slip stops at 0.1/(μ A_tt − A_nt) before the end; |A_nt/A_tt| < μ holds it: Λ = A⁻¹b.
        let (a_nn, a_nt, a_tt, mu) = (2.0, 0.5, 3.0, 0.3);
        let determinant = a_nn * a_tt - a_nt * a_nt;
        let (p, x) = ((a_tt + a_nt * 0.1) / determinant, (-a_nn * 0.1 - a_nt) / determinant);
        agrees(&planar(a_nn, a_nt, a_tt, (1.0, -0.1), mu), p, x, ContactState::Sticking);
    }

    #[test]
    fn planar_slip_that_stops_and_cannot_stick_reverses() {
        // The numbers of the reference: slip 1 stops at p = 0.5 with δv_n = −0.53125, then rises at 1.0625.
        agrees(&planar(2.0, -1.25, 1.0, (2.0, -1.0), 0.75), 1.0, 0.0, ContactState::Sliding);
        // In general: p₁ = s/(μ A_tt − A_nt), the rest against A_nn − μ|A_nt|.
        let (a_nn, a_nt, a_tt, mu, s) = (3.0, -1.7, 1.2, 0.9, 0.8);
        let first = s / (mu * a_tt - a_nt);
        let closing = -2.5 + (a_nn - mu * a_nt) * first;
        let second = -closing / (a_nn + mu * a_nt);
        assert!(closing < 0.0 && -a_nt / a_tt > mu);
        agrees(&planar(a_nn, a_nt, a_tt, (2.5, -s), mu), first + second, mu * (second - first), ContactState::Sliding);
    }

    #[test]
    fn a_planar_jam_stops_the_slip_before_the_bodies_part() {
        // A_nn < μ A_nt: the closing speed grows until slip stops, then stick; the mirror image does the same.
        let (a_nn, a_nt, a_tt, mu) = (1.0, 1.5, 3.0, 0.9);
        assert!(a_nn < mu * a_nt && a_nt / a_tt < mu);
        let determinant = a_nn * a_tt - a_nt * a_nt;
        let (p, x) = ((a_tt * 0.2 + a_nt * 0.7) / determinant, (-a_nn * 0.7 - a_nt * 0.2) / determinant);
        agrees(&planar(a_nn, a_nt, a_tt, (0.2, -0.7), mu), p, x, ContactState::Sticking);
        agrees(&planar(a_nn, -a_nt, a_tt, (0.2, 0.7), mu), p, -x, ContactState::Sticking);
    }

    #[test]
    fn without_friction_only_the_normal_velocity_changes() {
        let a = Mat3::new(2.0, 0.5, -0.3, 0.5, 3.0, 0.2, -0.3, 0.2, 1.5);
        let solution = solve(&a, &Vec3::new(1.0, 0.4, -2.0), 0.0);
        assert_eq!(solution.impulse, Vec3::new(0.5, 0.0, 0.0));
        assert_eq!(solution.state, ContactState::Sliding);
    }

    #[test]
    fn a_separating_contact_gets_no_impulse() {
        for b_n in [0.0, -1.0] {
            let solution = solve(&Mat3::identity(), &Vec3::new(b_n, 1.0, 2.0), 0.5);
            assert_eq!(solution.impulse, Vec3::zeros());
            assert_eq!(solution.state, ContactState::Separating);
        }
    }

    #[test]
    fn a_block_that_is_not_positive_definite_returns_without_a_certificate() {
        let a = Mat3::new(1.0, 2.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        assert!(!solve(&a, &Vec3::new(1.0, 0.3, 0.2), 1.0).certified);
        assert!(!solve(&a, &Vec3::new(f64::NAN, 0.3, 0.2), 1.0).certified);
    }

    #[test]
    fn the_restart_direction_solves_its_equation() {
        let a = Mat3::new(2.0, -1.0, 0.5, -1.0, 1.5, 0.25, 0.5, 0.25, 2.0);
        let block = Block::new(&a, &Vec3::new(1.0, 0.0, 0.0), 0.25);
        let (w, beta) = block.restart();
        let off = (block.a_tt * w * 0.25 + w * beta + block.a_nt).norm();
        assert!(beta > 0.0 && off <= ROUNDING && (w.norm() - 1.0).abs() <= ROUNDING, "{w} {beta} off by {off}");
    }
}

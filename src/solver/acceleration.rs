//! Acceleration over sweeps: momentum with adaptive restart [Nesterov 1983; O'Donoghue and Candès 2015].
//!
//! ```text
//! Λ'_k = sweep(Λ_k)
//! Λ_{k+1} = Λ'_k + β_k (Λ'_k − Λ'_{k−1}),   β_k = (m − 1)/(m + 2),   m = 1, 2, 3 …
//! v_{k+1} = v'_k + β_k (v'_k − v'_{k−1})    for each body, since v is linear in Λ
//! E_k = Σ Ann ‖Λ'_k − Λ_k‖² over the contacts;   where E_k > 1.05 E_{k−1}:  m ← ⌊m/2⌋
//! ```
//!
//! A fixed point of the sweep is one of the accelerated iteration and the other way round: no solution is changed. What
//! is left when the sweeps end is Λ', which the law has put into the friction cones. The weight Ann makes the test
//! independent of units and of the ratio of masses. E is a sum kept by chunk, so β does not depend on the number of
//! threads.
//!
//! Nonsmooth nonlinear conjugate gradients [Silcowitz, Niebe and Erleben 2010], which the design asked for, add
//! β_k p_{k−1} with β_k = E_k/E_{k−1} and p_k = β_k p_{k−1} + Λ'_k − Λ_k, and restart where β_k exceeds one. Tried on the
//! same piles they left a larger residual at the same number of sweeps; so did, mostly, a restart from m = 1.

use crate::math::Vec3;
use crate::solver::bodies::Hot;

/// Growth of E that restarts the momentum: below it E only fluctuates.
const GROWTH: f64 = 1.05;

/// How a sweep moves the impulses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::solver) struct Pace {
    /// ω of a damped sweep; one for a plain one.
    pub(in crate::solver) damping: f64,
    /// β of an accelerated sweep.
    pub(in crate::solver) momentum: Option<f64>,
}

/// The velocity that the last sweep left a body with: v'_{k−1}.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Motion {
    linear: Vec3,
    angular: Vec3,
}

impl Motion {
    /// The motion of a body before the first sweep.
    pub(in crate::solver) fn of(hot: &Hot) -> Self {
        Self { linear: hot.linear, angular: hot.angular }
    }

    /// The velocity (linear, angular) from which the next sweep starts, for that which the last one left.
    #[inline(always)]
    pub(in crate::solver) fn step(&mut self, swept: &Hot, beta: f64) -> (Vec3, Vec3) {
        let next =
            (swept.linear + (swept.linear - self.linear) * beta, swept.angular + (swept.angular - self.angular) * beta);
        *self = Self::of(swept);
        next
    }
}

/// Chooses β from sweep to sweep.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Acceleration {
    /// E of the last sweep.
    last: f64,
    /// m.
    momentum: u32,
}

impl Default for Acceleration {
    fn default() -> Self {
        Self { last: f64::INFINITY, momentum: 0 }
    }
}

impl Acceleration {
    /// β for the sweep after one that changed the impulses by `energy` = E.
    pub(in crate::solver) fn beta(&mut self, energy: f64) -> f64 {
        if energy > GROWTH * self.last {
            self.momentum /= 2;
        }
        self.last = energy;
        self.momentum += 1;
        f64::from(self.momentum - 1) / f64::from(self.momentum + 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn momentum_grows_from_zero_and_is_halved_where_the_change_grows() {
        let mut acceleration = Acceleration::default();
        let m = |beta: f64| ((1.0 + 2.0 * beta) / (1.0 - beta)).round() as u32;
        let got = [9.0, 8.0, 8.0, 8.1, 5.0, 9.0, 1.0, 0.0, 0.0].map(|energy| m(acceleration.beta(energy)));
        assert_eq!(got, [1, 2, 3, 4, 5, 3, 4, 5, 6]);
    }
}

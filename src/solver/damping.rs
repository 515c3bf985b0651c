//! Damping of sweeps that go round in a cycle.
//!
//! ```text
//! Λ ← Λ + ω (law(Λ) − Λ),   ω = 1 (accelerated, then plain), then 0.5, then 0.2
//! ```
//!
//! A fixed point of the damped sweep is one of the plain sweep and the other way round, so damping changes no
//! solution; it ends the cycles of the plain sweep in most cases where a fixed point exists.

/// Damping factors in the order in which they are tried.
pub(in crate::solver) const FACTORS: [f64; 3] = [1.0, 0.5, 0.2];

/// A cycle keeps its residual; a slow solve still gains more than this within [`PATIENCE`] sweeps.
const GAIN: f64 = 0.99;

/// Plain or damped sweeps without a gain after which the residual counts as stagnant: long enough for the residual of a
/// large pile to fluctuate, short enough that damping is tried within the default limit of 200 sweeps.
pub(in crate::solver) const PATIENCE: usize = 50;
/// The same for accelerated sweeps, whose residual swings.
const SWINGING: usize = 100;
/// In a long solve patience is at least this share of the sweeps made: the slower a pile, the slower its swings.
const SHARE: usize = 4;

/// What to do after a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver) enum Verdict {
    /// Sweep on.
    Continue,
    /// Every factor was tried and the residual stagnates.
    Cycling,
}

/// Watches the rms residual from sweep to sweep and chooses the damping.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Damping {
    accelerated: bool,
    stage: usize,
    best: f64,
    since: usize,
    sweeps: usize,
}

impl Damping {
    /// Undamped sweeps, accelerated ones or plain ones.
    pub(in crate::solver) fn new(accelerated: bool) -> Self {
        Self { accelerated, stage: 0, best: f64::INFINITY, since: 0, sweeps: 0 }
    }

    /// Whether the next sweep is accelerated.
    pub(in crate::solver) fn accelerated(&self) -> bool {
        self.accelerated
    }

    /// The factor for the next sweep.
    pub(in crate::solver) fn factor(&self) -> f64 {
        FACTORS[self.stage]
    }

    /// Takes note of the residual of a sweep.
    pub(in crate::solver) fn observe(&mut self, residual: f64) -> Verdict {
        self.sweeps += 1;
        if residual < GAIN * self.best {
            self.best = residual;
            self.since = 0;
            return Verdict::Continue;
        }
        self.since += 1;
        let patience = if self.accelerated { SWINGING } else { PATIENCE };
        if self.since < patience.max(self.sweeps / SHARE) {
            return Verdict::Continue;
        }
        if self.accelerated {
            self.accelerated = false;
        } else if self.stage + 1 == FACTORS.len() {
            return Verdict::Cycling;
        } else {
            self.stage += 1;
        }
        self.since = 0;
        self.best = f64::INFINITY;
        Verdict::Continue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_residual_that_falls_slowly_is_left_alone() {
        let mut damping = Damping::new(true);
        for sweep in 1..5000 {
            // As on a settled pile: a power of the sweeps, 0.02 % a sweep at the end.
            let verdict = damping.observe(f64::from(sweep).powi(-1));
            assert_eq!(verdict, Verdict::Continue);
            assert!(damping.accelerated(), "damped at sweep {sweep}");
        }
    }

    #[test]
    fn a_cycle_loses_its_acceleration_is_damped_twice_and_then_reported() {
        for accelerated in [true, false] {
            let mut damping = Damping::new(accelerated);
            let mut factors = Vec::new();
            for sweep in 0.. {
                factors.push((damping.accelerated(), damping.factor()));
                if damping.observe([1.0, 0.7][sweep % 2]) == Verdict::Cycling {
                    break;
                }
            }
            factors.dedup();
            let all = [(true, 1.0), (false, 1.0), (false, 0.5), (false, 0.2)];
            assert_eq!(factors, all[usize::from(!accelerated)..]);
        }
    }
}

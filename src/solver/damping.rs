//! Damping of sweeps that go round in a cycle.
//!
//! ```text
//! Λ ← Λ + ω (law(Λ) − Λ),   ω = 1, then 0.5, then 0.2
//! ```
//!
//! A fixed point of the damped sweep is one of the plain sweep and the other way round, so damping changes no
//! solution; it ends the cycles of the plain sweep in most cases where a fixed point exists.

/// Damping factors in the order in which they are tried.
pub(in crate::solver) const FACTORS: [f64; 3] = [1.0, 0.5, 0.2];

/// A cycle keeps its residual; a slow solve still gains more than this within [`PATIENCE`] sweeps.
const GAIN: f64 = 0.99;

/// Sweeps without a gain after which the residual counts as stagnant. Long enough for the residual of a large pile
/// to fluctuate, short enough that all factors are tried within the default limit of 200 sweeps.
pub(in crate::solver) const PATIENCE: usize = 50;

/// What to do after a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::solver) enum Verdict {
    /// Sweep on.
    Continue,
    /// Every factor was tried and the residual stagnates.
    Cycling,
}

/// Watches the residual from sweep to sweep and chooses the damping.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Damping {
    stage: usize,
    best: f64,
    since: usize,
}

impl Default for Damping {
    fn default() -> Self {
        Self { stage: 0, best: f64::INFINITY, since: 0 }
    }
}

impl Damping {
    /// The factor for the next sweep.
    pub(in crate::solver) fn factor(&self) -> f64 {
        FACTORS[self.stage]
    }

    /// Takes note of the residual of a sweep.
    pub(in crate::solver) fn observe(&mut self, residual: f64) -> Verdict {
        if residual < GAIN * self.best {
            self.best = residual;
            self.since = 0;
            return Verdict::Continue;
        }
        self.since += 1;
        if self.since < PATIENCE {
            return Verdict::Continue;
        }
        if self.stage + 1 == FACTORS.len() {
            return Verdict::Cycling;
        }
        self.stage += 1;
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
        let mut damping = Damping::default();
        for sweep in 1..5000 {
            // As on a settled pile: a power of the sweeps, 0.02 % a sweep at the end.
            let verdict = damping.observe(f64::from(sweep).powi(-1));
            assert_eq!(verdict, Verdict::Continue);
            assert!(damping.factor() > 0.9, "damped at sweep {sweep}");
        }
    }

    #[test]
    fn a_cycle_is_damped_twice_and_then_reported() {
        let mut damping = Damping::default();
        let mut factors = Vec::new();
        for sweep in 0.. {
            factors.push(damping.factor());
            if damping.observe([1.0, 0.7][sweep % 2]) == Verdict::Cycling {
                break;
            }
        }
        factors.dedup();
        assert_eq!(factors, FACTORS);
    }
}

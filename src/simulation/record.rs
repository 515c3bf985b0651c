//! What a step reports.

use crate::simulation::Work;
use crate::solver::Outcome;

/// The record of one step: the state after it, and what it took to get there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepRecord {
    /// Number of the step, from 1.
    pub step: u64,
    /// Simulated time after it, in s.
    pub time: f64,
    /// Contacts within the margin.
    pub contacts: usize,
    /// Of these, contacts that stick.
    pub sticking: usize,
    /// Of these, contacts that slide.
    pub sliding: usize,
    /// Status, sweeps, residual and what is left; of stage 2 under `two-stage`.
    pub solve: Outcome,
    /// The same of the impact stage of `two-stage`; `None` where nothing hit.
    pub impacts: Option<Outcome>,
    /// The same of the push-out pass under `split`; `None` where nothing overlaps.
    pub push_out: Option<Outcome>,
    /// Largest overlap at the beginning of the step, in m; zero or more.
    pub overlap: f64,
    /// Kinetic energy of the free bodies after the step, in J.
    pub kinetic: f64,
    /// Potential energy of the free bodies after the step, in J.
    pub potential: f64,
    /// Work done in this step, by kind.
    pub work: Work,
    /// The part of it that the impact stage did.
    pub impact_work: Work,
    /// Work since the beginning, by kind.
    pub total: Work,
    /// |energy − initial energy − total work| by the largest of these, each taken alone.
    pub ledger_error: f64,
}

//! What a run comes to, added up over its steps.

use crate::simulation::Simulation;
use crate::simulation::StepRecord;
use crate::solver::Outcome;
use crate::solver::Status;

/// Sums and extremes over the steps so far; saved in the checkpoint, so that a resumed run ends with those of the whole.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Totals {
    /// Steps made.
    pub steps: u64,
    /// Sweeps over the contacts.
    pub sweeps: u64,
    /// Contacts, summed over the steps.
    pub contacts: u64,
    /// Steps whose residual stayed above the tolerance.
    pub not_converged: u64,
    /// Steps whose residual stayed above ten times the tolerance, or was no number.
    pub missed: u64,
    /// Steps whose sweeps went round in a cycle.
    pub cycling: u64,
    /// Largest residual, by its scale.
    pub largest_residual: f64,
    /// Largest overlap in m.
    pub largest_overlap: f64,
    /// Largest error of the energy ledger, by its largest term.
    pub ledger_error: f64,
    /// Impulses that the law did not certify.
    pub uncertified: u64,
    /// Steps in which a body moved more than half its size.
    pub fast_steps: u64,
    /// The first body that did, and when, in s.
    pub fast: Option<(String, f64)>,
    /// Inlets that had to wait for room: name, steps of waiting, time of the first in s.
    pub waited: Vec<(String, u64, f64)>,
    /// Simulated time in s at which a velocity was no finite number.
    pub broken: Option<f64>,
}

impl Totals {
    /// Adds a step; `tolerance` is the one of the solve, `names` those of the bodies by their ids.
    pub fn add(&mut self, simulation: &Simulation, record: &StepRecord, tolerance: f64, names: &[String]) {
        let stages = [Some(record.solve), record.impacts, record.push_out];
        let stages = || stages.iter().flatten();
        let any = |test: &dyn Fn(&Outcome) -> bool| u64::from(stages().any(test));
        self.steps = record.step;
        self.sweeps += stages().map(|stage| stage.report.sweeps as u64).sum::<u64>();
        self.contacts += record.contacts as u64;
        self.not_converged += any(&|stage| stage.report.status != Status::Converged);
        // A residual that is no number has missed too.
        let within =
            |stage: &Outcome| stage.report.status == Status::Converged || stage.report.residual <= 10.0 * tolerance;
        self.missed += any(&|stage| !within(stage));
        self.cycling += any(&|stage| stage.report.status == Status::Cycling);
        self.largest_residual = stages().fold(self.largest_residual, |m, stage| m.max(stage.report.residual));
        self.largest_overlap = self.largest_overlap.max(record.overlap);
        self.ledger_error = self.ledger_error.max(record.ledger_error);
        self.uncertified += stages().map(|stage| u64::from(stage.uncertified)).sum::<u64>();
        if self.broken.is_none() && !record.kinetic.is_finite() {
            self.broken = Some(record.time);
        }
        self.watch_speeds(simulation, record.time, names);
        self.watch_inlets(simulation);
    }

    /// Notes a body that moves more than half its size in a step: it may pass through another unseen.
    fn watch_speeds(&mut self, simulation: &Simulation, time: f64, names: &[String]) {
        let (world, dt) = (simulation.world(), simulation.settings().dt);
        let fast = (0..world.len())
            .filter(|i| world.is_free(*i))
            .find(|i| world.velocities()[*i].linear.norm() * dt > 0.5 * world.shapes()[*i].size());
        if let Some(body) = fast {
            self.fast_steps += 1;
            self.fast.get_or_insert_with(|| (names[world.ids()[body] as usize].clone(), time));
        }
    }

    /// Notes the inlets that have waited.
    fn watch_inlets(&mut self, simulation: &Simulation) {
        let inlets = simulation.events().inlets.iter().zip(&simulation.memory().flow.inlets);
        for (inlet, poured) in inlets {
            let Some(first) = poured.first_wait else { continue };
            match self.waited.iter_mut().find(|(name, ..)| *name == inlet.name) {
                Some((_, waited, _)) => *waited = poured.waited,
                None => self.waited.push((inlet.name.clone(), poured.waited, first)),
            }
        }
    }

    /// Share of the steps that missed ten times the tolerance.
    pub fn missed_share(&self) -> f64 {
        if self.steps == 0 { 0.0 } else { self.missed as f64 / self.steps as f64 }
    }

    /// What the user must know, in sentences.
    pub fn warnings(&self, allowed_missed: f64) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(time) = self.broken {
            warnings.push(format!("the motion has no finite energy from t = {time} s on: take a smaller step"));
        }
        if self.missed_share() > allowed_missed {
            warnings.push(format!(
                "{} of {} steps ({:.1} %) missed ten times the tolerance, more than the allowed {:.1} %: \
                 allow more sweeps (numerics.max-sweeps) or take a smaller step",
                self.missed,
                self.steps,
                100.0 * self.missed_share(),
                100.0 * allowed_missed
            ));
        } else if self.missed > 0 {
            warnings.push(format!("{} of {} steps missed ten times the tolerance", self.missed, self.steps));
        }
        if self.cycling > 0 {
            warnings.push(format!("the sweeps of {} steps went round in a cycle", self.cycling));
        }
        for (name, waited, first) in &self.waited {
            warnings.push(format!(
                "the inlet `{name}` found no room for a particle in {waited} steps, first at t = {first} s, and waited"
            ));
        }
        if let Some((name, time)) = &self.fast {
            warnings.push(format!(
                "`{name}` moved more than half its size in a step at t = {time} s ({} such steps): take a smaller step",
                self.fast_steps
            ));
        }
        warnings
    }
}

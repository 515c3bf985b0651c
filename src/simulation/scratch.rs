//! Buffers of a simulation: reused from step to step, never saved.

use crate::collision::Contact;
use crate::collision::Detector;
use crate::law::ContactState;
use crate::math::Vec3;
use crate::penalty::contacts::Forces;
use crate::simulation::Arrival;
use crate::simulation::Work;
use crate::solver::ContactSolver;
use crate::world::Velocity;

/// Buffers; after the first steps no step allocates.
#[derive(Debug, Default)]
pub(in crate::simulation) struct Scratch {
    pub(in crate::simulation) detector: Detector,
    pub(in crate::simulation) solver: ContactSolver,
    /// Contacts of the last step, sorted by (a, b, feature).
    pub(in crate::simulation) contacts: Vec<Contact>,
    /// How far each body can move in the step, in m.
    pub(in crate::simulation) travel: Vec<f64>,
    /// Velocities at the beginning of the stage.
    pub(in crate::simulation) before: Vec<Velocity>,
    /// Velocities without contacts, then those with.
    pub(in crate::simulation) after: Vec<Velocity>,
    /// Pseudo-velocities that push overlaps out.
    pub(in crate::simulation) push: Vec<Velocity>,
    /// Correction c of each contact in m/s.
    pub(in crate::simulation) corrections: Vec<f64>,
    /// Impulse that each contact starts from, in N·s, inertial frame.
    pub(in crate::simulation) starts_w: Vec<Vec3>,
    /// Impulse of each contact in the last stage, in N·s, inertial frame.
    pub(in crate::simulation) impulses_w: Vec<Vec3>,
    /// Impulse of each contact in the impact stage; empty where there was none.
    pub(in crate::simulation) impacts_w: Vec<Vec3>,
    pub(in crate::simulation) states: Vec<ContactState>,
    /// Partial sums of the ledger, by chunk.
    pub(in crate::simulation) sums: Vec<Work>,
    pub(in crate::simulation) energies: Vec<(f64, f64)>,
    pub(in crate::simulation) spins: Vec<f64>,
    /// Whether each body is removed before the step, and the new index of each.
    pub(in crate::simulation) gone: Vec<bool>,
    pub(in crate::simulation) map: Vec<u32>,
    /// Bodies that inlets poured before the step.
    pub(in crate::simulation) arrivals: Vec<Arrival>,
    /// Bodies near an inlet, and what a place there touches.
    pub(in crate::simulation) near: Vec<u32>,
    pub(in crate::simulation) found: Vec<Contact>,
    /// What contacts do to bodies under `penalty`.
    pub(in crate::simulation) forces: Forces,
    /// Ids of the bodies whose pairs the detector holds under `penalty`.
    pub(in crate::simulation) listed: Vec<u32>,
}

//! The step: impulse–velocity time stepping.

use crate::collision::Contact;
use crate::collision::Geometry;
use crate::collision::travel;
use crate::error::Fault;
use crate::error::Result;
use crate::integrator;
use crate::integrator::State;
use crate::law::ContactState;
use crate::law::Law;
use crate::math::Vec3;
use crate::penalty::Configuration;
use crate::penalty::System;
use crate::simulation::Arrival;
use crate::simulation::Correction;
use crate::simulation::Events;
use crate::simulation::Ledger;
use crate::simulation::Memory;
use crate::simulation::Settings;
use crate::simulation::StepRecord;
use crate::simulation::Work;
use crate::simulation::compliant;
use crate::simulation::events;
use crate::simulation::items::Stepper;
use crate::simulation::ledger;
use crate::simulation::ledger::Stretch;
use crate::simulation::scratch::Scratch;
use crate::simulation::settings::velocity_floor;
use crate::solver::Criteria;
use crate::solver::Outcome;
use crate::solver::Stage;
use crate::world::Velocity;
use crate::world::World;

/// A world in time.
///
/// World and memory are its state: a simulation resumed from both goes on bit for bit. Results do not depend on the
/// number of threads of the rayon pool that a step runs in.
#[derive(Debug)]
pub struct Simulation {
    world: World,
    memory: Memory,
    settings: Settings,
    events: Events,
    /// The step that is prepared, and the energy in J that came with its events.
    prepared: Option<(u64, f64)>,
    scratch: Scratch,
    /// Contact items, where the settings have some.
    items: Option<Stepper>,
}

impl Simulation {
    /// A simulation of `world` from its present state.
    ///
    /// # Errors
    ///
    /// Every setting that is out of its range.
    pub fn new(world: World, settings: Settings) -> Result<Self> {
        let mut simulation = Self::resume(world, Memory::default(), settings)?;
        simulation.world.place_driven(0.0);
        let (kinetic, potential) = simulation.energy();
        if simulation.settings.law == Law::Penalty && simulation.items.is_none() {
            simulation.memory.compliant = Some(simulation.settings.compliance.derive(&simulation.world));
        }
        simulation.memory.ledger = Ledger { initial: kinetic + potential, kinetic, potential, ..Ledger::default() };
        Ok(simulation)
    }

    /// A simulation that goes on from a saved world and memory.
    ///
    /// # Errors
    ///
    /// Every setting that is out of its range; of contact items, what is wrong with them or their step.
    pub fn resume(world: World, mut memory: Memory, settings: Settings) -> Result<Self> {
        settings.validate()?;
        let items = match &settings.items {
            Some(items) => Some(Stepper::new(items, &world, &mut memory.items)?),
            None => None,
        };
        let (events, scratch) = (Events::default(), Scratch::default());
        Ok(Self { world, memory, settings, events, prepared: None, scratch, items })
    }

    /// The same simulation with things that are to happen, before its first step or where it was resumed.
    #[must_use]
    pub fn with_events(mut self, events: Events) -> Self {
        self.memory.flow.outlets.resize_with(events.outlets.len(), Default::default);
        self.memory.flow.inlets.resize_with(events.inlets.len(), Default::default);
        if self.settings.law == Law::Penalty && self.memory.step == 0 && !events.inlets.is_empty() {
            // The law has to do for the bodies that are still to come.
            let mut world = self.world.clone();
            for body in events.inlets.iter().flat_map(|inlet| inlet.samples()) {
                world.add(body);
            }
            self.memory.compliant = Some(self.settings.compliance.derive(&world));
        }
        self.events = events;
        self
    }

    /// Lets happen what is due before the next step, and gives driven bodies their velocity in it. A step does this
    /// itself; call it to see the world that the step begins with.
    pub fn prepare(&mut self) {
        if self.prepared.is_some_and(|(step, _)| step == self.memory.step) {
            return;
        }
        let Self { world, memory, settings, events, scratch, .. } = self;
        let came = events::happen(events, world, memory, settings.dt, scratch);
        let (from, to) = (self.time_of(self.memory.step), self.time_of(self.memory.step + 1));
        self.world.drive(from, to);
        self.prepared = Some((self.memory.step, came));
    }

    /// Simulated time in s after so many steps: a product, so that drives are functions of the step alone.
    fn time_of(&self, step: u64) -> f64 {
        step as f64 * self.settings.dt
    }

    /// Kinetic and potential energy in J, masses included.
    fn energy(&mut self) -> (f64, f64) {
        let (kinetic, potential) = ledger::energy(&self.world, &mut self.scratch.energies);
        let masses = self.items.as_ref().zip(self.memory.items.as_ref());
        (kinetic + masses.map_or(0.0, |(items, state)| items.kinetic_of_masses(state)), potential)
    }

    /// One step of δt:
    ///
    /// ```text
    /// [events]  →  contacts at x, q  →  [two-stage: v ← v + M⁻¹W Λ_impact]  →  v_f = v + δt M⁻¹f
    ///           →  v⁺ = v_f + M⁻¹W Λ  →  x⁺ = x + δt v⁺,  q⁺ = exp(δt ω⁺/2) q
    /// ```
    ///
    /// Under `penalty` the step is made of sub-steps of the force law instead; with contact items, of steps of their
    /// integrator. Those can fail: see [`Simulation::failure`].
    pub fn step(&mut self) -> StepRecord {
        self.prepare();
        if self.items.is_some() {
            return self.step_items();
        }
        if self.settings.law == Law::Penalty {
            let Self { world, memory, settings, scratch, .. } = self;
            let done = compliant::substeps(world, memory, settings, scratch);
            let record = self.record(Outcome::NOTHING, None, None, done.work, Work::default());
            return StepRecord { overlap: done.overlap, ..record };
        }
        self.detect();
        let (impacts, impact_work) = match self.settings.law {
            Law::TwoStage => self.impacts(),
            _ => (None, Work::default()),
        };
        self.free_velocity();
        let solve = self.solve();
        let mut work = impact_work + self.contact_work();
        let push_out = self.push_out();
        work = work + self.body_work(push_out.is_some());
        work.integration += self.advance(push_out.is_some());
        self.record(solve, impacts, push_out, work, impact_work)
    }

    /// One step of the contact items.
    fn step_items(&mut self) -> StepRecord {
        let end = self.time_of(self.memory.step + 1);
        let Self { world, memory, scratch, items, .. } = self;
        let (items, state) = items.as_mut().zip(memory.items.as_mut()).expect("made together");
        let done = items.step(world, state, end, &mut scratch.states);
        let contacts = scratch.states.len();
        let record = self.record(Outcome::NOTHING, None, None, done.work, Work::default());
        StepRecord { contacts, overlap: done.overlap, ..record }
    }

    /// Why contact items could not be stepped on, if they could not: a step beyond the stability limit that a contact
    /// has set on the way, an iteration that did not converge, an undefined contact. Further steps do nothing.
    pub fn failure(&self) -> Option<&Fault> {
        self.items.as_ref().and_then(|items| items.failure.as_ref())
    }

    /// The contact items with their present state, where the settings have some.
    pub fn items(&self) -> Option<(&System, &State<Configuration>)> {
        self.items.as_ref().zip(self.memory.items.as_ref()).map(|(items, saved)| (&items.system, &saved.state))
    }

    /// Finds and prepares the contacts at the present positions.
    fn detect(&mut self) {
        let Self { world, settings, scratch, .. } = self;
        let dt = settings.dt;
        // `cone` holds a sliding contact open by δt μ v: its margin has to reach that far.
        let reach = match settings.law {
            Law::Cone => world.materials().largest_friction().max(1.0),
            _ => 1.0,
        };
        let gained = world.gravity().norm() * dt;
        scratch.travel.clear();
        scratch.travel.extend((0..world.len()).map(|i| {
            let Velocity { linear, angular } = world.velocities()[i];
            let falling = if world.is_free(i) { gained * dt } else { 0.0 };
            reach * (travel(&world.shapes()[i], &linear, &angular, dt) + falling)
        }));
        let geometry =
            Geometry::new(world.positions(), world.orientations(), world.shapes(), world.free(), &scratch.travel)
                .with_periods(*world.periods());
        scratch.detector.detect(geometry, settings.margin, &mut scratch.contacts);
        scratch.solver.prepare(world, &scratch.contacts, settings.closed_form);
        scratch.before.clear();
        scratch.before.extend_from_slice(world.velocities());
        scratch.after.resize(world.len(), Velocity::default());
        scratch.impacts_w.clear();
    }

    /// Stage 1 of two: impacts at the velocities of the step's beginning, without forces. Nothing where nothing hits.
    fn impacts(&mut self) -> (Option<Outcome>, Work) {
        let Self { world, memory, settings, scratch, .. } = self;
        let slow = settings.impact_speed_in(world);
        let mut hit = false;
        scratch.corrections.clear();
        scratch.corrections.extend(scratch.contacts.iter().map(|contact| {
            let closing = -relative_normal(world, contact, &scratch.before);
            let mut c = contact.gap.max(0.0) / settings.dt;
            if closing > 0.0 && closing <= slow {
                c = c.max(closing);
            }
            hit |= closing > c;
            c
        }));
        if !hit {
            return (None, Work::default());
        }
        let criteria = Criteria {
            tolerance: settings.tolerance,
            max_sweeps: settings.max_sweeps,
            accelerated: settings.acceleration,
            floor: memory.largest_impulse().max(smallest_mass(world) * velocity_floor(&world.gravity(), settings.dt)),
        };
        scratch.solver.load(world, &scratch.before, &scratch.corrections, None);
        let outcome = scratch.solver.solve(Stage::Impacts, &criteria);
        scratch.solver.store_velocities(&mut scratch.after);
        scratch.solver.store_impulses(&mut scratch.impacts_w, &mut scratch.states);
        let stretch = Stretch { before: &scratch.before, after: &scratch.after };
        let work = ledger::contact_work(world, &scratch.contacts, &scratch.impacts_w, stretch, &mut scratch.sums);
        world.set_velocities(&scratch.after);
        scratch.before.copy_from_slice(world.velocities());
        (Some(outcome), work)
    }

    /// The velocities without contacts.
    fn free_velocity(&mut self) {
        integrator::free_velocity(&self.world, self.settings.dt, self.settings.gyroscopic, &mut self.scratch.after);
    }

    /// The contact impulses of the step, and the velocities with them.
    fn solve(&mut self) -> Outcome {
        let Self { world, memory, settings, scratch, .. } = self;
        scratch.corrections.clear();
        scratch.corrections.extend(scratch.contacts.iter().map(|contact| settings.correction_of(contact.gap)));
        memory.recall(&scratch.contacts, &mut scratch.starts_w);
        let starts = settings.warm_start.then_some(scratch.starts_w.as_slice());
        scratch.solver.load(world, &scratch.after, &scratch.corrections, starts);
        let stage = match settings.law {
            Law::Coulomb => Stage::Coulomb,
            Law::Cone => Stage::Cone,
            Law::Frictionless => Stage::Frictionless,
            Law::TwoStage => Stage::CoulombLeast,
            // Settings::validate lets no other law in.
            Law::MaxDissipation | Law::Incremental | Law::Penalty => Stage::MaxDissipation,
        };
        let outcome = scratch.solver.solve(stage, &criteria(world, settings));
        scratch.solver.store_velocities(&mut scratch.after);
        scratch.solver.store_impulses(&mut scratch.impulses_w, &mut scratch.states);
        memory.remember(&scratch.contacts, &scratch.impulses_w);
        outcome
    }

    /// Under `split`: the pseudo-velocity that pushes overlaps out, frictionless, for positions only.
    ///
    /// ```text
    /// u_n ≥ −(erp ξ/δt + δvn⁺) for an overlap,   u_n ≥ −(ξ/δt + δvn⁺) for an open contact
    /// ```
    fn push_out(&mut self) -> Option<Outcome> {
        let Self { world, settings, scratch, .. } = self;
        let overlapping = scratch.contacts.iter().any(|contact| contact.gap < 0.0);
        if settings.correction != Correction::Split || !overlapping {
            return None;
        }
        scratch.corrections.clear();
        scratch.corrections.extend(scratch.contacts.iter().map(|contact| {
            let c = if contact.gap > 0.0 { contact.gap / settings.dt } else { settings.push_out(contact.gap) };
            c + relative_normal(world, contact, &scratch.after).max(-c.max(0.0))
        }));
        scratch.push.clear();
        scratch.push.resize(world.len(), Velocity::default());
        scratch.solver.load(world, &scratch.push, &scratch.corrections, None);
        let outcome = scratch.solver.solve(Stage::Frictionless, &criteria(world, settings));
        scratch.solver.store_velocities(&mut scratch.push);
        Some(outcome)
    }

    /// Work of the step's contact impulses.
    fn contact_work(&mut self) -> Work {
        let Self { world, scratch, .. } = self;
        let stretch = Stretch { before: &scratch.before, after: &scratch.after };
        ledger::contact_work(world, &scratch.contacts, &scratch.impulses_w, stretch, &mut scratch.sums)
    }

    /// Work of loads, gyroscopic term and the potential's quadrature.
    fn body_work(&mut self, pushed: bool) -> Work {
        let Self { world, settings, scratch, .. } = self;
        let stretch = Stretch { before: &scratch.before, after: &scratch.after };
        let push = pushed.then_some(scratch.push.as_slice());
        ledger::body_work(world, settings.dt, settings.gyroscopic, stretch, push, &mut scratch.sums)
    }

    /// Takes over the new velocities and moves the bodies; returns the work of turning them by a pseudo-velocity.
    fn advance(&mut self, pushed: bool) -> f64 {
        let Self { world, settings, scratch, .. } = self;
        world.set_velocities(&scratch.after);
        if !pushed {
            integrator::advance(world, settings.dt, None);
            return 0.0;
        }
        ledger::spin_energies(world, &mut scratch.spins);
        integrator::advance(world, settings.dt, Some(&scratch.push));
        ledger::turning_work(world, &scratch.spins)
    }

    /// Closes the step: time, ledger, record.
    fn record(
        &mut self,
        solve: Outcome,
        impacts: Option<Outcome>,
        push_out: Option<Outcome>,
        mut work: Work,
        impact_work: Work,
    ) -> StepRecord {
        let end = self.time_of(self.memory.step + 1);
        work.external += self.prepared.take().map_or(0.0, |(_, came)| came);
        self.world.place_driven(end);
        let (kinetic, potential) = self.energy();
        let Self { memory, scratch, .. } = self;
        memory.step += 1;
        memory.time = end;
        let ledger = &mut memory.ledger;
        ledger.total = ledger.total + work;
        ledger.impacts = ledger.impacts + impact_work;
        ledger.kinetic = kinetic;
        ledger.potential = potential;
        let count = |state: ContactState| scratch.states.iter().filter(|s| **s == state).count();
        StepRecord {
            step: memory.step,
            time: memory.time,
            contacts: scratch.contacts.len(),
            sticking: count(ContactState::Sticking),
            sliding: count(ContactState::Sliding),
            solve,
            impacts,
            push_out,
            overlap: scratch.contacts.iter().fold(0.0, |overlap: f64, contact| overlap.max(-contact.gap)),
            kinetic,
            potential,
            work,
            impact_work,
            total: ledger.total,
            ledger_error: ledger.error(),
        }
    }

    /// The world in its present state.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What the simulation remembers beside the world.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the world between two steps; the change of its energy is booked as external work.
    pub fn edit<T>(&mut self, change: impl FnOnce(&mut World) -> T) -> T {
        let answer = change(&mut self.world);
        self.scratch.detector.forget();
        let (kinetic, potential) = self.energy();
        let ledger = &mut self.memory.ledger;
        ledger.total.external += (kinetic - ledger.kinetic) + (potential - ledger.potential);
        ledger.kinetic = kinetic;
        ledger.potential = potential;
        answer
    }

    /// What is to happen.
    pub fn events(&self) -> &Events {
        &self.events
    }

    /// Bodies that inlets poured before the last step.
    pub fn arrivals(&self) -> &[Arrival] {
        &self.scratch.arrivals
    }

    /// World and memory, for a checkpoint or another simulation.
    pub fn into_state(self) -> (World, Memory) {
        (self.world, self.memory)
    }

    /// Contacts of the last step, as they were at its beginning, sorted by (a, b, feature).
    pub fn contacts(&self) -> &[Contact] {
        &self.scratch.contacts
    }

    /// Impulse on body a of each contact in the last step, in N·s, in the inertial frame; without the impact stage.
    pub fn impulses_w(&self) -> &[Vec3] {
        &self.scratch.impulses_w
    }

    /// Impulse of each contact in the impact stage of the last step; empty where there was none.
    pub fn impacts_w(&self) -> &[Vec3] {
        &self.scratch.impacts_w
    }

    /// State of each contact in the last step.
    pub fn states(&self) -> &[ContactState] {
        &self.scratch.states
    }

    /// Mean force in N that all contacts exerted on a body over the last step, impacts included, inertial frame.
    pub fn contact_force(&self, body: usize) -> Vec3 {
        let impulse = |list: &[Vec3]| {
            let pairs = self.scratch.contacts.iter().zip(list);
            pairs.fold(Vec3::zeros(), |sum, (contact, impulse_w)| {
                sum + impulse_w * (f64::from(contact.a as usize == body) - f64::from(contact.b as usize == body))
            })
        };
        (impulse(&self.scratch.impulses_w) + impulse(&self.scratch.impacts_w)) / self.settings.dt
    }
}

/// δvn of a contact in m/s.
#[inline]
fn relative_normal(world: &World, contact: &Contact, velocities: &[Velocity]) -> f64 {
    let (arm_a, arm_b) = contact.arms(world.positions(), world.periods());
    (velocities[contact.a as usize].at(&arm_a) - velocities[contact.b as usize].at(&arm_b)).dot(&contact.normal_w)
}

fn criteria(world: &World, settings: &Settings) -> Criteria {
    Criteria {
        tolerance: settings.tolerance,
        max_sweeps: settings.max_sweeps,
        accelerated: settings.acceleration,
        floor: velocity_floor(&world.gravity(), settings.dt),
    }
}

/// Mass of the lightest free body in kg.
fn smallest_mass(world: &World) -> f64 {
    world.masses().iter().zip(world.free()).filter(|(_, free)| **free).fold(f64::INFINITY, |m, (mass, _)| m.min(*mass))
}

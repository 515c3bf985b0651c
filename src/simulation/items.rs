//! Scenes of contact items: bodies and masses, stepped by an integrator of compliant contacts.
//!
//! ```text
//! each step δt:   [ forces of the items ▶ integrate, landing on contact events ▶ update histories ]…   ▶ world
//! works           loads, normal forces and friction: their power over each step of the integrator, by the
//!                 trapezoidal rule; the ledger's error is that of the rule and of the integrator
//! ```

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::integrator;
use crate::integrator::Integrator;
use crate::integrator::Moment;
use crate::integrator::State;
use crate::law::ContactState;
use crate::law::penalty::History;
use crate::math::Mat3;
use crate::math::Vec3;
use crate::penalty::Attachment;
use crate::penalty::Configuration;
use crate::penalty::Coordinate;
use crate::penalty::CoordinateOf;
use crate::penalty::ItemHandle;
use crate::penalty::Mass1D;
use crate::penalty::Power;
use crate::penalty::RigidBody;
use crate::penalty::SphereSphere;
use crate::penalty::SphereTorus;
use crate::penalty::System;
use crate::simulation::Work;
use crate::world::Velocity;
use crate::world::World;

/// The contact items of a run, with masses and integrator. Body handles count the free bodies of the world.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Items {
    /// Names of the masses.
    pub mass_names: Vec<String>,
    /// The masses.
    pub masses: Vec<Mass1D>,
    /// The items.
    pub contacts: Vec<AttachedItem>,
    /// How they are stepped.
    pub integrator: integrator::Settings,
}

/// A contact item with what it acts on.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttachedItem {
    /// Two spheres, centred on the two markers.
    SphereSphere(Box<SphereSphere>, [Attachment; 2]),
    /// A sphere, centred on the first marker, in a torus, centred on the second.
    SphereTorus(Box<SphereTorus>, [Attachment; 2]),
    /// A stop between two coordinates.
    Coordinate(Box<Coordinate>, [CoordinateOf; 2]),
}

/// State of items and masses: with the world, everything that the next step depends on.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ItemsState {
    /// Positions, velocities and accelerations of bodies and masses.
    pub state: State<Configuration>,
    /// Histories of the items.
    pub histories: Vec<History>,
}

/// Items on their way.
#[derive(Debug)]
pub(in crate::simulation) struct Stepper {
    pub(in crate::simulation) system: System,
    integrator: Integrator<Configuration>,
    /// The free bodies of the world, in order.
    free: Vec<usize>,
    /// Why the motion could not go on.
    pub(in crate::simulation) failure: Option<Fault>,
}

/// What a step of the items came to.
pub(in crate::simulation) struct Stepped {
    pub(in crate::simulation) work: Work,
    /// Largest overlap at its end, in m.
    pub(in crate::simulation) overlap: f64,
}

impl Items {
    /// One line for whoever starts the run.
    pub fn summary(&self) -> String {
        format!(
            "{} contact items, stepped by {} in steps of at most {} s; shapes do not touch by themselves",
            self.contacts.len(),
            self.integrator.method.name(),
            self.integrator.step
        )
    }

    fn system(&self, world: &World, free: &[usize]) -> Result<System> {
        let mut system = System::default();
        for i in free {
            let frame = world.frames()[*i].to_rotation_matrix().into_inner();
            let inertia_b = if world.is_isotropic(*i) {
                Mat3::identity() * world.inertias()[*i].x
            } else {
                frame * Mat3::from_diagonal(&world.inertias()[*i]) * frame.transpose()
            };
            let velocity = world.velocities()[*i];
            system.add_body(RigidBody {
                mass: world.masses()[*i],
                inertia_b,
                position_w: world.positions()[*i],
                orientation: world.orientations()[*i],
                velocity_w: velocity.linear,
                angular_velocity_w: velocity.angular,
                gravity_w: world.gravity(),
                force_w: world.forces()[*i],
                torque_w: world.torques()[*i],
            });
        }
        for mass in &self.masses {
            system.add_mass(*mass);
        }
        for contact in &self.contacts {
            match contact {
                AttachedItem::SphereSphere(item, at) => system.add_sphere_sphere((**item).clone(), *at)?,
                AttachedItem::SphereTorus(item, at) => system.add_sphere_torus((**item).clone(), *at)?,
                AttachedItem::Coordinate(item, of) => system.add_coordinate((**item).clone(), of.clone())?,
            };
        }
        Ok(system)
    }
}

impl Stepper {
    /// The items on `world`, going on from `saved` if there is such a state, which is filled in if not.
    pub(in crate::simulation) fn new(items: &Items, world: &World, saved: &mut Option<ItemsState>) -> Result<Self> {
        let in_table = |mut fault: Fault| {
            fault.key = format!("integrator.{}", fault.key);
            fault
        };
        let integrator = Integrator::new(items.integrator)
            .map_err(|faults| Error::Input(faults.into_iter().map(in_table).collect()))?;
        let free: Vec<usize> = (0..world.len()).filter(|i| world.is_free(*i)).collect();
        let mut system = items.system(world, &free)?;
        let initial = system.initial_state()?;
        if let Some(saved) = saved {
            system.set_histories(&saved.histories)?;
        } else {
            *saved = Some(ItemsState { state: initial, histories: system.histories().to_vec() });
        }
        let state = &saved.as_ref().expect("filled in above").state;
        integrator.check_stability(&system, state).map_err(|fault| {
            let mut fault = in_table(fault);
            fault.remedy.push_str(" by integrator.override-stability = true");
            Error::from(fault)
        })?;
        Ok(Self { system, integrator, free, failure: None })
    }

    /// Steps items and bodies to the time `until` in s and tells the world; `states` gets those of the closed contacts.
    pub(in crate::simulation) fn step(
        &mut self,
        world: &mut World,
        saved: &mut ItemsState,
        until: f64,
        states: &mut Vec<ContactState>,
    ) -> Stepped {
        let Self { system, integrator, free, failure } = self;
        let state = &mut saved.state;
        let mut work = Work::default();
        if failure.is_none() {
            let (mut time, mut power) = (state.time, system.power(state));
            let advanced = integrator.advance_watched(system, state, until, |system, state, moment| {
                let now = system.power(state);
                if moment == Moment::Reached {
                    add(&mut work, &power, &now, state.time - time);
                }
                (time, power) = (state.time, now);
            });
            *failure = advanced.err();
        }
        saved.histories.copy_from_slice(system.histories());
        let motion = world.motion_mut();
        for (k, i) in free.iter().enumerate() {
            motion.positions[*i] = state.configuration.positions[k];
            motion.orientations[*i] = state.configuration.orientations[k];
        }
        for (k, i) in free.iter().enumerate() {
            let v = &state.velocity[6 * k..6 * k + 6];
            let linear = Vec3::new(v[0], v[1], v[2]);
            world.set_velocity(*i, Velocity { linear, angular: Vec3::new(v[3], v[4], v[5]) });
        }
        states.clear();
        let mut overlap = 0.0_f64;
        for number in 0..system.item_count() {
            if let Some((gap, contact)) = system.touching(ItemHandle(number), state) {
                overlap = overlap.max(-gap);
                states.push(contact);
            }
        }
        Stepped { work, overlap }
    }

    /// Kinetic energy of the masses in J.
    pub(in crate::simulation) fn kinetic_of_masses(&self, saved: &ItemsState) -> f64 {
        self.system.kinetic_energy_of_masses(&saved.state.velocity)
    }
}

/// Adds the work over `h` seconds between two powers.
fn add(work: &mut Work, before: &Power, after: &Power, h: f64) {
    work.external += 0.5 * h * (before.loads + after.loads);
    work.normal += 0.5 * h * (before.normal + after.normal);
    work.friction += 0.5 * h * (before.friction + after.friction);
}

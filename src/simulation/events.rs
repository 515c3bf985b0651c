//! What happens between two steps: bodies are taken away where they leave, walls open, inlets pour.
//!
//! At the beginning of the step n, at t = n δt, in this order:
//!
//! ```text
//! openings   bodies whose time has come are gone
//! outlets    free bodies whose centre is on the outlet's side are gone, counted with their mass
//! inlets     new bodies come, as the rate allows and where there is room
//! ```
//!
//! The energy that goes and comes with the bodies is external work of the step, computed from each body itself. What has
//! happened so far ([`Flow`]) is part of the memory, so a resumed run goes on as the unbroken one.

use crate::collision::image_shift;
use crate::math::Vec3;
use crate::scene::Region;
use crate::simulation::Inlet;
use crate::simulation::inlet;
use crate::simulation::inlet::Poured;
use crate::simulation::memory::Memory;
use crate::simulation::scratch::Scratch;
use crate::world::World;

/// Everything that is to happen.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Events {
    /// Bodies that are removed at a time.
    pub openings: Vec<Opening>,
    /// Where bodies leave.
    pub outlets: Vec<Outlet>,
    /// Where bodies come.
    pub inlets: Vec<Inlet>,
}

impl Events {
    fn is_empty(&self) -> bool {
        self.openings.is_empty() && self.outlets.is_empty() && self.inlets.is_empty()
    }
}

/// A body, usually a wall, is removed at the beginning of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// The body, by its id.
    pub body: u32,
    /// Steps that are made before.
    pub step: u64,
}

/// Removes free bodies whose centre is on one side of a region's border.
#[derive(Clone, Debug, PartialEq)]
pub struct Outlet {
    /// Its name in tables.
    pub name: String,
    /// The region; in periodic space its nearest image.
    pub region: Region,
    /// Whether bodies inside go, or those outside.
    pub inside: bool,
}

impl Outlet {
    fn takes(&self, x: &Vec3, periods: &[Option<f64>; 3]) -> bool {
        let (low, high) = self.region.bounds();
        let x = x + image_shift(periods, x, &((low + high) * 0.5));
        self.region.holds(&x, 0.0) == self.inside
    }
}

/// What an outlet has taken.
#[derive(Clone, Copy, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Removed {
    /// Number of bodies.
    pub count: u64,
    /// Their mass in kg.
    pub mass: f64,
}

/// What has come and gone so far.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Flow {
    /// By outlet.
    pub outlets: Vec<Removed>,
    /// By inlet.
    pub inlets: Vec<Poured>,
}

/// A body that an inlet poured in the last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Its id.
    pub id: u32,
    /// Number of the inlet.
    pub inlet: usize,
    /// Number of the body among those of the inlet, from 1.
    pub number: u64,
}

/// Lets happen what is due before the step `memory.step`; returns the energy in J that came with the bodies.
pub(in crate::simulation) fn happen(
    events: &Events,
    world: &mut World,
    memory: &mut Memory,
    dt: f64,
    scratch: &mut Scratch,
) -> f64 {
    scratch.arrivals.clear();
    if events.is_empty() {
        return 0.0;
    }
    let gone = leave(events, world, memory, scratch);
    let mut came = 0.0;
    let flow = &mut memory.flow;
    for (k, source) in events.inlets.iter().enumerate() {
        came += inlet::pour(source, k, world, &mut flow.inlets[k], memory.step, dt, scratch);
    }
    for arrival in &scratch.arrivals {
        let i = world.index_of(arrival.id).expect("it has just come");
        memory.ledger.carried += magnitude_of(world, i);
    }
    came - gone
}

/// Removes what opens and what leaves; returns the energy in J that went with it.
fn leave(events: &Events, world: &mut World, memory: &mut Memory, scratch: &mut Scratch) -> f64 {
    let (mut any, mut energy) = (false, 0.0);
    scratch.gone.clear();
    for i in 0..world.len() {
        let opens = || {
            let due = events.openings.iter().filter(|opening| opening.step == memory.step);
            due.into_iter().any(|opening| opening.body == world.ids()[i])
        };
        let mut gone = opens();
        if !gone && world.is_free(i) {
            let x = &world.positions()[i];
            if let Some(k) = events.outlets.iter().position(|outlet| outlet.takes(x, world.periods())) {
                memory.flow.outlets[k].count += 1;
                memory.flow.outlets[k].mass += world.masses()[i];
                gone = true;
            }
        }
        if gone {
            energy += energy_of(world, i);
            memory.ledger.carried += magnitude_of(world, i);
        }
        any |= gone;
        scratch.gone.push(gone);
    }
    if any {
        let Scratch { gone, map, .. } = scratch;
        world.remove(|_, i| gone[i], map);
        memory.renumber(map);
    }
    energy
}

/// Kinetic and potential energy of a body in J.
pub(in crate::simulation) fn energy_of(world: &World, i: usize) -> f64 {
    world.kinetic_energy(i, &world.velocities()[i]) + world.potential_energy(i)
}

/// |kinetic| + |potential energy| of a body in J.
fn magnitude_of(world: &World, i: usize) -> f64 {
    world.kinetic_energy(i, &world.velocities()[i]) + world.potential_energy(i).abs()
}

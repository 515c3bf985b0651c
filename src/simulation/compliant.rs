//! The step under `penalty`: sub-steps of semi-implicit Euler with the force law on each overlapping contact.
//!
//! ```text
//! detect ▶ update history ▶ forces ▶ integrate          × ⌈δt/h⌉, record
//! v⁺ = v + h M⁻¹(f + W F),   x⁺ = x + h v⁺
//! ```
//!
//! Contacts push both bodies oppositely at one point: they keep momentum and angular momentum to round-off. What does not
//! is the gyroscopic term of bodies with unequal moments, which is of first order in h.

use crate::collision::Geometry;
use crate::integrator;
use crate::integrator::Gyroscopic;
use crate::penalty::contacts;
use crate::penalty::contacts::Loads;
use crate::simulation::CompliantLaw;
use crate::simulation::Memory;
use crate::simulation::Settings;
use crate::simulation::Work;
use crate::simulation::ledger;
use crate::simulation::ledger::CHUNK;
use crate::simulation::scratch::Scratch;
use crate::world::Velocity;
use crate::world::World;
use rayon::iter::IndexedParallelIterator;
use rayon::iter::IntoParallelRefMutIterator;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use rayon::slice::ParallelSliceMut;

/// What the sub-steps of a step came to.
pub(in crate::simulation) struct Substeps {
    pub(in crate::simulation) work: Work,
    /// Largest overlap in m.
    pub(in crate::simulation) overlap: f64,
}

/// The law of the run: derived at its start (here, if the memory is of another law's run), then part of the memory.
fn law(world: &World, memory: &mut Memory, settings: &Settings) -> CompliantLaw {
    memory.compliant.get_or_insert_with(|| settings.compliance.derive(world)).clone()
}

/// Makes the sub-steps of one step δt. Contacts, impulses (force of the last sub-step times δt) and states are left in
/// the scratch.
pub(in crate::simulation) fn substeps(
    world: &mut World,
    memory: &mut Memory,
    settings: &Settings,
    scratch: &mut Scratch,
) -> Substeps {
    let law = law(world, memory, settings);
    // The small part keeps a whole number of sub-steps from becoming one more by round-off.
    let count = (settings.dt / law.substep - 1e-6).ceil().max(1.0);
    let h = settings.dt / count;
    let mut done = Substeps { work: Work::default(), overlap: 0.0 };
    scratch.impacts_w.clear();
    scratch.after.resize(world.len(), Velocity::default());
    // Pairs are those of all bodies that overlap: how far they travel in a sub-step does not matter.
    scratch.travel.clear();
    scratch.travel.resize(world.len(), 0.0);
    scratch.forces.prepare(world, &law.laws);
    if scratch.listed != world.ids() {
        scratch.detector.forget();
        scratch.listed.clear();
        scratch.listed.extend_from_slice(world.ids());
    }
    let begin = memory.step as f64 * settings.dt;
    for k in 0..count as u64 {
        let (from, to) = (begin + k as f64 * h, begin + (k + 1) as f64 * h);
        world.place_driven(from);
        world.drive(from, to);
        done.work = done.work + substep(world, memory, settings, scratch, h);
        done.overlap = scratch.contacts.iter().fold(done.overlap, |most, contact| most.max(-contact.gap));
    }
    scratch.impulses_w.iter_mut().for_each(|impulse_w| *impulse_w *= count);
    done
}

fn substep(world: &mut World, memory: &mut Memory, settings: &Settings, scratch: &mut Scratch, h: f64) -> Work {
    let geometry =
        Geometry::new(world.positions(), world.orientations(), world.shapes(), world.free(), &scratch.travel)
            .with_periods(*world.periods());
    scratch.detector.detect_again(geometry, 0.0, &mut scratch.contacts);
    scratch.forces.act(
        world,
        &scratch.contacts,
        h,
        &mut memory.histories,
        &mut scratch.impulses_w,
        &mut scratch.states,
    );
    let work = accelerate(world, settings.gyroscopic, h, &scratch.forces.loads, &mut scratch.after, &mut scratch.sums);
    world.set_velocities(&scratch.after);
    integrator::advance_slightly(world, h);
    work
}

/// Computes the velocities after a sub-step of `h` seconds and the work done in it. `sums` is a buffer.
///
/// A contact's power is that of its loads on both bodies, so the work is added up body by body; nothing of it is
/// corrected, because a rebound is the work of the contact's own spring.
fn accelerate(
    world: &World,
    rule: Gyroscopic,
    h: f64,
    loads: &[Loads],
    after: &mut [Velocity],
    sums: &mut Vec<Work>,
) -> Work {
    sums.clear();
    sums.resize(world.len().div_ceil(CHUNK), Work::default());
    let chunks = after.par_chunks_mut(CHUNK).zip(loads.par_chunks(CHUNK)).zip(sums.par_iter_mut()).enumerate();
    chunks.for_each(|(chunk, ((after, loads), sum))| {
        for (k, (after, loads)) in after.iter_mut().zip(loads).enumerate() {
            let i = chunk * CHUNK + k;
            let before = world.velocities()[i];
            *after = contacts::pushed(world, i, integrator::free_velocity_of(world, i, h, rule), loads);
            let mean = before.midpoint(after);
            let mut work = ledger::of_body(world, i, h, rule, (&before, after), None);
            work.normal += loads.normal.work(&mean);
            work.friction += loads.friction.work(&mean);
            if !world.is_free(i) {
                work.drives -= loads.normal.work(&before) + loads.friction.work(&before);
            }
            *sum = *sum + work;
        }
    });
    sums.iter().copied().sum()
}

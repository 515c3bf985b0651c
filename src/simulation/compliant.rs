//! The step under `penalty`: sub-steps of semi-implicit Euler with the force law on each overlapping contact.
//!
//! ```text
//! detect ▶ update history ▶ forces ▶ integrate          × ⌈δt/h⌉, record
//! v⁺ = v + h M⁻¹(f + W F),   x⁺ = x + h v⁺
//! ```

use crate::collision::Geometry;
use crate::collision::Margin;
use crate::integrator;
use crate::penalty::contacts;
use crate::simulation::CompliantLaw;
use crate::simulation::Memory;
use crate::simulation::Settings;
use crate::simulation::Work;
use crate::simulation::ledger;
use crate::simulation::ledger::Stretch;
use crate::simulation::scratch::Scratch;
use crate::world::Velocity;
use crate::world::World;

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
    let begin = memory.step as f64 * settings.dt;
    for k in 0..count as u64 {
        let (from, to) = (begin + k as f64 * h, begin + (k + 1) as f64 * h);
        world.place_driven(from);
        world.drive(from, to);
        let work = substep(world, memory, settings, scratch, &law, h);
        done.work = done.work + work;
        done.overlap = scratch.contacts.iter().fold(done.overlap, |most, contact| most.max(-contact.gap));
    }
    scratch.impulses_w.iter_mut().for_each(|impulse_w| *impulse_w *= count);
    done
}

fn substep(
    world: &mut World,
    memory: &mut Memory,
    settings: &Settings,
    scratch: &mut Scratch,
    law: &CompliantLaw,
    h: f64,
) -> Work {
    scratch.travel.clear();
    scratch.travel.resize(world.len(), 0.0);
    let geometry =
        Geometry::new(world.positions(), world.orientations(), world.shapes(), world.free(), &scratch.travel)
            .with_periods(*world.periods());
    scratch.detector.detect(geometry, Margin::Fixed(0.0), &mut scratch.contacts);
    let substep = contacts::Substep { laws: &law.laws, materials: law.materials, duration: h };
    contacts::impulses(
        world,
        &scratch.contacts,
        substep,
        &mut memory.histories,
        &mut scratch.counts,
        &mut scratch.impulses_w,
        &mut scratch.states,
    );
    scratch.before.clear();
    scratch.before.extend_from_slice(world.velocities());
    integrator::free_velocity(world, h, settings.gyroscopic, &mut scratch.after);
    contacts::apply(world, &scratch.contacts, &scratch.impulses_w, &mut scratch.after);
    let stretch = Stretch { before: &scratch.before, after: &scratch.after };
    let mut work = ledger::contact_work(world, &scratch.contacts, &scratch.impulses_w, stretch, &mut scratch.sums);
    // Nothing is corrected here: a rebound is the work of the contact's own spring.
    work.normal += std::mem::take(&mut work.correction);
    let work = work + ledger::body_work(world, h, settings.gyroscopic, stretch, None, &mut scratch.sums);
    world.set_velocities(&scratch.after);
    integrator::advance(world, h, None);
    work
}

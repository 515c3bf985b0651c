//! The contact problem of a step, by itself.

use crate::collision::Contact;
use crate::error::Result;
use crate::integrator;
use crate::math::Mat3;
use crate::math::Vec3;
use crate::math::frame;
use crate::problem::Block;
use crate::problem::ContactProblem;
use crate::simulation::Simulation;
use crate::world::Velocity;
use crate::world::World;

/// The contact problem that the last step of a one-stage law solved, and the impulses that it found, in N·s, in the
/// contact frames; `before` is the world at the beginning of that step, [prepared](Simulation::prepare).
///
/// ```text
/// A_ij = Σ ± Rᵢᵀ (E/m − [rᵢ]ₓ I⁻¹ [rⱼ]ₓ) Rⱼ     over the free bodies that contacts i and j share,
///                                               + where both have it on the same side, − where not
/// b_j  = −(Rⱼᵀ δv_free + c_j e_n)               c the correction of the gap or the overlap
/// ```
///
/// # Errors
///
/// If the blocks make no valid problem, such as contacts with a body of almost no mass.
pub fn contact_problem(simulation: &Simulation, before: &World) -> Result<(ContactProblem, Vec<Vec3>)> {
    let (settings, contacts) = (simulation.settings(), simulation.contacts());
    let mut free = vec![Velocity::default(); before.len()];
    integrator::free_velocity(before, settings.dt, settings.gyroscopic, &mut free);
    let frames: Vec<Mat3> = contacts.iter().map(|contact| frame::rotation(&contact.normal_w)).collect();
    let mut b = Vec::with_capacity(contacts.len());
    let mut mu = Vec::with_capacity(contacts.len());
    for (contact, r) in contacts.iter().zip(&frames) {
        let velocity = |body: u32| free[body as usize].at(&arm(before, contact, body));
        let relative = r.transpose() * (velocity(contact.a) - velocity(contact.b));
        b.push(-(relative + Vec3::x() * settings.correction_of(contact.gap)));
        mu.push(before.friction(contact.a as usize, contact.b as usize));
    }
    let problem = ContactProblem::new(blocks(before, contacts, &frames), b, mu)?;
    let impulses = simulation.impulses_w().iter().zip(&frames).map(|(impulse_w, r)| r.transpose() * impulse_w);
    Ok((problem, impulses.collect()))
}

fn blocks(world: &World, contacts: &[Contact], frames: &[Mat3]) -> Vec<Block> {
    // Contacts of each body, with the side it is on.
    let mut of_body: Vec<Vec<(usize, f64)>> = vec![Vec::new(); world.len()];
    for (j, contact) in contacts.iter().enumerate() {
        of_body[contact.a as usize].push((j, 1.0));
        of_body[contact.b as usize].push((j, -1.0));
    }
    let mut parts: Vec<(usize, usize, Mat3)> = Vec::new();
    for (body, list) in of_body.iter().enumerate().filter(|(body, _)| world.is_free(*body)) {
        let inverse_mass = Mat3::from_diagonal_element(1.0 / world.masses()[body]);
        let inverse_inertia = world.inverse_inertia(body);
        let cross = |j: usize| arm(world, &contacts[j], body as u32).cross_matrix();
        for (i, side_i) in list {
            for (j, side_j) in list {
                let a = inverse_mass - cross(*i) * inverse_inertia * cross(*j);
                parts.push((*i, *j, frames[*i].transpose() * a * frames[*j] * (side_i * side_j)));
            }
        }
    }
    // Two bodies with several contacts between them give several parts of one block.
    parts.sort_by_key(|(row, column, _)| (*row, *column));
    let mut blocks: Vec<Block> = Vec::with_capacity(parts.len());
    for (row, column, a) in parts {
        match blocks.last_mut().filter(|last| last.row == row && last.column == column) {
            Some(last) => last.a += a,
            None => blocks.push(Block { row, column, a }),
        }
    }
    blocks
}

/// From the body's centre of mass to the contact, in m.
fn arm(world: &World, contact: &Contact, body: u32) -> Vec3 {
    let (arm_a, arm_b) = contact.arms(world.positions(), world.periods());
    if body == contact.a { arm_a } else { arm_b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::scene::catalogue;
    use crate::simulation::build;

    #[test]
    fn the_problem_of_a_step_is_solved_by_its_impulses() {
        let settings = ["numerics.tolerance=1e-12".to_owned(), "numerics.max-sweeps=20000".to_owned()];
        let scene = catalogue::scene("mixed-pile", &settings).expect("reads");
        let mut simulation = build(&scene, Law::MaxDissipation, None).expect("builds").simulation().expect("valid");
        // Until the pile has met the floor and itself.
        for _ in 0..1000 {
            if simulation.step().contacts > 24 {
                break;
            }
        }
        let before = simulation.world().clone();
        let record = simulation.step();
        let (problem, impulses) = contact_problem(&simulation, &before).expect("a valid problem");
        assert!(problem.len() > 20, "only {} contacts", problem.len());
        assert_eq!(problem.len(), record.contacts);
        // The step's own velocities come back: a few roundings at speeds of about 1 m/s.
        const TOLERANCE: f64 = 1e-12;
        for (j, velocity) in problem.velocities(&impulses).into_iter().enumerate() {
            let contact = &simulation.contacts()[j];
            let at = |body: u32| {
                let v = simulation.world().velocities()[body as usize];
                v.at(&arm(&before, contact, body))
            };
            let relative = frame::rotation(&contact.normal_w).transpose() * (at(contact.a) - at(contact.b));
            let expected = relative + Vec3::x() * simulation.settings().correction_of(contact.gap);
            assert!((velocity - expected).amax() < TOLERANCE, "contact {j}: {velocity} for {expected}");
        }
    }
}

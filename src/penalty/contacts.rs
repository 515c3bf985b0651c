//! The force law on the contacts that detection finds, for whole scenes.
//!
//! For each overlapping contact, with (ξ, δv, arms) of the present positions and velocities:
//!
//! ```text
//! f_n = k D − c_n v_n,              c_n = min(d_c − (k/v_i) c D, 1/(h w_n N))
//! F_t = −c_t v_t,                   c_t = min(μ max(f_n, 0)/max(v_reg, ‖v_t‖), 1/(h w_t N))
//! P   = h (f_n n + F_t)             impulse of a sub-step h on body a
//! ```
//!
//! w_n = n·A n and w_t are the inverse masses that the contact shows (A the Delassus block), N the larger number of
//! contacts of its two bodies. The bounds 1/(h w N) keep the damping of a sub-step from turning velocities round, which
//! an explicit step would otherwise let it do: friction with the regularisation v_reg alone needs steps below
//! 2 v_reg/(μ f_n Σw), far below those of the stiffness. Where they hold, v_reg is in effect μ f_n h w_t N.

use crate::collision::Contact;
use crate::law::ContactState;
use crate::law::penalty::ContactForce;
use crate::law::penalty::History;
use crate::math::Vec3;
use crate::world::Velocity;
use crate::world::World;

/// The history of one contact, under its key.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContactHistory {
    /// First body.
    pub a: u32,
    /// Second body.
    pub b: u32,
    /// Which contact of the pair.
    pub feature: u32,
    /// The history.
    pub history: History,
}

impl ContactHistory {
    fn key(&self) -> (u32, u32, u32) {
        (self.a, self.b, self.feature)
    }
}

/// What a sub-step needs beside world and contacts.
#[derive(Clone, Copy)]
pub struct Substep<'a> {
    /// The law of each pair of materials, row by row.
    pub laws: &'a [ContactForce],
    /// Number of materials.
    pub materials: usize,
    /// Duration h of the sub-step in s.
    pub duration: f64,
}

/// Buffers of [`impulses`].
#[derive(Clone, Debug, Default)]
pub struct Counts(Vec<u32>);

/// Computes the impulse in N·s on body a of each contact (inertial frame), its state, and its new history.
///
/// `histories` holds those of the last sub-step, sorted as the contacts are; a contact that had none touches now for
/// the first time. Contacts that are gone lose theirs: the elasto-plastic overlap and the impact velocity are those of
/// one touch.
pub fn impulses(
    world: &World,
    contacts: &[Contact],
    substep: Substep<'_>,
    histories: &mut Vec<ContactHistory>,
    counts: &mut Counts,
    impulses_w: &mut Vec<Vec3>,
    states: &mut Vec<ContactState>,
) {
    count(world.len(), contacts, counts);
    impulses_w.clear();
    states.clear();
    let mut new = Vec::with_capacity(contacts.len());
    let mut old = histories.iter().peekable();
    for contact in contacts {
        let key = (contact.a, contact.b, contact.feature);
        while old.next_if(|old| old.key() < key).is_some() {}
        // A contact without history was open, however little.
        let apart = History { gap: f64::INFINITY, ..History::default() };
        let past = old.next_if(|old| old.key() == key).map_or(apart, |old| old.history);
        let (a, b) = (contact.a as usize, contact.b as usize);
        let row = world.material()[a].0 as usize * substep.materials + world.material()[b].0 as usize;
        let touching = counts.0[a].max(counts.0[b]);
        let (impulse_w, state, history) =
            impulse(world, contact, &past, &substep.laws[row], substep.duration, f64::from(touching));
        impulses_w.push(impulse_w);
        states.push(state);
        let (a, b, feature) = key;
        new.push(ContactHistory { a, b, feature, history });
    }
    *histories = new;
}

/// Contacts of each body.
fn count(bodies: usize, contacts: &[Contact], counts: &mut Counts) {
    counts.0.clear();
    counts.0.resize(bodies, 0);
    for contact in contacts {
        counts.0[contact.a as usize] += 1;
        counts.0[contact.b as usize] += 1;
    }
}

#[inline]
fn impulse(
    world: &World,
    contact: &Contact,
    past: &History,
    law: &ContactForce,
    h: f64,
    touching: f64,
) -> (Vec3, ContactState, History) {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let n = &contact.normal_w;
    let (arm_a, arm_b) = contact.arms(world.positions(), world.periods());
    let dv = world.velocities()[a].at(&arm_a) - world.velocities()[b].at(&arm_b);
    let v_n = dv.dot(n);
    let v_t = dv - n * v_n;
    let slip = v_t.norm();
    let history = past.after(&law.normal, contact.gap, v_n, slip);

    let (normal_a, turning_a) = inverse_masses(world, a, &arm_a, n);
    let (normal_b, turning_b) = inverse_masses(world, b, &arm_b, n);
    let bound = |w: f64| 1.0 / (h * w * touching);
    let d = -contact.gap;
    let damping = law.normal.tangent_damping(d, history.impact_velocity).min(bound(normal_a + normal_b));
    let f_n = law.normal.elastic(d, history.plastic_overlap) - damping * v_n;
    let pressure = if law.friction.compressive_only { f_n.max(0.0) } else { f_n };
    let slowest = slip.max(law.friction.regularisation);
    let drag = if slowest > 0.0 { law.friction.coefficient * pressure / slowest } else { 0.0 };
    let drag = drag.min(bound(turning_a + turning_b));
    let state = if f_n <= 0.0 {
        ContactState::Separating
    } else if slip < law.friction.regularisation {
        ContactState::Sticking
    } else {
        ContactState::Sliding
    };
    ((n * f_n - v_t * drag) * h, state, history)
}

/// Inverse masses in 1/kg that body `i` shows at `arm_w`: along the normal, and the largest across it.
#[inline]
fn inverse_masses(world: &World, i: usize, arm_w: &Vec3, n: &Vec3) -> (f64, f64) {
    if !world.is_free(i) {
        return (0.0, 0.0);
    }
    let inertia = &world.inertias()[i];
    let turning = 1.0 / inertia.x.min(inertia.y).min(inertia.z);
    let inverse = 1.0 / world.masses()[i];
    let squared = arm_w.norm_squared();
    let along = arm_w.dot(n);
    (inverse + (squared - along * along).max(0.0) * turning, inverse + squared * turning)
}

/// Adds the impulses of the contacts to the velocities of the free bodies.
pub fn apply(world: &World, contacts: &[Contact], impulses_w: &[Vec3], velocities: &mut [Velocity]) {
    for (contact, impulse_w) in contacts.iter().zip(impulses_w) {
        let (arm_a, arm_b) = contact.arms(world.positions(), world.periods());
        for (i, arm, impulse_w) in [(contact.a as usize, arm_a, *impulse_w), (contact.b as usize, arm_b, -impulse_w)] {
            if !world.is_free(i) {
                continue;
            }
            let moment = arm.cross(&impulse_w);
            let velocity = &mut velocities[i];
            velocity.linear += impulse_w / world.masses()[i];
            if world.is_isotropic(i) {
                velocity.angular += moment / world.inertias()[i].x;
            } else {
                let axes = world.principal_axes(i);
                let turned = axes.inverse_transform_vector(&moment).component_div(&world.inertias()[i]);
                velocity.angular += axes.transform_vector(&turned);
            }
        }
    }
}

//! What friction does in the contacts of a step.
//!
//! ```text
//! mobilised    ‖Λt‖/(μ Λn)                           over all that press
//! effective    η = −Λt·s/(μ Λn ‖s‖)                  over those that slide, s the slip after the step
//! deflection   angle from −s to Λt
//! ```
//!
//! Under Coulomb's law η = 1; under maximum dissipation η = √(1 − ‖e_⊥‖²). Weighted with μ Λn ‖s‖, η is the share of the work
//! that Coulomb's law would have taken at the same slips and normal impulses.

use crate::law::ContactState;
use crate::math::Vec3;
use crate::simulation::Simulation;

/// One contact of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// Normal impulse Λn in N·s.
    pub normal: f64,
    /// Tangential impulse on the first body in N·s, inertial frame.
    pub tangential_w: Vec3,
    /// Slip in m/s after the step: tangential velocity of the first body relative to the second.
    pub slip_w: Vec3,
    /// Coefficient of friction μ.
    pub mu: f64,
    /// State.
    pub state: ContactState,
}

/// The contacts of the last step; under `two-stage` with the impulses of its second stage.
pub fn touches(simulation: &Simulation) -> Vec<Touch> {
    let (world, dt) = (simulation.world(), simulation.settings().dt);
    // Contacts are as they were at the step's beginning; positions have moved on by δt v.
    let before = |i: usize| world.positions()[i] - world.velocities()[i].linear * dt;
    let list = simulation.contacts().iter().zip(simulation.impulses_w()).zip(simulation.states());
    list.map(|((contact, impulse_w), state)| {
        let (a, b) = (contact.a as usize, contact.b as usize);
        let at = |i: usize| world.velocities()[i].at(&(contact.point_w - before(i)));
        let relative = at(a) - at(b);
        let n = &contact.normal_w;
        Touch {
            normal: impulse_w.dot(n),
            tangential_w: impulse_w - n * impulse_w.dot(n),
            slip_w: relative - n * relative.dot(n),
            mu: world.friction(a, b),
            state: *state,
        }
    })
    .collect()
}

/// What friction does over many contacts. Sums, so that steps can be added up.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FrictionSummary {
    /// Contacts that press.
    pub pressing: f64,
    /// Of these, contacts that slide.
    pub sliding: f64,
    /// Sum of ‖Λt‖/(μ Λn).
    mobilised: f64,
    /// Sum of η, and of the angle in degrees, over the sliding.
    effective: f64,
    deflection: f64,
    /// Sum of μ Λn ‖s‖ in J, and the same times η.
    available: f64,
    taken: f64,
}

impl FrictionSummary {
    /// Adds the contacts of another step.
    pub fn add(&mut self, other: &Self) {
        self.pressing += other.pressing;
        self.sliding += other.sliding;
        self.mobilised += other.mobilised;
        self.effective += other.effective;
        self.deflection += other.deflection;
        self.available += other.available;
        self.taken += other.taken;
    }

    /// Share of the pressing contacts that slide.
    pub fn sliding_share(&self) -> f64 {
        self.sliding / self.pressing
    }

    /// Mean of ‖Λt‖/(μ Λn) over the pressing contacts.
    pub fn mobilised(&self) -> f64 {
        self.mobilised / self.pressing
    }

    /// Mean of η over the sliding contacts.
    pub fn effective(&self) -> f64 {
        self.effective / self.sliding
    }

    /// η weighted with μ Λn ‖s‖: the work of friction by that of Coulomb's law at the same slips.
    pub fn effective_by_work(&self) -> f64 {
        self.taken / self.available
    }

    /// Mean angle in degrees between friction and the direction against the slip, over the sliding contacts.
    pub fn deflection(&self) -> f64 {
        self.deflection / self.sliding
    }
}

/// Sums over the contacts with Λn > 0 and μ > 0.
pub fn friction(touches: &[Touch]) -> FrictionSummary {
    let mut sum = FrictionSummary::default();
    for touch in touches.iter().filter(|touch| touch.normal > 0.0 && touch.mu > 0.0) {
        let limit = touch.mu * touch.normal;
        sum.pressing += 1.0;
        sum.mobilised += touch.tangential_w.norm() / limit;
        let speed = touch.slip_w.norm();
        if touch.state != ContactState::Sliding || speed == 0.0 {
            continue;
        }
        let against = -touch.tangential_w.dot(&touch.slip_w);
        sum.sliding += 1.0;
        sum.effective += against / (limit * speed);
        sum.available += limit * speed;
        sum.taken += against;
        sum.deflection += touch.tangential_w.cross(&touch.slip_w).norm().atan2(against).to_degrees();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::material::MaterialId;
    use crate::material::Materials;
    use crate::shape::Shape;
    use crate::simulation::Settings;
    use crate::world::Body;
    use crate::world::World;

    fn touch(normal: f64, tangential: [f64; 2], slip: [f64; 2], state: ContactState) -> Touch {
        let flat = |v: [f64; 2]| Vec3::new(v[0], v[1], 0.0);
        Touch { normal, tangential_w: flat(tangential), slip_w: flat(slip), mu: 0.5, state }
    }

    #[test]
    fn a_made_up_list_has_the_sums_worked_out_by_hand() {
        let list = [
            // Sticks at half of its cone.
            touch(2.0, [0.5, 0.0], [0.0, 0.0], ContactState::Sticking),
            // Slides along x at 3 m/s with friction straight against it.
            touch(2.0, [-1.0, 0.0], [3.0, 0.0], ContactState::Sliding),
            // Slides along x at 1 m/s, friction 60° off: η = ½.
            touch(4.0, [-1.0, 3f64.sqrt()], [1.0, 0.0], ContactState::Sliding),
            // Presses nothing.
            touch(0.0, [0.0, 0.0], [1.0, 0.0], ContactState::Separating),
        ];
        let sum = friction(&list);
        let seen = [sum.sliding_share(), sum.mobilised(), sum.effective(), sum.deflection(), sum.effective_by_work()];
        let expected = [2.0 / 3.0, 2.5 / 3.0, 0.75, 30.0, (3.0 + 1.0) / (3.0 + 2.0)];
        for (seen, expected) in seen.into_iter().zip(expected) {
            assert!((seen - expected).abs() < 1e-12, "{seen} for {expected}: {sum:?}");
        }
    }

    #[test]
    fn a_sliding_cube_shows_the_effective_friction_of_each_law() {
        // e across the slip is 0.375 μ at each corner of a cube that slides along a face normal.
        let mu: f64 = 0.8;
        for (law, expected) in [(Law::MaxDissipation, (1.0 - (0.375 * mu).powi(2)).sqrt()), (Law::Coulomb, 1.0)] {
            let cube = Body::new(Shape::cuboid(1.0, 1.0, 1.0), MaterialId(0)).at(Vec3::new(0.0, 0.0, 0.5));
            let cube = cube.moving(Vec3::new(8.0, 0.0, 0.0), Vec3::zeros());
            let floor = Body::new(Shape::HalfSpace, MaterialId(0)).fixed();
            let materials = Materials::single(1.0, mu).expect("valid");
            let world = World::new(Vec3::new(0.0, 0.0, -10.0), materials, vec![cube, floor]).expect("valid");
            let settings = Settings { tolerance: 1e-13, max_sweeps: 10_000, ..Settings::new(law, 1e-5) };
            let mut simulation = Simulation::new(world, settings).expect("valid");
            (0..3).for_each(|_| {
                simulation.step();
            });
            let sum = friction(&touches(&simulation));
            assert!((sum.sliding - 4.0).abs() < 1e-12 && (sum.mobilised() - 1.0).abs() < 1e-9, "{sum:?}");
            // The tolerance of the solve.
            assert!((sum.effective() - expected).abs() < 1e-6, "{law}: {} for {expected}", sum.effective());
            assert!((sum.deflection() - expected.acos().to_degrees()).abs() < 1e-2, "{law}: {}", sum.deflection());
        }
    }
}

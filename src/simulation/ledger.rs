//! The energy ledger: each term from its own impulse, none the remainder of the others.
//!
//! The work of an impulse is the impulse times the mean of the velocities before and after the whole step, which is
//! exact because kinetic energy is quadratic: ½ v⁺ᵀMv⁺ − ½ v⁻ᵀMv⁻ = ½(v⁺ + v⁻)ᵀ M(v⁺ − v⁻).
//!
//! ```text
//! external      δt (f·v̄ + τ·ω̄)
//! drives        Λ·v_b where b is driven, −Λ·v_a where a is
//! normal        Λn δv̄n − correction
//! friction      Λto·δv̄to
//! correction    Λn max(0, δvn⁺)/2;  under `split`, −δt m g·u for the pseudo-velocity u
//! integration   gyroscopic impulse · ω̄,  δt m g·(v̄ − v⁺),  ½ω⁺ᵀ(I(q⁺) − I(q))ω⁺
//! ```
//!
//! The potential −m g·x falls by δt m g·v⁺ over the step, gravity's impulse does δt m g·v̄: their difference is the
//! quadrature of the potential. The last term vanishes unless a pseudo-velocity turns the body.

use crate::collision::Contact;
use crate::integrator::Gyroscopic;
use crate::math::Vec3;
use crate::world::Velocity;
use crate::world::World;
use rayon::iter::IndexedParallelIterator;
use rayon::iter::IntoParallelRefMutIterator;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use std::iter::Sum;
use std::ops::Add;

/// Bodies or contacts whose work is added up together; the sums of chunks are added in their order, so the result
/// does not depend on the number of threads.
pub(in crate::simulation) const CHUNK: usize = 1024;

/// Work in J, by kind: positive where it adds energy to the free bodies.
#[derive(Clone, Copy, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Work {
    /// Of the constant forces and torques on bodies; of changes made between steps.
    pub external: f64,
    /// Of driven bodies on free ones.
    pub drives: f64,
    /// Of normal impulses, without the correction: what inelastic impacts take.
    pub normal: f64,
    /// Of friction.
    pub friction: f64,
    /// Of the correction of overlaps.
    pub correction: f64,
    /// Of the integration: explicit gyroscopic term, quadrature of the potential.
    pub integration: f64,
}

impl Work {
    /// The sum of all kinds.
    pub fn sum(&self) -> f64 {
        self.external + self.drives + self.normal + self.friction + self.correction + self.integration
    }

    /// The largest magnitude among the kinds.
    pub fn largest(&self) -> f64 {
        let kinds = [self.external, self.drives, self.normal, self.friction, self.correction, self.integration];
        kinds.into_iter().fold(0.0, |largest, work| largest.max(work.abs()))
    }
}

impl Add for Work {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            external: self.external + other.external,
            drives: self.drives + other.drives,
            normal: self.normal + other.normal,
            friction: self.friction + other.friction,
            correction: self.correction + other.correction,
            integration: self.integration + other.integration,
        }
    }
}

impl Sum for Work {
    fn sum<I: Iterator<Item = Self>>(works: I) -> Self {
        works.fold(Self::default(), Self::add)
    }
}

/// Energy at the beginning and the work since.
#[derive(Clone, Copy, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Ledger {
    /// Kinetic and potential energy of the free bodies at the beginning, in J.
    pub initial: f64,
    /// Work since the beginning.
    pub total: Work,
    /// The part of it that the impact stage of `two-stage` did.
    pub impacts: Work,
    /// Kinetic energy of the free bodies now, in J.
    pub kinetic: f64,
    /// Potential energy of the free bodies now, in J.
    pub potential: f64,
    /// Magnitudes of the energies of bodies that came or were removed, added up, in J: they belong to the scale of the
    /// error, not to the sum.
    pub carried: f64,
}

impl Ledger {
    /// |energy − initial energy − work|, by the largest of the energies (those of bodies that came and went among them)
    /// and kinds of work, each taken alone.
    pub fn error(&self) -> f64 {
        let largest = [self.initial, self.kinetic, self.potential, self.carried]
            .into_iter()
            .fold(self.total.largest(), |m, x| m.max(x.abs()));
        let off = self.kinetic + self.potential - self.initial - self.total.sum();
        if off == 0.0 { 0.0 } else { off.abs() / largest }
    }
}

/// The velocities of the bodies before and after a stage.
#[derive(Clone, Copy)]
pub(in crate::simulation) struct Stretch<'a> {
    pub(in crate::simulation) before: &'a [Velocity],
    pub(in crate::simulation) after: &'a [Velocity],
}

/// Work of the contact impulses of a stage; `world` has the positions at which they act. `sums` is a buffer.
pub(in crate::simulation) fn contact_work(
    world: &World,
    contacts: &[Contact],
    impulses_w: &[Vec3],
    stretch: Stretch<'_>,
    sums: &mut Vec<Work>,
) -> Work {
    sums.clear();
    sums.resize(contacts.len().div_ceil(CHUNK), Work::default());
    let chunks = contacts.par_chunks(CHUNK).zip(impulses_w.par_chunks(CHUNK)).zip(sums.par_iter_mut());
    chunks.for_each(|((contacts, impulses_w), sum)| {
        let works =
            contacts.iter().zip(impulses_w).map(|(contact, impulse_w)| of_contact(world, contact, impulse_w, stretch));
        *sum = works.sum();
    });
    sums.iter().copied().sum()
}

fn of_contact(world: &World, contact: &Contact, impulse_w: &Vec3, stretch: Stretch<'_>) -> Work {
    if *impulse_w == Vec3::zeros() {
        return Work::default();
    }
    let (a, b) = (contact.a as usize, contact.b as usize);
    let (arm_a, arm_b) = contact.arms(world.positions(), world.periods());
    let relative = |v: &[Velocity]| v[a].at(&arm_a) - v[b].at(&arm_b);
    let (before, after) = (relative(stretch.before), relative(stretch.after));
    let mean = (before + after) * 0.5;
    let n = &contact.normal_w;
    let impulse_n = impulse_w.dot(n);
    let mut work = Work {
        correction: impulse_n * after.dot(n).max(0.0) * 0.5,
        friction: (impulse_w - n * impulse_n).dot(&mean),
        ..Work::default()
    };
    work.normal = impulse_n * mean.dot(n) - work.correction;
    if !world.is_free(a) {
        work.drives -= impulse_w.dot(&stretch.before[a].at(&arm_a));
    }
    if !world.is_free(b) {
        work.drives += impulse_w.dot(&stretch.before[b].at(&arm_b));
    }
    work
}

/// Work of gravity's quadrature, of loads and of the gyroscopic term over `dt` seconds; `push` is the pseudo-velocity
/// of the move, where there is one. `sums` is a buffer.
pub(in crate::simulation) fn body_work(
    world: &World,
    dt: f64,
    rule: Gyroscopic,
    stretch: Stretch<'_>,
    push: Option<&[Velocity]>,
    sums: &mut Vec<Work>,
) -> Work {
    sums.clear();
    sums.resize(world.len().div_ceil(CHUNK), Work::default());
    sums.par_iter_mut().enumerate().for_each(|(chunk, sum)| {
        let bodies = chunk * CHUNK..((chunk + 1) * CHUNK).min(world.len());
        let work =
            |i: usize| of_body(world, i, dt, rule, (&stretch.before[i], &stretch.after[i]), push.map(|push| &push[i]));
        *sum = bodies.map(work).sum();
    });
    sums.iter().copied().sum()
}

/// [`body_work`] of one body, from its velocities before and after.
#[inline]
pub(in crate::simulation) fn of_body(
    world: &World,
    i: usize,
    dt: f64,
    rule: Gyroscopic,
    (before, after): (&Velocity, &Velocity),
    push: Option<&Velocity>,
) -> Work {
    if !world.is_free(i) {
        return Work::default();
    }
    let mean = before.midpoint(after);
    let weight = world.gravity() * world.masses()[i];
    let mut work = Work {
        external: dt * (world.forces()[i].dot(&mean.linear) + world.torques()[i].dot(&mean.angular)),
        integration: dt * weight.dot(&(mean.linear - after.linear)),
        ..Work::default()
    };
    if !world.is_isotropic(i) {
        let frame = world.principal_axes(i);
        let w = frame.inverse_transform_vector(&before.angular);
        let impulse = world.inertias()[i].component_mul(&(rule.apply(&w, &world.inertias()[i], dt) - w));
        work.integration += impulse.dot(&frame.inverse_transform_vector(&mean.angular));
    }
    if let Some(push) = push {
        work.correction = -dt * weight.dot(&push.linear);
    }
    work
}

/// Kinetic and potential energy of the free bodies in J. `sums` is a buffer.
pub(in crate::simulation) fn energy(world: &World, sums: &mut Vec<(f64, f64)>) -> (f64, f64) {
    let add = |x: (f64, f64), y: (f64, f64)| (x.0 + y.0, x.1 + y.1);
    sums.clear();
    sums.resize(world.len().div_ceil(CHUNK), (0.0, 0.0));
    sums.par_iter_mut().enumerate().for_each(|(chunk, sum)| {
        let bodies = chunk * CHUNK..((chunk + 1) * CHUNK).min(world.len());
        let energies = bodies.map(|i| (world.kinetic_energy(i, &world.velocities()[i]), world.potential_energy(i)));
        *sum = energies.fold((0.0, 0.0), add);
    });
    sums.iter().copied().fold((0.0, 0.0), add)
}

/// Energy of rotation of each anisotropic free body at its present orientation and velocity, in J.
pub(in crate::simulation) fn spin_energies(world: &World, out: &mut Vec<f64>) {
    out.clear();
    out.extend((0..world.len()).map(|i| spin_energy(world, i)));
}

/// What turning the bodies by the move, at unchanged angular velocity, did to the energy of rotation since
/// [`spin_energies`]: ½ω⁺ᵀ(I(q⁺) − I(q))ω⁺.
pub(in crate::simulation) fn turning_work(world: &World, before: &[f64]) -> f64 {
    before.iter().enumerate().map(|(i, before)| spin_energy(world, i) - before).sum()
}

fn spin_energy(world: &World, i: usize) -> f64 {
    if !world.is_free(i) || world.is_isotropic(i) {
        return 0.0;
    }
    let w = &world.velocities()[i].angular;
    0.5 * w.dot(&world.angular_momentum(i, w))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Law;
    use crate::material::MaterialId;
    use crate::material::Materials;
    use crate::shape::Shape;
    use crate::simulation::Settings;
    use crate::simulation::Simulation;
    use crate::world::Body;

    /// A cube that slides, with its contacts, impulses and velocities in one step.
    fn sliding() -> (World, Vec<Velocity>, Simulation) {
        let cube = Body::new(Shape::cuboid(1.0, 1.0, 1.0), MaterialId(0)).at(Vec3::new(0.0, 0.0, 0.5));
        let cube = cube.moving(Vec3::new(3.0, 1.0, 0.0), Vec3::zeros());
        let floor = Body::new(Shape::HalfSpace, MaterialId(0)).fixed();
        let materials = Materials::single(1.0, 0.3).expect("valid");
        let world = World::new(Vec3::new(0.0, 0.0, -10.0), materials, vec![cube, floor]).expect("valid");
        let mut simulation = Simulation::new(world.clone(), Settings::new(Law::Coulomb, 1e-3)).expect("valid");
        simulation.step();
        let before = world.velocities().to_vec();
        (world, before, simulation)
    }

    #[test]
    fn a_perturbed_impulse_is_seen_because_no_term_is_a_remainder() {
        let (world, before, simulation) = sliding();
        let after = simulation.world().velocities();
        let stretch = Stretch { before: &before, after };
        let mut sums = Vec::new();
        let kinetic = |v: &[Velocity]| world.kinetic_energy(0, &v[0]);
        let gained = kinetic(after) - kinetic(&before);
        let gravity =
            simulation.settings().dt * (world.gravity() * world.masses()[0]).dot(&before[0].midpoint(&after[0]).linear);
        let mut off = |impulses_w: &[Vec3]| {
            let work = contact_work(&world, simulation.contacts(), impulses_w, stretch, &mut sums);
            (gained - gravity - work.sum()).abs() / kinetic(&before)
        };
        let impulses_w = simulation.impulses_w().to_vec();
        // Round-off of energies of order one.
        assert!(off(&impulses_w) < 1e-14, "off by {:e}", off(&impulses_w));
        for contact in 0..impulses_w.len() {
            let mut wrong = impulses_w.clone();
            wrong[contact] *= 1.0 + 1e-3;
            assert!(off(&wrong) > 1e-8, "contact {contact}: an impulse off by 0.1 % goes unseen: {:e}", off(&wrong));
        }
    }

    #[test]
    fn a_stuck_contact_does_no_work() {
        let (world, _, simulation) = sliding();
        let rest = vec![Velocity::default(); 2];
        let stretch = Stretch { before: &rest, after: &rest };
        let work = contact_work(&world, simulation.contacts(), simulation.impulses_w(), stretch, &mut Vec::new());
        assert_eq!(work, Work::default());
    }
}

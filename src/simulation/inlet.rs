//! An inlet: particles that are poured at a rate, and wait where there is no room.
//!
//! ```text
//! credit   1 at the start, then + rate · δt a step; a particle comes for each whole one, as long as there is room
//! no room  the credit stays at one particle: the time of waiting is lost, it is not made up for
//! ```
//!
//! Each particle has its own random numbers, a function of seed and number: its size is the same however long it waited.

use crate::collision::Contact;
use crate::collision::image_shift;
use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::collide;
use crate::material::MaterialId;
use crate::math::Quat;
use crate::math::Vec3;
use crate::scene::Region;
use crate::scene::Size;
use crate::shape::Shape;
use crate::simulation::events::Arrival;
use crate::simulation::events::energy_of;
use crate::simulation::random::Random;
use crate::simulation::scratch::Scratch;
use crate::world::Body;
use crate::world::World;

/// Places that are tried for a particle in a step; if a tenth of the region is free, all fail in one step of 40 000.
const TRIES: usize = 100;

/// An inlet.
#[derive(Clone, Debug, PartialEq)]
pub struct Inlet {
    /// Its name in tables; particles are called by it and their number.
    pub name: String,
    /// Shape of a particle of size 1.
    pub shape: Shape,
    /// Distribution of the size.
    pub size: Size,
    /// What the particles are made of.
    pub material: MaterialId,
    /// Where they come: each lies in it as a whole.
    pub region: Region,
    /// Particles a second.
    pub rate: f64,
    /// The first step that it pours in, by its number from 0.
    pub first: u64,
    /// The step from which on it pours no more.
    pub end: u64,
    /// Most particles that it pours.
    pub most: u64,
    /// Smallest distance to everything else in m.
    pub spacing: f64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Whether the particles are turned at random.
    pub random_orientation: bool,
    /// Mean velocity in m/s.
    pub velocity: Vec3,
    /// Standard deviation of each component of the velocity in m/s.
    pub velocity_spread: f64,
}

/// What an inlet has poured.
#[derive(Clone, Copy, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Poured {
    /// Number of particles.
    pub count: u64,
    /// Their mass in kg.
    pub mass: f64,
    /// Particles that are due.
    pub credit: f64,
    /// Steps in which a particle that was due found no room.
    pub waited: u64,
    /// Time of the first of them in s.
    pub first_wait: Option<f64>,
}

impl Inlet {
    /// The particle number `number`, from 0, without a place.
    fn particle(&self, number: u64) -> (Shape, Vec3) {
        let mut random = self.numbers(number, 0);
        let shape = self.shape.scaled(random.size(&self.size));
        let mut velocity = self.velocity;
        if self.velocity_spread > 0.0 {
            velocity += Vec3::new(random.normal(), random.normal(), random.normal()) * self.velocity_spread;
        }
        (shape, velocity)
    }

    /// The random numbers `stream` of a particle.
    fn numbers(&self, number: u64, stream: u64) -> Random {
        // Multiplied by an odd constant: neighbouring numbers stay apart.
        Random::new(self.seed.wrapping_add(number.wrapping_mul(0xD1B5_4A32_D192_ED03)), stream)
    }

    /// A place in the region for a shape, if the draw is one.
    fn place(&self, shape: &Shape, random: &mut Random) -> Option<Pose> {
        let (low, high) = self.region.bounds();
        let radius = shape.bounding_radius();
        let position_w = random.point(&low.add_scalar(radius), &high.add_scalar(-radius));
        let orientation = if self.random_orientation { random.orientation() } else { Quat::identity() };
        self.region.holds(&position_w, radius).then_some(Pose { position_w, orientation })
    }

    /// The largest and the smallest particle, at rest in the middle of the region, for estimates.
    pub(in crate::simulation) fn samples(&self) -> [Body; 2] {
        let (low, high) = self.region.bounds();
        let (least, largest) = self.size.bounds();
        [least, largest].map(|size| {
            Body::new(self.shape.scaled(size), self.material)
                .at((low + high) * 0.5)
                .moving(self.velocity, Vec3::zeros())
        })
    }

    /// Whether one of the particles finds room among the bodies that are not free: tried often.
    pub(in crate::simulation) fn can_pour_into(&self, world: &World) -> bool {
        const OFTEN: u64 = 20;
        let walls: Vec<u32> = (0..world.len() as u32).filter(|i| !world.is_free(*i as usize)).collect();
        let mut contacts = Vec::new();
        (0..OFTEN).any(|number| {
            let (shape, _) = self.particle(number);
            self.find_room(&shape, number, 0, world, &walls, &mut contacts).is_some()
        })
    }

    /// Points all over the region, for checks.
    pub(in crate::simulation) fn points(&self) -> Vec<Vec3> {
        const POINTS: usize = 1000;
        let mut random = Random::new(self.seed, 0);
        let (low, high) = self.region.bounds();
        let points = std::iter::repeat_with(|| random.point(&low, &high)).take(POINTS);
        points.filter(|x| self.region.holds(x, 0.0)).collect()
    }

    fn find_room(
        &self,
        shape: &Shape,
        number: u64,
        step: u64,
        world: &World,
        near: &[u32],
        contacts: &mut Vec<Contact>,
    ) -> Option<Pose> {
        let mut random = self.numbers(number, step + 1);
        (0..TRIES).find_map(|_| {
            let pose = self.place(shape, &mut random)?;
            let blocked = near.iter().any(|i| touches(shape, &pose, world, *i as usize, self.spacing, contacts));
            (!blocked).then_some(pose)
        })
    }
}

/// Pours what is due in the step `step`; returns the energy in J that came with it.
pub(in crate::simulation) fn pour(
    inlet: &Inlet,
    index: usize,
    world: &mut World,
    poured: &mut Poured,
    step: u64,
    dt: f64,
    scratch: &mut Scratch,
) -> f64 {
    if step < inlet.first || step >= inlet.end || poured.count >= inlet.most {
        return 0.0;
    }
    poured.credit += if step == inlet.first { 1.0 } else { inlet.rate * dt };
    if poured.credit < 1.0 {
        return 0.0;
    }
    let Scratch { arrivals, near, found, .. } = scratch;
    bodies_near(inlet, world, near);
    let mut energy = 0.0;
    while poured.credit >= 1.0 && poured.count < inlet.most {
        let (shape, velocity) = inlet.particle(poured.count);
        let Some(pose) = inlet.find_room(&shape, poured.count, step, world, near, found) else {
            poured.credit = 1.0;
            poured.waited += 1;
            poured.first_wait.get_or_insert(step as f64 * dt);
            break;
        };
        let body = Body::new(shape, inlet.material).at(pose.position_w).turned(pose.orientation);
        let i = world.add(body.moving(velocity, Vec3::zeros()));
        near.push(i as u32);
        energy += energy_of(world, i);
        poured.credit -= 1.0;
        poured.count += 1;
        poured.mass += world.masses()[i];
        arrivals.push(Arrival { id: world.ids()[i], inlet: index, number: poured.count });
    }
    energy
}

/// The bodies that a particle in the region could touch.
fn bodies_near(inlet: &Inlet, world: &World, near: &mut Vec<u32>) {
    let (low, high) = inlet.region.bounds();
    let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
    let reach = inlet.spacing;
    near.clear();
    near.extend((0..world.len() as u32).filter(|i| {
        let (x, radius) = (&world.positions()[*i as usize], world.shapes()[*i as usize].bounding_radius());
        let away = x + image_shift(world.periods(), x, &middle) - middle;
        (0..3).all(|k| {
            let most = half[k] + radius + reach;
            // Across a short period another image than the one nearest to the middle can touch.
            away[k].abs() <= most || world.periods()[k].is_some_and(|period| most >= 0.5 * period)
        })
    }));
}

/// Whether the shape at the pose comes closer than `spacing` to the body i.
fn touches(shape: &Shape, pose: &Pose, world: &World, i: usize, spacing: f64, contacts: &mut Vec<Contact>) -> bool {
    let (other, x) = (&world.shapes()[i], &world.positions()[i]);
    let position_w = x + image_shift(world.periods(), x, &pose.position_w);
    let reach = shape.bounding_radius() + other.bounding_radius() + spacing;
    if (pose.position_w - position_w).norm_squared() >= reach * reach {
        return false;
    }
    contacts.clear();
    let other_pose = Pose { position_w, orientation: world.orientations()[i] };
    // A pair that has no routine is refused where the world is built, by name.
    let known = collide(shape, pose, other, &other_pose, &mut Sink::new(contacts, 0, 1, spacing));
    known && !contacts.is_empty()
}

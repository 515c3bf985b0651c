//! Placing the particles of a fill.

use crate::collision::narrow::Pose;
use crate::error::Fault;
use crate::math::Quat;
use crate::math::Vec3;
use crate::scene::Arrangement;
use crate::scene::Fill;
use crate::scene::Scene;
use crate::shape::Shape;
use crate::simulation::build::occupied::Occupied;
use crate::simulation::random::Random;

/// Tries for a place of one particle, then the region counts as full. Where a share p of the places is free, all of
/// them fail with (1 − p)^TRIES: below 1e-8 for p = 1 %.
const TRIES: usize = 2000;

/// Largest share of a region that particles can fill at all: denser than the densest packing of spheres, and of the
/// shapes that are not spheres a random one does not come near it either.
const DENSEST: f64 = 0.75;

/// A placed particle.
pub(super) struct Particle {
    pub(super) shape: Shape,
    pub(super) pose: Pose,
    pub(super) velocity: Vec3,
}

/// Places the particles of `scene.fill[index]` among the bodies that are there, which grow by them.
///
/// # Errors
///
/// If fewer find room than are asked for.
pub(super) fn place(scene: &Scene, index: usize, bodies: &mut Vec<(Shape, Pose)>) -> Result<Vec<Particle>, Fault> {
    let fill = &scene.fill[index];
    let fault = |placed: usize| {
        let other = match fill.arrangement {
            Arrangement::Random => ", a smaller spacing, or arrangement = \"grid\"",
            Arrangement::Grid => " or a smaller spacing",
        };
        let asked = fill.count.map_or("any".to_owned(), |count| count.to_string());
        let what = format!("{placed} of {asked} particles of `{}` find room in the region", fill.name);
        scene.fault(&format!("fill[{index}].count"), what, format!("ask for fewer, in a larger region{other}"))
    };
    let mut sizes = Random::new(fill.seed, 0);
    let radius = fill.shape.bounding_radius() * fill.size.bounds().1;
    let mut occupied = Occupied::new(bodies, scene.periodic);
    let mut placing = Placing { fill, places: Random::new(fill.seed, 1), particles: Vec::new() };
    match fill.count {
        Some(count) => {
            let mut drawn: Vec<f64> = (0..count).map(|_| sizes.size(&fill.size)).collect();
            let volume = fill.shape.volume() * drawn.iter().map(|size| size.powi(3)).sum::<f64>();
            if volume > DENSEST * fill.region.volume() {
                return Err(fault(0));
            }
            match fill.arrangement {
                Arrangement::Random => {
                    // The large ones first: the small ones find room between them.
                    drawn.sort_by(|a, b| b.total_cmp(a));
                    for size in drawn {
                        if !placing.at_random(size, &mut occupied) {
                            return Err(fault(placing.particles.len()));
                        }
                    }
                }
                Arrangement::Grid => {
                    placing.on_grid(&mut drawn.into_iter(), radius, &mut occupied);
                    if (placing.particles.len() as u64) < count {
                        return Err(fault(placing.particles.len()));
                    }
                }
            }
        }
        None => {
            let mut endless = std::iter::repeat_with(|| sizes.size(&fill.size));
            match fill.arrangement {
                Arrangement::Random => {
                    while endless.next().is_some_and(|size| placing.at_random(size, &mut occupied)) {}
                }
                Arrangement::Grid => placing.on_grid(&mut endless, radius, &mut occupied),
            }
            if placing.particles.is_empty() {
                return Err(fault(0));
            }
        }
    }
    let mut particles = placing.particles;
    let mut velocities = Random::new(fill.seed, 2);
    for particle in &mut particles {
        particle.velocity = fill.velocity;
        if fill.velocity_spread > 0.0 {
            let spread = Vec3::new(velocities.normal(), velocities.normal(), velocities.normal());
            particle.velocity += spread * fill.velocity_spread;
        }
    }
    Ok(particles)
}

struct Placing<'f> {
    fill: &'f Fill,
    places: Random,
    particles: Vec<Particle>,
}

impl Placing<'_> {
    fn orientation(&mut self) -> Quat {
        if self.fill.random_orientation { self.places.orientation() } else { Quat::identity() }
    }

    /// Places one particle of the size at a random free place; false if none is found.
    fn at_random(&mut self, size: f64, occupied: &mut Occupied<'_>) -> bool {
        let shape = self.fill.shape.scaled(size);
        let (low, high) = self.fill.region.bounds();
        let radius = shape.bounding_radius();
        for _ in 0..TRIES {
            let center = self.places.point(&low.add_scalar(radius), &high.add_scalar(-radius));
            if !self.fill.region.holds(&center, radius) {
                continue;
            }
            let pose = Pose { position_w: center, orientation: self.orientation() };
            if occupied.is_free(&shape, &pose, self.fill.spacing) {
                self.take(shape, pose, occupied);
                return true;
            }
        }
        false
    }

    /// Places the sizes on the sites of a grid for particles of the bounding radius `radius`, from below.
    fn on_grid(&mut self, sizes: &mut dyn Iterator<Item = f64>, radius: f64, occupied: &mut Occupied<'_>) {
        let (low, high) = self.fill.region.bounds();
        let edge = 2.0 * radius + self.fill.spacing;
        // The last particle needs no spacing behind it; the tiny part more keeps a site that fits exactly.
        let sites = |k: usize| ((high[k] - low[k] + self.fill.spacing) / edge + 1e-9).floor() as i64;
        let counts = [0, 1, 2].map(sites);
        let mut size = sizes.next();
        for z in 0..counts[2] {
            for y in 0..counts[1] {
                for x in 0..counts[0] {
                    let Some(drawn) = size else { return };
                    let shape = self.fill.shape.scaled(drawn);
                    let reach = shape.bounding_radius();
                    let slack = radius - reach;
                    let shift = self.places.point(&Vec3::repeat(-slack), &Vec3::repeat(slack));
                    let site = Vec3::new(x as f64, y as f64, z as f64) * edge;
                    let center = low.add_scalar(radius) + site + shift;
                    let pose = Pose { position_w: center, orientation: self.orientation() };
                    // The same tiny part: the particle may lie in the border.
                    if self.fill.region.holds(&center, reach * (1.0 - 1e-9))
                        && occupied.is_free(&shape, &pose, self.fill.spacing * (1.0 - 1e-9) - 1e-9 * reach)
                    {
                        self.take(shape, pose, occupied);
                        size = sizes.next();
                    }
                }
            }
        }
    }

    fn take(&mut self, shape: Shape, pose: Pose, occupied: &mut Occupied<'_>) {
        occupied.add(shape.clone(), pose);
        self.particles.push(Particle { shape, pose, velocity: Vec3::zeros() });
    }
}

//! The piles that the benches measure: bodies of about 1 m in an open box, in units in which g = 1, density 1, μ = 0.5.

use maxdiss::law::Law;
use maxdiss::material::MaterialId;
use maxdiss::material::Materials;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Shape;
use maxdiss::simulation::Memory;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::world::Body;
use maxdiss::world::World;

/// The step in which piles are measured, δt = 10⁻³ √(d/g).
pub(crate) const FINE: f64 = 1e-3;
/// The step in which they settle.
const ROUGH: f64 = 1e-2;

/// Shape of the bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Balls,
    Capsules,
}

/// `n` bodies above the floor of an open box about as high as wide.
fn poured(kind: Kind, n: usize) -> World {
    let side = (n as f64).cbrt().round();
    let per_side = side as usize;
    let stuff = MaterialId(0);
    let mut bodies: Vec<Body> = (0..n)
        .map(|k| {
            let (i, j, l) = (k % per_side, k / per_side % per_side, k / per_side / per_side);
            let x = k as f64;
            let jitter = 0.05 * Vec3::new((12.9 * x).sin(), (78.2 * x).sin(), 0.0);
            let at = Vec3::new(1.1 * i as f64, 1.1 * j as f64, 1.001 * l as f64) + Vec3::repeat(0.55) + jitter;
            match kind {
                Kind::Balls => Body::new(Shape::sphere(0.5), stuff).at(at),
                Kind::Capsules => {
                    let axis = Vec3::new((3.7 * x).sin(), (1.3 * x).cos(), (5.1 * x).sin());
                    let turn = Quat::rotation_between(&Vec3::z(), &axis).unwrap_or_default();
                    Body::new(Shape::capsule(0.25, 0.25), stuff).at(at).turned(turn)
                }
            }
        })
        .collect();
    let width = 1.1 * side;
    for (normal, at) in
        [(Vec3::z(), 0.0), (Vec3::x(), 0.0), (-Vec3::x(), -width), (Vec3::y(), 0.0), (-Vec3::y(), -width)]
    {
        let turn = Quat::rotation_between(&Vec3::z(), &normal).unwrap_or_default();
        bodies.push(Body::new(Shape::HalfSpace, stuff).at(normal * at).turned(turn).fixed());
    }
    World::new(Vec3::new(0.0, 0.0, -1.0), Materials::single(1.0, 0.5).expect("valid"), bodies).expect("valid")
}

/// Settings with the step `dt`.
pub(crate) fn settings(dt: f64) -> Settings {
    Settings::new(Law::MaxDissipation, dt)
}

/// A pile of `n` bodies after `steps` rough steps and some fine ones, all by plain sweeps: the state from which steps
/// are measured.
pub(crate) fn settled(kind: Kind, n: usize, steps: usize) -> (World, Memory) {
    let rough = Settings { max_sweeps: 50, acceleration: false, ..settings(ROUGH) };
    let mut sim = Simulation::new(poured(kind, n), rough).expect("valid");
    for _ in 0..steps {
        sim.step();
    }
    let (world, memory) = sim.into_state();
    let mut sim = Simulation::resume(world, memory, Settings { max_sweeps: 50, acceleration: false, ..settings(FINE) })
        .expect("valid");
    for _ in 0..20 {
        sim.step();
    }
    sim.into_state()
}

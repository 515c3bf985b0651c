//! Time of the compliant mode on one thread, and how many times faster that is than Exudyn 1.13.6.
//! `cargo bench --bench penalty`.
//!
//! - pair: 10⁵ velocity-Verlet steps of one sphere bouncing with friction and spin on another;
//! - lattice: one explicit Euler step of 8000 touching rigid spheres in a box (22 800 pairs, μ = 0.2), detection and
//!   ledger included; as in a run, where pairs are looked at again as long as they serve, and with all pairs found anew.
//!
//! The times of Exudyn were measured with its fast build on one thread of another machine of the same kind; on this one
//! they may be others. Times here are the least of several.

use maxdiss::integrator::Integrator;
use maxdiss::integrator::Method;
use maxdiss::integrator::Settings as IntegratorSettings;
use maxdiss::law::Law;
use maxdiss::material::MaterialId;
use maxdiss::material::Materials;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::penalty::Attachment;
use maxdiss::penalty::RigidBody;
use maxdiss::penalty::SphereSphere;
use maxdiss::penalty::System;
use maxdiss::shape::Shape;
use maxdiss::simulation::Compliance;
use maxdiss::simulation::MaterialCompliance;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::simulation::in_threads;
use maxdiss::world::Body;
use maxdiss::world::World;
use std::time::Duration;
use std::time::Instant;

/// What Exudyn 1.13.6 takes, in s: CPU time of the pair's 10⁵ steps, and a step of the lattice.
const EXUDYN_PAIR: f64 = 0.11;
const EXUDYN_LATTICE: f64 = 12e-3;

fn main() {
    // `cargo test --benches` runs this too, without the flag that asks for measurements.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    in_threads(1, || {
        println!("{:<34} {:>9} {:>10} {:>7}", "", "ms", "Exudyn/ms", "ratio");
        let row = |name: &str, seconds: f64, exudyn: f64| {
            println!("{name:<34} {:>9.3} {:>10.1} {:>7.2}", 1e3 * seconds, 1e3 * exudyn, exudyn / seconds);
        };
        let system = pair();
        row("pair, 100000 steps", least_of(40, || run_pair(&system)), EXUDYN_PAIR);
        let mut simulation = lattice(20);
        for _ in 0..5 {
            let record = simulation.step();
            assert!(record.contacts >= 22_800, "{} contacts", record.contacts);
        }
        let again = least_of(200, || {
            let start = Instant::now();
            simulation.step();
            start.elapsed()
        });
        row("lattice, a step", again, EXUDYN_LATTICE);
        let anew = least_of(200, || {
            // An edited world may have any pairs.
            simulation.edit(|_| ());
            let start = Instant::now();
            simulation.step();
            start.elapsed()
        });
        row("lattice, a step, pairs found anew", anew, EXUDYN_LATTICE);
    })
    .expect("one thread can be had");
}

/// The least of `repeats` times, in s.
fn least_of(repeats: usize, mut timed: impl FnMut() -> Duration) -> f64 {
    (0..repeats).map(|_| timed()).min().expect("repeated").as_secs_f64()
}

/// Time of the pair's run.
fn run_pair(system: &System) -> Duration {
    let mut system = system.clone();
    let mut state = system.initial_state().expect("valid");
    let mut integrator = Integrator::new(IntegratorSettings::new(Method::VelocityVerlet, 1e-6)).expect("valid");
    let start = Instant::now();
    integrator.advance(&mut system, &mut state, 0.1).expect("stable");
    let time = start.elapsed();
    assert!(integrator.report().steps >= 100_000, "{:?}", integrator.report());
    time
}

fn pair() -> System {
    let mut system = System::default();
    let ball = RigidBody::ball(1.0, 0.1, Vec3::new(0.0, 0.0, 1.101));
    let ball = system.add_body(RigidBody {
        velocity_w: Vec3::new(0.1, 0.0, 0.0),
        angular_velocity_w: Vec3::new(1.0, 2.0, 3.0),
        gravity_w: Vec3::new(0.0, 0.0, -9.81),
        ..ball
    });
    let contact = SphereSphere {
        dynamic_friction: 0.2,
        friction_proportional_zone: 0.01,
        contact_damping: 20.0,
        ..SphereSphere::new([1.0, 0.1], 1e5)
    };
    system.add_sphere_sphere(contact, [Attachment::ground(Vec3::zeros()), Attachment::body(ball)]).expect("valid");
    system
}

/// Spheres on a cubic lattice, `side` an edge, overlapping by a ten-thousandth, in a box of five walls.
fn lattice(side: usize) -> Simulation {
    let spacing = 1.0 - 1e-4;
    let material = MaterialId(0);
    let mut bodies = Vec::new();
    for z in 0..side {
        for y in 0..side {
            for x in 0..side {
                let place = Vec3::new(x as f64, y as f64, z as f64) * spacing;
                bodies.push(Body::new(Shape::sphere(0.5), material).at(place));
            }
        }
    }
    let far = (side - 1) as f64 * spacing + 0.5;
    let walls = [
        (Vec3::new(0.0, 0.0, -0.5), Vec3::z()),
        (Vec3::new(-0.5, 0.0, 0.0), Vec3::x()),
        (Vec3::new(far, 0.0, 0.0), -Vec3::x()),
        (Vec3::new(0.0, -0.5, 0.0), Vec3::y()),
        (Vec3::new(0.0, far, 0.0), -Vec3::y()),
    ];
    for (place, normal) in walls {
        let turn = Quat::rotation_between(&Vec3::z(), &normal).unwrap_or_else(Quat::identity);
        bodies.push(Body::new(Shape::HalfSpace, material).at(place).turned(turn).fixed());
    }
    let materials = Materials::single(1000.0, 0.2).expect("valid");
    let world = World::new(Vec3::new(0.0, 0.0, -9.81), materials, bodies).expect("valid");
    let compliance = Compliance {
        materials: vec![MaterialCompliance { stiffness: Some(1e8), damping: Some(1e3), ..Default::default() }],
        slip_speed: Some(1e-3),
        substep: Some(1e-5),
    };
    Simulation::new(world, Settings { compliance, ..Settings::new(Law::Penalty, 1e-5) }).expect("valid")
}

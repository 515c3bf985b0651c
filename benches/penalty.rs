//! Time of the compliant mode.
//!
//! - `pair`: 10⁵ velocity-Verlet steps of one sphere bouncing with friction and spin on another. Exudyn 1.13.6 takes
//!   0.11 s of CPU for that.
//! - `lattice`: one explicit Euler step of 8000 touching rigid spheres in a box (22 800 pairs, μ = 0.2), detection
//!   included. Exudyn's fast build takes 12 ms on one thread.
//!
//! `cargo bench --bench penalty`; one thread unless RAYON_NUM_THREADS says otherwise.

use divan::Bencher;
use maxdiss::integrator::Integrator;
use maxdiss::integrator::Method;
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
use maxdiss::world::Body;
use maxdiss::world::World;

fn main() {
    if std::env::var_os("RAYON_NUM_THREADS").is_none() {
        rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the pool is made once");
    }
    divan::main();
}

#[divan::bench(sample_count = 20, sample_size = 1)]
fn pair(bencher: Bencher) {
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
    bencher
        .with_inputs(|| {
            let mut system = system.clone();
            let state = system.initial_state().expect("valid");
            let settings = maxdiss::integrator::Settings::new(Method::VelocityVerlet, 1e-6);
            (system, state, Integrator::new(settings).expect("valid"))
        })
        .bench_local_values(|(mut system, mut state, mut integrator)| {
            integrator.advance(&mut system, &mut state, 0.1).expect("stable");
            assert!(integrator.report().steps >= 100_000, "{:?}", integrator.report());
            state
        });
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

#[divan::bench(sample_count = 50, sample_size = 1)]
fn lattice_step(bencher: Bencher) {
    let mut simulation = lattice(20);
    for _ in 0..5 {
        let record = simulation.step();
        assert!(record.contacts >= 22_800, "{} contacts", record.contacts);
    }
    bencher.bench_local(|| simulation.step());
}

//! Momentum and angular momentum: of masses between a stop, and of whole scenes under `penalty`.
//!
//! Items between two bodies are in `integrators`. In a scene both bodies of a contact get opposite impulses at one point,
//! so contacts keep both sums to round-off. What does not is the turning of a body with unequal moments of inertia, where
//! ω⁺ = ω − h I⁻¹(ω × Iω) is of first order in the sub-step, contacts or none.

use maxdiss::integrator::Gyroscopic;
use maxdiss::integrator::Integrator;
use maxdiss::integrator::Method;
use maxdiss::law::Law;
use maxdiss::material::MaterialId;
use maxdiss::material::Materials;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::penalty::Coordinate;
use maxdiss::penalty::CoordinateOf;
use maxdiss::penalty::Mass1D;
use maxdiss::penalty::System;
use maxdiss::shape::Shape;
use maxdiss::simulation::Compliance;
use maxdiss::simulation::MaterialCompliance;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::world::Body;
use maxdiss::world::World;

const MATERIAL: MaterialId = MaterialId(0);

#[test]
fn two_masses_and_their_stop_keep_their_momentum_to_1e_12() {
    const TOLERANCE: f64 = 1e-12;
    for method in [Method::SemiImplicitEuler, Method::VelocityVerlet, Method::RungeKutta4, Method::IMPLICIT] {
        let mut system = System::default();
        let first = system.add_mass(Mass1D { mass: 1.0, coordinate: 0.0, velocity: 2.0, force: 0.0 });
        let second = system.add_mass(Mass1D { mass: 3.0, coordinate: 0.015, velocity: -0.5, force: 0.0 });
        let stop = Coordinate { contact_stiffness_exponent: 1.5, ..Coordinate::new(1e6, 20.0) };
        system.add_coordinate(stop, [CoordinateOf::Mass(first), CoordinateOf::Mass(second)]).unwrap();
        let mut state = system.initial_state().unwrap();
        let settings = maxdiss::integrator::Settings::new(method, 2e-5);
        let mut integrator = Integrator::new(settings).unwrap();
        integrator.advance(&mut system, &mut state, 0.05).unwrap();
        assert!(integrator.report().events >= 2, "{}: no impact", method.name());
        let momentum = state.velocity[0] + 3.0 * state.velocity[1];
        let off = (momentum - 0.5).abs() / (2.0 + 1.5);
        assert!(off < TOLERANCE, "{}: momentum {momentum}, off by {off:e}", method.name());
    }
}

/// How far the momentum and the angular momentum of free bodies are off after 0.1 s, as parts of the sums of their
/// magnitudes at the beginning; and whether they met.
fn off(bodies: Vec<Body>, substep: f64, gyroscopic: Gyroscopic) -> (f64, f64, bool) {
    let world = World::new(Vec3::zeros(), Materials::single(1000.0, 0.5).unwrap(), bodies).unwrap();
    let materials = vec![MaterialCompliance { stiffness: Some(1e6), ..MaterialCompliance::default() }];
    let compliance = Compliance { materials, substep: Some(substep), ..Compliance::default() };
    let settings = Settings { compliance, gyroscopic, ..Settings::new(Law::Penalty, 1e-3) };
    let mut run = Simulation::new(world, settings).unwrap();
    let momenta = |world: &World| {
        let (mut p, mut l, mut p_size, mut l_size) = (Vec3::zeros(), Vec3::zeros(), 0.0, 0.0);
        for i in 0..world.len() {
            let v = world.velocities()[i];
            let linear = v.linear * world.masses()[i];
            let (spin, orbit) = (world.angular_momentum(i, &v.angular), world.positions()[i].cross(&linear));
            p += linear;
            l += spin + orbit;
            p_size += linear.norm();
            l_size += spin.norm() + orbit.norm();
        }
        (p, l, p_size, l_size)
    };
    let before = momenta(run.world());
    let mut met = false;
    for _ in 0..100 {
        let record = run.step();
        met |= record.contacts > 0 && record.total.friction < 0.0;
    }
    let after = momenta(run.world());
    ((after.0 - before.0).norm() / before.2, (after.1 - before.1).norm() / before.3, met)
}

/// Two bodies that meet off centre, turning.
fn colliding(first: Shape, second: Shape) -> Vec<Body> {
    let first = Body::new(first, MATERIAL)
        .turned(Quat::from_scaled_axis(Vec3::new(0.3, 0.5, 0.1)))
        .moving(Vec3::new(1.0, 0.1, 0.0), Vec3::new(1.0, 2.0, 3.0));
    let second = Body::new(second, MATERIAL)
        .at(Vec3::new(0.4, 0.05, 0.05))
        .moving(Vec3::new(-1.0, 0.0, 0.2), Vec3::new(0.0, -1.0, 0.5));
    vec![first, second]
}

#[test]
fn colliding_bodies_of_equal_moments_keep_both_momenta_to_1e_12() {
    // A thousandth of it is round-off of 10⁴ sub-steps.
    const TOLERANCE: f64 = 1e-12;
    let cube = |edge: f64| Shape::cuboid(edge, edge, edge);
    for (name, first, second) in [
        ("balls", Shape::sphere(0.17), Shape::sphere(0.15)),
        ("cubes", cube(0.3), cube(0.2)),
        ("ball and cube", Shape::sphere(0.17), cube(0.25)),
    ] {
        let (linear, angular, met) = off(colliding(first, second), 1e-5, Gyroscopic::Explicit);
        println!("{name}: momentum off by {linear:e}, angular momentum by {angular:e}");
        assert!(met, "{name}: no contact with friction");
        assert!(linear < TOLERANCE, "{name}: momentum off by {linear:e}");
        assert!(angular < TOLERANCE, "{name}: angular momentum off by {angular:e}");
    }
}

#[test]
fn the_angular_momentum_of_boxes_is_off_by_the_first_order_of_turning_alone() {
    let boxes = || colliding(Shape::cuboid(0.2, 0.3, 0.4), Shape::cuboid(0.3, 0.2, 0.2));
    let apart = || {
        let mut bodies = boxes();
        bodies[1].position.x = 4.0;
        bodies
    };
    for gyroscopic in [Gyroscopic::Explicit, Gyroscopic::Implicit] {
        for (name, bodies, meet) in [("meeting", boxes(), true), ("apart", apart(), false)] {
            let (linear, coarse, met) = off(bodies.clone(), 2e-5, gyroscopic);
            let (_, fine, _) = off(bodies, 1e-5, gyroscopic);
            println!("{gyroscopic:?}, {name}: momentum {linear:e}, angular momentum {coarse:e}, {fine:e}");
            assert_eq!(met, meet, "{name}");
            assert!(linear < 1e-12, "{name}: momentum off by {linear:e}");
            // First order: half the sub-step, half the error; the two runs of a collision differ by some of that.
            let ratio = coarse / fine;
            assert!((1.7..2.3).contains(&ratio), "{gyroscopic:?}, {name}: {coarse:e} and {fine:e}");
            assert!(fine < 1e-4, "{name}: {fine:e}");
        }
    }
}

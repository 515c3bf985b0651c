//! Steps do not allocate: neither those of items, nor the sub-steps of a scene.

use maxdiss::integrator::Integrator;
use maxdiss::integrator::Method;
use maxdiss::integrator::Settings;
use maxdiss::law::Law;
use maxdiss::material::MaterialId;
use maxdiss::material::Materials;
use maxdiss::math::Vec3;
use maxdiss::penalty::Attachment;
use maxdiss::penalty::RigidBody;
use maxdiss::penalty::SphereSphere;
use maxdiss::penalty::System;
use maxdiss::shape::Shape;
use maxdiss::simulation::Compliance;
use maxdiss::simulation::MaterialCompliance;
use maxdiss::simulation::Simulation;
use maxdiss::world::Body;
use maxdiss::world::World;

#[test]
fn steps_of_an_item_that_stays_closed_do_not_allocate() {
    for method in [Method::SemiImplicitEuler, Method::VelocityVerlet, Method::RungeKutta4] {
        let mut system = System::default();
        let start = RigidBody::ball(1.0, 0.1, Vec3::new(0.0, 0.0, 1.099));
        let ball = system.add_body(RigidBody { gravity_w: Vec3::new(0.0, 0.0, -100.0), ..start });
        let item = SphereSphere { dynamic_friction: 0.2, ..SphereSphere::new([1.0, 0.1], 1e5) };
        system.add_sphere_sphere(item, [Attachment::ground(Vec3::zeros()), Attachment::body(ball)]).unwrap();
        let mut state = system.initial_state().unwrap();
        let mut integrator = Integrator::new(Settings::new(method, 1e-6)).unwrap();
        let mut until = 0.0;
        let mut allocations = |steps: f64| {
            until += 1e-6 * steps;
            allocation_counter::measure(|| integrator.advance(&mut system, &mut state, until).unwrap()).count_total
        };
        allocations(10.0);
        // What a call does once, as to check its stability, does not count.
        let (few, many) = (allocations(10.0), allocations(1000.0));
        assert_eq!(few, many, "{}: allocations in 10 and in 1000 steps", method.name());
    }
}

#[test]
fn sub_steps_of_a_scene_do_not_allocate() {
    let material = MaterialId(0);
    let mut bodies: Vec<_> = (0..27_i32)
        .map(|i| {
            let place = Vec3::new(f64::from(i % 3), f64::from(i / 3 % 3), f64::from(i / 9)) * 0.0999;
            Body::new(Shape::sphere(0.05), material).at(place + Vec3::new(0.0, 0.0, 0.0499))
        })
        .collect();
    bodies.push(Body::new(Shape::HalfSpace, material).fixed());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let counted = [10.0, 1000.0].map(|sub_steps| {
        let world = World::new(Vec3::new(0.0, 0.0, -9.81), Materials::single(1000.0, 0.3).unwrap(), bodies.clone());
        let materials = vec![MaterialCompliance { stiffness: Some(1e5), ..MaterialCompliance::default() }];
        let compliance = Compliance { materials, substep: Some(1e-3 / sub_steps), ..Compliance::default() };
        let settings =
            maxdiss::simulation::Settings { compliance, ..maxdiss::simulation::Settings::new(Law::Penalty, 1e-3) };
        let mut run = Simulation::new(world.unwrap(), settings).unwrap();
        pool.install(|| {
            for _ in 0..3 {
                assert!(run.step().contacts >= 27);
            }
            let step = || {
                run.step();
            };
            allocation_counter::measure(step).count_total
        })
    });
    assert_eq!(counted[0], counted[1], "allocations in a step of 10 and of 1000 sub-steps");
}

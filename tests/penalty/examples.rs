//! The mini examples of the three seed pages.

use maxdiss::integrator::Events;
use maxdiss::integrator::Integrator;
use maxdiss::integrator::Method;
use maxdiss::integrator::Settings;
use maxdiss::integrator::State;
use maxdiss::math::Vec3;
use maxdiss::penalty::Attachment;
use maxdiss::penalty::Configuration;
use maxdiss::penalty::Coordinate;
use maxdiss::penalty::CoordinateOf;
use maxdiss::penalty::Mass1D;
use maxdiss::penalty::RigidBody;
use maxdiss::penalty::SphereSphere;
use maxdiss::penalty::SphereTorus;
use maxdiss::penalty::System;

fn ball_on_sphere() -> System {
    let mut system = System::default();
    let start = RigidBody::ball(1.0, 0.1, Vec3::new(0.0, 0.0, 1.2));
    let ball = system.add_body(RigidBody { gravity_w: Vec3::new(0.0, 0.0, -9.81), ..start });
    let item = SphereSphere { contact_damping: 1e3, ..SphereSphere::new([1.0, 0.1], 1e5) };
    system.add_sphere_sphere(item, [Attachment::ground(Vec3::zeros()), Attachment::body(ball)]).unwrap();
    system
}

fn ball_in_groove() -> System {
    let mut system = System::default();
    let start = RigidBody::ball(0.1, 0.01, Vec3::new(0.1, 0.0, 0.0));
    let ball = system.add_body(RigidBody { force_w: Vec3::new(10.0, 0.0, 0.0), ..start });
    let item = SphereTorus { contact_damping: 1e3, ..SphereTorus::new(0.01, [0.1, 0.011], Vec3::z(), 1e6) };
    system.add_sphere_torus(item, [Attachment::body(ball), Attachment::ground(Vec3::zeros())]).unwrap();
    system
}

fn mass_on_stop() -> System {
    let mut system = System::default();
    let mass = system.add_mass(Mass1D { mass: 1.0, coordinate: 0.1, velocity: 0.0, force: -10.0 });
    system.add_coordinate(Coordinate::new(1e4, 100.0), [CoordinateOf::Ground, CoordinateOf::Mass(mass)]).unwrap();
    system
}

fn end(mut system: System, settings: Settings) -> State<Configuration> {
    let mut state = system.initial_state().unwrap();
    let mut integrator = Integrator::new(settings).unwrap();
    integrator.advance(&mut system, &mut state, 1.0).unwrap_or_else(|fault| panic!("{fault}"));
    assert!((state.time - 1.0).abs() < 1e-15, "ends at {}", state.time);
    state
}

/// Half a unit of the last digit that the pages print.
const PRINTED: [f64; 3] = [0.5e-7, 0.5e-5, 0.5e-3];

#[test]
fn the_examples_of_the_pages_end_at_the_printed_numbers_under_every_method() {
    let methods = [
        (Method::SemiImplicitEuler, [1e-3, 1e-4, 1e-3]),
        (Method::VelocityVerlet, [5e-4, 5e-5, 1e-3]),
        (Method::RungeKutta4, [1e-3, 1e-4, 1e-3]),
        (Method::IMPLICIT, [1e-3, 1e-3, 1e-3]),
    ];
    for (method, steps) in methods {
        for events in [Events::Land, Events::Iterate] {
            if events == Events::Iterate && method != Method::IMPLICIT {
                continue;
            }
            let settings = |step| Settings { events, ..Settings::new(method, step) };
            let measured = [
                end(ball_on_sphere(), settings(steps[0])).configuration.positions[0].z,
                end(ball_in_groove(), settings(steps[1])).configuration.positions[0].x,
                end(mass_on_stop(), settings(steps[2])).configuration.coordinates[0],
            ];
            println!("{} {events:?}: {measured:?}", method.name());
            for ((measured, expected), printed) in measured.iter().zip([1.099_901_9, 0.101_01, -0.001]).zip(PRINTED) {
                assert!((measured - expected).abs() <= printed, "{}: {measured} for {expected}", method.name());
            }
        }
    }
}

#[test]
fn the_stiff_torus_example_refuses_an_explicit_step_of_a_millisecond_and_names_the_limit() {
    for (method, limit) in [
        (Method::SemiImplicitEuler, "1.8322e-4 s"),
        (Method::VelocityVerlet, "9.7618e-5 s"),
        (Method::RungeKutta4, "2.9478e-4 s"),
    ] {
        let mut system = ball_in_groove();
        let mut state = system.initial_state().unwrap();
        let mut integrator = Integrator::new(Settings::new(method, 1e-3)).unwrap();
        let fault = integrator.advance(&mut system, &mut state, 1.0).unwrap_err().to_string();
        assert!(fault.contains(limit), "{fault}");
        assert!(fault.contains("sphere_torus 0") && fault.contains("override"), "{fault}");
        assert!(state.time.abs() < 1e-300, "the run had begun: {}", state.time);
    }
}

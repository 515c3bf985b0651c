//! The integrators: order, stability, events, conservation, restitution.

use maxdiss::integrator::Events;
use maxdiss::integrator::Integrator;
use maxdiss::integrator::Method;
use maxdiss::integrator::Settings;
use maxdiss::integrator::State;
use maxdiss::integrator::System as _;
use maxdiss::law::penalty::ImpactModel;
use maxdiss::law::penalty::effective_restitution;
use maxdiss::math::Mat3;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::penalty::Attachment;
use maxdiss::penalty::BodyHandle;
use maxdiss::penalty::Configuration;
use maxdiss::penalty::Coordinate;
use maxdiss::penalty::CoordinateOf;
use maxdiss::penalty::Mass1D;
use maxdiss::penalty::RigidBody;
use maxdiss::penalty::SphereSphere;
use maxdiss::penalty::SphereTorus;
use maxdiss::penalty::System;

const METHODS: [Method; 4] = [Method::SemiImplicitEuler, Method::VelocityVerlet, Method::RungeKutta4, Method::IMPLICIT];

fn advance(system: &mut System, settings: Settings, until: f64) -> State<Configuration> {
    let mut state = system.initial_state().unwrap_or_else(|e| panic!("{e}"));
    let mut integrator = Integrator::new(settings).unwrap();
    integrator.advance(system, &mut state, until).unwrap_or_else(|fault| panic!("{fault}"));
    state
}

/// A ball pressed onto a stiff stop and moving, that stays in contact: a nonlinear oscillation in position and turn.
fn oscillation() -> System {
    let mut system = System::default();
    let body = RigidBody::new(1.0, [0.004, 0.006, 0.009], Vec3::new(0.0, 0.0, 1.09));
    let ball = system.add_body(RigidBody {
        velocity_w: Vec3::new(0.3, -0.2, 0.3),
        angular_velocity_w: Vec3::new(6.0, 4.0, -3.0),
        gravity_w: Vec3::new(0.0, 0.0, -2000.0),
        ..body
    });
    let item = SphereSphere { contact_stiffness_exponent: 1.5, ..SphereSphere::new([1.0, 0.1], 3e6) };
    system.add_sphere_sphere(item, [Attachment::ground(Vec3::zeros()), Attachment::body(ball)]).unwrap();
    system
}

fn distance(a: &State<Configuration>, b: &State<Configuration>) -> f64 {
    let moved = (a.configuration.positions[0] - b.configuration.positions[0]).norm();
    let turned = (a.configuration.orientations[0].coords - b.configuration.orientations[0].coords).norm();
    let faster = a.velocity.iter().zip(&b.velocity).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
    moved + turned + faster
}

#[test]
fn each_method_has_its_order_on_a_contact_that_stays_closed() {
    // An asymptotic order is met to this within one halving at these steps.
    const SLACK: f64 = 0.15;
    // At one moment the leading error can vanish; not at five of an oscillation of 10 ms.
    let ends = [0.0160, 0.0172, 0.0184, 0.0196, 0.0208];
    let exact = ends.map(|end| advance(&mut oscillation(), Settings::new(Method::RungeKutta4, 2e-6), end));
    for (method, order, step) in [
        (Method::SemiImplicitEuler, 1.0, 2e-5),
        (Method::VelocityVerlet, 2.0, 1e-4),
        (Method::RungeKutta4, 4.0, 2e-4),
        (Method::IMPLICIT, 2.0, 1e-4),
    ] {
        let error = |h| {
            let runs = ends.map(|end| advance(&mut oscillation(), Settings::new(method, h), end));
            runs.iter().zip(&exact).map(|(run, exact)| distance(run, exact)).sum::<f64>()
        };
        let (coarse, fine) = (error(step), error(0.5 * step));
        let measured = (coarse / fine).log2();
        println!("{}: order {measured:.3} (errors {coarse:.2e}, {fine:.2e})", method.name());
        assert!((measured - order).abs() < SLACK, "{}: order {measured}, not {order}", method.name());
    }
}

#[test]
fn velocity_verlet_and_generalised_alpha_keep_order_two_with_damping_friction_and_events() {
    // Impacts with damping and friction in the proportional zone; the ball leaves and comes back.
    let bounces = || {
        let mut system = System::default();
        let body = RigidBody::ball(1.0, 0.1, Vec3::new(0.02, 0.0, 1.11));
        let ball = system.add_body(RigidBody {
            velocity_w: Vec3::new(0.1, 0.0, -0.3),
            gravity_w: Vec3::new(0.0, 0.0, -9.81),
            ..body
        });
        let item = SphereSphere {
            contact_damping: 30.0,
            dynamic_friction: 0.3,
            friction_proportional_zone: 2.0,
            ..SphereSphere::new([1.0, 0.1], 1e5)
        };
        system.add_sphere_sphere(item, [Attachment::ground(Vec3::zeros()), Attachment::body(ball)]).unwrap();
        system
    };
    let exact = advance(&mut bounces(), Settings::new(Method::RungeKutta4, 2e-6), 0.2);
    for method in [Method::VelocityVerlet, Method::IMPLICIT] {
        let error = |h| distance(&advance(&mut bounces(), Settings::new(method, h), 0.2), &exact);
        let (coarse, fine) = (error(2e-4), error(2.5e-5));
        let measured = (coarse / fine).log2() / 3.0;
        println!("{}: order {measured:.3} (errors {coarse:.2e}, {fine:.2e})", method.name());
        // Landing makes steps uneven, so errors scatter about the order.
        assert!(measured > 1.6, "{}: order {measured}", method.name());
    }
}

/// A mass on a damped spring that never lets go: the stop is pushed in 1 m.
fn spring(stiffness: f64, damping: f64) -> System {
    let mut system = System::default();
    let mass = system.add_mass(Mass1D { mass: 1.0, coordinate: -1.001, velocity: 0.0, force: -stiffness });
    let stop = Coordinate::new(stiffness, damping);
    system.add_coordinate(stop, [CoordinateOf::Ground, CoordinateOf::Mass(mass)]).unwrap();
    system
}

#[test]
fn just_inside_the_stability_limit_a_run_is_bounded_and_just_outside_it_blows_up_and_is_refused() {
    const STEPS: usize = 100_000;
    // The minimum of |z| over |1 + z + z²/2 + z³/6 + z⁴/24| = 1 in the left half plane is at z = 2.6156 e^(±2.1403 i).
    const TOUCHING: f64 = 0.5392;
    for (method, zeta, limit) in [
        (Method::SemiImplicitEuler, 0.0, 2.0),
        (Method::SemiImplicitEuler, 0.5, 2.0 * (1.25_f64.sqrt() - 0.5)),
        (Method::VelocityVerlet, 0.0, 2.0),
        (Method::VelocityVerlet, 0.5, 2.0 * (2.0_f64.sqrt() - 1.0)),
        (Method::RungeKutta4, 0.0, 2.6156),
        // Where the half disc touches the region of stability: cos ζ is the direction of λ there.
        (Method::RungeKutta4, TOUCHING, 2.6156),
        (Method::RungeKutta4, 2.0, 2.6156 / (2.0 + 3.0_f64.sqrt())),
    ] {
        // ω = 1 rad/s.
        let run = |step: f64, override_stability| {
            let mut system = spring(1.0, 2.0 * zeta);
            let mut state = system.initial_state().unwrap();
            let settings = Settings { override_stability, ..Settings::new(method, step) };
            let mut integrator = Integrator::new(settings).unwrap();
            let (mut outcome, mut amplitude) = (Ok(()), 0.0_f64);
            for part in 1..=1000 {
                outcome = integrator.advance(&mut system, &mut state, (part * STEPS / 1000) as f64 * step);
                amplitude = amplitude.max((state.configuration.coordinates[0] + 1.0).abs());
                if outcome.is_err() {
                    break;
                }
            }
            (outcome, amplitude)
        };
        let (inside, amplitude) = run(0.999 * limit, false);
        assert!(inside.is_ok(), "{method:?}, ζ = {zeta}: {inside:?}");
        // Near the limit the discrete energy is not the physical one; 1/√0.002 times the start is bounded enough.
        assert!(amplitude < 0.1, "{method:?}, ζ = {zeta}: amplitude {amplitude} inside the limit");
        let refused = run(1.001 * limit, false).0.unwrap_err().to_string();
        assert!(refused.contains("stability limit") && refused.contains(method.name()), "{refused}");
        // The half disc of the Runge–Kutta method is inside its region of stability and touches it in one direction: on
        // the imaginary axis it is stable up to 2.8284 and on the real one to 2.7853, so there 10 % more is outside.
        #[allow(clippy::float_cmp)] // the entry of the list itself
        let slack = method == Method::RungeKutta4 && zeta != TOUCHING;
        let outside = if slack { 1.1 * limit } else { 1.001 * limit };
        let (outcome, amplitude) = run(outside, true);
        // Near an amplitude of 1 m the mass leaves the stop, which bounds what grows a hundredfold and more till then.
        let blown = outcome.is_err() || amplitude > 0.2;
        assert!(blown, "{method:?}, ζ = {zeta}: amplitude {amplitude} outside the limit");
    }
}

#[test]
fn the_differenced_jacobian_solves_a_linear_step_at_once_and_stiffness_is_no_limit() {
    // ω δt = 1000: with ρ = 0.9 the amplitude falls by about 0.9 a step. One iteration solves, a second takes what the
    // differences left, and a third sometimes meets round-off.
    let mut system = spring(1e6, 10.0);
    let mut state = system.initial_state().unwrap();
    let mut integrator = Integrator::new(Settings::new(Method::IMPLICIT, 1.0)).unwrap();
    integrator.advance(&mut system, &mut state, 200.0).unwrap();
    let off = (state.configuration.coordinates[0] + 1.0).abs();
    assert!(off < 1e-6, "off equilibrium by {off}");
    let report = integrator.report();
    let per_step = report.newton_iterations as f64 / report.steps as f64;
    println!("{per_step} Newton iterations a step, {report:?}");
    assert!(per_step <= 3.5, "{per_step} Newton iterations a step");
}

#[test]
fn iterating_the_active_set_and_landing_on_the_event_agree_as_the_step_falls() {
    let bounce = || {
        let mut system = System::default();
        let mass = system.add_mass(Mass1D { mass: 1.0, coordinate: 0.0105, velocity: -1.0, force: 0.0 });
        let stop =
            Coordinate { impact_model: ImpactModel::Mixed, restitution_coefficient: 0.5, ..Coordinate::new(1e5, 0.0) };
        system.add_coordinate(stop, [CoordinateOf::Ground, CoordinateOf::Mass(mass)]).unwrap();
        system
    };
    let landed = advance(&mut bounce(), Settings::new(Method::IMPLICIT, 1e-5), 0.05);
    let mut last = f64::INFINITY;
    for step in [4e-5, 4e-6] {
        let settings = Settings { events: Events::Iterate, ..Settings::new(Method::IMPLICIT, step) };
        let iterated = advance(&mut bounce(), settings, 0.05);
        let off = (iterated.velocity[0] - landed.velocity[0]).abs();
        println!("step {step}: rebound {} against {}", iterated.velocity[0], landed.velocity[0]);
        assert!(off < 0.5 * last, "step {step}: off by {off} after {last}");
        last = off;
    }
    assert!(last < 1e-3, "off by {last}");
}

#[test]
fn the_measured_restitution_is_that_of_the_closed_form_to_1e_6_for_every_exponent() {
    const TOLERANCE: f64 = 1e-6;
    for impact_model in [ImpactModel::HuntCrossley, ImpactModel::Mixed] {
        for e in [0.9, 0.5, 1.0 / 3.0, 0.2, 0.05] {
            for exponent in [1.0, 1.5] {
                for minimum_impact_velocity in [0.0, 0.8, 3.0] {
                    let mut system = System::default();
                    let mass = system.add_mass(Mass1D { mass: 1.0, coordinate: 0.001, velocity: -1.5, force: 0.0 });
                    let stop = Coordinate {
                        contact_stiffness_exponent: exponent,
                        impact_model,
                        restitution_coefficient: e,
                        minimum_impact_velocity,
                        ..Coordinate::new(1e5 * 100_f64.powf(exponent - 1.0), 0.0)
                    };
                    let expected = effective_restitution(&stop.law(), 1.5);
                    let settings = Settings::new(Method::RungeKutta4, 1e-5);
                    system.add_coordinate(stop, [CoordinateOf::Ground, CoordinateOf::Mass(mass)]).unwrap();
                    let mut state = system.initial_state().unwrap();
                    let mut integrator = Integrator::new(settings).unwrap();
                    // Strongly damped impacts part slowly: run until they have.
                    while !(state.configuration.coordinates[0] > 0.0 && state.velocity[0] > 0.0) {
                        let until = state.time + 0.01;
                        integrator.advance(&mut system, &mut state, until).unwrap_or_else(|fault| panic!("{fault}"));
                        assert!(until < 10.0, "{impact_model:?} {e}: still in contact");
                    }
                    let measured = state.velocity[0] / 1.5;
                    let off = (measured - expected).abs();
                    assert!(off < TOLERANCE, "{impact_model:?} {e} n = {exponent}: {measured} for {expected}");
                }
            }
        }
    }
}

/// Linear momentum, and angular momentum about the origin, with the size of their parts.
fn momentum(system: &System, state: &State<Configuration>) -> (Vec3, Vec3, f64, f64) {
    let (mut p, mut l, mut p_size, mut l_size) = (Vec3::zeros(), Vec3::zeros(), 0.0, 0.0);
    for (i, body) in system.bodies().iter().enumerate() {
        let (v, w) = system.body_velocity(BodyHandle(i), &state.velocity);
        let rotation: Mat3 = state.configuration.orientations[i].to_rotation_matrix().into_inner();
        let linear = body.mass * v;
        let spin = rotation * body.inertia_b * rotation.transpose() * w;
        let orbit = state.configuration.positions[i].cross(&linear);
        p += linear;
        l += spin + orbit;
        p_size += linear.norm();
        l_size += spin.norm() + orbit.norm();
    }
    (p, l, p_size, l_size)
}

/// Two free balls that meet off centre with friction and spin.
fn two_balls() -> System {
    let mut system = System::default();
    let first = RigidBody::ball(1.0, 0.1, Vec3::zeros());
    let second = RigidBody::ball(3.0, 0.15, Vec3::new(0.24, 0.09, 0.02));
    let a = system.add_body(RigidBody {
        velocity_w: Vec3::new(1.0, 0.2, 0.0),
        angular_velocity_w: Vec3::new(3.0, -4.0, 5.0),
        ..first
    });
    let b = system.add_body(RigidBody {
        velocity_w: Vec3::new(-0.5, 0.0, 0.1),
        angular_velocity_w: Vec3::new(-2.0, 6.0, 1.0),
        ..second
    });
    let item = SphereSphere {
        dynamic_friction: 0.8,
        friction_proportional_zone: 0.1,
        contact_damping: 20.0,
        ..SphereSphere::new([0.1, 0.15], 1e5)
    };
    system.add_sphere_sphere(item, [Attachment::body(a), Attachment::body(b)]).unwrap();
    system
}

/// A free ball in a free torus with unequal inertias, both turning.
fn ball_in_free_torus() -> System {
    let mut system = System::default();
    let small = RigidBody::ball(0.1, 0.01, Vec3::new(0.1, 0.0, 0.0005));
    let ball = system.add_body(RigidBody {
        velocity_w: Vec3::new(0.2, 0.3, 0.1),
        angular_velocity_w: Vec3::new(20.0, -10.0, 15.0),
        ..small
    });
    let ring = RigidBody::new(0.5, [0.001, 0.0015, 0.002], Vec3::zeros());
    let ring = system.add_body(RigidBody {
        orientation: Quat::from_scaled_axis(Vec3::new(0.0, 0.0, 0.5)),
        angular_velocity_w: Vec3::new(1.0, 2.0, -3.0),
        ..ring
    });
    let item = SphereTorus {
        dynamic_friction: 0.3,
        friction_proportional_zone: 0.1,
        ..SphereTorus::new(0.01, [0.1, 0.012], Vec3::z(), 1e5)
    };
    system.add_sphere_torus(item, [Attachment::body(ball), Attachment::body(ring)]).unwrap();
    system
}

#[test]
fn two_free_bodies_keep_their_momentum_and_angular_momentum_to_1e_12() {
    const TOLERANCE: f64 = 1e-12;
    for (name, mut system, end) in [("balls", two_balls(), 0.04), ("torus", ball_in_free_torus(), 0.02)] {
        let before = momentum(&system, &system.clone().initial_state().unwrap());
        let mut integrator = Integrator::new(Settings::new(Method::RungeKutta4, 1e-6)).unwrap();
        let mut state = system.initial_state().unwrap();
        integrator.advance(&mut system, &mut state, end).unwrap();
        assert!(integrator.report().events >= 2, "{name}: no impact");
        let after = momentum(&system, &state);
        let (linear, angular) = ((after.0 - before.0).norm() / before.2, (after.1 - before.1).norm() / before.3);
        println!("{name}: momentum off by {linear:e}, angular momentum by {angular:e}");
        assert!(linear < TOLERANCE, "{name}: momentum off by {linear:e}");
        assert!(angular < TOLERANCE, "{name}: angular momentum off by {angular:e}");
    }
}

#[test]
fn a_sphere_in_a_free_torus_keeps_its_energy_without_friction_out_of_the_torus_plane() {
    let mut system = System::default();
    let start = RigidBody::ball(0.1, 0.01, Vec3::new(0.1, 0.0, 0.0005));
    let ball = system.add_body(RigidBody { velocity_w: Vec3::new(0.2, 0.3, 0.1), ..start });
    let ring = system.add_body(RigidBody::new(0.5, [0.001, 0.0015, 0.002], Vec3::zeros()));
    let item = SphereTorus::new(0.01, [0.1, 0.012], Vec3::z(), 1e5);
    system.add_sphere_torus(item, [Attachment::body(ball), Attachment::body(ring)]).unwrap();
    let energy = |system: &System, state: &State<Configuration>| {
        let kinetic: f64 = system
            .bodies()
            .iter()
            .enumerate()
            .map(|(i, body)| {
                let (v, w) = system.body_velocity(BodyHandle(i), &state.velocity);
                let w_b = state.configuration.orientations[i].inverse() * w;
                0.5 * body.mass * v.norm_squared() + 0.5 * w_b.dot(&(body.inertia_b * w_b))
            })
            .sum();
        let overlap = (-system.gap(0, &state.configuration)).max(0.0);
        kinetic + 0.5 * 1e5 * overlap * overlap
    };
    let mut state = system.initial_state().unwrap();
    let before = energy(&system, &state);
    let mut integrator = Integrator::new(Settings::new(Method::RungeKutta4, 2e-6)).unwrap();
    integrator.advance(&mut system, &mut state, 0.1).unwrap();
    let off = (energy(&system, &state) - before).abs() / before;
    println!("{} events, energy off by {off:e}", integrator.report().events);
    assert!(integrator.report().events > 5);
    assert!(off < 1e-10, "energy off by {off:e}");
}

#[test]
fn orientations_stay_of_unit_norm_over_a_long_run_under_every_method() {
    for method in METHODS {
        let state = advance(&mut oscillation(), Settings::new(method, 2e-5), 0.5);
        let off = (state.configuration.orientations[0].quaternion().norm() - 1.0).abs();
        assert!(off <= 4.0 * f64::EPSILON, "{}: off by {off:e}", method.name());
    }
}

#[test]
fn a_stop_acts_on_translations_rotations_and_differences_of_coordinates() {
    // A rod turning about z, stopped at 0.1 rad; one moving along x, stopped by the other's coordinate.
    let mut system = System::default();
    let rod = RigidBody::new(2.0, [0.5, 0.5, 0.5], Vec3::zeros());
    let rod = system.add_body(RigidBody { angular_velocity_w: Vec3::new(0.0, 0.0, 1.0), ..rod });
    let slider = RigidBody::new(2.0, [0.5, 0.5, 0.5], Vec3::new(0.0, 5.0, 0.0));
    let slider = system.add_body(RigidBody { velocity_w: Vec3::new(1.0, 0.0, 0.0), ..slider });
    let mass = system.add_mass(Mass1D { mass: 2.0, coordinate: 0.1, velocity: 0.0, force: 0.0 });
    let angle = CoordinateOf::Rotation { body: rod, axis_w: Vec3::z() };
    // 0 − q + 0.1 ≥ 0.
    let stop = Coordinate { offset: -0.1, ..Coordinate::new(1e5, 0.0) };
    system.add_coordinate(stop, [angle, CoordinateOf::Ground]).unwrap();
    let along = CoordinateOf::Translation { body: slider, position_b: Vec3::zeros(), axis_w: Vec3::x() };
    let gap = CoordinateOf::difference(CoordinateOf::Mass(mass), along);
    system.add_coordinate(Coordinate::new(1e5, 0.0), [CoordinateOf::Ground, gap]).unwrap();
    let state = advance(&mut system, Settings::new(Method::RungeKutta4, 1e-5), 0.2);
    let (_, w) = system.body_velocity(rod, &state.velocity);
    let (v, _) = system.body_velocity(slider, &state.velocity);
    let pushed = state.velocity[system.slot_of_mass(mass)];
    // Elastic: the rod turns back as fast; equal masses exchange their velocities.
    assert!((w.z + 1.0).abs() < 1e-8, "turns at {}", w.z);
    assert!(v.x.abs() < 1e-8 && (pushed - 1.0).abs() < 1e-8, "slider {}, mass {pushed}", v.x);
}

#[test]
fn a_general_rotation_against_a_stop_keeps_energy() {
    // The twist angle of a tumbling body: force and rate must be conjugate for energy to be kept.
    let mut system = System::default();
    let body = RigidBody::new(2.0, [0.3, 0.5, 0.7], Vec3::zeros());
    let body = system.add_body(RigidBody { angular_velocity_w: Vec3::new(0.5, -0.4, 1.0), ..body });
    let angle = CoordinateOf::Rotation { body, axis_w: Vec3::z() };
    system
        .add_coordinate(Coordinate { offset: -0.3, ..Coordinate::new(1e3, 0.0) }, [angle, CoordinateOf::Ground])
        .unwrap();
    let energy = |system: &System, state: &State<Configuration>| {
        let (_, w) = system.body_velocity(body, &state.velocity);
        let w_b = state.configuration.orientations[0].inverse() * w;
        let overlap = (-system.gap(0, &state.configuration)).max(0.0);
        0.5 * w_b.dot(&(system.bodies()[0].inertia_b * w_b)) + 0.5 * 1e3 * overlap * overlap
    };
    let mut state = system.initial_state().unwrap();
    let before = energy(&system, &state);
    let mut integrator = Integrator::new(Settings::new(Method::RungeKutta4, 1e-4)).unwrap();
    integrator.advance(&mut system, &mut state, 1.0).unwrap();
    assert!(integrator.report().events >= 2, "the stop was not met");
    let off = (energy(&system, &state) - before).abs() / before;
    assert!(off < 1e-9, "energy off by {off:e}");
}

#[test]
fn a_run_split_by_a_saved_state_equals_the_unbroken_run_bit_for_bit() {
    for method in METHODS {
        let settings = Settings::new(method, 1e-5);
        let mut system = two_balls();
        let mut state = system.initial_state().unwrap();
        let mut integrator = Integrator::new(settings).unwrap();
        for until in [0.007, 0.02] {
            integrator.advance(&mut system, &mut state, until).unwrap();
        }

        let mut first = two_balls();
        let mut half = first.initial_state().unwrap();
        Integrator::new(settings).unwrap().advance(&mut first, &mut half, 0.007).unwrap();
        let saved = serde_json::to_string(&(&half, first.histories())).unwrap();
        let (mut half, histories): (State<Configuration>, Vec<maxdiss::law::penalty::History>) =
            serde_json::from_str(&saved).unwrap();
        let mut second = two_balls();
        second.initial_state().unwrap();
        second.set_histories(&histories).unwrap();
        Integrator::new(settings).unwrap().advance(&mut second, &mut half, 0.02).unwrap();

        let same = half == state && second.histories() == system.histories();
        assert!(same, "{}: {half:?}\n{state:?}", method.name());
    }
}

#[test]
fn an_inactive_item_has_no_force_and_keeps_its_history() {
    let mut system = System::default();
    let mass = system.add_mass(Mass1D { mass: 1.0, coordinate: 0.01, velocity: -1.0, force: 0.0 });
    let item =
        system.add_coordinate(Coordinate::new(1e5, 0.0), [CoordinateOf::Ground, CoordinateOf::Mass(mass)]).unwrap();
    system.set_active(item, false);
    let state = advance(&mut system, Settings::new(Method::VelocityVerlet, 1e-4), 0.05);
    assert!((state.configuration.coordinates[0] + 0.04).abs() < 1e-12);
    assert!((system.history(item).gap - 0.01).abs() < 1e-18, "{:?}", system.history(item));
}

//! Prescribed motions: exact poses, work in the ledger, the same bits after a resume.

mod common;

use common::LAWS;
use common::STUFF;
use common::Watched;
use common::ball;
use common::cuboid;
use common::down;
use common::exact;
use common::floor;
use common::world;
use maxdiss::law::Law;
use maxdiss::math::Vec3;
use maxdiss::shape::Shape;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::world::Body;
use maxdiss::world::Drive;
use maxdiss::world::Oscillation;
use maxdiss::world::Path;
use maxdiss::world::Swing;
use maxdiss::world::Turn;
use maxdiss::world::World;
use std::f64::consts::TAU;

/// A plate with a level upper face at z = 0 that is driven.
fn plate(drive: Drive) -> Body {
    Body::new(Shape::cuboid(4.0, 4.0, 0.2), STUFF).at(Vec3::new(0.0, 0.0, -0.1)).driven(drive)
}

/// Balls and boxes over a plate and a paddle that do all kinds of motion at once.
fn machine() -> World {
    let mut bodies: Vec<Body> = (0..12)
        .map(|k| {
            let x = f64::from(k);
            let at = Vec3::new((2.1 * x).sin(), (3.3 * x).cos(), 0.4 + 0.3 * x);
            if k % 2 == 0 { ball(0.2, at) } else { cuboid(0.4, 0.3, 0.2, at) }
        })
        .collect();
    bodies.push(plate(Drive {
        linear: Vec3::new(0.05, 0.0, 0.0),
        oscillations: vec![Oscillation { amplitude: Vec3::new(0.02, 0.0, 0.05), frequency: 3.0, phase: 0.3 }],
        swings: vec![Swing { axis: Vec3::x(), amplitude: 0.05, frequency: 1.0, phase: 0.0 }],
        ..Drive::default()
    }));
    bodies.push(cuboid(0.2, 3.0, 1.0, Vec3::new(-1.9, 0.0, 0.6)).driven(Drive {
        pivot: Vec3::new(-1.9, 0.0, 0.6),
        path: Some(Path {
            times: vec![0.1, 0.5, 0.9],
            shifts: vec![Vec3::zeros(), Vec3::new(1.5, 0.0, 0.0), Vec3::new(0.3, 0.0, 0.2)],
        }),
        turn: Some(Turn { axis: Vec3::z(), times: vec![0.2, 0.8], angles: vec![0.0, 0.7] }),
        ..Drive::default()
    }));
    bodies.push(floor(-2.0));
    world(down(9.81), 0.5, bodies)
}

#[test]
fn a_driven_body_is_where_its_motion_says_after_any_number_of_steps() {
    let dt = 1e-3;
    let mut sim = Simulation::new(machine(), Settings::new(Law::Coulomb, dt)).expect("valid");
    for step in 1..=700_u32 {
        sim.step();
        for driven in sim.world().drives() {
            let i = driven.body as usize;
            let (x, q) = driven.drive.pose(&driven.position, &driven.orientation, f64::from(step) * dt);
            assert!(sim.world().positions()[i] == x && sim.world().orientations()[i] == q, "step {step}, body {i}");
        }
    }
}

#[test]
fn the_ledger_closes_under_every_law_with_the_work_of_every_kind_of_drive() {
    for law in LAWS {
        let settings = Settings { max_sweeps: 20, ..Settings::new(law, 2e-3) };
        let record = Watched::new(format!("machine under {law}"), machine(), settings).steps(500);
        println!("{law}: drives {} J, ledger off by {:.1e}", record.total.drives, record.ledger_error);
        assert!(record.total.drives.abs() > 0.1, "{law}: {:?}", record.total);
    }
    // Under the compliant law each sub-step has its own poses.
    let settings = Settings::new(Law::Penalty, 2e-3);
    let record = Watched::new("machine under penalty", machine(), settings).steps(160);
    assert!(record.total.drives.abs() > 1e-3, "{:?}", record.total);
}

#[test]
fn a_ball_on_a_plate_that_rises_and_sinks_softly_goes_with_it_and_the_drive_pays_its_energy() {
    // a (2π f)² = 0.39 g at most: the ball stays on the plate.
    let (amplitude, frequency, dt) = (0.1, 1.0, 1e-3);
    let drive = Drive {
        oscillations: vec![Oscillation { amplitude: Vec3::z() * amplitude, frequency, phase: 0.0 }],
        ..Drive::default()
    };
    let bodies = vec![ball(0.5, Vec3::new(0.0, 0.0, 0.5)), plate(drive)];
    for law in [Law::MaxDissipation, Law::TwoStage, Law::Coulomb, Law::Frictionless] {
        let mut run = Watched::new(format!("plate, {law}"), world(down(10.0), 0.3, bodies.clone()), exact(law, dt));
        let mass = run.sim.world().masses()[0];
        for step in 1..=1250_u32 {
            let record = run.step();
            let t = f64::from(step) * dt;
            let height = 0.5 + amplitude * (TAU * frequency * t).sin();
            // Contacts are found at the beginning of a step and hold its end: exact to the round-off of the solve.
            assert!((run.position(0).z - height).abs() < 1e-11, "{law}: z = {} for {height}", run.position(0).z);
            if step == 1250 {
                // At a quarter of a period: at rest, lifted by the amplitude. Only the start from rest is an impact.
                let gained = record.total.drives + record.total.normal + record.total.correction;
                let expected = mass * 10.0 * amplitude;
                // The quadrature of the potential, of the order of δt.
                assert!((gained - expected).abs() < 5e-3 * expected, "{law}: {gained} J for {expected}");
            }
        }
    }
}

#[test]
fn a_block_on_a_plate_shaken_sideways_sticks_up_to_the_friction_angle_and_slips_beyond() {
    // Peak acceleration of the plate by g, against μ = 0.3.
    for (share, sticks) in [(0.8, true), (1.3, false)] {
        let (frequency, dt) = (2.0, 5e-4);
        let amplitude = share * 0.3 * 10.0 / (TAU * frequency).powi(2);
        let drive = Drive {
            oscillations: vec![Oscillation {
                amplitude: Vec3::x() * amplitude,
                frequency,
                phase: 90.0_f64.to_radians(),
            }],
            ..Drive::default()
        };
        let bodies = vec![cuboid(0.5, 0.5, 0.1, Vec3::new(0.0, 0.0, 0.05)), plate(drive)];
        let mut run = Watched::new("shaken", world(down(10.0), 0.3, bodies), exact(Law::Coulomb, dt));
        let mut slip: f64 = 0.0;
        for _ in 0..1000 {
            run.step();
            slip = slip.max((run.position(0).x - run.position(1).x).abs());
        }
        println!("peak {share} μg: largest slip {slip:.2e} m of amplitude {amplitude:.2e} m");
        assert_eq!(slip < 1e-9, sticks, "peak {share} μg: slip {slip} m");
    }
}

#[test]
fn a_run_resumed_in_the_middle_of_every_motion_has_the_bits_of_the_unbroken_one() {
    for law in [Law::MaxDissipation, Law::TwoStage, Law::Penalty] {
        let settings = Settings { max_sweeps: 20, ..Settings::new(law, 2e-3) };
        let steps = if law == Law::Penalty { 160 } else { 250 };
        let mut whole = Simulation::new(machine(), settings.clone()).expect("valid");
        let mut half = Simulation::new(machine(), settings.clone()).expect("valid");
        (0..steps).for_each(|_| {
            whole.step();
        });
        (0..steps / 2).for_each(|_| {
            half.step();
        });
        let saved = serde_json::to_vec(&(half.world(), half.memory())).expect("plain state");
        let (world, memory) = serde_json::from_slice(&saved).expect("as written");
        let mut resumed = Simulation::resume(world, memory, settings).expect("valid");
        (steps / 2..steps).for_each(|_| {
            resumed.step();
        });
        let state = |sim: &Simulation| serde_json::to_vec(&(sim.world(), sim.memory())).expect("plain state");
        assert!(state(&resumed) == state(&whole), "{law}: other bits after the resume");
    }
}

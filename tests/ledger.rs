//! The energy ledger closes because every impulse is booked, and only then.

mod common;

use common::LAWS;
use common::LEDGER_TOLERANCE;
use common::STUFF;
use common::Watched;
use common::ball;
use common::cuboid;
use common::down;
use common::floor;
use common::world;
use maxdiss::integrator::Gyroscopic;
use maxdiss::law::Law;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Shape;
use maxdiss::simulation::Correction;
use maxdiss::simulation::Settings;
use maxdiss::world::Body;
use maxdiss::world::Drive;
use maxdiss::world::World;

/// Bodies of every kind: free boxes and balls, loads, a turning table, a moving ram, overlaps at the start.
fn workshop() -> World {
    let mut bodies = Vec::new();
    for k in 0..12 {
        let x = f64::from(k);
        let at = Vec3::new((2.1 * x).sin(), (3.3 * x).cos(), 0.4 + 0.35 * x);
        let spin = Vec3::new(x.sin(), 1.0, x.cos());
        let body = if k % 2 == 0 { ball(0.3, at) } else { cuboid(0.9, 0.6, 0.3, at) };
        let turn = Quat::from_euler_angles(x, 0.5 * x, 0.2);
        let load = Vec3::new(0.02 * x.cos(), 0.01, 0.0);
        bodies.push(body.turned(turn).moving(Vec3::new(0.0, 0.3 * x.sin(), -0.5), spin).loaded(load, 0.1 * load));
    }
    let table = Drive { angular: Vec3::new(0.0, 0.0, 2.0), ..Drive::default() };
    bodies.push(Body::new(Shape::HalfSpace, STUFF).driven(table));
    let ram = Drive {
        linear: Vec3::new(0.5, 0.0, 0.0),
        angular: Vec3::new(0.0, 0.3, 0.0),
        pivot: Vec3::new(-2.5, 0.0, 0.0),
        ..Drive::default()
    };
    bodies.push(cuboid(1.0, 6.0, 3.0, Vec3::new(-2.5, 0.0, 0.5)).driven(ram));
    world(down(9.81), 0.4, bodies)
}

#[test]
fn the_ledger_closes_in_every_step_of_a_workshop_of_all_kinds() {
    for law in LAWS {
        for correction in [Correction::Baumgarte, Correction::Split] {
            for gyroscopic in [Gyroscopic::Explicit, Gyroscopic::Implicit] {
                // Few sweeps: the ledger has to close whether or not the solve converges.
                let settings = Settings { correction, gyroscopic, max_sweeps: 20, ..Settings::new(law, 2e-3) };
                let name = format!("{law}, {correction:?}, {gyroscopic:?}");
                let mut run = Watched::new(&name, workshop(), settings);
                let record = run.steps(400);
                let total = record.total;
                println!("{name}: error {:.1e}, {total:?}", run.ledger_error);
                // Every kind takes part, or its place in the sum is not tested.
                for (kind, work) in [
                    ("external", total.external),
                    ("drives", total.drives),
                    ("normal", total.normal),
                    ("correction", total.correction),
                    ("integration", total.integration),
                ] {
                    assert!(work.abs() > 1e-6, "{name}: no {kind} work: {work}");
                }
                assert!(law == Law::Frictionless || total.friction < -1e-3, "{name}: friction {}", total.friction);
                assert!(total.normal < 0.0, "{name}: normal impulses gain energy: {}", total.normal);
            }
        }
    }
}

#[test]
fn an_edit_between_steps_is_booked_as_external_work() {
    let settings = Settings::new(Law::MaxDissipation, 1e-3);
    let mut run =
        Watched::new("edit", world(down(10.0), 0.4, vec![ball(0.5, Vec3::new(0.0, 0.0, 0.5)), floor(0.0)]), settings);
    run.steps(3);
    run.sim.edit(|world| {
        let mut v = world.velocities()[0];
        v.linear.x += 2.0;
        world.set_velocity(0, v);
        world.set_gravity(Vec3::new(0.0, 0.0, -5.0));
    });
    let record = run.steps(3);
    assert!(record.total.external.abs() > 0.1);
    assert!(record.ledger_error <= LEDGER_TOLERANCE);
}

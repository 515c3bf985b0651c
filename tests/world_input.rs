//! Bad input at the border of the library: errors that name the body, and no panic.

mod common;

use common::STUFF;
use common::ball;
use common::cuboid;
use common::down;
use common::floor;
use common::world;
use maxdiss::error::Error;
use maxdiss::law::Law;
use maxdiss::material::Material;
use maxdiss::material::MaterialId;
use maxdiss::material::Materials;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::MassProperties;
use maxdiss::shape::Shape;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::world::Body;
use maxdiss::world::Drive;
use maxdiss::world::World;
use nalgebra::Quaternion;

fn build(bodies: Vec<Body>) -> Result<World, Error> {
    World::new(down(10.0), Materials::single(1.0, 0.3).expect("valid"), bodies)
}

fn unit_ball() -> Body {
    ball(1.0, Vec3::zeros())
}

fn weighing(mass: f64, inertia: [f64; 3]) -> Body {
    unit_ball().weighing(MassProperties { mass, inertia: Vec3::from(inertia), frame: Quat::identity() })
}

#[test]
fn each_bad_body_is_refused_with_its_index_and_what_is_wrong() {
    let nan = Vec3::new(0.0, f64::NAN, 0.0);
    let cases: Vec<(&str, &str, Body)> = vec![
        ("mass", "-1", weighing(-1.0, [1.0; 3])),
        ("mass", "0 kg", weighing(0.0, [1.0; 3])),
        ("mass", "NaN", weighing(f64::NAN, [1.0; 3])),
        ("inertia", "(1, 0, 1)", weighing(1.0, [1.0, 0.0, 1.0])),
        ("inertia", "-2", weighing(1.0, [1.0, 1.0, -2.0])),
        ("inertia", "triangle inequality", weighing(1.0, [1.0, 1.0, 2.1])),
        ("position", "NaN", unit_ball().at(nan)),
        ("velocity.linear", "NaN", unit_ball().moving(nan, Vec3::zeros())),
        ("velocity.angular", "inf", unit_ball().moving(Vec3::zeros(), Vec3::repeat(f64::INFINITY))),
        ("force", "NaN", unit_ball().loaded(nan, Vec3::zeros())),
        ("torque", "NaN", unit_ball().loaded(Vec3::zeros(), nan)),
        ("orientation", "norm 2", Body { orientation: Quaternion::new(2.0, 0.0, 0.0, 0.0), ..unit_ball() }),
        ("orientation", "norm 0", Body { orientation: Quaternion::new(0.0, 0.0, 0.0, 0.0), ..unit_ball() }),
        ("orientation", "NaN", Body { orientation: Quaternion::new(f64::NAN, 0.0, 0.0, 0.0), ..unit_ball() }),
        ("shape.radius", "-1", ball(-1.0, Vec3::zeros())),
        ("shape.half-extents", "0", cuboid(1.0, 0.0, 1.0, Vec3::zeros())),
        ("shape", "half-space", Body::new(Shape::HalfSpace, STUFF)),
        ("material", "7", Body::new(Shape::sphere(1.0), MaterialId(7))),
        ("drive.angular", "NaN", unit_ball().driven(Drive { angular: nan, ..Drive::default() })),
        ("velocity", "not free", unit_ball().moving(Vec3::x(), Vec3::zeros()).fixed()),
    ];
    for (key, value, bad) in cases {
        let error = build(vec![unit_ball(), bad.named("culprit"), floor(0.0)]).expect_err(key);
        let Error::Input(faults) = &error else { panic!("{key}: {error}") };
        assert!(
            faults.iter().any(|fault| fault.key == format!("bodies[1] (culprit).{key}") && fault.what.contains(value)),
            "{key}: {error}"
        );
        assert!(faults.iter().all(|fault| !fault.remedy.is_empty()), "{key}: {error}");
    }
}

#[test]
fn all_faults_are_told_at_once() {
    let error = build(vec![weighing(-1.0, [1.0, 1.0, 9.0]), unit_ball().at(Vec3::repeat(f64::NAN))]).expect_err("bad");
    let Error::Input(faults) = error else { panic!("not an input error") };
    let keys: Vec<_> = faults.iter().map(|fault| fault.key.as_str()).collect();
    assert_eq!(keys, ["bodies[0].mass", "bodies[0].inertia", "bodies[1].position"]);
}

#[test]
fn a_world_in_which_nothing_can_happen_is_refused() {
    let empty = build(Vec::new()).expect_err("empty").to_string();
    assert!(empty.contains("empty"), "{empty}");
    let still = build(vec![floor(0.0), unit_ball().fixed()]).expect_err("all fixed").to_string();
    assert!(still.contains("fixed"), "{still}");
    let heavy = World::new(Vec3::repeat(f64::NAN), Materials::single(1.0, 0.3).expect("valid"), vec![unit_ball()]);
    assert!(heavy.expect_err("gravity").to_string().contains("gravity"));
}

#[test]
fn an_orientation_that_is_nearly_a_unit_quaternion_is_normalised() {
    let body = Body { orientation: Quaternion::new(0.5002, 0.5, -0.4999, 0.5), ..unit_ball() };
    let built = build(vec![body]).expect("typed by hand");
    assert!((built.orientations()[0].quaternion().norm() - 1.0).abs() <= 2.0 * f64::EPSILON);
}

#[test]
fn bad_materials_are_refused() {
    for (density, friction) in [(0.0, 0.3), (-1.0, 0.3), (f64::NAN, 0.3), (1.0, -0.1), (1.0, f64::INFINITY)] {
        assert!(Materials::new(vec![Material { density, friction }], Vec::new()).is_err(), "{density}, {friction}");
    }
}

#[test]
fn settings_out_of_their_range_are_refused_by_name() {
    let good = || Settings::new(Law::MaxDissipation, 1e-3);
    let cases = [
        ("dt", Settings::new(Law::MaxDissipation, 0.0)),
        ("dt", Settings::new(Law::MaxDissipation, f64::NAN)),
        ("dt", Settings::new(Law::MaxDissipation, -1e-3)),
        ("law", Settings::new(Law::Incremental, 1e-3)),
        ("erp", Settings { erp: 1.5, ..good() }),
        ("tolerance", Settings { tolerance: f64::NAN, ..good() }),
        ("max-sweeps", Settings { max_sweeps: 0, ..good() }),
        ("push-out-speed", Settings { push_out_speed: Some(-1.0), ..good() }),
        ("impact-speed", Settings { impact_speed: Some(f64::NAN), ..good() }),
        ("margin", Settings { margin: maxdiss::collision::Margin::Fixed(-1.0), ..good() }),
    ];
    for (key, settings) in cases {
        let error = Simulation::new(world(down(10.0), 0.3, vec![unit_ball()]), settings).expect_err(key);
        let Error::Input(faults) = &error else { panic!("{key}: {error}") };
        assert!(faults.iter().any(|fault| fault.key == key), "{key}: {error}");
    }
}

#[test]
fn extreme_but_valid_numbers_do_not_panic() {
    for mass in [1e-30, 1e30] {
        let inertia = Vec3::repeat(mass);
        let body = unit_ball().weighing(MassProperties { mass, inertia, frame: Quat::identity() });
        let fast = cuboid(1e-6, 1.0, 1e-3, Vec3::new(0.0, 0.0, 0.2)).moving(Vec3::repeat(1e12), Vec3::repeat(1e9));
        let mut sim =
            Simulation::new(build(vec![body, fast, floor(0.0)]).expect("valid"), Settings::new(Law::TwoStage, 1e-3))
                .expect("valid");
        for _ in 0..3 {
            sim.step();
        }
    }
}

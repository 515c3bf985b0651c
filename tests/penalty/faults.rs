//! Every bad input is refused, with a message that names the parameter, its value and the remedy.

use maxdiss::error::Error;
use maxdiss::integrator::Events;
use maxdiss::integrator::Integrator;
use maxdiss::integrator::Method;
use maxdiss::integrator::Settings;
use maxdiss::math::Vec3;
use maxdiss::penalty::Attachment;
use maxdiss::penalty::Configuration;
use maxdiss::penalty::Coordinate;
use maxdiss::penalty::CoordinateOf;
use maxdiss::penalty::Mass1D;
use maxdiss::penalty::MassHandle;
use maxdiss::penalty::RigidBody;
use maxdiss::penalty::SphereSphere;
use maxdiss::penalty::SphereTorus;
use maxdiss::penalty::System;

fn spheres() -> SphereSphere {
    SphereSphere { name: "ball on ball".into(), ..SphereSphere::new([1.0, 0.1], 1e5) }
}

fn torus() -> SphereTorus {
    SphereTorus { name: "groove".into(), ..SphereTorus::new(0.01, [0.1, 0.012], Vec3::z(), 1e6) }
}

fn message<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    result.expect_err("must be refused").to_string()
}

fn refuse_spheres(item: SphereSphere) -> String {
    let mut system = System::default();
    let ball = system.add_body(RigidBody::ball(1.0, 0.1, Vec3::new(0.0, 0.0, 1.2)));
    message(system.add_sphere_sphere(item, [Attachment::ground(Vec3::zeros()), Attachment::body(ball)]))
}

fn refuse_torus(item: SphereTorus) -> String {
    let mut system = System::default();
    let ball = system.add_body(RigidBody::ball(0.1, 0.01, Vec3::new(0.1, 0.0, 0.0)));
    message(system.add_sphere_torus(item, [Attachment::body(ball), Attachment::ground(Vec3::zeros())]))
}

fn refuse_coordinate(item: Coordinate) -> String {
    let mut system = System::default();
    let mass = system.add_mass(Mass1D { mass: 1.0, coordinate: 0.1, velocity: 0.0, force: -10.0 });
    message(system.add_coordinate(item, [CoordinateOf::Ground, CoordinateOf::Mass(mass)]))
}

#[track_caller]
fn says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "\"{message}\" lacks \"{part}\"");
    }
}

#[test]
fn a_restitution_of_zero_or_less_is_refused_by_all_items() {
    for e in [0.0, -0.5] {
        let value = format!("restitution_coefficient: {e};");
        says(&refuse_spheres(SphereSphere { restitution_coefficient: e, ..spheres() }), &["ball on ball.", &value]);
        says(&refuse_torus(SphereTorus { restitution_coefficient: e, ..torus() }), &["groove.", &value]);
        says(&refuse_coordinate(Coordinate { restitution_coefficient: e, ..Coordinate::new(1e4, 1e2) }), &[&value]);
    }
}

#[test]
fn an_impact_model_above_two_is_refused_when_read() {
    let read = serde_json::from_str::<SphereSphere>(r#"{"spheres_radii": [1.0, 0.1], "impact_model": 3}"#);
    says(&read.unwrap_err().to_string(), &["no impact model 3", "2 Gonthier/Carvalho-Martins"]);
}

#[test]
fn an_unknown_parameter_is_refused_when_read_and_the_renamed_one_is_taken() {
    let read = serde_json::from_str::<SphereSphere>(r#"{"contact_stifness": 1.0}"#);
    says(&read.unwrap_err().to_string(), &["contact_stifness"]);
    let renamed = serde_json::from_str::<SphereTorus>(r#"{"radius_sphere": 0.01}"#).unwrap();
    assert!((renamed.sphere_radius - 0.01).abs() < 1e-18);
}

#[test]
fn a_plasticity_ratio_outside_its_range_is_refused() {
    for ratio in [1.0, 1.5, -0.1, f64::NAN] {
        let message = refuse_spheres(SphereSphere { contact_plasticity_ratio: ratio, ..spheres() });
        says(&message, &["contact_plasticity_ratio", &format!("{ratio}"), "[0, 1)"]);
    }
}

#[test]
fn a_torus_axis_that_is_no_unit_vector_is_refused() {
    for axis in [Vec3::zeros(), Vec3::new(0.0, 0.0, 2.0), Vec3::new(f64::NAN, 0.0, 1.0)] {
        says(&refuse_torus(SphereTorus { torus_axis: axis, ..torus() }), &["groove.torus_axis", "unit vector"]);
    }
    says(&refuse_torus(SphereTorus { sphere_radius: 0.01, ..SphereTorus::default() }), &["torus_axis"]);
}

#[test]
fn radii_that_are_not_positive_are_refused() {
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        says(&refuse_spheres(SphereSphere { spheres_radii: [radius, 0.1], ..spheres() }), &["spheres_radii[0]"]);
        says(&refuse_spheres(SphereSphere { spheres_radii: [0.1, radius], ..spheres() }), &["spheres_radii[1]"]);
        says(&refuse_torus(SphereTorus { sphere_radius: radius, ..torus() }), &["sphere_radius"]);
        says(&refuse_torus(SphereTorus { torus_major_radius: radius, ..torus() }), &["torus_major_radius"]);
        says(&refuse_torus(SphereTorus { torus_minor_radius: radius, ..torus() }), &["torus_minor_radius"]);
    }
    // The defaults of the pages, -1, are no radii: a user has to give them.
    says(&refuse_spheres(SphereSphere::default()), &["spheres_radii[0]", "spheres_radii[1]"]);
}

#[test]
fn a_sphere_that_does_not_fit_is_refused() {
    let hollow = SphereSphere { is_hollow_sphere_1: true, ..spheres() };
    says(&refuse_spheres(hollow), &["radius 1 m does not fit into a hollow sphere of radius 0.1 m"]);
    says(&refuse_torus(SphereTorus { sphere_radius: 0.02, ..torus() }), &["0.02 m does not fit into a tube"]);
}

#[test]
fn a_wrong_number_of_history_coordinates_is_refused() {
    says(&refuse_spheres(SphereSphere { data: vec![0.0; 3], ..spheres() }), &["3 history coordinates", "give 4"]);
    says(&refuse_torus(SphereTorus { data: vec![0.0; 5], ..torus() }), &["5 history coordinates", "give 4"]);
    let plain = Coordinate::new(1e4, 1e2);
    says(&refuse_coordinate(Coordinate { data: vec![0.0; 2], ..plain.clone() }), &["2 history coordinates", "give 1"]);
    let impact = Coordinate { impact_model: 1.try_into().unwrap(), data: vec![0.0], ..plain };
    says(&refuse_coordinate(impact), &["1 history coordinates", "give 2"]);
}

#[test]
fn a_number_that_is_none_is_refused_in_every_parameter() {
    let nan = f64::NAN;
    type Change<T> = fn(&mut T, f64);
    let spheres_changes: [(&str, Change<SphereSphere>); 11] = [
        ("dynamic_friction", |s, x| s.dynamic_friction = x),
        ("friction_proportional_zone", |s, x| s.friction_proportional_zone = x),
        ("contact_stiffness", |s, x| s.contact_stiffness = x),
        ("contact_damping", |s, x| s.contact_damping = x),
        ("contact_stiffness_exponent", |s, x| s.contact_stiffness_exponent = x),
        ("constant_pull_off_force", |s, x| s.constant_pull_off_force = x),
        ("adhesion_coefficient", |s, x| s.adhesion_coefficient = x),
        ("adhesion_exponent", |s, x| s.adhesion_exponent = x),
        ("restitution_coefficient", |s, x| s.restitution_coefficient = x),
        ("minimum_impact_velocity", |s, x| s.minimum_impact_velocity = x),
        ("data", |s, x| s.data = vec![x, 0.0, 0.0, 0.0]),
    ];
    for (name, change) in spheres_changes {
        let mut item = spheres();
        change(&mut item, nan);
        says(&refuse_spheres(item), &[&format!("ball on ball.{name}"), "NaN"]);
    }
    for (name, change) in spheres_changes.iter().take(10) {
        let mut item = spheres();
        change(&mut item, -1.0);
        says(&refuse_spheres(item), &[&format!("ball on ball.{name}: -1")]);
    }
    let torus_changes: [(&str, Change<SphereTorus>); 7] = [
        ("dynamic_friction", |s, x| s.dynamic_friction = x),
        ("friction_proportional_zone", |s, x| s.friction_proportional_zone = x),
        ("contact_stiffness", |s, x| s.contact_stiffness = x),
        ("contact_damping", |s, x| s.contact_damping = x),
        ("contact_stiffness_exponent", |s, x| s.contact_stiffness_exponent = x),
        ("minimum_impact_velocity", |s, x| s.minimum_impact_velocity = x),
        ("data", |s, x| s.data = vec![x, 0.0, 0.0, 0.0]),
    ];
    for (name, change) in torus_changes {
        let mut item = torus();
        change(&mut item, nan);
        says(&refuse_torus(item), &[&format!("groove.{name}"), "NaN"]);
    }
    let coordinate_changes: [(&str, Change<Coordinate>); 6] = [
        ("contact_stiffness", |s, x| s.contact_stiffness = x),
        ("contact_damping", |s, x| s.contact_damping = x),
        ("contact_stiffness_exponent", |s, x| s.contact_stiffness_exponent = x),
        ("minimum_impact_velocity", |s, x| s.minimum_impact_velocity = x),
        ("offset", |s, x| s.offset = x),
        ("data", |s, x| s.data = vec![x]),
    ];
    for (name, change) in coordinate_changes {
        let mut item = Coordinate::new(1e4, 1e2);
        change(&mut item, nan);
        says(&refuse_coordinate(item), &[&format!("coordinate.{name}"), "NaN"]);
    }
}

#[test]
fn attachments_to_what_is_not_there_are_refused() {
    let mut system = System::default();
    let ball = system.add_body(RigidBody::ball(1.0, 0.1, Vec3::zeros()));
    let nowhere = Attachment::body(maxdiss::penalty::BodyHandle(7));
    says(&message(system.add_sphere_sphere(spheres(), [nowhere, Attachment::body(ball)])), &["at[0]", "no body 7"]);
    let both = [Attachment::body(ball), Attachment::body(ball)];
    says(&message(system.add_sphere_sphere(spheres(), both)), &["both markers are on body 0"]);
    let missing = [CoordinateOf::Ground, CoordinateOf::Mass(MassHandle(3))];
    says(&message(system.add_coordinate(Coordinate::new(1.0, 0.0), missing)), &["of[1]", "no mass 3"]);
    let slanted = CoordinateOf::Rotation { body: ball, axis_w: Vec3::new(1.0, 1.0, 0.0) };
    let pair = CoordinateOf::difference(CoordinateOf::Ground, slanted);
    says(
        &message(system.add_coordinate(Coordinate::new(1.0, 0.0), [CoordinateOf::Ground, pair])),
        &["axis_w", "unit vector"],
    );
}

#[test]
fn a_sphere_centred_on_the_axis_of_its_torus_is_refused_at_the_start_and_on_the_way() {
    let mut system = System::default();
    let ball = system.add_body(RigidBody::ball(0.1, 0.01, Vec3::new(0.0, 0.0, 0.05)));
    system.add_sphere_torus(torus(), [Attachment::body(ball), Attachment::ground(Vec3::zeros())]).unwrap();
    says(&message(system.initial_state()), &["groove", "on the axis of the torus"]);

    // Thrown across: after exactly four steps of 1/4 the centre is on the axis.
    let mut system = System::default();
    let start = RigidBody::ball(0.1, 0.01, Vec3::new(1.0, 0.0, 0.0));
    let ball = system.add_body(RigidBody { velocity_w: Vec3::new(-1.0, 0.0, 0.0), ..start });
    let wide = SphereTorus::new(0.01, [2.0, 2.5], Vec3::z(), 1.0);
    system.add_sphere_torus(wide, [Attachment::body(ball), Attachment::ground(Vec3::zeros())]).unwrap();
    let mut state = system.initial_state().unwrap();
    let mut integrator = Integrator::<Configuration>::new(Settings::new(Method::SemiImplicitEuler, 0.25)).unwrap();
    let fault = integrator.advance(&mut system, &mut state, 2.0).unwrap_err().to_string();
    says(&fault, &["on the axis of the torus"]);
}

#[test]
fn bodies_and_masses_without_a_proper_mass_are_refused() {
    let mut system = System::default();
    system.add_body(RigidBody::new(-1.0, [1.0, 1.0, 0.0], Vec3::new(f64::NAN, 0.0, 0.0)));
    system.add_mass(Mass1D { mass: 0.0, coordinate: 0.0, velocity: 0.0, force: 0.0 });
    says(&message(system.initial_state()), &["bodies[0].mass", "bodies[0].inertia_b", "position_w", "masses[0]"]);
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let faults = |settings| {
        let faults = Integrator::<Configuration>::new(settings).unwrap_err();
        faults.iter().map(|f| f.to_string()).collect::<Vec<_>>().join("\n")
    };
    says(&faults(Settings::new(Method::RungeKutta4, 0.0)), &["step: 0 s", "positive"]);
    says(&faults(Settings::new(Method::RungeKutta4, f64::NAN)), &["step: NaN"]);
    let radius = Method::GeneralisedAlpha { spectral_radius: 1.1 };
    says(&faults(Settings::new(radius, 1e-3)), &["spectral_radius: 1.1", "[0, 1]"]);
    let iterate = Settings { events: Events::Iterate, ..Settings::new(Method::VelocityVerlet, 1e-3) };
    says(&faults(iterate), &["events", "implicit"]);
    says(&faults(Settings { landing: 0.5, ..Settings::new(Method::VelocityVerlet, 1e-3) }), &["landing: 0.5"]);
}

//! The items have every parameter and every output variable of their pages.

use crate::reference::parameters;
use maxdiss::math::Vec3;
use maxdiss::penalty::Attachment;
use maxdiss::penalty::Coordinate;
use maxdiss::penalty::CoordinateOf;
use maxdiss::penalty::ItemHandle;
use maxdiss::penalty::Mass1D;
use maxdiss::penalty::Output;
use maxdiss::penalty::OutputVariable;
use maxdiss::penalty::RigidBody;
use maxdiss::penalty::SphereSphere;
use maxdiss::penalty::SphereTorus;
use maxdiss::penalty::System;
use serde_json::Value;
use serde_json::json;

/// Every parameter with a value that is not its default. Markers are given when an item is added; the data node is `data`.
fn common() -> Value {
    json!({
        "name": "item", "contactStiffness": 1e5, "contactDamping": 3.0, "contactStiffnessExponent": 1.5,
        "restitutionCoefficient": 0.4, "minimumImpactVelocity": 0.01, "impactModel": 2, "activeConnector": false,
    })
}

fn page(own: Value) -> Value {
    let mut page = common();
    page.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
    page
}

/// Reads the page into the item and checks that each parameter has arrived: it is there, and not the default.
fn arrives<T>(page: &Value, data: &[f64])
where
    T: serde::de::DeserializeOwned + serde::Serialize + Default,
{
    let default = serde_json::to_value(T::default()).unwrap();
    let read = serde_json::to_value(parameters::<T>(page, data)).unwrap();
    let changed = read.as_object().unwrap().iter().filter(|(name, value)| default[name.as_str()] != **value).count();
    assert_eq!(changed, page.as_object().unwrap().len() + 1, "{read}");
}

#[test]
fn every_parameter_of_the_pages_is_one_of_the_items() {
    let drawn = json!({"show": true, "color": [0.1, 0.2, 0.3, 0.4]});
    arrives::<SphereSphere>(
        &page(json!({
            "spheresRadii": [0.5, 0.25], "isHollowSphere1": true, "dynamicFriction": 0.3,
            "frictionProportionalZone": 0.02, "constantPullOffForce": 2.0, "contactPlasticityRatio": 0.5,
            "adhesionCoefficient": 7.0, "adhesionExponent": 2.0, "visualization": drawn,
        })),
        &[0.1, 0.2, 0.3, 0.4],
    );
    arrives::<SphereTorus>(
        &page(json!({
            "sphereRadius": 0.01, "torusMajorRadius": 0.1, "torusMinorRadius": 0.011, "torusAxis": [0.0, 0.0, 1.0],
            "dynamicFriction": 0.3, "frictionProportionalZone": 0.02, "visualization": drawn,
        })),
        &[0.1, 0.2, 0.3, 0.4],
    );
    let drawn = json!({"show": false, "draw_size": 0.2, "color": [0.1, 0.2, 0.3, 0.4]});
    arrives::<Coordinate>(&page(json!({"offset": 0.1, "visualization": drawn})), &[0.1, 0.2]);
}

const ALL: [OutputVariable; 10] = [
    OutputVariable::Position,
    OutputVariable::Displacement,
    OutputVariable::DisplacementLocal,
    OutputVariable::Velocity,
    OutputVariable::Force,
    OutputVariable::Torque,
    OutputVariable::Director1,
    OutputVariable::Director2,
    OutputVariable::Director3,
    OutputVariable::Distance,
];

/// Checks the outputs of an item: those in `expected` to round-off of the overlap's force, and that there are no others.
fn outputs(system: &mut System, item: ItemHandle, expected: &[(OutputVariable, Output)]) {
    // The overlap of 0.5 mm is a difference of lengths of 1 m, off by up to 4 ε: at 1e6 N/m by 1e-9 N.
    const TOLERANCE: f64 = 1e-9;
    let state = system.initial_state().unwrap();
    for which in ALL {
        let measured = system.output(item, which, &state);
        let Some((_, expected)) = expected.iter().find(|(known, _)| *known == which) else {
            assert!(measured.is_none(), "{which:?} is {measured:?}, which the page does not have");
            continue;
        };
        let off = match (measured, expected) {
            (Some(Output::Scalar(measured)), Output::Scalar(expected)) => (measured - expected).abs(),
            (Some(Output::Vector(measured)), Output::Vector(expected)) => (measured - expected).norm(),
            _ => panic!("{which:?} is {measured:?}, not {expected:?}"),
        };
        assert!(off < TOLERANCE, "{which:?} is {measured:?}, not {expected:?}");
    }
    // Turned off, an item has no force, and the geometry is still told.
    system.set_active(item, false);
    let position = system.output(item, OutputVariable::Position, &state);
    assert_eq!(position.is_some(), expected.iter().any(|(which, _)| *which == OutputVariable::Position));
    for which in [OutputVariable::Force, OutputVariable::Torque] {
        if let Some(Output::Vector(load)) = system.output(item, which, &state) {
            assert_eq!(load, Vec3::zeros(), "{which:?} of an inactive item");
        }
    }
    system.set_active(item, true);
}

#[test]
fn a_sphere_in_a_torus_has_the_outputs_of_its_page() {
    let mut system = System::default();
    let (p0, n) = (Vec3::new(0.1012, 0.0, 0.0009), Vec3::new(0.8, 0.0, 0.6));
    let ball = RigidBody { velocity_w: Vec3::new(0.0, 1.0, 0.0), ..RigidBody::ball(0.1, 0.01, p0) };
    let ball = system.add_body(ball);
    let item = SphereTorus { dynamic_friction: 0.1, ..SphereTorus::new(0.01, [0.1, 0.011], Vec3::z(), 1e6) };
    let item = system.add_sphere_torus(item, [Attachment::body(ball), Attachment::ground(Vec3::zeros())]).unwrap();
    // Offset 1.5 mm of 1 mm of play: 0.5 mm deep, 500 N, and a tenth of it against the slip.
    let expected = [
        (OutputVariable::Position, Output::Vector(p0 + n * 0.009_75)),
        (OutputVariable::Displacement, Output::Vector(-p0)),
        (OutputVariable::DisplacementLocal, Output::Scalar(-0.0005)),
        (OutputVariable::Velocity, Output::Vector(Vec3::new(0.0, -1.0, 0.0))),
        (OutputVariable::Force, Output::Vector(Vec3::new(-400.0, -50.0, -300.0))),
        (OutputVariable::Torque, Output::Vector(Vec3::new(0.2925, 0.0, -0.39))),
        (OutputVariable::Director1, Output::Vector(-p0.normalize())),
        (OutputVariable::Director2, Output::Vector(Vec3::x())),
        (OutputVariable::Director3, Output::Vector(n)),
    ];
    outputs(&mut system, item, &expected);
}

#[test]
fn two_spheres_have_the_outputs_of_their_page() {
    let mut system = System::default();
    let ball = RigidBody::ball(1.0, 0.1, Vec3::new(0.0, 0.0, 1.0995));
    let ball = system.add_body(RigidBody {
        velocity_w: Vec3::new(2.0, 0.0, 0.0),
        angular_velocity_w: Vec3::new(0.0, 3.0, 0.0),
        ..ball
    });
    let item = SphereSphere { dynamic_friction: 0.1, ..SphereSphere::new([1.0, 0.1], 1e6) };
    let item = system.add_sphere_sphere(item, [Attachment::ground(Vec3::zeros()), Attachment::body(ball)]).unwrap();
    // 0.5 mm deep: 500 N up on the ball, 50 N back; the ground gets the opposite at an arm of 0.99975 m.
    let expected = [
        (OutputVariable::Position, Output::Vector(Vec3::new(0.0, 0.0, 0.999_75))),
        (OutputVariable::Displacement, Output::Vector(Vec3::new(0.0, 0.0, 1.0995))),
        (OutputVariable::DisplacementLocal, Output::Scalar(-0.0005)),
        // Of the centres: without the spin.
        (OutputVariable::Velocity, Output::Vector(Vec3::new(2.0, 0.0, 0.0))),
        (OutputVariable::Force, Output::Vector(Vec3::new(50.0, 0.0, -500.0))),
        (OutputVariable::Torque, Output::Vector(Vec3::new(0.0, 50.0 * 0.999_75, 0.0))),
        (OutputVariable::Director1, Output::Vector(Vec3::z())),
    ];
    outputs(&mut system, item, &expected);
}

#[test]
fn a_stop_has_the_output_of_its_page() {
    let mut system = System::default();
    let mass = system.add_mass(Mass1D { mass: 1.0, coordinate: 0.4, velocity: 0.0, force: 0.0 });
    let stop = Coordinate { offset: 0.1, ..Coordinate::new(1e4, 1e2) };
    let item = system.add_coordinate(stop, [CoordinateOf::Ground, CoordinateOf::Mass(mass)]).unwrap();
    outputs(&mut system, item, &[(OutputVariable::Distance, Output::Scalar(0.3))]);
}

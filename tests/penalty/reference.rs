//! Reads the reference files of `tests/data/penalty` into systems.

use maxdiss::integrator::State;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::penalty::Attachment;
use maxdiss::penalty::BodyHandle;
use maxdiss::penalty::Configuration;
use maxdiss::penalty::Coordinate;
use maxdiss::penalty::CoordinateOf;
use maxdiss::penalty::ItemHandle;
use maxdiss::penalty::Mass1D;
use maxdiss::penalty::RigidBody;
use maxdiss::penalty::SphereSphere;
use maxdiss::penalty::SphereTorus;
use maxdiss::penalty::System;
use serde_json::Map;
use serde_json::Value;
use std::path::Path;
use std::path::PathBuf;

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/penalty")
}

pub(crate) fn read(name: &str) -> Value {
    let path = folder().join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Names of all files of the folder, sorted.
pub(crate) fn names() -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(folder())
        .expect("tests/data/penalty is part of the project")
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().map(number).collect(),
        _ => vec![number(value)],
    }
}

pub(crate) fn vector(value: &Value) -> Vec3 {
    Vec3::from_column_slice(&numbers(value))
}

/// `contactStiffness` to `contact_stiffness`, `isHollowSphere1` to `is_hollow_sphere_1`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() || c.is_ascii_digit() {
            snake.push('_');
        }
        snake.push(c.to_ascii_lowercase());
    }
    snake
}

/// The parameters of a page with the item's own spelling; the item refuses any that it does not have.
pub(crate) fn parameters<T: serde::de::DeserializeOwned>(page: &Value, data: &[f64]) -> T {
    let mut own: Map<_, _> =
        page.as_object().unwrap().iter().map(|(name, value)| (snake_case(name), value.clone())).collect();
    own.insert("data".into(), data.into());
    serde_json::from_value(Value::Object(own)).expect("every parameter of the page is one of the item")
}

/// A system with one item, as a file describes it.
pub(crate) struct Case {
    pub(crate) system: System,
    pub(crate) item: ItemHandle,
    pub(crate) bodies: [Option<BodyHandle>; 2],
    pub(crate) state: State<Configuration>,
}

/// Builds the system of a file or table block from parameters, the two bodies and the initial history.
pub(crate) fn case(kind: &str, page: &Value, bodies: &[Value], data: &[f64]) -> Case {
    let mut system = System::default();
    let mut handles = [None, None];
    let item = if kind == "Coordinate" {
        let of = [0, 1].map(|i| match bodies[i]["kind"].as_str().unwrap() {
            "ground" => CoordinateOf::Ground,
            _ => CoordinateOf::Mass(system.add_mass(Mass1D {
                mass: number(&bodies[i]["mass"]),
                coordinate: number(&bodies[i]["coordinate"]),
                velocity: number(&bodies[i]["velocity"]),
                force: number(&bodies[i]["force"]),
            })),
        });
        system.add_coordinate(parameters::<Coordinate>(page, data), of)
    } else {
        let at = [0, 1].map(|i| {
            let body = &bodies[i];
            let orientation = Quat::from_scaled_axis(vector(&body["rotationVector"]));
            if body["kind"] == "ground" {
                return Attachment::Ground { position_w: vector(&body["position"]), orientation };
            }
            let inertia = numbers(&body["inertiaDiagonal"]);
            let handle = system.add_body(RigidBody {
                orientation,
                velocity_w: vector(&body["velocity"]),
                angular_velocity_w: vector(&body["angularVelocity"]),
                gravity_w: vector(&body["gravity"]),
                force_w: vector(&body["constantForce"]),
                torque_w: vector(&body["constantTorque"]),
                ..RigidBody::new(number(&body["mass"]), [inertia[0], inertia[1], inertia[2]], vector(&body["position"]))
            });
            handles[i] = Some(handle);
            Attachment::body(handle)
        });
        match kind {
            "SphereSphere" => system.add_sphere_sphere(parameters::<SphereSphere>(page, data), at),
            "SphereTorus" => system.add_sphere_torus(parameters::<SphereTorus>(page, data), at),
            _ => panic!("unknown item {kind}"),
        }
    }
    .unwrap_or_else(|error| panic!("{error}"));
    let state = system.initial_state().unwrap_or_else(|error| panic!("{error}"));
    Case { system, item, bodies: handles, state }
}

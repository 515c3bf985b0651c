//! `[[contacts]]`, `[[masses]]` and `[integrator]`: compliant contact items, what they act on, how they are stepped.

use crate::law::penalty::item::Coordinate;
use crate::law::penalty::item::SphereSphere;
use crate::law::penalty::item::SphereTorus;
use crate::math::Quat;
use crate::math::Vec3;

/// `[[masses]]`: a mass with one coordinate, for coordinate items.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Mass {
    /// Name, unique in the scene; default `mass-1`, `mass-2`, … in the order of the file.
    pub name: String,
    /// Mass in kg.
    pub mass: f64,
    /// Coordinate at the start in m; default 0.
    pub coordinate: f64,
    /// Velocity at the start in m/s; default 0.
    pub velocity: f64,
    /// Constant force in N; default 0. Gravity does not act on a coordinate.
    pub force: f64,
}

/// `[[contacts]]`: a compliant contact item between two markers.
///
/// A scene with items is stepped by them alone, under the law `penalty`: shapes give mass and pictures, and only the
/// listed items touch.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Contact {
    /// Name, unique in the scene; default `contact-1`, `contact-2`, … in the order of the file.
    pub name: String,
    /// `kind = "sphere-sphere"`, `"sphere-torus"` or `"coordinate"`, with the parameters of that kind.
    pub item: Item,
}

/// What a contact item is, with its parameters and markers. Keys are the names of the fields with `-` for `_`.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Item {
    /// Two spheres, or a sphere in a hollow sphere.
    SphereSphere {
        /// Parameters.
        parameters: Box<SphereSphere>,
        /// `marker-0` and `marker-1`: the centres.
        markers: [Marker; 2],
    },
    /// A sphere in the tube of a torus.
    SphereTorus {
        /// Parameters.
        parameters: Box<SphereTorus>,
        /// `marker-0`: the centre of the sphere; `marker-1`: that of the torus.
        markers: [Marker; 2],
    },
    /// A stop between two coordinates.
    Coordinate {
        /// Parameters.
        parameters: Box<Coordinate>,
        /// `marker-0` and `marker-1`: the coordinates q₀ and q₁.
        markers: [CoordinateMarker; 2],
    },
}

/// A frame: `{ on = "BODY", position = […], orientation = […] }`, in the body's frame; `on = "ground"`: in space.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Marker {
    /// The body; `None` is ground.
    pub on: Option<String>,
    /// Position in m, of a body from its centre of mass; default 0.
    pub position: Vec3,
    /// Orientation, as `orientation` or `rotation` of a body; default: not turned.
    pub orientation: Quat,
}

/// A scalar coordinate.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoordinateMarker {
    /// `{ on = "ground" }`: always 0.
    Ground,
    /// `{ on = "MASS" }`: that of a mass, in m.
    Mass(String),
    /// `{ on = "BODY", along = […], position = […] }`: the component of a body's point along a direction, in m.
    Translation {
        /// The body.
        body: String,
        /// The point in the body's frame in m; default: the centre of mass.
        position: Vec3,
        /// The direction, a unit vector.
        along: Vec3,
    },
    /// `{ on = "BODY", about = […] }`: the angle of a body about a direction, in rad.
    Rotation {
        /// The body.
        body: String,
        /// The direction, a unit vector.
        about: Vec3,
    },
    /// `{ first = { … }, minus = { … } }`: the first coordinate minus the second.
    Difference(Box<(CoordinateMarker, CoordinateMarker)>),
}

/// A method for scenes with contact items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Order 1, explicit.
    SemiImplicitEuler,
    /// Order 2, explicit.
    VelocityVerlet,
    /// Order 4, explicit.
    RungeKutta4,
    /// Order 2, implicit, without a stability limit.
    GeneralisedAlpha,
}

/// `[integrator]`: how a scene with contact items is stepped.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Stepping {
    /// `"semi-implicit-euler"`, `"velocity-verlet"`, `"runge-kutta-4"` or `"generalised-alpha"` (default).
    pub method: Method,
    /// Largest step in s; default: the scene's. Tables are written at the scene's steps.
    pub step: f64,
    /// Spectral radius of `generalised-alpha` at infinite frequency, 0 to 1; default 0.9.
    pub spectral_radius: f64,
    /// What is done when a contact opens or closes within a step: `"land"` (default) repeats it so that it ends
    /// there, `"iterate"` (with `generalised-alpha`) repeats it with the new contacts until they stop changing.
    pub iterate_events: bool,
    /// Lets an explicit method run beyond its stability limit; default false.
    pub override_stability: bool,
}

impl Stepping {
    /// The defaults for a scene with this step.
    pub(super) fn new(step: f64) -> Self {
        Self {
            method: Method::GeneralisedAlpha,
            step,
            spectral_radius: 0.9,
            iterate_events: false,
            override_stability: false,
        }
    }
}

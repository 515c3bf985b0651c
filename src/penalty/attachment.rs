//! What a contact item acts on: a frame on a body or on ground, or a scalar coordinate.

use crate::error::Fault;
use crate::law::penalty::item::unit_vector;
use crate::math::Mat3;
use crate::math::Quat;
use crate::math::Vec3;
use crate::penalty::system::Configuration;
use crate::penalty::system::System;

/// A rigid body of a [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct BodyHandle(pub usize);

/// A mass with one coordinate of a [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct MassHandle(pub usize);

/// A frame that a sphere or torus is fixed to.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Attachment {
    /// Fixed in space.
    Ground {
        /// Position in m.
        position_w: Vec3,
        /// Orientation.
        orientation: Quat,
    },
    /// Fixed to a body.
    Body {
        /// The body.
        body: BodyHandle,
        /// Position in the body's frame in m, from its centre of mass.
        position_b: Vec3,
        /// Orientation in the body's frame.
        orientation_b: Quat,
    },
}

impl Attachment {
    /// The point `position_w` (m) of the ground, not turned.
    pub fn ground(position_w: Vec3) -> Self {
        Self::Ground { position_w, orientation: Quat::identity() }
    }

    /// The centre of mass of `body`, with the body's orientation.
    pub fn body(body: BodyHandle) -> Self {
        Self::Body { body, position_b: Vec3::zeros(), orientation_b: Quat::identity() }
    }

    pub(crate) fn faults(&self, key: &str, system: &System, faults: &mut Vec<Fault>) {
        let (position, orientation) = match self {
            Self::Ground { position_w, orientation } => (position_w, orientation),
            Self::Body { body, position_b, orientation_b } => {
                if body.0 >= system.bodies().len() {
                    faults.push(Fault::new(
                        key,
                        format!("there is no body {}", body.0),
                        format!("the system has {} bodies, counted from 0", system.bodies().len()),
                    ));
                }
                (position_b, orientation_b)
            }
        };
        if !position.iter().all(|x| x.is_finite()) || !orientation.coords.iter().all(|x| x.is_finite()) {
            faults.push(Fault::new(key, format!("{position:?}, {orientation:?}"), "give finite numbers"));
        }
    }

    /// Where the frame is and how it moves.
    #[inline]
    pub(crate) fn frame(&self, at: &Configuration, velocity: &[f64]) -> Frame {
        match self {
            Self::Ground { position_w, .. } => Frame { x_w: *position_w, ..Frame::default() },
            Self::Body { body, position_b, .. } => {
                let (v, w) = rates(velocity, *body);
                let x = at.positions[body.0];
                #[allow(clippy::float_cmp)] // the common case of the centre itself
                if *position_b == Vec3::zeros() {
                    return Frame { x_w: x, v_w: v, w_w: w, lever_w: Vec3::zeros() };
                }
                let lever = at.orientations[body.0] * position_b;
                Frame { x_w: x + lever, v_w: v + w.cross(&lever), w_w: w, lever_w: lever }
            }
        }
    }

    /// Rotation from the frame into the inertial frame.
    pub(crate) fn rotation(&self, at: &Configuration) -> Mat3 {
        let q = match self {
            Self::Ground { orientation, .. } => *orientation,
            Self::Body { body, orientation_b, .. } => at.orientations[body.0] * orientation_b,
        };
        q.to_rotation_matrix().into_inner()
    }

    /// Adds a force (N) at the frame's origin and a torque (N·m) about it to `loads`, laid out as velocities.
    #[inline]
    pub(crate) fn load(&self, frame: &Frame, force_w: &Vec3, torque_w: &Vec3, loads: &mut [f64]) {
        if let Self::Body { body, .. } = self {
            let torque_w = torque_w + frame.lever_w.cross(force_w);
            let slot = &mut loads[6 * body.0..6 * body.0 + 6];
            for k in 0..3 {
                slot[k] += force_w[k];
                slot[3 + k] += torque_w[k];
            }
        }
    }

    /// The body, if it is one.
    pub fn body_handle(&self) -> Option<BodyHandle> {
        match self {
            Self::Ground { .. } => None,
            Self::Body { body, .. } => Some(*body),
        }
    }
}

/// Position, velocity and angular velocity of an attachment, in the inertial frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) x_w: Vec3,
    pub(crate) v_w: Vec3,
    pub(crate) w_w: Vec3,
    /// From the body's centre of mass to the frame.
    pub(crate) lever_w: Vec3,
}

/// Velocity and angular velocity of a body in the flat array.
#[inline]
pub(crate) fn rates(velocity: &[f64], body: BodyHandle) -> (Vec3, Vec3) {
    let slot = &velocity[6 * body.0..6 * body.0 + 6];
    (Vec3::new(slot[0], slot[1], slot[2]), Vec3::new(slot[3], slot[4], slot[5]))
}

/// A scalar coordinate that a [`crate::penalty::Coordinate`] item acts on.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoordinateOf {
    /// Ground: always 0.
    Ground,
    /// The coordinate of a mass, in m.
    Mass(MassHandle),
    /// The component of a body's point along a fixed direction, in m.
    Translation {
        /// The body.
        body: BodyHandle,
        /// The point in the body's frame in m.
        position_b: Vec3,
        /// The direction in the inertial frame, a unit vector.
        axis_w: Vec3,
    },
    /// The angle of a body about a fixed direction in rad, in (−π, π]: the twist of its orientation,
    /// q = 2 atan2(u·e, w) for the quaternion (w, u) and the axis e.
    Rotation {
        /// The body.
        body: BodyHandle,
        /// The direction in the inertial frame, a unit vector.
        axis_w: Vec3,
    },
    /// The first coordinate minus the second.
    Difference(Box<(CoordinateOf, CoordinateOf)>),
}

impl CoordinateOf {
    /// `first` minus `second`.
    pub fn difference(first: Self, second: Self) -> Self {
        Self::Difference(Box::new((first, second)))
    }

    pub(crate) fn faults(&self, key: &str, system: &System, faults: &mut Vec<Fault>) {
        let mut body_and_axis = |body: &BodyHandle, axis: &Vec3| {
            if body.0 >= system.bodies().len() {
                faults.push(Fault::new(
                    key,
                    format!("there is no body {}", body.0),
                    format!("the system has {} bodies, counted from 0", system.bodies().len()),
                ));
            }
            unit_vector(&format!("{key}.axis_w"), axis, faults);
        };
        match self {
            Self::Ground => {}
            Self::Mass(mass) => {
                if mass.0 >= system.masses().len() {
                    faults.push(Fault::new(
                        key,
                        format!("there is no mass {}", mass.0),
                        format!("the system has {} masses, counted from 0", system.masses().len()),
                    ));
                }
            }
            Self::Translation { body, position_b, axis_w } => {
                body_and_axis(body, axis_w);
                if !position_b.iter().all(|x| x.is_finite()) {
                    faults.push(Fault::new(key, format!("{position_b:?}"), "give finite numbers"));
                }
            }
            Self::Rotation { body, axis_w } => body_and_axis(body, axis_w),
            Self::Difference(pair) => {
                pair.0.faults(key, system, faults);
                pair.1.faults(key, system, faults);
            }
        }
    }

    /// The coordinate and its rate.
    pub(crate) fn value(&self, system: &System, at: &Configuration, velocity: &[f64]) -> (f64, f64) {
        match self {
            Self::Ground => (0.0, 0.0),
            Self::Mass(mass) => (at.coordinates[mass.0], velocity[system.slot_of_mass(*mass)]),
            Self::Translation { body, position_b, axis_w } => {
                let (v, w) = rates(velocity, *body);
                let lever = at.orientations[body.0] * position_b;
                ((at.positions[body.0] + lever).dot(axis_w), (v + w.cross(&lever)).dot(axis_w))
            }
            Self::Rotation { body, axis_w } => {
                let q = at.orientations[body.0];
                let u = q.imag();
                // q and −q are the same orientation; w ≥ 0 keeps the angle in (−π, π].
                let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
                let (_, w) = rates(velocity, *body);
                (2.0 * (sign * u.dot(axis_w)).atan2(sign * q.w), twist_gradient(&q, axis_w).dot(&w))
            }
            Self::Difference(pair) => {
                let (first, second) = (pair.0.value(system, at, velocity), pair.1.value(system, at, velocity));
                (first.0 - second.0, first.1 - second.1)
            }
        }
    }

    /// Adds a generalised force (N or N·m) on this coordinate to `loads`: its virtual power is force times the rate.
    pub(crate) fn load(&self, system: &System, at: &Configuration, force: f64, loads: &mut [f64]) {
        match self {
            Self::Ground => {}
            Self::Mass(mass) => loads[system.slot_of_mass(*mass)] += force,
            Self::Translation { body, position_b, axis_w } => {
                let lever = at.orientations[body.0] * position_b;
                let torque = lever.cross(axis_w);
                for k in 0..3 {
                    loads[6 * body.0 + k] += force * axis_w[k];
                    loads[6 * body.0 + 3 + k] += force * torque[k];
                }
            }
            Self::Rotation { body, axis_w } => {
                let gradient = twist_gradient(&at.orientations[body.0], axis_w);
                for k in 0..3 {
                    loads[6 * body.0 + 3 + k] += force * gradient[k];
                }
            }
            Self::Difference(pair) => {
                pair.0.load(system, at, force, loads);
                pair.1.load(system, at, -force, loads);
            }
        }
    }

    /// An upper bound of the inverse mass that the coordinate shows to a force, in 1/kg or 1/(kg·m²).
    pub(crate) fn inverse_mass(&self, system: &System) -> f64 {
        match self {
            Self::Ground => 0.0,
            Self::Mass(mass) => 1.0 / system.masses()[mass.0].mass,
            Self::Translation { body, position_b, .. } => {
                let body = &system.bodies()[body.0];
                1.0 / body.mass + position_b.norm_squared() * system.largest_inverse_inertia(body)
            }
            Self::Rotation { body, .. } => system.largest_inverse_inertia(&system.bodies()[body.0]),
            Self::Difference(pair) => pair.0.inverse_mass(system) + pair.1.inverse_mass(system),
        }
    }
}

/// ∂q̇/∂ω of the twist angle q = 2 atan2(u·e, w):
///
/// ```text
/// s = u·e,  ẇ = −½ ω·u,  u̇ = ½(w ω + ω × u)
/// q̇ = 2 (ṡ w − s ẇ)/(s² + w²)  ⟹  gradient = (w (w e + u × e) + s u)/(s² + w²)
/// ```
///
/// e itself for a rotation about e. Zero for a half turn about an axis across e, where the twist is undefined.
fn twist_gradient(q: &Quat, e: &Vec3) -> Vec3 {
    let u = q.imag();
    let s = u.dot(e);
    let scale = s * s + q.w * q.w;
    if scale > 0.0 { (q.w * (q.w * e + u.cross(e)) + s * u) / scale } else { Vec3::zeros() }
}

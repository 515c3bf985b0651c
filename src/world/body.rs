//! One body as it is given to a world.

use crate::material::MaterialId;
use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::MassProperties;
use crate::shape::Shape;
use crate::world::Drive;
use nalgebra::Quaternion;

/// Linear and angular velocity in the inertial frame.
#[derive(Clone, Copy, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Velocity {
    /// Velocity of the centre of mass in m/s.
    pub linear: Vec3,
    /// Angular velocity in rad/s.
    pub angular: Vec3,
}

impl Velocity {
    /// Velocity in m/s of the body's point at `arm` (from the centre of mass, in m).
    #[inline]
    pub fn at(&self, arm: &Vec3) -> Vec3 {
        self.linear + self.angular.cross(arm)
    }

    /// The mean of two velocities.
    #[inline]
    pub fn midpoint(&self, other: &Self) -> Self {
        Self { linear: (self.linear + other.linear) * 0.5, angular: (self.angular + other.angular) * 0.5 }
    }
}

/// How a body moves.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    /// By its mass under forces and contacts.
    #[default]
    Free,
    /// Not at all.
    Fixed,
    /// As prescribed, whatever pushes against it.
    Driven(Box<Drive>),
}

/// One body, to be put into a [`World`](crate::world::World).
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// Name for messages; may be empty.
    pub name: String,
    /// Its shape, in the body frame.
    pub shape: Shape,
    /// What it is made of.
    pub material: MaterialId,
    /// Centre of mass in the inertial frame, in m; of a fixed or driven body the origin of its shape.
    pub position: Vec3,
    /// Orientation (w, x, y, z): rotates body coordinates into the inertial frame. Has to be a unit quaternion to
    /// within 10⁻³; it is normalised.
    pub orientation: Quaternion<f64>,
    /// Velocity at the beginning; of fixed and driven bodies it has to be zero (the drive says it).
    pub velocity: Velocity,
    /// How it moves.
    pub motion: Motion,
    /// Mass and inertia; `None` takes them from the shape and the material's density.
    pub mass: Option<MassProperties>,
    /// Constant force on the centre of mass in the inertial frame, in N; gravity comes on top.
    pub force: Vec3,
    /// Constant torque in the inertial frame, in N·m.
    pub torque: Vec3,
}

impl Body {
    /// A free body at rest at the origin, unturned, with mass by its material's density.
    pub fn new(shape: Shape, material: MaterialId) -> Self {
        Self {
            name: String::new(),
            shape,
            material,
            position: Vec3::zeros(),
            orientation: Quaternion::identity(),
            velocity: Velocity::default(),
            motion: Motion::Free,
            mass: None,
            force: Vec3::zeros(),
            torque: Vec3::zeros(),
        }
    }

    /// The same body with its centre of mass at `position`, in m.
    #[must_use]
    pub fn at(mut self, position: Vec3) -> Self {
        self.position = position;
        self
    }

    /// The same body with the orientation `orientation`.
    #[must_use]
    pub fn turned(mut self, orientation: Quat) -> Self {
        self.orientation = *orientation.quaternion();
        self
    }

    /// The same body with the given linear and angular velocity, in m/s and rad/s.
    #[must_use]
    pub fn moving(mut self, linear: Vec3, angular: Vec3) -> Self {
        self.velocity = Velocity { linear, angular };
        self
    }

    /// The same body with the given mass and inertia.
    #[must_use]
    pub fn weighing(mut self, mass: MassProperties) -> Self {
        self.mass = Some(mass);
        self
    }

    /// The same body under a constant force in N and torque in N·m.
    #[must_use]
    pub fn loaded(mut self, force: Vec3, torque: Vec3) -> Self {
        self.force = force;
        self.torque = torque;
        self
    }

    /// The same body, fixed.
    #[must_use]
    pub fn fixed(mut self) -> Self {
        self.motion = Motion::Fixed;
        self
    }

    /// The same body, driven.
    #[must_use]
    pub fn driven(mut self, drive: Drive) -> Self {
        self.motion = Motion::Driven(Box::new(drive));
        self
    }

    /// The same body with a name for messages.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

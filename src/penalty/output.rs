//! What an item can be asked for.

use crate::math::Vec3;

/// The output variables of the items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutputVariable {
    /// Contact point in m, also for an open contact.
    Position,
    /// From marker 0 to marker 1, in m.
    Displacement,
    /// The gap in m, negative in contact.
    DisplacementLocal,
    /// Sphere–sphere: velocity of centre 1 relative to centre 0. Sphere–torus: velocity of the contact point on the
    /// torus relative to that on the sphere, with both rotations. In m/s.
    Velocity,
    /// Contact force on marker 0 in N; marker 1 gets the opposite.
    Force,
    /// Contact torque on marker 0 about its origin in N·m.
    Torque,
    /// Unit vector from marker 0 to marker 1.
    Director1,
    /// Sphere–torus: unit vector from the torus centre to the projection of the sphere centre into the torus plane.
    Director2,
    /// Sphere–torus: the contact normal, from the nearest centre of the tube to the sphere centre.
    Director3,
    /// Coordinate: the gap q₁ − q₀ − offset, in m or rad.
    Distance,
}

/// Value of an output variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Output {
    /// A number.
    Scalar(f64),
    /// A vector in the inertial frame.
    Vector(Vec3),
}

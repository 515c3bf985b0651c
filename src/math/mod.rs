//! Vectors, contact frames, quaternions and the roots of polynomials: what every floor above computes with.

pub mod bisection;
pub mod frame;
pub mod plane;
pub mod quartic;
pub mod quaternion;
pub mod real;

use nalgebra::{Matrix2, Matrix3, UnitQuaternion, Vector2, Vector3};

/// A vector in the plane.
pub type Vec2 = Vector2<f64>;
/// A vector in space.
pub type Vec3 = Vector3<f64>;
/// A 2×2 matrix.
pub type Mat2 = Matrix2<f64>;
/// A 3×3 matrix.
pub type Mat3 = Matrix3<f64>;
/// A unit quaternion (w, x, y, z): rotates body coordinates into the inertial frame.
pub type Quat = UnitQuaternion<f64>;

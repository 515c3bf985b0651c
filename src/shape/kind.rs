//! The closed set of shapes.

use crate::math::Vec3;

/// A shape in its body's frame; lengths in m.
///
/// A new shape is a variant here, an arm in each file of this module, and one file for each pair in
/// `collision::narrow`.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", tag = "kind", deny_unknown_fields)]
pub enum Shape {
    /// Ball around the origin.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// Cuboid |x| ≤ hx, |y| ≤ hy, |z| ≤ hz.
    Box {
        /// Half the edge lengths (hx, hy, hz).
        half_extents: Vec3,
    },
    /// Wall: everything at z ≤ 0; the outward normal is the body's +z axis.
    HalfSpace,
}

impl Shape {
    /// A ball of the given radius in m.
    pub fn sphere(radius: f64) -> Self {
        Self::Sphere { radius }
    }

    /// A cuboid with the given edge lengths in m (whole edges, not half).
    pub fn cuboid(x: f64, y: f64, z: f64) -> Self {
        Self::Box { half_extents: Vec3::new(x, y, z) * 0.5 }
    }

    /// The name of the kind, as in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::Box { .. } => "box",
            Self::HalfSpace => "half-space",
        }
    }
}

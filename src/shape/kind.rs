//! The closed set of shapes.

use crate::math::Vec3;
use crate::shape::union;

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
    /// All points within `radius` of the segment from −`half_length` to +`half_length` on the z axis.
    Capsule {
        /// Radius of the caps and of the cylinder between them.
        radius: f64,
        /// Half the length of the segment: half the whole length is `half_length` + `radius`.
        half_length: f64,
    },
    /// Solid cylinder: x² + y² ≤ `radius`², |z| ≤ `half_length`.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Half the length along z.
        half_length: f64,
    },
    /// Rigid union of balls, which may overlap; made by [`Shape::clump`].
    Clump {
        /// The balls; the centre of mass of their union is the origin.
        balls: Vec<Ball>,
    },
    /// Wall: everything at z ≤ 0; the outward normal is the body's +z axis.
    HalfSpace,
    /// Pipe around z, open at both ends: `radius` ≤ √(x² + y²) ≤ `radius` + `thickness`, |z| ≤ `half_length`. With an
    /// infinite thickness or length it is a wall; a container for boxes must be infinitely long.
    Tube {
        /// Inner radius.
        radius: f64,
        /// Thickness of the wall; may be infinite.
        thickness: f64,
        /// Half the length along z; may be infinite.
        half_length: f64,
    },
    /// Wall: a hopper around z whose inner surface widens from `lower_radius` at z = −`half_height` to `upper_radius`
    /// at z = +`half_height`.
    Funnel {
        /// Inner radius of the outlet, at the bottom; may be zero.
        lower_radius: f64,
        /// Inner radius at the top; larger than the lower one.
        upper_radius: f64,
        /// Half the height along z.
        half_height: f64,
        /// Thickness of the wall, measured across z.
        thickness: f64,
    },
    /// Wall: everything outside a sphere around the origin.
    HollowSphere {
        /// Radius.
        radius: f64,
    },
    /// Wall: everything further than `minor_radius` from the circle of radius `major_radius` around z at z = 0.
    HollowTorus {
        /// Radius of the circle in the middle of the tube.
        major_radius: f64,
        /// Radius of the tube.
        minor_radius: f64,
    },
}

/// One ball of a clump, in the body's frame.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Ball {
    /// Centre, in m.
    pub center: Vec3,
    /// Radius, in m.
    pub radius: f64,
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

    /// A capsule along z: radius, and length of the cylinder between the caps, in m.
    pub fn capsule(radius: f64, length: f64) -> Self {
        Self::Capsule { radius, half_length: 0.5 * length }
    }

    /// The clump of the given balls, moved so that the centre of mass of their union is the origin; also where that
    /// centre was.
    pub fn clump(mut balls: Vec<Ball>) -> (Self, Vec3) {
        let center = union::measure(&balls).center;
        for ball in &mut balls {
            ball.center -= center;
        }
        (Self::Clump { balls }, center)
    }

    /// The name of the kind, as in scene files.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Sphere { .. } => "sphere",
            Self::Box { .. } => "box",
            Self::Capsule { .. } => "capsule",
            Self::Cylinder { .. } => "cylinder",
            Self::Clump { .. } => "clump",
            Self::HalfSpace => "half-space",
            Self::Tube { .. } => "tube",
            Self::Funnel { .. } => "funnel",
            Self::HollowSphere { .. } => "hollow-sphere",
            Self::HollowTorus { .. } => "hollow-torus",
        }
    }
}

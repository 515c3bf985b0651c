//! One contact.

use crate::math::Vec3;

/// One contact point between two bodies, at the beginning of a step.
///
/// Contacts are sorted by (a, b, feature): their order is a function of the scene alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// First body (i1): the impulse acts on it with +.
    pub a: u32,
    /// Second body (i2): the impulse acts on it with −. Walls and fixed bodies stand here where possible.
    pub b: u32,
    /// Which contact of the pair: persistent from step to step, so that the impulse can be matched.
    pub feature: u32,
    /// Contact point x̂ in the inertial frame, in m: midway between the two surfaces.
    pub point_w: Vec3,
    /// Unit normal in the inertial frame; points from b to a.
    pub normal_w: Vec3,
    /// Signed distance ξ in m; negative when overlapping.
    pub gap: f64,
}

//! One contact.

use crate::collision::image_shift;
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

impl Contact {
    /// The lever arms on a and on b in m, inertial frame: from each body's position to the contact point; from that of
    /// b's nearest image where space is periodic.
    #[inline]
    pub fn arms(&self, positions_w: &[Vec3], periods: &[Option<f64>; 3]) -> (Vec3, Vec3) {
        let (a, b) = (positions_w[self.a as usize], positions_w[self.b as usize]);
        let shift = if *periods == [None; 3] { Vec3::zeros() } else { image_shift(periods, &b, &a) };
        (self.point_w - a, self.point_w - (b + shift))
    }
}

//! Where the routines of the pairs put their contacts.

use crate::collision::Contact;
use crate::math::Quat;
use crate::math::Vec3;

/// Position and orientation of a body in the inertial frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Position of the body's origin, in m.
    pub position_w: Vec3,
    /// Body frame into the inertial frame.
    pub orientation: Quat,
}

impl Pose {
    /// A point of the inertial frame in the body frame.
    #[inline]
    pub(crate) fn to_body(self, point_w: &Vec3) -> Vec3 {
        self.orientation.inverse_transform_vector(&(point_w - self.position_w))
    }

    /// A point of the body frame in the inertial frame.
    #[inline]
    pub(crate) fn to_world(self, point_b: &Vec3) -> Vec3 {
        self.position_w + self.orientation.transform_vector(point_b)
    }
}

/// Takes the contacts of one pair (a, b) and keeps those with a gap below the margin.
#[derive(Debug)]
pub struct Sink<'a> {
    contacts: &'a mut Vec<Contact>,
    a: u32,
    b: u32,
    margin: f64,
    sign: f64,
    /// Added to features: tells the parts of a compound shape apart.
    base: u32,
}

impl<'a> Sink<'a> {
    /// A sink that appends to `contacts` those of the pair (a, b) whose gap is below `margin` (in m).
    #[inline]
    pub fn new(contacts: &'a mut Vec<Contact>, a: u32, b: u32, margin: f64) -> Self {
        Self { contacts, a, b, margin, sign: 1.0, base: 0 }
    }

    /// Below which gap contacts are kept, in m.
    #[inline]
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// The same sink for a routine that takes the two bodies the other way round: normals are turned.
    #[inline]
    pub(crate) fn turned(&mut self) -> Sink<'_> {
        Sink { contacts: self.contacts, sign: -self.sign, ..*self }
    }

    /// The same sink for a part of a compound shape, with `base` added to its features.
    #[inline]
    pub(crate) fn member(&mut self, base: u32) -> Sink<'_> {
        Sink { contacts: self.contacts, base: self.base + base, ..*self }
    }

    /// Takes a contact: `normal_w` points from the routine's second shape to its first; NaN gaps are dropped.
    #[inline]
    pub(crate) fn push(&mut self, feature: u32, point_w: Vec3, normal_w: Vec3, gap: f64) {
        if gap < self.margin {
            let normal_w = normal_w * self.sign;
            let feature = self.base + feature;
            self.contacts.push(Contact { a: self.a, b: self.b, feature, point_w, normal_w, gap });
        }
    }
}

//! What detection sees of a world: flat arrays, one entry a body.

use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::Shape;

/// Borrowed geometry of all bodies; the arrays are parallel.
#[derive(Clone, Copy, Debug)]
pub struct Geometry<'a> {
    /// Position of each body's origin in the inertial frame, in m.
    pub positions_w: &'a [Vec3],
    /// Orientation of each body: body frame into the inertial frame.
    pub orientations: &'a [Quat],
    /// Shape of each body.
    pub shapes: &'a [Shape],
    /// Whether impulses move the body: false for fixed and driven ones. Two that are not movable make no contact.
    pub movable: &'a [bool],
    /// Bound on how far any point of the body moves in a step, in m (see [`travel`]); read under [`Margin::Travel`].
    pub travel: &'a [f64],
}

impl<'a> Geometry<'a> {
    /// Puts the arrays together.
    ///
    /// # Panics
    ///
    /// If the arrays differ in length.
    pub fn new(
        positions_w: &'a [Vec3],
        orientations: &'a [Quat],
        shapes: &'a [Shape],
        movable: &'a [bool],
        travel: &'a [f64],
    ) -> Self {
        let n = positions_w.len();
        let lengths = [orientations.len(), shapes.len(), movable.len(), travel.len()];
        assert!(lengths.iter().all(|length| *length == n), "{n} positions, but arrays of {lengths:?}");
        Self { positions_w, orientations, shapes, movable, travel }
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.positions_w.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.positions_w.is_empty()
    }
}

/// Below which gap a pair makes a contact.
#[derive(Clone, Copy, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Margin {
    /// The larger of 1 % of the smaller body's size and what the two bodies can travel in a step: no contact can
    /// close within the step unseen, and a resting one does not come and go with round-off.
    #[default]
    Travel,
    /// The same margin in m for every pair; with 0 only overlapping pairs are contacts.
    Fixed(f64),
}

/// The part of the smaller body's size that [`Margin::Travel`] never goes below.
pub(crate) const SIZE_SHARE: f64 = 0.01;

impl Margin {
    /// The margin of a pair in m, from the sizes and travels of its two bodies.
    #[inline]
    pub(crate) fn of_pair(self, size_a: f64, size_b: f64, travel_a: f64, travel_b: f64) -> f64 {
        match self {
            Self::Travel => (SIZE_SHARE * size_a.min(size_b)).max(travel_a + travel_b),
            Self::Fixed(margin) => margin,
        }
    }
}

/// How far any point of a body can move in a step, in m.
///
/// ```text
/// travel = δt (‖v‖ + ‖ω‖ R),   R the bounding radius
/// ```
///
/// `v` and `w` are velocity in m/s and angular velocity in rad/s. A wall without bounds counts by its translation
/// alone: turning about its own normal or axis moves no surface, and no finite number bounds other turns.
pub fn travel(shape: &Shape, v: &Vec3, w: &Vec3, dt: f64) -> f64 {
    let turning = if shape.is_bounded() { w.norm() * shape.bounding_radius() } else { 0.0 };
    dt * (v.norm() + turning)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_is_one_percent_of_the_smaller_body_until_travel_is_more() {
        let margin = Margin::Travel.of_pair(2.0, f64::INFINITY, 1e-3, 0.0);
        assert!((margin - 0.02).abs() < 1e-16, "{margin}");
        let margin = Margin::Travel.of_pair(2.0, 1.0, 0.3, 0.2);
        assert!((margin - 0.5).abs() < 1e-16, "{margin}");
        assert!(Margin::Fixed(0.0).of_pair(2.0, 1.0, 0.3, 0.2) == 0.0);
    }

    #[test]
    fn a_turning_wall_without_bounds_has_a_finite_travel() {
        let (v, w) = (Vec3::new(0.0, 3.0, 4.0), Vec3::new(0.0, 0.0, 2.0));
        assert!((travel(&Shape::HalfSpace, &v, &w, 0.1) - 0.5).abs() < 1e-15);
        assert!((travel(&Shape::sphere(0.5), &v, &w, 0.1) - 0.6).abs() < 1e-15);
    }
}

//! What detection sees of a world: flat arrays, one entry a body.

use crate::collision::narrow::supported;
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
    /// Period along each axis in m where space is periodic: two bodies touch by their nearest images (see
    /// [`image_shift`]). A period must be at least twice as long as a body that can touch across it.
    pub periods: [Option<f64>; 3],
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
        Self { positions_w, orientations, shapes, movable, travel, periods: [None; 3] }
    }

    /// The same bodies in a space with these periods in m.
    #[must_use]
    pub fn with_periods(self, periods: [Option<f64>; 3]) -> Self {
        Self { periods, ..self }
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

/// What to add to the position `of` so that it becomes the image nearest to `near`, in m: a whole number of periods.
///
/// The lever arm of a contact on body b is x̂ − (x_b + shift of b near a).
#[inline]
pub fn image_shift(periods: &[Option<f64>; 3], of: &Vec3, near: &Vec3) -> Vec3 {
    Vec3::from_fn(|k, _| periods[k].map_or(0.0, |period| period * ((near[k] - of[k]) / period).round()))
}

/// Pairs of bodies (a, b), at least one of them movable, that no routine knows: one example for each two kinds of
/// shapes. A world with such pairs must be refused, because they would pass through each other.
pub fn unsupported_pairs(shapes: &[Shape], movable: &[bool]) -> Vec<(usize, usize)> {
    // Up to two bodies of each kind, movable ones and others apart; whether a pair is known depends on nothing else.
    let mut kinds: Vec<(&str, bool, bool, Vec<usize>)> = Vec::new();
    for (i, shape) in shapes.iter().enumerate() {
        let kind = (shape.name(), shape.is_bounded(), movable[i]);
        match kinds.iter_mut().find(|known| (known.0, known.1, known.2) == kind) {
            Some(known) if known.3.len() < 2 => known.3.push(i),
            Some(_) => {}
            None => kinds.push((kind.0, kind.1, kind.2, vec![i])),
        }
    }
    let mut pairs = Vec::new();
    for (k, first) in kinds.iter().enumerate() {
        for second in &kinds[..=k] {
            let pair = first.3.iter().flat_map(|i| second.3.iter().map(move |j| (*j, *i))).find(|(i, j)| i != j);
            if let Some((i, j)) = pair
                && (first.2 || second.2)
                && !supported(&shapes[i], &shapes[j])
            {
                pairs.push((i.min(j), i.max(j)));
            }
        }
    }
    pairs.sort_unstable();
    pairs
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
    fn pairs_without_a_routine_are_named_once_for_each_two_kinds() {
        let cylinder = Shape::Cylinder { radius: 1.0, half_length: 1.0 };
        let shapes = [Shape::HalfSpace, Shape::sphere(1.0), cylinder.clone(), cylinder, Shape::cuboid(1.0, 1.0, 1.0)];
        // Cylinder with cylinder and with box; the half-space meets all.
        assert_eq!(unsupported_pairs(&shapes, &[false, true, true, true, true]), [(2, 3), (2, 4)]);
        assert_eq!(unsupported_pairs(&shapes, &[false, true, false, false, false]), []);
        let (short, long) = (1.0, f64::INFINITY);
        for (half_length, known) in [(short, false), (long, true)] {
            let tube = Shape::Tube { radius: 5.0, thickness: 1.0, half_length };
            assert_eq!(unsupported_pairs(&[tube, Shape::cuboid(1.0, 1.0, 1.0)], &[false, true]).is_empty(), known);
        }
    }

    #[test]
    fn the_nearest_image_is_less_than_half_a_period_away() {
        let periods = [Some(2.0), None, Some(0.5)];
        let (of, near) = (Vec3::new(7.3, 4.0, -1.2), Vec3::new(-0.4, 0.0, 0.1));
        let shift = image_shift(&periods, &of, &near);
        assert!((shift - Vec3::new(-8.0, 0.0, 1.5)).norm() < 1e-15, "{shift}");
    }

    #[test]
    fn a_turning_wall_without_bounds_has_a_finite_travel() {
        let (v, w) = (Vec3::new(0.0, 3.0, 4.0), Vec3::new(0.0, 0.0, 2.0));
        assert!((travel(&Shape::HalfSpace, &v, &w, 0.1) - 0.5).abs() < 1e-15);
        assert!((travel(&Shape::sphere(0.5), &v, &w, 0.1) - 0.6).abs() < 1e-15);
    }
}

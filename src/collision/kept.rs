//! How long candidate pairs serve.
//!
//! ```text
//! found with     margin + s                        s the skin, a part of the smallest movable body
//! serve while    ‖x − x₀‖ + 2 R ‖q − q₀‖ < s/2      for every body; R its bounding radius, 0 for a sphere
//! ```
//!
//! A turn by α moves no point by more than 2 R sin(α/2), and ‖q − q₀‖ = 2 sin(α/4), so the left side bounds how far any
//! point of the body has moved: two bodies have come closer by less than s, and every contact is still among the pairs.
//!
//! Where space is periodic that needs images that do not jump: of a body longer than half a period, or a wall that is not
//! the same one period on, the nearest image can change while nothing moves far. With such bodies nothing is kept.

use crate::collision::Geometry;
use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::Shape;

/// The skin as a part of the size of the smallest movable body: a hundred steps of a body that closes a contact in
/// thirty, at a thousandth of its size; more would add pairs that never touch.
const SKIN: f64 = 0.02;

/// Where the bodies were when the pairs were found.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    skin: f64,
    positions_w: Vec<Vec3>,
    orientations: Vec<Quat>,
}

impl Kept {
    /// Nothing serves any more.
    pub(crate) fn forget(&mut self) {
        self.positions_w.clear();
        self.orientations.clear();
    }

    /// Remembers the bodies as they are; the skin in m that the pairs are to be found with.
    pub(crate) fn remember(&mut self, geometry: Geometry<'_>) -> f64 {
        let movable = geometry.shapes.iter().zip(geometry.movable).filter(|(_, movable)| **movable);
        let smallest = movable.map(|(shape, _)| shape.size()).fold(f64::INFINITY, f64::min);
        // Nothing moves: any skin does.
        self.skin = if smallest.is_finite() { SKIN * smallest } else { 0.0 };
        self.forget();
        if images_are_steady(geometry) {
            self.positions_w.extend_from_slice(geometry.positions_w);
            self.orientations.extend_from_slice(geometry.orientations);
        }
        self.skin
    }

    /// Whether every contact of `geometry` is among the pairs found then.
    pub(crate) fn serves(&self, geometry: Geometry<'_>) -> bool {
        let most = 0.5 * self.skin;
        self.positions_w.len() == geometry.len()
            && geometry.shapes.iter().enumerate().all(|(i, shape)| {
                let gone = (geometry.positions_w[i] - self.positions_w[i]).norm_squared();
                if matches!(shape, Shape::Sphere { .. }) {
                    return gone < most * most;
                }
                let (now, then) = (&geometry.orientations[i].coords, &self.orientations[i].coords);
                // A wall without bounds must not turn at all; one that did not turn has not moved by 0 times infinity.
                let turned = (now - then).norm();
                let turning = if turned > 0.0 { 2.0 * shape.bounding_radius() * turned } else { 0.0 };
                gone.sqrt() + turning < most
            })
    }
}

/// Whether the nearest image of no body matters where it jumps from one to the next.
fn images_are_steady(geometry: Geometry<'_>) -> bool {
    // What round-off leaves of a normal across a period.
    const ACROSS: f64 = 1e-9;
    let periods = || geometry.periods.iter().enumerate().filter_map(|(k, period)| period.map(|period| (k, period)));
    geometry.shapes.iter().zip(geometry.orientations).all(|(shape, orientation)| match shape {
        Shape::HalfSpace => periods().all(|(k, _)| (orientation * Vec3::z())[k].abs() < ACROSS),
        _ => periods().all(|(_, period)| shape.size() <= 0.5 * period),
    })
}

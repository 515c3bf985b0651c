//! What is there already: finds what a new particle would touch.
//!
//! Bodies are entered by size: those of a bounding radius R with 2^(l − 1) < R ≤ 2^l are in the level l, each in the
//! cell of edge 2^(l + 1) that its centre is in. So a large particle does not have to look at every small one around a
//! small one, whatever the ratio of their sizes.

use crate::collision::Contact;
use crate::collision::image_shift;
use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::collide;
use crate::math::Vec3;
use crate::shape::Shape;
use std::collections::BTreeMap;
use std::collections::HashMap;

/// Bodies at their places.
pub(super) struct Occupied<'w> {
    levels: BTreeMap<i32, Level>,
    /// Bodies without bounds: they are looked at each time.
    everywhere: Vec<u32>,
    bodies: &'w mut Vec<(Shape, Pose)>,
    periods: [Option<f64>; 3],
    contacts: Vec<Contact>,
}

/// Bodies of about one size.
#[derive(Default)]
struct Level {
    all: Vec<u32>,
    /// The same by cell. Only looked up, never gone through: its order does not matter.
    cells: HashMap<[i64; 3], Vec<u32>>,
}

impl<'w> Occupied<'w> {
    /// `bodies`, in a space with the periods in m.
    pub(super) fn new(bodies: &'w mut Vec<(Shape, Pose)>, periods: [Option<f64>; 3]) -> Self {
        let mut occupied =
            Self { levels: BTreeMap::new(), everywhere: Vec::new(), bodies, periods, contacts: Vec::new() };
        for i in 0..occupied.bodies.len() {
            occupied.enter(i);
        }
        occupied
    }

    /// Whether the shape at the pose keeps `spacing` (in m) from everything.
    pub(super) fn is_free(&mut self, shape: &Shape, pose: &Pose, spacing: f64) -> bool {
        let Self { levels, everywhere, bodies, periods, contacts } = self;
        let mut blocks = |i: &u32| touches(shape, pose, &bodies[*i as usize], periods, spacing, contacts);
        if everywhere.iter().any(&mut blocks) {
            return false;
        }
        let reach = shape.bounding_radius() + spacing;
        let home = wrapped(&pose.position_w, periods);
        for (number, level) in levels {
            for shift in shifts(periods) {
                let (low, high) = range(&(home + shift), reach + radius(*number), *number);
                let cells = (0..3).map(|k| (high[k] - low[k] + 1) as f64).product::<f64>();
                if cells > level.all.len() as f64 {
                    if level.all.iter().any(&mut blocks) {
                        return false;
                    }
                    break;
                }
                for x in low[0]..=high[0] {
                    for y in low[1]..=high[1] {
                        for z in low[2]..=high[2] {
                            let near = level.cells.get(&[x, y, z]);
                            if near.is_some_and(|near| near.iter().any(&mut blocks)) {
                                return false;
                            }
                        }
                    }
                }
            }
        }
        true
    }

    /// Adds a body.
    pub(super) fn add(&mut self, shape: Shape, pose: Pose) {
        self.bodies.push((shape, pose));
        self.enter(self.bodies.len() - 1);
    }

    fn enter(&mut self, i: usize) {
        let (shape, pose) = &self.bodies[i];
        let bound = shape.bounding_radius();
        if !bound.is_finite() {
            self.everywhere.push(i as u32);
            return;
        }
        // Shapes with a fault can have no size; they are refused later, by name.
        let number = bound.max(f64::MIN_POSITIVE).log2().ceil() as i32;
        let (cell, _) = range(&wrapped(&pose.position_w, &self.periods), 0.0, number);
        let level = self.levels.entry(number).or_default();
        level.all.push(i as u32);
        level.cells.entry(cell).or_default().push(i as u32);
    }
}

/// Largest bounding radius in a level, in m; rounding of the logarithm included.
fn radius(level: i32) -> f64 {
    2.0_f64.powi(level) * (1.0 + 1e-9)
}

/// First and last cell of a level that a ball reaches into, along each axis.
fn range(center: &Vec3, reach: f64, level: i32) -> ([i64; 3], [i64; 3]) {
    let edge = 2.0 * 2.0_f64.powi(level);
    // `as` saturates: places beyond 10¹⁸ cells share the last one.
    let cell = |x: f64| (x / edge).floor() as i64;
    ([0, 1, 2].map(|k| cell(center[k] - reach)), [0, 1, 2].map(|k| cell(center[k] + reach)))
}

/// The image of a point in the first period.
fn wrapped(x: &Vec3, periods: &[Option<f64>; 3]) -> Vec3 {
    Vec3::from_fn(|k, _| periods[k].map_or(x[k], |period| x[k] - period * (x[k] / period).floor()))
}

/// The shifts to a point and to its images next to it.
fn shifts(periods: &[Option<f64>; 3]) -> impl Iterator<Item = Vec3> + use<> {
    let along = periods.map(|period| period.map_or(vec![0.0], |period| vec![0.0, period, -period]));
    let [x, y, z] = along;
    x.into_iter().flat_map(move |x| {
        let z = z.clone();
        y.clone().into_iter().flat_map(move |y| z.clone().into_iter().map(move |z| Vec3::new(x, y, z)))
    })
}

/// Whether two bodies come closer than `spacing`, by their nearest images.
fn touches(
    shape: &Shape,
    pose: &Pose,
    other: &(Shape, Pose),
    periods: &[Option<f64>; 3],
    spacing: f64,
    contacts: &mut Vec<Contact>,
) -> bool {
    let reach = shape.bounding_radius() + other.0.bounding_radius() + spacing;
    let x = other.1.position_w;
    let other_pose = Pose { position_w: x + image_shift(periods, &x, &pose.position_w), ..other.1 };
    if (pose.position_w - other_pose.position_w).norm_squared() >= reach * reach {
        return false;
    }
    contacts.clear();
    // A pair that has no routine is refused elsewhere, by name.
    let known = collide(shape, pose, &other.0, &other_pose, &mut Sink::new(contacts, 0, 1, spacing));
    known && !contacts.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Quat;
    use crate::simulation::random::Random;

    #[test]
    fn what_is_free_is_what_touches_nothing_whatever_the_sizes_and_periods() {
        for periods in [[None; 3], [Some(1.0), None, Some(1.5)]] {
            let mut random = Random::new(5, 0);
            let mut bodies =
                vec![(Shape::HalfSpace, Pose { position_w: Vec3::zeros(), orientation: Quat::identity() })];
            let mut plain = bodies.clone();
            let mut occupied = Occupied::new(&mut bodies, periods);
            let (mut free, mut contacts) = (0, Vec::new());
            for _ in 0..4000 {
                // Radii 20 to 1, most of them small, and places beyond the first period.
                let shape = Shape::sphere(0.2 * 20.0_f64.powf(-random.unit().sqrt()));
                let position_w = random.point(&Vec3::repeat(-1.0), &Vec3::repeat(2.0));
                let pose = Pose { position_w, orientation: Quat::identity() };
                let expected = !plain.iter().any(|other| touches(&shape, &pose, other, &periods, 0.001, &mut contacts));
                assert_eq!(occupied.is_free(&shape, &pose, 0.001), expected, "{shape:?} at {position_w}");
                if expected {
                    free += 1;
                    occupied.add(shape.clone(), pose);
                    plain.push((shape, pose));
                }
            }
            assert!((100..3900).contains(&free), "{free} of 4000 were free");
        }
    }
}

//! What is there already: finds what a new particle would touch.

use crate::collision::Contact;
use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::collide;
use crate::math::Vec3;
use crate::shape::Shape;
use std::collections::HashMap;

/// Cells that one bounded body may be entered in; larger ones are looked at each time, as walls are.
const MOST_CELLS: i64 = 4096;

/// Bodies at their places, in cells for those that are bounded.
pub(super) struct Occupied<'w> {
    /// Edge of a cell in m.
    edge: f64,
    /// Bodies by cell. Only looked up, never gone through: its order does not matter.
    cells: HashMap<[i64; 3], Vec<u32>>,
    /// Bodies that are looked at each time.
    everywhere: Vec<u32>,
    bodies: &'w mut Vec<(Shape, Pose)>,
    contacts: Vec<Contact>,
}

impl<'w> Occupied<'w> {
    /// `bodies`, to which particles of a bounding radius up to `radius` (in m) will be added.
    pub(super) fn new(bodies: &'w mut Vec<(Shape, Pose)>, radius: f64) -> Self {
        let mut occupied =
            Self { edge: 2.0 * radius, cells: HashMap::new(), everywhere: Vec::new(), bodies, contacts: Vec::new() };
        for i in 0..occupied.bodies.len() {
            occupied.enter(i);
        }
        occupied
    }

    /// Whether the shape at the pose keeps `spacing` (in m) from everything.
    pub(super) fn is_free(&mut self, shape: &Shape, pose: &Pose, spacing: f64) -> bool {
        let reach = shape.bounding_radius() + spacing;
        let (low, high) = self.range(&pose.position_w, reach);
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    let Some(near) = self.cells.get(&[x, y, z]) else { continue };
                    if near.iter().any(|i| touches(shape, pose, &self.bodies[*i as usize], spacing, &mut self.contacts))
                    {
                        return false;
                    }
                }
            }
        }
        !self.everywhere.iter().any(|i| touches(shape, pose, &self.bodies[*i as usize], spacing, &mut self.contacts))
    }

    /// Adds a body.
    pub(super) fn add(&mut self, shape: Shape, pose: Pose) {
        self.bodies.push((shape, pose));
        self.enter(self.bodies.len() - 1);
    }

    fn enter(&mut self, i: usize) {
        let (shape, pose) = &self.bodies[i];
        let radius = shape.bounding_radius();
        let (low, high) = self.range(&pose.position_w, radius.min(1e9 * self.edge));
        let cells = (0..3).map(|k| (high[k] - low[k] + 1) as f64).product::<f64>();
        if !radius.is_finite() || cells > MOST_CELLS as f64 {
            self.everywhere.push(i as u32);
            return;
        }
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    self.cells.entry([x, y, z]).or_default().push(i as u32);
                }
            }
        }
    }

    /// First and last cell that a ball reaches into, along each axis.
    fn range(&self, center: &Vec3, radius: f64) -> ([i64; 3], [i64; 3]) {
        // `as` saturates: places beyond 10¹⁸ cells share the last one.
        let cell = |x: f64| (x / self.edge).floor() as i64;
        ([0, 1, 2].map(|k| cell(center[k] - radius)), [0, 1, 2].map(|k| cell(center[k] + radius)))
    }
}

/// Whether two bodies come closer than `spacing`.
fn touches(shape: &Shape, pose: &Pose, other: &(Shape, Pose), spacing: f64, contacts: &mut Vec<Contact>) -> bool {
    let reach = shape.bounding_radius() + other.0.bounding_radius() + spacing;
    if (pose.position_w - other.1.position_w).norm_squared() >= reach * reach {
        return false;
    }
    contacts.clear();
    // A pair that has no routine is refused elsewhere, by name.
    let known = collide(shape, pose, &other.0, &other.1, &mut Sink::new(contacts, 0, 1, spacing));
    known && !contacts.is_empty()
}

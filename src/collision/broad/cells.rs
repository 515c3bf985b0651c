//! Numbers of the cells of a grid.

use crate::math::Vec3;

/// Most cells along an axis; bodies further out share the last one, which keeps neighbours neighbours.
const MOST: f64 = 1_048_576.0;

/// A grid of cubic cells over a box, with a margin of one empty cell all round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cells {
    origin: Vec3,
    per_length: f64,
    /// Cells along each axis without the empty ones.
    count: [i64; 3],
}

impl Default for Cells {
    fn default() -> Self {
        Self::new(Vec3::zeros(), Vec3::zeros(), 1.0)
    }
}

impl Cells {
    /// Cells of the given edge over the box from `min` to `max`.
    pub(crate) fn new(min: Vec3, max: Vec3, edge: f64) -> Self {
        let per_length = 1.0 / edge;
        let along = |k: usize| (((max[k] - min[k]) * per_length).min(MOST - 1.0)) as i64 + 1;
        Self { origin: min, per_length, count: [along(0), along(1), along(2)] }
    }

    /// Number of the cell that a point lies in, x running fastest. A point outside the box counts as lying in the
    /// empty margin.
    #[inline]
    pub(crate) fn number(&self, x: &Vec3) -> i64 {
        let along = |k: usize| {
            let cell = (x[k] - self.origin[k]) * self.per_length;
            if cell < 0.0 { 0 } else { (cell as i64).min(self.count[k]) + 1 }
        };
        along(0) + (self.count[0] + 2) * (along(1) + (self.count[1] + 2) * along(2))
    }

    /// Number of a point that spanned the box: never in the margin, whatever round-off says.
    #[inline]
    pub(crate) fn inner_number(&self, x: &Vec3) -> i64 {
        let along = |k: usize| {
            let cell = (x[k] - self.origin[k]) * self.per_length;
            (cell as i64).clamp(0, self.count[k] - 1) + 1
        };
        along(0) + (self.count[0] + 2) * (along(1) + (self.count[1] + 2) * along(2))
    }

    /// One more than the largest number of a cell, the empty ones included.
    pub(crate) fn numbers(&self) -> usize {
        let [x, y, z] = self.count.map(|count| count as usize + 2);
        x * y * z
    }

    /// What to add to a cell's number for its neighbour by (dy, dz).
    #[inline]
    pub(crate) fn row(&self, dy: i64, dz: i64) -> i64 {
        (self.count[0] + 2) * (dy + (self.count[1] + 2) * dz)
    }
}

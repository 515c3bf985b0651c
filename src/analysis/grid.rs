//! A box of space cut into equal cells.

use crate::math::Vec3;

/// A box cut into `count` equal cells along each axis of the inertial frame. Cell (i, j, k) has the index
/// i + nx (j + ny k).
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    min: Vec3,
    cell: Vec3,
    count: [usize; 3],
    periods: [Option<f64>; 3],
}

impl Grid {
    /// The box from `min` to `max`, in m.
    ///
    /// # Panics
    ///
    /// If the box is empty or a count is zero.
    pub fn new(min: Vec3, max: Vec3, count: [usize; 3]) -> Self {
        let cell = Vec3::from_fn(|k, _| (max[k] - min[k]) / count[k] as f64);
        assert!(count.iter().all(|n| *n > 0) && cell.iter().all(|l| *l > 0.0), "no cells: {min} to {max}, {count:?}");
        Self { min, cell, count, periods: [None; 3] }
    }

    /// The same grid in a space with these periods in m: a point and its images are in the same cell.
    #[must_use]
    pub fn with_periods(self, periods: [Option<f64>; 3]) -> Self {
        Self { periods, ..self }
    }

    /// The periods of space in m.
    pub fn periods(&self) -> &[Option<f64>; 3] {
        &self.periods
    }

    /// Number of cells.
    pub fn len(&self) -> usize {
        self.count.iter().product()
    }

    /// Whether there is no cell; never so.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of cells along each axis.
    pub fn count(&self) -> [usize; 3] {
        self.count
    }

    /// Volume of a cell in m³.
    pub fn cell_volume(&self) -> f64 {
        self.cell.product()
    }

    /// The cell that holds a point; none outside the box.
    pub fn index_of(&self, point: &Vec3) -> Option<usize> {
        let mut index = 0;
        for k in (0..3).rev() {
            let along = point[k] - self.min[k];
            let along = self.periods[k].map_or(along, |period| along.rem_euclid(period));
            let at = (along / self.cell[k]).floor();
            // A NaN is in no cell.
            if !(at >= 0.0 && at < self.count[k] as f64) {
                return None;
            }
            index = index * self.count[k] + at as usize;
        }
        Some(index)
    }

    /// The centre of a cell in m.
    pub fn center(&self, index: usize) -> Vec3 {
        let [nx, ny, _] = self.count;
        let at = [index % nx, index / nx % ny, index / nx / ny];
        Vec3::from_fn(|k, _| self.min[k] + (at[k] as f64 + 0.5) * self.cell[k])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_center_of_each_cell_lies_in_it_and_nothing_outside_lies_in_any() {
        let grid = Grid::new(Vec3::new(-1.0, 0.0, 2.0), Vec3::new(1.0, 3.0, 4.0), [4, 3, 5]);
        assert_eq!(grid.len(), 60);
        assert!((grid.cell_volume() - 0.5 * 1.0 * 0.4).abs() < 1e-15);
        for index in 0..grid.len() {
            assert_eq!(grid.index_of(&grid.center(index)), Some(index));
        }
        for outside in [Vec3::new(-1.1, 1.0, 3.0), Vec3::new(0.0, 3.0, 3.0), Vec3::new(0.0, 1.0, f64::NAN)] {
            assert_eq!(grid.index_of(&outside), None, "{outside}");
        }
    }
}

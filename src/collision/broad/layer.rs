//! Bodies of about one size, sorted by cell.

use crate::collision::Geometry;
use crate::collision::broad::cells::Cells;
use crate::collision::broad::ordered;
use crate::collision::broad::radix::Radix;
use crate::collision::broad::reach::Reach;
use crate::math::Vec3;
use std::ops::Range;

/// Set in the body number of an entry that is a periodic image.
const IMAGE: u32 = 1 << 31;

/// Most cells an entry that are listed: where the bodies fill space there are about two, and a list that stays in the
/// cache beats a search; bodies strewn over a wide space must not take memory for all of it.
const CELLS_LISTED: usize = 8;

/// Hits that are gathered before they are looked at: more than three rows of cells of one layer hold.
const GATHERED: usize = 64;

/// A bounding sphere enlarged by the body's share of the margin.
#[derive(Clone, Copy, Debug)]
struct Ball {
    center: Vec3,
    reach: f64,
}

impl Ball {
    #[inline]
    fn meets(&self, other: &Self) -> bool {
        let sum = self.reach + other.reach;
        (self.center - other.center).norm_squared() < sum * sum
    }
}

/// The bodies of a layer in the order of their cells; the arrays are parallel.
#[derive(Debug, Default)]
pub(crate) struct Layer {
    cells: Cells,
    keys: Vec<u64>,
    bodies: Vec<u32>,
    balls: Vec<Ball>,
    /// First entry of each cell, if there are not many more cells than entries; else empty.
    starts: Vec<u32>,
    /// Bodies and images before the sort.
    unsorted: Vec<Ball>,
    names: Vec<u32>,
}

impl Layer {
    /// Number of entries, images included.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Takes in and sorts the bodies of layer `l`.
    pub(crate) fn fill(&mut self, geometry: Geometry<'_>, reach: &Reach, l: usize, radix: &mut Radix) {
        self.unsorted.clear();
        self.names.clear();
        for i in reach.members(l) {
            let ball = Ball { center: geometry.positions_w[i as usize], reach: reach.near()[i as usize] };
            self.unsorted.push(ball);
            self.names.push(i);
        }
        if geometry.periods.iter().any(Option::is_some) {
            self.add_images(geometry.periods, reach.largest(0));
        }
        let (mut min, mut max) = (Vec3::repeat(f64::INFINITY), Vec3::repeat(f64::NEG_INFINITY));
        for ball in &self.unsorted {
            min = min.inf(&ball.center);
            max = max.sup(&ball.center);
        }
        self.keys.clear();
        self.bodies.clear();
        self.balls.clear();
        if self.unsorted.is_empty() {
            return;
        }
        self.cells = Cells::new(min, max, 2.0 * reach.largest(l));
        self.keys.extend(self.unsorted.iter().map(|ball| self.cells.inner_number(&ball.center) as u64));
        self.bodies.extend(0..self.unsorted.len() as u32);
        radix.sort(&mut self.keys, &mut self.bodies);
        for body in &mut self.bodies {
            let place = *body as usize;
            self.balls.push(self.unsorted[place]);
            *body = self.names[place];
        }
        self.list_starts();
    }

    fn list_starts(&mut self) {
        self.starts.clear();
        let cells = self.cells.numbers();
        if cells > CELLS_LISTED * self.keys.len() {
            return;
        }
        for (entry, key) in self.keys.iter().enumerate() {
            self.starts.resize((*key as usize + 1).max(self.starts.len()), entry as u32);
        }
        self.starts.resize(cells + 1, self.keys.len() as u32);
    }

    /// Moves `window` to the cells `cell` − 1 to `cell` + 1.
    #[inline]
    fn move_window(&self, window: &mut Window, cell: i64) {
        if self.starts.is_empty() {
            window.move_to(&self.keys, cell);
        } else {
            // Numbers beyond the first and last layer of cells: nothing is there.
            let last = self.starts.len() as i64 - 1;
            window.start = self.starts[(cell - 1).clamp(0, last) as usize] as usize;
            window.end = self.starts[(cell + 2).clamp(0, last) as usize] as usize;
        }
    }

    /// Gathers the bodies of the entries in the range that meet `ball`.
    #[inline]
    fn gather(&self, ball: &Ball, range: Range<usize>, hits: &mut Hits, mut full: impl FnMut(u32)) {
        hits.looked += range.len();
        for (other, body) in self.balls[range.clone()].iter().zip(&self.bodies[range]) {
            // Without a branch on the outcome, which no processor can predict.
            hits.bodies[hits.count] = *body;
            hits.count += usize::from(ball.meets(other));
            if hits.count == GATHERED {
                hits.empty(&mut full);
            }
        }
    }

    /// Moves the bodies into the first period and adds an image of each that comes near an end of it: nearer than its
    /// own and the largest reach together.
    fn add_images(&mut self, periods: [Option<f64>; 3], largest: f64) {
        for place in 0..self.unsorted.len() {
            let mut ball = self.unsorted[place];
            for (x, period) in ball.center.iter_mut().zip(periods) {
                *x -= period.map_or(0.0, |period| period * (*x / period).floor());
            }
            self.unsorted[place] = ball;
            let near = ball.reach + largest;
            let shifts = |k: usize| {
                let period = periods[k].unwrap_or(0.0);
                let below = (period > 0.0 && ball.center[k] < near).then_some(period);
                let above = (period > 0.0 && ball.center[k] > period - near).then_some(-period);
                [Some(0.0), below, above].into_iter().flatten()
            };
            for x in shifts(0) {
                for y in shifts(1) {
                    for z in shifts(2) {
                        let shift = Vec3::new(x, y, z);
                        if shift != Vec3::zeros() {
                            self.unsorted.push(Ball { center: ball.center + shift, ..ball });
                            self.names.push(self.names[place] | IMAGE);
                        }
                    }
                }
            }
        }
    }

    /// Pairs within the layer of which the first entry lies in `range`: with the later ones of the same row of cells,
    /// and with the four rows ahead. Returns how many entries were looked at.
    pub(crate) fn own_pairs(&self, range: Range<usize>, movable: &[bool], found: &mut Vec<u64>) -> usize {
        let rows = [(1, 0), (-1, 1), (0, 1), (1, 1)].map(|(dy, dz)| self.cells.row(dy, dz));
        let mut windows = rows.map(|_| Window::default());
        let (mut ahead, mut hits) = (Window::default(), Hits::new());
        let mut last = u64::MAX;
        for p in range {
            let key = self.keys[p];
            if key != last {
                for (window, row) in windows.iter_mut().zip(rows) {
                    self.move_window(window, key as i64 + row);
                }
                self.move_window(&mut ahead, key as i64);
                last = key;
            }
            let (ball, body) = (self.balls[p], self.bodies[p]);
            let mut take = |other| push(body, other, movable, found);
            self.gather(&ball, p + 1..ahead.end, &mut hits, &mut take);
            for window in &windows {
                self.gather(&ball, window.start..window.end, &mut hits, &mut take);
            }
            hits.empty(take);
        }
        hits.looked
    }

    /// Pairs of the entries in `range` with those of a layer of larger bodies. Returns how many entries were looked at.
    pub(crate) fn pairs_with(
        &self,
        coarser: &Self,
        range: Range<usize>,
        movable: &[bool],
        found: &mut Vec<u64>,
    ) -> usize {
        if coarser.len() == 0 {
            return 0;
        }
        let (mut windows, mut hits) = ([Window::default(); 9], Hits::new());
        let mut last = i64::MAX;
        for p in range {
            let (ball, body) = (self.balls[p], self.bodies[p]);
            if body & IMAGE != 0 {
                continue;
            }
            let cell = coarser.cells.number(&ball.center);
            if cell != last {
                for (k, window) in windows.iter_mut().enumerate() {
                    let (dy, dz) = (k as i64 % 3 - 1, k as i64 / 3 - 1);
                    coarser.move_window(window, cell + coarser.cells.row(dy, dz));
                }
                last = cell;
            }
            let mut take = |other: u32| found.extend(ordered(body, other & !IMAGE, movable));
            for window in &windows {
                coarser.gather(&ball, window.start..window.end, &mut hits, &mut take);
            }
            hits.empty(take);
        }
        hits.looked
    }
}

/// A pair within the layer. Of the two ways in which a body meets the image of another, one is taken.
#[inline]
fn push(i: u32, j: u32, movable: &[bool], found: &mut Vec<u64>) {
    match (i & IMAGE != 0, j & IMAGE != 0) {
        (false, false) => {}
        (false, true) if i < j & !IMAGE => {}
        (true, false) if j < i & !IMAGE => {}
        _ => return,
    }
    found.extend(ordered(i & !IMAGE, j & !IMAGE, movable));
}

/// Bodies that meet the one that is being looked at.
struct Hits {
    bodies: [u32; GATHERED],
    count: usize,
    /// Entries that were looked at so far.
    looked: usize,
}

impl Hits {
    fn new() -> Self {
        Self { bodies: [0; GATHERED], count: 0, looked: 0 }
    }

    /// Hands over all bodies and forgets them.
    #[inline]
    fn empty(&mut self, mut take: impl FnMut(u32)) {
        self.bodies[..self.count].iter().for_each(|body| take(*body));
        self.count = 0;
    }
}

/// The entries of three neighbour cells in a row.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    start: usize,
    end: usize,
}

impl Window {
    /// Moves to the cells `cell` − 1 to `cell` + 1.
    #[inline]
    fn move_to(&mut self, keys: &[u64], cell: i64) {
        // Numbers below zero lie before the first layer of cells: nothing is there.
        self.start = seek(keys, self.start, (cell - 1).max(0) as u64);
        self.end = seek(keys, self.end.max(self.start), (cell + 2).max(0) as u64);
    }
}

/// First place in the sorted `keys` with a key of at least `key`, looked for from `from` on in growing steps.
#[inline]
fn seek(keys: &[u64], from: usize, key: u64) -> usize {
    if from > 0 && keys[from - 1] >= key {
        return keys[..from].partition_point(|k| *k < key);
    }
    let (mut low, mut step) = (from, 1);
    loop {
        let next = low + step;
        if next > keys.len() {
            return low + keys[low..].partition_point(|k| *k < key);
        }
        if keys[next - 1] >= key {
            return low + keys[low..next - 1].partition_point(|k| *k < key);
        }
        low = next;
        step *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeking_from_anywhere_finds_the_first_key_that_is_not_smaller() {
        let keys = [1, 1, 3, 4, 4, 4, 9, 12, 12, 40];
        for from in 0..=keys.len() {
            for key in 0..45 {
                let expected = keys.iter().position(|k| *k >= key).unwrap_or(keys.len());
                assert_eq!(seek(&keys, from, key), expected, "from {from}, key {key}");
            }
        }
    }
}

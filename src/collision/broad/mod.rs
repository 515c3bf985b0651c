//! Pairs of bodies whose bounding spheres come within the margin, with linear work.
//!
//! ```text
//! reach      ρ_i = bounding radius + body's share of the margin; a contact needs ‖x_i − x_j‖ < ρ_i + ρ_j
//! walls      bodies without bounds, and the few that are much larger than the rest: tried against all bodies
//! layers     all others, by size: within a layer ρ_max/2 < ρ ≤ ρ_max; cells of edge 2 ρ_max, sorted by cell
//! pairs      within a layer: neighbour cells, each pair once; a smaller body looks up its cell's neighbours in each
//!            layer of larger ones
//! ```
//!
//! Cells are never stored: bodies are sorted by cell number, x running fastest, so that three neighbour cells in a row
//! are one range of the sorted array, and the ranges only move forward as the cell number grows.

mod cells;
mod layer;
mod pairs;
mod radix;
mod reach;
mod walls;

pub(crate) use pairs::Pairs;

use crate::collision::Geometry;
use crate::collision::Margin;
use layer::Layer;
use radix::Radix;
use rayon::iter::IndexedParallelIterator;
use rayon::iter::IntoParallelRefMutIterator;
use rayon::iter::ParallelIterator;
use reach::Reach;
use walls::Wall;

/// Entries of a layer, or bodies against walls, that one task looks after: enough work to be worth a thread, and the
/// same whatever the number of threads.
const TASK: usize = 4096;

/// Buffers of the broad phase.
#[derive(Debug, Default)]
pub(crate) struct Broad {
    reach: Reach,
    layers: Vec<Layer>,
    radix: Radix,
    walls: Vec<Wall>,
    tasks: Vec<Task>,
    /// Tasks of the last search.
    used: usize,
}

/// What a task looks through.
#[derive(Clone, Copy, Debug)]
enum Job {
    /// Entries of a layer, against this and all coarser layers.
    Layer(usize),
    /// Bodies, against all walls.
    Walls,
}

/// A range of work with its own output.
#[derive(Debug)]
struct Task {
    job: Job,
    start: usize,
    end: usize,
    found: Vec<u64>,
    /// Entries that were looked at.
    looked: usize,
}

impl Broad {
    /// Finds all candidate pairs: at least those with a gap below the margin, each once, ordered as in
    /// [`ordered`], in an order that does not matter (they are sorted next).
    pub(crate) fn find(&mut self, geometry: Geometry<'_>, margin: Margin) -> impl Iterator<Item = &[u64]> + Clone {
        self.reach.measure(geometry, margin);
        self.layers.resize_with(self.layers.len().max(self.reach.layers()), Layer::default);
        let layers = &mut self.layers[..self.reach.layers()];
        for (l, layer) in layers.iter_mut().enumerate() {
            layer.fill(geometry, &self.reach, l, &mut self.radix);
        }
        self.walls.clear();
        self.walls.extend(self.reach.walls().iter().map(|body| Wall::new(geometry, margin, *body)));

        let mut used = 0;
        let mut add = |job: Job, len: usize| {
            for start in (0..len).step_by(TASK) {
                if used == self.tasks.len() {
                    self.tasks.push(Task { job, start: 0, end: 0, found: Vec::new(), looked: 0 });
                }
                let task = &mut self.tasks[used];
                (task.job, task.start, task.end) = (job, start, len.min(start + TASK));
                used += 1;
            }
        };
        for (l, layer) in layers.iter().enumerate() {
            add(Job::Layer(l), layer.len());
        }
        if !self.walls.is_empty() {
            add(Job::Walls, geometry.len());
        }

        let (layers, walls, reach) = (&*layers, &self.walls, &self.reach);
        let run = |task: &mut Task| {
            task.found.clear();
            task.looked = 0;
            match task.job {
                Job::Layer(l) => {
                    let range = task.start..task.end;
                    task.looked += layers[l].own_pairs(range.clone(), geometry.movable, &mut task.found);
                    for coarser in &layers[..l] {
                        task.looked += layers[l].pairs_with(coarser, range.clone(), geometry.movable, &mut task.found);
                    }
                }
                Job::Walls => {
                    task.looked = walls.len() * (task.end - task.start);
                    for wall in walls {
                        wall.pairs(geometry, reach, task.start..task.end, &mut task.found);
                    }
                }
            }
        };
        let tasks = &mut self.tasks[..used];
        if used == 1 || rayon::current_num_threads() == 1 {
            tasks.iter_mut().for_each(run);
        } else {
            tasks.par_iter_mut().with_max_len(1).for_each(run);
        }
        self.used = used;
        self.tasks[..used].iter().map(|task| task.found.as_slice())
    }

    /// Bounding spheres that the last search compared, pair by pair.
    pub(crate) fn looked(&self) -> usize {
        self.tasks[..self.used].iter().map(|task| task.looked).sum()
    }
}

/// The pair with its bodies in order, as one number (a in the upper half); none if neither body is movable.
///
/// a is movable; b is the one that is not, or else the one with the larger index.
#[inline]
fn ordered(i: u32, j: u32, movable: &[bool]) -> Option<u64> {
    let (a, b) = match (movable[i as usize], movable[j as usize]) {
        (true, true) => (i.min(j), i.max(j)),
        (true, false) => (i, j),
        (false, true) => (j, i),
        (false, false) => return None,
    };
    Some(u64::from(a) << 32 | u64::from(b))
}

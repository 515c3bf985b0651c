//! The detector: broad phase, sort, narrow phase.

use crate::collision::Contact;
use crate::collision::Geometry;
use crate::collision::Margin;
use crate::collision::broad::Broad;
use crate::collision::broad::Pairs;
use crate::collision::geometry::image_shift;
use crate::collision::kept::Kept;
use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::collide;
use crate::collision::narrow::sphere_sphere;
use crate::shape::Shape;
use rayon::iter::IndexedParallelIterator;
use rayon::iter::IntoParallelRefMutIterator;
use rayon::iter::ParallelIterator;
use std::ops::Range;

/// Bodies whose pairs one task of the narrow phase looks after; the same whatever the number of threads.
const TASK: usize = 512;
/// Tasks whose contacts are kept apart before they are put together: bounds the memory of the parallel narrow phase.
const WAVE: usize = 64;

/// Finds the contacts of a geometry. What it holds saves work only: what it finds depends on nothing it found before.
#[derive(Debug, Default)]
pub struct Detector {
    broad: Broad,
    pairs: Pairs,
    /// What [`Detector::detect_again`] found its pairs for.
    kept: Kept,
    searches: usize,
    /// Contacts of the tasks of one wave.
    wave: Vec<Vec<Contact>>,
}

impl Detector {
    /// A detector with empty buffers; they grow in the first calls.
    pub fn new() -> Self {
        Self::default()
    }

    /// Pairs of bounding spheres that the last detection compared: its work.
    pub fn compared(&self) -> usize {
        self.broad.looked()
    }

    /// Replaces `contacts` by all contacts with a gap below the margin, sorted by (a, b, feature).
    ///
    /// Of a pair, b is the body that is not movable; if both are movable, a is the one with the lower index.
    pub fn detect(&mut self, geometry: Geometry<'_>, margin: Margin, contacts: &mut Vec<Contact>) {
        self.kept.forget();
        self.pairs.sort(geometry.len(), self.broad.find(geometry, margin));
        self.look_closer(geometry, margin, contacts);
    }

    /// As [`Detector::detect`] with the fixed margin `margin` in m, for many detections of the same bodies that move
    /// little between them: the pairs found once are looked at again as long as they serve. The contacts are the same.
    ///
    /// Between two calls the bodies may move only; where they are others, call [`Detector::forget`].
    pub fn detect_again(&mut self, geometry: Geometry<'_>, margin: f64, contacts: &mut Vec<Contact>) {
        if !self.kept.serves(geometry) {
            let wide = Margin::Fixed(margin + self.kept.remember(geometry));
            self.pairs.sort(geometry.len(), self.broad.find(geometry, wide));
            self.searches += 1;
        }
        self.look_closer(geometry, Margin::Fixed(margin), contacts);
    }

    /// Makes the next [`Detector::detect_again`] look for its pairs anew.
    pub fn forget(&mut self) {
        self.kept.forget();
    }

    /// How often [`Detector::detect_again`] has looked for pairs anew.
    pub fn searches(&self) -> usize {
        self.searches
    }

    /// The narrow phase over all pairs.
    fn look_closer(&mut self, geometry: Geometry<'_>, margin: Margin, contacts: &mut Vec<Contact>) {
        contacts.clear();
        let n = geometry.len();
        if n <= TASK || rayon::current_num_threads() == 1 {
            narrow(geometry, margin, &self.pairs, 0..n, contacts);
            return;
        }
        self.wave.resize_with(WAVE, Vec::new);
        for first in (0..n).step_by(TASK * WAVE) {
            let pairs = &self.pairs;
            self.wave.par_iter_mut().enumerate().with_max_len(1).for_each(|(k, buffer)| {
                buffer.clear();
                let start = (first + k * TASK).min(n);
                narrow(geometry, margin, pairs, start..(start + TASK).min(n), buffer);
            });
            for buffer in &self.wave {
                contacts.extend_from_slice(buffer);
            }
        }
    }
}

/// Appends the contacts of the pairs whose first body lies in `range`.
fn narrow(geometry: Geometry<'_>, margin: Margin, pairs: &Pairs, range: Range<usize>, contacts: &mut Vec<Contact>) {
    for a in range {
        let mut last = None;
        for b in pairs.partners(a) {
            // Across a short period a pair can be found by more than one image.
            if last != Some(*b) {
                pair_contacts(geometry, margin, a as u32, *b, contacts);
            }
            last = Some(*b);
        }
    }
}

/// Appends the contacts of the ordered pair (a, b), sorted by feature.
#[inline]
fn pair_contacts(geometry: Geometry<'_>, margin: Margin, a: u32, b: u32, contacts: &mut Vec<Contact>) {
    let (i, j) = (a as usize, b as usize);
    let (shape_a, shape_b) = (&geometry.shapes[i], &geometry.shapes[j]);
    let margin = margin.of_pair(shape_a.size(), shape_b.size(), geometry.travel[i], geometry.travel[j]);
    let x_a = geometry.positions_w[i];
    let x_b = geometry.positions_w[j] + image_shift(&geometry.periods, &geometry.positions_w[j], &x_a);
    let first = contacts.len();
    let mut sink = Sink::new(contacts, a, b, margin);
    // By far the most frequent pair: without the orientations, and without the dispatch.
    if let (Shape::Sphere { radius: ra }, Shape::Sphere { radius: rb }) = (shape_a, shape_b) {
        sphere_sphere::contact(*ra, &x_a, *rb, &x_b, &mut sink);
        return;
    }
    let pose_a = Pose { position_w: x_a, orientation: geometry.orientations[i] };
    let pose_b = Pose { position_w: x_b, orientation: geometry.orientations[j] };
    let known = collide(shape_a, &pose_a, shape_b, &pose_b, &mut sink);
    debug_assert!(known, "no routine for {} and {}", shape_a.name(), shape_b.name());
    if contacts.len() > first + 1 {
        contacts[first..].sort_unstable_by_key(|contact| contact.feature);
    }
}

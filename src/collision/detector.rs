//! The detector: broad phase, sort, narrow phase.

use crate::collision::Contact;
use crate::collision::Geometry;
use crate::collision::Margin;
use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::collide;

/// Finds the contacts of a geometry. It holds buffers only: what it finds depends on nothing it found before.
#[derive(Debug, Default)]
pub struct Detector {
    /// Candidate pairs, a before b.
    pairs: Vec<(u32, u32)>,
}

impl Detector {
    /// A detector with empty buffers; they grow in the first call.
    pub fn new() -> Self {
        Self::default()
    }

    /// Replaces `contacts` by all contacts with a gap below the margin, sorted by (a, b, feature).
    ///
    /// Of a pair, b is the body that is not movable; if both are movable, a is the one with the lower index.
    pub fn detect(&mut self, geometry: Geometry<'_>, margin: Margin, contacts: &mut Vec<Contact>) {
        contacts.clear();
        self.all_pairs(geometry);
        for &(a, b) in &self.pairs {
            pair_contacts(geometry, margin, a, b, contacts);
        }
    }

    fn all_pairs(&mut self, geometry: Geometry<'_>) {
        self.pairs.clear();
        let n = geometry.len() as u32;
        for a in 0..n {
            if !geometry.movable[a as usize] {
                continue;
            }
            for b in 0..n {
                if b > a || (b < a && !geometry.movable[b as usize]) {
                    self.pairs.push((a, b));
                }
            }
        }
    }
}

/// Appends the contacts of the ordered pair (a, b), sorted by feature.
fn pair_contacts(geometry: Geometry<'_>, margin: Margin, a: u32, b: u32, contacts: &mut Vec<Contact>) {
    let (i, j) = (a as usize, b as usize);
    let (shape_a, shape_b) = (&geometry.shapes[i], &geometry.shapes[j]);
    let margin = margin.of_pair(shape_a.size(), shape_b.size(), geometry.travel[i], geometry.travel[j]);
    let pose = |i: usize| Pose { position_w: geometry.positions_w[i], orientation: geometry.orientations[i] };
    let first = contacts.len();
    let known = collide(shape_a, &pose(i), shape_b, &pose(j), &mut Sink::new(contacts, a, b, margin));
    debug_assert!(known, "no routine for {} and {}", shape_a.name(), shape_b.name());
    contacts[first..].sort_unstable_by_key(|contact| contact.feature);
}

//! Candidate pairs, sorted.

/// Pairs grouped by a, with the partners b of each in order.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    /// Where the partners of each body begin; one more than bodies.
    starts: Vec<u32>,
    partners: Vec<u32>,
}

impl Pairs {
    /// Sorts what was `found` among `bodies` bodies: by a with counters, by b within each group.
    pub(crate) fn sort<'a>(&mut self, bodies: usize, found: impl Iterator<Item = &'a [u64]> + Clone) {
        self.starts.clear();
        self.starts.resize(bodies + 1, 0);
        for pair in found.clone().flatten() {
            self.starts[(pair >> 32) as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        // No need to clear: every place is written.
        self.partners.resize(sum as usize, 0);
        for pair in found.flatten() {
            let place = &mut self.starts[(pair >> 32) as usize];
            self.partners[*place as usize] = *pair as u32;
            *place += 1;
        }
        // Each start has moved to the next one's place.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        for a in 0..bodies {
            let group = self.starts[a] as usize..self.starts[a + 1] as usize;
            sort_few(&mut self.partners[group]);
        }
    }

    /// The partners b of body a, in order.
    #[inline]
    pub(crate) fn partners(&self, a: usize) -> &[u32] {
        &self.partners[self.starts[a] as usize..self.starts[a + 1] as usize]
    }
}

/// Sorts by insertion where there are few, as around all but the largest bodies.
#[inline]
fn sort_few(values: &mut [u32]) {
    if values.len() > 24 {
        values.sort_unstable();
        return;
    }
    for i in 1..values.len() {
        let value = values[i];
        let mut place = i;
        while place > 0 && values[place - 1] > value {
            values[place] = values[place - 1];
            place -= 1;
        }
        values[place] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_out_by_a_then_b_whatever_order_they_were_found_in() {
        let pair = |a: u64, b: u64| a << 32 | b;
        let tasks = [vec![pair(2, 0), pair(0, 3), pair(2, 4)], vec![], vec![pair(0, 1), pair(3, 4), pair(2, 3)]];
        let mut pairs = Pairs::default();
        for _ in 0..2 {
            pairs.sort(5, tasks.iter().map(Vec::as_slice));
            let all: Vec<_> = (0..5).map(|a| pairs.partners(a).to_vec()).collect();
            assert_eq!(all, [vec![1, 3], vec![], vec![0, 3, 4], vec![4], vec![]]);
        }
    }
}

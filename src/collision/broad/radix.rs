//! Sorting by an integer key.

/// Bits a pass sorts by: 2048 counters stay in the nearest cache.
const BITS: u32 = 11;
const BUCKETS: usize = 1 << BITS;

/// Buffers of a stable radix sort from the lowest digit.
#[derive(Debug, Default)]
pub(crate) struct Radix {
    keys: Vec<u64>,
    values: Vec<u32>,
    counts: Vec<u32>,
}

impl Radix {
    /// Sorts `keys`, and `values` with them; equal keys keep their order.
    pub(crate) fn sort(&mut self, keys: &mut Vec<u64>, values: &mut Vec<u32>) {
        let n = keys.len();
        debug_assert!(values.len() == n, "{n} keys, {} values", values.len());
        self.keys.resize(n, 0);
        self.values.resize(n, 0);
        self.counts.resize(BUCKETS, 0);
        let most = keys.iter().copied().max().unwrap_or(0);
        let mut shift = 0;
        while shift < u64::BITS && most >> shift != 0 {
            let digit = |key: u64| (key >> shift) as usize & (BUCKETS - 1);
            self.counts.fill(0);
            for key in keys.iter() {
                self.counts[digit(*key)] += 1;
            }
            let mut sum = 0;
            for count in &mut self.counts {
                sum += std::mem::replace(count, sum);
            }
            for (key, value) in keys.iter().zip(values.iter()) {
                let place = &mut self.counts[digit(*key)];
                self.keys[*place as usize] = *key;
                self.values[*place as usize] = *value;
                *place += 1;
            }
            std::mem::swap(keys, &mut self.keys);
            std::mem::swap(values, &mut self.values);
            shift += BITS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_any_length_come_out_sorted_and_equal_ones_in_their_order() {
        let mut radix = Radix::default();
        for mask in [0, 0xf, 0xfff, 0xff_ffff, u64::MAX] {
            let mut state = 1u64;
            let mut keys: Vec<u64> = (0..3000)
                .map(|_| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    (state ^ state >> 33) & mask
                })
                .collect();
            let mut values: Vec<u32> = (0..3000).collect();
            let mut expected: Vec<_> = keys.iter().copied().zip(values.iter().copied()).collect();
            expected.sort();
            radix.sort(&mut keys, &mut values);
            let sorted: Vec<_> = keys.into_iter().zip(values).collect();
            assert_eq!(sorted, expected, "mask {mask:x}");
        }
    }
}

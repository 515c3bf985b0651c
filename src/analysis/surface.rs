//! The free surface of a bed.

/// Height at which a profile of ascending heights falls through `level` for the last time, seen from below, by linear
/// interpolation; none if it ends at or above the level, or never reaches it.
pub fn topmost_crossing(heights: &[f64], values: &[f64], level: f64) -> Option<f64> {
    let i = values.iter().rposition(|v| *v >= level)?;
    let (low, high) = (*values.get(i)?, *values.get(i + 1)?);
    Some(heights[i] + (low - level) / (low - high) * (heights[i + 1] - heights[i]))
}

/// The highest z in each of `bins` equal bins of x between `from` and `to`: points (middle of the bin, z); bins without a
/// point are left out.
pub fn highest(points: &[[f64; 2]], from: f64, to: f64, bins: usize) -> Vec<[f64; 2]> {
    let mut tops = vec![f64::NEG_INFINITY; bins];
    let width = (to - from) / bins as f64;
    for [x, z] in points {
        let bin = ((x - from) / width).floor();
        if bin >= 0.0 && bin < bins as f64 {
            tops[bin as usize] = tops[bin as usize].max(*z);
        }
    }
    let middle = |bin: usize| from + (bin as f64 + 0.5) * width;
    tops.iter().enumerate().filter(|(_, z)| z.is_finite()).map(|(bin, z)| [middle(bin), *z]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_crossing_counts_and_is_interpolated() {
        let heights = [0.0, 1.0, 2.0, 3.0, 4.0];
        let z = topmost_crossing(&heights, &[0.6, 0.1, 0.6, 0.2, 0.0], 0.3).expect("crosses");
        assert!((z - 2.75).abs() < 1e-12, "{z}");
        assert_eq!(topmost_crossing(&heights, &[0.6; 5], 0.3), None, "no end in sight");
        assert_eq!(topmost_crossing(&heights, &[0.0; 5], 0.3), None, "nothing there");
    }

    #[test]
    fn each_bin_keeps_its_highest_point() {
        let tops = highest(&[[0.1, 1.0], [0.9, 3.0], [0.5, 2.0], [2.5, 5.0], [-1.0, 9.0], [3.0, 9.0]], 0.0, 3.0, 3);
        assert_eq!(tops, [[0.5, 3.0], [2.5, 5.0]]);
    }
}

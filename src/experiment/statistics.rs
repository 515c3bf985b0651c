//! Quantiles and shares with their uncertainty.

/// The quantile `q` of numbers in ascending order, by linear interpolation; NaN if there are none.
pub(in crate::experiment) fn quantile(ascending: &[f64], q: f64) -> f64 {
    let Some(last) = ascending.len().checked_sub(1) else { return f64::NAN };
    let at = q * last as f64;
    let below = (at.floor() as usize).min(last);
    let above = (below + 1).min(last);
    ascending[below] + (at - below as f64) * (ascending[above] - ascending[below])
}

/// The 95 % interval of a share seen in `hits` of `count` trials [Wilson 1927]; NaN without trials.
pub(in crate::experiment) fn wilson(hits: usize, count: usize) -> [f64; 2] {
    // Two-sided 95 % of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    let n = count as f64;
    let p = hits as f64 / n;
    let middle = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    [middle - half, middle + half]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_five_numbers() {
        let numbers = [1.0, 2.0, 3.0, 4.0, 10.0];
        for (q, expected) in [(0.0, 1.0), (0.5, 3.0), (0.875, 7.0), (1.0, 10.0)] {
            let value = quantile(&numbers, q);
            assert!((value - expected).abs() < 1e-14, "{q}: {value} for {expected}");
        }
        assert!(quantile(&[], 0.5).is_nan());
    }

    #[test]
    fn the_interval_of_half_of_a_hundred_is_the_tabled_one() {
        // Wilson score interval for 50 of 100: 0.4038 to 0.5962.
        let [low, high] = wilson(50, 100);
        assert!((low - 0.4038).abs() < 5e-5 && (high - 0.5962).abs() < 5e-5, "{low} to {high}");
        let [low, high] = wilson(0, 100);
        assert!(low.abs() < 1e-15 && (high - 0.0370).abs() < 5e-5, "{low} to {high}");
    }
}

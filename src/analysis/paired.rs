//! Samples over seeds: means with errors, paired differences, many comparisons at once.

use crate::analysis::student;

/// Mean and standard error of a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Number of values.
    pub count: usize,
    /// Mean; NaN without values.
    pub mean: f64,
    /// Standard error of the mean; NaN for fewer than two values.
    pub error: f64,
}

impl Sample {
    /// Mean and error of `values`.
    pub fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let scatter: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let error = if values.len() < 2 { f64::NAN } else { (scatter / (n * (n - 1.0))).sqrt() };
        Self { count: values.len(), mean, error }
    }
}

/// The mean of paired differences and what can be said of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Mean and error of the differences.
    pub sample: Sample,
    /// Ends of its 95 % interval by Student's t.
    pub interval: [f64; 2],
    /// Two-sided probability of a mean as far from zero if there were no difference; 1 where all differences are zero.
    pub p: f64,
}

impl Difference {
    /// The largest magnitude that the 95 % interval does not exclude.
    pub fn largest(&self) -> f64 {
        self.interval[0].abs().max(self.interval[1].abs())
    }
}

/// Differences `a − b` of values that belong together one by one (the same bed under two laws); none for fewer than two
/// pairs, lists of unequal length, or a value that is no number.
pub fn difference(a: &[f64], b: &[f64]) -> Option<Difference> {
    if a.len() != b.len() || a.len() < 2 {
        return None;
    }
    let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    let sample = Sample::of(&differences);
    if !sample.error.is_finite() {
        return None;
    }
    let freedom = sample.count - 1;
    let half = student::quantile(0.05, freedom) * sample.error;
    let p = if sample.mean == 0.0 { 1.0 } else { student::two_sided(sample.mean / sample.error, freedom) };
    Some(Difference { sample, interval: [sample.mean - half, sample.mean + half], p })
}

/// Probabilities of many comparisons corrected so that the chance of one false verdict among them all stays below the level
/// [Holm 1979]: sorted ascending, the k-th of m is multiplied with m − k + 1 and not below the one before.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|i, j| p[*i].total_cmp(&p[*j]));
    let mut corrected = vec![0.0; p.len()];
    let mut before: f64 = 0.0;
    for (k, &i) in order.iter().enumerate() {
        before = before.max((p[i] * (p.len() - k) as f64).min(1.0));
        corrected[i] = before;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_of_three_is_worked_out_by_hand() {
        let sample = Sample::of(&[1.0, 2.0, 6.0]);
        // Scatter 4 + 1 + 9 = 14, error √(14/6).
        assert!((sample.mean - 3.0).abs() < 1e-15 && (sample.error - (14.0_f64 / 6.0).sqrt()).abs() < 1e-15);
        assert!(Sample::of(&[]).mean.is_nan() && Sample::of(&[1.0]).error.is_nan());
    }

    #[test]
    fn pairing_takes_out_what_the_seeds_share() {
        // Beds differ by far more than the laws do: unpaired nothing would be seen.
        let bed = [10.0, 30.0, 20.0, 50.0];
        let a: Vec<f64> = bed.iter().zip([1.0, 1.1, 0.9, 1.0]).map(|(x, d)| x + d).collect();
        let seen = difference(&a, &bed).expect("pairs");
        // Differences 1, 1.1, 0.9, 1: error √(0.02/12), t(3; 5 %) = 3.1824.
        let error = (0.02_f64 / 12.0).sqrt();
        assert!((seen.sample.mean - 1.0).abs() < 1e-12 && (seen.sample.error - error).abs() < 1e-12, "{seen:?}");
        assert!((seen.interval[0] - (1.0 - 3.1824 * error)).abs() < 1e-5, "{seen:?}");
        assert!((seen.largest() - (1.0 + 3.1824 * error)).abs() < 1e-5);
        assert!(seen.p < 1e-3 && seen.p > 1e-5, "{seen:?}");
    }

    #[test]
    fn equal_lists_differ_by_nothing_and_broken_ones_are_not_compared() {
        let same = difference(&[1.0, 2.0], &[1.0, 2.0]).expect("pairs");
        assert!((same.p - 1.0).abs() < 1e-15 && same.largest().abs() < 1e-15);
        assert!(difference(&[1.0], &[1.0]).is_none() && difference(&[1.0, 2.0], &[1.0]).is_none());
        assert!(difference(&[1.0, f64::NAN], &[1.0, 2.0]).is_none());
    }

    #[test]
    fn holm_multiplies_the_smallest_most_and_never_turns_the_order() {
        let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (seen, expected) in corrected.into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((seen - expected).abs() < 1e-12, "{seen} for {expected}");
        }
        assert!(holm(&[0.9, 0.8]).iter().all(|p| *p <= 1.0) && holm(&[]).is_empty());
    }
}

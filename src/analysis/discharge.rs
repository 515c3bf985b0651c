//! Rate of discharge from how much has passed.

/// A rate with its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// The mean rate.
    pub value: f64,
    /// Standard error from the scatter of the blocks.
    pub error: f64,
}

/// Blocks of time into which a series is cut.
const BLOCKS: usize = 8;

/// The rate of a growing quantity `passed` at ascending `times`, between `from` and `to` of its last value (shares, such as
/// 0.1 and 0.9: the beginning is unsteady and the end starves). The error is that of the mean over 8 blocks of equal time,
/// taken as independent. None if the window has too few rows, or nothing passes.
pub fn rate(times: &[f64], passed: &[f64], from: f64, to: f64) -> Option<Rate> {
    let last = *passed.last()?;
    let start = passed.iter().position(|p| *p >= from * last)?;
    let end = passed.iter().position(|p| *p >= to * last)?;
    if last <= 0.0 || end < start + BLOCKS {
        return None;
    }
    let (t0, span) = (times[start], times[end] - times[start]);
    let at = |time: f64| {
        let i = times.partition_point(|t| *t < time).clamp(start + 1, end);
        let s = (time - times[i - 1]) / (times[i] - times[i - 1]);
        passed[i - 1] + s * (passed[i] - passed[i - 1])
    };
    let edge = |k: usize| at(t0 + span * k as f64 / BLOCKS as f64);
    let rates: Vec<f64> = (0..BLOCKS).map(|k| (edge(k + 1) - edge(k)) * BLOCKS as f64 / span).collect();
    let value = rates.iter().sum::<f64>() / BLOCKS as f64;
    let scatter: f64 = rates.iter().map(|r| (r - value).powi(2)).sum();
    Some(Rate { value, error: (scatter / (BLOCKS * (BLOCKS - 1)) as f64).sqrt() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_steady_flow_with_a_slow_start_and_end_has_its_middle_rate() {
        // 3 a second between t = 1 and 11, slower before and after.
        let times: Vec<f64> = (0..=1200).map(|k| 0.01 * f64::from(k)).collect();
        let passed: Vec<f64> = times
            .iter()
            .map(|t| 3.0 * (t.clamp(1.0, 11.0) - 1.0) + 0.1 * t.min(1.0) + 0.1 * (t - 11.0).max(0.0))
            .collect();
        let rate = rate(&times, &passed, 0.1, 0.9).expect("a flow");
        assert!((rate.value - 3.0).abs() < 1e-9 && rate.error < 1e-9, "{rate:?}");
    }

    #[test]
    fn a_rate_that_alternates_between_blocks_has_the_error_of_their_scatter() {
        // 4 and 2 in turn in eight blocks of 1 s: mean 3, error √(8/(8·7)).
        let times: Vec<f64> = (0..=800).map(|k| 0.01 * f64::from(k)).collect();
        let passed: Vec<f64> = times
            .iter()
            .map(|t| {
                let pairs = (t / 2.0).floor();
                let rest = t - 2.0 * pairs;
                6.0 * pairs + 4.0 * rest.min(1.0) + 2.0 * (rest - 1.0).max(0.0)
            })
            .collect();
        let rate = rate(&times, &passed, 0.0, 1.0).expect("a flow");
        assert!((rate.value - 3.0).abs() < 1e-9 && (rate.error - (1.0_f64 / 7.0).sqrt()).abs() < 1e-9, "{rate:?}");
    }

    #[test]
    fn no_flow_has_no_rate() {
        assert!(rate(&[0.0, 1.0], &[0.0, 0.0], 0.1, 0.9).is_none());
        assert!(rate(&[], &[], 0.1, 0.9).is_none());
    }
}

//! Bisection: where a condition that holds at first ends.

/// Halves `low … high`, at whose lower end `below` holds and at whose upper end it does not, `halvings` times, and gives
/// the middle of what is left.
pub fn bisect(mut low: f64, mut high: f64, halvings: u32, below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..halvings {
        let middle = 0.5 * (low + high);
        if below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_condition_is_found_to_round_off() {
        let root = bisect(1.0, 2.0, 60, |x| x * x < 2.0);
        assert!((root - std::f64::consts::SQRT_2).abs() <= f64::EPSILON, "{root}");
    }
}

//! Straight lines and power laws by least squares, with the errors of their coefficients.

/// y = intercept + slope x by least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Value at x = 0.
    pub intercept: f64,
    /// Slope.
    pub slope: f64,
    /// Standard error of the intercept.
    pub intercept_error: f64,
    /// Standard error of the slope.
    pub slope_error: f64,
    /// Number of points.
    pub points: usize,
}

/// The straight line through points (x, y); none for fewer than three points or a single x. Errors are those of
/// independent scatter in y, from the residuals.
pub fn line(points: &[[f64; 2]]) -> Option<Line> {
    let n = points.len();
    if n < 3 {
        return None;
    }
    let count = n as f64;
    let mean = |k: usize| points.iter().map(|p| p[k]).sum::<f64>() / count;
    let (x, y) = (mean(0), mean(1));
    let xx: f64 = points.iter().map(|p| (p[0] - x).powi(2)).sum();
    let xy: f64 = points.iter().map(|p| (p[0] - x) * (p[1] - y)).sum();
    // A NaN makes no line.
    if !(xx > 0.0 && xy.is_finite()) {
        return None;
    }
    let slope = xy / xx;
    let intercept = y - slope * x;
    let off: f64 = points.iter().map(|p| (p[1] - intercept - slope * p[0]).powi(2)).sum();
    let variance = off / (count - 2.0);
    Some(Line {
        intercept,
        slope,
        intercept_error: (variance * (1.0 / count + x * x / xx)).sqrt(),
        slope_error: (variance / xx).sqrt(),
        points: n,
    })
}

/// y = C xⁿ by a straight line through the logarithms: `slope` is n, `intercept` is ln C. Points that are not positive are
/// left out.
pub fn power_law(points: &[[f64; 2]]) -> Option<Line> {
    let logs: Vec<_> = points.iter().filter(|p| p[0] > 0.0 && p[1] > 0.0).map(|p| [p[0].ln(), p[1].ln()]).collect();
    line(&logs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_known_scatter_has_the_errors_worked_out_by_hand() {
        // y = x with residuals +1, −2, +1 on x = −1, 0, 1: slope 1, variance 6/1, slope error √(6/2), intercept √(6/3).
        let line = line(&[[-1.0, 0.0], [0.0, -2.0], [1.0, 2.0]]).expect("a line");
        let off =
            [line.slope - 1.0, line.intercept, line.slope_error - 3f64.sqrt(), line.intercept_error - 2f64.sqrt()];
        assert!(off.iter().all(|x| x.abs() < 1e-14), "{line:?}");
    }

    #[test]
    fn an_exact_power_law_is_found_without_error() {
        let points: Vec<_> = (1..6).map(|k| [f64::from(k), 3.0 * f64::from(k).powf(2.5)]).collect();
        let law = power_law(&points).expect("a law");
        assert!((law.slope - 2.5).abs() < 1e-12 && (law.intercept.exp() - 3.0).abs() < 1e-12, "{law:?}");
        assert!(law.slope_error < 1e-12);
    }

    #[test]
    fn too_few_points_make_no_line() {
        assert!(line(&[[0.0, 1.0], [1.0, 2.0]]).is_none());
        assert!(line(&[[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]]).is_none());
        assert!(power_law(&[[-1.0, 1.0], [1.0, 1.0], [2.0, 2.0]]).is_none());
    }
}

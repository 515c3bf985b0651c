//! Angle of repose.

use crate::analysis::fit;

/// An angle with its error, in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angle {
    /// The angle: of the surface to the level, positive where it rises with x.
    pub degrees: f64,
    /// Standard error from the scatter about the line.
    pub error: f64,
}

/// The angle of the straight line through points (x, z) of a surface; none for fewer than three.
///
/// ```text
/// θ = atan s,   δθ = δs/(1 + s²)
/// ```
pub fn angle_of_repose(surface: &[[f64; 2]]) -> Option<Angle> {
    let line = fit::line(surface)?;
    let error = line.slope_error / (1.0 + line.slope * line.slope);
    Some(Angle { degrees: line.slope.atan().to_degrees(), error: error.to_degrees() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_of_thirty_degrees_with_even_scatter_is_seen_with_its_error() {
        // Scatter ±h in turn about the slope: nearly no influence on it, and an error of h/√Σ(x − x̄)² (n/(n − 2))^½.
        let (slope, h, n) = (30f64.to_radians().tan(), 0.01, 40);
        let points: Vec<_> = (0..n)
            .map(|k| {
                let x = 0.1 * f64::from(k);
                [x, slope * x + if k % 2 == 0 { h } else { -h }]
            })
            .collect();
        let angle = angle_of_repose(&points).expect("a surface");
        let spread: f64 = (0..n).map(|k| (0.1 * (f64::from(k) - 19.5)).powi(2)).sum();
        let expected = (h * (40.0_f64 / 38.0).sqrt() / spread.sqrt() / (1.0 + slope * slope)).to_degrees();
        assert!((angle.degrees - 30.0).abs() < 2.0 * expected, "{angle:?}");
        // Second order in the share of the scatter that the slope takes.
        assert!((angle.error - expected).abs() < 0.01 * expected, "{angle:?} for {expected}");
    }
}

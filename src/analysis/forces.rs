//! Distribution of contact forces.

/// Probability density P(f) of forces by their mean, f = F/⟨F⟩, in `bins` equal bins from 0 to `largest`: points (middle of
/// the bin, density). Forces that are not positive are left out and do not count for the mean; those above `largest` count
/// for mean and norm. Empty without a force.
pub fn force_distribution(forces: &[f64], largest: f64, bins: usize) -> Vec<[f64; 2]> {
    let pushing: Vec<f64> = forces.iter().copied().filter(|f| *f > 0.0).collect();
    if pushing.is_empty() || bins == 0 {
        return Vec::new();
    }
    let n = pushing.len() as f64;
    let mean = pushing.iter().sum::<f64>() / n;
    let width = largest / bins as f64;
    let mut count = vec![0_usize; bins];
    for f in &pushing {
        if let Some(bin) = count.get_mut((f / mean / width) as usize) {
            *bin += 1;
        }
    }
    count.iter().enumerate().map(|(k, c)| [(k as f64 + 0.5) * width, *c as f64 / (n * width)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_forces_have_the_density_exp_of_minus_f() {
        // Quantiles of the exponential distribution, 7 N in the mean, and a few that do not push.
        let n = 100_000;
        let forces: Vec<f64> =
            (0..n).map(|k| -7.0 * (1.0 - (f64::from(k) + 0.5) / f64::from(n)).ln()).chain([0.0, -1.0]).collect();
        let density = force_distribution(&forces, 5.0, 50);
        for [f, p] in density {
            // A bin of width w averages to e^−f (1 + w²/24); n quantiles in bins round to 1/(n w).
            assert!((p - (-f).exp()).abs() < 1e-3 * (-f).exp() + 2.0 / f64::from(n) / 0.1, "P({f}) = {p}");
        }
    }

    #[test]
    fn what_lies_beyond_the_last_bin_still_counts_for_the_norm() {
        // Forces 1, 1, 1, 9: mean 3; three in [0, 1), one at 3.
        let density = force_distribution(&[1.0, 1.0, 1.0, 9.0], 2.0, 2);
        assert!((density[0][1] - 0.75).abs() < 1e-12 && density[1][1].abs() < 1e-12, "{density:?}");
        assert!(force_distribution(&[0.0], 1.0, 4).is_empty());
    }
}

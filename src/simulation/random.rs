//! Random numbers of fills and inlets: the same seed gives the same particles.

use crate::math::Quat;
use crate::math::Vec3;
use crate::scene::Size;
use nalgebra::Quaternion;
use rand::Rng;
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;

/// A stream of random numbers.
pub(in crate::simulation) struct Random {
    generator: Pcg64Mcg,
}

impl Random {
    /// The stream number `stream` of a seed: sizes, places and velocities each have their own, so that one more try for
    /// a place changes no size.
    pub(in crate::simulation) fn new(seed: u64, stream: u64) -> Self {
        // Multiplied by an odd constant: neighbouring seeds and streams stay apart.
        Self { generator: Pcg64Mcg::seed_from_u64(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(stream)) }
    }

    /// Uniform in [0, 1): 53 bits.
    pub(in crate::simulation) fn unit(&mut self) -> f64 {
        (self.generator.next_u64() >> 11) as f64 * (0.5_f64).powi(53)
    }

    /// Uniform in [low, high).
    pub(in crate::simulation) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform in the box between two corners.
    pub(in crate::simulation) fn point(&mut self, low: &Vec3, high: &Vec3) -> Vec3 {
        Vec3::new(self.between(low.x, high.x), self.between(low.y, high.y), self.between(low.z, high.z))
    }

    /// Normal with mean 0 and standard deviation 1, by Marsaglia's polar method.
    pub(in crate::simulation) fn normal(&mut self) -> f64 {
        loop {
            let (u, v) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                return u * (-2.0 * s.ln() / s).sqrt();
            }
        }
    }

    /// Uniform over all orientations: a point on the unit sphere in four dimensions, by rejection.
    pub(in crate::simulation) fn orientation(&mut self) -> Quat {
        loop {
            let q = Quaternion::new(
                self.between(-1.0, 1.0),
                self.between(-1.0, 1.0),
                self.between(-1.0, 1.0),
                self.between(-1.0, 1.0),
            );
            let norm = q.norm();
            // Near the origin the direction loses digits.
            if norm <= 1.0 && norm > 0.01 {
                return Quat::new_normalize(q);
            }
        }
    }

    /// A size of the distribution.
    pub(in crate::simulation) fn size(&mut self, size: &Size) -> f64 {
        let (min, max) = size.bounds();
        let within = |value: f64| (min..=max).contains(&value).then_some(value);
        match size {
            Size::Constant { value } => *value,
            Size::Uniform { min, max } => self.between(*min, *max),
            // The middle lies between the bounds, which parsing checks: at least some draws do too.
            Size::Normal { mean, deviation, .. } => loop {
                if let Some(value) = within(mean + deviation * self.normal()) {
                    break value;
                }
            },
            Size::LogNormal { median, sigma, .. } => loop {
                if let Some(value) = within(median * (sigma * self.normal()).exp()) {
                    break value;
                }
            },
            Size::Listed { values, weights } => {
                let mut left = self.unit() * weights.iter().sum::<f64>();
                let mut chosen = values[0];
                for (value, weight) in values.iter().zip(weights) {
                    if *weight > 0.0 {
                        chosen = *value;
                        left -= weight;
                        if left < 0.0 {
                            break;
                        }
                    }
                }
                chosen
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWS: usize = 20_000;

    fn moments(size: &Size) -> (f64, f64) {
        let mut random = Random::new(7, 0);
        let draws: Vec<f64> = (0..DRAWS).map(|_| random.size(size)).collect();
        let (low, high) = size.bounds();
        assert!(draws.iter().all(|draw| (low..=high).contains(draw)), "{size:?} leaves its bounds");
        let mean = draws.iter().sum::<f64>() / DRAWS as f64;
        let variance = draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / DRAWS as f64;
        (mean, variance.sqrt())
    }

    #[test]
    fn sizes_have_the_mean_and_the_deviation_that_are_asked_for() {
        // Five standard errors of a mean over the draws, for deviations up to 0.3.
        let tolerance = 5.0 * 0.3 / (DRAWS as f64).sqrt();
        let close = |measured: f64, expected: f64| (measured - expected).abs() < tolerance;
        let (mean, deviation) = moments(&Size::Uniform { min: 0.5, max: 1.5 });
        assert!(close(mean, 1.0) && close(deviation, 1.0 / 12.0_f64.sqrt()), "uniform: {mean} ± {deviation}");
        let normal = Size::Normal { mean: 1.0, deviation: 0.2, min: 0.0, max: 2.0 };
        let (mean, deviation) = moments(&normal);
        assert!(close(mean, 1.0) && close(deviation, 0.2), "normal: {mean} ± {deviation}");
        let (mean, _) = moments(&Size::LogNormal { median: 1.0, sigma: 0.2, min: 0.1, max: 10.0 });
        assert!(close(mean, (0.02_f64).exp()), "log-normal: {mean}");
        let (mean, _) = moments(&Size::Listed { values: vec![1.0, 2.0, 9.0], weights: vec![3.0, 1.0, 0.0] });
        assert!(close(mean, 1.25), "listed: {mean}");
    }

    #[test]
    fn orientations_have_no_preferred_direction() {
        let mut random = Random::new(3, 1);
        let mean = (0..DRAWS).map(|_| random.orientation() * Vec3::z()).sum::<Vec3>() / DRAWS as f64;
        // Five standard errors: each component of a random unit vector has the deviation 1/√3.
        let tolerance = 5.0 / (3.0 * DRAWS as f64).sqrt();
        assert!(mean.amax() < tolerance, "mean direction {mean}");
    }
}

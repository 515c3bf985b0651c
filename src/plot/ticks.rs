//! Where an axis has ticks and what is written at them.

use crate::figure::Scale;
use crate::figure::power_of_ten;

/// Ticks of one axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ticks {
    /// Values with a long tick, and their labels.
    pub(super) major: Vec<(f64, String)>,
    /// Values with a short tick.
    pub(super) minor: Vec<f64>,
    /// Power of ten taken out of the labels, to be said in the axis label; 0 if none.
    pub(super) exponent: i32,
}

/// Ticks for an axis from `low` to `high` with at most `most` labels, at least two where the scale allows.
///
/// Angles in degrees get steps that divide a right angle.
pub(super) fn ticks(scale: Scale, degrees: bool, [low, high]: [f64; 2], most: usize) -> Ticks {
    match scale {
        Scale::Linear if degrees && high - low >= 45.0 => angular(low, high, most),
        Scale::Linear => linear(low, high, most),
        Scale::Log => log(low, high, most),
    }
}

/// Integer multiples of `step` within [low, high], with room for round-off at the ends.
fn multiples(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    const SLACK: f64 = 1e-9;
    let (first, last) = ((low / step - SLACK).ceil() as i64, (high / step + SLACK).floor() as i64);
    (first..=last).map(move |k| k as f64 * step)
}

fn linear(low: f64, high: f64, most: usize) -> Ticks {
    // The smallest of 1, 2, 5 times a power of ten that gives few enough labels.
    let decade = 10f64.powi(((high - low) / most as f64).log10().floor() as i32);
    let (step, parts) = [(1.0, 5), (2.0, 4), (5.0, 5), (10.0, 5), (20.0, 4)]
        .into_iter()
        .map(|(factor, parts)| (factor * decade, parts))
        .find(|(step, _)| multiples(low, high, *step).count() <= most)
        .unwrap_or((50.0 * decade, 5));
    let largest = low.abs().max(high.abs());
    let power = largest.log10().floor() as i32;
    let exponent = if (-2..4).contains(&power) { 0 } else { power };
    let unit = 10f64.powi(exponent);
    let decimals = (-(step / unit * (1.0 + 1e-9)).log10().floor()).max(0.0) as usize;
    let label = |value: f64| {
        let text = format!("{:.decimals$}", value / unit);
        // A minus sign, not a hyphen; and no minus before zero.
        match text.strip_prefix('-') {
            Some(digits) if digits.chars().any(|c| c.is_ascii_digit() && c != '0') => format!("−{digits}"),
            Some(digits) => digits.into(),
            None => text,
        }
    };
    Ticks {
        major: multiples(low, high, step).map(|value| (value, label(value))).collect(),
        minor: multiples(low, high, step / f64::from(parts)).collect(),
        exponent,
    }
}

fn angular(low: f64, high: f64, most: usize) -> Ticks {
    let steps = [(15.0, 3), (30.0, 3), (45.0, 3), (90.0, 6), (180.0, 4), (360.0, 4)];
    let fits = |step: f64| multiples(low, high, step).count() <= most;
    let (step, parts) = steps.into_iter().find(|(step, _)| fits(*step)).unwrap_or((720.0, 4));
    let label = |value: f64| format!("{value:.0}").replace('-', "−");
    Ticks {
        major: multiples(low, high, step).map(|value| (value, label(value))).collect(),
        minor: multiples(low, high, step / f64::from(parts)).collect(),
        exponent: 0,
    }
}

fn log(low: f64, high: f64, most: usize) -> Ticks {
    let (first, last) = (low.log10(), high.log10());
    let mantissas = |range: &[f64]| -> Vec<f64> {
        let decades = first.floor() as i32..=last.ceil() as i32;
        let all = decades.flat_map(|k| range.iter().map(move |m| m * 10f64.powi(k)));
        all.filter(|v| *v >= low * (1.0 - 1e-9) && *v <= high * (1.0 + 1e-9)).collect()
    };
    let decades: Vec<f64> = multiples(first, last, 1.0).collect();
    if decades.len() >= 3 {
        let step = decades.len().div_ceil(most.max(2)).max(1) as f64;
        let major = multiples(first, last, step).map(|k| (10f64.powi(k as i32), power_of_ten(k as i32))).collect();
        let minor = if step > 1.0 {
            decades.into_iter().map(|k| 10f64.powi(k as i32)).collect()
        } else {
            mantissas(&[2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
        };
        return Ticks { major, minor, exponent: 0 };
    }
    let all: [&[f64]; 3] = [&[1.0, 2.0, 3.0, 5.0, 7.0], &[1.0, 2.0, 5.0], &[1.0, 3.0]];
    let chosen = all.into_iter().map(&mantissas).find(|values| values.len() <= most);
    let major = chosen.unwrap_or_else(|| mantissas(&[1.0])).into_iter().map(|v| (v, scientific(v))).collect();
    Ticks { major, minor: mantissas(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]), exponent: 0 }
}

/// A value of one digit times a power of ten.
fn scientific(value: f64) -> String {
    let k = (value * (1.0 + 1e-9)).log10().floor() as i32;
    if (-2..4).contains(&k) {
        let decimals = (-k).max(0) as usize;
        return format!("{value:.decimals$}");
    }
    let mantissa = (value / 10f64.powi(k)).round();
    if mantissa > 1.0 { format!("{mantissa}·{}", power_of_ten(k)) } else { power_of_ten(k) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, low: f64, high: f64, most: usize) -> Vec<String> {
        ticks(scale, false, [low, high], most).major.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn linear_labels_are_round_and_have_a_true_minus() {
        assert_eq!(labels(Scale::Linear, -1.0, 1.0, 5), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(Scale::Linear, 0.0, 90.0, 5), ["0", "20", "40", "60", "80"]);
        assert_eq!(labels(Scale::Linear, 0.03, 0.17, 4), ["0.05", "0.10", "0.15"]);
    }

    #[test]
    fn angles_are_labelled_by_parts_of_a_right_angle() {
        let labels = |low, high| {
            let ticks = ticks(Scale::Linear, true, [low, high], 7);
            ticks.major.into_iter().map(|(_, label)| label).collect::<Vec<_>>()
        };
        assert_eq!(labels(0.0, 180.0), ["0", "30", "60", "90", "120", "150", "180"]);
        assert_eq!(labels(-180.0, 180.0), ["−180", "−90", "0", "90", "180"]);
    }

    #[test]
    fn small_numbers_give_their_power_of_ten_to_the_axis() {
        let ticks = ticks(Scale::Linear, false, [0.0, 3.1e-5], 4);
        assert_eq!(ticks.exponent, -5);
        assert_eq!(ticks.major.iter().map(|t| t.1.as_str()).collect::<Vec<_>>(), ["0", "1", "2", "3"]);
    }

    #[test]
    fn log_labels_are_powers_of_ten_and_never_too_many() {
        assert_eq!(labels(Scale::Log, 1e-3, 10.0, 6), ["10⁻³", "10⁻²", "10⁻¹", "1", "10"]);
        assert!(labels(Scale::Log, 1e-16, 1e4, 5).len() <= 5);
        assert_eq!(labels(Scale::Log, 0.9, 6.0, 4), ["1", "2", "3", "5"]);
    }
}

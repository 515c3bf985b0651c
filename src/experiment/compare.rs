//! Laws side by side: means over seeds, paired differences on the same beds, verdicts that hold for all together.

use crate::analysis::Difference;
use crate::analysis::Sample;
use crate::analysis::difference;
use crate::analysis::holm;
use crate::error::Result;
use crate::figure::Axis;
use crate::figure::Dash;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Stroke;
use crate::figure::Table;
use crate::figure::law_stroke;
use crate::figure::percent;
use crate::figure::rounded;
use crate::law::Law;

/// The laws of the main comparison.
pub(in crate::experiment) const LAWS: [Law; 3] = [Law::MaxDissipation, Law::TwoStage, Law::Coulomb];
/// Pairs of laws of which the differences are taken, first minus second.
const PAIRS: [(Law, Law); 3] =
    [(Law::MaxDissipation, Law::Coulomb), (Law::MaxDissipation, Law::TwoStage), (Law::TwoStage, Law::Coulomb)];
/// Chance of one false verdict among all of a table.
const LEVEL: f64 = 0.05;

/// Results of runs: grain, law, friction, seed, what is varied, and what was measured.
#[derive(Clone, Debug)]
pub(in crate::experiment) struct Row {
    pub(in crate::experiment) grain: &'static str,
    pub(in crate::experiment) law: Law,
    pub(in crate::experiment) mu: f64,
    pub(in crate::experiment) seed: u64,
    pub(in crate::experiment) at: f64,
    pub(in crate::experiment) values: Vec<f64>,
}

/// Rows as a table; `at` names what is varied, `columns` what was measured, with units.
pub(in crate::experiment) fn table(rows: &[Row], at: (&str, &str), columns: &[(&str, &str)]) -> Table {
    let number = |f: &dyn Fn(&Row) -> f64| rows.iter().map(f).collect::<Vec<_>>();
    let table = Table::new()
        .with_words("grain", rows.iter().map(|row| row.grain))
        .with_words("law", rows.iter().map(|row| row.law.name()))
        .with_numbers("mu", "1", number(&|row| row.mu))
        .with_numbers("seed", "1", number(&|row| row.seed as f64))
        .with_numbers(at.0, at.1, number(&|row| row.at));
    columns
        .iter()
        .enumerate()
        .fold(table, |table, (k, (name, unit))| table.with_numbers(name, unit, number(&|row| row.values[k])))
}

/// One point of the design.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::experiment) struct Point {
    pub(in crate::experiment) grain: String,
    pub(in crate::experiment) mu: f64,
    pub(in crate::experiment) at: f64,
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
}

/// The points of a table, in the order of the rows.
pub(in crate::experiment) fn points(runs: &Table, at: &str) -> Result<Vec<Point>> {
    let (grain, mu, at) = (runs.words("grain")?, runs.numbers("mu")?, runs.numbers(at)?);
    let mut points: Vec<Point> = Vec::new();
    for row in 0..runs.rows() {
        let point = Point { grain: grain[row].clone(), mu: mu[row], at: at[row] };
        if !points.contains(&point) {
            points.push(point);
        }
    }
    Ok(points)
}

/// The values of a quantity at a point under a law, in the order of the rows (the seeds).
pub(in crate::experiment) fn values(
    runs: &Table,
    at: &str,
    point: &Point,
    law: Law,
    quantity: &str,
) -> Result<Vec<f64>> {
    let (grain, laws, mu) = (runs.words("grain")?, runs.words("law")?, runs.numbers("mu")?);
    let (at, quantity) = (runs.numbers(at)?, runs.numbers(quantity)?);
    let of = |row: &usize| {
        grain[*row] == point.grain && laws[*row] == law.name() && same(mu[*row], point.mu) && same(at[*row], point.at)
    };
    Ok((0..runs.rows()).filter(of).map(|row| quantity[row]).collect())
}

/// Paired differences of all quantities at all points, with their 95 % intervals and Holm's correction over the table.
pub(in crate::experiment) fn differences(runs: &Table, at: (&str, &str), quantities: &[&str]) -> Result<Table> {
    let mut words: [Vec<String>; 4] = Default::default();
    let mut numbers: [Vec<f64>; 9] = Default::default();
    for quantity in quantities {
        for point in points(runs, at.0)? {
            for (law, against) in PAIRS {
                let (a, b) =
                    (values(runs, at.0, &point, law, quantity)?, values(runs, at.0, &point, against, quantity)?);
                let Some(Difference { sample, interval, p }) = difference(&a, &b) else { continue };
                let row = [*quantity, &point.grain, law.name(), against.name()];
                words.iter_mut().zip(row).for_each(|(column, word)| column.push(word.into()));
                let mean = Sample::of(&b).mean;
                let row = [
                    point.mu,
                    point.at,
                    sample.count as f64,
                    mean,
                    sample.mean,
                    sample.error,
                    interval[0],
                    interval[1],
                    p,
                ];
                numbers.iter_mut().zip(row).for_each(|(column, number)| column.push(number));
            }
        }
    }
    let corrected = holm(&numbers[8]);
    let verdict = corrected.iter().map(|p| if *p < LEVEL { "differs" } else { "no difference found" });
    let verdict: Vec<&str> = verdict.collect();
    let [quantity, grain, law, against] = words;
    let table = Table::new()
        .with_words("quantity", quantity)
        .with_words("grain", grain)
        .with_words("law", law)
        .with_words("against", against);
    let names = ["mu", at.0, "pairs", "mean_against", "difference", "error", "low", "high", "p"];
    let table = names.into_iter().zip(numbers).fold(table, |t, (name, column)| {
        let unit = if name == at.0 { at.1 } else { "1" };
        t.with_numbers(name, unit, column)
    });
    Ok(table.with_numbers("p_holm", "1", corrected).with_words("verdict", verdict))
}

/// What the differences of one quantity and grain say, in a sentence; empty without any.
pub(in crate::experiment) fn verdict(table: &Table, quantity: &str, grain: &str) -> Result<String> {
    let (quantities, grains) = (table.words("quantity")?, table.words("grain")?);
    let (laws, against) = (table.words("law")?, table.words("against")?);
    let (mean, off) = (table.numbers("mean_against")?, table.numbers("difference")?);
    let (low, high) = (table.numbers("low")?, table.numbers("high")?);
    let verdicts = table.words("verdict")?;
    let mut parts = Vec::new();
    for (law, other) in PAIRS {
        let rows: Vec<usize> = (0..table.rows())
            .filter(|&r| quantities[r] == quantity && grains[r] == grain)
            .filter(|&r| laws[r] == law.name() && against[r] == other.name())
            .collect();
        if rows.is_empty() {
            continue;
        }
        let differs = rows.iter().filter(|&&r| verdicts[r] == "differs").count();
        let largest = rows.iter().map(|&r| (low[r].abs().max(high[r].abs()) / mean[r].abs(), r));
        let (bound, _) = largest.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((f64::NAN, 0));
        let average = rows.iter().map(|&r| off[r] / mean[r].abs()).sum::<f64>() / rows.len() as f64;
        parts.push(format!(
            "`{law}` against `{other}` {} of {} differ (mean {}, differences above {} excluded)",
            differs,
            rows.len(),
            percent(average, 2),
            percent(bound, 2)
        ));
    }
    Ok(parts.join("; "))
}

/// Mean over seeds against what is varied, a line a law and friction, for one grain; bars are standard errors.
pub(in crate::experiment) fn mean_panel(
    runs: &Table,
    at: &str,
    grain: &str,
    quantity: &str,
    x: Axis,
    y: Axis,
) -> Result<Panel> {
    let mut panel = Panel::new(format!("{grain}s"), x, y);
    let mut frictions: Vec<f64> = Vec::new();
    for point in points(runs, at)?.iter().filter(|point| point.grain == grain) {
        if !frictions.iter().any(|mu| same(*mu, point.mu)) {
            frictions.push(point.mu);
        }
    }
    for law in Law::RUN {
        for (k, mu) in frictions.iter().enumerate() {
            let (mut line, mut bars) = (Vec::new(), Vec::new());
            for point in points(runs, at)?.iter().filter(|point| point.grain == grain && same(point.mu, *mu)) {
                let sample = Sample::of(&values(runs, at, point, law, quantity)?);
                if sample.mean.is_finite() {
                    line.push([point.at, sample.mean]);
                    if sample.error.is_finite() {
                        bars.push([point.at, sample.mean - sample.error, sample.mean + sample.error]);
                    }
                }
            }
            if line.is_empty() {
                continue;
            }
            line.sort_by(|a, b| a[0].total_cmp(&b[0]));
            // The lower friction is drawn with thinner lines.
            let stroke = law_stroke(law).with_width(if k == 0 { 0.2 } else { 0.4 });
            let name = if k + 1 == frictions.len() { law.name() } else { "" };
            panel = panel.with(Layer::ErrorBars { bars, stroke }).with(Layer::marked(line, stroke, name));
        }
    }
    Ok(panel)
}

/// Differences of one quantity to `coulomb` by its mean, in per cent with 95 % intervals, at the points of one grain.
pub(in crate::experiment) fn difference_panel(
    table: &Table,
    at: &str,
    grain: &str,
    quantity: &str,
    x: Axis,
) -> Result<Panel> {
    let zero = Layer::Horizontal { at: 0.0, stroke: Stroke::guide(Dash::Solid), name: String::new() };
    let mut panel = Panel::new(format!("{grain}s"), x, Axis::linear("difference to coulomb", "%")).with(zero);
    let (quantities, grains) = (table.words("quantity")?, table.words("grain")?);
    let (laws, against) = (table.words("law")?, table.words("against")?);
    let (mean, off, place) = (table.numbers("mean_against")?, table.numbers("difference")?, table.numbers(at)?);
    let (low, high, mu) = (table.numbers("low")?, table.numbers("high")?, table.numbers("mu")?);
    let span =
        place.iter().copied().fold(f64::NEG_INFINITY, f64::max) - place.iter().copied().fold(f64::INFINITY, f64::min);
    let aside = if span > 0.0 { 0.02 * span } else { 0.02 * place.first().copied().unwrap_or(1.0).abs() };
    let mut texts: Vec<f64> = Vec::new();
    for (k, law) in [Law::MaxDissipation, Law::TwoStage].into_iter().enumerate() {
        let (mut bars, mut marks) = (Vec::new(), Vec::new());
        for r in 0..table.rows() {
            let fits = quantities[r] == quantity && grains[r] == grain && laws[r] == law.name();
            if !fits || against[r] != Law::Coulomb.name() {
                continue;
            }
            // Laws and frictions side by side: the higher friction to the right.
            let lower = mu.iter().any(|other| *other > mu[r]);
            let side = if lower { -1.0 } else { 1.0 };
            let x = place[r] + aside * (side + 0.6 * (k as f64 - 0.5));
            let share = 100.0 / mean[r].abs();
            bars.push([x, low[r] * share, high[r] * share]);
            marks.push([x, off[r] * share]);
            texts.push(mu[r]);
        }
        let stroke = law_stroke(law).with_dash(Dash::Solid);
        panel = panel.with(Layer::ErrorBars { bars, stroke }).with(Layer::points(marks, stroke, 1.8, ""));
    }
    texts.sort_by(f64::total_cmp);
    texts.dedup_by(|a, b| same(*a, *b));
    if let [only] = texts[..] {
        panel.title = format!("{grain}s, μ = {}", rounded(only, 1));
    }
    Ok(panel)
}

/// What the loss of effective friction would do, beside what is found: for one grain and quantity, the slope of the quantity
/// in μ under `coulomb` (from the lowest to the highest μ) times μ(η − 1) at the highest, by the mean; and the difference
/// found. Both in shares of the mean; none without two frictions.
pub(in crate::experiment) fn explained(
    runs: &Table,
    at: &str,
    grain: &str,
    quantity: &str,
) -> Result<Vec<(f64, f64, f64)>> {
    let all = points(runs, at)?;
    let of_grain: Vec<&Point> = all.iter().filter(|point| point.grain == grain).collect();
    let mut found = Vec::new();
    for high in &of_grain {
        let lower = of_grain.iter().filter(|p| same(p.at, high.at) && p.mu < high.mu);
        let Some(low) = lower.min_by(|a, b| a.mu.total_cmp(&b.mu)) else { continue };
        let mean = |point: &Point, law: Law, what: &str| -> Result<f64> {
            Ok(Sample::of(&values(runs, at, point, law, what)?).mean)
        };
        let coulomb = mean(high, Law::Coulomb, quantity)?;
        let slope = (coulomb - mean(low, Law::Coulomb, quantity)?) / (high.mu - low.mu);
        let eta = mean(high, Law::MaxDissipation, "effective_friction_over_mu_by_work")?;
        let expected = slope * high.mu * (eta - 1.0) / coulomb.abs();
        let seen = (mean(high, Law::MaxDissipation, quantity)? - coulomb) / coulomb.abs();
        if expected.is_finite() && seen.is_finite() {
            found.push((high.at, expected, seen));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs() -> Table {
        let mut rows = Vec::new();
        for seed in 1..=5_u64 {
            let bed = (seed as f64 * 12.9).sin();
            let noise = 0.001 * (seed as f64 * 78.2).sin();
            for (law, shift) in [(Law::MaxDissipation, 0.1), (Law::TwoStage, 0.0), (Law::Coulomb, 0.0)] {
                let x = 10.0 + bed + shift + if law == Law::TwoStage { noise } else { 0.3 * noise };
                rows.push(Row { grain: "capsule", law, mu: 0.3, seed, at: 1.0, values: vec![x] });
            }
        }
        table(&rows, ("aspect", "1"), &[("reach", "m")])
    }

    #[test]
    fn a_shift_that_all_beds_share_is_seen_and_one_of_zero_is_bounded() {
        let table = differences(&runs(), ("aspect", "1"), &["reach"]).expect("columns");
        assert_eq!(table.rows(), 3);
        let verdicts = table.words("verdict").expect("kept");
        assert_eq!(verdicts, ["differs", "differs", "no difference found"]);
        let off = table.numbers("difference").expect("kept");
        assert!((off[0] - 0.1).abs() < 1e-12 && (off[1] - 0.1).abs() < 1e-3, "{off:?}");
        let corrected = table.numbers("p_holm").expect("kept");
        assert!(corrected.iter().zip(table.numbers("p").expect("kept")).all(|(c, p)| c >= p));
        let said = verdict(&table, "reach", "capsule").expect("columns");
        assert!(said.contains("`max-dissipation` against `coulomb` 1 of 1 differ"), "{said}");
        assert!(said.contains("`two-stage` against `coulomb` 0 of 1 differ"), "{said}");
    }

    #[test]
    fn a_missing_run_leaves_its_comparison_out() {
        let text = runs().to_csv();
        let shorter: String =
            text.lines().filter(|line| !line.starts_with("capsule,coulomb,0.3,5")).map(|l| format!("{l}\n")).collect();
        let table =
            differences(&Table::from_csv(&shorter).expect("CSV"), ("aspect", "1"), &["reach"]).expect("columns");
        assert_eq!(table.rows(), 1, "only max-dissipation against two-stage is left");
    }
}

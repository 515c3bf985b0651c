//! `dissipation-gap`: by how much Coulomb friction dissipates less than the maximum, over random pairs of bodies.

use crate::error::Result;
use crate::experiment::Experiment;
use crate::experiment::Kept;
use crate::experiment::Preset;
use crate::experiment::Tables;
use crate::experiment::body;
use crate::experiment::page::Presentation;
use crate::experiment::setup;
use crate::experiment::setup::OURS;
use crate::experiment::setup::PAPER;
use crate::experiment::setup::Setup;
use crate::experiment::statistics;
use crate::figure::Axis;
use crate::figure::Dash;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Stroke;
use crate::figure::Table;
use crate::figure::percent;
use crate::figure::rounded;
use crate::figure::series_stroke;
use crate::law::ContactBlock;
use crate::law::ContactState;
use crate::law::Law;
use crate::law::random::ContactSampler;
use crate::law::random::Ensemble;
use rayon::prelude::IntoParallelIterator;
use rayon::prelude::ParallelIterator;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "dissipation-gap",
    question: "By how much does friction that opposes the slip after the impact dissipate less than the friction cone \
               allows, over random pairs of bodies?",
    simulate,
    present,
};

/// Seed of the first chunk of the first ensemble.
const SEED: u64 = 1_000;
/// Contacts of one chunk: each chunk has its own seed, so that the threads that share them do not matter.
const CHUNK: usize = 1_000;
/// Laws whose dissipation is held against the maximum.
const LAWS: [Law; 2] = [Law::Coulomb, Law::Incremental];
/// Ends of the bins of ‖e‖; the last is open.
const BINS: [f64; 14] = [0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5];
/// A gap below this share is round-off: energies are good to about 1e-15 of the terms that cancel in them.
const ROUND_OFF: f64 = 1e-12;

/// One slipping contact: ‖e‖ and the relative gap of each of the laws.
type Row = (f64, [f64; 2]);

/// The contacts of a chunk that slide under maximum dissipation, and how many there were.
fn chunk(ensemble: Ensemble, seed: u64) -> Vec<Row> {
    let mut sampler = ContactSampler::new(ensemble, seed);
    let mut rows = Vec::new();
    for _ in 0..CHUNK {
        let contact = sampler.sample();
        let best = body::solve(Law::MaxDissipation, &contact.a, &contact.b, contact.mu);
        if best.state != ContactState::Sliding {
            continue;
        }
        let least = body::energy(&contact.a, &contact.b, &best.impulse);
        let gap = |law: Law| {
            let other = body::solve(law, &contact.a, &contact.b, contact.mu);
            (body::energy(&contact.a, &contact.b, &other.impulse) - least) / least.abs()
        };
        rows.push((ContactBlock::new(&contact.a, contact.mu).eccentricity().norm(), LAWS.map(gap)));
    }
    rows
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn simulate(preset: Preset, _: &Kept) -> Result<Tables> {
    let chunks = match preset {
        Preset::Quick => 4,
        Preset::Full => 200,
    };
    let mut words: [Vec<&str>; 2] = Default::default();
    let mut summary: [Vec<f64>; 7] = Default::default();
    let mut bin_words: [Vec<&str>; 2] = Default::default();
    let mut bins: [Vec<f64>; 6] = Default::default();
    let mut level_words: [Vec<&str>; 2] = Default::default();
    let mut levels: [Vec<f64>; 2] = Default::default();
    let mut sample: (Vec<&str>, Vec<f64>, Vec<f64>) = Default::default();
    for (k, ensemble) in Ensemble::ALL.into_iter().enumerate() {
        let first = SEED * (k as u64 + 1);
        let rows: Vec<Row> = (0..chunks)
            .into_par_iter()
            .map(|c| chunk(ensemble, first + c))
            .collect::<Vec<_>>()
            .into_iter()
            .flatten()
            .collect();
        for (l, law) in LAWS.into_iter().enumerate() {
            let gaps = sorted(rows.iter().map(|row| row.1[l]).collect());
            words.iter_mut().zip([ensemble.name(), law.name()]).for_each(|(column, word)| column.push(word));
            let q = |q| statistics::quantile(&gaps, q);
            let total = chunks as f64 * CHUNK as f64;
            let row = [total, rows.len() as f64, q(0.5), q(0.95), q(0.99), q(1.0), q(0.0)];
            summary.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            for (bin, low) in BINS.into_iter().enumerate() {
                let high = BINS.get(bin + 1).copied().unwrap_or(f64::INFINITY);
                let inside = |row: &&Row| row.0 >= low && row.0 < high;
                let gaps = sorted(rows.iter().filter(inside).map(|row| row.1[l]).collect());
                if gaps.is_empty() {
                    continue;
                }
                bin_words.iter_mut().zip([ensemble.name(), law.name()]).for_each(|(column, word)| column.push(word));
                let q = |q| statistics::quantile(&gaps, q);
                let row = [low, high, gaps.len() as f64, q(0.5), q(0.95), q(1.0)];
                bins.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            }
            for step in 0..=100 {
                level_words.iter_mut().zip([ensemble.name(), law.name()]).for_each(|(column, word)| column.push(word));
                levels[0].push(f64::from(step) / 100.0);
                levels[1].push(q(f64::from(step) / 100.0));
            }
        }
        // A few hundred points are enough to be looked at.
        for row in rows.iter().take(400) {
            sample.0.push(ensemble.name());
            sample.1.push(row.0);
            sample.2.push(row.1[0]);
        }
    }
    let [ensemble, law] = words;
    let [contacts, sliding, median, p95, p99, largest, smallest] = summary;
    let summary = Table::new()
        .with_words("ensemble", ensemble)
        .with_words("law", law)
        .with_numbers("contacts", "1", contacts)
        .with_numbers("sliding", "1", sliding)
        .with_numbers("gap_median", "1", median)
        .with_numbers("gap_95", "1", p95)
        .with_numbers("gap_99", "1", p99)
        .with_numbers("gap_largest", "1", largest)
        .with_numbers("gap_smallest", "1", smallest);
    let [ensemble, law] = bin_words;
    let [low, high, count, median, p95, largest] = bins;
    let by_eccentricity = Table::new()
        .with_words("ensemble", ensemble)
        .with_words("law", law)
        .with_numbers("from", "1", low)
        .with_numbers("to", "1", high)
        .with_numbers("sliding", "1", count)
        .with_numbers("gap_median", "1", median)
        .with_numbers("gap_95", "1", p95)
        .with_numbers("gap_largest", "1", largest);
    let [ensemble, law] = level_words;
    let [share, gap] = levels;
    let distribution = Table::new()
        .with_words("ensemble", ensemble)
        .with_words("law", law)
        .with_numbers("share", "1", share)
        .with_numbers("gap", "1", gap);
    let sample = Table::new()
        .with_words("ensemble", sample.0)
        .with_numbers("eccentricity", "1", sample.1)
        .with_numbers("gap_coulomb", "1", sample.2);
    let setup = Setup::new(preset)
        .with("that friction opposing the slip does not maximise dissipation", "section 2", "", PAPER)
        .with("random pairs of each ensemble", chunks as usize * CHUNK, "", OURS)
        .with("ensemble spheres", "uniform, radius and density log-uniform in 0.5 … 2", "m, kg/m³", OURS)
        .with(
            "ensemble ellipsoids",
            "uniform, aspect log-uniform in 2 … 30, normal uniform in the body frame",
            "",
            OURS,
        )
        .with(
            "ensemble boxes",
            "uniform, aspect log-uniform in 2 … 30, a vertex of one on a face of the other",
            "",
            OURS,
        )
        .with(
            "ensemble generic",
            "any inertia, mass log-uniform in 0.1 … 10, radii of gyration in 0.1 … 1, lever arms in 0 … 1",
            "kg, m",
            OURS,
        )
        .with(
            "ensemble extreme-masses",
            "any inertia, mass log-uniform in 1e-6 … 1e6, lever arms log-uniform in 1e-3 … 10",
            "kg, m",
            OURS,
        )
        .with("coefficient of friction", "uniform in 0 … 1.5", "", OURS)
        .with("velocity before", "closing, 1 m/s, uniform on the half sphere", "", OURS)
        .with("seed", SEED, "", OURS);
    Ok(Tables::new()
        .with("setup", setup.table())
        .with("summary", summary)
        .with("by-eccentricity", by_eccentricity)
        .with("distribution", distribution)
        .with("sample", sample))
}

fn present(tables: &Tables) -> Result<Presentation> {
    let (summary, bins) = (tables.get("summary")?, tables.get("by-eccentricity")?);
    let (distribution, sample) = (tables.get("distribution")?, tables.get("sample")?);
    let (ensembles, laws) = (bins.words("ensemble")?, bins.words("law")?);
    let (low, high) = (bins.numbers("from")?, bins.numbers("to")?);
    let middle = |k: usize| if high[k].is_finite() { 0.5 * (low[k] + high[k]) } else { low[k] + 0.15 };
    let in_bin = bins.numbers("sliding")?;
    // A 95th percentile of fewer contacts than that says nothing.
    let drawn = |r: usize| in_bin[r] >= 40.0;
    let gap_axis = || Axis::log("gap of dissipation", "").from_to(1e-8, 1.0);
    let e_axis = || Axis::linear("eccentricity ‖e‖", "").from_to(0.0, 1.7);
    let eccentric = [Ensemble::Ellipsoids, Ensemble::Boxes, Ensemble::Generic, Ensemble::ExtremeMasses];
    let mut median = Panel::new("coulomb, median by ‖e‖", e_axis(), gap_axis());
    let mut high_end = Panel::new("coulomb, 95th percentile by ‖e‖", e_axis(), gap_axis());
    let mut spread = Panel::new(
        "coulomb, distribution",
        Axis::linear("share of sliding contacts", "").from_to(0.0, 1.0),
        gap_axis(),
    );
    for (k, ensemble) in eccentric.into_iter().enumerate() {
        let rows: Vec<usize> = (0..bins.rows())
            .filter(|&r| drawn(r) && ensembles[r] == ensemble.name() && laws[r] == Law::Coulomb.name())
            .collect();
        let (mid, p95) = (bins.numbers("gap_median")?, bins.numbers("gap_95")?);
        median = median.with(Layer::marked(
            rows.iter().map(|&r| [middle(r), mid[r]]).collect(),
            series_stroke(k),
            ensemble.name(),
        ));
        high_end =
            high_end.with(Layer::marked(rows.iter().map(|&r| [middle(r), p95[r]]).collect(), series_stroke(k), ""));
        let (of, law) = (distribution.words("ensemble")?, distribution.words("law")?);
        let line =
            distribution.points("share", "gap", |r| of[r] == ensemble.name() && law[r] == Law::Coulomb.name())?;
        spread = spread.with(Layer::line(line, series_stroke(k), ""));
    }
    let of = sample.words("ensemble")?;
    let mut cloud = Panel::new("coulomb, single contacts", e_axis(), gap_axis());
    for (k, ensemble) in eccentric.into_iter().enumerate().take(3) {
        let points = sample.points("eccentricity", "gap_coulomb", |r| of[r] == ensemble.name())?;
        cloud = cloud.with(Layer::points(points, series_stroke(k), 0.7, ""));
    }
    let guide = Stroke::guide(Dash::Dashed);
    let cloud = cloud.with(Layer::Vertical { at: 1.0, stroke: guide, name: "Painlevé condition ‖e‖ = 1".into() });
    let figure = Figure::page(2, 50.0, vec![cloud, median, high_end, spread]);
    let names = summary.words("ensemble")?;
    let of_law = summary.words("law")?;
    let at = |column: &str, ensemble: Ensemble, law: Law| -> Result<f64> {
        let row = (0..summary.rows()).find(|&r| names[r] == ensemble.name() && of_law[r] == law.name());
        Ok(row.map_or(f64::NAN, |r| summary.numbers(column).map_or(f64::NAN, |c| c[r])))
    };
    let mut sentences = Vec::new();
    for ensemble in eccentric {
        sentences.push(format!(
            "{} {} in the median, {} at the 95th percentile, {} at most",
            ensemble.name(),
            percent(at("gap_median", ensemble, Law::Coulomb)?, 2),
            percent(at("gap_95", ensemble, Law::Coulomb)?, 2),
            percent(at("gap_largest", ensemble, Law::Coulomb)?, 2)
        ));
    }
    let medians = bins.numbers("gap_median")?;
    let growth: Vec<String> = [0.0, 0.2, 0.5, 0.9]
        .into_iter()
        .filter_map(|from| {
            (0..bins.rows()).find(|&r| {
                ensembles[r] == Ensemble::Boxes.name() && laws[r] == Law::Coulomb.name() && (low[r] - from).abs() < 1e-9
            })
        })
        .map(|r| format!("{} at ‖e‖ from {} to {}", percent(medians[r], 2), low[r], high[r]))
        .collect();
    let spheres = at("gap_largest", Ensemble::Spheres, Law::Coulomb)?
        .abs()
        .max(at("gap_smallest", Ensemble::Spheres, Law::Coulomb)?.abs());
    let smallest = summary.numbers("gap_smallest")?.iter().fold(f64::INFINITY, |a, b| a.min(*b));
    let below = if smallest >= -ROUND_OFF {
        format!(
            "In no contact does another law dissipate more than `max-dissipation` (the most negative gap is {}, round-off).",
            rounded(smallest, 2)
        )
    } else {
        format!("In some contact another law dissipates more, by a share of {}.", rounded(-smallest, 2))
    };
    let finding = format!(
        "Of the sliding contacts, `coulomb` dissipates less than the maximum by: {}. For spheres (e = 0) the largest \
         difference is {}. The gap grows with the eccentricity: for boxes its median is {}. {below}",
        sentences.join("; "),
        rounded(spheres, 2),
        growth.join(", ")
    );
    let contacts = setup::value(tables.get("setup")?, "random pairs of each ensemble")?;
    Ok(Presentation {
        method: format!(
            "{contacts} contacts of each ensemble. The gap is (E − E*)/|E*|, with E the change of kinetic energy under the law \
             and E* under `max-dissipation`, over the contacts that slide under `max-dissipation` (those that stick are the \
             same under both). Contacts with several Coulomb solutions take the most dissipative.\n\n{}",
            setup::markdown(summary, 3)
        ),
        finding,
        falsified_by: format!(
            "A contact in which another law on the plane of maximum compression dissipates more than `max-dissipation` by more \
             than {} of its energy; a gap for spheres."
        , rounded(ROUND_OFF, 1)),
        ..Presentation::default()
    }
    .with_drawing(
        "dissipation-gap",
        "Relative gap of dissipation of `coulomb` to the maximum. (a) The first sliding contacts of three ensembles; (b) median and \
         (c) 95th percentile in bins of eccentricity; (d) gap that the given share of sliding contacts stays below.",
        figure,
    )
    .with_claim(
        "Impulsive friction that opposes the slip after the impact does not dissipate as much as the friction cone allows in \
         general (section 2)",
        format!("gap of `coulomb`: {}", sentences.join("; ")),
    )
    .with_claim(
        "The coupling of normal and tangential reactions makes the difference (sections 1, 2): where there is none, as for \
         spheres, both models agree",
        format!(
            "largest difference for spheres, in {contacts} contacts of which {} slide: {}",
            at("sliding", Ensemble::Spheres, Law::Coulomb)?,
            rounded(spheres, 2)
        ),
    ))
}

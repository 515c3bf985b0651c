//! What `stiffness-limit` shows: figures and sentences from its tables.

use crate::analysis::Difference;
use crate::analysis::Sample;
use crate::analysis::difference;
use crate::error::Result;
use crate::experiment::page::Presentation;
use crate::experiment::stiffness_limit::REFERENCES;
use crate::experiment::stiffness_limit::RESTITUTION;
use crate::figure::Axis;
use crate::figure::Dash;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Stroke;
use crate::figure::Table;
use crate::figure::law_stroke;
use crate::figure::percent;
use crate::figure::rounded;
use crate::figure::series_stroke;
use crate::law::Law;

/// The runs of one kind.
struct Runs<'a> {
    table: &'a Table,
    laws: &'a [String],
    stiffness: &'a [f64],
    restitution: &'a [f64],
}

/// Rows of one model over the seeds.
#[derive(Clone, Copy)]
struct Which {
    law: Law,
    stiffness: f64,
    restitution: f64,
}

fn same(x: f64, y: f64) -> bool {
    (x - y).abs() <= 1e-9 * y.abs()
}

impl<'a> Runs<'a> {
    fn of(table: &'a Table) -> Result<Self> {
        let (laws, stiffness) = (table.words("law")?, table.numbers("stiffness")?);
        Ok(Self { table, laws, stiffness, restitution: table.numbers("restitution")? })
    }

    /// The values of a column over the seeds.
    fn values(&self, which: Which, column: &str) -> Result<Vec<f64>> {
        let values = self.table.numbers(column)?;
        let of = |r: &usize| {
            self.laws[*r] == which.law.name()
                && (which.law != Law::Penalty
                    || same(self.stiffness[*r], which.stiffness) && same(self.restitution[*r], which.restitution))
        };
        Ok((0..values.len()).filter(of).map(|r| values[r]).collect())
    }

    fn impulse(&self, law: Law, column: &str) -> Result<Vec<f64>> {
        self.values(Which { law, stiffness: 0.0, restitution: 0.0 }, column)
    }

    /// Mean and error over the seeds against the stiffness.
    fn curve(&self, restitution: f64, column: &str) -> Result<Vec<(f64, Sample)>> {
        let curve = self.levels().into_iter().map(|stiffness| {
            let which = Which { law: Law::Penalty, stiffness, restitution };
            Ok((stiffness, Sample::of(&self.values(which, column)?)))
        });
        Ok(curve.collect::<Result<Vec<_>>>()?.into_iter().filter(|(_, sample)| sample.count > 0).collect())
    }

    /// Differences to an impulse law on the same beds against the stiffness.
    fn differences(&self, restitution: f64, law: Law, column: &str) -> Result<Vec<(f64, Difference)>> {
        let reference = self.impulse(law, column)?;
        let mut all = Vec::new();
        for stiffness in self.levels() {
            let values = self.values(Which { law: Law::Penalty, stiffness, restitution }, column)?;
            all.extend(difference(&values, &reference).map(|difference| (stiffness, difference)));
        }
        Ok(all)
    }

    fn levels(&self) -> Vec<f64> {
        let mut levels: Vec<f64> = self.stiffness.iter().copied().filter(|k| k.is_finite()).collect();
        levels.sort_by(f64::total_cmp);
        levels.dedup();
        levels
    }
}

fn points(curve: &[(f64, Sample)]) -> Vec<[f64; 2]> {
    curve.iter().map(|(k, sample)| [*k, sample.mean]).collect()
}

/// The power with which a curve goes from its first to its last point.
fn slope(curve: &[(f64, Sample)]) -> f64 {
    let ((from, first), (to, last)) = (curve[0], curve[curve.len() - 1]);
    (last.mean / first.mean).ln() / (to / from).ln()
}

fn k() -> Axis {
    Axis::log("stiffness k", "N/m")
}

/// Means of a column against the stiffness, one curve for each restitution, with lines at the impulse laws.
fn means(runs: &Runs<'_>, column: &str, y: Axis, power: Option<(f64, &str)>, references: bool) -> Result<Panel> {
    let mut panel = Panel::new("", k(), y);
    if references {
        for law in REFERENCES {
            let mean = Sample::of(&runs.impulse(law, column)?).mean;
            panel = panel.with(Layer::Horizontal { at: mean, stroke: law_stroke(law), name: law.name().into() });
        }
    }
    for (i, restitution) in RESTITUTION.into_iter().enumerate() {
        let curve = runs.curve(restitution, column)?;
        let (Some(first), Some(_)) = (curve.first(), curve.get(1)) else { continue };
        if let (0, Some((power, name))) = (i, power) {
            let guide = curve.iter().map(|(k, _)| [*k, first.1.mean * (k / first.0).powf(power)]).collect();
            panel = panel.with(Layer::line(guide, Stroke::guide(Dash::Solid), name));
        }
        let bars =
            curve.iter().filter(|(_, s)| s.error.is_finite()).map(|(k, s)| [*k, s.mean - s.error, s.mean + s.error]);
        panel = panel.with(Layer::ErrorBars { bars: bars.collect(), stroke: look(i) }).with(Layer::marked(
            points(&curve),
            look(i),
            format!("penalty, e = {restitution}"),
        ));
    }
    Ok(panel)
}

/// The look of a restitution.
fn look(i: usize) -> Stroke {
    if i == 0 { law_stroke(Law::Penalty) } else { series_stroke(3) }
}

/// Paired differences of a column to `coulomb` against the stiffness, with 95 % intervals, and those of the impulse laws.
fn departures(runs: &Runs<'_>, column: &str, label: &str) -> Result<Panel> {
    let mut panel = Panel::new("", k(), Axis::linear(label, ""));
    panel = panel.with(Layer::Horizontal { at: 0.0, stroke: law_stroke(Law::Coulomb), name: String::new() });
    let laws = difference(&runs.impulse(Law::MaxDissipation, column)?, &runs.impulse(Law::Coulomb, column)?);
    if let Some(laws) = laws {
        let stroke = law_stroke(Law::MaxDissipation);
        panel = panel.with(Layer::Horizontal { at: laws.sample.mean, stroke, name: String::new() });
    }
    for (i, restitution) in RESTITUTION.into_iter().enumerate() {
        let all = runs.differences(restitution, Law::Coulomb, column)?;
        // Side by side, so that the bars of both are seen.
        let at = |k: f64| k * if i == 0 { 0.9 } else { 1.1 };
        let bars = all.iter().map(|(k, d)| [at(*k), d.interval[0], d.interval[1]]).collect();
        let line: Vec<[f64; 2]> = all.iter().map(|(k, d)| [at(*k), d.sample.mean]).collect();
        if !line.is_empty() {
            panel = panel.with(Layer::ErrorBars { bars, stroke: look(i) }).with(Layer::marked(
                line,
                look(i),
                String::new(),
            ));
        }
    }
    Ok(panel)
}

/// A sentence on the pile at the softest and the stiffest spring.
fn pile_finding(pile: &Runs<'_>) -> Result<String> {
    let e = RESTITUTION[0];
    let overlap = pile.curve(e, "mean_overlap")?;
    let cost = pile.curve(e, "contact_evaluations_a_second")?;
    let sweeps = Sample::of(&pile.impulse(Law::Coulomb, "contact_evaluations_a_second")?).mean;
    let far = pile.curve(e, "distance_from_coulomb")?;
    let speed = pile.curve(e, "final_speed")?;
    let between = Sample::of(&pile.impulse(Law::MaxDissipation, "distance_from_coulomb")?).mean;
    let last = overlap.len() - 1;
    Ok(format!(
        "Pile, from k = {} to {} N/m: the mean overlap falls from {} to {} of d (k^{}; the largest as k^{}: \
         the stiffer, the more it is one of small impacts that still ring), the force evaluations of contacts rise \
         from {} to {} a simulated second (k^{}; `coulomb` solves {} contacts a second), and the grains end {} d from those under \
         `coulomb` at the softest and {} d at the stiffest, where the two impulse laws end {} d apart; creep and settling leave {} and {} √(g d) \
         of speed.",
        rounded(overlap[0].0, 1),
        rounded(overlap[last].0, 1),
        percent(overlap[0].1.mean, 2),
        percent(overlap[last].1.mean, 2),
        rounded(slope(&overlap), 2),
        rounded(slope(&pile.curve(e, "largest_overlap")?), 2),
        rounded(cost[0].1.mean, 2),
        rounded(cost[last].1.mean, 2),
        rounded(slope(&cost), 2),
        rounded(sweeps, 2),
        rounded(far[0].1.mean, 2),
        rounded(far[last].1.mean, 2),
        rounded(between, 2),
        rounded(speed[0].1.mean, 1),
        rounded(speed[last].1.mean, 1),
    ))
}

/// A sentence on what is left between the stiffest spring and the impulse laws in the flow.
fn flow_finding(flow: &Runs<'_>) -> Result<String> {
    let mut parts = Vec::new();
    for (restitution, laws) in [(RESTITUTION[0], &REFERENCES[..]), (RESTITUTION[1], &[Law::Coulomb])] {
        for (column, what) in [("spread", "spread"), ("largest_kinetic_energy", "largest kinetic energy")] {
            for &law in laws {
                let mean = Sample::of(&flow.impulse(law, column)?).mean;
                if let Some((_, d)) = flow.differences(restitution, law, column)?.last() {
                    parts.push(format!(
                        "{what}, e = {restitution}: {} ({} to {}) of that under `{law}`",
                        percent(d.sample.mean / mean, 2),
                        percent(d.interval[0] / mean, 2),
                        percent(d.interval[1] / mean, 2)
                    ));
                }
            }
        }
    }
    let cost = flow.curve(RESTITUTION[0], "contact_evaluations_a_second")?;
    Ok(format!(
        "Flow: what is left at k = {} N/m of a difference in the mean over the beds (95 % interval): {}. The cost goes as k^{}.",
        rounded(cost.last().map_or(f64::NAN, |(k, _)| *k), 1),
        parts.join("; "),
        rounded(slope(&cost), 2)
    ))
}

/// Everything from both tables.
pub(in crate::experiment) fn present(pile: &Table, flow: &Table) -> Result<Presentation> {
    let (pile, flow) = (Runs::of(pile)?, Runs::of(flow)?);
    let overlap = || Axis::log("largest overlap / d", "");
    let cost = || Axis::log("contact evaluations", "1/s");
    let rest = vec![
        means(&pile, "mean_overlap", Axis::log("mean overlap / d", ""), Some((-1.0, "∝ 1/k")), false)?,
        means(&pile, "contact_evaluations_a_second", cost(), Some((0.5, "∝ √k")), true)?,
        distances(&pile)?,
        means(&pile, "final_speed", Axis::log("speed at the end / √(g d)", ""), None, false)?,
    ];
    let moving = vec![
        means(&flow, "largest_overlap", overlap(), Some((-0.5, "∝ 1/√k")), false)?,
        means(&flow, "contact_evaluations_a_second", cost(), Some((0.5, "∝ √k")), true)?,
        departures(&flow, "spread", "spread − coulomb's, in d")?,
        departures(&flow, "largest_kinetic_energy", "largest T − coulomb's, in M g d")?,
    ];
    Ok(Presentation {
        method: "A bed is poured under `coulomb` for each seed, then widened by the little that its deepest overlap needs, so that \
                 every law begins with open contacts and no force; the same bed is the start of all. The pile stays in its tube, \
                 the flow is the column without it. The cost is counted, not timed: sub-steps times contacts under `penalty`, \
                 sweeps times contacts under the impulse laws, for a simulated second; one evaluation of a force is cheaper than \
                 one solve of a contact. The largest overlap is that of the second half of a run, the mean that of its end. The spread is the radius that holds 0.8 of \
                 the volume. Single paths of a flow diverge, so means over the beds are compared, paired. Under `penalty` a pile \
                 creeps at v_reg F_t/(μ Fₙ), and where a sub-step bounds the friction at a speed that falls as 1/√k."
            .into(),
        finding: format!("{} {}", pile_finding(&pile)?, flow_finding(&flow)?),
        falsified_by: "A mean overlap of the pile that does not fall about as 1/k, a cost that does not rise as √k, a pile that ends farther from \
                       the impulse laws the stiffer it is, or a flow of inelastic grains whose means stay off all impulse laws."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "stiffness-pile",
        "The pile at rest under `penalty` (mean over the beds, bars: standard error). (a) Mean overlap of touching contacts at the end; (b) force evaluations of \
         contacts for a simulated second, and contact solves of the impulse laws; (c) distance of the grains (root mean \
         square) from those under two impulse laws (e of the first kind), and of these from each other; (d) speed at the end \
         (root mean square).",
        Figure::page(2, 46.0, rest),
    )
    .with_drawing(
        "stiffness-flow",
        "The column that falls apart under `penalty`. (a) Largest overlap; (b) cost as in the pile; (c), (d) paired differences of \
         the spread and of the largest kinetic energy to `coulomb` with 95 % intervals; the level lines are `coulomb` (zero) and \
         `max-dissipation`.",
        Figure::page(2, 46.0, moving),
    ))
}

/// Distances of the pile from the impulse laws, at the first restitution.
fn distances(pile: &Runs<'_>) -> Result<Panel> {
    let mut panel = Panel::new("", k(), Axis::log("distance of the grains / d", ""));
    for law in REFERENCES {
        let column = format!("distance_from_{}", law.name().replace('-', "_"));
        let curve = pile.curve(RESTITUTION[0], &column)?;
        panel = panel.with(Layer::marked(points(&curve), law_stroke(law), format!("penalty from {law}")));
    }
    let between = Sample::of(&pile.impulse(Law::MaxDissipation, "distance_from_coulomb")?).mean;
    let stroke = Stroke::guide(Dash::Dashed);
    Ok(panel.with(Layer::Horizontal { at: between, stroke, name: "impulse laws from each other".into() }))
}

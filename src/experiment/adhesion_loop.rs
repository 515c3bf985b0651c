//! `adhesion-loop`: force against overlap over load, unload and reload of the Edinburgh adhesive elasto-plastic model.

use crate::error::Result;
use crate::experiment::Experiment;
use crate::experiment::Kept;
use crate::experiment::Preset;
use crate::experiment::Tables;
use crate::experiment::page::Presentation;
use crate::experiment::setup::OURS;
use crate::experiment::setup::Setup;
use crate::figure::Axis;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Table;
use crate::figure::percent;
use crate::figure::rounded;
use crate::figure::series_stroke;
use crate::law::penalty::History;
use crate::law::penalty::NormalForce;
use crate::law::penalty::normal::signed_power;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "adhesion-loop",
    question: "Which way does the force of the adhesive elasto-plastic contact take over loading, unloading and reloading, \
               and what work does a loop take?",
    simulate,
    present,
};

/// Constant pull-off force in N.
const PULL_OFF: f64 = 2.0;
/// Overlaps in m at which the path turns: loaded, unloaded onto the adhesion branch, reloaded deeper, let go.
const TURNS: [f64; 5] = [0.0, 1e-3, 1.5e-4, 1.4e-3, 0.0];
/// Plasticity ratio, exponent, stiffness in N/mⁿ, adhesion coefficient in N/mⁿ; the adhesion exponent is the same.
const CASES: [(f64, f64, f64, f64); 4] =
    [(0.3, 1.0, 1e5, 3e4), (0.7, 1.0, 1e5, 3e4), (0.3, 1.5, 3e6, 9e5), (0.7, 1.5, 3e6, 9e5)];

fn law((plasticity_ratio, exponent, stiffness, adhesion): (f64, f64, f64, f64)) -> NormalForce {
    NormalForce {
        stiffness,
        exponent,
        pull_off: PULL_OFF,
        plasticity_ratio,
        adhesion,
        adhesion_exponent: exponent,
        ..NormalForce::default()
    }
}

/// The branch that the force is on: by the conditions of the law, in its order.
fn branch(law: &NormalForce, d: f64, plastic_overlap: f64) -> &'static str {
    let power = signed_power(d, law.exponent);
    let unloading = law.unloading_stiffness() * (power - signed_power(plastic_overlap, law.exponent));
    if d <= 0.0 {
        "none"
    } else if unloading >= law.stiffness * power * (1.0 - 1e-12) {
        "loading"
    } else if unloading > -law.adhesion * signed_power(d, law.adhesion_exponent) {
        "unloading"
    } else {
        "adhesion"
    }
}

fn simulate(preset: Preset, _: &Kept) -> Result<Tables> {
    let points: u32 = match preset {
        Preset::Quick => 100,
        Preset::Full => 400,
    };
    let mut words: [Vec<String>; 2] = Default::default();
    let mut numbers: [Vec<f64>; 4] = Default::default();
    for parameters in CASES {
        let law = law(parameters);
        let mut history = History { gap: 1.0, ..History::default() };
        for turn in TURNS.windows(2) {
            for i in 0..points {
                let d = turn[0] + (turn[1] - turn[0]) * f64::from(i + 1) / f64::from(points);
                history = history.after(&law, -d, 0.0, 0.0);
                let force = if d > 0.0 { law.force(d, 0.0, 0.0, history.plastic_overlap) } else { 0.0 };
                words[0].push(format!("ratio {}, n = {}", parameters.0, parameters.1));
                words[1].push(branch(&law, d, history.plastic_overlap).into());
                let row = [numbers[0].len() as f64, d, force, history.plastic_overlap];
                numbers.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            }
        }
    }
    let [case, branches] = words;
    let table = Table::new().with_words("case", case).with_words("branch", branches);
    let names = [("point", "1"), ("overlap", "m"), ("force", "N"), ("plastic_overlap", "m")];
    let path =
        names.into_iter().zip(numbers).fold(table, |t, ((name, unit), column)| t.with_numbers(name, unit, column));
    let mut setup = Setup::new(preset)
        .with("path of the overlap", TURNS.map(|d| d.to_string()).join(", "), "m", OURS)
        .with("constant pull-off force", PULL_OFF, "N", OURS)
        .with("velocity", 0, "m/s", OURS);
    for (ratio, n, stiffness, adhesion) in CASES {
        let value = format!("stiffness {stiffness} N/mⁿ, adhesion {adhesion} N/mⁿ");
        setup = setup.with(&format!("ratio {ratio}, n = {n}"), value, "", OURS);
    }
    Ok(Tables::new().with("setup", setup.table()).with("path", path))
}

fn present(tables: &Tables) -> Result<Presentation> {
    let path = tables.get("path")?;
    let (cases, branches) = (path.words("case")?, path.words("branch")?);
    let (overlap, force) = (path.numbers("overlap")?, path.numbers("force")?);
    let mut panels = Vec::new();
    let mut parts = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    for case in cases {
        if !names.contains(&case.as_str()) {
            names.push(case);
        }
    }
    for name in names {
        let rows: Vec<usize> = (0..path.rows()).filter(|&r| cases[r] == name).collect();
        let mut panel = Panel::new(name, Axis::linear("overlap", "mm"), Axis::linear("normal force", "N"));
        let line = rows.iter().map(|&r| [1e3 * overlap[r], force[r]]).collect();
        panel = panel.with(Layer::line(line, series_stroke(0), ""));
        for (i, branch) in ["loading", "unloading", "adhesion"].into_iter().enumerate() {
            let of = rows.iter().filter(|&&r| branches[r] == branch).step_by(8);
            let marks = of.map(|&r| [1e3 * overlap[r], force[r]]).collect();
            let label = if panels.is_empty() { branch } else { "" };
            panel = panel.with(Layer::points(marks, series_stroke(i + 1), 1.2, label));
        }
        panels.push(panel);
        // Trapezoidal: work put in while the overlap grows, and what comes back.
        let (mut put, mut back) = (0.0, 0.0);
        for pair in rows.windows(2) {
            let work = 0.5 * (force[pair[0]] + force[pair[1]]) * (overlap[pair[1]] - overlap[pair[0]]);
            if work > 0.0 {
                put += work;
            } else {
                back -= work;
            }
        }
        let pull = rows.iter().map(|&r| force[r]).fold(0.0, f64::min);
        parts.push(format!(
            "{name}: {} of the work put in is lost, largest pull {} N",
            percent((put - back) / put, 3),
            rounded(-pull, 3)
        ));
    }
    Ok(Presentation {
        method: "The overlap is prescribed point by point at zero velocity and the history is advanced after each point: loaded, \
                 unloaded onto the adhesion branch, reloaded beyond the first load, and let go."
            .into(),
        finding: format!("All three branches are passed, and reloading joins the first loading curve where it was left. {}.", parts.join("; ")),
        falsified_by: "A force that depends on how the points are spaced, a loop that gives back more work than was put in, or \
                       a branch that is never taken."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "adhesion-loop",
        "Normal force against overlap for two plasticity ratios and two exponents; marks tell the branches apart.",
        Figure::page(2, 60.0, panels),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_passes_all_three_branches_and_loses_work() {
        let tables = simulate(Preset::Quick, &Kept::nowhere()).expect("nothing to fail");
        let path = tables.get("path").expect("there");
        let (cases, branches) = (path.words("case").expect("there"), path.words("branch").expect("there"));
        for first in (0..path.rows()).step_by(path.rows() / CASES.len()) {
            for branch in ["loading", "unloading", "adhesion"] {
                let found = (0..path.rows()).any(|r| cases[r] == cases[first] && branches[r] == branch);
                assert!(found, "{} never passes {branch}", cases[first]);
            }
        }
    }
}

//! `restitution`: measured against requested coefficient of restitution, for the impact models of the penalty items.

use crate::error::Error;
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
use crate::figure::rounded;
use crate::figure::series_stroke;
use crate::integrator::Integrator;
use crate::integrator::Method;
use crate::integrator::Settings;
use crate::law::penalty::ImpactModel;
use crate::law::penalty::effective_restitution;
use crate::penalty::Coordinate;
use crate::penalty::CoordinateOf;
use crate::penalty::Mass1D;
use crate::penalty::System;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "restitution",
    question: "Which restitution do the impact models of the penalty items give when asked for one, and does it depend on \
               the exponent of the contact law?",
    simulate,
    present,
};

/// Impact speed in m/s and mass in kg.
const SPEED: f64 = 1.0;
const MASS: f64 = 1.0;
/// Stiffness in N/mⁿ of each exponent: overlaps of a few millimetres.
const LAWS: [(f64, f64); 2] = [(1.0, 1e5), (1.5, 1e6)];
const MODELS: [(ImpactModel, &str); 2] =
    [(ImpactModel::HuntCrossley, "Hunt-Crossley"), (ImpactModel::Mixed, "Gonthier/Carvalho-Martins")];
/// Step in s; the fourth-order method is then good to nine digits.
const STEP: f64 = 2e-5;

/// Rebound over approach speed of one impact on a fixed stop.
fn measure(stop: Coordinate) -> Result<f64> {
    let mut system = System::default();
    let mass = system.add_mass(Mass1D { mass: MASS, coordinate: 1e-3, velocity: -SPEED, force: 0.0 });
    system.add_coordinate(stop, [CoordinateOf::Ground, CoordinateOf::Mass(mass)])?;
    let mut state = system.initial_state()?;
    let mut integrator = Integrator::new(Settings::new(Method::RungeKutta4, STEP)).map_err(Error::Input)?;
    // A nearly plastic impact parts slowly.
    while state.configuration.coordinates[0] <= 0.0 || state.velocity[0] < 0.0 {
        let until = state.time + 0.01;
        integrator.advance(&mut system, &mut state, until)?;
    }
    Ok(state.velocity[0] / SPEED)
}

fn simulate(preset: Preset, _: &Kept) -> Result<Tables> {
    let count = match preset {
        Preset::Quick => 10,
        Preset::Full => 50,
    };
    let mut models = Vec::new();
    let mut numbers: [Vec<f64>; 4] = Default::default();
    for (impact_model, name) in MODELS {
        for (contact_stiffness_exponent, contact_stiffness) in LAWS {
            for i in 1..=count {
                let restitution_coefficient = f64::from(i) / f64::from(count);
                let stop = Coordinate {
                    contact_stiffness,
                    contact_stiffness_exponent,
                    restitution_coefficient,
                    impact_model,
                    ..Coordinate::default()
                };
                let closed = effective_restitution(&stop.law(), SPEED);
                let measured = measure(stop)?;
                models.push(name);
                let row = [contact_stiffness_exponent, restitution_coefficient, measured, closed];
                numbers.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            }
        }
    }
    let names = ["exponent", "requested", "measured", "closed_form"];
    let table = Table::new().with_words("model", models);
    let impacts = names.into_iter().zip(numbers).fold(table, |t, (name, column)| t.with_numbers(name, "1", column));
    let setup = Setup::new(preset)
        .with("body", "mass with one coordinate against a fixed stop, no other load, no linear damping", "", OURS)
        .with("mass", MASS, "kg", OURS)
        .with("impact speed", SPEED, "m/s", OURS)
        .with("stiffness at exponent 1", LAWS[0].1, "N/m", OURS)
        .with("stiffness at exponent 1.5", LAWS[1].1, "N/m^1.5", OURS)
        .with("method", Method::RungeKutta4.name(), "", OURS)
        .with("step", STEP, "s", OURS);
    Ok(Tables::new().with("setup", setup.table()).with("impacts", impacts))
}

fn present(tables: &Tables) -> Result<Presentation> {
    let impacts = tables.get("impacts")?;
    let (models, exponent) = (impacts.words("model")?, impacts.numbers("exponent")?);
    let (requested, measured) = (impacts.numbers("requested")?, impacts.numbers("measured")?);
    let closed = impacts.numbers("closed_form")?;
    let axis = || Axis::linear("requested restitution", "").from_to(0.0, 1.0);
    let mut got = Panel::new("", axis(), Axis::linear("measured restitution", "").from_to(0.0, 1.0)).with(Layer::line(
        vec![[0.0, 0.0], [1.0, 1.0]],
        series_stroke(4),
        "as requested",
    ));
    let mut excess = Panel::new("", axis(), Axis::linear("measured − requested", ""));
    let mut parts = Vec::new();
    for (i, (_, name)) in MODELS.into_iter().enumerate() {
        let mut largest = (0.0_f64, 0.0);
        for (k, (n, _)) in LAWS.into_iter().enumerate() {
            let of = |r: usize| models[r] == name && (exponent[r] - n).abs() < 1e-9;
            let label = format!("{name}, n = {n}");
            // The exponent makes no difference: one curve is drawn as a line, the other as marks on it.
            let layer = |points: Vec<[f64; 2]>, label: String| {
                if k == 0 {
                    Layer::line(points, series_stroke(i), label)
                } else {
                    Layer::points(points, series_stroke(i), 1.2, label)
                }
            };
            let rows: Vec<usize> = (0..impacts.rows()).filter(|&r| of(r)).collect();
            let differences = rows.iter().map(|&r| [requested[r], measured[r] - requested[r]]).collect();
            got = got.with(layer(impacts.points("requested", "measured", of)?, label));
            excess = excess.with(layer(differences, String::new()));
            for &r in &rows {
                if (measured[r] - requested[r]).abs() > largest.0.abs() {
                    largest = (measured[r] - requested[r], requested[r]);
                }
            }
        }
        parts.push(format!("{name} by up to {} (at e = {})", rounded(largest.0, 3), largest.1));
    }
    let off = closed.iter().zip(measured).map(|(c, m)| (c - m).abs()).fold(0.0, f64::max);
    let finding = format!(
        "The measured restitution exceeds the requested one under {}. Measured values are those of the closed form \
         A(1 + e′) = ln[(1 + A)/(1 − A e′)] to {}, for both exponents: the exponent does not matter.",
        parts.join(", and under "),
        rounded(off, 1)
    );
    Ok(Presentation {
        method: "One impact on a fixed stop for each model, exponent and requested restitution; measured is the rebound over the \
                 approach speed. A = −c v₀/v_i, with c the coefficient of the model and v_i the recorded impact speed."
            .into(),
        finding,
        falsified_by: "A measured restitution off the closed form by more than the integrator's error, or one that depends on \
                       the exponent."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "restitution",
        "(a) Measured against requested restitution of the two impact models, exponents 1 (lines) and 1.5 (marks); (b) their \
         difference.",
        Figure::page(2, 70.0, vec![got, excess]),
    ))
}

//! `stiffness-limit`: a pile at rest and a flow under `penalty`, stiffness rising.

use crate::error::Result;
use crate::experiment::Experiment;
use crate::experiment::Kept;
use crate::experiment::Preset;
use crate::experiment::Tables;
use crate::experiment::flow;
use crate::experiment::flow::Bed;
use crate::experiment::flow::Grain;
use crate::experiment::page::Presentation;
use crate::experiment::setup::OURS;
use crate::experiment::setup::Setup;
use crate::experiment::stiffness_limit_figures;
use crate::figure::Table;
use crate::law::Law;
use crate::math::Vec3;
use crate::simulation::Settings;
use crate::simulation::Simulation;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "stiffness-limit",
    question: "What do overlap, cost and the distance from the impulse laws do when the stiffness of the penalty law rises, for \
               a pile at rest and for a flow?",
    simulate,
    present,
};

/// Friction of grains, floor and tube.
const MU: f64 = 0.5;
/// Radius of the tube in diameters, and volume fraction in which grains are thrown in.
const TUBE: f64 = 2.0;
const LOOSE: f64 = 0.1;
/// Coefficients of restitution under `penalty`: as inelastic as the impulse laws, nearly, and not.
pub(in crate::experiment) const RESTITUTION: [f64; 2] = [0.1, 0.5];
/// Slip speed v_reg in m/s under `penalty`: 10⁻⁴ √(g d), so that runs are short against d/v_reg = 250 s.
const SLIP_SPEED: f64 = 2.4e-5;
/// The impulse laws that are the limit asked for.
pub(in crate::experiment) const REFERENCES: [Law; 2] = [Law::MaxDissipation, Law::Coulomb];
/// Residual and sweeps of the impulse laws: below what is compared.
const TOLERANCE: f64 = 1e-6;
const MAX_SWEEPS: usize = 1000;
/// Part by which a bed is widened beyond what opens its deepest overlap: no law begins with a force.
const CLEARANCE: f64 = 0.1;
/// Share of the volume whose radius is the spread of a flow.
const SHARE: f64 = 0.8;

/// How much is computed.
struct Design {
    grains: usize,
    seeds: u64,
    /// Exponents of ten of the stiffness in N/m, pile and flow.
    exponents: [std::ops::RangeInclusive<i32>; 2],
    /// Restitutions under `penalty`, pile and flow.
    restitutions: [&'static [f64]; 2],
    /// Duration in s, pile and flow.
    durations: [f64; 2],
}

fn design(preset: Preset) -> Design {
    match preset {
        Preset::Quick => Design {
            grains: 24,
            seeds: 2,
            exponents: [2..=4, 2..=3],
            restitutions: [&RESTITUTION[..1]; 2],
            durations: [0.1, 0.1],
        },
        Preset::Full => Design {
            grains: 40,
            seeds: 5,
            exponents: [2..=6, 2..=5],
            restitutions: [&RESTITUTION[..1], &RESTITUTION],
            durations: [0.1, 0.15],
        },
    }
}

/// A tube full of capsules; without its tube, a column that falls apart. Lengths but those of grains are `wide` times as long.
fn scene(grains: usize, seed: u64, with_tube: bool, wide: f64) -> String {
    let r = TUBE * flow::DIAMETER;
    let height = grains as f64 * flow::volume() / (LOOSE * std::f64::consts::PI * r * r);
    let region = format!("{{ kind = \"cylinder\", base = [0, 0, 0], radius = {r}, height = {height} }}");
    let mut text = flow::head(Grain::Capsule, MU, grains, seed, &region);
    text += "[[walls]]\nname = \"floor\"\nshape = { kind = \"half-space\" }\nmaterial = \"grain\"\n";
    if with_tube {
        let r = wide * r;
        text +=
            &format!("[[walls]]\nname = \"tube\"\nshape = {{ kind = \"tube\", radius = {r} }}\nmaterial = \"grain\"\n");
    }
    text
}

/// A law, and under `penalty` its stiffness in N/m and restitution.
#[derive(Clone, Copy, Debug)]
struct Model {
    law: Law,
    stiffness: f64,
    restitution: f64,
}

impl Model {
    fn impulse(law: Law) -> Self {
        Self { law, stiffness: f64::NAN, restitution: 0.0 }
    }

    fn name(&self) -> String {
        match self.law {
            Law::Penalty => format!("penalty-{:e}-{}", self.stiffness, self.restitution),
            law => law.name().into(),
        }
    }
}

/// The bed of a seed under a model, widened so far from the origin that nothing overlaps: for bodies that are symmetric
/// about their centre a distance of centres c grows by ε c, its part along the normal of a contact by ε (r + r′ − δ) at
/// least.
fn begin(bed: &Bed, grains: usize, seed: u64, with_tube: bool, model: &Model) -> Result<Simulation> {
    let mut measured = bed.begin(&scene(grains, seed, true, 1.0), Law::Frictionless)?;
    let overlap = measured.step().overlap;
    let least = measured.world().shapes().iter().zip(measured.world().free()).filter(|(_, free)| **free);
    let least = least.map(|(shape, _)| 0.5 * shape.size()).fold(f64::INFINITY, f64::min);
    let wide = 1.0 + (1.0 + CLEARANCE) * overlap / (least - overlap);
    let begun = bed.begin(&scene(grains, seed, with_tube, wide), model.law)?;
    let mut world = begun.world().clone();
    world.motion_mut().positions.iter_mut().for_each(|x| *x *= wide);
    let mut settings = Settings { tolerance: TOLERANCE, max_sweeps: MAX_SWEEPS, ..begun.settings().clone() };
    if model.law == Law::Penalty {
        settings.compliance.slip_speed = Some(SLIP_SPEED);
        for material in &mut settings.compliance.materials {
            material.stiffness = Some(model.stiffness);
            material.restitution = Some(model.restitution);
        }
    }
    Simulation::new(world, settings)
}

/// What every run gives.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
struct Outcome {
    /// As [`COLUMNS`].
    values: Vec<f64>,
    /// Places of the grains at the end in m.
    places: Vec<[f64; 3]>,
}

/// Names and units of the values.
const COLUMNS: [(&str, &str); 9] = [
    ("largest_overlap", "1"),
    ("mean_overlap", "1"),
    ("contacts", "1"),
    ("passes_a_second", "1/s"),
    ("contact_evaluations_a_second", "1/s"),
    ("spread", "1"),
    ("mean_height", "1"),
    ("largest_kinetic_energy", "1"),
    ("final_speed", "1"),
];

fn run(bed: &Bed, grains: usize, seed: u64, model: &Model, duration: f64, with_tube: bool) -> Result<Outcome> {
    let mut simulation = begin(bed, grains, seed, with_tube, model)?;
    let dt = simulation.settings().dt;
    let steps = (duration / dt).round() as u64;
    let substeps = simulation.memory().compliant.as_ref().map(|law| (dt / law.substep - 1e-6).ceil().max(1.0));
    let weight_by_diameter = {
        let world = simulation.world();
        (0..world.len()).filter(|i| world.is_free(*i)).map(|i| world.masses()[i]).sum::<f64>() * 9.81 * flow::DIAMETER
    };
    let (mut overlap, mut passes, mut evaluations, mut touching) = (0.0_f64, 0.0, 0.0, 0.0);
    let mut kinetic = 0.0_f64;
    for step in 1..=steps {
        let record = simulation.step();
        // The second half: a pile has settled then.
        if 2 * step > steps {
            overlap = overlap.max(record.overlap);
        }
        let contacts = simulation.contacts().len() as f64;
        let count = substeps.unwrap_or(record.solve.report.sweeps as f64);
        passes += count;
        evaluations += count * contacts;
        touching += contacts;
        kinetic = kinetic.max(record.kinetic);
    }
    let world = simulation.world();
    let free: Vec<usize> = (0..world.len()).filter(|i| world.is_free(*i)).collect();
    let points: Vec<[f64; 2]> = free.iter().map(|&i| [world.positions()[i].x, world.positions()[i].y]).collect();
    let volumes: Vec<f64> = free.iter().map(|&i| world.shapes()[i].volume()).collect();
    let spread = crate::analysis::radius_of_share(&points, &volumes, [0.0, 0.0], SHARE).unwrap_or(f64::NAN);
    let height = free.iter().map(|&i| world.positions()[i].z).sum::<f64>() / free.len() as f64;
    let overlaps: Vec<f64> = simulation.contacts().iter().map(|c| -c.gap).filter(|d| *d > 0.0).collect();
    let seconds = steps as f64 * dt;
    let values = vec![
        overlap / flow::DIAMETER,
        overlaps.iter().sum::<f64>() / overlaps.len().max(1) as f64 / flow::DIAMETER,
        touching / steps as f64,
        passes / seconds,
        evaluations / seconds,
        spread / flow::DIAMETER,
        height / flow::DIAMETER,
        kinetic / weight_by_diameter,
        flow::rms_speed(&simulation) / (9.81 * flow::DIAMETER).sqrt(),
    ];
    let places = free.iter().map(|&i| world.positions()[i].into()).collect();
    Ok(Outcome { values, places })
}

/// Root of the mean square distance of the grains of two runs, in diameters.
fn apart(a: &Outcome, b: &Outcome) -> f64 {
    let sum: f64 = a.places.iter().zip(&b.places).map(|(p, q)| (Vec3::from(*p) - Vec3::from(*q)).norm_squared()).sum();
    (sum / a.places.len() as f64).sqrt() / flow::DIAMETER
}

fn simulate(preset: Preset, kept: &Kept) -> Result<Tables> {
    let design = design(preset);
    let seeds: Vec<u64> = (1..=design.seeds).collect();
    let beds = flow::each(&seeds, |seed| {
        let text = scene(design.grains, *seed, true, 1.0);
        kept.case(&format!("bed-{seed}"), &text, || Bed::pour(&text, 0.8))
    })?;
    let mut tables = Tables::new();
    for (kind, name) in ["pile", "flow"].into_iter().enumerate() {
        let mut models: Vec<Model> = REFERENCES.map(Model::impulse).to_vec();
        for &restitution in design.restitutions[kind] {
            for exponent in design.exponents[kind].clone() {
                models.push(Model { law: Law::Penalty, stiffness: 10_f64.powi(exponent), restitution });
            }
        }
        let cases: Vec<(u64, Model)> =
            seeds.iter().flat_map(|seed| models.iter().map(|model| (*seed, *model))).collect();
        let outcomes = flow::each(&cases, |(seed, model)| {
            let input =
                format!("{} {} {:?}", scene(design.grains, *seed, kind == 0, 1.0), design.durations[kind], model);
            kept.case(&format!("{name}-{seed}-{}", model.name()), &input, || {
                run(&beds[*seed as usize - 1], design.grains, *seed, model, design.durations[kind], kind == 0)
            })
        })?;
        tables = tables.with(name, table(&cases, &outcomes, models.len()));
    }
    let list = |numbers: &[f64]| numbers.iter().map(f64::to_string).collect::<Vec<_>>().join(", ");
    let setup = Setup::new(preset)
        .with("grains", format!("{} capsules, twice as long as wide", design.grains), "", OURS)
        .with("diameter d of the ball with a grain's volume", flow::DIAMETER, "m", OURS)
        .with("sizes", "uniform between 0.9 and 1.1 of that", "", OURS)
        .with("density", flow::DENSITY, "kg/m³", OURS)
        .with("friction", MU, "", OURS)
        .with("gravity", 9.81, "m/s²", OURS)
        .with("pile", format!("in a tube of radius {TUBE} d with the same friction, on a floor"), "", OURS)
        .with("flow", "the same beds without the tube", "", OURS)
        .with("seeds", design.seeds, "", OURS)
        .with("duration of the pile", design.durations[0], "s", OURS)
        .with("duration of the flow", design.durations[1], "s", OURS)
        .with("step of the impulse laws", flow::STEP, "s", OURS)
        .with("their tolerance", TOLERANCE, "", OURS)
        .with("restitution under penalty, pile", list(design.restitutions[0]), "", OURS)
        .with("restitution under penalty, flow", list(design.restitutions[1]), "", OURS)
        .with("slip speed v_reg under penalty", SLIP_SPEED, "m/s", OURS)
        .with("sub-step under penalty", "a thirtieth of the contact time of the lightest pair", "", "derived");
    let setup = Tables::new().with("setup", setup.table());
    Ok(tables.iter().fold(setup, |all, (name, table)| all.with(name, table.clone())))
}

/// Runs as a table; those of a seed stand together, `block` of them, the impulse laws first.
fn table(cases: &[(u64, Model)], outcomes: &[Outcome], block: usize) -> Table {
    let number = |f: &dyn Fn(usize) -> f64| (0..cases.len()).map(f).collect::<Vec<f64>>();
    let table = Table::new()
        .with_words("law", cases.iter().map(|(_, model)| model.law.name()))
        .with_numbers("seed", "1", number(&|i| cases[i].0 as f64))
        .with_numbers("stiffness", "N/m", number(&|i| cases[i].1.stiffness))
        .with_numbers("restitution", "1", number(&|i| cases[i].1.restitution));
    let table = COLUMNS
        .iter()
        .enumerate()
        .fold(table, |table, (k, (name, unit))| table.with_numbers(name, unit, number(&|i| outcomes[i].values[k])));
    REFERENCES.iter().enumerate().fold(table, |table, (k, law)| {
        let name = format!("distance_from_{}", law.name().replace('-', "_"));
        table.with_numbers(&name, "1", number(&|i| apart(&outcomes[i], &outcomes[i / block * block + k])))
    })
}

fn present(tables: &Tables) -> Result<Presentation> {
    stiffness_limit_figures::present(tables.get("pile")?, tables.get("flow")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_widened_bed_has_no_overlap_and_hardly_more_room() {
        let text = scene(12, 3, true, 1.0);
        let bed = Bed::pour(&text, 0.4).expect("poured");
        let model = Model { law: Law::Penalty, stiffness: 1e4, restitution: RESTITUTION[0] };
        let mut simulation = begin(&bed, 12, 3, true, &model).expect("begun");
        let top = bed.top();
        let world = simulation.world();
        let now = (0..world.len()).filter(|i| world.is_free(*i)).map(|i| world.positions()[i].z).fold(0.0, f64::max);
        assert!(now >= top && now < 1.02 * top, "{now} for {top}");
        simulation.step();
        // In a step from rest grains fall g δt² at most.
        let deepest = simulation.contacts().iter().map(|c| -c.gap).fold(0.0, f64::max);
        assert!(deepest <= 9.81 * flow::STEP * flow::STEP, "{deepest} m");
    }
}

//! `hopper`: grains run out of a funnel: rate of discharge against the diameter of the outlet, profiles above it.

use crate::analysis::Bodies;
use crate::analysis::Dissipated;
use crate::analysis::Fields;
use crate::analysis::Grid;
use crate::analysis::power_law;
use crate::analysis::rate;
use crate::error::Result;
use crate::experiment::Experiment;
use crate::experiment::Kept;
use crate::experiment::Preset;
use crate::experiment::Tables;
use crate::experiment::compare;
use crate::experiment::compare::LAWS;
use crate::experiment::compare::Row;
use crate::experiment::flow;
use crate::experiment::flow::Bed;
use crate::experiment::flow::Grain;
use crate::experiment::flow::Watch;
use crate::experiment::page::Presentation;
use crate::experiment::setup::OURS;
use crate::experiment::setup::PAPER;
use crate::experiment::setup::Setup;
use crate::figure::Axis;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Table;
use crate::figure::View;
use crate::figure::law_stroke;
use crate::figure::rounded;
use crate::law::Law;
use crate::math::Vec3;
use crate::simulation::Work;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "hopper",
    question: "At which rate do grains run out of a hopper, how does it rise with the outlet, and does the friction law of the \
               impacts matter for it?",
    simulate,
    present,
};

/// Width of the empty ring at the border of the outlet in grain diameters [Beverloo 1961].
const RING: f64 = 1.4;
/// Volume fraction in which the grains are thrown in.
const LOOSE: f64 = 0.18;
/// Part of the grains that has passed when a run ends, and the window of the rate in parts of that.
const ENOUGH: f64 = 0.75;
const WINDOW: [f64; 2] = [0.15, 0.95];
/// Longest run in s: an outlet that lets less pass has clogged.
const LONGEST: f64 = 2.0;
/// Cells of the profile across the outlet.
const CELLS: usize = 9;
const AT: (&str, &str) = ("outlet_by_diameter", "1");
const COMPARED: [&str; 2] = ["rate", "friction_share"];

#[derive(Clone, Copy, Debug)]
struct Point {
    grain: Grain,
    mu: f64,
    /// Diameter of the outlet by that of a grain.
    outlet: f64,
    seed: u64,
    count: usize,
    /// Radius of the hopper in m.
    radius: f64,
}

impl Point {
    /// Height of the funnel in m: it leans by 45°.
    fn funnel(&self) -> f64 {
        self.radius - 0.5 * self.outlet * flow::DIAMETER
    }

    /// The outlet is at z = 0.
    fn scene(&self, closed: bool) -> String {
        let (r, cone) = (self.radius, self.funnel());
        let height = self.count as f64 * flow::volume() / (LOOSE * std::f64::consts::PI * r * r);
        // Within the tube: the funnel below fills from it.
        let region = format!("{{ kind = \"cylinder\", base = [0, 0, {cone}], radius = {r}, height = {height} }}");
        let mut text = flow::head(self.grain, self.mu, self.count, self.seed, &region);
        let length = height + 0.02;
        text += &format!(
            "[[walls]]\nname = \"tube\"\nmaterial = \"grain\"\nposition = [0, 0, {}]\n\
             shape = {{ kind = \"tube\", radius = {r}, length = {length}, thickness = 0.01 }}\n\
             [[walls]]\nname = \"funnel\"\nmaterial = \"grain\"\nposition = [0, 0, {}]\n\
             shape = {{ kind = \"funnel\", lower-radius = {}, upper-radius = {r}, height = {cone}, thickness = 0.01 }}\n",
            cone + 0.5 * length,
            0.5 * cone,
            0.5 * self.outlet * flow::DIAMETER,
        );
        if closed {
            text += "[[walls]]\nname = \"lid\"\nshape = { kind = \"half-space\" }\nmaterial = \"grain\"\n";
        }
        text
    }

    fn name(&self) -> String {
        format!("{}-mu{}-outlet{}-seed{}", self.grain.name(), self.mu, self.outlet, self.seed)
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Outcome {
    values: Vec<f64>,
    /// Across the outlet: place in m, volume fraction, downward velocity in m/s.
    profile: Vec<[f64; 3]>,
    frame: Vec<[f64; 8]>,
}

const COLUMNS: [(&str, &str); 6] = [
    ("rate", "kg/s"),
    ("rate_error", "kg/s"),
    ("passed", "1"),
    ("duration", "s"),
    ("friction_share", "1"),
    ("bed_speed", "m/s"),
];

fn run(point: &Point, law: Law, bed: &Bed) -> Result<Outcome> {
    let mut simulation = bed.begin(&point.scene(false), law)?;
    let half = 0.5 * point.outlet * flow::DIAMETER;
    let slab = 0.5 * flow::DIAMETER;
    let grid = Grid::new(Vec3::new(-half, -slab, 0.0), Vec3::new(half, slab, 2.0 * slab), [CELLS, 1, 1]);
    let mut fields = Fields::new(grid);
    let mut watch = Watch::default();
    let (mut times, mut passed) = (vec![0.0], vec![0.0]);
    let mut frame = Vec::new();
    let total: f64 = simulation.world().masses().iter().sum();
    loop {
        let record = simulation.step();
        watch.see(&simulation, &record);
        let world = simulation.world();
        let out: f64 = (0..world.len())
            .filter(|i| world.is_free(*i) && world.positions()[*i].z < 0.0)
            .map(|i| world.masses()[i])
            .sum();
        times.push(record.time);
        passed.push(out);
        let share = out / total;
        if share > WINDOW[0] * ENOUGH && record.step.is_multiple_of(10) {
            fields.add(Bodies::of(world), simulation.contacts(), simulation.impulses_w(), flow::STEP);
        }
        if frame.is_empty() && share > 0.25 {
            frame = flow::frame(&simulation);
        }
        if share > ENOUGH || record.time > LONGEST {
            break;
        }
    }
    let measured = rate(&times, &passed, WINDOW[0], WINDOW[1]);
    let (value, error) = measured.map_or((f64::NAN, f64::NAN), |rate| (rate.value, rate.error));
    let last = passed.last().copied().unwrap_or(0.0) / total;
    // A hopper that has clogged has no rate.
    let (value, error) = if last < ENOUGH { (f64::NAN, f64::NAN) } else { (value, error) };
    let lost = Dissipated::between(&Work::default(), &simulation.memory().ledger.total);
    let mut values = vec![value, error, last, times.last().copied().unwrap_or(0.0), lost.friction_share(), bed.speed];
    values.extend(watch.values());
    let profile = (0..fields.grid().len()).map(|cell| {
        let down = fields.velocity(cell).map_or(f64::NAN, |u| -u.z);
        [fields.grid().center(cell).x, fields.volume_fraction(cell), down]
    });
    Ok(Outcome { values, profile: profile.collect(), frame })
}

fn design(preset: Preset) -> Vec<(Point, Vec<Law>)> {
    let (seeds, outlets, frictions, count, radius): (u64, &[f64], &[f64], usize, f64) = match preset {
        Preset::Quick => (3, &[4.5, 5.25, 6.0], &[0.3], 60, 0.024),
        Preset::Full => (5, &[4.5, 5.5, 6.5], &[0.3, 0.8], 400, 0.033),
    };
    let mut design = Vec::new();
    for grain in [Grain::Sphere, Grain::Capsule] {
        for &mu in frictions {
            for &outlet in outlets {
                for seed in 1..=seeds {
                    let mut laws = LAWS.to_vec();
                    // One point of the other laws.
                    let middle = preset == Preset::Full && (outlet - 5.5).abs() < 0.1;
                    if grain == Grain::Capsule && mu < 0.5 && middle {
                        laws.extend([Law::Cone, Law::Penalty]);
                    }
                    design.push((Point { grain, mu, outlet, seed, count, radius }, laws));
                }
            }
        }
    }
    if preset == Preset::Full {
        let clump = |seed| Point { grain: Grain::Clump, mu: 0.3, outlet: 5.5, seed, count, radius };
        design.extend((1..=seeds).map(|seed| (clump(seed), LAWS.to_vec())));
    }
    design
}

fn simulate(preset: Preset, kept: &Kept) -> Result<Tables> {
    let design = design(preset);
    let beds = flow::each(&design, |(point, _)| {
        let text = point.scene(true);
        kept.case(&format!("bed-{}", point.name()), &text, || Bed::pour(&text, 0.8))
    })?;
    let cases: Vec<(Point, Law, &Bed)> = design
        .iter()
        .zip(&beds)
        .flat_map(|((point, laws), bed)| laws.iter().map(move |law| (*point, *law, bed)))
        .collect();
    let outcomes = flow::each(&cases, |(point, law, bed)| {
        kept.case(&format!("{}-{law}", point.name()), &point.scene(false), || run(point, *law, bed))
    })?;
    let rows: Vec<Row> = cases
        .iter()
        .zip(&outcomes)
        .map(|((point, law, _), outcome)| Row {
            grain: point.grain.name(),
            law: *law,
            mu: point.mu,
            seed: point.seed,
            at: point.outlet,
            values: outcome.values.clone(),
        })
        .collect();
    let columns: Vec<_> = COLUMNS.into_iter().chain(Watch::COLUMNS).collect();
    let runs = compare::table(&rows, AT, &columns);
    let differences = compare::differences(&runs, AT, &COMPARED)?;
    let in_picture = |point: &Point| point.grain == Grain::Capsule && point.seed == 1 && point.mu < 0.5;
    let shown = cases
        .iter()
        .zip(&outcomes)
        .filter(|((point, law, _), _)| in_picture(point) && *law == Law::MaxDissipation)
        .max_by(|a, b| a.0.0.outlet.total_cmp(&b.0.0.outlet));
    let frame = shown.map(|(_, outcome)| outcome.frame.as_slice()).unwrap_or_default();
    let first = &design[0].0;
    let largest = design.iter().map(|(point, _)| point.outlet).fold(0.0, f64::max);
    let setup =
        flow::setup(Setup::new(preset).with("macroscopic behaviour of a granular flow", "section 4", "", PAPER))
            .with("grains", first.count, "", OURS)
            .with("radius of the hopper", first.radius, "m", OURS)
            .with("funnel leans by", 45, "°", OURS)
            .with("largest outlet by the diameter of a grain", largest, "", OURS)
            .with("a run ends when this part has passed", ENOUGH, "", OURS)
            .with("window of the rate in parts of that", format!("{} to {}", WINDOW[0], WINDOW[1]), "", OURS)
            .with("empty ring of Beverloo's law in diameters", RING, "", "literature");
    Ok(Tables::new()
        .with("setup", setup.table())
        .with("runs", runs)
        .with("differences", differences)
        .with("profiles", profiles(&cases, &outcomes))
        .with("frame", flow::frame_table(frame)))
}

/// Profiles across the largest outlet, the mean over the seeds.
fn profiles(cases: &[(Point, Law, &Bed)], outcomes: &[Outcome]) -> Table {
    let mut words: [Vec<&str>; 2] = Default::default();
    let mut numbers: [Vec<f64>; 4] = Default::default();
    let largest = cases.iter().map(|(point, _, _)| point.outlet).fold(0.0, f64::max);
    for (k, (point, law, _)) in cases.iter().enumerate() {
        if point.seed != 1 || (point.outlet - largest).abs() > 1e-9 {
            continue;
        }
        let alike = |other: &Point| {
            other.grain == point.grain && (other.mu - point.mu).abs() < 1e-9 && (other.outlet - largest).abs() < 1e-9
        };
        for cell in 0..outcomes[k].profile.len() {
            let of: Vec<[f64; 3]> = cases
                .iter()
                .zip(outcomes)
                .filter(|((other, other_law, _), _)| alike(other) && other_law == law)
                .map(|(_, outcome)| outcome.profile[cell])
                .collect();
            let mean = |i: usize| of.iter().map(|p| p[i]).sum::<f64>() / of.len() as f64;
            words.iter_mut().zip([point.grain.name(), law.name()]).for_each(|(column, word)| column.push(word));
            let row = [point.mu, mean(0), mean(1), mean(2)];
            numbers.iter_mut().zip(row).for_each(|(column, number)| column.push(number));
        }
    }
    let [grain, law] = words;
    let [mu, x, phi, down] = numbers;
    Table::new()
        .with_words("grain", grain)
        .with_words("law", law)
        .with_numbers("mu", "1", mu)
        .with_numbers("x", "m", x)
        .with_numbers("volume_fraction", "1", phi)
        .with_numbers("downward_velocity", "m/s", down)
}

/// Exponent n of W ∝ (D − k d)ⁿ under a law, for each grain and friction: (grain, μ, n, its error).
fn exponents(runs: &Table, law: Law) -> Result<Vec<(String, f64, f64, f64)>> {
    let points = compare::points(runs, AT.0)?;
    let mut groups: Vec<(String, f64)> = Vec::new();
    for point in &points {
        if !groups.iter().any(|(grain, mu)| *grain == point.grain && (mu - point.mu).abs() < 1e-9) {
            groups.push((point.grain.clone(), point.mu));
        }
    }
    let mut found = Vec::new();
    for (grain, mu) in groups {
        let mut line = Vec::new();
        for point in points.iter().filter(|point| point.grain == grain && (point.mu - mu).abs() < 1e-9) {
            let rates = compare::values(runs, AT.0, point, law, "rate")?;
            line.extend(rates.into_iter().map(|rate| [point.at - RING, rate]));
        }
        if let Some(fit) = power_law(&line).filter(|fit| fit.points > 3) {
            found.push((grain, mu, fit.slope, fit.slope_error));
        }
    }
    Ok(found)
}

fn present(tables: &Tables) -> Result<Presentation> {
    let (runs, differences) = (tables.get("runs")?, tables.get("differences")?);
    let x = || Axis::linear("outlet D/d", "");
    let mut panels = Vec::new();
    for grain in ["capsule", "sphere"] {
        panels.push(compare::mean_panel(runs, AT.0, grain, "rate", x(), Axis::linear("rate W", "kg/s"))?);
    }
    for grain in ["capsule", "sphere"] {
        panels.push(compare::difference_panel(differences, AT.0, grain, "rate", x())?);
    }
    panels.extend(profile_panels(tables.get("profiles")?)?);
    let mut sentences = Vec::new();
    for grain in ["sphere", "capsule"] {
        let said = compare::verdict(differences, "rate", grain)?;
        if !said.is_empty() {
            sentences.push(format!("{grain}s, rate: {said}."));
        }
    }
    let mut parts = Vec::new();
    for law in LAWS {
        for (grain, mu, n, error) in exponents(runs, law)? {
            parts.push(format!(
                "{} ± {} ({grain}s, μ = {}, `{law}`)",
                rounded(n, 3),
                rounded(error, 1),
                rounded(mu, 1)
            ));
        }
    }
    let (loss, explained) = flow::explanation(runs, AT.0, "rate")?;
    let (solids, fast) = flow::solids(tables.get("frame")?)?;
    let set_up = tables.get("setup")?;
    let number =
        |key: &str| -> Result<f64> { Ok(crate::experiment::setup::value(set_up, key)?.parse().unwrap_or(f64::NAN)) };
    let radius = number("radius of the hopper")?;
    let lower = 0.5 * flow::DIAMETER * number("largest outlet by the diameter of a grain")?;
    let profile = [[lower, 0.0], [radius, radius - lower], [radius, 2.0 * radius]];
    let mut view = View::from(-70.0, 12.0).with_revolution(Vec3::zeros(), Vec3::z(), &profile);
    // Grains that have fallen far are out of sight.
    view.solids = solids.into_iter().filter(|solid| solid.ends[0].z > -1.5 * radius).collect();
    let beverloo = format!("The exponent of W ∝ (D − {RING} d)ⁿ is {}.", parts.join(", "));
    Ok(Presentation {
        method: format!(
            "Grains are poured once for each seed, friction, shape and outlet onto a lid; the same bed at rest runs out under every \
             law once the lid is gone. The rate is the mass below the outlet over time within the window, its error from 8 \
             blocks. Fixed before the run (literature: Beverloo et al. 1961, W ∝ (D − k d)^5/2): an exponent of 2 to 3 with k = \
             {RING}. Differences are paired by seed; intervals are Student's (95 %), verdicts Holm's over all rows of \
             `differences.csv` (5 %)."
        ),
        finding: format!("{beverloo} {} {loss} {explained}", sentences.join(" ")),
        falsified_by: "Spheres that differ between `max-dissipation` and `coulomb` beyond the chaos of equal laws; an exponent outside \
                       2 to 3 by more than its error."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "hopper",
        "Rate against outlet (thin: lower, thick: higher friction; bars: standard error over seeds); middle: paired differences of \
         the rate to `coulomb` with 95 % intervals; bottom: volume fraction and downward velocity across the largest outlet, \
         capsules, lower friction.",
        Figure::page(2, 42.0, panels),
    )
    .with_picture(
        "hopper-capsules",
        format!(
            "Capsules under `max-dissipation` when a quarter has passed the largest outlet, dark at rest to light at {} m/s and \
             above.",
            rounded(fast, 2)
        ),
        view,
    )
    .with_claim(
        "The macro-scale behaviour of the friction model in a granular flow (section 4)",
        format!("discharge of a hopper: {}", sentences.join(" ")),
    ))
}

fn profile_panels(profiles: &Table) -> Result<Vec<Panel>> {
    let (grain, law, mu) = (profiles.words("grain")?, profiles.words("law")?, profiles.numbers("mu")?);
    let lowest = mu.iter().copied().fold(f64::INFINITY, f64::min);
    let x = || Axis::linear("place across the outlet x", "m");
    let mut phi = Panel::new("capsules", x(), Axis::linear("volume fraction φ", ""));
    let mut down = Panel::new("capsules", x(), Axis::linear("downward velocity", "m/s"));
    for each in LAWS {
        let of = |r: usize| grain[r] == "capsule" && law[r] == each.name() && (mu[r] - lowest).abs() < 1e-9;
        let stroke = law_stroke(each);
        phi = phi.with(Layer::marked(profiles.points("x", "volume_fraction", of)?, stroke, ""));
        down = down.with(Layer::marked(profiles.points("x", "downward_velocity", of)?, stroke, ""));
    }
    Ok(vec![phi, down])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_by_beverloo_have_the_exponent_five_halves() {
        let mut rows = Vec::new();
        for outlet in [4.5_f64, 5.5, 6.5] {
            for seed in 1..=2 {
                let values = vec![0.3 * (outlet - RING).powf(2.5)];
                rows.push(Row { grain: "sphere", law: Law::Coulomb, mu: 0.3, seed, at: outlet, values });
            }
        }
        let runs = compare::table(&rows, AT, &[("rate", "kg/s")]);
        let found = exponents(&runs, Law::Coulomb).expect("columns");
        assert_eq!(found.len(), 1);
        assert!((found[0].2 - 2.5).abs() < 1e-9 && found[0].3 < 1e-9, "{found:?}");
    }
}

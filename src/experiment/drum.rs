//! `drum`: a rotating drum: dynamic angle of repose against Froude number, velocity below the surface.

use crate::analysis::Bodies;
use crate::analysis::Dissipated;
use crate::analysis::Fields;
use crate::analysis::Grid;
use crate::analysis::Sample;
use crate::analysis::angle_of_repose;
use crate::analysis::topmost_crossing;
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
    name: "drum",
    question: "At which angle do grains flow in a rotating drum, how does it rise with the speed, and does the friction law of \
               the impacts matter for it?",
    simulate,
    present,
};

/// Width of the drum in m: five diameters between frictionless walls.
const WIDTH: f64 = 5.0 * flow::DIAMETER;
/// Part of the drum that the bed fills, at the volume fraction 0.58.
const FILLED: f64 = 0.35;
/// Turns in all, and those before anything is measured.
const TURNS: f64 = 0.8;
const UNSTEADY: f64 = 0.45;
/// Volume fraction at which a surface is seen: half of that of a bed.
const SURFACE: f64 = 0.29;
/// Part of the radius across which the surface is taken for straight.
const CHORD: f64 = 0.6;
/// Cells along each side of the grid.
const CELLS: usize = 28;
const AT: (&str, &str) = ("froude", "1");
const COMPARED: [&str; 2] = ["angle", "friction_share"];

#[derive(Clone, Copy, Debug)]
struct Point {
    grain: Grain,
    mu: f64,
    /// Ω² R/g.
    froude: f64,
    seed: u64,
    /// Radius in m.
    radius: f64,
}

impl Point {
    fn count(&self) -> usize {
        let bed = FILLED * std::f64::consts::PI * self.radius * self.radius * WIDTH;
        (0.58 * bed / flow::volume()).round() as usize
    }

    /// Angular velocity in rad/s.
    fn speed(&self) -> f64 {
        (self.froude * 9.81 / self.radius).sqrt()
    }

    fn scene(&self, turning: bool) -> String {
        let (r, half) = (self.radius, 0.5 * WIDTH);
        // Larger than the drum: its walls keep the grains inside, closer than their bounding spheres.
        let more = flow::DIAMETER;
        let region = format!(
            "{{ kind = \"cylinder\", base = [0, {}, 0], axis = [0, 1, 0], radius = {}, height = {} }}",
            -half - more,
            r + more,
            WIDTH + 2.0 * more
        );
        let mut text = flow::head(self.grain, self.mu, self.count(), self.seed, &region);
        text += &format!(
            "[[walls]]\nname = \"drum\"\nmaterial = \"grain\"\nshape = {{ kind = \"tube\", radius = {r}, axis = [0, 1, 0] }}\n"
        );
        if turning {
            text += &format!("motion = {{ angular-velocity = [0, {}, 0] }}\n", self.speed());
        }
        text += &format!(
            "[[walls]]\nname = \"front\"\nmaterial = \"smooth\"\nposition = [0, {}, 0]\n\
             shape = {{ kind = \"half-space\", normal = [0, 1, 0] }}\n\
             [[walls]]\nname = \"back\"\nmaterial = \"smooth\"\nposition = [0, {half}, 0]\n\
             shape = {{ kind = \"half-space\", normal = [0, -1, 0] }}\n",
            -half
        );
        text
    }

    /// The bed is one for all speeds.
    fn bed_name(&self) -> String {
        format!("bed-{}-mu{}-seed{}", self.grain.name(), self.mu, self.seed)
    }

    fn name(&self) -> String {
        format!("{}-mu{}-froude{}-seed{}", self.grain.name(), self.mu, self.froude, self.seed)
    }
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Outcome {
    values: Vec<f64>,
    /// Below the middle: depth below the surface in m, velocity along x in m/s, volume fraction, temperature in m²/s².
    profile: Vec<[f64; 4]>,
    frame: Vec<[f64; 8]>,
}

const COLUMNS: [(&str, &str); 4] =
    [("angle", "deg"), ("angle_error", "deg"), ("friction_share", "1"), ("bed_speed", "m/s")];

fn run(point: &Point, law: Law, bed: &Bed) -> Result<Outcome> {
    let mut simulation = bed.begin(&point.scene(true), law)?;
    let (r, half) = (point.radius, 0.5 * WIDTH);
    let mut fields = Fields::new(Grid::new(Vec3::new(-r, -half, -r), Vec3::new(r, half, r), [CELLS, 1, CELLS]));
    let turn = std::f64::consts::TAU / point.speed();
    let steps = |turns: f64| (turns * turn / flow::STEP).ceil() as u64;
    let mut watch = Watch::default();
    let mut before = Work::default();
    for step in 1..=steps(TURNS) {
        let record = simulation.step();
        if step == steps(UNSTEADY) {
            before = record.total;
        }
        if step <= steps(UNSTEADY) {
            continue;
        }
        watch.see(&simulation, &record);
        if step.is_multiple_of(10) {
            let world = simulation.world();
            fields.add(Bodies::of(world), simulation.contacts(), simulation.impulses_w(), flow::STEP);
        }
    }
    let surface = surface(&fields, r);
    let chord: Vec<[f64; 2]> = surface.iter().copied().filter(|p| p[0].abs() < CHORD * r).collect();
    // The wall moves towards −x at the bottom, so the surface falls towards +x.
    let (angle, error) = angle_of_repose(&chord).map_or((f64::NAN, f64::NAN), |a| (-a.degrees, a.error));
    let lost = Dissipated::between(&before, &simulation.memory().ledger.total);
    let mut values = vec![angle, error, lost.friction_share(), bed.speed];
    values.extend(watch.values());
    Ok(Outcome { values, profile: profile(&fields, &surface), frame: flow::frame(&simulation) })
}

/// Index of cell (column, row) of the drum's grid.
fn cell(column: usize, row: usize) -> usize {
    column + CELLS * row
}

/// Points (x, z) of the free surface: where the volume fraction falls through [`SURFACE`].
fn surface(fields: &Fields, radius: f64) -> Vec<[f64; 2]> {
    let height = |row: usize| -radius + 2.0 * radius * (row as f64 + 0.5) / CELLS as f64;
    let heights: Vec<f64> = (0..CELLS).map(height).collect();
    let columns = (0..CELLS).filter_map(|column| {
        let phi: Vec<f64> = (0..CELLS).map(|row| fields.volume_fraction(cell(column, row))).collect();
        let z = topmost_crossing(&heights, &phi, SURFACE)?;
        Some([fields.grid().center(cell(column, 0)).x, z])
    });
    columns.collect()
}

/// Below the surface in the two middle columns, from the top down.
fn profile(fields: &Fields, surface: &[[f64; 2]]) -> Vec<[f64; 4]> {
    let middle = [CELLS / 2 - 1, CELLS / 2];
    let near: Vec<f64> = surface
        .iter()
        .filter(|p| middle.iter().any(|c| (fields.grid().center(cell(*c, 0)).x - p[0]).abs() < 1e-12))
        .map(|p| p[1])
        .collect();
    let top = near.iter().sum::<f64>() / near.len() as f64;
    let rows = (0..CELLS).rev().map(|row| {
        let cells = middle.map(|column| cell(column, row));
        let mean = |f: &dyn Fn(usize) -> f64| 0.5 * (f(cells[0]) + f(cells[1]));
        let depth = top - fields.grid().center(cells[0]).z;
        [
            depth,
            mean(&|c| fields.velocity(c).map_or(f64::NAN, |u| u.x)),
            mean(&|c| fields.volume_fraction(c)),
            mean(&|c| fields.temperature(c).unwrap_or(f64::NAN)),
        ]
    });
    rows.filter(|row| row[2] > 0.1).collect()
}

fn design(preset: Preset) -> Vec<(Point, Vec<Law>)> {
    let mut design = Vec::new();
    for grain in [Grain::Sphere, Grain::Capsule] {
        match preset {
            Preset::Quick => {
                for mu in [0.3, 0.8] {
                    let point = |seed| Point { grain, mu, froude: 0.3, seed, radius: 0.018 };
                    design.extend((1..=2).map(|seed| (point(seed), LAWS.to_vec())));
                }
            }
            Preset::Full => {
                for mu in [0.3, 0.8] {
                    // Slow drums take long: fewer seeds where the Froude number only shows the trend.
                    for (froude, seeds) in [(0.02, 2), (0.05, 5), (0.2, 3)] {
                        for seed in 1..=seeds {
                            let mut laws = LAWS.to_vec();
                            if grain == Grain::Capsule && mu < 0.5 && seeds == 5 {
                                laws.push(Law::Cone);
                            }
                            design.push((Point { grain, mu, froude, seed, radius: 0.042 }, laws));
                        }
                    }
                }
            }
        }
    }
    if preset == Preset::Full {
        let clump = |seed| Point { grain: Grain::Clump, mu: 0.3, froude: 0.05, seed, radius: 0.042 };
        design.extend((1..=5).map(|seed| (clump(seed), LAWS.to_vec())));
    }
    design
}

fn simulate(preset: Preset, kept: &Kept) -> Result<Tables> {
    let design = design(preset);
    let mut pourings: Vec<Point> = Vec::new();
    for (point, _) in &design {
        if !pourings.iter().any(|p| p.bed_name() == point.bed_name()) {
            pourings.push(*point);
        }
    }
    let poured = flow::each(&pourings, |point| {
        let text = point.scene(false);
        kept.case(&point.bed_name(), &text, || Bed::pour(&text, 0.6))
    })?;
    let cases: Vec<(Point, Law)> =
        design.iter().flat_map(|(point, laws)| laws.iter().map(move |law| (*point, *law))).collect();
    let outcomes = flow::each(&cases, |(point, law)| {
        let bed = pourings.iter().position(|p| p.bed_name() == point.bed_name());
        let bed = &poured[bed.expect("a bed was poured for every point")];
        kept.case(&format!("{}-{law}", point.name()), &point.scene(true), || run(point, *law, bed))
    })?;
    let rows: Vec<Row> = cases
        .iter()
        .zip(&outcomes)
        .map(|((point, law), outcome)| Row {
            grain: point.grain.name(),
            law: *law,
            mu: point.mu,
            seed: point.seed,
            at: point.froude,
            values: outcome.values.clone(),
        })
        .collect();
    let columns: Vec<_> = COLUMNS.into_iter().chain(Watch::COLUMNS).collect();
    let runs = compare::table(&rows, AT, &columns);
    let differences = compare::differences(&runs, AT, &COMPARED)?;
    let shown = cases.iter().zip(&outcomes).find(|((point, law), _)| {
        point.grain == Grain::Capsule && *law == Law::MaxDissipation && point.froude > 0.03 && point.mu < 0.5
    });
    let frame = shown.map(|(_, outcome)| outcome.frame.as_slice()).unwrap_or_default();
    let first = &design[0].0;
    let setup =
        flow::setup(Setup::new(preset).with("macroscopic behaviour of a granular flow", "section 4", "", PAPER))
            .with("grains", first.count(), "", OURS)
            .with("radius of the drum", first.radius, "m", OURS)
            .with("width between frictionless walls", WIDTH, "m", OURS)
            .with("part that the bed fills", FILLED, "", OURS)
            .with("turns in all", TURNS, "", OURS)
            .with("turns before anything is measured", UNSTEADY, "", OURS)
            .with("volume fraction at the surface", SURFACE, "", OURS);
    Ok(Tables::new()
        .with("setup", setup.table())
        .with("runs", runs)
        .with("differences", differences)
        .with("profiles", profiles(&cases, &outcomes))
        .with("frame", flow::frame_table(frame)))
}

/// Profiles of the first seed.
fn profiles(cases: &[(Point, Law)], outcomes: &[Outcome]) -> Table {
    let mut words: [Vec<&str>; 2] = Default::default();
    let mut numbers: [Vec<f64>; 6] = Default::default();
    for ((point, law), outcome) in cases.iter().zip(outcomes).filter(|((point, _), _)| point.seed == 1) {
        for [depth, u, phi, t] in &outcome.profile {
            words.iter_mut().zip([point.grain.name(), law.name()]).for_each(|(column, word)| column.push(word));
            let row = [point.mu, point.froude, *depth, *u, *phi, *t];
            numbers.iter_mut().zip(row).for_each(|(column, number)| column.push(number));
        }
    }
    let [grain, law] = words;
    let [mu, froude, depth, u, phi, t] = numbers;
    Table::new()
        .with_words("grain", grain)
        .with_words("law", law)
        .with_numbers("mu", "1", mu)
        .with_numbers("froude", "1", froude)
        .with_numbers("depth", "m", depth)
        .with_numbers("velocity", "m/s", u)
        .with_numbers("volume_fraction", "1", phi)
        .with_numbers("temperature", "m²/s²", t)
}

fn present(tables: &Tables) -> Result<Presentation> {
    let (runs, differences) = (tables.get("runs")?, tables.get("differences")?);
    let x = || Axis::log("Froude number Ω²R/g", "");
    let mut panels = Vec::new();
    for grain in ["capsule", "sphere"] {
        panels.push(compare::mean_panel(runs, AT.0, grain, "angle", x(), Axis::linear("angle of repose", "°"))?);
    }
    let linear = || Axis::linear("Froude number Ω²R/g", "");
    for grain in ["capsule", "sphere"] {
        panels.push(compare::difference_panel(differences, AT.0, grain, "angle", linear())?);
    }
    panels.extend(profile_panels(tables.get("profiles")?)?);
    let mut sentences = Vec::new();
    for grain in ["sphere", "capsule"] {
        let said = compare::verdict(differences, "angle", grain)?;
        if !said.is_empty() {
            sentences.push(format!("{grain}s, angle: {said}."));
        }
    }
    let (loss, explained) = flow::explanation(runs, AT.0, "angle")?;
    let (solids, fast) = flow::solids(tables.get("frame")?)?;
    let radius: f64 =
        crate::experiment::setup::value(tables.get("setup")?, "radius of the drum")?.parse().unwrap_or(f64::NAN);
    let half = 0.5 * WIDTH;
    let mut view =
        View::from(-75.0, 12.0).with_revolution(Vec3::zeros(), Vec3::y(), &[[radius, -half], [radius, half]]);
    view.solids = solids;
    Ok(Presentation {
        method: "Grains settle once for each seed, friction and shape in the drum at rest; the same bed is turned under every law. \
                 Fields are averaged over the steady part of the run; the surface is where the volume fraction falls through half of \
                 a bed's, and the angle that of a straight line through it within the middle of the chord. Fixed before the run \
                 (literature): the angle rises with μ, between 15° and 50° for these frictions. Differences are paired by seed; \
                 intervals are Student's (95 %), verdicts Holm's over all rows of `differences.csv` (5 %)."
            .into(),
        finding: format!("{} {} {loss} {explained}", rising(runs)?, sentences.join(" ")),
        falsified_by: "Spheres that differ between `max-dissipation` and `coulomb` beyond the chaos of equal laws; an angle that \
                       falls with μ."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "drum",
        "Dynamic angle of repose against Froude number (thin: lower, thick: higher friction; bars: standard error over seeds); \
         middle: paired differences to `coulomb` with 95 % intervals; bottom: velocity and volume fraction below the middle of the \
         surface, capsules, lower friction, first seed.",
        Figure::page(2, 42.0, panels),
    )
    .with_picture(
        "drum-capsules",
        format!("Capsules under `max-dissipation`, dark at rest to light at {} m/s and above.", rounded(fast, 2)),
        view,
    )
    .with_claim(
        "The macro-scale behaviour of the friction model in a granular flow (section 4)",
        format!("rotating drum: {}", sentences.join(" ")),
    ))
}

/// The angles under `coulomb` and whether they rise with μ.
fn rising(runs: &Table) -> Result<String> {
    let mut parts = Vec::new();
    let (mut up, mut total) = (0, 0);
    let points = compare::points(runs, AT.0)?;
    let mean = |point: &compare::Point| -> Result<Sample> {
        Ok(Sample::of(&compare::values(runs, AT.0, point, Law::Coulomb, "angle")?))
    };
    for point in &points {
        let sample = mean(point)?;
        parts.push(format!(
            "{}° ± {}° ({}s, μ = {}, Fr = {})",
            rounded(sample.mean, 3),
            rounded(sample.error, 1),
            point.grain,
            rounded(point.mu, 1),
            rounded(point.at, 1)
        ));
        let alike = |p: &&compare::Point| p.grain == point.grain && (p.at - point.at).abs() < 1e-12 && p.mu < point.mu;
        if let Some(lower) = points.iter().find(alike) {
            total += 1;
            up += usize::from(sample.mean > mean(lower)?.mean);
        }
    }
    Ok(format!("Under `coulomb` the angle is {}; it rises with μ in {up} of {total} cases.", parts.join(", ")))
}

fn profile_panels(profiles: &Table) -> Result<Vec<Panel>> {
    let (grain, law, mu) = (profiles.words("grain")?, profiles.words("law")?, profiles.numbers("mu")?);
    let froude = profiles.numbers("froude")?;
    let lowest = mu.iter().copied().fold(f64::INFINITY, f64::min);
    // The speed of the main comparison: the middle one where there are three.
    let mut speeds: Vec<f64> = froude.to_vec();
    speeds.sort_by(f64::total_cmp);
    speeds.dedup();
    let main = speeds.get(speeds.len() / 2).copied().unwrap_or(f64::NAN);
    let x = || Axis::linear("depth below the surface", "m");
    let mut velocity = Panel::new("capsules", x(), Axis::linear("velocity along x", "m/s"));
    let mut phi = Panel::new("capsules", x(), Axis::linear("volume fraction φ", ""));
    for each in LAWS {
        let of = |r: usize| {
            grain[r] == "capsule"
                && law[r] == each.name()
                && (mu[r] - lowest).abs() < 1e-9
                && (froude[r] - main).abs() < 1e-9
        };
        let stroke = law_stroke(each);
        velocity = velocity.with(Layer::marked(profiles.points("depth", "velocity", of)?, stroke, ""));
        phi = phi.with(Layer::marked(profiles.points("depth", "volume_fraction", of)?, stroke, ""));
    }
    Ok(vec![velocity, phi])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drum_turns_at_its_froude_number() {
        let point = Point { grain: Grain::Sphere, mu: 0.3, froude: 0.05, seed: 1, radius: 0.042 };
        assert!((point.speed().powi(2) * point.radius / 9.81 - 0.05).abs() < 1e-12);
    }
}

//! `collapse`: a column of grains is let go and spreads: run-out and final height against aspect ratio.

use crate::analysis::Dissipated;
use crate::analysis::edge;
use crate::analysis::largest_cluster;
use crate::analysis::radius_of_share;
use crate::analysis::run_out;
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
use crate::figure::Dash;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Stroke;
use crate::figure::View;
use crate::figure::percent;
use crate::figure::rounded;
use crate::law::Law;
use crate::math::Vec3;
use crate::simulation::Simulation;
use crate::world::World;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "collapse",
    question: "How far does a column of grains spread when it is let go, how high does it stay, and does the friction law of \
               the impacts matter for either?",
    simulate,
    present,
};

/// Volume fraction by which the radius of a column is chosen.
const PACKING: f64 = 0.58;
/// Volume fraction in which the grains are thrown in.
const LOOSE: f64 = 0.18;
/// Share of the volume by whose radius the run-out is told, and that radius by the radius of a cone, x in 3x² − 2x³ = 0.8: a
/// few grains that roll ahead do not count, and what has spread to a single layer still has a run-out.
const SHARE: f64 = 0.8;
const CONE: f64 = 0.712_859;
/// Sectors of the reach.
const SECTORS: usize = 24;
/// Rings in which the depth of the deposit is taken: width in diameters, and how many.
const RING: f64 = 1.5;
const RINGS: usize = 60;
/// Depth in diameters of a packed bed at which a deposit ends: less than a layer of grains side by side. Balls roll on
/// without end on a flat floor, so that the farthest grain says little.
const EDGE: f64 = 0.5;
/// What is varied.
const AT: (&str, &str) = ("aspect", "1");
/// Quantities compared between laws.
const COMPARED: [&str; 3] = ["run_out", "final_height", "friction_share"];

/// One point of the design.
#[derive(Clone, Copy, Debug)]
struct Point {
    grain: Grain,
    mu: f64,
    aspect: f64,
    seed: u64,
    count: usize,
}

impl Point {
    /// Radius of the column in m: count · V = PACKING π r² · aspect r.
    fn radius(&self) -> f64 {
        (self.count as f64 * flow::volume() / (PACKING * std::f64::consts::PI * self.aspect)).cbrt()
    }

    fn scene(&self, with_tube: bool) -> String {
        let r = self.radius();
        let height = self.count as f64 * flow::volume() / (LOOSE * std::f64::consts::PI * r * r);
        let region = format!("{{ kind = \"cylinder\", base = [0, 0, 0], radius = {r}, height = {height} }}");
        let mut text = flow::head(self.grain, self.mu, self.count, self.seed, &region);
        text += "[[walls]]\nname = \"floor\"\nshape = { kind = \"half-space\" }\nmaterial = \"grain\"\n";
        if with_tube {
            text += &format!(
                "[[walls]]\nname = \"tube\"\nshape = {{ kind = \"tube\", radius = {r} }}\nmaterial = \"smooth\"\n"
            );
        }
        text
    }

    fn name(&self) -> String {
        format!("{}-mu{}-aspect{}-seed{}", self.grain.name(), self.mu, self.aspect, self.seed)
    }
}

/// What a run gives.
#[derive(serde::Serialize, serde::Deserialize)]
struct Outcome {
    values: Vec<f64>,
    frame: Vec<[f64; 8]>,
}

/// Names and units of the values before those of [`Watch`].
const COLUMNS: [(&str, &str); 11] = [
    ("initial_radius", "m"),
    ("initial_height", "m"),
    ("run_out", "1"),
    ("edge", "1"),
    ("reach", "1"),
    ("reach_error", "1"),
    ("final_height", "1"),
    ("in_heap", "1"),
    ("friction_share", "1"),
    ("final_speed", "m/s"),
    ("bed_speed", "m/s"),
];

/// Highest point of a body in m.
fn top(world: &World, i: usize) -> f64 {
    world.positions()[i].z + world.shapes()[i].aabb(&world.orientations()[i]).max.z
}

fn run(point: &Point, law: Law, bed: &Bed) -> Result<Outcome> {
    let text = point.scene(false);
    let mut simulation = bed.begin(&text, law)?;
    let height = bed.top() + 0.5 * flow::DIAMETER;
    let fall = (height / 9.81).sqrt();
    // Fronts stop after about three times √(h/g); the rest settles.
    let steps = ((5.0 * fall + 0.1) / flow::STEP).ceil() as u64;
    let shown = (1.5 * fall / flow::STEP).ceil() as u64;
    let mut watch = Watch::default();
    let mut frame = Vec::new();
    for step in 1..=steps {
        let record = simulation.step();
        watch.see(&simulation, &record);
        if step == shown {
            frame = flow::frame(&simulation);
        }
    }
    let mut values = measure(point, &simulation, height);
    values.extend([flow::rms_speed(&simulation), bed.speed]);
    values.extend(watch.values());
    Ok(Outcome { values, frame })
}

/// Run-out and height of the largest heap.
fn measure(point: &Point, simulation: &Simulation, height: f64) -> Vec<f64> {
    let world = simulation.world();
    let member: Vec<bool> = world.free().to_vec();
    // Under `penalty` no list of contacts is kept: then all grains count.
    let pairs = simulation.contacts().iter().map(|contact| (contact.a as usize, contact.b as usize));
    let heap = if simulation.contacts().is_empty() { member.clone() } else { largest_cluster(&member, pairs) };
    let inside: Vec<usize> = (0..world.len()).filter(|i| heap[*i]).collect();
    let center = inside.iter().fold(Vec3::zeros(), |sum, i| sum + world.positions()[*i]) / inside.len().max(1) as f64;
    let points: Vec<[f64; 2]> = inside.iter().map(|i| [world.positions()[*i].x, world.positions()[*i].y]).collect();
    let reach: Vec<f64> = vec![0.5 * flow::DIAMETER; inside.len()];
    let radius = point.radius();
    let (far, error) = run_out(&points, &reach, [center.x, center.y], SECTORS)
        .map_or((f64::NAN, f64::NAN), |out| ((out.mean - radius) / radius, out.error / radius));
    let grains: Vec<usize> = (0..world.len()).filter(|i| world.is_free(*i)).collect();
    let all: Vec<[f64; 2]> = grains.iter().map(|i| [world.positions()[*i].x, world.positions()[*i].y]).collect();
    let volumes: Vec<f64> = grains.iter().map(|i| world.shapes()[*i].volume()).collect();
    let border = edge(&all, &volumes, [0.0, 0.0], (RING * flow::DIAMETER, RINGS), EDGE * PACKING * flow::DIAMETER)
        .map_or(f64::NAN, |edge| (edge - radius) / radius);
    let out =
        radius_of_share(&all, &volumes, [0.0, 0.0], SHARE).map_or(f64::NAN, |within| (within / CONE - radius) / radius);
    let highest = inside.iter().map(|i| top(world, *i)).fold(0.0, f64::max);
    let total = &simulation.memory().ledger.total;
    let lost = Dissipated::between(&crate::simulation::Work::default(), total);
    let members = member.iter().filter(|m| **m).count();
    let share = inside.len() as f64 / members as f64;
    vec![radius, height, out, border, far, error, highest / radius, share, lost.friction_share()]
}

/// The design: points of the main comparison with the laws, and single points of other laws and grains.
fn design(preset: Preset) -> Vec<(Point, Vec<Law>)> {
    let point = |grain, mu, aspect, seed, count| Point { grain, mu, aspect, seed, count };
    let mut design = Vec::new();
    let (seeds, aspects, frictions, count): (u64, &[f64], &[f64], usize) = match preset {
        Preset::Quick => (3, &[1.5], &[0.3, 0.8], 60),
        Preset::Full => (5, &[0.75, 1.5, 3.0], &[0.3, 0.8], 300),
    };
    for grain in [Grain::Sphere, Grain::Capsule] {
        for &mu in frictions {
            for &aspect in aspects {
                for seed in 1..=seeds {
                    let mut laws = LAWS.to_vec();
                    // One point of the other laws.
                    if preset == Preset::Full && grain == Grain::Capsule && mu > 0.5 && aspect > 1.0 && aspect < 2.0 {
                        laws.extend([Law::Cone, Law::Penalty]);
                    }
                    design.push((point(grain, mu, aspect, seed, count), laws));
                }
            }
        }
    }
    if preset == Preset::Full {
        design.extend((1..=seeds).map(|seed| (point(Grain::Clump, 0.8, 1.5, seed, count), LAWS.to_vec())));
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
        let name = format!("{}-{law}", point.name());
        kept.case(&name, &point.scene(false), || run(point, *law, bed))
    })?;
    let rows: Vec<Row> = cases
        .iter()
        .zip(&outcomes)
        .map(|((point, law, _), outcome)| Row {
            grain: point.grain.name(),
            law: *law,
            mu: point.mu,
            seed: point.seed,
            at: point.aspect,
            values: outcome.values.clone(),
        })
        .collect();
    let columns: Vec<_> = COLUMNS.into_iter().chain(Watch::COLUMNS).collect();
    let runs = compare::table(&rows, AT, &columns);
    let differences = compare::differences(&runs, AT, &COMPARED)?;
    let shown = cases.iter().zip(&outcomes).find(|((point, law, _), _)| {
        point.grain == Grain::Capsule && *law == Law::MaxDissipation && point.mu > 0.5 && point.aspect > 1.0
    });
    let frame = shown.map(|(_, outcome)| outcome.frame.as_slice()).unwrap_or_default();
    let first = &design[0].0;
    let setup =
        flow::setup(Setup::new(preset).with("macroscopic behaviour of a granular flow", "section 4", "", PAPER))
            .with("grains of a column", first.count, "", OURS)
            .with("volume fraction by which the radius is chosen", PACKING, "", OURS)
            .with(
                "column",
                "poured into a frictionless tube that vanishes at once, on a floor of the same friction",
                "",
                OURS,
            )
            .with("duration", "5 √(h/g) + 0.1 s", "", OURS);
    Ok(Tables::new()
        .with("setup", setup.table())
        .with("runs", runs)
        .with("differences", differences)
        .with("frame", flow::frame_table(frame)))
}

fn present(tables: &Tables) -> Result<Presentation> {
    let (runs, differences) = (tables.get("runs")?, tables.get("differences")?);
    let x = || Axis::linear("aspect ratio h/r", "");
    let mut panels = Vec::new();
    for (quantity, label) in [("run_out", "run-out (r − r₀)/r₀"), ("final_height", "final height / r₀")] {
        for grain in ["capsule", "sphere"] {
            let mut panel = compare::mean_panel(runs, AT.0, grain, quantity, x(), Axis::linear(label, ""))?;
            if quantity == "run_out" {
                let law: Vec<[f64; 2]> = [0.75, 1.0, 1.5, 1.7, 2.0, 2.5, 3.0].map(|a| [a, literature(a)]).to_vec();
                panel = panel.with(Layer::line(law, Stroke::guide(Dash::Dashed), "sand [Lube 2004]"));
            }
            panels.push(panel);
        }
    }
    for grain in ["capsule", "sphere"] {
        panels.push(compare::difference_panel(differences, AT.0, grain, "run_out", x())?);
    }
    let mut sentences = Vec::new();
    for grain in ["sphere", "capsule"] {
        for quantity in ["run_out", "final_height"] {
            let said = compare::verdict(differences, quantity, grain)?;
            if !said.is_empty() {
                sentences
                    .push(format!("{grain}s, {}: {said}.", quantity.replace("run_out", "run-out").replace('_', " ")));
            }
        }
    }
    let (loss, explained) = flow::explanation(runs, AT.0, "run_out")?;
    let rising = rising(tables)?;
    let (solids, fast) = flow::solids(tables.get("frame")?)?;
    let mut view = View::from(-60.0, 25.0);
    let half = solids.iter().flat_map(|s| s.ends).map(|p| p.x.abs().max(p.y.abs())).fold(0.0, f64::max) + 0.01;
    view.solids = solids;
    let view = view.with_floor(Vec3::zeros(), half);
    let comparison = format!("{} {loss} {explained}", sentences.join(" "));
    Ok(Presentation {
        method: format!(
            "Grains are poured once for each seed, friction and shape; the same bed at rest is let go under every law. Run-out: the \
             radius of a cone that has {SHARE} of its volume within the same radius as the deposit; height: the highest point of \
             the largest heap that contacts join. `edge`: the radius at which the deposit is thinner than a packed bed of {EDGE} \
             diameters (rings of {RING} diameters; empty where it is so everywhere); `reach`: the farthest grain of that heap, \
             mean over {SECTORS} sectors. Balls roll on without end on a flat floor: the time at which all is taken is the same \
             for all laws. Differences are paired by seed; intervals are Student's (95 %), verdicts Holm's over all rows of `differences.csv` \
             (5 %). Fixed before the run (literature: Lube et al. 2004, sand): run-out 1.24 a up to a = 1.7, then 1.6 √a; a \
             column of a few hundred grains is expected within half to three halves of that."
        ),
        finding: format!("{rising} {comparison}"),
        falsified_by: "Spheres that differ between `max-dissipation` and `coulomb` beyond the chaos of equal laws; run-out that does \
                       not rise with the aspect ratio; verdicts that turn with other seeds."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "collapse",
        "Run-out and final height against aspect ratio (thin: lower, thick: higher friction; bars: standard error over seeds); \
         bottom: paired differences of the run-out to `coulomb` with 95 % intervals (left of a place the lower, right the \
         higher friction).",
        Figure::page(2, 42.0, panels),
    )
    .with_picture(
        "collapse-capsules",
        format!(
            "Capsules under `max-dissipation` 1.5 √(h/g) after the release, dark at rest to light at {} m/s and above.",
            rounded(fast, 2)
        ),
        view,
    )
    .with_claim(
        "The macro-scale behaviour of the friction model in a granular flow (section 4)",
        format!("collapse of a column: {}", sentences.join(" ")),
    ))
}

/// Run-out of sand after [Lube 2004].
fn literature(aspect: f64) -> f64 {
    if aspect < 1.7 { 1.24 * aspect } else { 1.6 * aspect.sqrt() }
}

/// Whether run-out rises with the aspect ratio and lies in the range that was fixed before.
fn rising(tables: &Tables) -> Result<String> {
    let runs = tables.get("runs")?;
    let (mut inside, mut all) = (0, 0);
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut means: Vec<(String, f64, f64, f64)> = Vec::new();
    for point in compare::points(runs, AT.0)? {
        let sample = crate::analysis::Sample::of(&compare::values(runs, AT.0, &point, Law::Coulomb, "run_out")?);
        if !sample.mean.is_finite() {
            continue;
        }
        let share = sample.mean / literature(point.at);
        all += 1;
        inside += usize::from((0.5..=1.5).contains(&share));
        least = least.min(share);
        most = most.max(share);
        means.push((point.grain.clone(), point.mu, point.at, sample.mean));
    }
    let steps =
        means.windows(2).filter(|w| w[0].0 == w[1].0 && w[0].1.to_bits() == w[1].1.to_bits() && w[0].2 < w[1].2);
    let (mut up, mut total) = (0, 0);
    for pair in steps {
        total += 1;
        up += usize::from(pair[1].3 > pair[0].3);
    }
    let grows =
        if total == 0 { String::new() } else { format!("It rises with the aspect ratio in {up} of {total} steps. ") };
    Ok(format!(
        "Under `coulomb` the run-out is {} to {} of that of sand, inside the range fixed before the run at {inside} of {all} points. \
         {grows}",
        percent(least, 2),
        percent(most, 2)
    )
    .trim_end()
    .to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cone_has_four_fifths_of_its_volume_within_the_radius_that_is_used() {
        assert!((3.0 * CONE.powi(2) - 2.0 * CONE.powi(3) - SHARE).abs() < 1e-5);
    }

    #[test]
    fn the_column_has_the_aspect_ratio_that_is_asked_for() {
        let point = Point { grain: Grain::Sphere, mu: 0.3, aspect: 1.5, seed: 1, count: 40 };
        let r = point.radius();
        let height = 40.0 * flow::volume() / (PACKING * std::f64::consts::PI * r * r);
        assert!((height / r - 1.5).abs() < 1e-12);
    }
}

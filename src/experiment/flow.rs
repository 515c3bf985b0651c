//! What the flows share: grains, beds that are poured once and reused, what is watched in a run, pictures.

use crate::analysis::FrictionSummary;
use crate::analysis::friction;
use crate::analysis::touches;
use crate::error::Result;
use crate::experiment::compare;
use crate::experiment::setup::OURS;
use crate::experiment::setup::Setup;
use crate::experiment::statistics;
use crate::figure::Solid;
use crate::figure::Table;
use crate::figure::percent;
use crate::figure::rounded;
use crate::figure::shade;
use crate::law::Law;
use crate::math::Quat;
use crate::math::Vec3;
use crate::scene;
use crate::scene::Scene;
use crate::shape::Shape;
use crate::simulation::BodyState;
use crate::simulation::Simulation;
use crate::simulation::StepRecord;
use crate::simulation::available_threads;
use crate::simulation::build;
use crate::simulation::in_threads;
use crate::world::Velocity;
use nalgebra::Quaternion;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering;

/// Diameter in m of the ball that has the volume of a grain of size 1.
pub(in crate::experiment) const DIAMETER: f64 = 0.006;
/// Density of the grains in kg/m³.
pub(in crate::experiment) const DENSITY: f64 = 2500.0;
/// Step in s: 0.02 √(d/g).
pub(in crate::experiment) const STEP: f64 = 5e-4;
/// Residual at which a step has converged, and most sweeps. A tenth of the default accuracy: flows are averaged.
const TOLERANCE: f64 = 1e-3;
const MAX_SWEEPS: u32 = 100;
/// Stiffness in N/m under `penalty`, which no other law reads: a grain that falls its own diameter overlaps by about 2 % of it.
const STIFFNESS: f64 = 2e3;
/// Steps between two looks at the friction in the contacts.
const LOOK: u64 = 10;
/// The law under which beds are poured.
const POURING: Law = Law::Coulomb;

/// Kind of grain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::experiment) enum Grain {
    /// Ball: the control, for which maximum dissipation and Coulomb's law are one.
    Sphere,
    /// Capsule twice as long as wide.
    Capsule,
    /// Two overlapping balls, their centres 1.5 radii apart.
    Clump,
}

impl Grain {
    /// Name in tables.
    pub(in crate::experiment) fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Capsule => "capsule",
            Self::Clump => "clump",
        }
    }

    /// The shape in a scene file; all kinds have one volume.
    ///
    /// ```text
    /// V = 4/3 π R³;  capsule (4/3 + 2) π r³;  two balls 8/3 π r³ − π/12 (4 + 1.5)(2 − 1.5)² r³
    /// ```
    fn shape(self) -> String {
        let r = 0.5 * DIAMETER;
        match self {
            Self::Sphere => format!("{{ kind = \"sphere\", radius = {r} }}"),
            Self::Capsule => {
                let r = r * 0.4_f64.cbrt();
                format!("{{ kind = \"capsule\", radius = {r}, length = {} }}", 2.0 * r)
            }
            Self::Clump => {
                let r = r * (4.0_f64 / 3.0 / (8.0 / 3.0 - 5.5 * 0.25 / 12.0)).cbrt();
                let ball = |x: f64| format!("{{ center = [{x}, 0, 0], radius = {r} }}");
                format!("{{ kind = \"clump\", balls = [{}, {}] }}", ball(-0.75 * r), ball(0.75 * r))
            }
        }
    }
}

/// Volume of a grain of size 1 in m³.
pub(in crate::experiment) fn volume() -> f64 {
    Shape::sphere(0.5 * DIAMETER).volume()
}

/// The head of a scene: numerics, the material `grain` of friction μ and the frictionless `smooth`, and `count` grains in
/// `region` (TOML).
pub(in crate::experiment) fn head(grain: Grain, mu: f64, count: usize, seed: u64, region: &str) -> String {
    format!(
        "version = 1\nname = \"flow\"\nstep = {STEP}\nduration = 1.0\n\n\
         [numerics]\ntolerance = {TOLERANCE}\nmax-sweeps = {MAX_SWEEPS}\nclosed-form = false\nallowed-overlap = 0.2\n\n\
         [materials.grain]\ndensity = {DENSITY}\nfriction = {mu}\nstiffness = {STIFFNESS}\n\n\
         [materials.smooth]\ndensity = {DENSITY}\nfriction = 0.0\nstiffness = {STIFFNESS}\n\n\
         [[fill]]\nname = \"grain\"\nshape = {}\nsize = {{ kind = \"uniform\", min = 0.9, max = 1.1 }}\n\
         material = \"grain\"\ncount = {count}\nseed = {seed}\nregion = {region}\n\n",
        grain.shape()
    )
}

/// Reads a scene that this program wrote.
pub(in crate::experiment) fn read(text: &str) -> Result<Scene> {
    scene::parse("scene of the experiment", text, &[])
}

/// A bed: place and turn of each grain, at rest.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub(in crate::experiment) struct Bed {
    grains: Vec<(String, [f64; 7])>,
    /// Root of the mean square speed in m/s at which the pouring ended.
    pub(in crate::experiment) speed: f64,
}

impl Bed {
    /// Pours a scene until the grains move slower than 0.01 √(g d) in the mean square, or for `longest` s.
    pub(in crate::experiment) fn pour(text: &str, longest: f64) -> Result<Self> {
        let built = build(&read(text)?, POURING, None)?;
        let names = built.names.clone();
        let mut simulation = built.simulation()?;
        let slow = 0.01 * (9.81 * DIAMETER).sqrt();
        loop {
            simulation.step();
            let time = simulation.memory().time;
            // The first fifth is free fall from rest.
            if time > longest || (time > 0.2 * longest && rms_speed(&simulation) < slow) {
                break;
            }
        }
        let world = simulation.world();
        let grains = (0..world.len()).filter(|i| world.is_free(*i)).map(|i| {
            let (x, q) = (world.positions()[i], world.orientations()[i]);
            (names[i].clone(), [x.x, x.y, x.z, q.w, q.i, q.j, q.k])
        });
        Ok(Self { grains: grains.collect(), speed: rms_speed(&simulation) })
    }

    /// A scene of the same grains, begun from the bed at rest.
    pub(in crate::experiment) fn begin(&self, text: &str, law: Law) -> Result<Simulation> {
        let state = |(name, [x, y, z, w, i, j, k]): &(String, [f64; 7])| BodyState {
            name: name.clone(),
            position: Vec3::new(*x, *y, *z),
            orientation: Quat::new_normalize(Quaternion::new(*w, *i, *j, *k)),
            velocity: Velocity::default(),
        };
        let states: Vec<_> = self.grains.iter().map(state).collect();
        build(&read(text)?, law, Some(&states))?.simulation()
    }

    /// The height in m of the topmost centre.
    pub(in crate::experiment) fn top(&self) -> f64 {
        self.grains.iter().map(|(_, x)| x[2]).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Root of the mean square speed of the free bodies in m/s.
pub(in crate::experiment) fn rms_speed(simulation: &Simulation) -> f64 {
    let world = simulation.world();
    let free = || (0..world.len()).filter(|i| world.is_free(*i));
    let sum: f64 = free().map(|i| world.velocities()[i].linear.norm_squared()).sum();
    (sum / free().count().max(1) as f64).sqrt()
}

/// What every run reports: accuracy, and what friction does in the contacts.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::experiment) struct Watch {
    friction: FrictionSummary,
    steps: f64,
    missed: f64,
    sweeps: f64,
    overlap: f64,
}

impl Watch {
    /// Names and units of what [`Watch::values`] gives.
    pub(in crate::experiment) const COLUMNS: [(&'static str, &'static str); 8] = [
        ("sliding_share", "1"),
        ("mobilised", "1"),
        ("effective_friction_over_mu", "1"),
        ("effective_friction_over_mu_by_work", "1"),
        ("deflection", "deg"),
        ("missed_steps", "1"),
        ("sweeps_a_step", "1"),
        ("largest_overlap_by_diameter", "1"),
    ];

    /// Takes note of a step.
    pub(in crate::experiment) fn see(&mut self, simulation: &Simulation, record: &StepRecord) {
        let report = &record.solve.report;
        self.steps += 1.0;
        self.sweeps += (report.sweeps + record.impacts.map_or(0, |i| i.report.sweeps)) as f64;
        let residual = record.impacts.map_or(report.residual, |i| i.report.residual.max(report.residual));
        self.missed += f64::from(residual > 10.0 * TOLERANCE);
        self.overlap = self.overlap.max(record.overlap);
        if record.step.is_multiple_of(LOOK) {
            self.friction.add(&friction(&touches(simulation)));
        }
    }

    /// Share of sliding contacts, mobilised friction, effective friction (plain, by work), deflection; share of steps
    /// that missed ten times the tolerance, sweeps a step, largest overlap.
    pub(in crate::experiment) fn values(&self) -> [f64; 8] {
        let f = &self.friction;
        [
            f.sliding_share(),
            f.mobilised(),
            f.effective(),
            f.effective_by_work(),
            f.deflection(),
            self.missed / self.steps,
            self.sweeps / self.steps,
            self.overlap / DIAMETER,
        ]
    }
}

/// Does `work` on each item, as many at once as there are threads, each on one thread; results in the order of the items.
///
/// # Errors
///
/// That of the first item that fails.
pub(in crate::experiment) fn each<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<R>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..available_threads().min(items.len()).max(1) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = in_threads(1, || work(item)).and_then(|result| result);
                    let failed = result.is_err();
                    done.lock().expect("no thread panics while it holds the lock").push((index, result));
                    if failed {
                        // Nothing new is begun.
                        next.store(items.len(), Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no thread panics while it holds the lock");
    done.sort_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A frame for a picture: each ball or capsule with its ends, radius and speed, seven and one numbers, to the micrometre.
pub(in crate::experiment) fn frame(simulation: &Simulation) -> Vec<[f64; 8]> {
    let world = simulation.world();
    let fine = |x: f64| (x * 1e6).round() / 1e6;
    let mut solids = Vec::new();
    for i in (0..world.len()).filter(|i| world.is_free(*i)) {
        let (x, q) = (world.positions()[i], world.orientations()[i]);
        let at = |p: Vec3| x + q.transform_vector(&p);
        let speed = world.velocities()[i].linear.norm();
        let mut push = |a: Vec3, b: Vec3, r: f64| {
            solids.push([a.x, a.y, a.z, b.x, b.y, b.z, r, speed].map(fine));
        };
        match &world.shapes()[i] {
            Shape::Sphere { radius } => push(x, x, *radius),
            Shape::Capsule { radius, half_length } => {
                let end = Vec3::z() * *half_length;
                push(at(-end), at(end), *radius);
            }
            Shape::Clump { balls } => balls.iter().for_each(|ball| push(at(ball.center), at(ball.center), ball.radius)),
            _ => {}
        }
    }
    solids
}

/// A frame as a table.
pub(in crate::experiment) fn frame_table(solids: &[[f64; 8]]) -> Table {
    const NAMES: [(&str, &str); 8] = [
        ("ax", "m"),
        ("ay", "m"),
        ("az", "m"),
        ("bx", "m"),
        ("by", "m"),
        ("bz", "m"),
        ("radius", "m"),
        ("speed", "m/s"),
    ];
    NAMES.into_iter().enumerate().fold(Table::new(), |table, (k, (name, unit))| {
        table.with_numbers(name, unit, solids.iter().map(|solid| solid[k]).collect())
    })
}

/// The solids of a frame, dark at rest to light at the speed that 95 % stay below, and that speed in m/s.
pub(in crate::experiment) fn solids(table: &Table) -> Result<(Vec<Solid>, f64)> {
    let column = |name: &str| table.numbers(name);
    let (a, b) = ([column("ax")?, column("ay")?, column("az")?], [column("bx")?, column("by")?, column("bz")?]);
    let (radius, speed) = (column("radius")?, column("speed")?);
    let mut sorted = speed.to_vec();
    sorted.sort_by(f64::total_cmp);
    let fast = statistics::quantile(&sorted, 0.95);
    let end = |e: &[&[f64]; 3], i: usize| Vec3::new(e[0][i], e[1][i], e[2][i]);
    let solid = |i: usize| Solid {
        ends: [end(&a, i), end(&b, i)],
        radius: radius[i],
        color: shade(if fast > 0.0 { speed[i] / fast } else { 0.0 }),
    };
    Ok(((0..table.rows()).map(solid).collect(), fast))
}

/// The rows of a set-up that all flows share.
pub(in crate::experiment) fn setup(setup: Setup) -> Setup {
    setup
        .with("diameter of the ball with a grain's volume", DIAMETER, "m", OURS)
        .with("sizes", "uniform between 0.9 and 1.1 of that", "", OURS)
        .with("capsules", "twice as long as wide", "", OURS)
        .with("clumps", "two balls, their centres 1.5 radii apart", "", OURS)
        .with("density", DENSITY, "kg/m³", OURS)
        .with("gravity", 9.81, "m/s²", OURS)
        .with("step", STEP, "s", OURS)
        .with("tolerance", TOLERANCE, "", OURS)
        .with("most sweeps a step", MAX_SWEEPS, "", OURS)
        .with("stiffness under penalty", STIFFNESS, "N/m", OURS)
        .with("contacts of spheres", "by the general path, closed form off", "", OURS)
        .with("law under which beds are poured", POURING.name(), "", OURS)
}

/// Two sentences: the loss of effective friction under `max-dissipation`, and whether it explains the difference of a
/// quantity to `coulomb`.
pub(in crate::experiment) fn explanation(runs: &Table, at: &str, quantity: &str) -> Result<(String, String)> {
    let mut losses = Vec::new();
    for grain in ["sphere", "capsule", "clump"] {
        let mut etas = Vec::new();
        for point in compare::points(runs, at)?.iter().filter(|point| point.grain == grain) {
            let column = "effective_friction_over_mu_by_work";
            etas.extend(
                compare::values(runs, at, point, Law::MaxDissipation, column)?.into_iter().filter(|x| x.is_finite()),
            );
        }
        if !etas.is_empty() {
            let least = etas.iter().copied().fold(f64::INFINITY, f64::min);
            let mean = etas.iter().sum::<f64>() / etas.len() as f64;
            losses.push(format!("{} in the mean and {} at least for {grain}s", rounded(mean, 4), rounded(least, 4)));
        }
    }
    let loss = format!(
        "Friction in sliding contacts, weighted by the work it could do, acts against the slip with this share of μ under \
         `max-dissipation`: {}.",
        losses.join(", ")
    );
    let seen = compare::explained(runs, at, "capsule", quantity)?;
    if seen.is_empty() {
        return Ok((loss, String::new()));
    }
    let parts = seen.iter().map(|(place, expected, found)| {
        format!("{} expected, {} found at {at} {}", percent(*expected, 1), percent(*found, 1), rounded(*place, 2))
    });
    let what = quantity.replace("run_out", "run-out").replace('_', " ");
    Ok((
        loss,
        format!(
            "Were that loss all, the {what} of capsules at the higher friction would change, by its slope in μ under `coulomb`: {}.",
            parts.collect::<Vec<_>>().join("; ")
        ),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_of_grain_have_one_volume() {
        for grain in [Grain::Sphere, Grain::Capsule, Grain::Clump] {
            let region = "{ kind = \"box\", min = [0, 0, 0], max = [1, 1, 1] }";
            let scene = read(&head(grain, 0.5, 1, 1, region)).expect("a scene");
            let v = scene.fill[0].shape.volume();
            // The union of balls is measured to about 1e-3.
            assert!((v / volume() - 1.0).abs() < 5e-3, "{}: {v} for {}", grain.name(), volume());
        }
    }

    #[test]
    fn results_come_in_the_order_of_the_items_and_the_first_failure_counts() {
        let squares = each(&[1, 2, 3, 4, 5], |x| Ok(x * x)).expect("done");
        assert_eq!(squares, [1, 4, 9, 16, 25]);
        let failed =
            each(&[1, 2, 3], |x| if *x == 2 { Err(crate::error::Error::input("x", "2", "not 2")) } else { Ok(*x) });
        assert!(failed.is_err());
    }
}

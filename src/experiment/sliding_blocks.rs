//! `sliding-blocks`: friction of a sliding cube, and friction, turning and stopping distance of a block on three feet.

use crate::error::Error;
use crate::error::Result;
use crate::experiment::Experiment;
use crate::experiment::Kept;
use crate::experiment::Preset;
use crate::experiment::Tables;
use crate::experiment::page::Presentation;
use crate::experiment::setup::OURS;
use crate::experiment::setup::PAPER;
use crate::experiment::setup::Setup;
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
use crate::law::Law;
use crate::material::MaterialId;
use crate::material::Materials;
use crate::math::Vec3;
use crate::shape::Ball;
use crate::shape::Shape;
use crate::simulation::Settings;
use crate::simulation::Simulation;
use crate::world::Body;
use crate::world::World;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "sliding-blocks",
    question: "With how much of μ does friction brake a sliding cube and a block on three feet, does the block turn, and where does \
               it stop, under every law that a run takes?",
    simulate,
    present,
};

const GRAVITY: f64 = 10.0;
/// Speed of the cube in m/s, its step in s, and the steps over which its friction is taken. In time the cube turns: the
/// loads of its four corners are not unique.
const CUBE_SPEED: f64 = 8.0;
const CUBE_STEP: f64 = 1e-5;
const CUBE_STEPS: u32 = 10;
/// Time in s over which friction is taken under `penalty`, where the load swings in at first.
const PENALTY_TIME: f64 = 0.2;
/// Speed of the block in m/s, height of its centre and radius of its feet in m; the feet stand on a circle of 1 m.
const BLOCK_SPEED: f64 = 2.0;
const HEIGHT: f64 = 0.3;
const FOOT: f64 = 0.05;
/// Turn of the feet from the direction of sliding in rad: no symmetry.
const TURNED: f64 = 0.4;
/// Laws with friction.
const LAWS: [Law; 5] = [Law::MaxDissipation, Law::TwoStage, Law::Coulomb, Law::Cone, Law::Penalty];

fn simulation(law: Law, mu: f64, body: Body, dt: f64) -> Result<Simulation> {
    let floor = Body::new(Shape::HalfSpace, MaterialId(0)).fixed();
    let materials = Materials::single(1.0, mu).map_err(Error::Input)?;
    let world = World::new(Vec3::new(0.0, 0.0, -GRAVITY), materials, vec![body, floor])?;
    Simulation::new(world, Settings { tolerance: 1e-13, max_sweeps: 5000, ..Settings::new(law, dt) })
}

/// Friction over μ of a cube that slides along a face normal, and the speed at which it leaves the ground in m/s.
fn cube(law: Law, mu: f64) -> Result<[f64; 2]> {
    let cube = Body::new(Shape::cuboid(1.0, 1.0, 1.0), MaterialId(0)).at(Vec3::new(0.0, 0.0, 0.5));
    let cube = cube.moving(Vec3::new(CUBE_SPEED, 0.0, 0.0), Vec3::zeros());
    let dt = if law == Law::Penalty { 1e-3 } else { CUBE_STEP };
    let mut run = simulation(law, mu, cube, dt)?;
    let steps = if law == Law::Penalty { (PENALTY_TIME / dt) as u32 } else { CUBE_STEPS };
    run.step();
    let before = run.world().velocities()[0].linear;
    (0..steps).for_each(|_| {
        run.step();
    });
    let after = run.world().velocities()[0].linear;
    let friction = (before.x - after.x) / (GRAVITY * dt * f64::from(steps));
    Ok([friction / mu, before.z])
}

/// A block on three feet, stopping: distance in m, turn in degrees, drift across in m, greatest height in m, time in s.
fn block(law: Law, mu: f64, dt: f64) -> Result<[f64; 5]> {
    // The same three feet above, so that the centre of mass of the shape is its origin.
    let balls = [0.0_f64, 2.0, 4.0].into_iter().flat_map(|k| {
        let (sin, cos) = (k * std::f64::consts::FRAC_PI_3 + TURNED).sin_cos();
        [FOOT - HEIGHT, HEIGHT - FOOT].map(|z| Ball { center: Vec3::new(cos, sin, z), radius: FOOT })
    });
    let (shape, _) = Shape::clump(balls.collect());
    let mass = Shape::cuboid(1.5, 1.5, 0.4).mass_properties(1.0).expect("a cuboid is solid");
    let body = Body::new(shape, MaterialId(0)).at(Vec3::new(0.0, 0.0, HEIGHT)).weighing(mass);
    let body = body.moving(Vec3::new(BLOCK_SPEED, 0.0, 0.0), Vec3::zeros());
    let mut run = simulation(law, mu, body, dt)?;
    let longest = 3.0 * BLOCK_SPEED / (mu * GRAVITY);
    let mut highest = 0.0_f64;
    loop {
        let record = run.step();
        let world = run.world();
        let (x, v) = (world.positions()[0], world.velocities()[0]);
        highest = highest.max(x.z - HEIGHT);
        if v.linear.norm() + v.angular.norm() < 1e-3 * BLOCK_SPEED || record.time > longest {
            let turn = world.orientations()[0].euler_angles().2.to_degrees();
            return Ok([x.x, turn, x.y, highest, record.time]);
        }
    }
}

fn simulate(preset: Preset, _: &Kept) -> Result<Tables> {
    let (frictions, dt): (Vec<f64>, f64) = match preset {
        Preset::Quick => (vec![0.25, 0.5, 0.8], 1e-3),
        Preset::Full => ((1..=10).map(|k| 0.1 * f64::from(k)).chain([0.25]).collect(), 2e-4),
    };
    let mut frictions = frictions;
    frictions.sort_by(f64::total_cmp);
    let (mut laws, mut cubes): (Vec<&str>, [Vec<f64>; 4]) = Default::default();
    let mut blocks: [Vec<f64>; 7] = Default::default();
    for law in LAWS {
        for &mu in &frictions {
            laws.push(law.name());
            let [friction, launch] = cube(law, mu)?;
            let closed = (1.0 - (0.375 * mu).powi(2)).sqrt();
            cubes.iter_mut().zip([mu, friction, launch, closed]).for_each(|(column, number)| column.push(number));
            let [distance, turn, drift, highest, time] = block(law, mu, dt)?;
            let by_coulomb = BLOCK_SPEED * BLOCK_SPEED / (2.0 * mu * GRAVITY);
            let row = [mu, distance, by_coulomb / distance, turn, drift, highest, time];
            blocks.iter_mut().zip(row).for_each(|(column, number)| column.push(number));
        }
    }
    let [mu, friction, launch, closed] = cubes;
    let cubes = Table::new()
        .with_words("law", laws.clone())
        .with_numbers("mu", "1", mu)
        .with_numbers("friction_over_mu", "1", friction)
        .with_numbers("launch_speed", "m/s", launch)
        .with_numbers("closed_form", "1", closed);
    let [mu, distance, friction, turn, drift, highest, time] = blocks;
    let blocks = Table::new()
        .with_words("law", laws)
        .with_numbers("mu", "1", mu)
        .with_numbers("distance", "m", distance)
        .with_numbers("friction_over_mu", "1", friction)
        .with_numbers("turn", "deg", turn)
        .with_numbers("drift", "m", drift)
        .with_numbers("largest_height", "m", highest)
        .with_numbers("time", "s", time);
    let setup = Setup::new(preset)
        .with("non-impulsive friction opposes the slip", "section 1, Coulomb's law of forces", "", PAPER)
        .with("cube", "uniform, edge 1 m, slides along a face normal", "", OURS)
        .with("speed of the cube", CUBE_SPEED, "m/s", OURS)
        .with("step of the cube", CUBE_STEP, "s", OURS)
        .with("steps over which its friction is taken", CUBE_STEPS, "", OURS)
        .with("time over which it is taken under penalty", PENALTY_TIME, "s", OURS)
        .with("block", "mass and inertia of 1.5 m × 1.5 m × 0.4 m, on three balls on a circle of 1 m", "", OURS)
        .with("speed of the block", BLOCK_SPEED, "m/s", OURS)
        .with("height of its centre", HEIGHT, "m", OURS)
        .with("radius of a foot", FOOT, "m", OURS)
        .with("angle of the first foot from the direction of sliding", TURNED, "rad", OURS)
        .with("step of the block", dt, "s", OURS)
        .with("gravity", GRAVITY, "m/s²", OURS);
    Ok(Tables::new().with("setup", setup.table()).with("cube", cubes).with("block", blocks))
}

fn present(tables: &Tables) -> Result<Presentation> {
    let (cubes, blocks) = (tables.get("cube")?, tables.get("block")?);
    let x = || Axis::linear("coefficient of friction μ", "");
    let laws = cubes.words("law")?;
    let mut cube = Panel::new("cube along a face normal", x(), Axis::linear("effective friction / μ", ""));
    let mut friction = Panel::new("block on three feet", x(), Axis::linear("v²/(2g · distance) / μ", ""));
    let mut turn = Panel::new("block on three feet", x(), Axis::linear("turn until it stops", "°"));
    let mut height = Panel::new("block on three feet", x(), Axis::linear("largest height", "m"));
    let closed = cubes.points("mu", "closed_form", |r| laws[r] == Law::MaxDissipation.name())?;
    cube = cube.with(Layer::line(closed, Stroke::guide(Dash::Solid), "closed form"));
    for law in LAWS {
        let of = |r: usize| laws[r] == law.name();
        let stroke = law_stroke(law);
        // In flight nothing brakes the cube.
        if law != Law::Cone {
            cube = cube.with(Layer::points(cubes.points("mu", "friction_over_mu", of)?, stroke, 1.8, ""));
        }
        friction = friction.with(Layer::marked(blocks.points("mu", "friction_over_mu", of)?, stroke, law.name()));
        turn = turn.with(Layer::marked(blocks.points("mu", "turn", of)?, stroke, ""));
        height = height.with(Layer::marked(blocks.points("mu", "largest_height", of)?, stroke, ""));
    }
    let rows = |law: Law| (0..laws.len()).filter(move |&r| laws[r] == law.name());
    let (seen, form) = (cubes.numbers("friction_over_mu")?, cubes.numbers("closed_form")?);
    let launch = cubes.numbers("launch_speed")?;
    let mu = cubes.numbers("mu")?;
    let (share, turns, far) = (blocks.numbers("friction_over_mu")?, blocks.numbers("turn")?, blocks.numbers("drift")?);
    let off = rows(Law::MaxDissipation).map(|r| (seen[r] - form[r]).abs()).fold(0.0, f64::max);
    let off_coulomb = rows(Law::Coulomb).chain(rows(Law::TwoStage)).map(|r| (seen[r] - 1.0).abs()).fold(0.0, f64::max);
    let off_penalty = rows(Law::Penalty).map(|r| (seen[r] - 1.0).abs()).fold(0.0, f64::max);
    let off_launch =
        rows(Law::Cone).map(|r| (launch[r] - mu[r] * CUBE_SPEED / (1.0 + mu[r] * mu[r])).abs()).fold(0.0, f64::max);
    let at = |law: Law, wanted: f64| rows(law).find(|&r| (mu[r] - wanted).abs() < 1e-9);
    // By what Coulomb's law gives with the same step: in steps the distance is short by half a step of the first velocity.
    let by_coulomb = at(Law::Coulomb, 0.8).map_or(f64::NAN, |r| share[r]);
    let said = |law: Law| {
        at(law, 0.8).map_or(String::new(), |r| {
            format!(
                "{} of that, turned by {}° and {} m aside under `{law}`",
                rounded(share[r] / by_coulomb, 4),
                rounded(turns[r], 2),
                rounded(far[r], 2)
            )
        })
    };
    let list: Vec<String> = LAWS.into_iter().map(said).collect();
    let loss = |law: Law| at(law, 0.8).map_or(f64::NAN, |r| 1.0 - share[r] / by_coulomb);
    Ok(Presentation {
        method: "The cube's friction is its deceleration over g in the first steps, before it turns. The block stands on three feet, \
                 which share its weight in one way only, so turning and stopping distance are unique under a law; it stops when its \
                 speeds are below 10⁻³ of the first."
            .into(),
        finding: format!(
            "The cube is braked by μ√(1 − (0.375 μ)²) under `max-dissipation` (to {} μ), by μ under `coulomb` and `two-stage` (to {} μ) \
             and `penalty` (to {} μ); `cone` launches it at μv/(1 + μ²) (to {} m/s). At μ = 0.8 the block on three feet stops under `coulomb` with the mean \
             friction {} μ (1 as the step goes to zero); the laws take {}.",
            rounded(off, 1),
            rounded(off_coulomb, 1),
            rounded(off_penalty, 1),
            rounded(off_launch, 1),
            rounded(by_coulomb, 4),
            list.join(", ")
        ),
        falsified_by: "A cube under `max-dissipation` off the closed form by more than the solver's tolerance, or one under `coulomb` or \
                       `two-stage` off μ; a block that turns under `coulomb` although its feet are loaded symmetrically about \
                       friction's line."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "sliding-blocks",
        "(a) Effective friction of a cube, black: √(1 − (0.375 μ)²); (b) mean friction until it stops, (c) turn and (d) largest \
         height of a block on three feet.",
        Figure::page(2, 48.0, vec![cube, friction, turn, height]),
    )
    .with_claim(
        "Friction of persistent contacts opposes the slip (section 1)",
        format!(
            "one stage a step by `max-dissipation` costs a block on three feet {} of its friction at μ = 0.8; `two-stage` costs {}",
            percent(loss(Law::MaxDissipation), 2),
            percent(loss(Law::TwoStage).abs(), 1)
        ),
    ))
}

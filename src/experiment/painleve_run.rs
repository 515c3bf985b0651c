//! Stepped runs of `painleve`: the first impulse of the sliding rod as the step falls.

use crate::analysis::power_law;
use crate::error::Error;
use crate::error::Result;
use crate::experiment::Preset;
use crate::experiment::painleve::GRAVITY;
use crate::experiment::painleve::MASS;
use crate::experiment::painleve::MU;
use crate::experiment::painleve::RADIUS;
use crate::experiment::painleve::SLIP;
use crate::experiment::painleve::rod;
use crate::experiment::painleve::steepest;
use crate::experiment::painleve::velocity;
use crate::experiment::painleve_jam::Shown;
use crate::experiment::setup::OURS;
use crate::experiment::setup::Setup;
use crate::figure::Axis;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Table;
use crate::figure::law_stroke;
use crate::figure::power_of_ten;
use crate::figure::rounded;
use crate::law::Law;
use crate::material::MaterialId;
use crate::material::Materials;
use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::MassProperties;
use crate::shape::Shape;
use crate::simulation::Settings;
use crate::simulation::Simulation;
use crate::world::Body;
use crate::world::World;

/// The laws that step by impulses.
const LAWS: [Law; 5] = [Law::MaxDissipation, Law::TwoStage, Law::Coulomb, Law::Cone, Law::Frictionless];
/// Time of a run in s.
const END: f64 = 0.1;
/// Exponent of ten of the step in s of the paths that are drawn, and their points.
const DRAWN: i32 = 3;
const POINTS: u64 = 100;

/// Exponents of ten, negative, of the steps.
fn exponents(preset: Preset) -> std::ops::RangeInclusive<i32> {
    match preset {
        Preset::Quick => 2..=4,
        Preset::Full => 2..=5,
    }
}

/// The rows of the set-up.
pub(in crate::experiment) fn setup(setup: Setup, preset: Preset) -> Setup {
    let exponents = exponents(preset);
    setup.with("steps of the runs", format!("10^−{} … 10^−{}", exponents.start(), exponents.end()), "s", OURS).with(
        "their duration",
        END,
        "s",
        OURS,
    )
}

/// The rod as a capsule that is all axis, on a half-space; up is +z, the rod leans towards +x and slips along −x.
fn start(law: Law, mu: f64, dt: f64) -> Result<Simulation> {
    let theta = steepest();
    let body = rod(theta);
    let half_length = -body.lever.y / theta.cos();
    let across = body.mass * half_length * half_length / 3.0;
    let along = body.inertia.trace() - 2.0 * across;
    let mass = MassProperties { mass: MASS, inertia: Vec3::new(across, across, along), frame: Quat::identity() };
    let v = velocity(0.0, 0.0);
    let turn = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2 - theta);
    let rod = Body::new(Shape::Capsule { radius: RADIUS, half_length }, MaterialId(0))
        .weighing(mass)
        .turned(turn)
        .at(Vec3::new(0.0, 0.0, half_length * theta.sin() + RADIUS))
        .moving(Vec3::new(v.y, v.z, v.x), Vec3::zeros());
    let floor = Body::new(Shape::HalfSpace, MaterialId(0)).fixed();
    let materials = Materials::single(1.0, mu).map_err(Error::Input)?;
    let world = World::new(Vec3::new(0.0, 0.0, -GRAVITY), materials, vec![rod, floor])?;
    Simulation::new(world, Settings { tolerance: 1e-12, ..Settings::new(law, dt) })
}

/// What was computed.
pub(in crate::experiment) struct Runs {
    pub(in crate::experiment) steps: Table,
    pub(in crate::experiment) paths: Table,
}

/// The first and the largest impulse of every run, and the slip of the end over time in some.
pub(in crate::experiment) fn tables(preset: Preset) -> Result<Runs> {
    let (mut laws, mut steps): (Vec<&str>, [Vec<f64>; 6]) = Default::default();
    let (mut path_laws, mut paths): (Vec<&str>, [Vec<f64>; 4]) = Default::default();
    for law in LAWS {
        for mu in MU {
            for exponent in exponents(preset) {
                let dt = 10_f64.powi(-exponent);
                let mut simulation = start(law, mu, dt)?;
                let count = (END / dt).round() as u64;
                let (mut first, mut largest, mut energy) = (0.0, 0.0_f64, f64::NEG_INFINITY);
                let initial = simulation.memory().ledger.initial;
                for step in 1..=count {
                    let record = simulation.step();
                    let sum = |list: &[Vec3]| list.iter().map(|p| p.z).sum::<f64>();
                    let impulse = (sum(simulation.impulses_w()) + sum(simulation.impacts_w())).abs();
                    if step == 1 {
                        first = impulse;
                    }
                    largest = largest.max(impulse);
                    energy = energy.max((record.kinetic + record.potential) / initial - 1.0);
                    if exponent == DRAWN && step.is_multiple_of((count / POINTS).max(1)) {
                        let world = simulation.world();
                        let Shape::Capsule { half_length, .. } = world.shapes()[0] else { continue };
                        let arm = world.orientations()[0] * Vec3::new(0.0, 0.0, -half_length);
                        let tip = world.velocities()[0].at(&arm);
                        path_laws.push(law.name());
                        let row = [mu, record.time, tip.x / SLIP, tip.z / SLIP];
                        paths.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
                    }
                }
                laws.push(law.name());
                let scale = MASS * SLIP;
                let row = [mu, dt, first / scale, largest / scale, largest / (MASS * GRAVITY * dt), energy];
                steps.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            }
        }
    }
    let names = [
        ("mu", "1"),
        ("step", "s"),
        ("first_impulse", "1"),
        ("largest_impulse", "1"),
        ("largest_impulse_by_weight", "1"),
        ("largest_gain_of_energy", "1"),
    ];
    let table = Table::new().with_words("law", laws);
    let steps =
        names.into_iter().zip(steps).fold(table, |t, ((name, unit), column)| t.with_numbers(name, unit, column));
    let names = [("mu", "1"), ("time", "s"), ("slip", "1"), ("normal_velocity", "1")];
    let table = Table::new().with_words("law", path_laws);
    let paths =
        names.into_iter().zip(paths).fold(table, |t, ((name, unit), column)| t.with_numbers(name, unit, column));
    Ok(Runs { steps, paths })
}

/// Figure and sentences from the tables.
pub(in crate::experiment) fn present(steps: &Table, paths: &Table) -> Result<Shown> {
    let (laws, mus) = (steps.words("law")?, steps.numbers("mu")?);
    let (path_laws, path_mus) = (paths.words("law")?, paths.numbers("mu")?);
    let same = |x: f64, y: f64| (x - y).abs() < 1e-9;
    let mut panels = Vec::new();
    let (mut finest, mut beyond) = (f64::INFINITY, Vec::new());
    for mu in MU {
        let x = Axis::linear("time", "s").from_to(0.0, END);
        let mut panel = Panel::new(format!("μ = {mu}"), x, Axis::linear("slip of the end / v", ""));
        for law in LAWS {
            let of = |r: usize| path_laws[r] == law.name() && same(path_mus[r], mu);
            panel = panel.with(Layer::line(paths.points("time", "slip", of)?, law_stroke(law), law.name()));
        }
        panels.push(panel);
    }
    for mu in MU {
        let mut panel =
            Panel::new("", Axis::log("step δt", "s"), Axis::log("first impulse / (m v)", "").from_to(1e-6, 2.0));
        for law in LAWS {
            let of = |r: usize| laws[r] == law.name() && same(mus[r], mu);
            let line = steps.points("step", "first_impulse", of)?;
            if let Some([step, impulse]) = line.last().filter(|_| law != Law::Frictionless && mu > 4.0 / 3.0) {
                beyond.push(format!("`{law}` {}", rounded(*impulse, 4)));
                finest = finest.min(*step);
            }
            panel = panel.with(Layer::marked(line, law_stroke(law), ""));
        }
        panels.push(panel);
    }
    let slope = |law: Law| -> Result<f64> {
        let of = |r: usize| laws[r] == law.name() && same(mus[r], MU[0]);
        Ok(power_law(&steps.points("step", "first_impulse", of)?).map_or(f64::NAN, |line| line.slope))
    };
    let mut slopes = Vec::new();
    for law in LAWS {
        slopes.push(format!("`{law}` δt^{}", rounded(slope(law)?, 2)));
    }
    let gain = steps.numbers("largest_gain_of_energy")?.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let finding = format!(
        "In steps of {} s from closing speed zero the first impulse at μ = {} is, by m v: {}; at μ = {} it goes as {} (`cone` throws \
         the end up at any friction). {}",
        rounded(finest, 1),
        MU[1],
        beyond.join(", "),
        MU[0],
        slopes.join(", "),
        if gain > 0.0 {
            format!("A run rises above its initial energy by {} of it.", rounded(gain, 1))
        } else {
            "No run rises above its initial energy.".into()
        }
    );
    let caption = format!(
        "Runs in steps, from closing speed zero, tan θ = 2, gravity {GRAVITY} m/s². (a), (b) Slip of the end over time below and beyond \
         μ = 4/3, δt = {} s; (c), (d) normal impulse of the first step against the step, at the same frictions.",
        power_of_ten(-DRAWN)
    );
    Ok(Shown { panels, caption, finding })
}

//! `painleve`: a rod that slides on its end beyond the friction at which a normal force presses the end down.

use crate::error::Result;
use crate::experiment::Experiment;
use crate::experiment::Kept;
use crate::experiment::Preset;
use crate::experiment::Tables;
use crate::experiment::body;
use crate::experiment::body::Body;
use crate::experiment::compliant_tip::PLANE;
use crate::experiment::page::Presentation;
use crate::experiment::painleve_jam;
use crate::experiment::painleve_run;
use crate::experiment::setup::OURS;
use crate::experiment::setup::Setup;
use crate::figure::Axis;
use crate::figure::Dash;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Stroke;
use crate::figure::Table;
use crate::figure::law_stroke;
use crate::figure::rounded;
use crate::law::ContactBlock;
use crate::law::Law;
use crate::math::Mat3;
use crate::math::Vec3;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "painleve",
    question: "What happens to a sliding rod beyond μ = 4/3, where a normal force can press its end down: do the impulse laws \
               stay finite, and does a stiff compliant contact show the impact without collision?",
    simulate,
    present,
};

/// Length in m and mass in kg of the slender rod.
const LENGTH: f64 = 1.0;
pub(in crate::experiment) const MASS: f64 = 1.0;
/// Radius of its end in m: a point.
pub(in crate::experiment) const RADIUS: f64 = 1e-6;
/// Moment of inertia about its axis in kg·m²: without effect, the lever of the contact lies along the axis.
const ALONG: f64 = 1e-4;
/// Speed in m/s at which the end slips.
pub(in crate::experiment) const SLIP: f64 = 1.0;
/// Gravity in m/s² in the runs over time.
pub(in crate::experiment) const GRAVITY: f64 = 10.0;
/// Frictions below and beyond 4/3 that are looked at in time.
pub(in crate::experiment) const MU: [f64; 2] = [1.0, 1.6];
/// Closing speed in m/s of the sweeps over friction and inclination.
const CLOSING: f64 = 0.01;
/// Angles in degrees between the slip and the plane in which the rod leans.
const ASIDE: [f64; 2] = [0.0, 45.0];

/// The inclination in rad at which the least friction does: tan θ = 2.
pub(in crate::experiment) fn steepest() -> f64 {
    2.0_f64.atan()
}

/// The slender rod on its lower end at this inclination (rad) to the plane; it leans towards +t.
pub(in crate::experiment) fn rod(inclination: f64) -> Body {
    let axis = Vec3::new(inclination.sin(), inclination.cos(), 0.0);
    let across = MASS * LENGTH * LENGTH / 12.0;
    let inertia = Mat3::from_diagonal_element(across) + axis * axis.transpose() * (ALONG - across);
    Body { mass: MASS, inertia, lever: -axis * (0.5 * LENGTH) - Vec3::new(RADIUS, 0.0, 0.0) }
}

/// Velocity of every point (n, t, o) in m/s: closing, and slipping so that the rod leans back, `aside` degrees off.
pub(in crate::experiment) fn velocity(closing: f64, aside: f64) -> Vec3 {
    let aside = aside.to_radians();
    Vec3::new(-closing, -SLIP * aside.cos(), SLIP * aside.sin())
}

/// Normal acceleration of the end for a unit normal force while it slips along −t, A_nn + μ A_nt in 1/kg.
pub(in crate::experiment) fn rise(a: &Mat3, mu: f64) -> f64 {
    a[(0, 0)] + mu * a[(0, 1)]
}

/// One impact: μ, inclination in degrees, angle of the slip in degrees, closing speed in m/s.
#[derive(Clone, Copy)]
struct Impact {
    sweep: &'static str,
    mu: f64,
    inclination: f64,
    aside: f64,
    closing: f64,
}

/// The impacts of the three sweeps.
fn impacts(preset: Preset) -> Vec<Impact> {
    let points = match preset {
        Preset::Quick => 24,
        Preset::Full => 120,
    };
    let steepest = steepest().to_degrees();
    let mut impacts = Vec::new();
    for aside in ASIDE {
        for i in 1..=points {
            let part = f64::from(i) / f64::from(points);
            let usual = Impact { sweep: "friction", mu: MU[1], inclination: steepest, aside, closing: CLOSING };
            impacts.push(Impact { mu: 2.4 * part, ..usual });
            impacts.push(Impact {
                sweep: "inclination",
                inclination: 180.0 * (part - 0.5 / f64::from(points)),
                ..usual
            });
            impacts.push(Impact { sweep: "closing", closing: 10_f64.powf(-6.0 * (1.0 - part)), ..usual });
        }
    }
    impacts.sort_by_key(|impact| impact.sweep);
    impacts
}

fn simulate(preset: Preset, _: &Kept) -> Result<Tables> {
    let mut words: [Vec<&str>; 3] = Default::default();
    let mut numbers: [Vec<f64>; 13] = Default::default();
    for impact in impacts(preset) {
        let body = rod(impact.inclination.to_radians());
        let a = body.delassus();
        let v = velocity(impact.closing, impact.aside);
        let b = -body.contact_velocity(&v, &Vec3::zeros());
        for law in Law::SOLVE {
            let solution = body::solve(law, &a, &b, impact.mu);
            let (v1, w1) = body.after(&v, &Vec3::zeros(), &solution.impulse);
            let after = body.contact_velocity(&v1, &w1);
            let named = [impact.sweep, law.name(), body::state(&solution)];
            words.iter_mut().zip(named).for_each(|(column, word)| column.push(word));
            let row = [
                impact.mu,
                impact.inclination,
                impact.aside,
                impact.closing,
                ContactBlock::new(&a, impact.mu).eccentricity().norm(),
                rise(&a, impact.mu),
                solution.impulse.x,
                solution.impulse.y,
                solution.impulse.z,
                after.x,
                after.y,
                after.z,
                -body::energy(&a, &b, &solution.impulse) / (0.5 * MASS * v.norm_squared()),
            ];
            numbers.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        }
    }
    let [sweep, law, state] = words;
    let names = [
        ("mu", "1"),
        ("inclination", "deg"),
        ("slip_aside", "deg"),
        ("closing_speed", "m/s"),
        ("eccentricity", "1"),
        ("rise", "1/kg"),
        ("impulse_n", "N s"),
        ("impulse_t", "N s"),
        ("impulse_o", "N s"),
        ("contact_velocity_n", "m/s"),
        ("contact_velocity_t", "m/s"),
        ("contact_velocity_o", "m/s"),
        ("energy_lost_share", "1"),
    ];
    let table = Table::new().with_words("sweep", sweep).with_words("law", law).with_words("state", state);
    let impacts =
        names.into_iter().zip(numbers).fold(table, |t, ((name, unit), column)| t.with_numbers(name, unit, column));
    let setup = Setup::new(preset)
        .with(
            "body",
            "slender uniform rod on its lower end, a point, not turning; it slips so that it leans back",
            "",
            OURS,
        )
        .with("length", LENGTH, "m", OURS)
        .with("mass", MASS, "kg", OURS)
        .with("radius of the end", RADIUS, "m", OURS)
        .with("moment of inertia about the axis (without effect)", ALONG, "kg·m²", OURS)
        .with("slip", SLIP, "m/s", OURS)
        .with("inclination, where it is not varied: tan θ = 2", steepest().to_degrees(), "°", OURS)
        .with("friction, where it is not varied", MU[1], "", OURS)
        .with("closing speed, where it is not varied", CLOSING, "m/s", OURS)
        .with("slip out of the plane of the rod", ASIDE.map(|x| x.to_string()).join(", "), "°", OURS)
        .with("gravity in the runs over time", GRAVITY, "m/s²", OURS)
        .with("plane of the penalty item", format!("fixed sphere of radius {PLANE}"), "m", OURS);
    let setup = painleve_jam::setup(painleve_run::setup(setup, preset), preset);
    let jam = painleve_jam::tables(preset)?;
    let runs = painleve_run::tables(preset)?;
    Ok(Tables::new()
        .with("setup", setup.table())
        .with("impacts", impacts)
        .with("jams", jam.jams)
        .with("courses", jam.courses)
        .with("steps", runs.steps)
        .with("paths", runs.paths))
}

fn same(x: f64, y: f64) -> bool {
    (x - y).abs() < 1e-9
}

fn present(tables: &Tables) -> Result<Presentation> {
    let impacts = tables.get("impacts")?;
    let (sweeps, laws) = (impacts.words("sweep")?, impacts.words("law")?);
    let (aside, impulse) = (impacts.numbers("slip_aside")?, impacts.numbers("impulse_n")?);
    let guide = Stroke::guide(Dash::Dashed);
    let shown = [
        ("friction", "mu", "impulse_n", Axis::linear("friction μ", "").from_to(0.0, 2.4), "normal impulse / (m v)"),
        (
            "inclination",
            "inclination",
            "contact_velocity_t",
            Axis::linear("inclination", "°").from_to(0.0, 180.0),
            "slip after / v",
        ),
        ("closing", "closing_speed", "impulse_n", Axis::log("closing speed / v", ""), "normal impulse / (m v)"),
    ];
    let mut panels = Vec::new();
    for (sweep, x, y, axis, label) in shown {
        for angle in ASIDE {
            let side = if y == "impulse_n" { Axis::log(label, "").from_to(1e-6, 2.0) } else { Axis::linear(label, "") };
            let side = if sweep == "friction" { Axis::linear(label, "") } else { side };
            let title = if panels.len() < 2 { format!("slip {angle}° out of the plane") } else { String::new() };
            let mut panel = Panel::new(title, axis.clone(), side);
            if sweep == "friction" {
                let name = if panels.is_empty() { "μ = 4/3" } else { "" };
                panel = panel.with(Layer::Vertical { at: 4.0 / 3.0, stroke: guide, name: name.into() });
            }
            for law in Law::SOLVE {
                let of = |r: usize| sweeps[r] == sweep && laws[r] == law.name() && same(aside[r], angle);
                panel = panel.with(Layer::line(impacts.points(x, y, of)?, law_stroke(law), law.name()));
            }
            panels.push(panel);
        }
    }
    // What is left of the impulse where nothing collides.
    let closing = impacts.numbers("closing_speed")?;
    let least = closing.iter().copied().fold(f64::INFINITY, f64::min);
    let mut limits = Vec::new();
    for angle in ASIDE {
        let mut parts = Vec::new();
        for law in [Law::MaxDissipation, Law::Coulomb, Law::Incremental, Law::Cone] {
            let row = (0..impacts.rows()).find(|&r| {
                sweeps[r] == "closing" && laws[r] == law.name() && same(aside[r], angle) && closing[r] <= least
            });
            parts.extend(row.map(|r| format!("`{law}` {}", rounded(impulse[r] / (MASS * SLIP), 3))));
        }
        limits.push(format!("slip {angle}° out of the plane: {}", parts.join(", ")));
    }
    let largest = impulse.iter().copied().fold(0.0, f64::max);
    let energy = impacts.numbers("energy_lost_share")?.iter().copied().fold(f64::INFINITY, f64::min);
    let jam = painleve_jam::present(tables.get("jams")?, tables.get("courses")?)?;
    let runs = painleve_run::present(tables.get("steps")?, tables.get("paths")?)?;
    let finding = format!(
        "Every law gives a finite impulse everywhere (normal part at most {} m v; no impact gains energy: least loss {} of the kinetic \
         energy). At μ = {} and a closing speed of {} m/s the normal impulses, by m v, are: {}; where that of \
         `incremental` vanishes and another does not, the law jams although a stiff contact slides on. {} {}",
        rounded(largest / (MASS * SLIP), 3),
        rounded(energy, 1),
        MU[1],
        rounded(least, 1),
        limits.join("; "),
        jam.finding,
        runs.finding
    );
    Ok(Presentation {
        method: "v is the slip before the impact. While the end slips, a normal force N lifts it with (Aₙₙ − μ|Aₙₜ|) N = \
                 (1 + 3 cos²θ − 3μ sin θ cos θ) N/m: negative beyond μ = (tan θ + 4/tan θ)/3, which is least, 4/3, at tan θ = 2. \
                 The jam: the rod slips with closing speed zero under gravity; contact by the penalty item, undamped, by \
                 Runge–Kutta 4, cut by bisection at the end of compression (δvₙ = 0), then on until the end leaves the plane. \
                 Its limit is that of `incremental` for a vanishing closing speed. The runs: the same start in steps under \
                 every law that steps by impulses."
            .into(),
        finding,
        falsified_by: "An impulse that grows without bound or an impact that gains energy; a compliant contact whose jam does not \
                       shorten as 1/√k, or whose impulse does not tend to that of `incremental`; a stepped run whose first impulse \
                       vanishes with the step beyond μ = 4/3, or does not below."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "painleve-laws",
        format!(
            "One impact under every law; left: slip in the plane of the rod, right: {}° out of it. (a), (b) Normal impulse against \
             friction at tan θ = 2, closing speed {CLOSING} m/s; (c), (d) slip after the impact along t against the inclination at μ = {}; \
             (e), (f) normal impulse against the closing speed at tan θ = 2, μ = {}: a curve that stays level to the left is an \
             impact without collision.",
            ASIDE[1], MU[1], MU[1]
        ),
        Figure::page(2, 44.0, panels),
    )
    .with_drawing("painleve-jam", jam.caption, Figure::page(2, 44.0, jam.panels))
    .with_drawing("painleve-runs", runs.caption, Figure::page(2, 44.0, runs.panels)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_normal_force_presses_the_end_down_beyond_four_thirds() {
        let a = rod(steepest()).delassus();
        // The end's radius shifts the threshold by as much.
        assert!(rise(&a, 4.0 / 3.0).abs() < 10.0 * RADIUS, "{}", rise(&a, 4.0 / 3.0));
        assert!(rise(&a, 1.3) > 0.0 && rise(&a, 1.4) < 0.0);
        // In the body's letters: 1 + 3 cos²θ − 3μ sin θ cos θ.
        let theta = 0.7_f64;
        let expected = 1.0 + 3.0 * theta.cos().powi(2) - 4.5 * theta.sin() * theta.cos();
        assert!((rise(&rod(theta).delassus(), 1.5) - expected).abs() < 1e-5);
    }
}

//! `friction-direction`: which way friction points in persistent sliding, and how much of it acts against the slip.

use crate::error::Result;
use crate::experiment::Experiment;
use crate::experiment::Kept;
use crate::experiment::Preset;
use crate::experiment::Tables;
use crate::experiment::body;
use crate::experiment::body::Body;
use crate::experiment::page::Presentation;
use crate::experiment::setup::OURS;
use crate::experiment::setup::PAPER;
use crate::experiment::setup::Setup;
use crate::figure::Axis;
use crate::figure::Color;
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
use crate::math::Vec2;
use crate::math::Vec3;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "friction-direction",
    question: "When a body slides on for many steps, does friction oppose its slip, and with how much of μ, as the step goes \
               to zero?",
    simulate,
    present,
};

/// Mass in kg and edge in m of the cube.
const MASS: f64 = 1.0;
const EDGE: f64 = 1.0;
/// Acceleration that presses the corner on the plane in m/s², and speed of the slip in m/s.
const PRESSING: f64 = 9.81;
const SPEED: f64 = 1.0;
/// Coefficients of friction of the sweeps over step and direction.
const MU: [f64; 2] = [0.5, 1.0];
/// Step of the sweeps over direction and friction in s.
const SMALL_STEP: f64 = 1e-6;
/// Laws with friction.
const LAWS: [Law; 4] = [Law::MaxDissipation, Law::Coulomb, Law::Incremental, Law::Cone];

/// A corner of a cube that stands on a face: r = d/2 (−1, 1, 1).
fn corner() -> Body {
    Body {
        mass: MASS,
        inertia: Mat3::from_diagonal_element(MASS * EDGE * EDGE / 6.0),
        lever: Vec3::new(-1.0, 1.0, 1.0) * (0.5 * EDGE),
    }
}

/// What is seen of friction in one step.
struct Seen {
    /// Angle from the direction against the slip to friction, in rad.
    deflection: f64,
    /// Part of friction against the slip over Λn.
    effective: f64,
    /// Speed at which the contact opens in m/s.
    opening: f64,
    /// Part of e across the slip after the step.
    across: f64,
}

/// One step of `dt` of a contact that slides at [`SPEED`] in the direction `angle` and is pressed together.
fn step(law: Law, a: &Mat3, mu: f64, angle: f64, dt: f64) -> Seen {
    let b = Vec3::new(PRESSING * dt, -SPEED * angle.cos(), -SPEED * angle.sin());
    let impulse = body::solve(law, a, &b, mu).impulse;
    let after = a * impulse - b;
    let (slip, friction) = (after.yz(), impulse.yz());
    let against = -slip / slip.norm();
    let cross = |p: Vec2, q: Vec2| p.x * q.y - p.y * q.x;
    let e = ContactBlock::new(a, mu).eccentricity();
    Seen {
        deflection: cross(against, friction).atan2(against.dot(&friction)),
        effective: friction.dot(&against) / impulse.x,
        opening: after.x,
        across: cross(against, e).abs(),
    }
}

/// Columns of a sweep: law, friction, what is varied, what is seen.
#[derive(Default)]
struct Sweep {
    law: Vec<&'static str>,
    numbers: [Vec<f64>; 7],
}

impl Sweep {
    fn push(&mut self, law: Law, mu: f64, angle: f64, dt: f64, a: &Mat3) {
        let seen = step(law, a, mu, angle, dt);
        self.law.push(law.name());
        let row =
            [mu, angle.to_degrees(), dt, seen.deflection.to_degrees(), seen.effective / mu, seen.opening, seen.across];
        self.numbers.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }

    fn table(self) -> Table {
        let [mu, angle, dt, deflection, effective, opening, across] = self.numbers;
        Table::new()
            .with_words("law", self.law)
            .with_numbers("mu", "1", mu)
            .with_numbers("slip_direction", "deg", angle)
            .with_numbers("step", "s", dt)
            .with_numbers("deflection", "deg", deflection)
            .with_numbers("effective_friction_over_mu", "1", effective)
            .with_numbers("opening", "m/s", opening)
            .with_numbers("e_across", "1", across)
    }
}

fn simulate(preset: Preset, _: &Kept) -> Result<Tables> {
    let (angle_step, mu_step, per_decade) = match preset {
        Preset::Quick => (15, 0.1, 2),
        Preset::Full => (3, 0.025, 8),
    };
    let a = corner().delassus();
    let (mut steps, mut directions, mut frictions) = (Sweep::default(), Sweep::default(), Sweep::default());
    for law in LAWS {
        for mu in MU {
            // From 10⁻⁷ s to 10⁻¹·⁵ s: above that the contact sticks at the higher friction.
            for k in 0..=(11 * per_decade / 2) {
                steps.push(law, mu, 0.0, 10f64.powf(-7.0 + f64::from(k) / f64::from(per_decade)), &a);
            }
            for degrees in (-180..=180).step_by(angle_step) {
                directions.push(law, mu, f64::from(degrees).to_radians(), SMALL_STEP, &a);
            }
        }
        for k in 1..=(1.2 / mu_step + 0.5) as u32 {
            frictions.push(law, mu_step * f64::from(k), 0.0, SMALL_STEP, &a);
        }
        for mu in [0.1, 0.25, 0.5, 0.8, 1.0] {
            if !frictions.numbers[0].iter().zip(&frictions.law).any(|(m, l)| (m - mu).abs() < 1e-9 && *l == law.name())
            {
                frictions.push(law, mu, 0.0, SMALL_STEP, &a);
            }
        }
    }
    let e = ContactBlock::new(&a, 1.0).eccentricity();
    let setup = Setup::new(preset)
        .with("non-impulsive friction opposes the slip", "section 1, Coulomb's law of forces", "", PAPER)
        .with("body", "uniform cube standing on a face; one of its corners touches a fixed plane", "", OURS)
        .with("mass", MASS, "kg", OURS)
        .with("edge", EDGE, "m", OURS)
        .with("eccentricity of the corner at μ = 1 (e_t, e_o)", format!("{}, {}", e.x, e.y), "", OURS)
        .with("acceleration that closes the contact", PRESSING, "m/s²", OURS)
        .with("speed of the slip", SPEED, "m/s", OURS)
        .with("direction of the slip (a face normal)", 0, "°", OURS)
        .with("step of the sweeps over direction and friction", SMALL_STEP, "s", OURS);
    Ok(Tables::new()
        .with("setup", setup.table())
        .with("steps", steps.table())
        .with("directions", directions.table())
        .with("frictions", frictions.table()))
}

/// Rows of a law, and of a coefficient of friction if one is given.
fn rows(table: &Table, law: Law, mu: Option<f64>) -> Result<Vec<usize>> {
    let (laws, mus) = (table.words("law")?, table.numbers("mu")?);
    let mut rows: Vec<usize> = (0..table.rows())
        .filter(|&r| laws[r] == law.name() && mu.is_none_or(|mu| (mus[r] - mu).abs() < 1e-9))
        .collect();
    // Sweeps over friction have extra rows at the end.
    if mu.is_none() {
        rows.sort_by(|&p, &q| mus[p].total_cmp(&mus[q]));
    }
    Ok(rows)
}

/// Points of two columns at the given rows.
fn at(table: &Table, x: &str, y: &str, rows: &[usize]) -> Result<Vec<[f64; 2]>> {
    let (x, y) = (table.numbers(x)?, table.numbers(y)?);
    Ok(rows.iter().map(|&r| [x[r], y[r]]).collect())
}

fn present(tables: &Tables) -> Result<Presentation> {
    let (steps, directions, frictions) = (tables.get("steps")?, tables.get("directions")?, tables.get("frictions")?);
    let closed = Stroke { color: Color::BLACK, ..Stroke::guide(Dash::Solid) }.with_width(0.2);
    let mut against_step =
        Panel::new("slip along a face normal, μ = 1", Axis::log("step δt", "s"), Axis::linear("deflection", "°"));
    let mut against_direction = Panel::new(
        "any slip, μ = 1",
        Axis::linear("direction of the slip", "°").from_to(-180.0, 180.0),
        Axis::linear("deflection", "°"),
    );
    let mut share_direction = Panel::new(
        "any slip, μ = 1",
        Axis::linear("direction of the slip", "°").from_to(-180.0, 180.0),
        Axis::linear("effective friction / μ", "").from_to(0.82, 1.02),
    );
    let mut share_mu = Panel::new(
        "slip along a face normal",
        Axis::linear("coefficient of friction μ", "").from_to(0.0, 1.2),
        Axis::linear("effective friction / μ", "").from_to(0.82, 1.02),
    );
    // Closed forms from the tabled e across the slip.
    let best = rows(directions, Law::MaxDissipation, Some(1.0))?;
    let across = directions.numbers("e_across")?;
    let angle = directions.numbers("slip_direction")?;
    let share: Vec<[f64; 2]> = best.iter().map(|&r| [angle[r], (1.0 - across[r] * across[r]).sqrt()]).collect();
    let deflections = directions.numbers("deflection")?;
    let deflection: Vec<[f64; 2]> =
        best.iter().map(|&r| [angle[r], across[r].asin().to_degrees().copysign(deflections[r])]).collect();
    share_direction = share_direction.with(Layer::line(share, closed, "closed form"));
    against_direction = against_direction.with(Layer::line(deflection, closed, ""));
    let best_step = rows(steps, Law::MaxDissipation, Some(1.0))?;
    let (across_step, dt, seen) = (steps.numbers("e_across")?, steps.numbers("step")?, steps.numbers("deflection")?);
    let line = best_step.iter().map(|&r| [dt[r], across_step[r].asin().to_degrees().copysign(seen[r])]).collect();
    against_step = against_step.with(Layer::line(line, closed, ""));
    let best_mu = rows(frictions, Law::MaxDissipation, None)?;
    let across_mu = frictions.numbers("e_across")?;
    let mus = frictions.numbers("mu")?;
    let line: Vec<[f64; 2]> = best_mu.iter().map(|&r| [mus[r], (1.0 - across_mu[r] * across_mu[r]).sqrt()]).collect();
    share_mu = share_mu.with(Layer::line(line, closed, ""));
    for law in LAWS {
        let look = law_stroke(law);
        // Incremental and coulomb fall on one line: marks, thinned, tell them apart.
        let thin = |points: Vec<[f64; 2]>, every: usize, shift: usize| -> Vec<[f64; 2]> {
            points.into_iter().skip(shift).step_by(every).collect()
        };
        let shift = LAWS.iter().position(|l| *l == law).unwrap_or(0);
        let draw = |panel: Panel, points: Vec<[f64; 2]>, name: &str| {
            let every = (points.len() / 12).max(1);
            let marks = thin(points.clone(), every, shift * every / 4);
            let line = if law == Law::MaxDissipation { Vec::new() } else { points };
            panel.with(Layer::line(line, look.with_width(0.25), "")).with(Layer::points(marks, look, 1.6, name))
        };
        let of_steps = at(steps, "step", "deflection", &rows(steps, law, Some(1.0))?)?;
        against_step = draw(against_step, of_steps, law.name());
        let r = rows(directions, law, Some(1.0))?;
        against_direction = draw(against_direction, at(directions, "slip_direction", "deflection", &r)?, "");
        share_direction =
            draw(share_direction, at(directions, "slip_direction", "effective_friction_over_mu", &r)?, "");
        let r = rows(frictions, law, None)?;
        share_mu = draw(share_mu, at(frictions, "mu", "effective_friction_over_mu", &r)?, "");
    }
    let figure = Figure::page(2, 48.0, vec![against_step, against_direction, share_direction, share_mu]);
    presentation(tables, figure)
}

fn presentation(tables: &Tables, figure: Figure) -> Result<Presentation> {
    let (steps, directions, frictions) = (tables.get("steps")?, tables.get("directions")?, tables.get("frictions")?);
    // Largest distance of all max-dissipation rows from the closed forms.
    let (mut off_angle, mut off_share) = (0.0_f64, 0.0_f64);
    for table in [steps, directions, frictions] {
        let across = table.numbers("e_across")?;
        let (deflection, share) = (table.numbers("deflection")?, table.numbers("effective_friction_over_mu")?);
        for r in rows(table, Law::MaxDissipation, None)? {
            off_angle = off_angle.max((deflection[r].abs() - across[r].asin().to_degrees()).abs());
            off_share = off_share.max((share[r] - (1.0 - across[r] * across[r]).sqrt()).abs());
        }
    }
    let mut worst_coulomb = 0.0_f64;
    for table in [steps, directions, frictions] {
        let deflection = table.numbers("deflection")?;
        for r in rows(table, Law::Coulomb, None)? {
            worst_coulomb = worst_coulomb.max(deflection[r].abs());
        }
    }
    let shares: Vec<String> = [0.1, 0.25, 0.5, 0.8, 1.0]
        .into_iter()
        .map(|mu| {
            let row = rows(frictions, Law::MaxDissipation, Some(mu))?;
            let share = row
                .first()
                .map_or(f64::NAN, |&r| frictions.numbers("effective_friction_over_mu").map_or(f64::NAN, |c| c[r]));
            Ok(format!("{} μ at μ = {}", rounded(share, 4), rounded(mu, 2)))
        })
        .collect::<Result<_>>()?;
    let step_rows = rows(steps, Law::MaxDissipation, Some(1.0))?;
    let (dt, deflection) = (steps.numbers("step")?, steps.numbers("deflection")?);
    let smallest = step_rows.first().map_or((f64::NAN, f64::NAN), |&r| (dt[r], deflection[r].abs()));
    let incremental = rows(steps, Law::Incremental, Some(1.0))?;
    let near = incremental.first().map_or(f64::NAN, |&r| deflection[r].abs());
    let cone_rows = rows(steps, Law::Cone, Some(1.0))?;
    let opening = steps.numbers("opening")?;
    let opens = cone_rows.first().map_or(f64::NAN, |&r| opening[r]);
    let finding = format!(
        "Under `max-dissipation` friction does not oppose the slip of a persistent contact, at any step: at μ = 1 and \
         δt = {} s it is still deflected by {}°. All rows agree with the closed forms asin‖e_⊥‖ (to {}°) and \
         μ√(1 − ‖e_⊥‖²) (to {} μ): a corner of a cube that slides along a face normal feels {}. Under `coulomb` the deflection is \
         at most {}° and friction is μ; `incremental` tends to the same ({}° at the smallest step); `cone` opposes the slip too, but \
         opens the contact with {} m/s.",
        rounded(smallest.0, 1),
        rounded(smallest.1, 4),
        rounded(off_angle, 1),
        rounded(off_share, 1),
        shares.join(", "),
        rounded(worst_coulomb, 1),
        rounded(near, 2),
        rounded(opens, 3)
    );
    Ok(Presentation {
        method: "Each row is one step of a contact that slides and is pressed together by a constant acceleration, b = (g δt, −s): \
                 the limit δt → 0 is persistent sliding. The deflection is the angle between friction and the direction against \
                 the slip after the step, the effective friction the part of friction against the slip over Λn. e_⊥ is the part of the \
                 eccentricity vector across that slip."
            .into(),
        finding,
        falsified_by: "A deflection under `max-dissipation` that goes to zero with the step while e_⊥ does not; a deflection \
                       or an effective friction off the closed forms by more than round-off."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "friction-direction",
        "(a) Deflection of friction from the direction against the slip as the step goes to zero; (b) the same and (c) effective \
         friction for every direction of the slip; (d) effective friction against μ. Black: closed forms asin‖e_⊥‖ and \
         √(1 − ‖e_⊥‖²).",
        figure,
    )
    .with_claim(
        "At non-impulsive instants Coulomb friction opposes the slip and maximises dissipation (section 1)",
        format!(
            "taken step by step, the impulsive law by maximum dissipation does not tend to that: the corner of a cube feels {}",
            shares.join(", ")
        ),
    ))
}

//! The compliant side of `painleve`: the penalty item shows the impact without collision.

use crate::error::Result;
use crate::experiment::Preset;
use crate::experiment::body;
use crate::experiment::compliant_tip::Contact;
use crate::experiment::compliant_tip::Moment;
use crate::experiment::compliant_tip::Tip;
use crate::experiment::painleve::GRAVITY;
use crate::experiment::painleve::MASS;
use crate::experiment::painleve::MU;
use crate::experiment::painleve::RADIUS;
use crate::experiment::painleve::SLIP;
use crate::experiment::painleve::rod;
use crate::experiment::painleve::steepest;
use crate::experiment::painleve::velocity;
use crate::experiment::setup::OURS;
use crate::experiment::setup::Setup;
use crate::figure::Axis;
use crate::figure::Dash;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Stroke;
use crate::figure::Table;
use crate::figure::law_stroke;
use crate::figure::percent;
use crate::figure::rounded;
use crate::figure::series_stroke;
use crate::law::Law;
use crate::math::Vec3;

/// Least exponent of ten of the stiffness in N/m, and v_reg in m/s there; v_reg falls as 1/√k.
const SOFTEST: i32 = 4;
const SLIP_SPEED: f64 = 0.01;
/// Closing speed in m/s that stands for a vanishing one.
const VANISHING: f64 = 1e-12;
/// Part of the largest force between whose first and last crossing the jam lasts: the force grows from rest without a
/// beginning of its own.
const THRESHOLD: f64 = 0.01;
/// Of the courses in time every second decade is kept, in so many points.
const POINTS: usize = 150;

fn exponents(preset: Preset) -> std::ops::RangeInclusive<i32> {
    match preset {
        Preset::Quick => SOFTEST..=8,
        Preset::Full => SOFTEST..=10,
    }
}

/// The rows of the set-up.
pub(in crate::experiment) fn setup(setup: Setup, preset: Preset) -> Setup {
    let exponents = exponents(preset);
    setup
        .with(
            "stiffnesses of the penalty item",
            format!("10^{} … 10^{}", exponents.start(), exponents.end()),
            "N/m",
            OURS,
        )
        .with("its slip speed v_reg at the lowest stiffness, falling as 1/√k", SLIP_SPEED, "m/s", OURS)
        .with("its damping", 0, "N·s/m", OURS)
        .with("part of the largest force at which a jam begins and ends", THRESHOLD, "", OURS)
}

/// What was computed.
pub(in crate::experiment) struct Jams {
    pub(in crate::experiment) jams: Table,
    pub(in crate::experiment) courses: Table,
}

/// The jam at every stiffness, and its course in time at some.
pub(in crate::experiment) fn tables(preset: Preset) -> Result<Jams> {
    let body = rod(steepest());
    let mu = MU[1];
    let (a, v) = (body.delassus(), velocity(0.0, 0.0));
    let limit = body::solve(Law::Incremental, &a, &(Vec3::x() * VANISHING - v), mu).impulse;
    let mut jams: [Vec<f64>; 11] = Default::default();
    let mut courses: [Vec<f64>; 6] = Default::default();
    for exponent in exponents(preset) {
        let stiffness = 10_f64.powi(exponent);
        let slip_speed = SLIP_SPEED / 10_f64.powi(exponent - SOFTEST).sqrt();
        let tip = Tip { body, radius: RADIUS, mu, stiffness, slip_speed, gravity: GRAVITY };
        let mut contact = Contact::begin(&tip, &v)?;
        let mut course: Vec<Moment> = Vec::new();
        let end = contact.compress(|moment| course.push(*moment))?;
        let steps = contact.steps;
        let parted = contact.part(|moment| course.push(*moment))?;
        let peak = course.iter().map(|m| m.force).fold(0.0, f64::max);
        let over = |m: &&Moment| m.force > THRESHOLD * peak;
        let begin = course.iter().find(over).map_or(f64::NAN, |m| m.time);
        let last = course.iter().rev().find(over).map_or(f64::NAN, |m| m.time);
        let row = [
            stiffness,
            slip_speed,
            steps as f64,
            begin,
            last - begin,
            end.time,
            peak,
            end.impulse.x,
            end.impulse.y,
            parted.impulse.x,
            (end.impulse - limit).norm() / limit.norm(),
        ];
        jams.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        if exponent % 2 == 0 {
            let scale = (stiffness / MASS).sqrt();
            // From before the force shows to the end, evenly in time.
            let (from, to) = (end.time - 12.0 / scale, parted.time);
            let mut next = from;
            for moment in course.iter().filter(|moment| moment.time >= from) {
                if moment.time < next {
                    continue;
                }
                next = moment.time + (to - from) / POINTS as f64;
                let row = [
                    stiffness,
                    (moment.time - end.time) * scale,
                    moment.force / (SLIP * (stiffness * MASS).sqrt()),
                    moment.slip.x / SLIP,
                    moment.slip.y / SLIP,
                    moment.overlap * scale / SLIP,
                ];
                courses.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            }
        }
    }
    let names = [
        ("stiffness", "N/m"),
        ("slip_speed", "m/s"),
        ("steps_of_compression", "1"),
        ("begin", "s"),
        ("duration", "s"),
        ("compression_time", "s"),
        ("largest_force", "N"),
        ("impulse_n", "N s"),
        ("impulse_t", "N s"),
        ("impulse_n_at_parting", "N s"),
        ("distance_from_incremental", "1"),
    ];
    let jams =
        names.into_iter().zip(jams).fold(Table::new(), |t, ((name, unit), column)| t.with_numbers(name, unit, column));
    let names = [
        ("stiffness", "N/m"),
        ("scaled_time", "1"),
        ("scaled_force", "1"),
        ("scaled_normal_velocity", "1"),
        ("scaled_slip", "1"),
        ("scaled_overlap", "1"),
    ];
    let courses = names
        .into_iter()
        .zip(courses)
        .fold(Table::new(), |t, ((name, unit), column)| t.with_numbers(name, unit, column));
    Ok(Jams { jams, courses })
}

/// Panels, caption and sentences.
pub(in crate::experiment) struct Shown {
    pub(in crate::experiment) panels: Vec<Panel>,
    pub(in crate::experiment) caption: String,
    pub(in crate::experiment) finding: String,
}

/// Figure and sentences from the tables.
pub(in crate::experiment) fn present(jams: &Table, courses: &Table) -> Result<Shown> {
    let stiffness = jams.numbers("stiffness")?;
    let same = |x: f64, y: f64| (x - y).abs() <= 1e-9 * y;
    let time = || Axis::linear("(t − t_end) √(k/m)", "");
    let mut force = Panel::new("", time(), Axis::linear("normal force / (v √(k m))", ""));
    let mut speed = Panel::new("", time(), Axis::linear("velocity of the end / v", ""));
    let of = courses.numbers("stiffness")?;
    let mut drawn: Vec<f64> = of.to_vec();
    drawn.dedup();
    for (i, k) in drawn.into_iter().enumerate() {
        let chosen = |r: usize| same(of[r], k);
        let name = format!("k = {} N/m", rounded(k, 1));
        force = force.with(Layer::line(courses.points("scaled_time", "scaled_force", chosen)?, series_stroke(i), name));
        for column in ["scaled_slip", "scaled_normal_velocity"] {
            speed = speed.with(Layer::line(courses.points("scaled_time", column, chosen)?, series_stroke(i), ""));
        }
    }
    let durations = jams.points("stiffness", "duration", |_| true)?;
    let distances = jams.points("stiffness", "distance_from_incremental", |_| true)?;
    let k = || Axis::log("stiffness k", "N/m");
    let time = jams.numbers("compression_time")?;
    // Through the last point: there the limit is nearest.
    let last = jams.rows() - 1;
    let root = durations.iter().map(|p| [p[0], durations[last][1] * (stiffness[last] / p[0]).sqrt()]).collect();
    let weight = distances.iter().zip(time).map(|(p, t)| [p[0], distances[last][1] * t / time[last]]).collect();
    let guide = |points: Vec<[f64; 2]>, dash: Dash, name: &str| Layer::line(points, Stroke::guide(dash), name);
    let look = law_stroke(Law::Penalty);
    let lasts = Panel::new("", k(), Axis::log("duration of the jam", "s"))
        .with(guide(root, Dash::Solid, "∝ 1/√k"))
        .with(Layer::marked(durations.clone(), look, "penalty"));
    let away = Panel::new("", k(), Axis::log("distance from incremental", ""))
        .with(guide(weight, Dash::Dashed, "∝ impulse of the weight"))
        .with(Layer::marked(distances.clone(), look, ""));
    let order = |points: &[[f64; 2]]| {
        let [from, to] = [points[points.len() - 2], points[points.len() - 1]];
        (to[1] / from[1]).ln() / (to[0] / from[0]).ln()
    };
    let shares: Vec<f64> = distances.iter().zip(time).map(|(p, t)| p[1] / t).collect();
    let [least, most] = [f64::min, f64::max].map(|pick| shares.iter().copied().reduce(pick).unwrap_or(f64::NAN));
    let (impulse, parting) = (jams.numbers("impulse_n")?, jams.numbers("impulse_n_at_parting")?);
    let finding = format!(
        "The penalty item shows the impact without collision: from closing speed zero the rod jams, and at the end of compression the \
         normal impulse is {} m v at k = {} N/m, {} off `incremental` ({} at {} N/m). The jam lasts {} s there and shortens as k^{} from \
         the last decade to this one; the distance goes as the impulse of the weight over the time of compression (their ratio stays \
         within {}), which falls slower than 1/√k by a logarithm, since the force grows from nothing. Undamped, the item then throws \
         the rod off ({} m v in all).",
        rounded(impulse[last] / (MASS * SLIP), 4),
        rounded(stiffness[last], 1),
        percent(distances[last][1], 2),
        percent(distances[0][1], 2),
        rounded(stiffness[0], 1),
        rounded(durations[last][1], 2),
        rounded(order(&durations), 3),
        percent(most / least - 1.0, 2),
        rounded(parting[last] / (MASS * SLIP), 3)
    );
    let caption = format!(
        "The jam under the penalty item at tan θ = 2, μ = {}, gravity {GRAVITY} m/s², closing speed zero at the start. (a) Normal force and \
         (b) slip (from −1) and normal velocity of the end over time since the end of compression, scaled so that a course that shrinks \
         as 1/√k stays the same; (c) time over which the force exceeds {THRESHOLD} of its largest value; (d) relative distance of the \
         impulse at the end of compression from the limit of `incremental`; guides through the last point.",
        MU[1]
    );
    Ok(Shown { panels: vec![force, speed, lasts, away], caption, finding })
}

//! The compliant side of `rod-impact`: the penalty item at the end of compression, undamped, with rising stiffness.

use crate::analysis::power_law;
use crate::error::Result;
use crate::experiment::Preset;
use crate::experiment::body;
use crate::experiment::compliant_tip::Contact;
use crate::experiment::compliant_tip::Tip;
use crate::experiment::rod_impact::MU;
use crate::experiment::rod_impact::RADIUS;
use crate::experiment::rod_impact::VELOCITY;
use crate::experiment::rod_impact::rod;
use crate::experiment::statistics::quantile;
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
pub(in crate::experiment) const SLIP_SPEED: f64 = 0.02;
/// Decades of stiffness, from the top, over which the order is taken.
const ORDER_DECADES: i32 = 3;
/// Distance from which a law counts as off the limit.
const OFF: f64 = 0.01;

/// Exponents of ten of the stiffnesses, and degrees between inclinations.
pub(in crate::experiment) fn design(preset: Preset) -> (std::ops::RangeInclusive<i32>, u32) {
    match preset {
        Preset::Quick => (SOFTEST..=7, 30),
        Preset::Full => (SOFTEST..=10, 2),
    }
}

/// The impact at every friction, inclination and stiffness.
pub(in crate::experiment) fn table(preset: Preset) -> Result<Table> {
    let (exponents, angle_step) = design(preset);
    let mut numbers: [Vec<f64>; 15] = Default::default();
    let v = Vec3::from(VELOCITY);
    for mu in MU {
        for degrees in (angle_step..180).step_by(angle_step as usize) {
            let body = rod(f64::from(degrees).to_radians());
            let (a, b) = (body.delassus(), -body.contact_velocity(&v, &Vec3::zeros()));
            let limit = body::solve(Law::Incremental, &a, &b, mu).impulse;
            for exponent in exponents.clone() {
                let stiffness = 10_f64.powi(exponent);
                let slip_speed = SLIP_SPEED / 10_f64.powi(exponent - SOFTEST).sqrt();
                let tip = Tip { body, radius: RADIUS, mu, stiffness, slip_speed, gravity: 0.0 };
                let mut contact = Contact::begin(&tip, &v)?;
                let end = contact.compress(|_| {})?;
                let away = |law: Law| (body::solve(law, &a, &b, mu).impulse - end.impulse).norm() / limit.norm();
                let row = [
                    mu,
                    f64::from(degrees),
                    stiffness,
                    slip_speed,
                    contact.steps as f64,
                    end.time,
                    end.overlap,
                    end.impulse.x,
                    end.impulse.y,
                    end.impulse.z,
                    end.slip.y,
                    end.slip.z,
                    away(Law::Incremental),
                    away(Law::MaxDissipation),
                    away(Law::Coulomb),
                ];
                numbers.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            }
        }
    }
    let names = [
        ("mu", "1"),
        ("inclination", "deg"),
        ("stiffness", "N/m"),
        ("slip_speed", "m/s"),
        ("steps", "1"),
        ("compression_time", "s"),
        ("overlap", "m"),
        ("impulse_n", "N s"),
        ("impulse_t", "N s"),
        ("impulse_o", "N s"),
        ("contact_velocity_t", "m/s"),
        ("contact_velocity_o", "m/s"),
        ("distance_from_incremental", "1"),
        ("distance_from_max_dissipation", "1"),
        ("distance_from_coulomb", "1"),
    ];
    Ok(names
        .into_iter()
        .zip(numbers)
        .fold(Table::new(), |t, ((name, unit), column)| t.with_numbers(name, unit, column)))
}

/// What the compliant side shows.
pub(in crate::experiment) struct Shown {
    pub(in crate::experiment) panels: Vec<Panel>,
    pub(in crate::experiment) caption: String,
    pub(in crate::experiment) finding: String,
}

/// Figure and sentences from [`table`].
pub(in crate::experiment) fn present(table: &Table) -> Result<Shown> {
    let (mus, inclination) = (table.numbers("mu")?, table.numbers("inclination")?);
    let (stiffness, off) = (table.numbers("stiffness")?, table.numbers("distance_from_incremental")?);
    let top = stiffness.iter().copied().fold(0.0, f64::max);
    let same = |x: f64, y: f64| (x - y).abs() <= 1e-9 * y.abs();
    let mut levels: Vec<f64> = stiffness.to_vec();
    levels.sort_by(f64::total_cmp);
    levels.dedup();
    let at = |k: f64| {
        let mut all: Vec<f64> = (0..table.rows()).filter(|&r| same(stiffness[r], k)).map(|r| off[r]).collect();
        all.sort_by(f64::total_cmp);
        all
    };

    let high = MU[1];
    let mut fall = Panel::new("", Axis::log("stiffness k", "N/m"), Axis::log("distance from incremental", ""));
    for (i, degrees) in [30.0, 60.0, 120.0].into_iter().enumerate() {
        let of = |r: usize| same(mus[r], high) && same(inclination[r], degrees);
        let line = table.points("stiffness", "distance_from_incremental", of)?;
        fall = fall.with(Layer::marked(line, series_stroke(i + 1), format!("{degrees}°")));
    }
    let median: Vec<[f64; 2]> = levels.iter().map(|&k| [k, quantile(&at(k), 0.5)]).collect();
    let worst: Vec<[f64; 2]> = levels.iter().map(|&k| [k, quantile(&at(k), 1.0)]).collect();
    let guide = levels.iter().map(|&k| [k, worst[0][1] * (levels[0] / k).sqrt()]).collect();
    fall = fall
        .with(Layer::line(guide, Stroke::guide(Dash::Solid), "∝ 1/√k"))
        .with(Layer::line(median.clone(), series_stroke(0), "median of all"))
        .with(Layer::line(worst.clone(), series_stroke(0).with_dash(Dash::Dotted), "largest of all"));
    let mut panels = vec![fall];

    let mut parts = Vec::new();
    for mu in MU {
        let axis = Axis::linear("inclination", "°").from_to(0.0, 180.0);
        let mut panel = Panel::new("", axis, Axis::log("distance from the penalty item", "").from_to(1e-6, 3.0));
        for law in [Law::MaxDissipation, Law::Coulomb, Law::Incremental] {
            let column = format!("distance_from_{}", law.name().replace('-', "_"));
            let rows: Vec<usize> = (0..table.rows()).filter(|&r| same(mus[r], mu) && same(stiffness[r], top)).collect();
            let values = table.numbers(&column)?;
            let line = rows.iter().map(|&r| [inclination[r], values[r]]).collect();
            panel = panel.with(Layer::line(line, law_stroke(law), law.name()));
            if law == Law::Incremental {
                continue;
            }
            let marked: Vec<(f64, bool)> = rows.iter().map(|&r| (inclination[r], values[r] > OFF)).collect();
            let worst = rows.iter().copied().max_by(|&p, &q| values[p].total_cmp(&values[q]));
            if let Some(worst) = worst {
                parts.push(format!(
                    "`{law}` at μ = {mu}: {}, at most {} (at {}°)",
                    ranges(&marked),
                    percent(values[worst], 2),
                    inclination[worst]
                ));
            }
        }
        panels.push(panel);
    }

    let mut orders = Vec::new();
    for first in (0..table.rows()).filter(|&r| same(stiffness[r], top)) {
        let of = |r: usize| {
            same(mus[r], mus[first])
                && same(inclination[r], inclination[first])
                && stiffness[r] * 10_f64.powi(ORDER_DECADES) > 0.5 * top
        };
        let points = table.points("stiffness", "distance_from_incremental", of)?;
        orders.extend(power_law(&points).map(|line| -line.slope));
    }
    orders.sort_by(f64::total_cmp);
    let finding = format!(
        "The undamped penalty item, cut off at the end of compression (δvₙ = 0), runs into `incremental`: its impulse is {} off in \
         the median at k = {} N/m and {} at {} N/m (at most {}), falling as k^−{} in the median over the last {ORDER_DECADES} \
         decades (between {} and {}). From that limit the impulse laws are off by more than {} at these inclinations: {}.",
        percent(median[0][1], 2),
        rounded(levels[0], 1),
        percent(median[median.len() - 1][1], 2),
        rounded(top, 1),
        percent(worst[worst.len() - 1][1], 2),
        rounded(quantile(&orders, 0.5), 3),
        rounded(quantile(&orders, 0.0), 2),
        rounded(quantile(&orders, 1.0), 2),
        percent(OFF, 1),
        parts.join("; ")
    );
    let caption = format!(
        "The penalty item at the end of compression. (a) Relative distance of its impulse from that of `incremental` against \
         stiffness, at μ = {high} for three inclinations and over all inclinations and both frictions; (b), (c) distance of three \
         laws from the item at the highest stiffness, μ = {} and {high}: what is above the curve of `incremental` is a \
         difference of the law.",
        MU[0]
    );
    Ok(Shown { panels, caption, finding })
}

/// The stretches of neighbouring marks as words: "5–20°, 40°".
fn ranges(marked: &[(f64, bool)]) -> String {
    let mut parts: Vec<[f64; 2]> = Vec::new();
    let mut open = false;
    for &(at, on) in marked {
        match parts.last_mut() {
            Some(last) if on && open => last[1] = at,
            _ if on => parts.push([at, at]),
            _ => {}
        }
        open = on;
    }
    let words = parts.iter().map(|[from, to]| if from < to { format!("{from} to {to}°") } else { format!("{from}°") });
    if parts.is_empty() { "nowhere".into() } else { words.collect::<Vec<_>>().join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_of_marks_are_told_by_their_ends() {
        let marked = [(5.0, true), (10.0, true), (15.0, false), (20.0, true), (25.0, false)];
        assert_eq!(ranges(&marked), "5 to 10°, 20°");
        assert_eq!(ranges(&marked[4..]), "nowhere");
    }

    #[test]
    fn a_hundred_times_the_stiffness_comes_ten_times_as_near_to_incremental() {
        let v = Vec3::from(VELOCITY);
        let body = rod(60_f64.to_radians());
        let (a, b) = (body.delassus(), -body.contact_velocity(&v, &Vec3::zeros()));
        let limit = body::solve(Law::Incremental, &a, &b, MU[1]).impulse;
        let away = |stiffness: f64, slip_speed: f64| {
            let tip = Tip { body, radius: RADIUS, mu: MU[1], stiffness, slip_speed, gravity: 0.0 };
            let end = Contact::begin(&tip, &v).expect("valid").compress(|_| {}).expect("stepped");
            (end.impulse - limit).norm() / limit.norm()
        };
        let order = (away(1e5, 1e-2) / away(1e7, 1e-3)).log10();
        // Next order: the distances themselves, below a tenth.
        assert!((order - 1.0).abs() < 0.1, "order {order} in 1/√k");
    }
}

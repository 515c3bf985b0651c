//! Reading `motion`: what a driven body does.

use crate::math::Vec3;
use crate::scene::fields::Fields;
use crate::scene::fields::Rule;
use crate::world::Drive;
use crate::world::Oscillation;
use crate::world::Path;
use crate::world::Swing;
use crate::world::Turn;

/// Reads the table `motion` of a body at `position`.
pub(super) fn read(table: &Fields<'_, '_>, position: Vec3) -> Drive {
    let vector = |key| table.vector(key, Rule::Finite);
    Drive {
        linear: vector("velocity").unwrap_or_else(Vec3::zeros),
        angular: vector("angular-velocity").unwrap_or_else(Vec3::zeros),
        pivot: vector("pivot").unwrap_or(position),
        oscillations: one_or_more(table, "oscillation").iter().map(oscillation).collect(),
        swings: one_or_more(table, "swing").iter().map(swing).collect(),
        path: table.table("path").map(|path| read_path(&path)),
        turn: table.table("turn").map(|turn| read_turn(&turn)),
    }
}

/// The table at `key`, or the tables of the list there.
fn one_or_more<'s, 't>(table: &Fields<'s, 't>, key: &'static str) -> Vec<Fields<'s, 't>> {
    if table.is_list(key) { table.tables(key) } else { table.table(key).into_iter().collect() }
}

fn oscillation(table: &Fields<'_, '_>) -> Oscillation {
    let oscillation = Oscillation {
        amplitude: need_vector(table, "amplitude", "the amplitude along each axis in m"),
        frequency: table.need_number("frequency", Rule::Positive, "the frequency in Hz"),
        phase: table.number("phase", Rule::Finite).unwrap_or(0.0).to_radians(),
    };
    table.end();
    oscillation
}

fn swing(table: &Fields<'_, '_>) -> Swing {
    let swing = Swing {
        axis: axis(table),
        amplitude: table.need_number("degrees", Rule::Finite, "the amplitude in degrees").to_radians(),
        frequency: table.need_number("frequency", Rule::Positive, "the frequency in Hz"),
        phase: table.number("phase", Rule::Finite).unwrap_or(0.0).to_radians(),
    };
    table.end();
    swing
}

fn read_path(table: &Fields<'_, '_>) -> Path {
    let times = times(table);
    let shifts = table.vectors("shifts", Rule::Finite).unwrap_or_default();
    if !table.has("shifts") {
        table.fault("shifts", "missing", "give the displacement in m at each time: [[x, y, z], …]");
    } else if shifts.len() != times.len() {
        let what = format!("{} displacements for {} times", shifts.len(), times.len());
        table.fault("shifts", what, "give one for each time");
    }
    table.end();
    Path { times, shifts }
}

fn read_turn(table: &Fields<'_, '_>) -> Turn {
    let times = times(table);
    let degrees = table.list("degrees", Rule::Finite).unwrap_or_default();
    if !table.has("degrees") {
        table.fault("degrees", "missing", "give the angle in degrees at each time");
    } else if degrees.len() != times.len() {
        let what = format!("{} angles for {} times", degrees.len(), times.len());
        table.fault("degrees", what, "give one for each time");
    }
    let turn = Turn { axis: axis(table), times, angles: degrees.into_iter().map(f64::to_radians).collect() };
    table.end();
    turn
}

/// Reads `times`: at least one, each later than the one before.
fn times(table: &Fields<'_, '_>) -> Vec<f64> {
    let times = table.list("times", Rule::Finite).unwrap_or_default();
    if !table.has("times") {
        table.fault("times", "missing", "give times in s, each later than the one before");
    } else if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
        let what = format!("{} is followed by {}", pair[0], pair[1]);
        table.fault("times", what, "give times in s, each later than the one before");
    } else if times.is_empty() {
        table.fault("times", "is empty", "give times in s, each later than the one before");
    }
    times
}

/// Reads `axis`, which has to be there.
fn axis(table: &Fields<'_, '_>) -> Vec3 {
    table.direction("axis").unwrap_or_else(|| {
        if !table.has("axis") {
            table.fault("axis", "missing", "give the axis of the rotation");
        }
        Vec3::z()
    })
}

fn need_vector(table: &Fields<'_, '_>, key: &'static str, what: &str) -> Vec3 {
    table.vector(key, Rule::Finite).unwrap_or_else(|| {
        if !table.has(key) {
            table.fault(key, "missing", format!("give {what}"));
        }
        Vec3::zeros()
    })
}

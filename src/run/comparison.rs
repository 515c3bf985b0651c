//! Runs of one scene under several laws, side by side.

use crate::error::Result;
use crate::figure::Axis;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Table;
use crate::figure::law_stroke;
use crate::law::Law;
use crate::recorder::Manifest;
use crate::recorder::read_final;
use crate::recorder::read_table;
use crate::simulation::BodyState;
use std::collections::BTreeMap;
use std::path::Path;

/// Points of a curve in a figure; more cannot be seen.
const MOST_POINTS: usize = 1000;

/// What each run of `dir` (one directory a law) came to, and how far its last state is from that of the first law: a
/// row a law.
///
/// # Errors
///
/// If a run cannot be read.
pub fn differences(dir: &Path, laws: &[Law]) -> Result<Table> {
    let first = read_final(&dir.join(laws[0].name()))?;
    let mut columns: [Vec<f64>; 12] = Default::default();
    let mut farthest = Vec::new();
    for law in laws {
        let dir = dir.join(law.name());
        let manifest = Manifest::read(&dir)?;
        let steps = read_table(&dir.join("steps.csv"))?;
        let last = |name: &str| steps.numbers(name).map(|numbers| numbers.last().copied().unwrap_or(f64::NAN));
        let states = read_final(&dir)?;
        // Bodies that are at the end of both: under each law others may have been removed.
        let by_name: BTreeMap<&str, &BodyState> = first.iter().map(|state| (state.name.as_str(), state)).collect();
        let pairs: Vec<(&BodyState, &BodyState)> =
            states.iter().filter_map(|state| Some((state, *by_name.get(state.name.as_str())?))).collect();
        let distance = |i: usize| (pairs[i].0.position - pairs[i].1.position).norm();
        let count = pairs.len();
        let squares: f64 = (0..count).map(|i| distance(i).powi(2)).sum();
        let far = (0..count).max_by(|i, j| distance(*i).total_cmp(&distance(*j)));
        let largest = far.map_or(0.0, distance);
        farthest.push(far.filter(|_| largest > 0.0).map_or(String::new(), |i| pairs[i].0.name.clone()));
        let turn = pairs.iter().map(|(own, other)| own.orientation.angle_to(&other.orientation)).fold(0.0, f64::max);
        let totals = &manifest.totals;
        let steps_made = totals.steps.max(1) as f64;
        let row = [
            last("kinetic")?,
            last("potential")?,
            last("normal")?,
            last("friction")?,
            last("correction")?,
            totals.contacts as f64 / steps_made,
            totals.sweeps as f64 / steps_made,
            totals.largest_overlap,
            100.0 * totals.missed as f64 / steps_made,
            largest,
            (squares / count.max(1) as f64).sqrt(),
            turn,
        ];
        columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
    }
    const NAMES: [(&str, &str); 12] = [
        ("kinetic energy", "J"),
        ("potential energy", "J"),
        ("work of normal impulses", "J"),
        ("work of friction", "J"),
        ("work of the correction", "J"),
        ("contacts a step", "1"),
        ("sweeps a step", "1"),
        ("largest overlap", "m"),
        ("steps that missed ten times the tolerance", "%"),
        ("largest distance from the first law", "m"),
        ("rms distance from the first law", "m"),
        ("largest turn from the first law", "rad"),
    ];
    let mut table = Table::new().with_words("law", laws.iter().map(|law| law.name()));
    for ((name, unit), column) in NAMES.into_iter().zip(columns) {
        table = table.with_numbers(name, unit, column);
    }
    Ok(table.with_words("farthest body", farthest))
}

/// Energies, friction work, contacts, and the path of the first tracked body, the laws one over the other.
///
/// # Errors
///
/// If a run cannot be read.
pub fn figure(dir: &Path, laws: &[Law]) -> Result<Figure> {
    let time = || Axis::linear("time t", "s");
    let mut kinetic = Panel::new("kinetic energy", time(), Axis::linear("T", "J"));
    let mut friction = Panel::new("energy taken by friction", time(), Axis::linear("−W", "J"));
    let mut contacts = Panel::new("contacts", time(), Axis::linear("contacts", ""));
    let mut path = None;
    for law in laws {
        let (dir, stroke) = (dir.join(law.name()), law_stroke(*law));
        let steps = read_table(&dir.join("steps.csv"))?;
        let line = |column: &str, sign: f64| {
            let points = thinned(steps.points("time", column, |_| true)?, sign);
            Ok::<_, crate::error::Error>(Layer::line(points, stroke, law.name()))
        };
        kinetic = kinetic.with(line("kinetic", 1.0)?);
        friction = friction.with(line("friction", -1.0)?);
        contacts = contacts.with(line("contacts", 1.0)?);
        let tracks = dir.join("tables").join("tracks.csv");
        if tracks.exists() {
            let tracks = read_table(&tracks)?;
            let names = tracks.words("name")?;
            if let Some(name) = names.first() {
                let axis = longest_way(&tracks, name)?;
                let points = thinned(tracks.points("time", axis, |row| names[row] == *name)?, 1.0);
                let panel =
                    path.unwrap_or_else(|| Panel::new(format!("path of {name}"), time(), Axis::linear(axis, "m")));
                path = Some(panel.with(Layer::line(points, stroke, law.name())));
            }
        }
    }
    let mut panels = vec![kinetic, friction, contacts];
    panels.extend(path);
    Ok(Figure::page(2, 50.0, panels))
}

/// The coordinate along which the body called `name` comes farthest.
fn longest_way(tracks: &Table, name: &str) -> Result<&'static str> {
    let names = tracks.words("name")?;
    let mut best = ("x", 0.0);
    for axis in ["x", "y", "z"] {
        let values = tracks.numbers(axis)?;
        let own = || values.iter().zip(names).filter(|(_, body)| *body == name).map(|(value, _)| *value);
        let way = own().fold(f64::NEG_INFINITY, f64::max) - own().fold(f64::INFINITY, f64::min);
        if way > best.1 {
            best = (axis, way);
        }
    }
    Ok(best.0)
}

/// Some points of a curve, its last one among them, with y times `sign`.
fn thinned(points: Vec<[f64; 2]>, sign: f64) -> Vec<[f64; 2]> {
    let stride = points.len().div_ceil(MOST_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let kept = points.into_iter().enumerate().filter(|(i, _)| i % stride == 0 || *i == last);
    kept.map(|(_, [x, y])| [x, sign * y]).collect()
}

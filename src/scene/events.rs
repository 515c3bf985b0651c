//! What happens while a scene runs: walls open, bodies leave, bodies come.

use crate::math::Vec3;
use crate::scene::MAX_BODIES;
use crate::scene::description::Body;
use crate::scene::fields::Fields;
use crate::scene::fields::Rule;
use crate::scene::fields::nearest;
use crate::scene::fill::Region;
use crate::scene::fill::Size;
use crate::scene::names::Names;
use crate::scene::shapes;
use crate::shape::Shape;

/// `[events]`: what happens at the beginning of steps.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Events {
    /// `[[events.open]]`: a wall (or another single body) is taken away at a time.
    pub open: Vec<Opening>,
    /// `[[events.outlets]]`: free bodies are taken away where they leave a region, and counted.
    pub outlets: Vec<Outlet>,
    /// `[[events.inlets]]`: particles are poured at a rate.
    pub inlets: Vec<Inlet>,
}

/// `[[events.open]]`: a wall is taken away. To move it away instead, give it a motion with a `path`.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Opening {
    /// The wall or body, by name.
    pub wall: String,
    /// When, in s; to the nearest step.
    pub time: f64,
}

/// `[[events.outlets]]`: free bodies whose centre is on the wrong side of a region's border are taken away. What is
/// removed is counted, with its mass and against time, in `tables/flow.csv`.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Outlet {
    /// Name; default `outlet-1`, … in the order of the file.
    pub name: String,
    /// The region, as in `[[fill]]`.
    pub region: Region,
    /// `remove = "outside"` (default): bodies that leave the region; `"inside"`: bodies that enter it.
    pub remove: Side,
}

/// A side of the border of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// In the region.
    Inside,
    /// Not in it.
    Outside,
}

/// `[[events.inlets]]`: particles come at random places of a region, at a rate. Where there is no room the inlet waits
/// and says so in `tables/flow.csv` and in the manifest; the time of waiting is not made up for.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Inlet {
    /// Name; the particles are called `NAME-1`, `NAME-2`, …; default `inlet-1`, … in the order of the file.
    pub name: String,
    /// Shape of a particle of size 1; lengths in m.
    pub shape: Shape,
    /// Distribution of the size, as in `[[fill]]`; default: all of size 1.
    pub size: Size,
    /// Material, by name; may be left out where the scene has only one.
    pub material: String,
    /// Where: a particle lies in the region as a whole.
    pub region: Region,
    /// Particles a second.
    pub rate: f64,
    /// When the first particle comes, in s; default 0.
    pub start: f64,
    /// When it ends, in s; default: never.
    pub end: Option<f64>,
    /// Most particles; default: no limit.
    pub count: Option<u64>,
    /// Smallest distance to everything else in m; default 0.
    pub spacing: f64,
    /// Seed of the random numbers; default 1.
    pub seed: u64,
    /// Whether the particles are turned at random; default true.
    pub random_orientation: bool,
    /// Mean velocity in m/s; default 0.
    pub velocity: Vec3,
    /// Standard deviation of each component of the velocity in m/s; default 0.
    pub velocity_spread: f64,
}

impl Inlet {
    /// The most particles that it pours until `duration`, in s.
    pub fn most(&self, duration: f64) -> u64 {
        let time = self.end.unwrap_or(duration).min(duration) - self.start;
        // Saturates; negative and NaN are 0.
        let by_rate = if time >= 0.0 { (self.rate * time) as u64 + 1 } else { 0 };
        self.count.unwrap_or(u64::MAX).min(by_rate)
    }
}

impl Events {
    /// Reads `[events]`; `singles` are the bodies and walls that can be opened.
    pub(super) fn read<'b>(
        top: &Fields<'_, '_>,
        names: &mut Names,
        singles: impl Iterator<Item = &'b Body> + Clone,
    ) -> Self {
        let Some(fields) = top.table("events") else {
            return Self::default();
        };
        let events = Self {
            open: fields.tables("open").into_iter().map(|table| opening(table, singles.clone())).collect(),
            outlets: numbered(&fields, "outlets").map(|(i, table)| outlet(table, i, names)).collect(),
            inlets: numbered(&fields, "inlets").map(|(i, table)| inlet(table, i, names)).collect(),
        };
        fields.finish();
        events
    }
}

fn numbered<'s, 't>(fields: &Fields<'s, 't>, key: &'static str) -> impl Iterator<Item = (usize, Fields<'s, 't>)> {
    fields.tables(key).into_iter().enumerate().map(|(i, table)| (i + 1, table))
}

fn opening<'b>(fields: Fields<'_, '_>, singles: impl Iterator<Item = &'b Body> + Clone) -> Opening {
    let wall = fields.text("wall").unwrap_or_default().to_owned();
    if !fields.has("wall") {
        fields.fault("wall", "missing", "give the name of the wall that is taken away");
    } else if singles.clone().all(|body| body.name != wall) {
        let near = nearest(&wall, singles.map(|body| body.name.as_str()));
        let remedy =
            near.map_or("give the name of a wall or body".to_owned(), |near| format!("did you mean \"{near}\"?"));
        fields.fault("wall", format!("no wall \"{wall}\""), remedy);
    }
    let opening = Opening { wall, time: fields.need_number("time", Rule::NotNegative, "the time in s") };
    fields.finish();
    opening
}

fn outlet(fields: Fields<'_, '_>, number: usize, names: &mut Names) -> Outlet {
    let outlet = Outlet {
        name: names.take(&fields, format!("outlet-{number}")),
        region: Region::read(&fields, "region"),
        remove: match fields.choice("remove", &["outside", "inside"]) {
            Some(1) => Side::Inside,
            _ => Side::Outside,
        },
    };
    fields.finish();
    outlet
}

fn inlet(fields: Fields<'_, '_>, number: usize, names: &mut Names) -> Inlet {
    let name = names.take(&fields, format!("inlet-{number}"));
    let (shape, _) = shapes::read(&fields);
    if !shape.is_bounded() {
        fields.fault("shape", format!("a {} is no particle", shape.name()), "put it under [[walls]]");
    }
    let inlet = Inlet {
        name,
        shape,
        size: Size::read(&fields),
        material: names.material(&fields),
        region: Region::read(&fields, "region"),
        rate: fields.need_number("rate", Rule::Positive, "the number of particles a second"),
        start: fields.number("start", Rule::NotNegative).unwrap_or(0.0),
        end: fields.number("end", Rule::NotNegative),
        count: fields.whole("count", 1, MAX_BODIES),
        spacing: fields.number("spacing", Rule::NotNegative).unwrap_or(0.0),
        seed: fields.whole("seed", 0, u64::MAX).unwrap_or(1),
        random_orientation: fields.flag("random-orientation").unwrap_or(true),
        velocity: fields.vector("velocity", Rule::Finite).unwrap_or_else(Vec3::zeros),
        velocity_spread: fields.number("velocity-spread", Rule::NotNegative).unwrap_or(0.0),
    };
    if let Some(end) = inlet.end.filter(|end| *end < inlet.start) {
        fields.fault("end", format!("{end} s is before the start, {} s", inlet.start), "give a later time");
    }
    fields.finish();
    inlet
}

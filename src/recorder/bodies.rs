//! `final.csv`: the last state of each body.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::math::Quat;
use crate::math::Vec3;
use crate::recorder::atomic;
use crate::recorder::table::quoted;
use crate::recorder::table::read_table;
use crate::simulation::BodyState;
use crate::world::Velocity;
use crate::world::World;
use nalgebra::Quaternion;
use std::fmt::Write;
use std::path::Path;

const COLUMNS: [&str; 16] = [
    "body [1]",
    "name",
    "shape",
    "x [m]",
    "y [m]",
    "z [m]",
    "qw [1]",
    "qx [1]",
    "qy [1]",
    "qz [1]",
    "vx [m/s]",
    "vy [m/s]",
    "vz [m/s]",
    "wx [rad/s]",
    "wy [rad/s]",
    "wz [rad/s]",
];

/// Writes `final.csv` of the run directory `dir`; `names` are those of all bodies that there ever were, by their ids.
///
/// # Errors
///
/// [`Error::Io`] with the path.
pub fn write_final(dir: &Path, world: &World, names: &[String]) -> Result<()> {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    for (i, id) in world.ids().iter().enumerate() {
        let name = &names[*id as usize];
        let (x, q, v) = (world.positions()[i], world.orientations()[i], world.velocities()[i]);
        let _ = write!(text, "{id},{},{}", quoted(name), world.shapes()[i].name());
        for number in x.iter().chain(&[q.w, q.i, q.j, q.k]).chain(v.linear.iter()).chain(v.angular.iter()) {
            let _ = write!(text, ",{number:?}");
        }
        text.push('\n');
    }
    atomic::write(&dir.join("final.csv"), text.as_bytes())
}

/// Reads the last state of each body of the run directory `dir`.
///
/// # Errors
///
/// [`Error::Io`]; [`Error::Input`] if the file is damaged.
pub fn read_final(dir: &Path) -> Result<Vec<BodyState>> {
    let path = dir.join("final.csv");
    if !path.exists() {
        let remedy = "give a run directory; if the run was killed, let it end: maxdiss run SCENE --out DIR --resume";
        return Err(Error::from(Fault::new("", "is not there", remedy).in_file(path.display().to_string())));
    }
    let name = |column: &&str| column.split(" [").next().unwrap_or(column).to_owned();
    let read = || {
        let table = read_table(&path)?;
        let columns = COLUMNS[3..].iter().map(|column| table.numbers(&name(column)).map(<[f64]>::to_vec));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let states = table.words("name")?.iter().enumerate().map(|(row, name)| state(name, |k| columns[k][row]));
        states.collect::<Result<Vec<BodyState>>>()
    };
    read().map_err(|error| error.in_file(&path.display().to_string()))
}

fn state(name: &str, number: impl Fn(usize) -> f64) -> Result<BodyState> {
    if let Some(bad) = (0..13).find(|k| !number(*k).is_finite()) {
        let what = format!("{} of `{name}` is no finite number", COLUMNS[3 + bad]);
        return Err(Error::input("", what, "give a run that ended well"));
    }
    let vector = |first: usize| Vec3::new(number(first), number(first + 1), number(first + 2));
    let rotation = Quaternion::new(number(3), number(4), number(5), number(6));
    Ok(BodyState {
        name: name.to_owned(),
        position: vector(0),
        // Exactly as written: normalising again could change the last digit.
        orientation: Quat::new_unchecked(rotation),
        velocity: Velocity { linear: vector(7), angular: vector(10) },
    })
}

//! `final.csv`: the last state of each body.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::math::Quat;
use crate::math::Vec3;
use crate::recorder::atomic;
use crate::recorder::table::Table;
use crate::recorder::table::quoted;
use crate::simulation::BodyState;
use crate::world::Velocity;
use crate::world::World;
use nalgebra::Quaternion;
use std::fmt::Write;
use std::path::Path;

const COLUMNS: [&str; 16] = [
    "body",
    "name",
    "shape",
    "x_m",
    "y_m",
    "z_m",
    "qw",
    "qx",
    "qy",
    "qz",
    "vx_m_per_s",
    "vy_m_per_s",
    "vz_m_per_s",
    "wx_rad_per_s",
    "wy_rad_per_s",
    "wz_rad_per_s",
];

/// Writes `final.csv` of the run directory `dir`.
///
/// # Errors
///
/// [`Error::Io`] with the path.
pub fn write_final(dir: &Path, world: &World, names: &[String]) -> Result<()> {
    let mut text = COLUMNS.join(",");
    text.push('\n');
    for (i, name) in names.iter().enumerate() {
        let (x, q, v) = (world.positions()[i], world.orientations()[i], world.velocities()[i]);
        let _ = write!(text, "{i},{},{}", quoted(name), world.shapes()[i].name());
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
    let table = Table::read(&path)?;
    let fault = |what: String| {
        let fault = Fault::new("", what, "give a run directory with the final.csv that the run wrote");
        Error::from(fault.in_file(path.display().to_string()))
    };
    if table.columns != COLUMNS {
        return Err(fault("has other columns than a run writes".into()));
    }
    let state = |(line, row): (usize, &Vec<String>)| {
        let numbers: Option<Vec<f64>> =
            row[3..].iter().map(|word| word.parse().ok().filter(|x: &f64| x.is_finite())).collect();
        let n = numbers.ok_or_else(|| fault(format!("line {}: not thirteen finite numbers", line + 2)))?;
        Ok(BodyState {
            name: row[1].clone(),
            position: Vec3::new(n[0], n[1], n[2]),
            orientation: Quat::new_normalize(Quaternion::new(n[3], n[4], n[5], n[6])),
            velocity: Velocity { linear: Vec3::new(n[7], n[8], n[9]), angular: Vec3::new(n[10], n[11], n[12]) },
        })
    };
    table.rows.iter().enumerate().map(state).collect()
}

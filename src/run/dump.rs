//! `--dump-problem`: the contact problem of a step, in every format that `solve` reads.

use crate::error::Result;
use crate::problem::fclib;
use crate::problem::json;
use crate::problem::siconos;
use crate::recorder::TableWriter;
use crate::recorder::write_atomically;
use crate::simulation::Simulation;
use crate::simulation::contact_problem;
use crate::world::World;
use std::path::Path;

/// Writes `problem.json`, `problem.dat` (Siconos), `problem.hdf5` (FCLIB) of the last step, and the impulses that it
/// found as `problem-impulses.csv`; `before` is the world at its beginning.
pub(super) fn write(out: &Path, simulation: &Simulation, before: &World) -> Result<()> {
    let (problem, impulses) = contact_problem(simulation, before)?;
    write_atomically(&out.join("problem.json"), json::write(&problem).as_bytes())?;
    write_atomically(&out.join("problem.dat"), siconos::write(&problem).as_bytes())?;
    write_atomically(&out.join("problem.hdf5"), &fclib::write(&problem)?)?;
    let columns = ["contact [1]", "a [1]", "b [1]", "impulse_n [N·s]", "impulse_t [N·s]", "impulse_o [N·s]"];
    let mut table = TableWriter::create(&out.join("problem-impulses.csv"), &columns)?;
    for (j, (impulse, contact)) in impulses.iter().zip(simulation.contacts()).enumerate() {
        let row = table.begin(j as u64).count(u64::from(contact.a)).count(u64::from(contact.b));
        row.number(impulse.x).number(impulse.y).number(impulse.z).end()?;
    }
    table.flush(false)
}

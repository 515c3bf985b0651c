//! `tables/contacts.csv` and `tables/masses.csv`: the output variables and histories of contact items, and the masses.

use crate::error::Result;
use crate::math::Vec3;
use crate::penalty::ItemHandle;
use crate::penalty::MassHandle;
use crate::penalty::Output;
use crate::penalty::OutputVariable;
use crate::recorder::table::TableWriter;
use crate::scene::Scene;
use crate::simulation::Simulation;
use std::path::Path;

/// The vectors of [`CONTACT_COLUMNS`], in their order.
const VECTORS: [OutputVariable; 8] = [
    OutputVariable::Position,
    OutputVariable::Displacement,
    OutputVariable::Velocity,
    OutputVariable::Force,
    OutputVariable::Torque,
    OutputVariable::Director1,
    OutputVariable::Director2,
    OutputVariable::Director3,
];

/// Columns of `tables/contacts.csv`, a row an item and recorded step. What an item does not have is an empty cell;
/// the variables are those of [`OutputVariable`], with `gap` for `DisplacementLocal`.
pub const CONTACT_COLUMNS: [&str; 33] = [
    "step [1]",
    "time [s]",
    "name",
    "closed [1]",
    "gap [m]",
    "distance [m]",
    "position_x [m]",
    "position_y [m]",
    "position_z [m]",
    "displacement_x [m]",
    "displacement_y [m]",
    "displacement_z [m]",
    "velocity_x [m/s]",
    "velocity_y [m/s]",
    "velocity_z [m/s]",
    "force_x [N]",
    "force_y [N]",
    "force_z [N]",
    "torque_x [N·m]",
    "torque_y [N·m]",
    "torque_z [N·m]",
    "director1_x [1]",
    "director1_y [1]",
    "director1_z [1]",
    "director2_x [1]",
    "director2_y [1]",
    "director2_z [1]",
    "director3_x [1]",
    "director3_y [1]",
    "director3_z [1]",
    "tangential_speed [m/s]",
    "impact_velocity [m/s]",
    "plastic_overlap [m]",
];

/// Columns of `tables/masses.csv`, a row a mass and recorded step.
pub const MASS_COLUMNS: [&str; 5] = ["step [1]", "time [s]", "name", "coordinate [m]", "velocity [m/s]"];

/// The two tables of a run that is being made.
#[derive(Debug)]
pub(super) struct ItemTables {
    contacts: TableWriter,
    masses: Option<TableWriter>,
}

impl ItemTables {
    /// Begins the tables in the directory `tables`, or goes on after the step `resume`.
    pub(super) fn begin(tables: &Path, scene: &Scene, resume: Option<u64>) -> Result<Self> {
        let table = |name: &str, columns: &[&str]| match resume {
            None => TableWriter::create(&tables.join(name), columns),
            Some(step) => TableWriter::resume(&tables.join(name), columns, step),
        };
        Ok(Self {
            contacts: table("contacts.csv", &CONTACT_COLUMNS)?,
            masses: match scene.masses.is_empty() {
                true => None,
                false => Some(table("masses.csv", &MASS_COLUMNS)?),
            },
        })
    }

    /// Writes the rows of a step.
    pub(super) fn record(&mut self, simulation: &Simulation, step: u64) -> Result<()> {
        let Some((system, state)) = simulation.items() else { return Ok(()) };
        let time = simulation.memory().time;
        for item in (0..system.item_count()).map(ItemHandle) {
            let scalar = |which| match system.output(item, which, state) {
                Some(Output::Scalar(value)) => value,
                _ => f64::NAN,
            };
            let vector = |which| match system.output(item, which, state) {
                Some(Output::Vector(value)) => value,
                _ => Vec3::repeat(f64::NAN),
            };
            let history = system.history(item);
            let distance = scalar(OutputVariable::Distance);
            let gap = if distance.is_nan() { scalar(OutputVariable::DisplacementLocal) } else { distance };
            let row = self.contacts.begin(step).number(time).word(&system.name(item));
            row.count(u64::from(system.touching(item, state).is_some())).number(gap).number(distance);
            for which in VECTORS {
                let value = vector(which);
                row.number(value.x).number(value.y).number(value.z);
            }
            row.number(history.tangential_speed).number(history.impact_velocity).number(history.plastic_overlap);
            row.end()?;
        }
        let Some(masses) = &mut self.masses else { return Ok(()) };
        let names = simulation.settings().items.iter().flat_map(|items| &items.mass_names);
        for (number, name) in names.enumerate() {
            let velocity = state.velocity[system.slot_of_mass(MassHandle(number))];
            let row = masses.begin(step).number(time).word(name);
            row.number(state.configuration.coordinates[number]).number(velocity).end()?;
        }
        Ok(())
    }

    /// Hands the rows to the system; `to_disk` waits until they are on the disk.
    pub(super) fn flush(&mut self, to_disk: bool) -> Result<()> {
        self.contacts.flush(to_disk)?;
        self.masses.as_mut().map_or(Ok(()), |masses| masses.flush(to_disk))
    }
}

//! `tables/flow.csv`: what has come and gone against time.

use crate::error::Result;
use crate::recorder::table::TableWriter;
use crate::scene::Scene;
use crate::simulation::Poured;
use crate::simulation::Removed;
use crate::simulation::Simulation;
use std::path::Path;

/// Columns of `tables/flow.csv`, a row an outlet or inlet and recorded step: what it has taken or poured so far, the
/// steps in which an inlet found no room for a particle that was due, and the free bodies that are present. The mass at
/// the start plus what was poured, minus what was taken, is the mass that is present.
pub const FLOW_COLUMNS: [&str; 9] = [
    "step [1]",
    "time [s]",
    "name",
    "kind",
    "count [1]",
    "mass [kg]",
    "waited_steps [1]",
    "present [1]",
    "present_mass [kg]",
];

/// The table that is being written.
#[derive(Debug)]
pub(super) struct FlowTable {
    table: TableWriter,
    outlets: Vec<String>,
    inlets: Vec<String>,
}

impl FlowTable {
    /// The table of a scene in the directory `tables`, gone on with after the step `resume`; none if nothing comes or
    /// goes.
    pub(super) fn begin(tables: &Path, scene: &Scene, resume: Option<u64>) -> Result<Option<Self>> {
        let events = &scene.events;
        if events.outlets.is_empty() && events.inlets.is_empty() {
            return Ok(None);
        }
        Ok(Some(Self {
            table: TableWriter::open(&tables.join("flow.csv"), &FLOW_COLUMNS, resume)?,
            outlets: events.outlets.iter().map(|outlet| outlet.name.clone()).collect(),
            inlets: events.inlets.iter().map(|inlet| inlet.name.clone()).collect(),
        }))
    }

    pub(super) fn record(&mut self, simulation: &Simulation, step: u64) -> Result<()> {
        let (world, memory) = (simulation.world(), simulation.memory());
        let present = world.free().iter().filter(|free| **free).count() as u64;
        let mass: f64 = world.masses().iter().sum();
        let outlets = self
            .outlets
            .iter()
            .zip(&memory.flow.outlets)
            .map(|(name, Removed { count, mass })| (name, "outlet", *count, *mass, 0));
        let inlets = self.inlets.iter().zip(&memory.flow.inlets).map(|(name, poured)| {
            let Poured { count, mass, waited, .. } = poured;
            (name, "inlet", *count, *mass, *waited)
        });
        for (name, kind, count, own_mass, waited) in outlets.chain(inlets) {
            let row = self.table.begin(step).number(memory.time).word(name).word(kind);
            row.count(count).number(own_mass).count(waited).count(present).number(mass).end()?;
        }
        Ok(())
    }

    pub(super) fn flush(&mut self, to_disk: bool) -> Result<()> {
        self.table.flush(to_disk)
    }
}

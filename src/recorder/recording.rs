//! Writing a run down while it runs: rows, tracks, frames.

use crate::error::Error;
use crate::error::Result;
use crate::recorder::clouds::contacts;
use crate::recorder::clouds::particles;
use crate::recorder::flow::FlowTable;
use crate::recorder::frames::Frames;
use crate::recorder::items::ItemTables;
use crate::recorder::table::TableWriter;
use crate::scene::Scene;
use crate::simulation::Simulation;
use crate::simulation::StepRecord;
use crate::solver::Status;
use std::fs;
use std::path::Path;

/// Columns of `steps.csv`. Works are sums since the beginning; those of contacts are negative where energy is lost.
pub const STEP_COLUMNS: [&str; 26] = [
    "step [1]",
    "time [s]",
    "contacts [1]",
    "sticking [1]",
    "sliding [1]",
    "sweeps [1]",
    "residual [1]",
    "residual_rms [1]",
    "status",
    "overlap [m]",
    "cone_violation [N·s]",
    "approach [m/s]",
    "kinetic [J]",
    "potential [J]",
    "external [J]",
    "drives [J]",
    "normal [J]",
    "friction [J]",
    "correction [J]",
    "integration [J]",
    "impact_normal [J]",
    "impact_friction [J]",
    "ledger_error [1]",
    "impact_sweeps [1]",
    "impact_residual [1]",
    "uncertified [1]",
];

/// Columns of `tables/tracks.csv`: the path of each tracked body, one row a body and recorded step.
pub const TRACK_COLUMNS: [&str; 16] = [
    "step [1]",
    "time [s]",
    "name",
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

/// The tables and frames of a run that is being made.
#[derive(Debug)]
pub struct Recording {
    steps: TableWriter,
    tracks: Option<TableWriter>,
    flow: Option<FlowTable>,
    /// Contact items and masses, where the scene has some.
    items: Option<ItemTables>,
    /// Bodies with a track, by id.
    tracked: Vec<u32>,
    names: Vec<String>,
    frames: Option<Frames>,
    /// Steps between two rows and between two frames.
    row_every: u64,
    frame_every: u64,
}

impl Recording {
    /// Begins the tables of the run directory `dir`, or goes on after the step `resume`, behind which rows and frames
    /// are cut.
    ///
    /// # Errors
    ///
    /// [`Error::Io`]; [`Error::Input`] if the tables are of another kind, or a tracked body is not there.
    pub fn begin(dir: &Path, scene: &Scene, names: &[String], resume: Option<u64>) -> Result<Self> {
        let tracked = tracked(scene, names)?;
        let tables = dir.join("tables");
        let flows = !(scene.events.outlets.is_empty() && scene.events.inlets.is_empty());
        if flows || !(tracked.is_empty() && scene.contacts.is_empty()) {
            fs::create_dir_all(&tables).map_err(|source| Error::Io { path: tables.clone(), source })?;
        }
        let frame_every = if scene.output.frames > 0.0 { (scene.output.frames / scene.step).round() as u64 } else { 0 };
        let frames = match frame_every {
            0 => None,
            every => {
                // The first frame is the start, at step 0.
                let there = resume.map_or(0, |step| step / every + 1);
                let times = (0..there).map(|k| (k * every) as f64 * scene.step).collect();
                Some(Frames::begin(dir, times)?)
            }
        };
        Ok(Self {
            steps: TableWriter::open(&dir.join("steps.csv"), &STEP_COLUMNS, resume)?,
            tracks: match tracked.is_empty() {
                true => None,
                false => Some(TableWriter::open(&tables.join("tracks.csv"), &TRACK_COLUMNS, resume)?),
            },
            flow: FlowTable::begin(&tables, scene, resume)?,
            items: match scene.contacts.is_empty() {
                true => None,
                false => Some(ItemTables::begin(&tables, scene, resume)?),
            },
            tracked,
            names: names.to_vec(),
            frames,
            row_every: scene.output.rows,
            frame_every,
        })
    }

    /// Records the start, before the first step.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] with the path.
    pub fn start(&mut self, simulation: &Simulation) -> Result<()> {
        let ledger = &simulation.memory().ledger;
        let row = self.steps.begin(0).number(simulation.memory().time).count(0).count(0).count(0).count(0);
        row.number(0.0).number(0.0).word("converged").number(0.0).number(0.0).number(0.0);
        row.number(ledger.kinetic).number(ledger.potential);
        for _ in 0..9 {
            row.number(0.0);
        }
        row.count(0).number(0.0).count(0).end()?;
        self.track(simulation, 0)?;
        self.flow(simulation, 0)?;
        self.items.as_mut().map_or(Ok(()), |items| items.record(simulation, 0))?;
        self.frame(simulation, 0)
    }

    /// Records a step, if it is one of those that are written down.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] with the path.
    pub fn record(&mut self, simulation: &Simulation, record: &StepRecord) -> Result<()> {
        if record.step.is_multiple_of(self.row_every) {
            self.row(simulation, record)?;
            self.track(simulation, record.step)?;
            self.flow(simulation, record.step)?;
            self.items.as_mut().map_or(Ok(()), |items| items.record(simulation, record.step))?;
        }
        if self.frame_every > 0 && record.step.is_multiple_of(self.frame_every) {
            self.frame(simulation, record.step)?;
        }
        Ok(())
    }

    /// Hands what was recorded to the system; `to_disk` waits until it is on the disk.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] with the path.
    pub fn flush(&mut self, to_disk: bool) -> Result<()> {
        self.steps.flush(to_disk)?;
        self.flow.as_mut().map_or(Ok(()), |flow| flow.flush(to_disk))?;
        self.items.as_mut().map_or(Ok(()), |items| items.flush(to_disk))?;
        self.tracks.as_mut().map_or(Ok(()), |tracks| tracks.flush(to_disk))
    }

    fn row(&mut self, simulation: &Simulation, record: &StepRecord) -> Result<()> {
        let (solve, total) = (&record.solve, &record.total);
        let impacts = &simulation.memory().ledger.impacts;
        let (hit_sweeps, hit_residual) =
            record.impacts.map_or((0, 0.0), |outcome| (outcome.report.sweeps, outcome.report.residual));
        let status = match solve.report.status {
            Status::Converged => "converged",
            Status::SweepLimit => "sweep-limit",
            Status::Cycling => "cycling",
            Status::NotFinite => "not-finite",
        };
        let row = self.steps.begin(record.step).number(record.time);
        row.count(record.contacts as u64).count(record.sticking as u64).count(record.sliding as u64);
        row.count(solve.report.sweeps as u64).number(solve.report.residual).number(solve.report.residual_rms);
        row.word(status).number(record.overlap).number(solve.cone_violation).number(solve.approach);
        row.number(record.kinetic).number(record.potential);
        row.number(total.external).number(total.drives).number(total.normal);
        row.number(total.friction).number(total.correction).number(total.integration);
        row.number(impacts.normal).number(impacts.friction).number(record.ledger_error);
        row.count(hit_sweeps as u64).number(hit_residual).count(u64::from(solve.uncertified)).end()
    }

    fn track(&mut self, simulation: &Simulation, step: u64) -> Result<()> {
        let Some(tracks) = &mut self.tracks else { return Ok(()) };
        let world = simulation.world();
        for id in &self.tracked {
            // A body that was removed has no more track.
            let Some(i) = world.index_of(*id) else { continue };
            let (x, q, v) = (world.positions()[i], world.orientations()[i], world.velocities()[i]);
            let row = tracks.begin(step).number(simulation.memory().time).word(&self.names[*id as usize]);
            for number in x.iter().chain(&[q.w, q.i, q.j, q.k]).chain(v.linear.iter()).chain(v.angular.iter()) {
                row.number(*number);
            }
            row.end()?;
        }
        Ok(())
    }

    fn flow(&mut self, simulation: &Simulation, step: u64) -> Result<()> {
        self.flow.as_mut().map_or(Ok(()), |flow| flow.record(simulation, step))
    }

    fn frame(&mut self, simulation: &Simulation, step: u64) -> Result<()> {
        let Some(frames) = &mut self.frames else { return Ok(()) };
        let time = step as f64 * simulation.settings().dt;
        frames.add(time, &particles(simulation), &contacts(simulation))
    }
}

/// The bodies with a track, by id.
fn tracked(scene: &Scene, names: &[String]) -> Result<Vec<u32>> {
    let mut tracked = Vec::new();
    let mut faults = Vec::new();
    for name in &scene.output.track {
        match names.iter().position(|body| body == name) {
            Some(body) => tracked.push(body as u32),
            None => {
                let what = format!("no body \"{name}\" at the start");
                faults.push(scene.fault("output.track", what, "particles of a fill are called NAME-1, NAME-2, …"));
            }
        }
    }
    if faults.is_empty() { Ok(tracked) } else { Err(Error::Input(faults)) }
}

//! The loop.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::recorder;
use crate::recorder::Checkpoint;
use crate::recorder::Manifest;
use crate::recorder::Recording;
use crate::recorder::Status;
use crate::recorder::Totals;
use crate::run::Options;
use crate::run::Progress;
use crate::run::Summary;
use crate::run::directory;
use crate::run::dump;
use crate::run::saved::Saved;
use crate::run::saved::Saving;
use crate::scene::Scene;
use crate::simulation::CompliantLaw;
use crate::simulation::Items;
use crate::simulation::Simulation;
use crate::simulation::build;
use crate::simulation::events;
use crate::simulation::in_threads;
use crate::simulation::settings;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering;
use std::time::Duration;
use std::time::Instant;
use std::time::SystemTime;
use std::time::UNIX_EPOCH;

/// Rows reach the file at least this often: what a kill can lose.
const FLUSH: Duration = Duration::from_millis(500);

/// Runs a scene to its duration, or until `stop` becomes true: then it ends as after its last step, to be resumed.
/// `watch` is called after every step.
///
/// # Errors
///
/// What makes the input unusable: a run directory that is no new one, a scene that cannot be built, a checkpoint that is
/// missing, damaged or of another scene. What happens later is in the [`Summary`].
pub fn execute(
    scene: &Scene,
    options: &Options,
    stop: &AtomicBool,
    watch: &mut (dyn FnMut(&Progress) + Send),
) -> Result<Summary> {
    in_threads(options.threads, || {
        let mut run = if options.resume { Run::resume(scene, options)? } else { Run::begin(scene, options)? };
        let failure = run.steps(stop, watch).and_then(|()| run.end()).err();
        let allowed = scene.numerics.allowed_missed;
        Ok(Summary {
            manifest: run.manifest(),
            notes: std::mem::take(&mut run.notes),
            failed: failure.is_some() || run.totals.broken.is_some() || run.totals.missed_share() > allowed,
            failure,
        })
    })?
}

/// A run on its way.
struct Run<'a> {
    scene: &'a Scene,
    options: &'a Options,
    hash: String,
    /// Names of all bodies that there ever were, by their ids.
    names: Vec<String>,
    simulation: Simulation,
    totals: Totals,
    recording: Recording,
    checkpoint: Checkpoint,
    status: Status,
    notes: Vec<String>,
    resumed: u32,
    started_unix_s: u64,
    /// Time that earlier parts of the run took, in s.
    wall_before: f64,
    since: Instant,
}

impl<'a> Run<'a> {
    /// Builds the world and makes the run directory.
    fn begin(scene: &'a Scene, options: &'a Options) -> Result<Self> {
        let initial = match &scene.initial {
            Some(initial) => Some(recorder::read_final(&options.base.join(&initial.from))?),
            None => None,
        };
        let built = build(scene, options.law, initial.as_deref())?;
        let names = built.names.clone();
        let simulation = built.simulation()?;
        directory::prepare(&options.out)?;
        let mut run = Self {
            scene,
            options,
            hash: recorder::scene_hash(scene),
            recording: Recording::begin(&options.out, scene, &names, None)?,
            names,
            simulation,
            totals: Totals::default(),
            checkpoint: Checkpoint::of(&options.out),
            status: Status::Running,
            notes: Vec::new(),
            resumed: 0,
            started_unix_s: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
            wall_before: 0.0,
            since: Instant::now(),
        };
        run.notes.extend(run.simulation.memory().compliant.as_ref().map(CompliantLaw::summary));
        run.notes.extend(run.simulation.settings().items.as_ref().map(Items::summary));
        run.recording.start(&run.simulation)?;
        run.manifest().write(&options.out)?;
        // The start is a checkpoint too: a run that is killed early can be resumed.
        run.save()?;
        Ok(run)
    }

    /// Goes on from the checkpoint of the run directory.
    fn resume(scene: &'a Scene, options: &'a Options) -> Result<Self> {
        let checkpoint = Checkpoint::of(&options.out);
        let loaded = checkpoint.load::<Saved>()?;
        let saved = loaded.state;
        let hash = recorder::scene_hash(scene);
        let fault = |key: &str, what: String, remedy: &str| {
            Err(Error::from(Fault::new(key, what, remedy).in_file(options.out.display().to_string())))
        };
        if saved.law != options.law {
            let what = format!("the run is one of the law {}, not {}", saved.law, options.law);
            return fault("--law", what, "resume it with its own law");
        }
        if saved.scene_hash != hash {
            let what =
                format!("the run is one of another scene, or other settings ({} is not {hash})", saved.scene_hash);
            return fault(
                "--resume",
                what,
                "resume it with the scene and the --set it was begun with; only the duration may change",
            );
        }
        let step = saved.memory.step;
        let mut notes = Vec::new();
        if let Some(what) = loaded.instead_of {
            notes.push(format!("checkpoint.bin cannot be used ({what}); going on from the one before, at step {step}"));
        }
        if step >= scene.steps() {
            notes.push(format!("the run is at its end already, at step {step}"));
        }
        let run = Self {
            scene,
            options,
            hash,
            recording: Recording::begin(&options.out, scene, &saved.names, Some(step))?,
            simulation: Simulation::resume(saved.world, saved.memory, settings(scene, options.law))?
                .with_events(events(scene, &saved.names)),
            names: saved.names,
            totals: saved.totals,
            checkpoint,
            status: Status::Running,
            notes,
            resumed: saved.resumed + 1,
            started_unix_s: saved.started_unix_s,
            wall_before: saved.wall_s,
            since: Instant::now(),
        };
        run.manifest().write(&options.out)?;
        Ok(run)
    }

    fn steps(&mut self, stop: &AtomicBool, watch: &mut (dyn FnMut(&Progress) + Send)) -> Result<()> {
        let every = |interval: f64| (interval / self.scene.step).round() as u64;
        let checkpoint_every = every(self.scene.output.checkpoint).max(1);
        let with_checkpoints = self.scene.output.checkpoint > 0.0;
        let dump_at = self.options.dump_problem.map(every);
        let (steps, tolerance) = (self.scene.steps(), self.simulation.settings().tolerance);
        let mut flushed = Instant::now();
        while self.simulation.memory().step < steps && self.totals.broken.is_none() {
            if stop.load(Ordering::Relaxed) {
                self.status = Status::Interrupted;
                return Ok(());
            }
            self.simulation.prepare();
            let before = (dump_at == Some(self.simulation.memory().step)).then(|| self.simulation.world().clone());
            let record = self.simulation.step();
            self.name_arrivals();
            if let Some(fault) = self.simulation.failure() {
                return Err(Error::from(fault.clone()));
            }
            self.totals.add(&self.simulation, &record, tolerance, &self.names);
            if let Some(before) = before {
                dump::write(&self.options.out, &self.simulation, &before)?;
            }
            self.recording.record(&self.simulation, &record)?;
            if with_checkpoints && record.step.is_multiple_of(checkpoint_every) {
                self.save()?;
            } else if flushed.elapsed() > FLUSH {
                self.recording.flush(false)?;
                flushed = Instant::now();
            }
            watch(&Progress {
                step: record.step,
                steps,
                time: record.time,
                contacts: record.contacts,
                sweeps: record.solve.report.sweeps,
                residual: record.solve.report.residual,
            });
        }
        self.status = Status::Done;
        Ok(())
    }

    /// Names the bodies that came before the last step.
    fn name_arrivals(&mut self) {
        for arrival in self.simulation.arrivals() {
            debug_assert_eq!(arrival.id as usize, self.names.len(), "ids are given in order");
            let inlet = &self.scene.events.inlets[arrival.inlet];
            self.names.push(format!("{}-{}", inlet.name, arrival.number));
        }
    }

    /// Ends the run, at its end or where it was stopped.
    fn end(&mut self) -> Result<()> {
        self.save()?;
        recorder::write_final(&self.options.out, self.simulation.world(), &self.names)?;
        self.manifest().write(&self.options.out)
    }

    /// Saves a checkpoint; what was recorded up to it is on the disk first.
    fn save(&mut self) -> Result<()> {
        self.recording.flush(true)?;
        self.checkpoint.save(&Saving {
            scene_hash: &self.hash,
            law: self.options.law,
            names: &self.names,
            world: self.simulation.world(),
            memory: self.simulation.memory(),
            totals: &self.totals,
            resumed: self.resumed,
            started_unix_s: self.started_unix_s,
            wall_s: self.wall(),
        })
    }

    fn wall(&self) -> f64 {
        self.wall_before + self.since.elapsed().as_secs_f64()
    }

    fn manifest(&self) -> Manifest {
        Manifest {
            program: env!("CARGO_PKG_NAME").into(),
            version: env!("CARGO_PKG_VERSION").into(),
            name: self.scene.name.clone(),
            scene_hash: self.hash.clone(),
            scene: serde_json::to_value(self.scene).expect("a scene has text keys only"),
            law: self.options.law,
            settings: self.simulation.settings().clone(),
            compliant: self.simulation.memory().compliant.clone(),
            bodies: self.simulation.world().len(),
            threads: self.options.threads,
            resumed: self.resumed,
            started_unix_s: self.started_unix_s,
            wall_s: self.wall(),
            status: self.status,
            time_s: self.simulation.memory().time,
            totals: self.totals.clone(),
            warnings: self.totals.warnings(self.scene.numerics.allowed_missed),
        }
    }
}

//! `maxdiss run`.

use crate::cli::Outcome;
use crate::cli::progress;
use crate::cli::progress::Bar;
use crate::cli::scene_argument;
use crate::cli::warn;
use crate::error::Error;
use crate::error::Result;
use crate::law::Law;
use crate::recorder::Manifest;
use crate::recorder::Status;
use crate::run;
use crate::run::Options;
use clap::Args;
use std::path::Path;
use std::path::PathBuf;

/// Runs a scene file, or a named scene of the catalogue, and writes a run directory.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  maxdiss run sliding-sphere --law coulomb --out runs/ball\n\n\
    The run directory holds manifest.json, steps.csv, final.csv, tables/, frames for ParaView (frames.pvd) and a\n\
    checkpoint. A scene with contact items (such as ball-in-groove) runs under penalty; tables/ has their outputs.\n\
    A run that was stopped (Ctrl-C, kill, full disk) goes on by the same command with --resume.")]
pub(super) struct Arguments {
    /// Scene file, or a name that `maxdiss scenes` lists.
    scene: String,
    /// Law: max-dissipation, coulomb, cone, frictionless, two-stage or penalty.
    #[arg(long, default_value = "max-dissipation", value_parser = scene_argument::law)]
    law: Law,
    /// Run directory, new or empty; default runs/SCENE-LAW.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of threads; results do not depend on it. Default: all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Simulated time at which the run ends, in s; default: the scene's duration.
    #[arg(long, value_name = "T", value_parser = scene_argument::time)]
    until: Option<f64>,
    /// A value in the place of the scene's, such as step=1e-4 or bodies.ball.velocity=[3,0,0]; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Go on from the checkpoint in the run directory.
    #[arg(long)]
    resume: bool,
    /// Write the contact problem of the step at time T (in s) as problem.json, problem.dat and problem.hdf5.
    #[arg(long, value_name = "T", value_parser = scene_argument::time)]
    dump_problem: Option<f64>,
    /// No progress bar, no closing lines; warnings and errors only.
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let mut overrides = arguments.set.clone();
    overrides.extend(arguments.until.map(|time| format!("duration={time:?}")));
    let (scene, base) = scene_argument::load(&arguments.scene, &overrides)?;
    check_dump(arguments, scene.duration)?;
    let default = || Path::new("runs").join(format!("{}-{}", scene.name, arguments.law));
    let options = Options {
        law: arguments.law,
        out: arguments.out.clone().unwrap_or_else(default),
        base,
        threads: scene_argument::threads(arguments.threads),
        resume: arguments.resume,
        dump_problem: arguments.dump_problem,
    };
    progress::listen();
    let mut bar = Bar::new(&scene.name, arguments.quiet);
    let summary = run::execute(&scene, &options, &progress::STOP, &mut |progress| bar.show(progress));
    bar.finish();
    let summary = summary?;
    for note in &summary.notes {
        warn(&format!("note: {note}"));
    }
    tell(&summary.manifest, &options.out, arguments.quiet);
    if let Some(error) = &summary.failure {
        warn(&format!("error: {error}"));
        warn("the run stopped there; what was recorded is readable, and --resume goes on");
    }
    let interrupted = summary.manifest.status == Status::Interrupted;
    if interrupted {
        warn(&format!("interrupted at t = {} s; go on with --resume", summary.manifest.time_s));
    }
    Ok(if summary.failed || interrupted { Outcome::Wrong } else { Outcome::Done })
}

fn check_dump(arguments: &Arguments, duration: f64) -> Result<()> {
    let Some(time) = arguments.dump_problem else { return Ok(()) };
    if arguments.law == Law::TwoStage || arguments.law == Law::Penalty {
        let what = format!("a step of {} is not one contact problem", arguments.law);
        return Err(Error::input("--dump-problem", what, "give a law of one stage"));
    }
    if time >= duration {
        let what = format!("{time} s is not before the end, {duration} s");
        return Err(Error::input("--dump-problem", what, "give the time at which a step begins"));
    }
    Ok(())
}

/// The closing lines.
pub(super) fn tell(manifest: &Manifest, out: &Path, quiet: bool) {
    if !quiet {
        let totals = &manifest.totals;
        let per_step = |sum: u64| sum as f64 / totals.steps.max(1) as f64;
        warn(&format!(
            "{} under {}: {} steps, {:.6} s simulated in {:.2} s; a step has {:.1} contacts and {:.1} sweeps; {}",
            manifest.name,
            manifest.law,
            totals.steps,
            manifest.time_s,
            manifest.wall_s,
            per_step(totals.contacts),
            per_step(totals.sweeps),
            out.display()
        ));
    }
    for warning in &manifest.warnings {
        warn(&format!("warning: {warning}"));
    }
}

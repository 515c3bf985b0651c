//! `maxdiss reproduce`: computes the experiments and draws them; what is finished is kept and drawn again.

use crate::cli::Outcome;
use crate::cli::print;
use crate::cli::warn;
use crate::error::Error;
use crate::error::Result;
use crate::experiment;
use crate::experiment::Case;
use crate::experiment::Experiment;
use crate::experiment::Presentation;
use crate::experiment::Preset;
use crate::experiment::Record;
use crate::experiment::Tables;
use crate::plot;
use crate::recorder;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::time::Instant;

/// Computes the experiments: data, figures and findings, a folder each.
///
/// The quick preset takes seconds an experiment and writes to `results-quick`; the full one is what is published and
/// writes to `paper-results`. Finished experiments keep their data unless `--force`; figures and texts are drawn again
/// from the data. An interrupted experiment of many cases goes on with those that are left. Prints the README of each
/// experiment.
///
/// Example: maxdiss reproduce conic-sections --preset quick
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(in crate::cli) struct Arguments {
    /// Experiments, by name; all if none is named.
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// quick or full.
    #[arg(long, default_value_t = Preset::Quick)]
    preset: Preset,
    /// Folder of the results; results-quick or paper-results by default.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Compute again what is finished, also over another preset.
    #[arg(long)]
    force: bool,
    /// List the experiments, a name a line first, and stop.
    #[arg(long)]
    list: bool,
}

/// The version that is recorded with the data.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs the command.
///
/// # Errors
///
/// Unknown names, an output folder that cannot be written, and data of another preset without `--force`.
pub(in crate::cli) fn run(arguments: &Arguments) -> Result<Outcome> {
    if arguments.list {
        let lines = experiment::ALL.iter().map(|e| format!("{:<20} {}\n", e.name, e.question));
        print(&lines.collect::<String>())?;
        return Ok(Outcome::Done);
    }
    let chosen = chosen(&arguments.names)?;
    let out = arguments.out.clone().unwrap_or_else(|| default_out(arguments.preset));
    fs::create_dir_all(&out).map_err(|source| Error::Io { path: out.clone(), source })?;
    // Before anything is computed: all that stands in the way.
    let faults: Vec<_> = chosen.iter().filter_map(|e| other_preset(&out, e, arguments)).collect();
    if !faults.is_empty() {
        return Err(Error::Input(faults));
    }
    for experiment in &chosen {
        let case = Case::new(&out, experiment.name);
        let start = Instant::now();
        let (tables, record, kept) = tables(&case, experiment, arguments)?;
        let presentation = (experiment.present)(&tables).map_err(|e| e.in_file(&case.dir().to_string_lossy()))?;
        draw(&case, experiment, &tables, &record, &presentation)?;
        let how = if kept { "data kept".into() } else { format!("computed in {:.1} s", start.elapsed().as_secs_f64()) };
        warn(&format!("{}: {how}", experiment.name));
        print(&format!("{}\n", case.dir().join("README.md").display()))?;
    }
    let index = experiment::index(&finished(&out)?);
    recorder::write_atomically(&out.join("README.md"), index.as_bytes())?;
    warn(&format!("figures, tables and findings are in {}", out.display()));
    Ok(Outcome::Done)
}

fn default_out(preset: Preset) -> PathBuf {
    PathBuf::from(match preset {
        Preset::Quick => "results-quick",
        Preset::Full => "paper-results",
    })
}

/// The experiments of these names, in the order of the list; all without a name.
fn chosen(names: &[String]) -> Result<Vec<Experiment>> {
    let known: Vec<_> = experiment::ALL.iter().map(|e| e.name).collect();
    let unknown: Vec<_> = names.iter().filter(|name| !known.contains(&name.as_str())).collect();
    if !unknown.is_empty() {
        let faults = unknown.into_iter().map(|name| {
            let remedy = format!("the experiments are {}", known.join(", "));
            crate::error::Fault::new("NAME", format!("there is no experiment \"{name}\""), remedy)
        });
        return Err(Error::Input(faults.collect()));
    }
    let wanted = |e: &&Experiment| names.is_empty() || names.iter().any(|name| name == e.name);
    Ok(experiment::ALL.iter().filter(wanted).copied().collect())
}

/// The fault that finished data of another preset are in the way.
fn other_preset(out: &Path, experiment: &Experiment, arguments: &Arguments) -> Option<crate::error::Fault> {
    let case = Case::new(out, experiment.name);
    let record = case.record().filter(|record| record.preset != arguments.preset && !arguments.force)?;
    Some(crate::error::Fault::new(
        case.dir().to_string_lossy(),
        format!("holds results of the preset {}, not {}", record.preset, arguments.preset),
        "choose another folder with --out, or replace them with --force",
    ))
}

/// The tables of a case with their record, as read back from its folder, and whether they were there before.
fn tables(case: &Case, experiment: &Experiment, arguments: &Arguments) -> Result<(Tables, Record, bool)> {
    if let Some(record) = case.record().filter(|_| !arguments.force) {
        if record.version == VERSION {
            return Ok((case.tables(&record)?, record, true));
        }
        warn(&format!("{}: computed by version {}, so computed again", experiment.name, record.version));
    }
    case.begin()?;
    let kept = case.kept();
    if arguments.force {
        kept.clear()?;
    }
    let computed = (experiment.simulate)(arguments.preset, &kept)?;
    case.finish(experiment.name, arguments.preset, VERSION, &computed, kept.seconds())?;
    kept.clear()?;
    let record = case.record().ok_or_else(|| {
        Error::input(case.dir().to_string_lossy(), "its record cannot be read back", "check the disk, then try again")
    })?;
    Ok((case.tables(&record)?, record, false))
}

/// Pixels across a picture of bodies.
const PICTURE_WIDTH: u32 = 900;

fn draw(
    case: &Case,
    experiment: &Experiment,
    tables: &Tables,
    record: &Record,
    presentation: &Presentation,
) -> Result<()> {
    for drawing in &presentation.drawings {
        let svg = plot::svg(&drawing.figure);
        case.write(&format!("{}.svg", drawing.name), svg.as_bytes())?;
        case.write(&format!("{}.pdf", drawing.name), &plot::pdf(&svg)?)?;
    }
    for picture in &presentation.pictures {
        case.write(&format!("{}.png", picture.name), &plot::picture(&picture.view, PICTURE_WIDTH)?)?;
    }
    case.write("README.md", presentation.readme(experiment, tables, record.seconds)?.as_bytes())
}

/// All finished experiments below `out`, for the index.
fn finished(out: &Path) -> Result<Vec<(Experiment, Presentation)>> {
    let cases = experiment::ALL.iter().map(|e| (e, Case::new(out, e.name)));
    let recorded = cases.filter_map(|(e, case)| case.record().map(|record| (e, case, record)));
    recorded
        .map(|(e, case, record)| {
            let tables = case.tables(&record)?;
            Ok((*e, (e.present)(&tables)?))
        })
        .collect()
}

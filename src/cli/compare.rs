//! `maxdiss compare`.

use crate::cli::Outcome;
use crate::cli::print;
use crate::cli::progress;
use crate::cli::progress::Bar;
use crate::cli::run::tell;
use crate::cli::scene_argument;
use crate::error::Error;
use crate::error::Result;
use crate::figure::Table;
use crate::figure::Values;
use crate::law::Law;
use crate::plot;
use crate::recorder::Status;
use crate::recorder::write_atomically;
use crate::run;
use crate::run::Options;
use crate::run::comparison;
use clap::Args;
use std::path::Path;
use std::path::PathBuf;

/// Runs one scene under several laws; writes overlaid figures and a table of differences.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  maxdiss compare cube-thrown-flat --laws max-dissipation,coulomb --out runs/cube\n\n\
    DIR/LAW is the run of each law; DIR/compare.svg and .pdf show energies, friction work, contacts and the path of\n\
    the first tracked body; DIR/differences.csv, also printed, holds the differences from the first law."
)]
pub(super) struct Arguments {
    /// Scene file, or a name that `maxdiss scenes` lists.
    scene: String,
    /// Laws, the first one is compared with: two or more of max-dissipation, coulomb, cone, frictionless, two-stage,
    /// penalty.
    #[arg(long, value_delimiter = ',', num_args = 1.., default_values = ["max-dissipation", "two-stage", "coulomb"],
          value_parser = scene_argument::law)]
    laws: Vec<Law>,
    /// Directory, new or empty; default runs/SCENE-compared.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of threads; results do not depend on it. Default: all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Simulated time at which the runs end, in s; default: the scene's duration.
    #[arg(long, value_name = "T", value_parser = scene_argument::time)]
    until: Option<f64>,
    /// A value in the place of the scene's; may be repeated.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// No progress bar, no closing lines; warnings, errors and the table only.
    #[arg(long)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let mut overrides = arguments.set.clone();
    overrides.extend(arguments.until.map(|time| format!("duration={time:?}")));
    let (scene, base) = scene_argument::load(&arguments.scene, &overrides)?;
    check_laws(&arguments.laws)?;
    let out = arguments.out.clone().unwrap_or_else(|| Path::new("runs").join(format!("{}-compared", scene.name)));
    let mut outcome = Outcome::Done;
    progress::listen();
    for law in &arguments.laws {
        let options = Options {
            law: *law,
            out: out.join(law.name()),
            base: base.clone(),
            threads: scene_argument::threads(arguments.threads),
            resume: false,
            dump_problem: None,
        };
        let mut bar = Bar::new(law.name(), arguments.quiet);
        let summary = run::execute(&scene, &options, &progress::STOP, &mut |progress| bar.show(progress));
        bar.finish();
        let summary = summary?;
        tell(&summary.manifest, &options.out, arguments.quiet);
        if let Some(error) = summary.failure {
            return Err(error);
        }
        if summary.failed {
            outcome = Outcome::Wrong;
        }
        if summary.manifest.status == Status::Interrupted {
            return Ok(Outcome::Wrong);
        }
    }
    let differences = comparison::differences(&out, &arguments.laws)?;
    write_atomically(&out.join("differences.csv"), differences.to_csv().as_bytes())?;
    let svg = plot::svg(&comparison::figure(&out, &arguments.laws)?);
    write_atomically(&out.join("compare.svg"), svg.as_bytes())?;
    write_atomically(&out.join("compare.pdf"), &plot::pdf(&svg)?)?;
    print(&listed(&differences))?;
    Ok(outcome)
}

fn check_laws(laws: &[Law]) -> Result<()> {
    let twice = (1..laws.len()).find(|i| laws[..*i].contains(&laws[*i]));
    if let Some(i) = twice {
        return Err(Error::input("--laws", format!("{} is given twice", laws[i]), "give each law once"));
    }
    if laws.len() < 2 {
        return Err(Error::input("--laws", "only one law is given", "give two or more, with commas between them"));
    }
    Ok(())
}

/// A cell for the eye: numbers with six decimals, or digits where that hides them.
fn cell(values: &Values, row: usize) -> String {
    match values {
        Values::Numbers(numbers) => {
            let value = numbers[row];
            let plain = value == 0.0 || (1e-3..1e6).contains(&value.abs());
            if plain { format!("{value:.6}") } else { format!("{value:.5e}") }
        }
        Values::Words(words) => words[row].clone(),
    }
}

/// The table to be read on a screen: a quantity a line, a law a column.
fn listed(table: &Table) -> String {
    let rows: Vec<Vec<String>> = table
        .columns()
        .iter()
        .map(|column| {
            let title =
                if column.unit.is_empty() { column.name.clone() } else { format!("{} [{}]", column.name, column.unit) };
            std::iter::once(title).chain((0..table.rows()).map(|row| cell(&column.values, row))).collect()
        })
        .collect();
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=table.rows()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        for (cell, width) in row.iter().zip(&widths) {
            text.push_str(&format!("{cell:<width$}  "));
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

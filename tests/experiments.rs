//! The experiments: every one runs in its quick preset, and what is committed is what its own data draw.

use maxdiss::cli;
use maxdiss::experiment;
use maxdiss::experiment::Case;
use maxdiss::experiment::Kept;
use maxdiss::experiment::Preset;
use maxdiss::experiment::Tables;
use maxdiss::figure::Table;
use maxdiss::plot;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// The tables as they come back from their CSV text.
fn read_back(tables: &Tables) -> Tables {
    tables
        .iter()
        .fold(Tables::new(), |back, (name, table)| back.with(name, Table::from_csv(&table.to_csv()).expect("own CSV")))
}

#[test]
fn every_quick_experiment_runs_and_shows_the_same_from_its_csv() {
    for experiment in experiment::ALL {
        let tables = (experiment.simulate)(Preset::Quick, &Kept::nowhere()).expect(experiment.name);
        let back = read_back(&tables);
        let shown = (experiment.present)(&back).expect(experiment.name);
        let readme = shown.readme(&experiment, &back, None).expect(experiment.name);
        let direct = (experiment.present)(&tables).expect(experiment.name);
        // As drawn: a line is broken by points that are no numbers, and those are not equal to themselves.
        let drawn = |p: &experiment::Presentation| p.drawings.iter().map(|d| plot::svg(&d.figure)).collect::<Vec<_>>();
        assert!(drawn(&direct) == drawn(&shown), "{}: figures change through CSV", experiment.name);
        assert_eq!(direct.finding, shown.finding, "{}", experiment.name);
        assert!(!shown.finding.contains('–'), "{}: a number is missing: {}", experiment.name, shown.finding);
        assert!(readme.contains("## Finding") && readme.contains("| preset | quick |"), "{readme}");
        assert!(!shown.drawings.is_empty() && !shown.falsified_by.is_empty());
        for drawing in &shown.drawings {
            let svg = plot::svg(&drawing.figure);
            let png = plot::png(&svg, 160.0).expect("PNG");
            let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.png", drawing.name));
            fs::write(out, png).expect("the target directory can be written");
        }
        for picture in &shown.pictures {
            let png = plot::picture(&picture.view, 600).expect("PNG");
            let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.png", picture.name));
            fs::write(out, png).expect("the target directory can be written");
        }
    }
}

#[test]
fn an_experiment_computes_the_same_tables_each_time() {
    for experiment in experiment::ALL {
        let text = |tables: Tables| tables.iter().map(|(_, t)| t.to_csv()).collect::<String>();
        let run = || text((experiment.simulate)(Preset::Quick, &Kept::nowhere()).expect(experiment.name));
        assert!(run() == run(), "{}", experiment.name);
    }
}

#[test]
fn the_committed_readmes_and_figures_are_what_their_data_draw() {
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("paper-results");
    let mut seen = Vec::new();
    for experiment in experiment::ALL {
        let case = Case::new(&out, experiment.name);
        // An experiment whose full run is not committed yet has nothing to be held to.
        let Some(record) = case.record() else { continue };
        assert_eq!(record.preset, Preset::Full, "{}", experiment.name);
        let tables = case.tables(&record).expect(experiment.name);
        let shown = (experiment.present)(&tables).expect(experiment.name);
        let committed = fs::read_to_string(case.dir().join("README.md")).expect(experiment.name);
        let drawn = shown.readme(&experiment, &tables, record.seconds).expect(experiment.name);
        assert!(committed == drawn, "{}: run `maxdiss reproduce --preset full` and commit", experiment.name);
        for drawing in &shown.drawings {
            assert!(case.dir().join(format!("{}.svg", drawing.name)).is_file(), "{}", drawing.name);
        }
        for picture in &shown.pictures {
            let file = case.dir().join(format!("{}.png", picture.name));
            assert!(file.is_file() && !picture.view.solids.is_empty(), "{}", picture.name);
        }
        seen.push((experiment, shown));
    }
    assert!(seen.len() >= 5, "only {} experiments are committed", seen.len());
    let index = fs::read_to_string(out.join("README.md")).expect("index");
    assert!(index == experiment::index(&seen), "the index is not what the data say");
}

fn reproduce(arguments: &[&str]) -> u8 {
    cli::run(["maxdiss", "reproduce"].iter().chain(arguments).map(OsString::from)).code()
}

#[test]
fn finished_data_are_kept_until_forced_and_another_preset_is_not_mistaken_for_them() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let out = dir.path().join("results");
    let place = out.to_str().expect("a name that is text");
    let table = out.join("conic-sections/contact.csv");
    assert_eq!(reproduce(&["conic-sections", "--out", place]), 0);
    assert!(out.join("README.md").is_file() && out.join("conic-sections/conic-sections.pdf").is_file());
    // A mark in the data shows whether they were computed again.
    let marked = fs::read_to_string(&table).expect("table").replace("ellipse", "circle");
    fs::write(&table, &marked).expect("written");
    assert_eq!(reproduce(&["conic-sections", "--out", place]), 0);
    assert_eq!(fs::read_to_string(&table).expect("table"), marked, "kept data were written over");
    assert_eq!(reproduce(&["conic-sections", "--out", place, "--preset", "full"]), 2, "quick data taken for full");
    assert_eq!(fs::read_to_string(&table).expect("table"), marked);
    assert_eq!(reproduce(&["conic-sections", "--out", place, "--force"]), 0);
    assert!(fs::read_to_string(&table).expect("table").contains("ellipse"), "not computed again");
}

#[test]
fn a_case_that_was_cut_short_is_computed_again() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let place = dir.path().to_str().expect("a name that is text");
    let case = dir.path().join("rod-impact");
    assert_eq!(reproduce(&["rod-impact", "--out", place]), 0);
    fs::remove_file(case.join("case.json")).expect("record");
    fs::write(case.join("impacts.csv"), "half a ta").expect("written");
    assert_eq!(reproduce(&["rod-impact", "--out", place]), 0);
    assert!(fs::read_to_string(case.join("impacts.csv")).expect("table").starts_with("law,state,mu [1]"));
}

#[test]
fn unknown_names_and_unusable_folders_are_refused() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("file");
    fs::write(&file, "in the way").expect("written");
    assert_eq!(reproduce(&["levitation", "--out", dir.path().to_str().expect("text")]), 2);
    assert_eq!(reproduce(&["rod-impact", "--out", file.to_str().expect("text")]), 2);
    assert_eq!(reproduce(&["--preset", "slow"]), 2);
    assert_eq!(fs::read_dir(dir.path()).expect("listed").count(), 1, "something was written");
}

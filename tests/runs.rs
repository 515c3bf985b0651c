//! Runs from the command line: interrupted and resumed, killed, recorded, compared.

use maxdiss::problem;
use maxdiss::recorder::Manifest;
use maxdiss::recorder::Status;
use maxdiss::recorder::read_frames;
use maxdiss::recorder::read_table;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::Command;
use std::process::Output;
use std::process::Stdio;
use std::time::Duration;
use std::time::Instant;

fn maxdiss() -> Command {
    Command::new(env!("CARGO_BIN_EXE_maxdiss"))
}

/// Runs `maxdiss` with these words in `dir`.
fn call(dir: &Path, words: &str) -> Output {
    maxdiss().current_dir(dir).args(words.split_whitespace()).output().expect("the program starts")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("ended by itself")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs `maxdiss` with these words and expects exit code 0.
fn done(dir: &Path, words: &str) -> Output {
    let output = call(dir, words);
    assert_eq!(code(&output), 0, "{words}:\n{}", stderr(&output));
    output
}

fn same(a: &Path, b: &Path, files: &[&str]) {
    for file in files {
        let bytes = |dir: &Path| fs::read(dir.join(file)).unwrap_or_else(|e| panic!("{}/{file}: {e}", dir.display()));
        assert!(bytes(a) == bytes(b), "{file} differs between {} and {}", a.display(), b.display());
    }
}

const TABLES: [&str; 2] = ["steps.csv", "final.csv"];

#[test]
fn two_halves_with_a_checkpoint_between_are_one_run_bit_for_bit_on_one_and_two_threads() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let scene = "run mixed-pile --quiet --set output.rows=1 --set output.frames=0.02 --set output.track=[\"ball-1\",\"block-3\"]";
    for (law, threads) in [("max-dissipation", 1), ("max-dissipation", 2), ("two-stage", 2), ("coulomb", 1)] {
        let [whole, halves] = ["whole", "halves"].map(|name| format!("{name}-{law}-{threads}"));
        let options = format!("--law {law} --threads {threads} --set numerics.allowed-missed=1");
        done(dir.path(), &format!("{scene} {options} --until 0.12 --out {whole}"));
        done(dir.path(), &format!("{scene} {options} --until 0.06 --out {halves}"));
        done(dir.path(), &format!("{scene} {options} --until 0.12 --out {halves} --resume"));
        let (whole, halves) = (dir.path().join(whole), dir.path().join(halves));
        same(&whole, &halves, &TABLES);
        same(
            &whole,
            &halves,
            &["tables/tracks.csv", "frames.pvd", "frames/particles_000006.vtu", "frames/contacts_000006.vtu"],
        );
        assert_eq!(read_table(&whole.join("steps.csv")).expect("read").rows(), 241);
        let totals = |dir: &Path| Manifest::read(dir).expect("read").totals;
        assert_eq!(totals(&whole), totals(&halves));
    }
    same(&dir.path().join("whole-max-dissipation-1"), &dir.path().join("whole-max-dissipation-2"), &TABLES);
}

#[test]
fn a_killed_run_can_be_read_to_its_last_record_and_resumed_to_the_same_end() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let words = "run mixed-pile --quiet --threads 1 --set output.rows=1 --set output.checkpoint=0.01 --set numerics.allowed-missed=1 --until 0.15";
    let killed = dir.path().join("killed");
    let mut child = start(dir.path(), &format!("{words} --out killed"));
    wait_for(|| read_table(&killed.join("steps.csv")).is_ok_and(|table| table.rows() > 60));
    child.kill().expect("killed");
    child.wait().expect("ended");
    let table = read_table(&killed.join("steps.csv")).expect("readable");
    assert!(table.rows() > 60);
    assert_eq!(Manifest::read(&killed).expect("readable").status, Status::Running);
    // What a kill in the middle of a write leaves behind.
    let torn = fs::read_to_string(killed.join("steps.csv")).expect("there") + "9999,0.5,1";
    fs::write(killed.join("steps.csv"), torn).expect("written");
    done(dir.path(), &format!("{words} --out killed --resume"));
    done(dir.path(), &format!("{words} --out whole"));
    same(&killed, &dir.path().join("whole"), &TABLES);
    let manifest = Manifest::read(&killed).expect("readable");
    assert_eq!((manifest.status, manifest.resumed), (Status::Done, 1));
}

#[cfg(unix)]
#[test]
fn control_c_ends_a_run_cleanly() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let words = "run mixed-pile --quiet --threads 1 --set output.rows=1 --set numerics.allowed-missed=1 --until 0.15 --out stopped";
    let stopped = dir.path().join("stopped");
    let mut child = start(dir.path(), words);
    wait_for(|| read_table(&stopped.join("steps.csv")).is_ok_and(|table| table.rows() > 20));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(sent.success());
    assert_eq!(child.wait().expect("ended").code(), Some(1), "stopped before its end");
    let manifest = Manifest::read(&stopped).expect("readable");
    assert_eq!(manifest.status, Status::Interrupted);
    assert!(stopped.join("final.csv").exists());
    assert!(manifest.time_s < 0.14, "t = {}", manifest.time_s);
    done(dir.path(), &format!("{words} --resume"));
    assert_eq!(Manifest::read(&stopped).expect("readable").status, Status::Done);
}

fn start(dir: &Path, words: &str) -> std::process::Child {
    let mut command = maxdiss();
    command.current_dir(dir).args(words.split_whitespace()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

fn wait_for(condition: impl Fn() -> bool) {
    // Far more than it takes on a slow, busy machine.
    let end = Instant::now() + Duration::from_secs(120);
    while !condition() {
        assert!(Instant::now() < end, "waited two minutes in vain");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_damaged_checkpoint_is_told_apart_from_a_missing_one_and_the_one_before_is_taken() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let words = "run sliding-sphere --until 0.2 --out run";
    done(dir.path(), words);
    let newest = dir.path().join("run/checkpoint.bin");
    let older = dir.path().join("run/checkpoint-previous.bin");
    let whole = fs::read(dir.path().join("run/steps.csv")).expect("there");
    let mut bytes = fs::read(&newest).expect("there");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x10;
    fs::write(&newest, &bytes).expect("written");
    let resumed = done(dir.path(), &format!("{words} --resume"));
    assert!(stderr(&resumed).contains("checksum does not match"), "{}", stderr(&resumed));
    assert!(whole == fs::read(dir.path().join("run/steps.csv")).expect("there"));
    for file in [&newest, &older] {
        fs::write(file, "rubbish").expect("written");
    }
    let damaged = call(dir.path(), &format!("{words} --resume"));
    assert_eq!(code(&damaged), 2);
    assert!(stderr(&damaged).contains("the checkpoint is damaged"), "{}", stderr(&damaged));
    fs::remove_file(newest).expect("removed");
    fs::remove_file(older).expect("removed");
    let missing = call(dir.path(), &format!("{words} --resume"));
    assert_eq!(code(&missing), 2);
    assert!(stderr(&missing).contains("there is no checkpoint"), "{}", stderr(&missing));
}

#[test]
fn a_run_is_resumed_only_with_its_own_scene_and_law() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    done(dir.path(), "run sliding-sphere --until 0.02 --out run --quiet");
    for (words, expected) in [
        ("run turntable --out run --resume", "another scene"),
        (
            "run sliding-sphere --out run --resume --set materials.plain.friction=0.3",
            "another scene, or other settings",
        ),
        ("run sliding-sphere --out run --resume --law coulomb", "one of the law max-dissipation, not coulomb"),
    ] {
        let output = call(dir.path(), words);
        assert_eq!(code(&output), 2, "{words}");
        assert!(stderr(&output).contains(expected), "{words}: {}", stderr(&output));
    }
    let again = done(dir.path(), "run sliding-sphere --until 0.02 --out run --resume");
    assert!(stderr(&again).contains("at its end already"), "{}", stderr(&again));
}

#[test]
fn steps_that_do_not_converge_are_said_at_the_end_with_exit_code_1() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let words = "run box-stack --until 0.02 --set numerics.max-sweeps=1 --set numerics.tolerance=1e-9 --set numerics.warm-start=false";
    let output = call(dir.path(), &format!("{words} --out run"));
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("steps (100.0 %) missed ten times the tolerance"), "{}", stderr(&output));
    let manifest = Manifest::read(&dir.path().join("run")).expect("readable");
    assert_eq!(manifest.totals.missed, 20);
    assert!(manifest.warnings[0].contains("missed ten times"));
    done(dir.path(), &format!("{words} --set numerics.allowed-missed=1 --out allowed"));
}

#[test]
fn a_run_starts_from_the_last_state_of_another() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    done(dir.path(), "run sliding-sphere --until 0.5 --out first --quiet");
    done(dir.path(), "run sliding-sphere --until 0.002 --out second --quiet --law coulomb --set initial.from=first");
    let x = |run: &str| read_table(&dir.path().join(run).join("final.csv")).expect("read").numbers("x").expect("x")[0];
    // One step of 2 ms at less than 5 m/s.
    assert!((0.0..0.01).contains(&(x("second") - x("first"))), "{} after {}", x("second"), x("first"));
    let lacking = call(dir.path(), "run sliding-sphere --out third --set initial.from=nowhere");
    assert_eq!(code(&lacking), 2);
    assert!(stderr(&lacking).contains("nowhere/final.csv: is not there"), "{}", stderr(&lacking));
}

#[test]
fn the_problem_of_a_step_reads_back_the_same_from_every_format_and_solves_to_the_same_impulses() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let run = "run mixed-pile --quiet --until 0.06 --dump-problem 0.05 --out run --set numerics.tolerance=1e-10 --set numerics.max-sweeps=20000";
    done(dir.path(), run);
    let bytes = |name: &str| fs::read(dir.path().join("run").join(name)).expect("written");
    let json = problem::read(&bytes("problem.json")).expect("read");
    assert!(json.len() > 10, "only {} contacts", json.len());
    assert!(problem::read(&bytes("problem.dat")).expect("read") == json, "Siconos");
    assert!(problem::read(&bytes("problem.hdf5")).expect("read") == json, "FCLIB");
    let impulses = read_table(&dir.path().join("run/problem-impulses.csv")).expect("read");
    assert_eq!(impulses.rows(), json.len());
    // Balls on a floor and on each other, without redundant contacts: the impulses are unique.
    for law in ["max-dissipation", "coulomb"] {
        let run = format!(
            "run sphere-pile --quiet --law {law} --until 0.051 --dump-problem 0.05 --out {law} \
             --set numerics.tolerance=1e-12 --set numerics.max-sweeps=20000 --set numerics.allowed-missed=1"
        );
        done(dir.path(), &run);
        let impulses = read_table(&dir.path().join(law).join("problem-impulses.csv")).expect("read");
        let stepped =
            ["impulse_n", "impulse_t", "impulse_o"].map(|name| impulses.numbers(name).expect("there").to_vec());
        let largest = stepped[0].iter().copied().fold(0.0, f64::max);
        assert!(impulses.rows() > 20 && largest > 0.0);
        let solved = ["json", "dat", "hdf5"].map(|end| solved(dir.path(), &format!("{law}/problem.{end} --law {law}")));
        assert!(solved[0] == solved[1] && solved[0] == solved[2], "the formats give different impulses");
        for (j, impulse) in solved[0].iter().enumerate() {
            for k in 0..3 {
                // Both stop at a residual of about 1e-10; contacts in chains multiply it.
                let off = (impulse[k] - stepped[k][j]).abs();
                assert!(off < 1e-6 * largest, "{law}: contact {j}: {impulse:?} off by {off}, of {largest} N·s at most");
            }
        }
    }
    for (words, expected) in [
        ("run mixed-pile --out two --law two-stage --dump-problem 0.05", "not one contact problem"),
        ("run mixed-pile --out two --dump-problem 9", "not before the end"),
    ] {
        let output = call(dir.path(), words);
        assert_eq!(code(&output), 2);
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

/// The impulses that `maxdiss solve` finds, in N·s.
fn solved(dir: &Path, words: &str) -> Vec<[f64; 3]> {
    let output = done(dir, &format!("solve {words}"));
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an answer in JSON");
    let contacts = answer["contacts"].as_array().expect("a list of contacts");
    let impulse = |contact: &serde_json::Value| [0, 1, 2].map(|k| contact["impulse"][k].as_f64().expect("a number"));
    contacts.iter().map(impulse).collect()
}

#[test]
fn frames_hold_every_particle_with_its_turn_and_every_contact_with_its_impulse() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    done(dir.path(), "run box-stack --quiet --until 0.1 --out run");
    let frames = read_frames(&dir.path().join("run"));
    assert_eq!(frames.len(), 3);
    let (time, particles, contacts) = &frames[2];
    assert!((time - 0.1).abs() < 1e-12);
    assert_eq!(particles.points.len(), 5);
    let orientation = particles.array("orientation").expect("there");
    for q in orientation.values.chunks(4) {
        assert!((q.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12, "{q:?}");
    }
    // The floor carries 5 boxes of 5.6 kg: over a step of 1 ms the lowest contacts give 5 m g δt.
    let body_b = &contacts.array("body_b").expect("there").values;
    let impulse = &contacts.array("impulse_N_s").expect("there").values;
    let floor: f64 = (0..contacts.points.len()).filter(|j| body_b[*j] > 4.5).map(|j| impulse[3 * j + 2]).sum();
    let weight = 5.0 * 5.6 * 9.81 * 1e-3;
    // The stack is held to the tolerance of its solve, 1e-6 of the impulses, and settles over some steps.
    assert!((floor - weight).abs() < 1e-3 * weight, "{floor} N·s for {weight}");
    read_by_meshio(&dir.path().join("run/frames/particles_000002.vtu"), 5);
    read_by_meshio(&dir.path().join("run/frames/contacts_000002.vtu"), contacts.points.len());
}

/// Reads a frame by Python's meshio, where that is there.
fn read_by_meshio(path: &Path, points: usize) {
    let script = "import sys, meshio\nm = meshio.read(sys.argv[1])\nprint(len(m.points), all(len(a) == len(m.points) for a in m.point_data.values()))";
    let there = Command::new("python3").args(["-c", "import meshio"]).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        eprintln!("skipped: Python has no meshio, {} was read by this program only", path.display());
        return;
    }
    let read = Command::new("python3").arg("-c").arg(script).arg(path).output().expect("python starts");
    assert_eq!(String::from_utf8_lossy(&read.stdout).trim(), format!("{points} True"), "{}", stderr(&read));
}

#[test]
fn compare_writes_figures_and_a_table_of_differences() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let output =
        done(dir.path(), "compare cube-thrown-flat --laws max-dissipation,coulomb,cone --until 0.2 --out cube --quiet");
    let table = String::from_utf8(output.stdout).expect("text");
    assert!(table.lines().next().is_some_and(|line| line.contains("max-dissipation")), "{table}");
    let csv = read_table(&dir.path().join("cube/differences.csv")).expect("read");
    let distance = csv.numbers("largest distance from the first law").expect("there");
    assert!(distance[0] == 0.0 && distance[1] > 1e-6, "a cube feels less friction under max-dissipation: {distance:?}");
    // Under `cone` the cube is launched at μv/(1 + μ²) = 0.8 m/s; `coulomb` keeps it on the floor.
    let height = |law: &str| {
        let table = read_table(&dir.path().join(format!("cube/{law}/tables/tracks.csv"))).expect("read");
        table.numbers("z").expect("there").iter().copied().fold(0.0, f64::max)
    };
    assert!(height("cone") > 0.08 && height("coulomb") < 0.0501, "{} and {}", height("cone"), height("coulomb"));
    let svg = fs::read_to_string(dir.path().join("cube/compare.svg")).expect("written");
    assert!(svg.starts_with("<svg") || svg.contains("<svg"), "{}", &svg[..80.min(svg.len())]);
    assert!(fs::read(dir.path().join("cube/compare.pdf")).expect("written").starts_with(b"%PDF"));
}

#[test]
fn compare_overlays_the_compliant_mode_on_impulse_laws() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    done(dir.path(), "compare sliding-sphere --laws max-dissipation,coulomb,penalty --until 0.1 --out ball --quiet");
    let csv = read_table(&dir.path().join("ball/differences.csv")).expect("read");
    let distance = csv.numbers("largest distance from the first law").expect("there");
    assert!(distance[1] == 0.0, "for a ball the impulse laws are one: {distance:?}");
    // The compliant ball sinks in by mg/k and its friction builds up: near the others, not on them.
    assert!(distance[2] > 1e-6 && distance[2] < 1e-3, "{distance:?}");
    let svg = fs::read_to_string(dir.path().join("ball/compare.svg")).expect("written");
    assert!(
        ["max-dissipation", "coulomb", "penalty"].iter().all(|law| svg.contains(law)),
        "a law is not in the figure"
    );
}

#[test]
fn the_catalogue_is_listed_a_name_first_and_each_scene_can_be_printed_and_checked() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let listed = String::from_utf8(done(dir.path(), "scenes").stdout).expect("text");
    let names: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        let text = done(dir.path(), &format!("scenes {name}")).stdout;
        let file = PathBuf::from(format!("{name}.toml"));
        fs::write(dir.path().join(&file), text).expect("written");
        let checked = done(dir.path(), &format!("check {}", file.display()));
        assert!(String::from_utf8_lossy(&checked.stdout).contains("nothing is wrong"));
    }
}

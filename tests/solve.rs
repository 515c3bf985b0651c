//! The command `maxdiss solve`: answers, refusals and exit codes.

use maxdiss::problem::fclib;
use maxdiss::problem::json as json_format;
use maxdiss::problem::siconos;
use serde_json::Value;
use std::path::Path;
use std::path::PathBuf;
use tempfile::TempDir;

/// What a call of the program left.
struct Call {
    code: i32,
    out: String,
    err: String,
}

/// Runs `maxdiss` from the top of the repository.
fn maxdiss(args: &[&str]) -> Call {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("maxdiss");
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).output().expect("the program starts");
    Call {
        code: output.status.code().expect("an exit code"),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

fn json(call: &Call) -> Value {
    serde_json::from_str(&call.out).unwrap_or_else(|error| panic!("{error}: {}{}", call.out, call.err))
}

fn vector(value: &Value) -> [f64; 3] {
    [0, 1, 2].map(|k| value[k].as_f64().expect("a number"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

fn written(folder: &TempDir, name: &str, text: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("a temporary file");
    path
}

/// Refused: exit code 2, nothing on standard output, and a message with all `parts`.
fn assert_refused(args: &[&str], parts: &[&str]) {
    let call = maxdiss(args);
    assert_eq!(call.code, 2, "{args:?}: {}", call.err);
    assert_eq!(call.out, "", "{args:?}");
    for part in parts {
        assert!(call.err.contains(part), "{args:?}: \"{part}\" is not in: {}", call.err);
    }
}

const ONE: &str = "examples/problems/one-contact.json";
const SEVERAL: &str = "examples/problems/several-solutions.json";
const STACKED: &str = "examples/problems/two-stacked.json";

#[test]
fn one_contact_is_answered_with_the_fields_of_the_contract() {
    let call = maxdiss(&["solve", ONE]);
    assert_eq!((call.code, call.err.as_str()), (0, ""));
    let answer = json(&call);
    assert_eq!(answer["law"], "max-dissipation");
    assert_eq!(answer["converged"], true);
    assert_eq!(answer["sweeps"], 1);
    assert!(number(&answer["residual"]) < 1e-15);
    let contact = &answer["contacts"][0];
    assert_eq!(contact["state"], "sliding");
    assert_eq!(contact["mu"], 0.24);
    let (impulse, velocity) = (vector(&contact["impulse"]), vector(&contact["velocity"]));
    // On the cone, and no normal velocity left: rounding of numbers of order one.
    let friction = impulse[1].hypot(impulse[2]);
    assert!((friction - 0.24 * impulse[0]).abs() < 1e-15, "friction {friction} for normal {}", impulse[0]);
    assert!(velocity[0].abs() < 1e-15, "normal velocity {}", velocity[0]);
    // ½Λᵀ(δv⁺ − b) is the change of kinetic energy.
    let energy: f64 = (0..3).map(|k| 0.5 * impulse[k] * (velocity[k] - [0.7, -0.3, 0.5][k])).sum();
    assert!((number(&answer["energy_change"]) - energy).abs() < 1e-15, "{energy} for {}", answer["energy_change"]);
}

#[test]
fn maximum_dissipation_takes_the_most_energy_and_no_friction_the_least() {
    let energy = |law: &str| {
        let call = maxdiss(&["solve", ONE, "--law", law]);
        assert_eq!((call.code, call.err.as_str()), (0, ""), "{law}");
        let answer = json(&call);
        assert_eq!(answer["law"], law);
        number(&answer["energy_change"])
    };
    let (most, coulomb, incremental, none) =
        (energy("max-dissipation"), energy("coulomb"), energy("incremental"), energy("frictionless"));
    assert!(most < coulomb && coulomb < none && most < incremental, "{most} {coulomb} {incremental} {none}");
    // The cone is the larger set: less energy is left, at the price of a contact that opens.
    assert!(energy("cone") < most);
}

#[test]
fn all_coulomb_solutions_are_listed_by_their_energy_change() {
    for args in [vec!["solve", SEVERAL, "--all"], vec!["solve", SEVERAL, "--all", "--law", "coulomb"]] {
        let call = maxdiss(&args);
        assert_eq!((call.code, call.err.as_str()), (0, ""));
        let answer = json(&call);
        assert_eq!(answer["law"], "coulomb");
        let solutions = answer["solutions"].as_array().expect("a list");
        assert_eq!(solutions.len(), 3);
        assert_eq!(answer["excluded"], Value::Array(vec![]));
        let energies: Vec<f64> = solutions.iter().map(|solution| number(&solution["energy_change"])).collect();
        assert!(energies.is_sorted(), "{energies:?}");
        for solution in solutions {
            let contact = &solution["contacts"][0];
            let (impulse, velocity) = (vector(&contact["impulse"]), vector(&contact["velocity"]));
            let power = impulse[1] * velocity[1] + impulse[2] * velocity[2];
            let opposed = power + impulse[1].hypot(impulse[2]) * velocity[1].hypot(velocity[2]);
            // Friction opposes the slip. The block is nearly singular: 1/cond is 1e-3.
            assert!(opposed.abs() < 1e-12, "friction does not oppose slip: {opposed}");
        }
    }
}

#[test]
fn a_jam_is_listed_as_excluded_and_never_taken() {
    // ‖e‖ = 2 (Painlevé), separating: besides Λ = 0 an impulse would satisfy all conditions but the pressure constraint.
    let folder = TempDir::new().expect("a temporary folder");
    let text = r#"{"delassus": [[1, -2, 0], [-2, 5, 0], [0, 0, 1]], "b": [-0.1, 3, 0], "mu": 1}"#;
    let path = written(&folder, "jam.json", text.as_bytes());
    let answer = json(&maxdiss(&["solve", path.to_str().expect("text"), "--all"]));
    assert_eq!(answer["contacts"][0]["state"], "separating");
    assert_eq!(answer["solutions"].as_array().expect("a list").len(), 1);
    let excluded = answer["excluded"].as_array().expect("a list");
    assert!(!excluded.is_empty(), "{answer}");
    for jam in excluded {
        assert!(vector(&jam["contacts"][0]["impulse"])[0] > 0.0, "{jam}");
    }
}

#[test]
fn clarabel_gives_the_same_energy_as_the_closed_forms() {
    for (path, law) in [
        (ONE, "max-dissipation"),
        (ONE, "cone"),
        (ONE, "frictionless"),
        (SEVERAL, "max-dissipation"),
        (STACKED, "cone"),
        (STACKED, "frictionless"),
    ] {
        let call = maxdiss(&["solve", path, "--law", law, "--reference", "--tolerance", "1e-14"]);
        assert_eq!(call.code, 0, "{path} {law}: {}", call.err);
        let answer = json(&call);
        let (ours, reference) = (number(&answer["energy_change"]), number(&answer["reference"]["energy_change"]));
        // The reference is the less accurate of the two; see `solver::cone_program`.
        assert!((ours - reference).abs() <= 1e-9 * ours.abs(), "{path} {law}: {ours} and {reference}");
        assert_eq!(answer["reference"]["solver"], "clarabel");
    }
}

#[test]
fn the_three_file_formats_give_the_same_answer() {
    let folder = TempDir::new().expect("a temporary folder");
    let text = std::fs::read_to_string(STACKED).expect("tests run at the top of the repository");
    let problem = json_format::read(&text).expect("valid");
    let expected = maxdiss(&["solve", STACKED]).out;
    for (name, bytes) in [
        ("stacked.json", json_format::write(&problem).into_bytes()),
        ("stacked.dat", siconos::write(&problem).into_bytes()),
        ("stacked.hdf5", fclib::write(&problem).expect("small")),
        // The content decides, not the name.
        ("stacked.txt", fclib::write(&problem).expect("small")),
    ] {
        let path = written(&folder, name, &bytes);
        let call = maxdiss(&["solve", path.to_str().expect("text")]);
        assert_eq!((call.code, call.err.as_str(), &call.out), (0, "", &expected), "{name}");
    }
}

#[test]
fn a_problem_without_contacts_is_an_answer() {
    let folder = TempDir::new().expect("a temporary folder");
    for (name, text) in [
        ("empty.json", r#"{"delassus": [], "b": [], "mu": []}"#),
        ("blocks.json", r#"{"delassus": {"blocks": []}, "b": [], "mu": []}"#),
        ("empty.dat", "3 0"),
    ] {
        let path = written(&folder, name, text.as_bytes());
        for law in ["max-dissipation", "coulomb", "cone", "frictionless", "incremental"] {
            let call = maxdiss(&["solve", path.to_str().expect("text"), "--law", law]);
            assert_eq!((call.code, call.err.as_str()), (0, ""), "{name} {law}");
            let answer = json(&call);
            assert_eq!(answer["contacts"], Value::Array(vec![]));
            assert_eq!((number(&answer["energy_change"]), number(&answer["residual"])), (0.0, 0.0));
        }
    }
}

#[test]
fn sweeps_that_run_out_or_cycle_end_with_exit_code_one_and_an_answer() {
    let call = maxdiss(&["solve", STACKED, "--max-sweeps", "2"]);
    assert_eq!(call.code, 1);
    assert!(call.err.contains("not converged") && call.err.contains("--max-sweeps"), "{}", call.err);
    let answer = json(&call);
    assert_eq!((&answer["converged"], &answer["sweeps"]), (&Value::Bool(false), &Value::from(2)));
    assert!(number(&answer["residual"]) > 1e-10);

    let cases: Value = serde_json::from_str(include_str!("data/gs_cycles.json")).expect("valid");
    let case = &cases[2];
    let text = format!(r#"{{"delassus": {}, "b": {}, "mu": [1, 1]}}"#, case["delassus"], case["b"]);
    let folder = TempDir::new().expect("a temporary folder");
    let path = written(&folder, "cycle.json", text.as_bytes());
    let call = maxdiss(&["solve", path.to_str().expect("text")]);
    assert_eq!(call.code, 1);
    assert!(call.err.contains("cycling") && call.err.contains("‖e‖ is 1.034"), "{}", call.err);
    assert_eq!(json(&call)["status"], "cycling");
}

#[test]
fn an_asymmetry_of_other_programs_is_said_on_standard_error() {
    let folder = TempDir::new().expect("a temporary folder");
    let text = r#"{"delassus": [[2, 0.001, 0], [0, 1, 0], [0, 0, 1]], "b": [1, 0, 0], "mu": 0.3}"#;
    let path = written(&folder, "rough.json", text.as_bytes());
    let call = maxdiss(&["solve", path.to_str().expect("text")]);
    assert_eq!(call.code, 0);
    assert!(call.err.contains("rough.json: symmetrised: asymmetry 7.1e-4"), "{}", call.err);
    assert_eq!(call.out.lines().count(), 1);
}

#[test]
fn the_table_says_the_same_as_json() {
    let table = maxdiss(&["solve", STACKED, "--format", "table"]);
    assert_eq!((table.code, table.err.as_str()), (0, ""));
    let answer = json(&maxdiss(&["solve", STACKED]));
    for contact in answer["contacts"].as_array().expect("a list") {
        for x in vector(&contact["impulse"]) {
            let digits = format!("{x:.16e}");
            assert!(table.out.contains(&digits), "{digits} is not in:\n{}", table.out);
        }
    }
    assert!(table.out.contains("N·s") && table.out.contains("m/s"), "{}", table.out);
}

#[test]
fn the_examples_of_the_help_work_when_pasted() {
    let help = maxdiss(&["solve", "--help"]);
    assert_eq!((help.code, help.err.as_str()), (0, ""));
    let examples: Vec<&str> = help.out.lines().filter_map(|line| line.trim().strip_prefix("maxdiss ")).collect();
    assert!(examples.len() >= 3, "{}", help.out);
    for example in examples {
        let args: Vec<&str> = example.split(' ').collect();
        let call = maxdiss(&args);
        assert_eq!((call.code, call.err.as_str()), (0, ""), "{example}");
        assert!(!call.out.is_empty(), "{example}");
    }
}

#[test]
fn wrong_usage_is_refused() {
    assert_refused(&[], &["Usage"]);
    assert_refused(&["levitate"], &["levitate"]);
    assert_refused(&["solve"], &["PROBLEM"]);
    let laws = ["unknown", "two-stage", "penalty", "Coulomb"];
    for law in laws {
        let known = ["max-dissipation", "coulomb", "cone", "frictionless", "incremental"];
        assert_refused(&["solve", ONE, "--law", law], &known);
    }
    assert_refused(&["solve", ONE, "--tolerance", "0"], &["positive number"]);
    assert_refused(&["solve", ONE, "--tolerance", "NaN"], &["positive number"]);
    assert_refused(&["solve", ONE, "--max-sweeps", "0"], &["--max-sweeps"]);
    assert_refused(&["solve", ONE, "--format", "xml"], &["json", "table"]);
    assert_refused(&["solve", ONE, "--all", "--law", "max-dissipation"], &["--all", "coulomb"]);
    assert_refused(&["solve", STACKED, "--all"], &["2 contacts", "one contact only"]);
    assert_refused(&["solve", STACKED, "--law", "incremental"], &["2 contacts", "law of one contact"]);
    assert_refused(&["solve", STACKED, "--reference"], &["max-dissipation and 2 contacts", "one contact only"]);
    assert_refused(&["solve", ONE, "--reference", "--law", "coulomb"], &["convex laws"]);
}

#[test]
fn a_file_that_cannot_be_used_is_refused_with_its_name_place_and_remedy() {
    assert_refused(&["solve", "absent.json"], &["absent.json", "cannot be read"]);
    assert_refused(&["solve", "src"], &["src", "cannot be read"]);
    let folder = TempDir::new().expect("a temporary folder");
    let good = r#"{"delassus": [[2, 0, 0], [0, 1, 0], [0, 0, 1]], "b": [1, 0, 0.5], "mu": 0.3}"#;
    let dat = "3 1\n0\n3 3\n3 3\n2 0 0\n0 1 0\n0 0 1\n-1 -2 -3\n0.5\n";
    let cases: &[(&str, String, &[&str])] = &[
        ("empty.json", String::new(), &["empty"]),
        ("words.json", "no problem".into(), &["not a contact problem", "JSON"]),
        ("cut.json", good[..40].into(), &["not valid JSON"]),
        ("missing.json", good.replace(r#", "mu": 0.3"#, ""), &["mu: missing"]),
        ("unknown.json", good.replace(r#""mu""#, r#""my""#), &["my: unknown key", "did you mean \"mu\""]),
        ("size.json", good.replace("[1, 0, 0.5]", "[1, 0]"), &["b: 2 numbers", "3 are needed"]),
        ("nan.json", good.replace("0.5", "NaN"), &["nan.json:1", "not finite"]),
        ("infinite.json", good.replace("0.5", "1e999"), &["infinite.json:1", "not finite"]),
        ("asymmetric.json", good.replace("[[2, 0,", "[[2, 0.1,"), &["block (0, 0) of A", "not symmetric", "1e-2"]),
        ("indefinite.json", good.replace("[0, 1, 0]", "[0, -1, 0]"), &["block (0, 0) of A", "not positive definite"]),
        ("negative.json", good.replace("0.3", "-0.3"), &["mu[0]", "-0.3 is negative"]),
        ("cut.dat", dat.replace("-3\n0.5\n", ""), &["ends too early", "cut off"]),
        ("long.dat", format!("{dat}0.1 0.2"), &["too long by 2 words", "must end after mu"]),
        ("plane.dat", dat.replace("3 1\n0", "2 1\n0"), &["plane.dat:1", "dimension is 2", "three dimensions"]),
        ("rolling.dat", dat.replace("3 1\n0", "5 1\n0"), &["rolling.dat:1", "rolling friction"]),
        ("storage.dat", dat.replace("3 1\n0", "3 1\n2"), &["storage.dat:2", "storage 2"]),
        ("huge.dat", dat.replace("3 1\n0", "3 99999999999999\n0"), &["are needed", "cut off"]),
        ("nan.dat", dat.replace("-2", "nan"), &["nan.dat:8", "finite"]),
        ("damaged.hdf5", "\u{89}HDF".into(), &["not a contact problem"]),
    ];
    for (name, text, parts) in cases {
        let path = written(&folder, name, text.as_bytes());
        let path = path.to_str().expect("text");
        let parts: Vec<&str> = parts.iter().copied().chain([*name]).collect();
        assert_refused(&["solve", path], &parts);
    }
    let path = written(&folder, "cut.hdf5", b"\x89HDF\r\n\x1a\n and no more");
    assert_refused(&["solve", path.to_str().expect("text")], &["cut.hdf5", "not readable as HDF5"]);
}

/// The folder of problems made by other programs; absent on most machines.
fn reference_folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference/problems");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} is absent", folder.display());
    None
}

#[test]
fn real_contacts_agree_with_their_exact_answers() {
    let Some(folder) = reference_folder() else { return };
    let mut answers = csv::Reader::from_path(folder.join("single_contact_reference.csv")).expect("a table");
    let mut cases = 0;
    for row in answers.records() {
        let row = row.expect("a row");
        let exact = |k: usize| row[k].parse::<f64>().expect("a number");
        let path = folder.join(&row[0]);
        let call = maxdiss(&["solve", path.to_str().expect("text"), "--law", &row[1]]);
        assert_eq!(call.code, 0, "{}: {}", &row[0], call.err);
        let answer = json(&call);
        let contact = &answer["contacts"][0];
        let compare = |name: &str, measured: f64, exact: f64, size: f64| {
            // Relative to the vector: 1e-12 is a thousandfold of rounding, as A is symmetrised and, for one, reduced.
            assert!((measured - exact).abs() <= 1e-12 * size, "{} {} {name}: {measured} for {exact}", &row[0], &row[1]);
        };
        for (key, first) in [("impulse", 2), ("velocity", 5)] {
            let size = (first..first + 3).map(exact).fold(0.0, f64::hypot);
            for (k, x) in vector(&contact[key]).into_iter().enumerate() {
                compare(key, x, exact(first + k), size);
            }
        }
        compare("energy", number(&answer["energy_change"]), exact(8), exact(8).abs());
        cases += 1;
    }
    assert_eq!(cases, 8);
}

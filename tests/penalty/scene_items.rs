//! Contact items in scene files and on the command line.

use maxdiss::law::Law;
use maxdiss::recorder::read_table;
use maxdiss::scene;
use maxdiss::scene::catalogue;
use maxdiss::simulation::Simulation;
use maxdiss::simulation::build;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::process::Output;

/// Runs `maxdiss` with these words in `dir`.
fn call(dir: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maxdiss")).current_dir(dir).args(words).output().expect("the program starts")
}

/// Runs `maxdiss` with these words and expects the exit code; what it told on standard error.
#[track_caller]
fn told(dir: &Path, words: &str, code: i32) -> String {
    let output = call(dir, &words.split_whitespace().collect::<Vec<_>>());
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{words}:\n{told}");
    assert!(!told.contains("panicked"), "{words}:\n{told}");
    told
}

/// The last number of a column of a table of a run.
fn last(dir: &Path, table: &str, column: &str) -> f64 {
    let table = read_table(&dir.join(table)).expect("read");
    *table.numbers(column).expect("there").last().expect("a row")
}

/// The end of a scene that has items.
fn ended(text: &str) -> Simulation {
    let scene = scene::parse("test.toml", text, &[]).unwrap_or_else(|error| panic!("{error}"));
    let built = build(&scene, Law::Penalty, None).unwrap_or_else(|error| panic!("{error}"));
    let mut simulation = built.simulation().expect("valid");
    for _ in 0..scene.steps() {
        simulation.step();
        assert!(simulation.failure().is_none(), "{:?}", simulation.failure());
    }
    simulation
}

/// Name, table and column of the printed number, the number, half a unit of its last digit.
const EXAMPLES: [(&str, &str, &str, f64, f64); 3] = [
    ("ball-on-sphere", "final.csv", "z", 1.099_901_9, 0.5e-7),
    ("ball-in-groove", "final.csv", "x", 0.101_01, 0.5e-5),
    ("mass-on-stop", "tables/masses.csv", "coordinate", -0.001, 0.5e-3),
];

#[test]
fn the_examples_of_the_pages_end_at_the_printed_numbers_from_a_scene_file_and_the_command_line() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, table, column, expected, printed) in EXAMPLES {
        let text = catalogue::entry(name).expect("in the catalogue").text;
        let simulation = ended(text);
        let (_, state) = simulation.items().expect("has items");
        let direct = match column {
            "z" => simulation.world().positions()[0].z,
            "x" => simulation.world().positions()[0].x,
            _ => state.configuration.coordinates[0],
        };
        assert!((direct - expected).abs() <= printed, "{name}: {direct} for {expected}");

        let file = format!("{name}.toml");
        fs::write(dir.path().join(&file), text).expect("written");
        told(dir.path(), &format!("check {file}"), 0);
        for (scene, out) in [(name, "named"), (file.as_str(), "file")] {
            let out = format!("{out}-{name}");
            told(dir.path(), &format!("run {scene} --law penalty --quiet --out {out}"), 0);
            let measured = last(&dir.path().join(out), table, column);
            assert!((measured - direct).abs() < 1e-300, "{scene}: {measured} for {direct}: the same computation");
        }
    }
}

#[test]
fn every_method_and_treatment_of_events_can_be_named_in_a_scene_file() {
    let methods =
        ["semi-implicit-euler", "velocity-verlet", "runge-kutta-4", "generalised-alpha", "generalised-alpha/iterate"];
    for method in methods {
        let (method, events) = method.split_once('/').unwrap_or((method, "land"));
        for (name, table, _, expected, printed) in EXAMPLES {
            let set = ["method=", "events=", "step="].map(|key| format!("integrator.{key}"));
            let values = [method, events, if name == "ball-in-groove" { "5e-5" } else { "5e-4" }];
            let overrides: Vec<String> = set.iter().zip(values).map(|(key, value)| format!("{key}{value}")).collect();
            let scene = catalogue::scene(name, &overrides).unwrap_or_else(|error| panic!("{error}"));
            let mut simulation = build(&scene, Law::Penalty, None).expect("builds").simulation().expect("valid");
            for _ in 0..scene.steps() {
                simulation.step();
            }
            let measured = match (table, name) {
                ("final.csv", "ball-on-sphere") => simulation.world().positions()[0].z,
                ("final.csv", _) => simulation.world().positions()[0].x,
                _ => simulation.items().expect("has items").1.configuration.coordinates[0],
            };
            assert!((measured - expected).abs() <= printed, "{name} under {method}: {measured} for {expected}");
        }
    }
}

#[test]
fn the_stiff_groove_refuses_an_explicit_step_of_a_millisecond_unless_told_to_try() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let limits =
        [("semi-implicit-euler", "1.8322e-4"), ("velocity-verlet", "9.7618e-5"), ("runge-kutta-4", "2.9478e-4")];
    for (method, limit) in limits {
        let run = format!("run ball-in-groove --law penalty --quiet --set integrator.method={method} --out {method}");
        let message = told(dir.path(), &run, 2);
        for part in [
            "catalogue scene ball-in-groove:30: integrator.step: 1e-3 s is not below the stability limit",
            &format!("{limit} s of groove under {method}; take a step below {limit} s"),
            "or generalised-alpha, or override the check by integrator.override-stability = true",
        ] {
            assert!(message.contains(part), "no \"{part}\" in\n{message}");
        }
        assert!(!dir.path().join(method).exists(), "a refused run leaves no directory");
        // Told to try, it goes; where to, nobody promises.
        let message = told(dir.path(), &format!("{run} --until 0.003 --set integrator.override-stability=true"), 0);
        assert!(message.is_empty() || message.starts_with("note: "), "{message}");
    }
}

#[test]
fn a_run_that_blows_up_says_so_and_ends_with_code_1() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    // A damper that never opens, a million times beyond its limit of 2 ns: each step turns the velocity round.
    let message = told(
        dir.path(),
        "run mass-on-stop --law penalty --quiet --out run --set integrator.method=semi-implicit-euler \
         --set integrator.override-stability=true --set contacts[0].contact-damping=1e9 \
         --set contacts[0].contact-stiffness=0 --set contacts[0].offset=1e308",
        1,
    );
    assert!(message.contains("the motion has no finite energy"), "{message}");
    assert!(read_table(&dir.path().join("run/tables/masses.csv")).expect("readable").rows() > 0);
}

#[test]
fn a_step_that_a_contact_makes_unstable_on_the_way_ends_the_run_with_the_limit() {
    // By Hertz's law a contact is as stiff as it is deep: before the ball has fallen nothing is known of that.
    let dir = tempfile::tempdir().expect("a temporary directory");
    let message = told(
        dir.path(),
        "run ball-on-sphere --law penalty --quiet --out run --set contacts.top.contact-stiffness-exponent=1.5 \
         --set contacts.top.contact-stiffness=1e10 --set contacts.top.contact-damping=0",
        1,
    );
    assert!(
        message.contains("step: 5e-4 s is not below the stability limit") && message.contains("of top"),
        "{message}"
    );
    assert!(message.contains("the run stopped there; what was recorded is readable"), "{message}");
    // It would have fallen 0.1 m in √(2 · 0.1/9.81) s = 0.143 s.
    let time = last(&dir.path().join("run"), "tables/contacts.csv", "time");
    assert!(time > 0.0 && time < 0.143, "recorded up to {time}");
}

#[test]
fn all_output_variables_of_the_items_are_in_the_tables_of_the_run() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    told(dir.path(), "run ball-on-sphere --law penalty --quiet --out ball", 0);
    let of = |column: &str| last(&dir.path().join("ball"), "tables/contacts.csv", column);
    // At rest on top: m g = 9.81 N, k = 1e5 N/m. The oscillation has died out but for 1e-9 of itself.
    let (weight, overlap) = (9.81, 9.81e-5);
    for (column, expected) in [
        ("closed", 1.0),
        ("gap", -overlap),
        ("position_z", 1.0 - 0.5 * overlap),
        ("displacement_z", 1.1 - overlap),
        ("velocity_z", 0.0),
        ("force_z", -weight),
        ("torque_y", 0.0),
        ("director1_z", 1.0),
        ("tangential_speed", 0.0),
        ("plastic_overlap", 0.0),
    ] {
        assert!((of(column) - expected).abs() < 1e-6 * weight, "{column}: {} for {expected}", of(column));
    }
    // It fell 0.1 m onto the sphere.
    let fallen = (2.0 * 9.81 * 0.1_f64).sqrt();
    assert!((of("impact_velocity") - fallen).abs() < 1e-6, "{} for {fallen}", of("impact_velocity"));

    told(dir.path(), "run ball-in-groove --law penalty --quiet --out groove", 0);
    let of = |column: &str| last(&dir.path().join("groove"), "tables/contacts.csv", column);
    for (column, expected) in [
        ("gap", -1e-5),
        ("force_x", -10.0),
        ("director1_x", -1.0),
        ("director2_x", 1.0),
        ("director3_x", 1.0),
        ("position_x", 0.101_01 + 0.01 - 0.5e-5),
    ] {
        assert!((of(column) - expected).abs() < 1e-6, "{column}: {} for {expected}", of(column));
    }
    told(dir.path(), "run mass-on-stop --law penalty --quiet --out stop", 0);
    let stop = dir.path().join("stop");
    let distance = last(&stop, "tables/contacts.csv", "distance");
    assert!((distance + 1e-3).abs() < 1e-9, "{distance}");
    assert!(last(&stop, "tables/contacts.csv", "force_x").is_nan(), "a coordinate has no force vector");
    // Energy: the load does F times the way, the stop takes what is not in its spring; the mass ends at rest. The
    // trapezoidal rule is off by (c h/m)²/12 and some of the impact's damping, c h/m being 0.1.
    let work = |column: &str| last(&stop, "steps.csv", column);
    assert!((work("external") - 10.0 * 0.101).abs() < 1e-5, "{}", work("external"));
    assert!((work("normal") + 10.0 * 0.101).abs() < 5e-3, "{}", work("normal"));
    assert!(work("ledger_error") < 5e-3, "{}", work("ledger_error"));
}

#[test]
fn a_run_of_items_in_two_halves_is_the_unbroken_run_bit_for_bit() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (name, method) in [
        ("ball-on-sphere", "velocity-verlet"),
        ("ball-on-sphere", "runge-kutta-4"),
        ("ball-in-groove", "generalised-alpha"),
        ("mass-on-stop", "generalised-alpha"),
    ] {
        let run = format!("run {name} --law penalty --quiet --set integrator.method={method}");
        let [whole, halves] = ["whole", "halves"].map(|part| format!("{part}-{name}-{method}"));
        told(dir.path(), &format!("{run} --until 0.3 --out {whole}"), 0);
        told(dir.path(), &format!("{run} --until 0.173 --out {halves}"), 0);
        told(dir.path(), &format!("{run} --until 0.3 --out {halves} --resume"), 0);
        let mut files = vec!["steps.csv", "final.csv", "tables/contacts.csv"];
        files.push(if name == "mass-on-stop" { "tables/masses.csv" } else { "tables/tracks.csv" });
        for file in files {
            let bytes = |run: &str| fs::read(dir.path().join(run).join(file)).expect("written");
            assert!(bytes(&whole) == bytes(&halves), "{name} under {method}: {file} differs");
        }
    }
}

#[test]
fn items_run_under_penalty_only() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let message = told(dir.path(), "run mass-on-stop --out run", 2);
    let expected = "catalogue scene mass-on-stop: law: max-dissipation in a scene with [[contacts]]; \
                    contact items act under penalty: run it with --law penalty";
    assert!(message.contains(expected), "{message}");
    told(dir.path(), "compare ball-in-groove --laws penalty,coulomb --out compared", 2);
}

/// A scene with two plates and more, and what a test puts behind it.
fn bench(more: &str) -> String {
    format!(
        "version = 1\nstep = 1e-3\nduration = 5.0\ngravity = [0, 0, 0]\n[materials.m]\nfriction = 0\n\
         [[bodies]]\nname = \"plate\"\nshape = {{ kind = \"box\", size = [1, 1, 1] }}\nmass = 2.0\n\
         position = [0.2, 0, 0]\nforce = [0, 0, -8]\ntorque = [0, 0, 3]\n\
         [[walls]]\nname = \"post\"\nshape = {{ kind = \"sphere\", radius = 0.1 }}\nposition = [0.2, 0, -1.25]\n\
         rotation = {{ axis = [1, 0, 0], degrees = 90 }}\n{more}"
    )
}

fn stop(markers: &str) -> String {
    format!("[[contacts]]\nkind = \"coordinate\"\ncontact-stiffness = 400\ncontact-damping = 80\n{markers}\n")
}

#[test]
fn stops_act_on_translations_rotations_and_differences_of_coordinates() {
    // F = −8 N along z on one stop of 400 N/m, 0.1 m below: rests at −0.12 m. Torque 3 N·m about z onto a stop at
    // 0.3 rad: rests at 0.3 + 3/400.
    let down = stop("offset = -0.1\nmarker-0 = { on = \"ground\" }\nmarker-1 = { on = \"plate\", along = [0, 0, 1] }");
    let turn = stop("offset = -0.3\nmarker-0 = { on = \"plate\", about = [0, 0, 1] }\nmarker-1 = { on = \"ground\" }");
    let simulation = ended(&bench(&format!("{down}{turn}")));
    let world = simulation.world();
    // The slowest of these overdamped motions dies out at 5 per second: to 1e-10 over five seconds.
    assert!((world.positions()[0].z + 0.12).abs() < 1e-8, "{}", world.positions()[0].z);
    let angle = world.orientations()[0].scaled_axis().z;
    assert!((angle - 0.3075).abs() < 1e-8, "{angle}");

    // A mass and the plate, pushed together by 8 N: their difference rests at −8/400, their momentum is kept.
    let mass = "[[masses]]\nname = \"slider\"\nmass = 2.0\nforce = 8\n";
    let between = stop(
        "marker-0 = { on = \"ground\" }\n\
         marker-1 = { first = { on = \"plate\", along = [0, 0, 2] }, minus = { on = \"slider\" } }",
    );
    let held = stop("offset = -5\nmarker-0 = { on = \"ground\" }\nmarker-1 = { on = \"plate\", along = [1, 0, 0] }");
    let simulation = ended(&bench(&format!("{mass}{between}{held}")));
    let (_, state) = simulation.items().expect("has items");
    let (z, q) = (simulation.world().positions()[0].z, state.configuration.coordinates[0]);
    assert!((z - q + 0.02).abs() < 1e-8, "{z} and {q}");
    assert!((z + q).abs() < 1e-9, "the middle has moved to {}", 0.5 * (z + q));
}

#[test]
fn spheres_are_attached_at_local_positions_also_of_fixed_bodies() {
    // A ball of 0.25 m, 0.5 m below the plate's centre, pushed by 8 N onto a ball of 0.25 m on the post, which is
    // turned: [0, 0.25, 0] of it is 0.25 m up. The two centres are then 0.5 m apart, less 8/400.
    let spheres = "[[contacts]]\nname = \"pads\"\nkind = \"sphere-sphere\"\nspheres-radii = [0.25, 0.25]\n\
        contact-stiffness = 400\ncontact-damping = 80\nmarker-0 = { on = \"post\", position = [0, 0.25, 0] }\n\
        marker-1 = { on = \"plate\", position = [0, 0, -0.5] }\n";
    let text = bench(spheres).replace("torque = [0, 0, 3]\n", "");
    let simulation = ended(&text);
    let z = simulation.world().positions()[0].z;
    assert!((z - (-1.25 + 0.25 + 0.5 - 0.02 + 0.5)).abs() < 1e-8, "{z}");
    // A torus whose frame is turned by 90° about x has its axis, z of the frame, along −y of space.
    let torus = "[[contacts]]\nname = \"ring\"\nkind = \"sphere-torus\"\nsphere-radius = 0.1\ntorus-major-radius = 1.0\n\
        torus-minor-radius = 0.2\ntorus-axis = [0, 0, 1]\ncontact-stiffness = 400\ncontact-damping = 80\n\
        marker-0 = { on = \"plate\", position = [0, 0, -0.5] }\n\
        marker-1 = { on = \"ground\", position = [0.2, 0, 0.5], rotation = { axis = [1, 0, 0], degrees = 90 } }\n";
    let simulation = ended(&bench(torus).replace("torque = [0, 0, 3]\n", ""));
    let z = simulation.world().positions()[0].z;
    // Its lowest tube centre is at z = −0.5; the play is 0.1 m and the overlap 0.02 m.
    assert!((z + 0.12).abs() < 1e-8, "{z}");
}

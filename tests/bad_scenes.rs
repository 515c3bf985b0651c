//! What `run` and `check` say of input that cannot be used: a message that names file, key, value and remedy, exit
//! code 2, nothing on standard output, no panic.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use std::time::Instant;

const GOOD: &str = "version = 1\nname = \"test\"\nstep = 0.001\nduration = 0.01\n\n[materials.m]\nfriction = 0.5\n\n\
    [[walls]]\nname = \"floor\"\nshape = { kind = \"half-space\" }\n\n\
    [[bodies]]\nname = \"ball\"\nshape = { kind = \"sphere\", radius = 0.1 }\nposition = [0, 0, 0.1]\n";

/// Runs `maxdiss` in `dir`; expects exit code 2, the words of `expected` on standard error, and nothing else said.
fn refused(dir: &Path, words: &[&str], expected: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_maxdiss")).current_dir(dir).args(words).output().expect("starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}:\n{told}");
    assert!(output.stdout.is_empty(), "{words:?} prints to standard output");
    assert!(!told.contains("panicked"), "{words:?}:\n{told}");
    for expected in expected {
        assert!(told.contains(expected), "{words:?}: no \"{expected}\" in\n{told}");
    }
}

/// Writes a scene and expects `check` and `run` to refuse it.
fn bad(text: &str, expected: &[&str]) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::write(dir.path().join("scene.toml"), text).expect("written");
    refused(dir.path(), &["check", "scene.toml"], expected);
    refused(dir.path(), &["run", "scene.toml", "--out", "run"], expected);
    assert!(!dir.path().join("run").exists(), "a refused run leaves no directory");
}

#[test]
fn wrong_values_are_told_with_line_key_value_and_remedy() {
    bad(&format!("{GOOD}mass = -1\n"), &["scene.toml:17: bodies[0].mass: is -1; give a finite number above zero"]);
    bad(&GOOD.replace("step = 0.001", "step = 0"), &["scene.toml:3: step: is 0; give a finite number above zero"]);
    bad(&GOOD.replace("0.1]", "nan]"), &["scene.toml:16: bodies[0].position: has the entry NaN"]);
    bad(&format!("{GOOD}material = \"n\"\n"), &["scene.toml:17: bodies[0].material: no material \"n\""]);
    bad(
        &format!("{GOOD}frictoin = 1\nvelocty = [1, 0, 0]\n"),
        &[
            "scene.toml:17: bodies[0].frictoin: unknown key",
            "scene.toml:18: bodies[0].velocty: unknown key; did you mean `velocity`?",
        ],
    );
    bad(&GOOD.replace("\"floor\"", "\"ball\""), &["\"ball\" is taken; give every body, wall and fill a name"]);
    bad(&GOOD.replace("version = 1", "version = 2"), &["version: is 2; this program reads version = 1"]);
    bad(&GOOD.replace("version = 1", "version = "), &["scene.toml:1: "]);
    bad("", &["version: missing", "step: missing", "materials: missing"]);
}

#[test]
fn what_does_not_fit_or_overlaps_is_refused() {
    let fill = "[[fill]]\nname = \"grain\"\nshape = { kind = \"sphere\", radius = 0.1 }\ncount = 50\n\
        region = { kind = \"box\", min = [1, 0, 0], max = [2, 1, 0.4] }\n";
    bad(
        &format!("{GOOD}{fill}"),
        &["scene.toml:17: fill[0].count: ", "of 50 particles of `grain` find room in the region"],
    );
    bad(
        &format!(
            "{GOOD}[[bodies]]\nname = \"twin\"\nshape = {{ kind = \"sphere\", radius = 0.1 }}\nposition = [0, 0, 0.15]\n"
        ),
        &["`ball` and `twin` overlap by 1.500e-1 m at the start, 75.0 % of the smaller one; move them apart"],
    );
    bad(&GOOD.replace("position = [0, 0, 0.1]", "fixed = true"), &["fixed or driven"]);
}

#[test]
fn shapes_that_cannot_be_are_refused() {
    let shape = |shape: &str| GOOD.replace("{ kind = \"sphere\", radius = 0.1 }", shape);
    bad(
        &shape("{ kind = \"sphere\", radius = -0.1 }"),
        &["scene.toml:15: bodies[0].shape.radius: is -0.1; give a finite number above zero"],
    );
    bad(
        &shape("{ kind = \"clump\", balls = [] }"),
        &["scene.toml:15: bodies[0].shape.balls: a clump without balls; give"],
    );
    bad(&shape("{ kind = \"clump\" }"), &["bodies[0].shape.balls: ", "a clump without balls"]);
    let cone = |lower: f64, upper: f64| {
        format!(
            "{GOOD}[[walls]]\nname = \"cone\"\nshape = {{ kind = \"funnel\", lower-radius = {lower:?}, upper-radius = {upper:?}, \
             height = 1, thickness = 0.1 }}\nposition = [9, 0, 2]\n"
        )
    };
    bad(
        &cone(2.0, 0.5),
        &["scene.toml:19: walls[1].shape: the tip is at the wrong end: 2 at the bottom is wider than 0.5"],
    );
    bad(&cone(0.5, 0.5), &["scene.toml:19: walls[1].shape: zero angle: both radii are 0.5; use a tube"]);
    bad(&cone(-0.5, 0.5), &["walls[1].shape.lower-radius: is -0.5; give a finite number of zero or more"]);
    let torus = "{ kind = \"hollow-torus\", major-radius = 1, minor-radius = 2 }";
    bad(&format!("{GOOD}[[walls]]\nshape = {torus}\n"), &["walls[1].shape: the tube of radius 2 overlaps itself"]);
}

#[test]
fn pairs_of_shapes_that_no_routine_knows_are_refused_by_name() {
    let cone = "[[walls]]\nname = \"cone\"\nposition = [9, 0, 2]\n\
        shape = { kind = \"funnel\", lower-radius = 0.1, upper-radius = 0.5, height = 1, thickness = 0.1 }\n";
    let cube =
        "[[bodies]]\nname = \"cube\"\nshape = { kind = \"box\", size = [0.1, 0.1, 0.1] }\nposition = [1, 0, 1]\n";
    let told = "contacts between box and funnel are not known; use other shapes for one of them";
    bad(&format!("{GOOD}{cone}{cube}"), &["scene.toml:", told]);
    // Also one that is still to come.
    let inlet = "[[events.inlets]]\nshape = { kind = \"box\", size = [0.1, 0.1, 0.1] }\nrate = 1\n\
        region = { kind = \"box\", min = [2, 0, 1], max = [3, 1, 2] }\n";
    bad(&format!("{GOOD}{cone}{inlet}"), &["events.inlets[0]: contacts between funnel and box are not known"]);
}

#[test]
fn periods_that_are_too_short_or_meet_a_wall_are_refused() {
    let periodic = |text: &str| GOOD.replace("\n[[walls]]", &format!("\n[periodic]\n{text}\n[[walls]]"));
    bad(&periodic("x = 0.3"), &["scene.toml: periodic: period 0.3 m along x; a finite length of at least 0.4 m"]);
    bad(&periodic("x = -1"), &["periodic.x: is -1; give a finite number above zero"]);
    bad(&periodic("width = 1"), &["periodic.width: unknown key", "periodic: no period is given; give the period"]);
    bad(&periodic("z = 1"), &["periodic.z: the half-space `floor` is not level along the periodic direction z"]);
}

#[test]
fn inlets_outside_the_domain_and_events_of_nothing_are_refused() {
    let inlet = |low: &str, high: &str| {
        format!(
            "{GOOD}[[events.inlets]]\nname = \"tap\"\nshape = {{ kind = \"sphere\", radius = 0.05 }}\nrate = 10\n\
             region = {{ kind = \"box\", min = {low}, max = {high} }}\n"
        )
    };
    // Below the floor.
    let below = inlet("[0, 0, -2]", "[1, 1, -1]");
    bad(
        &below,
        &["scene.toml:17: events.inlets[0]: the inlet `tap` has no room: no place in its region is free of walls"],
    );
    // Too small for a particle.
    bad(&inlet("[0, 0, 1]", "[1, 1, 1.05]"), &["events.inlets[0]: the inlet `tap` has no room"]);
    // Where an outlet takes everything.
    let outlet =
        "[[events.outlets]]\nname = \"edge\"\nregion = { kind = \"sphere\", center = [0, 0, 0], radius = 2 }\n";
    let beyond = format!("{}{outlet}", inlet("[0, 0, 2.5]", "[1, 1, 3]"));
    bad(
        &beyond,
        &["events.inlets[0]: the inlet `tap` lies outside the domain: `edge` would take some of its particles"],
    );
    let periodic = inlet("[0, 0, 1]", "[1.5, 1, 2]").replace("\n[[walls]]", "\n[periodic]\nx = 1.2\n[[walls]]");
    bad(
        &periodic,
        &["events.inlets[0]: the inlet `tap` lies outside the domain: 0 to 1.5 m along x; the domain is 0 to 1.2"],
    );
    let short = inlet("[0, 0, 1]", "[0.3, 1, 2]")
        .replace("0.05", "0.1")
        .replace("\n[[walls]]", "\n[periodic]\nx = 0.3\n[[walls]]");
    bad(
        &short.replace(
            "[[bodies]]\nname = \"ball\"\nshape = { kind = \"sphere\", radius = 0.1 }",
            "[[bodies]]\nname = \"ball\"\nshape = { kind = \"sphere\", radius = 0.01 }",
        ),
        &["particles of 0.2 m in a period of 0.3 m along x; give a period of at least twice the largest particle"],
    );
    bad(
        &format!("{GOOD}[[events.open]]\nwall = \"flor\"\ntime = 1\n"),
        &["scene.toml:18: events.open[0].wall: no wall \"flor\"; did you mean \"floor\"?"],
    );
    bad(&format!("{GOOD}[[events.open]]\nwall = \"floor\"\n"), &["events.open[0].time: missing; give the time in s"]);
    bad(&format!("{GOOD}[[events.doors]]\n"), &["events.doors: unknown key"]);
}

#[test]
fn motions_that_say_nothing_sensible_are_refused() {
    let motion = |text: &str| {
        GOOD.replace("{ kind = \"half-space\" }", &format!("{{ kind = \"half-space\" }}\nmotion = {{ {text} }}"))
    };
    let bad = |text: &str, told: &str| bad(&motion(text), &[told]);
    bad(
        "oscillation = { amplitude = [0, 0, 1] }",
        "scene.toml:12: walls[0].motion.oscillation.frequency: missing; give the frequency in Hz",
    );
    bad("oscillation = { frequency = 1 }", "walls[0].motion.oscillation.amplitude: missing");
    bad("swing = { degrees = 3, frequency = 1 }", "walls[0].motion.swing.axis: missing");
    bad("path = { times = [0, 1], shifts = [[0, 0, 0]] }", "walls[0].motion.path.shifts: 1 displacements for 2 times");
    bad("path = { times = [1, 1], shifts = [[0, 0, 0], [1, 0, 0]] }", "walls[0].motion.path.times: 1 is followed by 1");
    bad("path = { times = [0], shifts = [[0, 0]] }", "walls[0].motion.path.shifts: is a list of 1 entries");
    bad(
        "turn = { axis = [0, 0, 1], times = [0, 1], degrees = [0] }",
        "walls[0].motion.turn.degrees: 1 angles for 2 times",
    );
    bad("speed = 1", "walls[0].motion.speed: unknown key");
}

#[test]
fn huge_counts_are_refused_before_memory_is_asked_for() {
    let began = Instant::now();
    let fill = "[[fill]]\nshape = { kind = \"sphere\", radius = 0.1 }\ncount = 1000000000\n\
        region = { kind = \"box\", min = [0, 0, 0], max = [1e6, 1e6, 1e6] }\n";
    bad(&format!("{GOOD}{fill}"), &["fill[0].count: is 1000000000; give a whole number from 1 to 5000000"]);
    bad(&GOOD.replace("step = 0.001", "step = 1e-300"), &["steps; at most 1e12 steps"]);
    assert!(began.elapsed() < Duration::from_secs(20), "took {:?}", began.elapsed());
}

#[test]
fn a_hundred_megabytes_of_garbage_are_refused_quickly() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::write(dir.path().join("big.toml"), vec![b'x'; 100_000_000]).expect("written");
    fs::write(dir.path().join("binary.toml"), (0..=255).cycle().take(1_000_000).collect::<Vec<u8>>()).expect("written");
    fs::write(dir.path().join("rubbish.toml"), "= [[ ] {\n".repeat(1_500_000)).expect("written");
    let began = Instant::now();
    refused(dir.path(), &["run", "big.toml"], &["big.toml: is larger than 16777216 bytes"]);
    refused(dir.path(), &["run", "binary.toml"], &["binary.toml: is no text: byte 128 is not UTF-8"]);
    refused(dir.path(), &["run", "rubbish.toml"], &["rubbish.toml:1: ", "more faults"]);
    fs::write(dir.path().join("deep.toml"), format!("a = {}", "[".repeat(1_000_000))).expect("written");
    refused(dir.path(), &["run", "deep.toml"], &["deep.toml:1: "]);
    // On an idle machine a second; this one may be busy.
    assert!(began.elapsed() < Duration::from_secs(30), "took {:?}", began.elapsed());
}

#[test]
fn scenes_laws_and_options_that_are_not_there_are_told_with_what_is() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    refused(dir.path(), &["run", "sliding-spere"], &["no scene \"sliding-spere\"; did you mean \"sliding-sphere\"?"]);
    refused(dir.path(), &["run", "nothing.toml"], &["nothing.toml: No such file"]);
    refused(
        dir.path(),
        &["run", "sliding-sphere", "--law", "newton"],
        &["newton", "scenes run under max-dissipation, coulomb, cone, frictionless, two-stage, penalty"],
    );
    refused(dir.path(), &["run", "sliding-sphere", "--law", "incremental"], &["scenes run under max-dissipation"]);
    refused(dir.path(), &["compare", "sliding-sphere", "--laws", "coulomb"], &["only one law is given"]);
    refused(dir.path(), &["compare", "sliding-sphere", "--laws", "coulomb,coulomb"], &["coulomb is given twice"]);
    refused(dir.path(), &["run", "sliding-sphere", "--threads", "0"], &["--threads"]);
    refused(dir.path(), &["run", "sliding-sphere", "--until", "nan"], &["give a time in s"]);
    refused(dir.path(), &["run", "sliding-sphere", "--set", "stp=1"], &["stp: unknown key; did you mean `step`?"]);
    refused(dir.path(), &["scenes", "nothing"], &["no scene \"nothing\""]);
}

#[test]
fn a_run_directory_that_is_a_file_or_in_use_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::write(dir.path().join("file"), "mine").expect("written");
    fs::create_dir(dir.path().join("full")).expect("made");
    fs::write(dir.path().join("full/notes.txt"), "mine").expect("written");
    let run = |out: &'static str| ["run", "sliding-sphere", "--until", "0.01", "--out", out];
    refused(dir.path(), &run("file"), &["file: --out: is a file or lies below one"]);
    refused(dir.path(), &run("file/below"), &["is a file or lies below one"]);
    refused(dir.path(), &run("full"), &["full: --out: is not empty; give a directory that is empty or not there"]);
    assert_eq!(fs::read(dir.path().join("full/notes.txt")).expect("there"), b"mine");
    let made = Command::new(env!("CARGO_BIN_EXE_maxdiss")).current_dir(dir.path()).args(run("run")).status();
    assert!(made.expect("starts").success());
    refused(dir.path(), &run("run"), &["run: --out: holds a run; go on with it by --resume"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_directory_that_cannot_be_written_is_refused() {
    // Nobody, not even root, makes directories in /proc.
    let dir = tempfile::tempdir().expect("a temporary directory");
    refused(dir.path(), &["run", "sliding-sphere", "--out", "/proc/run"], &["/proc/run: "]);
}

//! One scene with everything in it: shapes, mixed sizes, periods, drives, an inlet, an outlet, a wall that opens. Its
//! run directory is the same to the byte on one and two threads and after a stop in the middle.

use maxdiss::recorder::read_table;
use std::fs;
use std::path::Path;
use std::process::Command;

const SCENE: &str = r#"
version = 1
name = "everything"
step = 0.0005
duration = 0.3
gravity = [1.0, 0, -9.81]

[periodic]
y = 0.05

[materials.a]
density = 2500.0
friction = 0.5

[materials.b]
density = 1100.0
friction = 0.2

[[pairs]]
materials = ["a", "b"]
friction = 0.3

[[walls]]
name = "floor"
shape = { kind = "half-space" }
material = "a"
motion = { oscillation = { amplitude = [0, 0, 0.0005], frequency = 15 } }

[[walls]]
name = "back"
shape = { kind = "half-space", normal = [1, 0, 0] }
material = "a"

[[walls]]
name = "gate"
shape = { kind = "box", size = [0.005, 0.06, 0.08] }
position = [0.1, 0.025, 0.04]
material = "b"

[[walls]]
name = "paddle"
shape = { kind = "box", size = [0.01, 0.05, 0.01] }
position = [0.05, 0.025, 0.012]
material = "b"
motion = { path = { times = [0, 0.1, 0.3], shifts = [[0, 0, 0], [0.02, 0, 0.01], [-0.02, 0, 0]] }, turn = { axis = [0, 1, 0], times = [0, 0.3], degrees = [0, 200] } }

[[walls]]
name = "stirrer"
shape = { kind = "capsule", radius = 0.004, length = 0.02, axis = [1, 0, 0] }
position = [0.025, 0.025, 0.03]
material = "b"
motion = { angular-velocity = [0, 0, 10], swing = { axis = [1, 0, 0], degrees = 20, frequency = 5 } }

[[walls]]
name = "post"
shape = { kind = "cylinder", radius = 0.004, length = 0.03 }
position = [0.08, 0.04, 0.02]
material = "a"

[[bodies]]
name = "wheel"
shape = { kind = "capsule", radius = 0.006, length = 0.004 }
position = [0.125, 0.025, 0.02]
material = "a"

[[fill]]
name = "ball"
shape = { kind = "sphere", radius = 0.001 }
size = { kind = "log-normal", median = 1.5, sigma = 0.5, min = 0.5, max = 5 }
material = "a"
count = 60
region = { kind = "box", min = [0, 0, 0.05], max = [0.09, 0.05, 0.09] }

[[fill]]
name = "rod"
shape = { kind = "capsule", radius = 0.002, length = 0.005 }
material = "b"
count = 15
region = { kind = "box", min = [0, 0, 0.05], max = [0.09, 0.05, 0.11] }
seed = 2

[[fill]]
name = "pair"
shape = { kind = "clump", balls = [{ center = [0, 0, 0], radius = 0.003 }, { center = [0.003, 0, 0], radius = 0.002 }] }
material = "b"
count = 12
region = { kind = "box", min = [0, 0, 0.05], max = [0.09, 0.05, 0.12] }
seed = 3

[[fill]]
name = "stud"
shape = { kind = "sphere", radius = 0.002 }
material = "a"
count = 12
seed = 4
fixed = true
region = { kind = "box", min = [0.12, 0, 0.0005], max = [0.2, 0.05, 0.0055] }

[[events.inlets]]
name = "drop"
shape = { kind = "sphere", radius = 0.002 }
size = { kind = "listed", values = [0.5, 1.0, 1.5], weights = [3, 2, 1] }
material = "b"
region = { kind = "box", min = [0.01, 0, 0.13], max = [0.03, 0.05, 0.14] }
rate = 300
start = 0.02
velocity = [1.0, 0, -0.5]
velocity-spread = 0.1

[[events.open]]
wall = "gate"
time = 0.1

[[events.outlets]]
name = "edge"
region = { kind = "box", min = [-0.1, -1, -0.1], max = [0.13, 1, 1] }

[output]
rows = 2
frames = 0.05
track = ["wheel", "ball-7", "paddle"]
"#;

fn run(dir: &Path, words: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_maxdiss"))
        .current_dir(dir)
        .args("run scene.toml --quiet --set numerics.allowed-missed=1 --set numerics.max-sweeps=60".split(' '))
        .args(words.split(' '))
        .output()
        .expect("starts");
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_scene_with_everything_in_it_has_the_same_bytes_on_two_threads_and_after_a_stop() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::write(dir.path().join("scene.toml"), SCENE).expect("written");
    for law in ["max-dissipation", "two-stage"] {
        run(dir.path(), &format!("--law {law} --threads 1 --out one-{law}"));
        run(dir.path(), &format!("--law {law} --threads 2 --out two-{law}"));
        run(dir.path(), &format!("--law {law} --threads 2 --out cut-{law} --until 0.137"));
        run(dir.path(), &format!("--law {law} --threads 1 --out cut-{law} --resume"));
        let bytes = |run: &str, file: &str| {
            let path = dir.path().join(format!("{run}-{law}")).join(file);
            fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        };
        for file in [
            "steps.csv",
            "final.csv",
            "tables/flow.csv",
            "tables/tracks.csv",
            "frames.pvd",
            "frames/particles_000006.vtu",
            "frames/contacts_000006.vtu",
        ] {
            for other in ["two", "cut"] {
                assert!(bytes("one", file) == bytes(other, file), "{law}: {file} of `{other}` has other bytes");
            }
        }
        check(&dir.path().join(format!("one-{law}")));
    }
}

/// That everything took part, and nothing is missing.
fn check(run: &Path) {
    let steps = read_table(&run.join("steps.csv")).expect("read");
    let largest = |name: &str| steps.numbers(name).expect("there").iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    // Far above round-off, far below any work that is not booked.
    assert!(largest("ledger_error") < 1e-10, "ledger off by {:e}", largest("ledger_error"));
    assert!(largest("drives") > 1e-6 && largest("external") > 1e-6 && largest("contacts") > 60.0);
    let flow = read_table(&run.join("tables/flow.csv")).expect("read");
    let kinds = flow.words("kind").expect("there");
    let numbers = |name: &str| flow.numbers(name).expect("there");
    let (step, mass, present) = (numbers("step"), numbers("mass"), numbers("present_mass"));
    // At the start nothing has come or gone; an outlet and an inlet have a row each.
    let start = present[0];
    for row in (0..flow.rows()).step_by(2) {
        assert!(kinds[row] == "outlet" && kinds[row + 1] == "inlet" && (step[row] - step[row + 1]).abs() < 0.5);
        let off = start + mass[row + 1] - mass[row] - present[row];
        // Sums of a few hundred masses of 1e-4 kg.
        assert!(off.abs() < 1e-15, "{off} kg are missing at step {}", step[row]);
    }
    let counts = numbers("count");
    let last = flow.rows() - 2;
    println!("left {}, came {}", counts[last], counts[last + 1]);
    assert!(counts[last] >= 1.0 && counts[last + 1] > 60.0, "left {}, came {}", counts[last], counts[last + 1]);
    let ended = fs::read_to_string(run.join("final.csv")).expect("there");
    assert!(!ended.contains(",gate,") && ended.contains(",drop-60,"), "the gate is gone, drops have their names");
}

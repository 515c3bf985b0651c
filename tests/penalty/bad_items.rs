//! Every bad input of a contact item in a scene file is refused: exit code 2, a message that names file, line, key,
//! value and remedy, no run directory.

use std::fs;
use std::process::Command;

const HEAD: &str = "version = 1\nstep = 1e-3\nduration = 0.01\n[materials.m]\nfriction = 0\n\
    [[bodies]]\nname = \"ball\"\nshape = { kind = \"sphere\", radius = 0.01 }\nposition = [0.1, 0, 0]\n\
    [[masses]]\nname = \"slider\"\nmass = 1\n";
/// Line of the first key behind `kind` and `name` of an item.
const SPHERES: &str = "[[contacts]]\nname = \"pair\"\nkind = \"sphere-sphere\"\nmarker-0 = { on = \"ground\" }\n\
    marker-1 = { on = \"ball\" }\ncontact-stiffness = 1e5\n";
const TORUS: &str = "[[contacts]]\nname = \"groove\"\nkind = \"sphere-torus\"\nmarker-0 = { on = \"ball\" }\n\
    marker-1 = { on = \"ground\" }\ncontact-stiffness = 1e6\n";
const STOP: &str = "[[contacts]]\nname = \"stop\"\nkind = \"coordinate\"\nmarker-0 = { on = \"ground\" }\n\
    marker-1 = { on = \"slider\" }\ncontact-stiffness = 1e4\n";
const RADII: &str = "spheres-radii = [0.05, 0.01]\n";
const RING: &str =
    "sphere-radius = 0.01\ntorus-major-radius = 0.1\ntorus-minor-radius = 0.012\ntorus-axis = [0, 0, 1]\n";
/// The line behind all of these: that of a key that is added last.
const fn line(items: &str) -> usize {
    let mut lines = 1;
    let mut i = 0;
    while i < items.len() {
        lines += (items.as_bytes()[i] == b'\n') as usize;
        i += 1;
    }
    lines
}

/// Expects `check` and `run` to refuse the scene with all of `expected`.
#[track_caller]
fn refused(text: &str, expected: &[&str]) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    fs::write(dir.path().join("scene.toml"), text).expect("written");
    for words in [&["check", "scene.toml"][..], &["run", "scene.toml", "--law", "penalty", "--out", "run"]] {
        let command = Command::new(env!("CARGO_BIN_EXE_maxdiss")).current_dir(dir.path()).args(words).output();
        let output = command.expect("the program starts");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}:\n{text}\n{told}");
        assert!(output.stdout.is_empty(), "{words:?} prints to standard output");
        for expected in expected {
            assert!(told.contains(expected), "{words:?}: no \"{expected}\" in\n{told}");
        }
        assert_eq!(told.lines().count(), expected.len(), "something else is told:\n{told}");
    }
    assert!(!dir.path().join("run").exists(), "a refused run leaves no directory");
}

/// The three items, complete, with the lengths that each has to have.
fn items() -> [(String, &'static str); 3] {
    [
        (format!("{HEAD}{SPHERES}{RADII}"), "pair"),
        (format!("{HEAD}{TORUS}{RING}"), "groove"),
        (format!("{HEAD}{STOP}"), "stop"),
    ]
}

#[test]
fn the_scenes_of_these_tests_are_fine_as_they_are() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    for (text, name) in items() {
        fs::write(dir.path().join("scene.toml"), text).expect("written");
        let words = ["run", "scene.toml", "--law", "penalty", "--out", name];
        let output = Command::new(env!("CARGO_BIN_EXE_maxdiss")).current_dir(dir.path()).args(words).output();
        let output = output.expect("the program starts");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Adds a line to each of the three items and expects it to be refused there.
#[track_caller]
fn refused_by_all(added: &str, expected: &str) {
    for (text, _) in items() {
        let at = format!("scene.toml:{}: contacts[0].{expected}", line(&text));
        refused(&format!("{text}{added}\n"), &[&at]);
    }
}

#[test]
fn a_restitution_of_zero_or_less_is_refused() {
    let words = "give a number > 0; it may be small, but 0 has no impact model";
    refused_by_all("restitution-coefficient = 0", &format!("restitution-coefficient: 0; {words}"));
    refused_by_all("restitution-coefficient = -0.5", &format!("restitution-coefficient: -0.5; {words}"));
}

#[test]
fn an_impact_model_above_two_is_refused() {
    refused_by_all(
        "impact-model = 3",
        "impact-model: there is no impact model 3; 0 is linear, 1 Hunt-Crossley, 2 Gonthier/Carvalho-Martins; \
         give 0, 1 or 2",
    );
    refused_by_all("impact-model = -1", "impact-model: is -1; give a whole number");
    refused_by_all("impact-model = 1.5", "impact-model: is 1.5; give a whole number");
}

#[test]
fn a_plasticity_ratio_outside_its_range_is_refused() {
    let text = format!("{HEAD}{SPHERES}{RADII}");
    for ratio in ["1", "1.5", "-0.1"] {
        let expected = format!(
            "scene.toml:{}: contacts[0].contact-plasticity-ratio: {ratio}; give a number in [0, 1): unloading is",
            line(&text)
        );
        refused(&format!("{text}contact-plasticity-ratio = {ratio}\n"), &[&expected]);
    }
}

#[test]
fn a_torus_axis_that_is_no_unit_vector_is_refused() {
    for axis in ["[0, 0, 2]", "[0, 0, 0]", "[1, 1, 0]"] {
        let text = format!("{HEAD}{TORUS}{}", RING.replace("[0, 0, 1]", axis));
        let numbers = axis.trim_matches(['[', ']']);
        let expected = format!("scene.toml:{}: contacts[0].torus-axis: ({numbers}) has the length", line(&text) - 1);
        refused(&text, &[&expected]);
    }
    let text = format!("{HEAD}{TORUS}{}", RING.replace("torus-axis = [0, 0, 1]\n", ""));
    refused(&text, &["contacts[0].torus-axis: missing; give the axis, a unit vector"]);
}

#[test]
fn radii_that_are_not_positive_or_not_given_are_refused() {
    for radius in ["0", "-1"] {
        let text = format!("{HEAD}{SPHERES}");
        let key = format!("scene.toml:{}: contacts[0].spheres-radii: {radius}; give a finite number > 0", line(&text));
        refused(&format!("{text}spheres-radii = [{radius}, 0.01]\n"), &[&key]);
        refused(&format!("{text}spheres-radii = [0.05, {radius}]\n"), &[&key]);
        for (key, good) in [("sphere-radius", "0.01"), ("torus-major-radius", "0.1"), ("torus-minor-radius", "0.012")] {
            let text =
                format!("{HEAD}{TORUS}{}", RING.replace(&format!("{key} = {good}\n"), &format!("{key} = {radius}\n")));
            refused(&text, &[&format!("contacts[0].{key}: {radius}; give a finite number > 0")]);
        }
    }
    refused(&format!("{HEAD}{SPHERES}"), &["contacts[0].spheres-radii: missing; give both radii in m"]);
    refused(
        &format!("{HEAD}{TORUS}torus-axis = [0, 0, 1]\n"),
        &["sphere-radius: missing", "torus-major-radius: missing", "torus-minor-radius: missing"],
    );
}

#[test]
fn a_sphere_that_does_not_fit_is_refused() {
    refused(
        &format!("{HEAD}{SPHERES}{RADII}is-hollow-sphere-1 = true\n"),
        &["contacts[0].spheres-radii: a sphere of radius 0.05 m does not fit into a hollow sphere of radius 0.01 m"],
    );
    let tight = RING.replace("torus-minor-radius = 0.012", "torus-minor-radius = 0.009");
    refused(
        &format!("{HEAD}{TORUS}{tight}"),
        &["contacts[0].sphere-radius: a sphere of radius 0.01 m does not fit into a tube of radius 0.009 m"],
    );
}

#[test]
fn a_wrong_number_of_history_coordinates_is_refused() {
    let expected = |given: usize, needed: usize| {
        format!("contacts[0].data: {given} history coordinates; give {needed}, or none to start from the gap")
    };
    refused(&format!("{HEAD}{SPHERES}{RADII}data = [0, 0, 0]\n"), &[&expected(3, 4)]);
    refused(&format!("{HEAD}{TORUS}{RING}data = [0, 0, 0, 0, 0]\n"), &[&expected(5, 4)]);
    refused(&format!("{HEAD}{STOP}data = [0, 0]\n"), &[&expected(2, 1)]);
    refused(&format!("{HEAD}{STOP}impact-model = 1\ndata = [0]\n"), &[&expected(1, 2)]);
}

#[test]
fn numbers_that_are_none_are_refused_at_every_key() {
    let keys = [
        ("dynamic-friction", "pair groove"),
        ("friction-proportional-zone", "pair groove"),
        ("contact-damping", "pair groove stop"),
        ("contact-stiffness-exponent", "pair groove stop"),
        ("constant-pull-off-force", "pair"),
        ("contact-plasticity-ratio", "pair"),
        ("adhesion-coefficient", "pair"),
        ("adhesion-exponent", "pair"),
        ("restitution-coefficient", "pair groove stop"),
        ("minimum-impact-velocity", "pair groove stop"),
        ("offset", "stop"),
    ];
    for (text, name) in items() {
        for (key, _) in keys.iter().filter(|(_, names)| names.split(' ').any(|known| known == name)) {
            for (value, told) in [("nan", "NaN"), ("inf", "inf")] {
                let expected =
                    format!("scene.toml:{}: contacts[0].{key}: is {told}; give a finite number", line(&text));
                refused(&format!("{text}{key} = {value}\n"), &[&expected]);
            }
            if *key != "offset" {
                refused(&format!("{text}{key} = -1\n"), &[&format!("contacts[0].{key}: -1; give")]);
            }
        }
        let stiffness = "contact-stiffness = 1e";
        let at = text.find(stiffness).expect("given");
        let end = at + text[at..].find('\n').expect("a line");
        let with = |value: &str| format!("{}contact-stiffness = {value}{}", &text[..at], &text[end..]);
        refused(&with("nan"), &["contacts[0].contact-stiffness: is NaN; give a finite number"]);
        refused(&with("-1"), &["contacts[0].contact-stiffness: -1; give a finite number ≥ 0"]);
        refused(&format!("{text}data = [nan]\n"), &["contacts[0].data: has the entry NaN; give a finite number"]);
    }
    refused(
        &format!("{HEAD}{SPHERES}spheres-radii = [nan, 0.01]\n"),
        &["contacts[0].spheres-radii: has the entry NaN; give a finite number"],
    );
    for key in ["sphere-radius = 0.01", "torus-major-radius = 0.1", "torus-minor-radius = 0.012"] {
        let (name, _) = key.split_once(" =").expect("a key");
        let ring = RING.replace(key, &format!("{name} = nan"));
        refused(&format!("{HEAD}{TORUS}{ring}"), &[&format!("contacts[0].{name}: is NaN; give a finite number")]);
    }
    let ring = RING.replace("[0, 0, 1]", "[nan, 0, 1]");
    refused(&format!("{HEAD}{TORUS}{ring}"), &["contacts[0].torus-axis: has the entry NaN; give a finite number"]);
    let moved = STOP.replace("{ on = \"slider\" }", "{ on = \"ball\", along = [0, nan, 0], position = [inf, 0, 0] }");
    refused(&format!("{HEAD}{moved}"), &["marker-1.along: has the entry NaN", "marker-1.position: has the entry inf"]);
}

#[test]
fn markers_on_what_is_not_there_are_refused_with_what_is() {
    let with = |item: &str, from: &str, to: &str| format!("{HEAD}{}", item.replace(from, to));
    let spheres = format!("{SPHERES}{RADII}");
    refused(
        &with(&spheres, "\"ball\"", "\"bal\""),
        &["contacts[0].marker-1.on: no body \"bal\"; did you mean \"ball\"? give the name of a body, or \"ground\""],
    );
    refused(
        &with(&spheres, "\"ball\"", "\"slider\""),
        &["contacts[0].marker-1.on: \"slider\" is a mass with one coordinate, which has no frame"],
    );
    refused(&with(&spheres, "marker-1 = { on = \"ball\" }\n", ""), &["contacts[0].marker-1: missing; give a table"]);
    refused(&with(&spheres, "{ on = \"ball\" }", "{ position = [0, 0, 1] }"), &["contacts[0].marker-1.on: missing"]);
    refused(
        &with(STOP, "\"slider\"", "\"ball\""),
        &["contacts[0].marker-1.on: the body \"ball\" has more than one coordinate; give along = [x, y, z]"],
    );
    refused(
        &with(STOP, "\"slider\"", "\"slider\", along = [1, 0, 0]"),
        &["the mass \"slider\" has one coordinate only"],
    );
    refused(&with(&spheres, "\"ground\"", "\"ball\""), &["both markers are on body 0; give two bodies"]);
    let driven = HEAD.replace("position =", "motion = { velocity = [1, 0, 0] }\nposition =");
    refused(
        &format!("{driven}{spheres}"),
        &["contacts[0]: a marker is on the driven body \"ball\"; items act on free and fixed bodies"],
    );
}

#[test]
fn what_does_not_belong_together_is_refused() {
    refused(&format!("{HEAD}{STOP}stifness = 1\n"), &["contacts[0].stifness: unknown key"]);
    refused(&format!("{HEAD}[[contacts]]\nkind = \"spere-sphere\"\n"), &["did you mean \"sphere-sphere\"?"]);
    refused(&format!("{HEAD}[[contacts]]\nname = \"x\"\n"), &["contacts[0].kind: missing"]);
    refused(HEAD, &["masses: nothing acts on them; add [[contacts]], or leave the masses out"]);
    let stepped = |keys: &str| format!("{HEAD}{STOP}[integrator]\n{keys}\n");
    refused(&stepped("method = \"verlet\""), &["integrator.method: \"verlet\" is not known"]);
    refused(&stepped("step = 0"), &["integrator.step: is 0; give a finite number above zero"]);
    refused(&stepped("spectral-radius = 1.1"), &["integrator.spectral-radius: is 1.1; give a number from 0 to 1"]);
    refused(
        &stepped("method = \"velocity-verlet\"\nevents = \"iterate\""),
        &["integrator.events: iterating the active set needs an implicit method, not velocity-verlet; land on events"],
    );
    let (plain, _) = HEAD.split_once("[[masses]]").expect("there");
    refused(&format!("{plain}[integrator]\nstep = 1e-3\n"), &["integrator: there are no [[contacts]]"]);
    let fill = "[[fill]]\nname = \"grain\"\nshape = { kind = \"sphere\", radius = 0.01 }\ncount = 1\n\
        region = { kind = \"box\", min = [1, 0, 0], max = [2, 1, 1] }\n";
    refused(&format!("{HEAD}{STOP}{fill}"), &["fill: is given beside [[contacts]]"]);
}

#[test]
fn a_ball_whose_centre_is_on_the_axis_of_its_torus_is_refused() {
    let head = HEAD.replace("position = [0.1, 0, 0]", "position = [0, 0, 0.05]");
    refused(
        &format!("{head}{TORUS}{RING}"),
        &["contacts[0]: the centre of the sphere is on the axis of the torus, where no point of the tube is nearest"],
    );
}

//! What a scene file may say and what is told of one that is wrong.

use crate::error::Error;
use crate::math::Vec3;
use crate::scene::description::Motion;
use crate::scene::description::Scene;
use crate::scene::fill::Size;
use crate::scene::parse;
use crate::shape::Ball;
use crate::shape::Shape;

const GOOD: &str = r#"
version = 1
name = "test"
step = 0.001
duration = 1

[materials.steel]
friction = 0.3
density = 7800

[[bodies]]
name = "ball"
shape = { kind = "sphere", radius = 0.1 }

[[walls]]
shape = { kind = "half-space", normal = [0, 0, 2] }
position = [0, 0, -0.1]
"#;

fn with(more: &str) -> Result<Scene, Error> {
    parse("test.toml", &format!("{GOOD}{more}"), &[])
}

fn set(assignments: &[&str]) -> Result<Scene, Error> {
    let assignments: Vec<String> = assignments.iter().map(|text| (*text).to_owned()).collect();
    parse("test.toml", GOOD, &assignments)
}

fn message(result: Result<Scene, Error>) -> String {
    result.expect_err("the scene is wrong").to_string()
}

#[test]
#[allow(clippy::float_cmp)] // read, not computed
fn a_scene_reads_with_its_defaults() {
    let scene = with("").expect("reads");
    assert_eq!(scene.steps(), 1000);
    assert_eq!(scene.gravity, Vec3::new(0.0, 0.0, -9.81));
    assert_eq!(scene.bodies[0].material, "steel");
    assert_eq!(scene.walls[0].name, "wall-1");
    assert_eq!(scene.walls[0].motion, Motion::Fixed);
    assert_eq!(scene.output.track, ["ball"]);
    assert_eq!(scene.materials[0].density, 7800.0);
}

#[test]
fn every_fault_is_told_at_once_with_file_line_key_value_and_remedy() {
    let text = "version = 1\nstep = 0\nduration = nan\n[materials.steel]\nfriction = -0.5\n\
                [[bodies]]\nname = \"a\"\nshape = { kind = \"sphere\", radius = -1 }\nmass = -2\nmaterial = \"stel\"\n\
                [[bodies]]\nname = \"a\"\nshape = { kind = \"spere\", radius = 1 }\nvelocty = [1, 0, 0]\n";
    let message = message(parse("bad.toml", text, &[]));
    for expected in [
        "bad.toml:2: step: is 0; give a finite number above zero",
        "bad.toml:3: duration: is NaN",
        "bad.toml:5: materials.steel.friction: is -0.5; give a finite number of zero or more",
        "bad.toml:8: bodies[0].shape.radius: is -1",
        "bad.toml:9: bodies[0].mass: is -2; give a finite number above zero",
        "bad.toml:10: bodies[0].material: no material \"stel\"; did you mean \"steel\"?",
        "bad.toml:12: bodies[1].name: \"a\" is taken",
        "bad.toml:13: bodies[1].shape.kind: \"spere\" is not known; did you mean \"sphere\"?",
        "bad.toml:14: bodies[1].velocty: unknown key; did you mean `velocity`?",
    ] {
        assert!(message.contains(expected), "no \"{expected}\" in\n{message}");
    }
    assert_eq!(message.lines().count(), 9, "nothing else is told:\n{message}");
}

#[test]
fn syntax_is_told_with_its_line() {
    let message = message(parse("bad.toml", "version = 1\nstep = = 2\n", &[]));
    assert!(message.contains("bad.toml:2: "), "{message}");
}

#[test]
fn what_is_missing_is_asked_for() {
    let message = message(parse("bad.toml", "name = \"x\"\n[[bodies]]\n", &[]));
    for expected in
        ["version: missing", "step: missing", "duration: missing", "materials: missing", "bodies[0].shape: missing"]
    {
        assert!(message.contains(expected), "no \"{expected}\" in\n{message}");
    }
}

#[test]
fn a_thousand_million_particles_are_refused_at_once() {
    let fill = "[[fill]]\nshape = { kind = \"sphere\", radius = 1e-3 }\nregion = { kind = \"box\", min = [0, 0, 0], max = [9, 9, 9] }\n";
    let counted = message(with(&format!("{fill}count = 1_000_000_000\n")));
    assert!(counted.contains("fill[0].count: is 1000000000; give a whole number from 1 to 5000000"), "{counted}");
    let by_region = message(with(fill));
    assert!(by_region.contains("bodies in all; at most 5000000 bodies"), "{by_region}");
    let twice = format!("{fill}count = 3_000_000\n{fill}count = 3_000_000\n");
    assert!(message(with(&twice)).contains("6000002 bodies in all"));
}

#[test]
fn too_many_steps_and_too_large_a_file_are_refused() {
    assert!(message(set(&["step=1e-300"])).contains("steps"));
    let garbage = "x".repeat(crate::scene::MAX_BYTES as usize + 1);
    assert!(message(parse("big.toml", &garbage, &[])).contains("at most 16777216 bytes"));
}

#[test]
fn a_file_of_rubbish_ends_in_a_few_messages() {
    let text = "[[[ garbage = = \u{1} \n".repeat(50_000);
    let message = message(parse("big.toml", &text, &[]));
    assert!(message.lines().count() <= 41, "{} lines", message.lines().count());
}

#[test]
#[allow(clippy::float_cmp)] // read, not computed
fn a_value_of_the_command_line_takes_the_place_of_the_files() {
    let scene = set(&["step=0.01", "bodies.ball.velocity = [1, 2, 3]", "materials.steel.friction=0.7", "name=other"]);
    let scene = scene.expect("reads");
    assert_eq!(scene.step, 0.01);
    assert_eq!(scene.bodies[0].velocity, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(scene.materials[0].friction, 0.7);
    assert_eq!(scene.name, "other");
    let scene = set(&["bodies[0].shape.radius=0.2", "numerics.max-sweeps=7"]).expect("reads");
    assert_eq!(scene.bodies[0].shape, crate::shape::Shape::sphere(0.2));
    assert_eq!(scene.numerics.max_sweeps, 7);
}

#[test]
fn a_wrong_value_of_the_command_line_is_told_as_such() {
    for (assignment, expected) in [
        ("step=-1", "--set step=-1: step: is -1"),
        ("stp=1", "--set stp=1: stp: unknown key; did you mean `step`?"),
        ("step", "--set step: no `=`"),
        ("step=", "--set step=: no value"),
        ("bodies[4].mass=1", "`bodies` has 1 entries, no number 4"),
        ("bodies.bell.mass=1", "no entry of `bodies` has the name \"bell\""),
        ("step.x=1", "`step` is no table"),
        ("bodies.ball.velocity=[1,2]", "bodies[0].velocity: is a list of 2 entries; give 3 numbers in brackets"),
    ] {
        let message = message(set(&[assignment]));
        assert!(message.contains(expected), "{assignment}: no \"{expected}\" in\n{message}");
    }
}

#[test]
fn a_run_of_a_few_steps_has_a_checkpoint_interval_too() {
    // Was refused: a tenth of the duration is less than a step, and the interval by default was that.
    let scene = set(&["duration=0.002", "output.frames=0.001"]).expect("reads");
    assert!(scene.output.checkpoint >= scene.step);
}

#[test]
fn motions_that_contradict_each_other_are_refused() {
    let body =
        |keys: &str| message(with(&format!("[[bodies]]\nshape = {{ kind = \"sphere\", radius = 1 }}\n{keys}\n")));
    assert!(body("fixed = true\nvelocity = [1, 0, 0]").contains("does not move by forces"));
    assert!(body("fixed = true\nmotion = { velocity = [1, 0, 0] }").contains("leave one of them out"));
    assert!(body("orientation = [1, 1, 0, 0]").contains("unit quaternion"));
    assert!(body("mass = 1\ninertia = [1, 1, 3]").contains("no body has such moments"));
    assert!(body("motion = { speed = 1 }").contains("unknown key"));
}

#[test]
fn sizes_of_a_fill_have_sensible_bounds() {
    let fill = |size: &str| {
        with(&format!(
            "[[fill]]\nshape = {{ kind = \"sphere\", radius = 1e-2 }}\ncount = 3\nsize = {size}\n\
             region = {{ kind = \"box\", min = [0, 0, 0], max = [1, 1, 1] }}\n"
        ))
    };
    let scene = fill("{ kind = \"normal\", mean = 1.0, deviation = 0.25 }").expect("reads");
    assert_eq!(scene.fill[0].size, Size::Normal { mean: 1.0, deviation: 0.25, min: 0.25, max: 1.75 });
    assert!(
        message(fill("{ kind = \"normal\", mean = 1.0, deviation = 0.5 }")).contains("mean − 3 deviations is -0.5")
    );
    assert!(message(fill("{ kind = \"uniform\", min = 2, max = 1 }")).contains("swap them"));
    assert!(message(fill("{ kind = \"listed\", values = [] }")).contains("no sizes"));
    assert!(message(fill("{ kind = \"listed\", values = [1, 2], weights = [1] }")).contains("1 weights for 2 sizes"));
    assert!(
        message(fill("{ kind = \"log-normal\", median = 9, sigma = 0.1, min = 0.1, max = 0.2 }"))
            .contains("the middle 9")
    );
    assert!(message(fill("{ kind = \"unifrom\" }")).contains("did you mean \"uniform\"?"));
}

#[test]
fn every_kind_of_shape_is_read_with_whole_lengths_and_open_ends() {
    let read = |shape: &str| with(&format!("[[walls]]\nshape = {shape}\n")).map(|scene| scene.walls[1].shape.clone());
    let half = |radius: f64| Shape::Tube { radius, thickness: f64::INFINITY, half_length: f64::INFINITY };
    for (text, expected) in [
        ("{ kind = \"capsule\", radius = 1, length = 3 }", Shape::Capsule { radius: 1.0, half_length: 1.5 }),
        ("{ kind = \"cylinder\", radius = 1, length = 3 }", Shape::Cylinder { radius: 1.0, half_length: 1.5 }),
        ("{ kind = \"tube\", radius = 2, axis = [0, 1, 0] }", half(2.0)),
        ("{ kind = \"hollow-sphere\", radius = 2 }", Shape::HollowSphere { radius: 2.0 }),
        (
            "{ kind = \"hollow-torus\", major-radius = 2, minor-radius = 0.5 }",
            Shape::HollowTorus { major_radius: 2.0, minor_radius: 0.5 },
        ),
        (
            "{ kind = \"funnel\", lower-radius = 0, upper-radius = 2, height = 3, thickness = 0.1 }",
            Shape::Funnel { lower_radius: 0.0, upper_radius: 2.0, half_height: 1.5, thickness: 0.1 },
        ),
        (
            "{ kind = \"clump\", balls = [{ center = [1, 0, 0], radius = 1 }] }",
            Shape::Clump { balls: vec![Ball { center: Vec3::zeros(), radius: 1.0 }] },
        ),
    ] {
        let shape = read(text).expect("a good scene");
        // The centre of a clump comes from a quadrature.
        let same = match (&shape, &expected) {
            (Shape::Clump { balls: found }, Shape::Clump { balls }) => {
                (found[0].center - balls[0].center).norm() < 1e-12
            }
            _ => shape == expected,
        };
        assert!(same, "{text}: {shape:?}");
    }
    assert!(message(with("[[walls]]\nshape = { kind = \"clump\", balls = [] }\n")).contains("without balls"));
    assert!(message(with("[[walls]]\nshape = { kind = \"capsule\", radius = 1 }\n")).contains("length"));
}

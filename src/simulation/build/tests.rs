//! Fills and the checks that need geometry.

use crate::error::Result;
use crate::law::Law;
use crate::math::Vec3;
use crate::scene::catalogue;
use crate::scene::parse;
use crate::shape::Shape;
use crate::simulation::BodyState;
use crate::simulation::Built;
use crate::simulation::build;
use crate::world::Velocity;

/// A floor at z = 0 below what `more` says.
fn built(more: &str) -> Result<Built> {
    let text = format!(
        "version = 1\nstep = 0.001\nduration = 1\n[materials.m]\nfriction = 0.5\n\
         [[walls]]\nname = \"floor\"\nshape = {{ kind = \"half-space\" }}\n{more}"
    );
    build(&parse("test.toml", &text, &[])?, Law::MaxDissipation, None)
}

fn message(more: &str) -> String {
    built(more).expect_err("the scene is wrong").to_string()
}

const SPHERES: &str = "[[fill]]\nname = \"grain\"\nshape = { kind = \"sphere\", radius = 0.05 }\n\
    size = { kind = \"uniform\", min = 0.2, max = 1.0 }\n\
    region = { kind = \"box\", min = [0, 0, 0], max = [1, 1, 1] }\n";

/// Smallest distance between the surfaces of two spheres, and of one to the floor, in m.
fn clearance(built: &Built) -> f64 {
    let spheres: Vec<(f64, Vec3)> = built
        .world
        .shapes()
        .iter()
        .zip(built.world.positions())
        .filter_map(|(shape, x)| if let Shape::Sphere { radius } = shape { Some((*radius, *x)) } else { None })
        .collect();
    let mut least = f64::INFINITY;
    for (i, (r, x)) in spheres.iter().enumerate() {
        least = least.min(x.z - r);
        for (s, y) in &spheres[..i] {
            least = least.min((x - y).norm() - r - s);
        }
    }
    least
}

#[test]
fn the_particles_of_a_fill_lie_in_the_region_and_keep_their_spacing() {
    let built = built(&format!("{SPHERES}count = 300\nspacing = 0.004\n")).expect("fits");
    assert_eq!(built.names.len(), 301);
    assert_eq!(built.names[0], "grain-1");
    assert_eq!(built.names[300], "floor");
    // Round-off of a distance.
    let least = clearance(&built);
    assert!(least >= 0.004 - 1e-12, "least distance {least} m");
    for (shape, x) in built.world.shapes().iter().zip(built.world.positions()).take(300) {
        let r = shape.bounding_radius();
        assert!(x.iter().all(|x| *x >= r - 1e-12 && *x <= 1.0 - r + 1e-12), "{x} with radius {r}");
    }
}

#[test]
fn the_same_seed_gives_the_same_particles_and_another_seed_others() {
    let with = |seed: u64| built(&format!("{SPHERES}count = 50\nseed = {seed}\n")).expect("fits");
    assert_eq!(with(3).world, with(3).world);
    assert_ne!(with(3).world, with(4).world);
}

#[test]
fn a_fill_that_does_not_fit_says_how_many_found_room() {
    let random = message(&format!("{SPHERES}count = 50000\n"));
    assert!(random.contains("test.toml:9: fill[0].count: 0 of 50000 particles of `grain` find room"), "{random}");
    let grid = message(&format!("{SPHERES}count = 1001\narrangement = \"grid\"\n"));
    assert!(grid.contains("1000 of 1001"), "{grid}");
}

#[test]
fn a_grid_takes_as_many_as_the_region_has_sites() {
    let built = built(&format!("{SPHERES}arrangement = \"grid\"\n")).expect("fits");
    assert_eq!(built.names.len(), 1001);
    assert!(clearance(&built) >= -1e-9);
}

#[test]
fn a_region_filled_at_random_holds_what_random_places_can_hold() {
    let fill = SPHERES.replace("size = { kind = \"uniform\", min = 0.2, max = 1.0 }\n", "");
    let built = built(&fill).expect("fits");
    let volume = Shape::sphere(0.05).volume() * (built.names.len() - 1) as f64;
    // Random sequential addition saturates at 0.382 without walls; walls keep centres away from the border.
    assert!((0.2..0.39).contains(&volume), "volume fraction {volume}");
}

#[test]
fn particles_keep_clear_of_bodies_and_of_the_fills_before() {
    let rod = "[[bodies]]\nname = \"post\"\nshape = { kind = \"box\", size = [0.6, 0.6, 1] }\nposition = [0.5, 0.5, 0.5]\nfixed = true\n";
    let boxes = "[[fill]]\nname = \"block\"\nshape = { kind = \"box\", size = [0.08, 0.04, 0.02] }\ncount = 60\n\
        region = { kind = \"box\", min = [0, 0, 0], max = [1, 1, 1] }\n";
    // Overlaps beyond the allowed share, here none at all, are faults: that this builds is the test.
    let built = built(&format!("{rod}{SPHERES}count = 100\n{boxes}[numerics]\nallowed-overlap = 0.0\n"));
    assert_eq!(built.expect("fits").names.len(), 162);
}

#[test]
fn an_overlap_at_the_start_is_told_with_the_bodies_and_its_share() {
    let ball = |name: &str, x: f64| {
        format!("[[bodies]]\nname = \"{name}\"\nshape = {{ kind = \"sphere\", radius = 1 }}\nposition = [{x}, 0, 2]\n")
    };
    let told = message(&format!("{}{}", ball("left", 0.0), ball("right", 1.5)));
    assert!(
        told.contains("test.toml:9: bodies[0]: `left` and `right` overlap by 5.000e-1 m at the start, 25.0 %"),
        "{told}"
    );
    assert!(built(&format!("{}{}", ball("left", 0.0), ball("right", 1.99))).is_ok(), "1 % of the size is allowed");
}

#[test]
fn a_scene_without_a_free_body_is_refused() {
    let told = message("");
    assert!(told.contains("fixed or driven"), "{told}");
}

#[test]
fn bodies_start_from_the_last_state_of_another_run() {
    let scene =
        catalogue::scene("head-on-spheres", &["initial.from=elsewhere".into(), "initial.velocities=false".into()]);
    let scene = scene.expect("reads");
    let state = |name: &str, x: f64| BodyState {
        name: name.into(),
        position: Vec3::new(x, 0.0, 0.0),
        orientation: crate::math::Quat::identity(),
        velocity: Velocity { linear: Vec3::x(), angular: Vec3::z() },
    };
    let states = [state("right", 2.0), state("left", -2.0), state("other", 0.0)];
    let built = build(&scene, Law::Coulomb, Some(&states)).expect("all there");
    assert_eq!(built.world.positions()[0], Vec3::new(-2.0, 0.0, 0.0));
    assert_eq!(built.world.velocities()[0], Velocity::default());
    let told = build(&scene, Law::Coulomb, Some(&states[1..])).expect_err("no right").to_string();
    assert!(told.contains("no body \"right\""), "{told}");
}

#[test]
fn every_scene_of_the_catalogue_builds_and_makes_steps() {
    for entry in catalogue::ENTRIES {
        let scene = catalogue::scene(entry.name, &[]).expect("reads");
        // Contact items act under one law alone.
        let law = if scene.contacts.is_empty() { Law::MaxDissipation } else { Law::Penalty };
        let built = build(&scene, law, None).unwrap_or_else(|e| panic!("{}: {e}", entry.name));
        let mut simulation = built.simulation().expect("valid");
        for _ in 0..3 {
            let record = simulation.step();
            assert!(record.kinetic.is_finite() && record.ledger_error < 1e-9, "{}: {record:?}", entry.name);
        }
    }
}

#[test]
fn sizes_one_to_twenty_find_room_in_one_fill_whatever_their_distribution() {
    for size in [
        "{ kind = \"uniform\", min = 0.05, max = 1.0 }",
        "{ kind = \"normal\", mean = 0.5, deviation = 0.2, min = 0.05, max = 1.0 }",
        "{ kind = \"log-normal\", median = 0.15, sigma = 0.8, min = 0.05, max = 1.0 }",
        "{ kind = \"listed\", values = [0.05, 0.2, 1.0], weights = [20, 5, 1] }",
    ] {
        let text = SPHERES.replace("{ kind = \"uniform\", min = 0.2, max = 1.0 }", size);
        let built = built(&format!("{text}count = 400\n")).unwrap_or_else(|error| panic!("{size}: {error}"));
        let radii: Vec<f64> = built.world.shapes().iter().take(400).map(Shape::bounding_radius).collect();
        let (least, most) = radii.iter().fold((f64::INFINITY, 0.0_f64), |(l, m), r| (l.min(*r), m.max(*r)));
        assert!(most / least > 10.0 && most / least < 20.0 + 1e-9, "{size}: {least} to {most} m");
        // Round-off of a distance.
        assert!(clearance(&built) > -1e-12, "{size}: {} m", clearance(&built));
    }
}

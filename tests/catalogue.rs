//! The named scenes show what their descriptions say.

use maxdiss::law::Law;
use maxdiss::math::Vec3;
use maxdiss::scene::catalogue;
use maxdiss::shape::Shape;
use maxdiss::simulation::Simulation;
use maxdiss::simulation::build;

/// The named scene at its end.
fn ended(name: &str, law: Law) -> Simulation {
    let scene = catalogue::scene(name, &[]).expect("in the catalogue");
    let mut simulation = build(&scene, law, None).expect("builds").simulation().expect("valid");
    for _ in 0..scene.steps() {
        simulation.step();
    }
    simulation
}

#[test]
fn the_snowman_tips_over_and_lies_with_both_balls_on_the_floor() {
    for law in [Law::MaxDissipation, Law::TwoStage, Law::Coulomb] {
        let simulation = ended("snowman", law);
        let world = simulation.world();
        let Shape::Clump { balls } = &world.shapes()[0] else { panic!("a clump") };
        let place = |k: usize| world.positions()[0] + world.orientations()[0] * balls[k].center;
        let (low, high) = (place(0), place(1));
        // As `stepping.md` asks: the overlap left after 1000 steps of 0.1 s.
        const HEIGHT: f64 = 1e-3;
        assert!(
            (low.z - 1.0).abs() < HEIGHT && (high.z - 1.1).abs() < HEIGHT,
            "{law}: heights {} and {}",
            low.z,
            high.z
        );
        // A rigid body: only the rounding of a thousand rotations.
        let distance = (high - low).norm();
        let expected = Vec3::new(1.7, 0.0, 0.2).norm();
        assert!((distance - expected).abs() < 1e-12, "{law}: distance {distance} for {expected}");
    }
}

#[test]
fn the_struck_row_leaves_together_at_a_fifth_of_the_speed() {
    let simulation = ended("inelastic-chain", Law::MaxDissipation);
    // The default tolerance of the solve, 1e-4 of the striker's speed, with as much again for later steps.
    for v in &simulation.world().velocities()[..5] {
        assert!((v.linear.x - 0.2).abs() < 2e-4, "{}", v.linear.x);
    }
}

#[test]
fn equal_balls_that_meet_head_on_end_at_rest() {
    let simulation = ended("head-on-spheres", Law::Coulomb);
    for v in simulation.world().velocities() {
        assert!(v.linear.norm() < 1e-4, "{}", v.linear);
    }
}

#[test]
fn a_driven_drum_lifts_its_grains_on_one_side() {
    let scene = catalogue::scene("rotating-drum", &["duration=0.6".into()]).expect("in the catalogue");
    let mut simulation = build(&scene, Law::Coulomb, None).expect("builds").simulation().expect("valid");
    for _ in 0..scene.steps() {
        simulation.step();
    }
    let world = simulation.world();
    let grains: Vec<&Vec3> = (0..world.len()).filter(|i| world.is_free(*i)).map(|i| &world.positions()[i]).collect();
    let mean_x = grains.iter().map(|x| x.x).sum::<f64>() / grains.len() as f64;
    // ω = +y carries the wall at the bottom towards −x: the heap leans there, by a good part of the radius 0.06 m.
    assert!(mean_x < -0.005, "mean x = {mean_x} m");
    let outside = grains.iter().filter(|x| x.x.hypot(x.z) > 0.06).count();
    assert_eq!(outside, 0, "grains outside the drum");
}

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

#[test]
fn the_shaken_box_throws_its_balls_and_takes_up_the_work_of_the_drive() {
    let scene = catalogue::scene("shaker", &[]).expect("in the catalogue");
    let mut simulation = build(&scene, Law::MaxDissipation, None).expect("builds").simulation().expect("valid");
    let plate = 150;
    let mut on_plate = Vec::new();
    let mut works = Vec::new();
    for step in 1..=1000 {
        let record = simulation.step();
        // Once settled, at the same phase: periods of 100 steps.
        if step % 100 == 0 {
            works.push((record.total.drives, record.total.sum() - record.total.drives));
        }
        if step > 800 {
            let pressed = simulation.contacts().iter().zip(simulation.impulses_w());
            on_plate.push(pressed.filter(|(contact, impulse)| contact.b == plate && impulse.norm() > 0.0).count());
        }
    }
    // At 1.6 g the balls leave the plate in every period, and come back to it.
    let (least, most) = (on_plate.iter().min(), on_plate.iter().max());
    assert!(least == Some(&0) && most > Some(&20), "{least:?} to {most:?} balls press on the plate");
    let (first, last) = (works[5], works[9]);
    let (given, taken) = (last.0 - first.0, first.1 - last.1);
    // What is left of the difference is the energy of balls that still move up or down.
    assert!(given > 5e-4 && (taken / given - 1.0).abs() < 0.05, "given {given} J, taken {taken} J");
}

#[test]
fn the_balls_on_the_chute_keep_running_over_its_rough_bottom() {
    let scene = catalogue::scene("periodic-chute", &["duration=0.4".into()]).expect("in the catalogue");
    let mut simulation = build(&scene, Law::MaxDissipation, None).expect("builds").simulation().expect("valid");
    let mut speeds = Vec::new();
    for step in 1..=scene.steps() {
        simulation.step();
        if step % 200 == 0 {
            let world = simulation.world();
            let free = (0..world.len()).filter(|i| world.is_free(*i));
            speeds.push(free.map(|i| world.velocities()[i].linear.x).sum::<f64>() / 600.0);
            let lowest = (0..world.len()).map(|i| world.positions()[i].z).filter(|z| z.is_finite());
            assert!(lowest.fold(f64::INFINITY, f64::min) >= 0.0, "nothing falls through the bottom");
        }
    }
    // Without friction it would be 1.7 m/s by then; it neither stops nor runs away.
    assert!(speeds.iter().all(|speed| (0.04..0.2).contains(speed)), "mean speeds {speeds:?} m/s");
}

#[test]
fn the_silo_holds_its_balls_until_the_slide_opens_and_weighs_what_runs_out() {
    let scene = catalogue::scene("silo", &["duration=1.1".into()]).expect("in the catalogue");
    let mut simulation = build(&scene, Law::MaxDissipation, None).expect("builds").simulation().expect("valid");
    for step in 1..=scene.steps() {
        simulation.step();
        let (world, flow) = (simulation.world(), &simulation.memory().flow);
        let (out, poured) = (flow.outlets[0], flow.inlets[0]);
        assert!(step > 1600 || out.count == 0, "a ball has left before the slide opens, at step {step}");
        let present: f64 = world.masses().iter().sum();
        // Sums of 300 masses.
        assert!((poured.mass - out.mass - present).abs() < 1e-14, "step {step}: {poured:?} {out:?} {present} kg");
    }
    let flow = &simulation.memory().flow;
    assert_eq!(flow.inlets[0].count, 300);
    assert!(flow.outlets[0].count > 20, "only {} balls have left", flow.outlets[0].count);
}

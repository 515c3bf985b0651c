//! Equal bits for any number of threads, and for the closed form under the laws that share it.

mod common;

use common::ball;
use common::cuboid;
use common::down;
use common::floor;
use common::wall;
use common::world;
use maxdiss::law::Law;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::simulation::Correction;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::world::Body;
use maxdiss::world::World;

/// A bed of `n`³ bodies that touch from the start, in a box; every `boxes`-th is a box (none: zero).
fn bed(n: usize, boxes: usize) -> World {
    let mut bodies: Vec<Body> = (0..n * n * n)
        .map(|k| {
            let (i, j, l) = (k % n, k / n % n, k / n / n);
            let x = k as f64;
            let at = Vec3::new(i as f64, j as f64, l as f64) * 0.97 + Vec3::new(0.5, 0.5, 0.5);
            let at = at + 0.03 * Vec3::new((1.3 * x).sin(), (2.7 * x).sin(), (0.7 * x).cos());
            let body = if boxes > 0 && k % boxes == 0 {
                cuboid(0.9, 0.8, 0.75, at).turned(Quat::from_euler_angles(0.1 * x.sin(), 0.1 * x.cos(), 0.3 * x))
            } else {
                ball(0.5 - 0.03 * (0.9 * x).cos().abs(), at)
            };
            body.moving(Vec3::new(x.sin(), x.cos(), -0.5), Vec3::new(0.0, (3.0 * x).sin(), 0.5))
        })
        .collect();
    let side = n as f64;
    bodies.push(floor(0.0));
    for (normal, at) in [(Vec3::x(), 0.0), (-Vec3::x(), -side), (Vec3::y(), 0.0), (-Vec3::y(), -side)] {
        bodies.push(wall(normal).at(normal * at));
    }
    world(down(10.0), 0.5, bodies)
}

/// World and memory after some steps, as bytes, and the number of contacts in the last.
fn outcome(world: &World, settings: &Settings, steps: usize) -> (Vec<u8>, usize) {
    let mut sim = Simulation::new(world.clone(), settings.clone()).expect("valid");
    let mut contacts = 0;
    for _ in 0..steps {
        contacts = sim.step().contacts;
    }
    (serde_json::to_vec(&(sim.world(), sim.memory())).expect("plain state"), contacts)
}

#[test]
fn a_pile_of_balls_and_boxes_has_the_same_bits_on_one_to_four_threads_and_twice() {
    let bed = bed(13, 5);
    assert!(bed.len() > 2000);
    for (law, correction) in [(Law::MaxDissipation, Correction::Baumgarte), (Law::TwoStage, Correction::Split)] {
        let settings = Settings { max_sweeps: 10, correction, ..Settings::new(law, 1e-3) };
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| outcome(&bed, &settings, 12))
        };
        let (one, contacts) = run(1);
        assert!(contacts > 3000, "{law}: only {contacts} contacts");
        for threads in [1, 2, 3, 4] {
            assert!(run(threads).0 == one, "{law}: other bits on {threads} threads");
        }
    }
}

#[test]
fn a_bed_large_enough_to_be_put_in_the_order_of_space_has_the_same_bits_on_any_number_of_threads() {
    // 22 000 bodies: the order of sweeps is that of space from 20 000 on.
    let bed = bed(28, 0);
    let settings = Settings { max_sweeps: 3, ..Settings::new(Law::MaxDissipation, 1e-3) };
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| outcome(&bed, &settings, 2))
    };
    let (one, contacts) = run(1);
    assert!(contacts > 30_000, "only {contacts} contacts");
    assert!(run(3).0 == one, "other bits on 3 threads");
}

#[test]
fn a_run_resumed_from_world_and_memory_has_the_bits_of_the_unbroken_one() {
    let bed = bed(5, 3);
    for law in [Law::MaxDissipation, Law::TwoStage, Law::Cone] {
        let settings = Settings { max_sweeps: 20, ..Settings::new(law, 1e-3) };
        let (whole, _) = outcome(&bed, &settings, 20);
        let (half, _) = outcome(&bed, &settings, 9);
        let (world, memory) = serde_json::from_slice(&half).expect("as written");
        let mut sim = Simulation::resume(world, memory, settings).expect("valid");
        for _ in 0..11 {
            sim.step();
        }
        let resumed = serde_json::to_vec(&(sim.world(), sim.memory())).expect("plain state");
        assert!(resumed == whole, "{law}: other bits after the resume");
    }
}

#[test]
fn balls_have_the_same_bits_under_maximum_dissipation_and_coulomb_and_boxes_do_not() {
    let run = |law: Law, boxes: usize, closed_form: bool| {
        let settings = Settings { max_sweeps: 30, closed_form, ..Settings::new(law, 1e-3) };
        // Serialised without the settings: only what the law did is compared.
        outcome(&bed(6, boxes), &settings, 60).0
    };
    assert!(run(Law::MaxDissipation, 0, true) == run(Law::Coulomb, 0, true), "balls differ through the closed form");
    assert!(run(Law::MaxDissipation, 2, true) != run(Law::Coulomb, 2, true), "boxes do not tell the laws apart");
}

#[test]
fn balls_have_the_same_statistics_through_the_generic_path() {
    // Once settled, the height of the bed and the share of sliding contacts say the same; the bits do not.
    let bed = bed(6, 0);
    let statistics = |closed_form: bool| {
        let settings = Settings { max_sweeps: 30, closed_form, ..Settings::new(Law::MaxDissipation, 2e-3) };
        let mut sim = Simulation::new(bed.clone(), settings).expect("valid");
        for _ in 0..800 {
            sim.step();
        }
        let free = bed.free().iter().filter(|free| **free).count();
        let height = sim.world().positions()[..free].iter().map(|x| x.z).sum::<f64>() / free as f64;
        let record = sim.step();
        (height, record.contacts as f64 / free as f64, record.kinetic)
    };
    let (closed, generic) = (statistics(true), statistics(false));
    println!("closed {closed:?}, generic {generic:?}");
    assert!((closed.0 - generic.0).abs() < 0.01 * closed.0, "heights {} and {}", closed.0, generic.0);
    assert!((closed.1 - generic.1).abs() < 0.05 * closed.1, "contacts a ball {} and {}", closed.1, generic.1);
}

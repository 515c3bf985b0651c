//! Shapes beside spheres and boxes in motion, against closed forms.

mod common;

use common::STUFF;
use common::Watched;
use common::ball;
use common::down;
use common::exact;
use common::floor;
use common::world;
use maxdiss::law::Law;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::scene::parse;
use maxdiss::shape::Ball;
use maxdiss::shape::Shape;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::simulation::build;
use maxdiss::world::Body;
use std::f64::consts::FRAC_PI_2;
use std::f64::consts::PI;

#[test]
fn a_capsule_on_a_plane_keeps_still_on_its_two_ends() {
    let lying = Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
    for law in [Law::MaxDissipation, Law::TwoStage, Law::Coulomb] {
        let capsule = Body::new(Shape::capsule(0.1, 0.4), STUFF).at(Vec3::new(0.0, 0.0, 0.1)).turned(lying);
        let mut run =
            Watched::new(format!("{law}"), world(down(10.0), 0.5, vec![capsule, floor(0.0)]), exact(law, 1e-3));
        for _ in 0..1000 {
            let record = run.step();
            assert_eq!(record.contacts, 2, "{law}: its two ends at step {}", record.step);
        }
        let forces: Vec<f64> = run.sim.impulses_w().iter().map(|impulse| impulse.z / 1e-3).collect();
        let weight = 10.0 * run.sim.world().masses()[0];
        // Half the weight each; the round-off of a thousand steps.
        assert!(forces.iter().all(|force| (force - 0.5 * weight).abs() < 1e-9 * weight), "{law}: {forces:?}");
        let moved = (run.position(0) - Vec3::new(0.0, 0.0, 0.1)).norm();
        let turned = run.sim.world().orientations()[0].angle_to(&lying);
        assert!(moved < 1e-10 && turned < 1e-10, "{law}: moved by {moved} m, turned by {turned} rad");
    }
}

#[test]
fn a_tumbling_clump_keeps_its_angular_momentum_to_the_first_order_of_the_step() {
    let place = |x: f64, y: f64, z: f64, radius: f64| Ball { center: Vec3::new(x, y, z), radius };
    let (shape, _) = Shape::clump(vec![
        place(0.0, 0.0, 0.0, 0.3),
        place(0.5, 0.1, 0.0, 0.2),
        place(0.1, 0.4, 0.3, 0.15),
        place(-0.2, 0.0, 0.1, 0.25),
    ]);
    let off = |dt: f64| {
        let clump = Body::new(shape.clone(), STUFF).moving(Vec3::zeros(), Vec3::new(2.0, 1.0, -1.5));
        let mut sim =
            Simulation::new(world(Vec3::zeros(), 0.3, vec![clump]), Settings::new(Law::Coulomb, dt)).expect("valid");
        let momentum = |sim: &Simulation| sim.world().angular_momentum(0, &sim.world().velocities()[0].angular).norm();
        let start = momentum(&sim);
        (0..(2.0 / dt).round() as u32).for_each(|_| {
            sim.step();
        });
        (momentum(&sim) / start - 1.0).abs()
    };
    let (coarse, fine) = (off(2e-3), off(1e-3));
    println!("|L| off by {coarse:.2e} and {fine:.2e}");
    // The explicit gyroscopic term is of first order: half the step, half the error.
    assert!(fine < 1e-2 && (1.8..2.2).contains(&(coarse / fine)), "{coarse} and {fine}");
}

/// The period in s of the motion of body 0 along `direction`, from a start at rest: twice the way to the second rest.
fn period(run: &mut Watched, direction: Vec3, dt: f64) -> f64 {
    let mut before = 0.0;
    let mut rests = Vec::new();
    for step in 1..20_000_u32 {
        run.step();
        let speed = run.velocity(0).dot(&direction);
        if before * speed < 0.0 {
            // Speeds stand in the middle of their steps.
            rests.push(dt * (f64::from(step) - 0.5 - speed / (speed - before)));
            if rests.len() == 2 {
                return rests[1];
            }
        }
        before = speed;
    }
    panic!("no second turn");
}

#[test]
fn a_ball_rolls_to_and_fro_in_a_trough_and_in_a_groove_with_its_period() {
    const R: f64 = 0.1;
    let (g, dt, angle) = (10.0, 1e-3, 0.1_f64);
    let along_y = Quat::from_axis_angle(&Vec3::x_axis(), FRAC_PI_2);
    // Shape, its pose, and the radius on which the ball's centre goes, around a point at height zero in the x–z plane.
    let trough = Shape::Tube { radius: 1.0, thickness: f64::INFINITY, half_length: f64::INFINITY };
    let groove = Shape::HollowTorus { major_radius: 5.0, minor_radius: 1.0 };
    let ring = Shape::HollowTorus { major_radius: 1.0, minor_radius: 0.3 };
    let cases = [
        ("across a trough", trough, Vec3::zeros(), along_y, 0.9),
        ("across a level groove", groove, Vec3::new(-5.0, 0.0, 0.0), Quat::identity(), 0.9),
        ("along an upright ring", ring, Vec3::zeros(), along_y, 1.3 - R),
    ];
    for (name, shape, position, turn, radius) in cases {
        for law in [Law::MaxDissipation, Law::TwoStage, Law::Coulomb] {
            let start = Vec3::new(angle.sin(), 0.0, -angle.cos()) * radius;
            let wall = Body::new(shape.clone(), STUFF).at(position).turned(turn).fixed();
            let mut run = Watched::new(name, world(down(g), 0.8, vec![ball(R, start), wall]), exact(law, dt));
            let measured = period(&mut run, Vec3::x(), dt);
            // A pendulum of the inertia 7/5 m; the next term of its amplitude is angle⁴/1000.
            let expected = 2.0 * PI * (7.0 * radius / (5.0 * g)).sqrt() * (1.0 + angle * angle / 16.0);
            println!("{name}, {law}: {measured} s for {expected} s");
            // The stepping is of first order: δt/T, ten times below this.
            assert!((measured / expected - 1.0).abs() < 5e-3, "{name}, {law}: {measured} s for {expected} s");
        }
    }
}

/// Grains in the drum.
const GRAINS: usize = 15;

/// A drum of radius 0.05 m with cubes; 24.26 rad/s are a Froude number ω²R/g of 3.
const DRUM: &str = r#"
version = 1
name = "centrifuge"
step = 0.0005
duration = 1.0

[materials.rough]
density = 1000.0
friction = 10.0

[materials.smooth]
density = 1000.0
friction = 0.0

[[walls]]
name = "drum"
shape = { kind = "tube", radius = 0.05, axis = [0, 1, 0] }
material = "rough"
motion = { angular-velocity = [0, 24.26, 0] }

[[walls]]
name = "front"
shape = { kind = "half-space", normal = [0, 1, 0] }
position = [0, -0.01, 0]
material = "smooth"

[[walls]]
name = "back"
shape = { kind = "half-space", normal = [0, -1, 0] }
position = [0, 0.01, 0]
material = "smooth"

[[fill]]
name = "grain"
shape = { kind = "box", size = [0.006, 0.006, 0.006] }
material = "rough"
count = 15
region = { kind = "cylinder", base = [0, -0.01, 0], axis = [0, 1, 0], radius = 0.0495, height = 0.02 }
"#;

#[test]
fn a_drum_beyond_froude_one_with_high_friction_carries_all_grains_round() {
    // Hundreds of sweeps would change nothing of this.
    let scene = parse("drum.toml", DRUM, &["numerics.max-sweeps=50".into()]).expect("reads");
    let mut sim = build(&scene, Law::MaxDissipation, None).expect("builds").simulation().expect("valid");
    let angle = |x: &Vec3| x.x.atan2(x.z);
    let mut before: Vec<f64> = sim.world().positions()[..GRAINS].iter().map(angle).collect();
    // Turns of each grain around the axis while the drum makes one.
    let mut turn = || {
        let mut swept = [0.0_f64; GRAINS];
        // 2π/24.26 s.
        for _ in 0..518 {
            sim.step();
            for (i, x) in sim.world().positions()[..GRAINS].iter().enumerate() {
                let step = angle(x) - before[i];
                swept[i] += (step / (2.0 * PI)) - (step / (2.0 * PI)).round();
                before[i] = angle(x);
            }
        }
        swept
    };
    // Round with the drum; grains that rock on an edge of theirs are a few degrees ahead or behind.
    let carried = |turns: &[f64; GRAINS]| turns.iter().all(|turns| (turns - 1.0).abs() < 0.05);
    // Some turns to pick everything up, the last grain too that tumbles at the bottom.
    let picked_up = (1..=10).find(|_| carried(&turn()));
    let later = turn();
    println!("all carried in turn {picked_up:?}, then turns {later:.4?}");
    assert!(picked_up.is_some() && carried(&later), "{picked_up:?}, {later:?}");
}

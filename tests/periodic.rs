//! Periodic space: a shift along the period changes nothing, and what leaves at one end comes in at the other.

mod common;

use common::STUFF;
use common::Watched;
use common::ball;
use common::cuboid;
use common::exact;
use common::floor;
use maxdiss::law::Law;
use maxdiss::material::Materials;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::recorder;
use maxdiss::scene::catalogue;
use maxdiss::shape::Ball;
use maxdiss::shape::Shape;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::simulation::build;
use maxdiss::world::Body;
use maxdiss::world::World;

const PERIODS: [Option<f64>; 3] = [Some(2.0), Some(1.5), None];

/// Bodies of several shapes on a bumpy bottom, all moved by `shift`.
fn chute(shift: Vec3) -> World {
    let mut bodies = Vec::new();
    for k in 0..48 {
        let (i, j, l) = (f64::from(k % 6), f64::from(k / 6 % 4), f64::from(k / 24));
        let at = Vec3::new(0.33 * i + 0.02 * l, 0.37 * j, 0.31 + 0.25 * l);
        let turn = Quat::from_euler_angles(0.3 * i, 0.2 * j, 0.5 * l);
        let body = match k % 4 {
            0 => cuboid(0.2, 0.15, 0.1, at),
            1 => Body::new(Shape::capsule(0.06, 0.1), STUFF).at(at),
            2 => {
                let part = |x: f64| Ball { center: Vec3::new(x, 0.0, 0.0), radius: 0.07 };
                Body::new(Shape::clump(vec![part(-0.04), part(0.04)]).0, STUFF).at(at)
            }
            _ => ball(0.1, at),
        };
        bodies.push(body.turned(turn).moving(Vec3::new(1.0, 0.4, -0.5), Vec3::zeros()));
    }
    for k in 0..12 {
        let at = Vec3::new(f64::from(k % 4) * 0.5, f64::from(k / 4) * 0.5, 0.1);
        bodies.push(ball(0.1, at).fixed());
    }
    bodies.push(floor(0.0));
    for body in &mut bodies {
        body.position += shift;
    }
    let gravity = Vec3::new(4.0, 1.0, -9.0);
    let world = World::new(gravity, Materials::single(1.0, 0.5).expect("valid"), bodies).expect("valid");
    world.with_periods(PERIODS).expect("long enough")
}

#[test]
fn shifting_the_whole_scene_along_the_periods_gives_the_same_motion() {
    for law in [Law::MaxDissipation, Law::Coulomb, Law::TwoStage] {
        // A fixed number of sweeps: whether a residual is just below a tolerance must not decide.
        let settings = Settings { tolerance: 0.0, max_sweeps: 40, ..Settings::new(law, 1e-3) };
        let mut here = Watched::new(format!("{law}"), chute(Vec3::zeros()), settings.clone());
        for shift in [Vec3::new(0.37, 0.0, 0.0), Vec3::new(-7.123, 2.9, 0.0)] {
            let mut there = Watched::new(format!("{law}, shifted"), chute(shift), settings.clone());
            if shift.y > 0.0 {
                here = Watched::new(format!("{law}"), chute(Vec3::zeros()), settings.clone());
            }
            let (mut most, mut contacts) = (0.0_f64, 0);
            for _ in 0..400 {
                contacts += here.step().contacts;
                there.step();
                for i in 0..48 {
                    most = most.max((there.position(i) - here.position(i) - shift).norm());
                }
            }
            println!("{law}: off by {most:.1e} m after {contacts} contacts");
            assert!(contacts > 3000, "{law}: only {contacts} contacts");
            // Far above the round-off of the shift, which collisions multiply.
            assert!(most < 1e-10, "{law}: off by {most} m");
        }
    }
}

#[test]
fn a_ball_that_leaves_at_one_end_hits_the_one_near_the_other_end() {
    let bodies =
        vec![ball(0.1, Vec3::new(1.7, 0.3, 0.0)).moving(Vec3::x(), Vec3::zeros()), ball(0.1, Vec3::new(0.3, 0.3, 0.0))];
    let world = World::new(Vec3::zeros(), Materials::single(1.0, 0.0).expect("valid"), bodies).expect("valid");
    let world = world.with_periods(PERIODS).expect("long enough");
    let mut run = Watched::new("across", world, exact(Law::MaxDissipation, 1e-3));
    run.steps(390);
    assert!((run.velocity(0).x - 1.0).abs() < 1e-12, "not there yet: {}", run.velocity(0));
    run.steps(20);
    // Equal balls that meet without rebound.
    let v = [run.velocity(0).x, run.velocity(1).x];
    assert!(v.iter().all(|v| (v - 0.5).abs() < 1e-12), "{v:?}");
}

#[test]
fn frames_show_every_particle_and_contact_in_the_first_period() {
    let scene = catalogue::scene("periodic-chute", &["duration=0.2".into()]).expect("in the catalogue");
    let mut sim = build(&scene, Law::MaxDissipation, None).expect("builds").simulation().expect("valid");
    let mut crossed = false;
    for _ in 0..scene.steps() {
        sim.step();
        crossed |= sim.world().positions().iter().any(|x| x.x > 0.04);
    }
    assert!(crossed, "nothing has left the first period");
    let (particles, contacts) = (recorder::particles(&sim), recorder::contacts(&sim));
    assert!(particles.points.len() == 800 && contacts.points.len() > 500);
    for x in particles.points.iter().chain(&contacts.points) {
        assert!((0.0..0.04).contains(&x.x) && (0.0..0.02).contains(&x.y), "{x}");
    }
    // Positions themselves are not wrapped: the path of a particle has no jumps.
    let through: Simulation = sim;
    assert!(through.world().positions().iter().any(|x| x.x > 0.04));
    // The bottom is fixed; nothing has fallen through it.
    let lowest =
        through.world().positions().iter().map(|x| x.z).filter(|z| z.is_finite()).fold(f64::INFINITY, f64::min);
    assert!(lowest >= 0.0, "{lowest}");
}

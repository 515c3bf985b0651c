//! Rolling, sticking and sliding on planes: the answers of mechanics textbooks.

mod common;

use common::STUFF;
use common::Watched;
use common::ball;
use common::cuboid;
use common::down;
use common::exact;
use common::floor;
use common::wall;
use common::world;
use maxdiss::law::Law;
use maxdiss::math::Mat3;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Ball;
use maxdiss::shape::Shape;
use maxdiss::simulation::Settings;
use maxdiss::world::Body;
use maxdiss::world::World;

const G: f64 = 10.0;

/// The laws under which friction opposes the slip of a persistent contact.
const COULOMB_LIKE: [Law; 2] = [Law::Coulomb, Law::TwoStage];
/// The laws that keep a sliding body on the ground.
const GROUNDED: [Law; 3] = [Law::MaxDissipation, Law::Coulomb, Law::TwoStage];

/// Gravity seen from an incline of slope `angle` that falls along +x: the floor stays level.
fn tilted(angle: f64) -> Vec3 {
    Vec3::new(G * angle.sin(), 0.0, -G * angle.cos())
}

/// Acceleration along x over `count` steps after a first one.
fn acceleration(run: &mut Watched, count: usize) -> f64 {
    run.step();
    let before = run.velocity(0).x;
    run.steps(count);
    (run.velocity(0).x - before) / (count as f64 * run.sim.settings().dt)
}

#[test]
fn sphere_thrown_flat_ends_at_five_sevenths_where_and_when_it_should() {
    // The rolling condition is met within a step of the right time: δt/t = 5.6e-4, with v, x in proportion.
    let (v0, mu, dt) = (5.0, 0.2, 4e-4);
    let (time, distance) = (2.0 * v0 / (7.0 * mu * G), 12.0 * v0 * v0 / (49.0 * mu * G));
    for law in GROUNDED {
        for closed_form in [true, false] {
            let thrown = ball(1.0, Vec3::new(0.0, 0.0, 1.0)).moving(Vec3::new(v0, 0.0, 0.0), Vec3::zeros());
            let settings = Settings { closed_form, ..exact(law, dt) };
            let mut run = Watched::new(format!("{law}"), world(down(G), mu, vec![thrown, floor(0.0)]), settings);
            let record = loop {
                let record = run.step();
                if record.sticking == 1 {
                    break record;
                }
                assert!(record.time < 2.0 * time, "{law}: still sliding at {} s", record.time);
            };
            let x = run.position(0).x;
            assert!((record.time - time).abs() <= 2.0 * dt, "{law}: rolls at {} s, expected {time}", record.time);
            assert!((x - distance).abs() <= 2.0 * dt * v0, "{law}: rolls at {x} m, expected {distance}");
            run.steps(200);
            let v = run.velocity(0).x;
            assert!((v - 5.0 / 7.0 * v0).abs() < 1e-12, "{law}: v = {v}");
            assert!((run.position(0).z - 1.0).abs() < 1e-12, "{law}: z = {}", run.position(0).z);
        }
    }
}

#[test]
fn sphere_on_an_incline_rolls_at_five_sevenths_of_g_sin_theta_or_slides() {
    const TOLERANCE: f64 = 1e-9;
    let angle: f64 = 0.4;
    let limit = 2.0 / 7.0 * angle.tan();
    for law in GROUNDED {
        for (mu, expected) in [
            (1.05 * limit, 5.0 / 7.0 * G * angle.sin()),
            (0.95 * limit, G * (angle.sin() - 0.95 * limit * angle.cos())),
        ] {
            let start = ball(0.5, Vec3::new(0.0, 0.0, 0.5));
            let mut run =
                Watched::new(format!("{law}"), world(tilted(angle), mu, vec![start, floor(0.0)]), exact(law, 1e-3));
            let a = acceleration(&mut run, 500);
            assert!((a - expected).abs() < TOLERANCE * G, "{law}, μ = {mu}: a = {a}, expected {expected}");
            let rolls = (run.velocity(0).x - 0.5 * run.spin(0).y).abs() < 1e-10;
            assert_eq!(rolls, mu > limit, "{law}, μ = {mu}");
        }
    }
}

#[test]
fn block_on_an_incline_sticks_without_creep_or_slides_as_coulomb_says() {
    let angle: f64 = 0.4;
    for law in COULOMB_LIKE.into_iter().chain([Law::MaxDissipation, Law::Cone]) {
        let mu = 1.2 * angle.tan();
        let block = cuboid(1.0, 1.0, 1.0, Vec3::new(0.0, 0.0, 0.5));
        let mut run =
            Watched::new(format!("{law}"), world(tilted(angle), mu, vec![block, floor(0.0)]), exact(law, 1e-3));
        run.steps(1000);
        let creep = (run.position(0) - Vec3::new(0.0, 0.0, 0.5)).norm();
        // 1000 steps of round-off.
        assert!(creep < 1e-12, "{law}: creeps by {creep:e} m in 1 s");
    }
    for law in COULOMB_LIKE {
        let mu = 0.7 * angle.tan();
        let block = cuboid(1.0, 1.0, 1.0, Vec3::new(0.0, 0.0, 0.5));
        let mut run =
            Watched::new(format!("{law}"), world(tilted(angle), mu, vec![block, floor(0.0)]), exact(law, 1e-3));
        let a = acceleration(&mut run, 500);
        let expected = G * (angle.sin() - mu * angle.cos());
        assert!((a - expected).abs() < 1e-6, "{law}: a = {a}, expected {expected}");
        let gap = run.position(0).z - 0.5;
        assert!(gap.abs() < 1e-12, "{law}: gap {gap:e} m while sliding");
    }
}

#[test]
fn cube_sliding_along_a_face_normal_feels_the_friction_of_the_closed_form() {
    const TOLERANCE: f64 = 1e-6;
    for mu in [0.1_f64, 0.25, 0.5, 0.8, 1.0] {
        // e across the slip is 0.375 μ at each of the four corners.
        let reduced = mu * (1.0 - (0.375 * mu).powi(2)).sqrt();
        for (law, expected) in [(Law::MaxDissipation, reduced), (Law::Coulomb, mu), (Law::TwoStage, mu)] {
            // Short times: the loads of the four corners are not unique, so in time the cube turns (by 4e-4 rad/s a
            // step of 1 ms here) and slides along its face normal no more.
            for dt in [1e-4, 1e-5, 1e-6] {
                let thrown = cuboid(1.0, 1.0, 1.0, Vec3::new(0.0, 0.0, 0.5));
                let thrown = thrown.moving(Vec3::new(8.0, 0.0, 0.0), Vec3::zeros());
                let mut run =
                    Watched::new(format!("{law}"), world(down(G), mu, vec![thrown, floor(0.0)]), exact(law, dt));
                let got = -acceleration(&mut run, 10) / G;
                assert!((got - expected).abs() < TOLERANCE, "{law}, μ = {mu}, δt = {dt}: {got}, expected {expected}");
            }
        }
    }
}

#[test]
fn cube_thrown_flat_never_lifts_and_stops_where_it_should_but_cone_launches_it() {
    let (v, mu, dt) = (2.0, 0.5, 1e-3);
    let thrown = || cuboid(1.0, 1.0, 1.0, Vec3::new(0.0, 0.0, 0.5)).moving(Vec3::new(v, 0.0, 0.0), Vec3::zeros());
    for law in GROUNDED {
        let mut run = Watched::new(format!("{law}"), world(down(G), mu, vec![thrown(), floor(0.0)]), exact(law, dt));
        for _ in 0..600 {
            run.step();
            let lift = run.position(0).z - 0.5;
            assert!(lift.abs() < 1e-11, "{law}: lifts by {lift:e} m");
        }
        assert!(run.velocity(0).norm() < 1e-11, "{law}: still moves");
        let (x, expected) = (run.position(0).x, v * v / (2.0 * mu * G));
        if law != Law::MaxDissipation {
            // The velocity falls in steps: the area under it is off by up to half a step of the first velocity.
            assert!((x - expected).abs() < 0.51 * v * dt, "{law}: stops at {x}, expected {expected}");
        }
    }
    let mut run = Watched::new("cone", world(down(G), mu, vec![thrown(), floor(0.0)]), exact(Law::Cone, 1e-6));
    run.step();
    let (got, expected) = (run.velocity(0).z, mu * v / (1.0 + mu * mu));
    // Gravity adds g δt.
    assert!((got - expected).abs() < 1e-5, "cone launches at {got}, expected {expected}");
}

#[test]
fn a_block_that_accelerates_under_cone_rides_on_the_gap_of_its_slip() {
    // The relaxation holds the contact open by δt μ v_t.
    let (angle, mu, dt): (f64, f64, f64) = (0.5, 0.2, 1e-3);
    let block = ball(0.5, Vec3::new(0.0, 0.0, 0.5));
    // A ball that cannot roll: all its friction is sliding friction, as of a block, at a single contact.
    let heavy = maxdiss::shape::MassProperties { mass: 1.0, inertia: Vec3::repeat(1e9), frame: Quat::identity() };
    let bodies = vec![block.weighing(heavy), floor(0.0)];
    let mut run = Watched::new("cone", world(tilted(angle), mu, bodies), exact(Law::Cone, dt));
    run.steps(500);
    let expected = dt * mu * run.velocity(0).x;
    let gap = run.position(0).z - 0.5;
    // The gap follows the velocity with a lag of about a step.
    assert!((gap - expected).abs() < 0.01 * expected, "gap {gap:e}, expected {expected:e}");
}

#[test]
fn cube_pressed_against_a_wall_does_not_creep() {
    let (mu, mass) = (0.5, 1.0);
    for law in GROUNDED {
        let force = Vec3::new(-1.3 * mass * G / mu, 0.0, 0.0);
        let held = cuboid(1.0, 1.0, 1.0, Vec3::new(0.5, 0.0, 0.0)).loaded(force, Vec3::zeros());
        let mut run = Watched::new(format!("{law}"), world(down(G), mu, vec![held, wall(Vec3::x())]), exact(law, 1e-3));
        run.steps(500);
        let creep = (run.position(0) - Vec3::new(0.5, 0.0, 0.0)).norm();
        assert!(creep < 1e-11, "{law}: creeps by {creep:e} m in half a second");
    }
}

/// Delassus block of one contact of body 0 with a fixed wall, by hand.
fn delassus(world: &World, arm: &Vec3, frame: &Mat3) -> Mat3 {
    let r = arm.cross_matrix();
    let k = Mat3::identity() / world.masses()[0] - r * world.inverse_inertia(0) * r;
    frame.transpose() * k * frame
}

#[test]
fn friction_of_a_sliding_corner_is_deflected_by_the_eccentricity_across_the_slip() {
    const TOLERANCE: f64 = 1e-9;
    for (mu, yaw) in [(0.3_f64, 0.2), (0.6, 1.1), (0.9, 2.5)] {
        let turn = Quat::from_euler_angles(0.5, 0.7, yaw);
        let corner = (0..8)
            .map(|k| {
                let sign = |bit: i32| if k >> bit & 1 == 1 { 0.5 } else { -0.5 };
                turn * Vec3::new(sign(0), 2.0 * sign(1), 0.7 * sign(2))
            })
            .min_by(|p, q| p.z.total_cmp(&q.z))
            .expect("eight corners");
        let block = cuboid(1.0, 2.0, 0.7, Vec3::new(0.0, 0.0, -corner.z)).turned(turn);
        let block = block.moving(Vec3::new(4.0, 1.0, 0.0), Vec3::zeros());
        let settings = exact(Law::MaxDissipation, 1e-4);
        let mut run = Watched::new("corner", world(down(G), mu, vec![block, floor(0.0)]), settings);
        let frame = maxdiss::math::frame::rotation(&Vec3::z());
        let a = delassus(run.sim.world(), &corner, &frame);
        let e = frame * Vec3::new(0.0, a.m12, a.m13) * (mu / a.m11);
        run.step();
        assert_eq!(run.sim.contacts().len(), 1);
        let impulse = run.sim.impulses_w()[0];
        let friction = Vec3::new(impulse.x, impulse.y, 0.0);
        let slip = run.velocity(0) + run.spin(0).cross(&corner);
        let slip = Vec3::new(slip.x, slip.y, 0.0).normalize();
        let across = (e - slip * e.dot(&slip)).norm();
        let effective = -friction.dot(&slip) / impulse.z;
        let expected = mu * (1.0 - across * across).sqrt();
        assert!(across > 0.02, "no eccentricity across the slip: {across}");
        assert!((effective - expected).abs() < TOLERANCE, "μ = {mu}: effective {effective}, expected {expected}");
        let deflection = friction.normalize().cross(&slip).norm().asin();
        assert!((deflection - across.asin()).abs() < TOLERANCE, "μ = {mu}: deflection {deflection}");
    }
}

#[test]
fn a_block_on_three_feet_stops_under_coulomb_where_it_should_and_without_turning() {
    // Three feet share the load in one way only, so nothing depends on the order of the contacts.
    let (v, mu, dt, height) = (2.0, 0.4, 1e-3, 0.3);
    let radius = 0.05;
    // The same three above, so that the centre of mass of the shape is its origin.
    let balls = [0.0_f64, 2.0, 4.0].into_iter().flat_map(|k| {
        let angle = k * std::f64::consts::FRAC_PI_3 + 0.4;
        [radius - height, height - radius].map(|z| Ball { center: Vec3::new(angle.cos(), angle.sin(), z), radius })
    });
    let (shape, _) = Shape::clump(balls.collect());
    let block = Shape::cuboid(1.5, 1.5, 0.4).mass_properties(1.0).expect("a solid");
    for law in COULOMB_LIKE {
        let body = Body::new(shape.clone(), STUFF).at(Vec3::new(0.0, 0.0, height)).weighing(block);
        let body = body.moving(Vec3::new(v, 0.0, 0.0), Vec3::zeros());
        let mut run = Watched::new(format!("{law}"), world(down(G), mu, vec![body, floor(0.0)]), exact(law, dt));
        for _ in 0..700 {
            let record = run.step();
            assert_eq!(record.contacts, 3, "{law}");
        }
        let (x, expected) = (run.position(0), v * v / (2.0 * mu * G));
        assert!(run.velocity(0).norm() < 1e-11, "{law}: still moves");
        assert!((x.x - expected).abs() < 0.51 * v * dt, "{law}: stops at {} m, expected {expected}", x.x);
        let turned = run.sim.world().orientations()[0].angle();
        assert!(turned < 1e-10 && x.y.abs() < 1e-10, "{law}: turns by {turned:e}, drifts by {:e}", x.y);
    }
}

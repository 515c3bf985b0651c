//! Trajectories with known answers in time, and the order at which the step approaches them.

mod common;

use common::STUFF;
use common::Watched;
use common::ball;
use common::cuboid;
use common::down;
use common::exact;
use common::floor;
use common::world;
use maxdiss::integrator::Gyroscopic;
use maxdiss::law::Law;
use maxdiss::material::Material;
use maxdiss::material::MaterialId;
use maxdiss::material::Materials;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::MassProperties;
use maxdiss::shape::Shape;
use maxdiss::simulation::Settings;
use maxdiss::world::Body;
use maxdiss::world::Drive;
use maxdiss::world::World;

const GROUNDED: [Law; 3] = [Law::MaxDissipation, Law::Coulomb, Law::TwoStage];

/// A ball that rolls on a table which turns at Ω; its velocity after `time`, and by how much the exact solution is
/// missed. Exact: the velocity turns at 2/7 Ω, so the ball goes round a circle.
fn turntable(law: Law, dt: f64, time: f64) -> (f64, f64) {
    let (radius, turning) = (0.1, 3.0);
    let rate = 2.0 / 7.0 * turning;
    let (at, v) = (Vec3::new(1.0, 0.0, radius), Vec3::new(0.0, 1.0, 0.0));
    // Rolling: v + ω × (−r z) = Ω × x at the contact.
    let table = Vec3::new(0.0, 0.0, turning).cross(&at);
    let spin = Vec3::z().cross(&(v - table)) / radius;
    let drive = Drive { angular: Vec3::new(0.0, 0.0, turning), ..Drive::default() };
    let bodies = vec![ball(radius, at).moving(v, spin), Body::new(Shape::HalfSpace, STUFF).driven(drive)];
    let mut run = Watched::new(format!("{law}"), world(down(10.0), 2.0, bodies), exact(law, dt));
    let steps = (time / dt).round() as usize;
    run.steps(steps);
    let got = run.velocity(0);
    let turned = got.y.atan2(got.x) - v.y.atan2(v.x);
    let angle = rate * time;
    let exact_v = Vec3::new(v.x * angle.cos() - v.y * angle.sin(), v.x * angle.sin() + v.y * angle.cos(), 0.0);
    (turned / time / turning, (got - exact_v).norm())
}

#[test]
fn ball_on_a_turntable_goes_round_at_two_sevenths() {
    for law in GROUNDED {
        let (rate, _) = turntable(law, 1e-3, 1.0);
        // First order: half a step of the rate, squared.
        assert!((rate - 2.0 / 7.0).abs() < 1e-3, "{law}: {rate} Ω, expected 2/7 Ω");
    }
}

#[test]
fn a_smooth_rolling_trajectory_converges_at_first_order() {
    for law in GROUNDED {
        let errors: Vec<_> = [4e-3, 2e-3, 1e-3].map(|dt| turntable(law, dt, 1.0).1).into();
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 1.0).abs() < 0.1, "{law}: order {order}, errors {errors:?}");
        }
    }
}

/// Relative drift of energy, of ‖L‖ and of L of an asymmetric top over `time`.
fn top(rule: Gyroscopic, dt: f64, time: f64) -> (f64, f64, f64) {
    let mass =
        MassProperties { mass: 2.0, inertia: Vec3::new(1.0, 2.0, 2.9), frame: Quat::from_euler_angles(0.3, 0.1, -0.5) };
    let start = cuboid(1.0, 1.0, 1.0, Vec3::zeros()).weighing(mass).turned(Quat::from_euler_angles(1.0, -0.2, 0.4));
    let start = start.moving(Vec3::zeros(), Vec3::new(0.3, 2.0, -0.4));
    let settings = Settings { gyroscopic: rule, ..Settings::new(Law::MaxDissipation, dt) };
    let mut run = Watched::new(format!("{rule:?}"), world(Vec3::zeros(), 0.0, vec![start]), settings);
    let momentum = |run: &Watched| run.sim.world().angular_momentum(0, &run.spin(0));
    let (t0, l0) = (run.sim.memory().ledger.kinetic, momentum(&run));
    run.steps((time / dt).round() as usize);
    let (t, l) = (run.sim.memory().ledger.kinetic, momentum(&run));
    ((t / t0 - 1.0).abs(), (l.norm() / l0.norm() - 1.0).abs(), (l - l0).norm() / l0.norm())
}

#[test]
fn a_torque_free_asymmetric_top_keeps_energy_and_momentum_to_the_order_of_its_rule() {
    let ratio = |f: &dyn Fn(f64) -> f64| f(2e-3) / f(1e-3);
    for rule in [Gyroscopic::Explicit, Gyroscopic::Implicit] {
        let direction = ratio(&|dt| top(rule, dt, 2.0).2);
        assert!((direction - 2.0).abs() < 0.2, "{rule:?}: L turns by a factor {direction} more at twice the step");
    }
    let energy = ratio(&|dt| top(Gyroscopic::Explicit, dt, 2.0).0);
    assert!((energy - 2.0).abs() < 0.2, "explicit: energy drifts by a factor {energy} more at twice the step");
    for dt in [1e-2, 0.5, 2.0] {
        let (t, l, _) = top(Gyroscopic::Implicit, dt, 1000.0 * dt);
        // 1000 steps of up to 10 substeps of round-off.
        assert!(t < 1e-11 && l < 1e-11, "implicit, δt = {dt}: energy off by {t:e}, ‖L‖ by {l:e}");
    }
}

#[test]
fn a_top_of_two_equal_moments_precesses_as_the_exact_solution_says() {
    // Exact in the inertial frame: the symmetry axis turns about L at ‖L‖/I1.
    let (i1, i3) = (2.0, 3.0);
    let mass = MassProperties { mass: 1.0, inertia: Vec3::new(i1, i1, i3), frame: Quat::identity() };
    let w = Vec3::new(0.7, 0.0, 1.3);
    let l = Vec3::new(i1 * w.x, 0.0, i3 * w.z);
    let time = 3.0;
    let expected = Quat::from_scaled_axis(l / i1 * time) * Vec3::z();
    for rule in [Gyroscopic::Explicit, Gyroscopic::Implicit] {
        let error = |dt: f64| {
            let start = cuboid(1.0, 1.0, 1.0, Vec3::zeros()).weighing(mass).moving(Vec3::zeros(), w);
            let settings = Settings { gyroscopic: rule, ..Settings::new(Law::MaxDissipation, dt) };
            let mut run = Watched::new("top", world(Vec3::zeros(), 0.0, vec![start]), settings);
            run.steps((time / dt).round() as usize);
            (run.sim.world().orientations()[0] * Vec3::z() - expected).norm()
        };
        let (coarse, fine) = (error(2e-3), error(1e-3));
        assert!(fine < 5e-3, "{rule:?}: axis off by {fine}");
        let order = (coarse / fine).log2();
        assert!((order - 1.0).abs() < 0.1, "{rule:?}: order {order}");
    }
}

#[test]
fn a_driven_wall_pushes_at_its_speed_whatever_the_load() {
    // The ram is smooth: with friction it could press the block down by any part of what μ allows.
    let (stone, ice) = (STUFF, MaterialId(1));
    let list = vec![Material { density: 1.0, friction: 0.3 }, Material { density: 1.0, friction: 0.0 }];
    let drive = Drive { linear: Vec3::new(0.5, 0.0, 0.0), ..Drive::default() };
    for law in GROUNDED {
        let ram = Body::new(Shape::cuboid(1.0, 4.0, 4.0), ice).at(Vec3::new(-1.0, 0.0, 0.0)).driven(drive.clone());
        let block = Body::new(Shape::cuboid(1.0, 1.0, 1.0), stone).at(Vec3::new(0.0, 0.0, 0.5));
        let materials = Materials::new(list.clone(), Vec::new()).expect("valid");
        let scene = World::new(down(10.0), materials, vec![block, floor(0.0), ram]).expect("valid");
        let mut run = Watched::new(format!("{law}"), scene, exact(law, 1e-3));
        let record = run.steps(1000);
        assert!((run.position(2).x + 0.5).abs() < 1e-12, "{law}: ram at {}", run.position(2).x);
        assert!((run.velocity(0).x - 0.5).abs() < 1e-9, "{law}: block at {} m/s", run.velocity(0).x);
        // The drive does the work of friction, μ m g v t, and the first push, m v²; under maximum dissipation μ is
        // that of a sliding cube.
        let mu = if law == Law::MaxDissipation { 0.3 * (1.0 - (0.375_f64 * 0.3).powi(2)).sqrt() } else { 0.3 };
        let expected = mu * 10.0 * 0.5 + 0.25;
        assert!((record.total.drives - expected).abs() < 3e-3, "{law}: drive did {} J", record.total.drives);
    }
}

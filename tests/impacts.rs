//! Single impacts and the forces of bodies at rest.

mod common;

use common::LAWS;
use common::Watched;
use common::ball;
use common::cuboid;
use common::down;
use common::exact;
use common::floor;
use common::wall;
use common::world;
use maxdiss::integrator::free_velocity;
use maxdiss::law::Law;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::simulation::Settings;
use maxdiss::solver::Status;
use maxdiss::world::Body;
use maxdiss::world::Velocity;

const G: f64 = 10.0;

#[test]
fn a_chain_of_touching_spheres_hit_at_one_end_leaves_as_one() {
    // Gauss–Seidel passes the impulse on slowly; the tolerance of the solve is 1e-13.
    const TOLERANCE: f64 = 1e-10;
    for law in LAWS {
        for n in [2_usize, 5, 10] {
            let mut bodies: Vec<_> = (0..n).map(|i| ball(0.5, Vec3::new(i as f64, 0.0, 0.0))).collect();
            bodies[0] = bodies[0].clone().moving(Vec3::new(3.0, 0.0, 0.0), Vec3::zeros());
            let mut run = Watched::new(format!("{law}"), world(Vec3::zeros(), 0.3, bodies), exact(law, 1e-3));
            run.step();
            for i in 0..n {
                let (v, expected) = (run.velocity(i).x, 3.0 / n as f64);
                assert!(
                    (v - expected).abs() < TOLERANCE,
                    "{law}, n = {n}: ball {i} leaves at {v}, expected {expected}"
                );
            }
        }
    }
}

#[test]
fn a_rocking_block_keeps_the_share_of_housner() {
    // ω⁺/ω⁻ = 1 − 1.5 sin²α when the block lands on its other edge, from angular momentum about it.
    for law in [Law::MaxDissipation, Law::Coulomb, Law::TwoStage] {
        for (width, height) in [(1.0_f64, 4.0_f64), (1.0, 2.5), (0.5, 4.0)] {
            let w = 0.4;
            // Turning about the left edge, towards +x, at the instant at which it stands flat.
            let angular = Vec3::new(0.0, w, 0.0);
            let linear = angular.cross(&Vec3::new(0.5 * width, 0.0, 0.5 * height));
            let block = cuboid(width, 1.0, height, Vec3::new(0.0, 0.0, 0.5 * height)).moving(linear, angular);
            let name = format!("{law}, {width} × {height}");
            let mut run = Watched::new(&name, world(Vec3::zeros(), 2.0, vec![block, floor(0.0)]), exact(law, 1e-6));
            run.step();
            let sin = width / width.hypot(height);
            let (got, expected) = (run.spin(0).y / w, 1.0 - 1.5 * sin * sin);
            assert!((got - expected).abs() < 1e-9, "{name}: ω⁺/ω⁻ = {got}, expected {expected}");
        }
    }
}

#[test]
fn the_painleve_rod_gets_a_finite_impulse_and_gains_no_energy() {
    // A rod that slides on its lower end beyond μ = 4/3, at an angle at which no bounded force exists.
    for law in LAWS {
        for mu in [1.4, 2.0, 5.0] {
            for angle in [0.6_f64, 1.0, 1.3] {
                // A beam with an edge downwards; `angle` is that of its axis to the floor, leaning against the slip.
                let turn = Quat::from_axis_angle(&Vec3::y_axis(), angle);
                let half = Vec3::new(1.0, 0.05, 0.01);
                let lowest = turn * Vec3::new(half.x, half.y, -half.z);
                let rod = cuboid(2.0 * half.x, 2.0 * half.y, 2.0 * half.z, Vec3::new(0.0, 0.0, -lowest.z)).turned(turn);
                let rod = rod.moving(Vec3::new(3.0, 0.0, 0.0), Vec3::zeros());
                let name = format!("{law}, μ = {mu}, angle {angle}");
                // Tight: what a solve leaves can be energy.
                let settings = Settings { max_sweeps: 500, ..exact(law, 1e-4) };
                let mut run = Watched::new(&name, world(down(G), mu, vec![rod, floor(0.0)]), settings);
                let slack = run.sim.world().masses()[0] * (G * 1e-4).powi(2);
                let mut energy = run.sim.memory().ledger.kinetic + run.sim.memory().ledger.potential;
                for _ in 0..200 {
                    let record = run.step();
                    let now = record.kinetic + record.potential - record.total.integration - record.total.correction;
                    assert!(now.is_finite(), "{name}: energy {now}");
                    // Work is taken at the mean of v⁻ and v⁺: gravity's g δt of one step may show, and no more.
                    assert!(now <= energy + slack, "{name}: energy rises from {energy} to {now}");
                    energy = now;
                }
            }
        }
    }
}

#[test]
fn the_force_below_each_body_of_a_stack_is_the_weight_above() {
    const TOLERANCE: f64 = 1e-8;
    type Make = fn(usize) -> Body;
    let balls: Make = |k| ball(0.5, Vec3::new(0.0, 0.0, 0.5 + k as f64));
    let boxes: Make = |k| cuboid(1.0, 1.0, 1.0, Vec3::new(0.0, 0.0, 0.5 + k as f64));
    for (name, make) in [("balls", balls), ("boxes", boxes)] {
        for law in LAWS {
            let n = 5;
            let mut bodies: Vec<_> = (0..n).map(make).collect();
            bodies.push(floor(0.0));
            let mut run = Watched::new(format!("{law}, {name}"), world(down(G), 0.5, bodies), exact(law, 1e-3));
            run.steps(20);
            let m = run.sim.world().masses()[0];
            for k in 0..n {
                // The sum over this body and all above of the force from below.
                let lifted: f64 = run
                    .sim
                    .contacts()
                    .iter()
                    .zip(run.sim.impulses_w())
                    .map(|(contact, impulse)| {
                        let (low, high) = (contact.a.min(contact.b) as usize, contact.a.max(contact.b) as usize);
                        // The floor is the last body; otherwise the lower index is the lower body.
                        let lower = if high == n { usize::MAX } else { low };
                        let upper = if high == n { low } else { high };
                        let sign = if contact.a as usize == upper { 1.0 } else { -1.0 };
                        if upper == k && (lower == usize::MAX || lower + 1 == k) { sign * impulse.z } else { 0.0 }
                    })
                    .sum();
                let (force, expected) = (lifted / 1e-3, (n - k) as f64 * m * G);
                let off = (force - expected).abs() / (n as f64 * m * G);
                assert!(off < TOLERANCE, "{law}, {name}: force below body {k} is {force} N, expected {expected}");
            }
        }
    }
}

#[test]
fn a_heavy_body_on_a_light_one_does_not_sink_in_silence() {
    // Mass ratio 10 in one contact: plain sweeps take more than the default of 200, accelerated ones do not.
    for law in LAWS {
        let light = cuboid(1.0, 1.0, 1.0, Vec3::new(0.0, 0.0, 0.5));
        let heavy = maxdiss::shape::Shape::cuboid(1.0, 1.0, 1.0).mass_properties(10.0).expect("a solid");
        let heavy = cuboid(1.0, 1.0, 1.0, Vec3::new(0.0, 0.0, 1.5)).weighing(heavy);
        let settings = Settings { tolerance: 1e-6, ..Settings::new(law, 1e-3) };
        let mut run = Watched::new(format!("{law}"), world(down(G), 0.5, vec![light, heavy, floor(0.0)]), settings);
        for _ in 0..300 {
            let record = run.step();
            assert_eq!(record.solve.report.status, Status::Converged, "{law}: {:?}", record.solve.report);
            assert!(record.overlap < 1e-6, "{law}: overlap {} m", record.overlap);
        }
        let force = run.sim.contact_force(2).z;
        assert!((force + 11.0 * G).abs() < 1e-3 * 11.0 * G, "{law}: force on the floor {force} N");
    }
}

#[test]
fn turning_a_whole_scene_turns_its_trajectory() {
    // Tangent axes are chosen by the normal, so nothing but round-off may depend on the turn. A tumbling box amplifies
    // it; over these steps by less than 10⁴.
    const TOLERANCE: f64 = 1e-10;
    let turn = Quat::from_euler_angles(0.7, -0.4, 1.9);
    for law in LAWS {
        let build = |q: &Quat| {
            let box_ =
                cuboid(1.0, 0.8, 0.6, q * Vec3::new(0.0, 0.0, 0.55)).turned(q * Quat::from_euler_angles(0.2, 0.1, 0.0));
            let box_ = box_.moving(q * Vec3::new(1.5, 0.3, -0.5), q * Vec3::new(0.2, 0.5, -1.0));
            let ball_ = ball(0.3, q * Vec3::new(0.9, 0.2, 0.31)).moving(q * Vec3::new(-1.0, 0.0, 0.0), Vec3::zeros());
            world(q * down(G), 0.4, vec![box_, ball_, wall(q * Vec3::z())])
        };
        let settings = Settings { tolerance: 1e-13, max_sweeps: 3000, ..Settings::new(law, 1e-3) };
        let mut plain = Watched::new(format!("{law}"), build(&Quat::identity()), settings.clone());
        let mut turned = Watched::new(format!("{law}, turned"), build(&turn), settings);
        let mut most = 0;
        for _ in 0..150 {
            most = most.max(plain.step().contacts);
            turned.step();
        }
        assert!(most >= 2, "{law}: only {most} contacts");
        for i in 0..2 {
            let off = (turn * plain.position(i) - turned.position(i)).norm();
            assert!(off < TOLERANCE, "{law}: body {i} off by {off:e} m");
        }
    }
}

#[test]
fn the_forces_on_the_walls_carry_the_weight() {
    let n = 4;
    let mut bodies = Vec::new();
    for k in 0..n * n * n {
        let (i, j, l) = (k % n, k / n % n, k / n / n);
        let jitter = 0.02 * Vec3::new((k as f64).sin(), (2.3 * k as f64).sin(), (4.1 * k as f64).cos());
        bodies.push(ball(0.5, Vec3::new(i as f64, j as f64, l as f64 + 0.55) * 1.05 + jitter));
    }
    let free = bodies.len();
    bodies.push(floor(0.0));
    for (normal, at) in [(Vec3::x(), -0.6), (-Vec3::x(), -3.8), (Vec3::y(), -0.6), (-Vec3::y(), -3.8)] {
        bodies.push(wall(normal).at(normal * at));
    }
    let walls = free..bodies.len();
    for law in [Law::MaxDissipation, Law::TwoStage] {
        let settings = Settings::new(law, 2e-3);
        let mut run = Watched::new(format!("{law}"), world(down(G), 0.5, bodies.clone()), settings);
        let weight: f64 = run.sim.world().masses().iter().sum::<f64>() * G;
        let momentum =
            |run: &Watched| (0..free).fold(Vec3::zeros(), |sum, i| sum + run.velocity(i) * run.sim.world().masses()[i]);
        let (count, last) = (3000, 500);
        let mut carried = 0.0;
        for step in 0..count {
            let before = momentum(&run);
            run.step();
            let held: Vec3 = walls.clone().fold(Vec3::zeros(), |sum, wall| sum - run.sim.contact_force(wall));
            let expected = (momentum(&run) - before) / 2e-3 + Vec3::new(0.0, 0.0, weight);
            // Always, moving or not: what the walls give is the change of momentum and the weight.
            assert!((held - expected).norm() < 1e-9 * weight, "{law}, step {step}: {held} for {expected}");
            if step >= count - last {
                carried += held.z / f64::from(last);
            }
        }
        // At rest, in the mean: what a solve leaves at its tolerance comes and goes.
        assert!((carried - weight).abs() < 1e-3 * weight, "{law}: the walls carry {carried} N of {weight} N");
    }
}

#[test]
fn a_converged_step_dissipates_at_least_the_energy_of_its_velocity_change() {
    // T(v_f) − T(v⁺) ≥ ½ΛᵀAΛ = T(v⁺ − v_f) with the correction off, for contacts that are closed.
    let mut bodies: Vec<_> = (0..4)
        .map(|k| {
            let k = f64::from(k);
            let turn = Quat::from_axis_angle(&Vec3::z_axis(), 0.3 * k);
            let spin = Vec3::new(1.0 - k, 0.5 * k, 0.3);
            cuboid(1.0, 0.9, 0.5, Vec3::new(0.1 * k, 0.0, 0.25 + 0.5 * k))
                .turned(turn)
                .moving(Vec3::new(k, 1.0, -k), spin)
        })
        .collect();
    bodies.push(floor(0.0));
    let start = world(down(G), 0.6, bodies);
    let settings =
        Settings { erp: 0.0, tolerance: 1e-12, max_sweeps: 20_000, ..Settings::new(Law::MaxDissipation, 1e-3) };
    let mut free = vec![Velocity::default(); start.len()];
    free_velocity(&start, settings.dt, settings.gyroscopic, &mut free);
    let mut run = Watched::new("boxes", start.clone(), settings);
    let record = run.step();
    assert_eq!(record.solve.report.status, Status::Converged);
    let after = run.sim.world().velocities();
    let energy = |v: &dyn Fn(usize) -> Velocity| (0..start.len()).map(|i| start.kinetic_energy(i, &v(i))).sum::<f64>();
    let lost = energy(&|i| free[i]) - energy(&|i| after[i]);
    let change =
        energy(&|i| Velocity { linear: after[i].linear - free[i].linear, angular: after[i].angular - free[i].angular });
    assert!(change > 0.1, "no impact: {change} J");
    assert!(lost >= change * (1.0 - 1e-9), "lost {lost} J, at least {change} expected");
}

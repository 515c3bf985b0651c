//! `two-stage`: impacts by maximum dissipation, the rest of the step by Coulomb.

mod common;

use common::Watched;
use common::ball;
use common::cuboid;
use common::down;
use common::exact;
use common::floor;
use common::world;
use maxdiss::collision::Contact;
use maxdiss::law::Law;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::simulation::Settings;
use maxdiss::solver::ContactSolver;
use maxdiss::solver::Criteria;
use maxdiss::solver::Stage;
use maxdiss::world::World;

/// The impulse of stage `stage` for a list of contacts, with the velocities of the world; returns it with the world
/// after it.
fn impulses(world: &World, contacts: &[Contact], dt: f64, stage: Stage) -> (Vec<Vec3>, World) {
    let mut solver = ContactSolver::new();
    solver.prepare(world, contacts, true);
    let corrections: Vec<f64> = contacts.iter().map(|contact| contact.gap / dt).collect();
    solver.load(world, world.velocities(), &corrections, None);
    let outcome = solver.solve(stage, &Criteria { tolerance: 0.0, max_sweeps: 50, floor: 0.0, accelerated: true });
    assert!(outcome.report.residual < 1e-12, "{:?}", outcome.report);
    let mut after = world.velocities().to_vec();
    solver.store_velocities(&mut after);
    let (mut impulses, mut states) = (Vec::new(), Vec::new());
    solver.store_impulses(&mut impulses, &mut states);
    let mut world = world.clone();
    world.set_velocities(&after);
    (impulses, world)
}

#[test]
fn an_impact_split_over_two_steps_by_a_gap_gives_the_impulse_of_one_at_contact() {
    const TOLERANCE: f64 = 1e-12;
    let dt = 1e-3;
    let mut one_stage_misses = 0;
    for (case, (mu, yaw)) in [(0.3, 0.2), (0.8, 1.0), (1.5, 2.0), (0.5, 4.0)].into_iter().enumerate() {
        let turn = Quat::from_euler_angles(0.5, 0.7, yaw);
        let slab = cuboid(1.0, 2.0, 0.3, Vec3::zeros()).turned(turn);
        let slab = slab.moving(Vec3::new(1.0, 0.3, -2.0), Vec3::new(0.4, -1.0, 0.3));
        let start = world(Vec3::zeros(), mu, vec![slab, floor(-5.0)]);
        let corner = turn * Vec3::new(0.5, -1.0, -0.15);
        let touching = Contact { a: 0, b: 1, feature: 0, point_w: corner, normal_w: Vec3::z(), gap: 0.0 };
        let closing = -start.velocities()[0].at(&corner).z;
        assert!(closing > 0.5, "case {case}: closes at {closing}");
        // Geometry held, so that the only question is whether the shares of the law add up.
        let open = Contact { gap: 0.4 * closing * dt, ..touching };
        for stage in [Stage::Impacts, Stage::MaxDissipation] {
            let (whole, _) = impulses(&start, &[touching], dt, stage);
            let (first, between) = impulses(&start, &[open], dt, stage);
            let (second, _) = impulses(&between, &[touching], dt, stage);
            let off = (first[0] + second[0] - whole[0]).norm() / whole[0].norm();
            if stage == Stage::Impacts {
                assert!(off < TOLERANCE, "case {case}: two shares are off the whole by {off:e}");
            } else {
                one_stage_misses += usize::from(off > 1e-4);
            }
        }
    }
    assert!(one_stage_misses >= 2, "one-stage stepping misses the whole in {one_stage_misses} of 4 cases only");
}

#[test]
fn the_impact_stage_is_skipped_where_nothing_hits() {
    // A cube that slides, a ball that rolls: in contact from the first step, closing at g δt only.
    for (name, body) in
        [("cube", cuboid(1.0, 1.0, 1.0, Vec3::new(0.0, 0.0, 0.5))), ("ball", ball(0.5, Vec3::new(0.0, 0.0, 0.5)))]
    {
        let moving = body.moving(Vec3::new(3.0, 0.0, 0.0), Vec3::zeros());
        let mut run = Watched::new(name, world(down(10.0), 0.3, vec![moving, floor(0.0)]), exact(Law::TwoStage, 1e-3));
        for _ in 0..200 {
            let record = run.step();
            assert!(record.impacts.is_none(), "{name}: an impact at step {}", record.step);
            assert!(record.contacts > 0, "{name}");
        }
    }
    // And taken where something does: a ball dropped from 0.1 m hits once.
    let dropped = ball(0.5, Vec3::new(0.0, 0.0, 0.6));
    let settings = Settings { tolerance: 1e-10, ..Settings::new(Law::TwoStage, 1e-3) };
    let mut run = Watched::new("dropped", world(down(10.0), 0.3, vec![dropped, floor(0.0)]), settings);
    let hits: Vec<_> = (0..400).filter_map(|_| Some(run.step()).filter(|r| r.impacts.is_some())).collect();
    assert!(
        (1..=2).contains(&hits.len()),
        "{} steps with an impact, one or (split by the gap) two expected",
        hits.len()
    );
    let lost: f64 = hits.iter().map(|record| -record.impact_work.normal).sum();
    let mass = run.sim.world().masses()[0];
    // All of m g h, but for the last step's g δt.
    assert!((lost - mass * 10.0 * 0.1).abs() < 0.03 * mass, "the impact took {lost} J of {} J", mass);
}

#[test]
fn persistent_contacts_on_a_curved_path_are_no_impacts() {
    // A small ball that rolls over a large fixed one: v⁻ closes at v²δt/R in every step, far below v_imp ∝ √δt.
    let angle: f64 = -0.5;
    let (big, small) = (5.0, 0.25);
    let from = Vec3::new(angle.sin(), 0.0, angle.cos()) * (big + small);
    let along = Vec3::new(angle.cos(), 0.0, -angle.sin()) * 4.0;
    let bodies = vec![ball(small, from).moving(along, Vec3::zeros()), ball(big, Vec3::zeros()).fixed()];
    let mut run = Watched::new("hill", world(down(10.0), 0.3, bodies), exact(Law::TwoStage, 1e-4));
    for _ in 0..500 {
        let record = run.step();
        assert!(record.impacts.is_none(), "an impact at step {}", record.step);
    }
}

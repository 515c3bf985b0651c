//! Bodies that leave and come: nothing is lost, nothing is left behind, the same bits after a resume.

mod common;

use common::LEDGER_TOLERANCE;
use common::STUFF;
use common::ball;
use common::cuboid;
use common::down;
use common::floor;
use common::wall;
use common::world;
use maxdiss::law::Law;
use maxdiss::material::Materials;
use maxdiss::math::Vec3;
use maxdiss::scene::Region;
use maxdiss::scene::Size;
use maxdiss::shape::Shape;
use maxdiss::simulation::Events;
use maxdiss::simulation::Inlet;
use maxdiss::simulation::Opening;
use maxdiss::simulation::Outlet;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::world::Body;
use maxdiss::world::World;

fn keep(low: f64, high: f64) -> Outlet {
    let region = Region::Box { min: Vec3::repeat(low), max: Vec3::repeat(high) };
    Outlet { name: "edge".into(), region, inside: false }
}

/// An inlet of balls of radius 0.1 in a box of 1 m above z = 2.
fn tap(rate: f64) -> Inlet {
    Inlet {
        name: "tap".into(),
        shape: Shape::sphere(0.1),
        size: Size::Uniform { min: 0.8, max: 1.2 },
        material: STUFF,
        region: Region::Box { min: Vec3::new(0.0, 0.0, 2.0), max: Vec3::new(1.0, 1.0, 2.5) },
        rate,
        first: 0,
        end: u64::MAX,
        most: u64::MAX,
        spacing: 0.0,
        seed: 3,
        random_orientation: true,
        velocity: Vec3::new(0.0, 0.0, -1.0),
        velocity_spread: 0.1,
    }
}

fn settings(law: Law) -> Settings {
    Settings { max_sweeps: 50, ..Settings::new(law, 2e-3) }
}

/// A pile of balls and boxes on a floor, with `visitors` put before, between and behind them.
fn pile(visitors: &[Body]) -> World {
    let mut bodies: Vec<Body> = visitors.iter().take(1).cloned().collect();
    for k in 0..40 {
        let x = f64::from(k);
        let at = Vec3::new((2.1 * x).sin(), (3.3 * x).cos(), 0.4 + 0.1 * x) * 0.5;
        bodies.push(if k % 3 == 0 { cuboid(0.2, 0.3, 0.15, at) } else { ball(0.12, at) });
        if k == 20 {
            bodies.extend(visitors.iter().skip(1).take(1).cloned());
        }
    }
    bodies.extend(visitors.iter().skip(2).cloned());
    bodies.push(floor(0.0));
    world(down(9.81), 0.5, bodies)
}

/// What the next steps depend on, without the ids and the ledger, which know of those who were there.
fn state(sim: &Simulation) -> String {
    let (world, memory) = (sim.world(), sim.memory());
    let impulses: Vec<_> = memory.impulses.iter().map(|old| (old.a, old.b, old.feature, old.impulse_w)).collect();
    format!("{:?} {:?} {:?} {impulses:?}", world.positions(), world.orientations(), world.velocities())
}

#[test]
fn when_visitors_are_gone_nothing_tells_that_they_were_there() {
    // Far away and falling: a contact of theirs would take part in the residual of all. Not lighter than the pile's balls,
    // whose mass is a scale of the impact stage.
    let far = |x: f64| ball(0.12, Vec3::new(x, 0.0, 5.0));
    let visitors = [far(50.0), far(51.0), far(60.0), far(61.0)];
    for law in [Law::MaxDissipation, Law::TwoStage, Law::Penalty] {
        let mut alone = Simulation::new(pile(&[]), settings(law)).expect("valid");
        let mut visited = Simulation::new(pile(&visitors), settings(law)).expect("valid");
        if law == Law::Penalty {
            // The law is derived from what is there at the start; here it has to be the same one.
            let (world, mut memory) = visited.into_state();
            memory.compliant.clone_from(&alone.memory().compliant);
            visited = Simulation::resume(world, memory, settings(law)).expect("valid");
        }
        let openings = [0, 22, 42, 43].map(|body| Opening { body, step: 60 }).to_vec();
        let mut visited = visited.with_events(Events { openings, ..Events::default() });
        for step in 0..120 {
            let (one, other) = (alone.step(), visited.step());
            if step >= 60 {
                assert_eq!(one.contacts, other.contacts, "{law}, step {step}");
                assert_eq!(alone.world().len(), visited.world().len());
                assert!(state(&alone) == state(&visited), "{law}: other bits at step {step}");
            }
            if step == 59 {
                let ids: Vec<u32> = visited.world().ids().to_vec();
                assert_eq!(ids.len(), 45);
                let same = (0..45).filter(|i| ![0, 22, 42, 43].contains(i));
                let there: Vec<_> = same.map(|i| visited.world().positions()[i]).collect();
                let own = alone.world().positions();
                assert!(there == own, "{law}: the visitors were felt");
            }
        }
        let ledger = visited.memory().ledger;
        assert!(ledger.error() <= LEDGER_TOLERANCE, "{law}: ledger off by {:e}", ledger.error());
    }
}

#[test]
fn what_was_there_and_came_is_there_or_has_left() {
    let mut bodies: Vec<Body> = (0..20).map(|k| ball(0.1, Vec3::new(0.25 * f64::from(k), 0.5, 0.3))).collect();
    bodies.push(wall(Vec3::new(0.6, 0.0, 0.8)));
    let slope = world(down(9.81), 0.2, bodies);
    let events =
        Events { outlets: vec![keep(-1.0, 4.0), keep(-2.0, 6.0)], inlets: vec![tap(60.0)], ..Events::default() };
    let start: f64 = slope.masses().iter().sum();
    let mut sim = Simulation::new(slope, settings(Law::MaxDissipation)).expect("valid").with_events(events);
    let mut most: f64 = 0.0;
    for _ in 0..1500 {
        let record = sim.step();
        let flow = &sim.memory().flow;
        let left: f64 = flow.outlets.iter().map(|outlet| outlet.mass).sum();
        let present: f64 = sim.world().masses().iter().sum();
        let off = start + flow.inlets[0].mass - left - present;
        // Some hundred roundings of sums of order one.
        assert!(off.abs() < 1e-12, "{off} kg are missing at step {}", record.step);
        let count = 20 + flow.inlets[0].count - flow.outlets.iter().map(|outlet| outlet.count).sum::<u64>();
        assert_eq!(count as usize, sim.world().free().iter().filter(|free| **free).count());
        assert!(record.ledger_error <= LEDGER_TOLERANCE, "step {}: {:e}", record.step, record.ledger_error);
        most = most.max(record.overlap);
    }
    let flow = &sim.memory().flow;
    println!("{flow:?}, largest overlap {most}");
    // One at the start, then 60 a second for 3 s, wherever there was room.
    assert!(flow.inlets[0].count > 170 && flow.inlets[0].count <= 180, "{flow:?}");
    assert!(flow.outlets[0].count > 100, "{flow:?}");
}

#[test]
fn an_inlet_pours_at_its_rate_and_waits_where_there_is_no_room() {
    let empty = || {
        let materials = Materials::single(1.0, 0.5).expect("valid");
        World::to_be_filled(down(10.0), materials, vec![floor(0.0)]).expect("valid")
    };
    let events = |inlet: Inlet| Events { inlets: vec![inlet], ..Events::default() };
    // 50 a second for a second from step 100 on, one at once: 51.
    let timed = Inlet { first: 100, end: 601, ..tap(50.0) };
    let mut sim = Simulation::new(empty(), settings(Law::Coulomb)).expect("valid").with_events(events(timed));
    for step in 0..700 {
        sim.step();
        let count = sim.memory().flow.inlets[0].count;
        let expected = if step < 100 { 0 } else { 1 + (step.min(600) - 100) / 10 };
        // The credit is a sum of 0.1 a step: round-off can be a step late.
        assert!(count == expected || count + 1 == expected, "{count} for {expected} in step {step}");
    }
    assert_eq!(sim.memory().flow.inlets[0].waited, 0);
    // A closed box of 0.9 × 0.9 × 0.4 m around the inlet fills up.
    let mut walled = vec![Body::new(Shape::cuboid(2.0, 2.0, 0.1), STUFF).at(Vec3::new(0.5, 0.5, 1.95)).fixed()];
    for (normal, at) in [(Vec3::x(), 0.0), (-Vec3::x(), 1.0), (Vec3::y(), 0.0), (-Vec3::y(), 1.0)] {
        walled.push(wall(normal).at(normal.abs() * at));
    }
    let materials = Materials::single(1.0, 0.5).expect("valid");
    let shut = World::to_be_filled(down(10.0), materials, walled).expect("valid");
    let mut sim = Simulation::new(shut, settings(Law::Coulomb)).expect("valid").with_events(events(tap(400.0)));
    for _ in 0..1000 {
        let record = sim.step();
        // It never pours into something: at most what a step closes, and what the solve leaves.
        assert!(record.overlap < 0.02, "overlap {} m at step {}", record.overlap, record.step);
    }
    let poured = sim.memory().flow.inlets[0];
    println!("{poured:?}");
    assert!(poured.count < 150 && poured.waited > 300, "{poured:?}");
    assert!(poured.first_wait.is_some_and(|time| time < 0.5), "{poured:?}");
    assert!(poured.credit <= 2.0, "the time of waiting is not made up for: {poured:?}");
}

#[test]
fn the_size_of_a_particle_does_not_depend_on_how_long_it_waited() {
    let sizes = |rate: f64| {
        let materials = Materials::single(1.0, 0.5).expect("valid");
        let world = World::to_be_filled(down(10.0), materials, vec![floor(0.0)]).expect("valid");
        let events = Events { inlets: vec![Inlet { most: 30, ..tap(rate) }], ..Events::default() };
        let mut sim = Simulation::new(world, settings(Law::Frictionless)).expect("valid").with_events(events);
        (0..1500).for_each(|_| {
            sim.step();
        });
        let poured = sim.memory().flow.inlets[0];
        (sim.world().masses()[1..].to_vec(), poured.waited)
    };
    let (slow, fast) = (sizes(20.0), sizes(5000.0));
    assert!(slow.0.len() == 30 && slow.0 == fast.0, "{slow:?} {fast:?}");
    assert!(slow.1 == 0 && fast.1 > 0, "the fast one had to wait: {} and {}", slow.1, fast.1);
}

#[test]
fn a_run_with_inlet_outlet_and_opening_has_the_same_bits_on_any_threads_and_after_a_resume() {
    let build = || {
        let gate = Body::new(Shape::cuboid(0.1, 4.0, 2.0), STUFF).at(Vec3::new(1.2, 0.0, 1.0)).fixed();
        let mut bodies: Vec<Body> = (0..20)
            .map(|k| ball(0.1, Vec3::new(0.25 * f64::from(k % 5), 0.5, 0.3 + 0.25 * f64::from(k / 5))))
            .collect();
        bodies.extend([floor(0.0), gate]);
        world(Vec3::new(4.0, 0.0, -9.0), 0.3, bodies)
    };
    let events = || Events {
        openings: vec![Opening { body: 21, step: 150 }],
        outlets: vec![Outlet {
            region: Region::Box { min: Vec3::new(-0.4, -0.4, -1.0), max: Vec3::new(1.3, 1.4, 3.0) },
            ..keep(0.0, 1.0)
        }],
        inlets: vec![tap(80.0)],
    };
    let bytes = |sim: &Simulation| serde_json::to_vec(&(sim.world(), sim.memory())).expect("plain state");
    for law in [Law::MaxDissipation, Law::TwoStage] {
        let new = || Simulation::new(build(), settings(law)).expect("valid").with_events(events());
        let whole = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| {
                let mut sim = new();
                (0..400).for_each(|_| {
                    sim.step();
                });
                (bytes(&sim), sim.memory().flow.clone())
            })
        };
        let (expected, flow) = whole(1);
        assert!(flow.outlets[0].count > 3 && flow.inlets[0].count > 40, "{law}: {flow:?}");
        for threads in [2, 4] {
            assert!(whole(threads).0 == expected, "{law}: other bits on {threads} threads");
        }
        // In the middle of pouring, and at the step of the opening itself.
        for cut in [37, 150, 333] {
            let mut first = new();
            (0..cut).for_each(|_| {
                first.step();
            });
            let (world, memory) = serde_json::from_slice(&bytes(&first)).expect("as written");
            let mut second = Simulation::resume(world, memory, settings(law)).expect("valid").with_events(events());
            (cut..400).for_each(|_| {
                second.step();
            });
            assert!(bytes(&second) == expected, "{law}: other bits after a resume at step {cut}");
        }
    }
}

#[test]
fn a_world_that_everything_has_left_goes_on_empty() {
    for law in [Law::MaxDissipation, Law::TwoStage, Law::Coulomb, Law::Cone, Law::Penalty] {
        let falling = world(down(10.0), 0.3, vec![ball(0.1, Vec3::zeros()), ball(0.1, Vec3::x())]);
        let events = Events { outlets: vec![keep(-0.5, 2.0)], ..Events::default() };
        let mut sim = Simulation::new(falling, settings(law)).expect("valid").with_events(events);
        for _ in 0..300 {
            let record = sim.step();
            assert!(record.ledger_error <= LEDGER_TOLERANCE && record.kinetic.is_finite(), "{law}: {record:?}");
        }
        assert_eq!(sim.world().len(), 0, "{law}");
        assert_eq!(sim.memory().flow.outlets[0].count, 2);
    }
}

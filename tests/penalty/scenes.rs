//! Whole scenes under the law `penalty`.

use maxdiss::law::Law;
use maxdiss::law::penalty::effective_restitution;
use maxdiss::material::MaterialId;
use maxdiss::material::Materials;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Shape;
use maxdiss::simulation::Compliance;
use maxdiss::simulation::MaterialCompliance;
use maxdiss::simulation::Memory;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::world::Body;
use maxdiss::world::World;

const DENSITY: f64 = 1000.0;
const MATERIAL: MaterialId = MaterialId(0);

fn world(gravity: f64, friction: f64, bodies: Vec<Body>) -> World {
    World::new(Vec3::new(0.0, 0.0, -gravity), Materials::single(DENSITY, friction).unwrap(), bodies).unwrap()
}

fn floor() -> Body {
    Body::new(Shape::HalfSpace, MATERIAL).fixed()
}

fn ball(radius: f64, position: Vec3) -> Body {
    Body::new(Shape::sphere(radius), MATERIAL).at(position)
}

fn simulation(world: World, dt: f64, compliance: Compliance) -> Simulation {
    Simulation::new(world, Settings { compliance, ..Settings::new(Law::Penalty, dt) }).unwrap()
}

fn given(stiffness: f64, damping: f64) -> Vec<MaterialCompliance> {
    vec![MaterialCompliance { stiffness: Some(stiffness), damping: Some(damping), restitution: None }]
}

#[test]
fn a_ball_rests_in_the_floor_by_its_weight_over_the_stiffness() {
    let stiffness = 1e6;
    let compliance = Compliance { materials: given(stiffness, 5e3), ..Compliance::default() };
    let mut run = simulation(world(9.81, 0.3, vec![ball(0.1, Vec3::new(0.0, 0.0, 0.1)), floor()]), 1e-3, compliance);
    for _ in 0..1000 {
        run.step();
    }
    let weight = run.world().masses()[0] * 9.81;
    let expected = 0.1 - weight / stiffness;
    let z = run.world().positions()[0].z;
    // A damped oscillation of 15 Hz or more over one second.
    assert!((z - expected).abs() < 1e-10, "rests at {z}, expected {expected}");
    let force = run.contact_force(0).z;
    assert!((force - weight).abs() < 1e-6 * weight, "floor pushes with {force}, weight {weight}");
}

#[test]
fn derived_parameters_keep_the_overlap_below_a_thousandth_of_the_smallest_body() {
    let mut bodies: Vec<_> =
        (0..8).map(|i| ball(0.1, Vec3::new(0.01 * f64::from(i % 2), 0.0, 0.15 + 0.21 * f64::from(i)))).collect();
    bodies.push(floor());
    let mut run = simulation(world(9.81, 0.5, bodies), 1e-3, Compliance::default());
    let (mut overlap, mut contacts) = (0.0_f64, 0);
    for _ in 0..1500 {
        let record = run.step();
        overlap = overlap.max(record.overlap);
        contacts = contacts.max(record.contacts);
    }
    println!("{}; overlap {overlap:e} m", run.memory().compliant.as_ref().unwrap().summary());
    assert!(contacts >= 8, "only {contacts} contacts at once");
    assert!(overlap < 1e-3 * 0.2, "overlap {overlap}");
    assert!(overlap > 1e-6, "overlap {overlap}: nothing touched");
}

#[test]
fn a_ball_bounces_with_the_effective_restitution_of_the_law() {
    for e in [0.9, 0.5, 0.3] {
        let materials = vec![MaterialCompliance { stiffness: Some(1e6), restitution: Some(e), damping: None }];
        // A hundred times the sub-steps that are usual: the step is of first order.
        let compliance = Compliance { materials, substep: Some(1e-6), ..Compliance::default() };
        let start = ball(0.1, Vec3::new(0.0, 0.0, 0.101)).moving(Vec3::new(0.0, 0.0, -1.0), Vec3::zeros());
        let mut run = simulation(world(0.0, 0.0, vec![start, floor()]), 1e-3, compliance);
        for _ in 0..60 {
            run.step();
        }
        let law = run.memory().compliant.as_ref().unwrap().laws[0];
        let expected = effective_restitution(&law.normal, 1.0);
        let measured = run.world().velocities()[0].linear.z;
        // First order: a few h/T_c of the speed, T_c = 0.6 ms.
        assert!((measured - expected).abs() < 3e-3, "e = {e}: rebounds at {measured}, expected {expected}");
    }
}

#[test]
fn a_pushed_block_creeps_at_the_regularisation_as_its_law_says() {
    // There is no tangential spring: the creep is v_reg F_t/(μ F_n).
    let (friction, slip_speed, share) = (0.5, 1e-3, 0.4);
    let block = Body::new(Shape::cuboid(1.0, 1.0, 0.2), MATERIAL).at(Vec3::new(0.0, 0.0, 0.1));
    let weight = DENSITY * 0.2 * 9.81;
    let block = block.loaded(Vec3::new(share * friction * weight, 0.0, 0.0), Vec3::zeros());
    let compliance = Compliance { materials: given(1e6, 2e3), slip_speed: Some(slip_speed), substep: Some(2e-6) };
    let mut run = simulation(world(9.81, friction, vec![block, floor()]), 1e-3, compliance);
    for _ in 0..400 {
        run.step();
    }
    let before = run.world().positions()[0].x;
    for _ in 0..200 {
        run.step();
    }
    let creep = (run.world().positions()[0].x - before) / 0.2;
    let expected = share * slip_speed;
    assert!((creep - expected).abs() < 2e-3 * expected, "creeps at {creep}, expected {expected}");
}

#[test]
fn a_ball_thrown_flat_ends_at_five_sevenths() {
    let start = ball(0.1, Vec3::new(0.0, 0.0, 0.1)).moving(Vec3::new(1.0, 0.0, 0.0), Vec3::zeros());
    let mut run = simulation(world(9.81, 0.3, vec![start, floor()]), 1e-3, Compliance::default());
    for _ in 0..300 {
        run.step();
    }
    let v = run.world().velocities()[0].linear.x;
    // The slip left is below v_reg = 1e-4 √(g d), which is 1.4e-4 m/s.
    assert!((v - 5.0 / 7.0).abs() < 2e-4, "ends at {v}");
}

/// Soft enough for a few dozen sub-steps a millisecond.
fn soft() -> Compliance {
    let materials = vec![MaterialCompliance { stiffness: Some(1e5), ..MaterialCompliance::default() }];
    Compliance { materials, ..Compliance::default() }
}

/// Boxes and balls that fall into a heap, turning.
fn heap() -> World {
    let mut bodies = Vec::new();
    for i in 0..24_i32 {
        let place = Vec3::new(0.13 * f64::from(i % 3), 0.12 * f64::from(i / 3 % 2), 0.2 + 0.2 * f64::from(i / 6));
        let shape = if i % 2 == 0 { Shape::sphere(0.05) } else { Shape::cuboid(0.1, 0.08, 0.06) };
        let spin = Vec3::new(f64::from(i % 5) - 2.0, 1.0, f64::from(i % 7) - 3.0);
        let turn = Quat::from_scaled_axis(Vec3::new(0.1 * f64::from(i), 0.2, 0.3));
        bodies.push(Body::new(shape, MATERIAL).at(place).turned(turn).moving(Vec3::new(0.1, 0.0, 0.0), spin));
    }
    bodies.push(floor());
    world(9.81, 0.4, bodies)
}

#[test]
fn the_ledger_of_a_falling_heap_closes() {
    let mut run = simulation(heap(), 1e-3, soft());
    let mut last = None;
    for _ in 0..1200 {
        last = Some(run.step());
    }
    let record = last.unwrap();
    assert!(record.contacts > 20, "only {} contacts", record.contacts);
    assert!(record.ledger_error < 1e-10, "ledger off by {:e}", record.ledger_error);
    // Contacts only take energy from the whole: friction at every moment, normal work once the springs have let go.
    assert!(record.total.friction < 0.0 && record.total.normal < 0.0, "{:?}", record.total);
    assert!(record.kinetic < 0.05 * -record.total.normal, "does not come to rest: {}", record.kinetic);
}

#[test]
fn a_run_split_by_a_checkpoint_equals_the_unbroken_run_bit_for_bit() {
    let mut unbroken = simulation(heap(), 1e-3, soft());
    let mut first = simulation(heap(), 1e-3, soft());
    for _ in 0..500 {
        unbroken.step();
        first.step();
    }
    let settings = first.settings().clone();
    assert!(!first.memory().histories.is_empty(), "nothing touches at the checkpoint");
    let saved = serde_json::to_string(&first.into_state()).unwrap();
    let (world, memory): (World, Memory) = serde_json::from_str(&saved).unwrap();
    let mut second = Simulation::resume(world, memory, settings).unwrap();
    for _ in 0..100 {
        assert!(unbroken.step() == second.step());
    }
    assert!(unbroken.world() == second.world() && unbroken.memory() == second.memory());
}

#[test]
fn one_two_and_four_threads_give_the_same_bits() {
    let worlds: Vec<_> = [1, 2, 4]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut run = simulation(heap(), 1e-3, soft());
                for _ in 0..500 {
                    run.step();
                }
                run.into_state()
            })
        })
        .collect();
    assert!(worlds[0] == worlds[1] && worlds[0] == worlds[2]);
}

#[test]
fn a_large_bed_has_the_same_bits_on_any_number_of_threads() {
    // More balls than one task of the narrow phase and one chunk of bodies have.
    let mut bodies = Vec::new();
    for i in 0..1331_i32 {
        let place = Vec3::new(f64::from(i % 11), f64::from(i / 11 % 11), f64::from(i / 121));
        let turn = Vec3::new(0.1 * f64::from(i % 3), 0.2, 0.1 * f64::from(i % 5));
        bodies.push(ball(0.05, place * 0.0999 + Vec3::new(0.0, 0.0, 0.05)).moving(turn * 0.1, turn));
    }
    bodies.push(floor());
    let ends: Vec<_> = [1, 2, 4]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut run = simulation(world(9.81, 0.4, bodies.clone()), 1e-3, soft());
                let contacts = (0..3).map(|_| run.step().contacts).max().unwrap();
                assert!(contacts > 3000, "only {contacts} contacts");
                run.into_state()
            })
        })
        .collect();
    assert!(ends[0] == ends[1] && ends[0] == ends[2]);
}

#[test]
fn an_edited_world_is_searched_anew() {
    // Two balls at rest that do not touch; then larger ones in their places, which push each other away.
    let two = |radius| world(0.0, 0.0, vec![ball(radius, Vec3::zeros()), ball(radius, Vec3::new(0.25, 0.0, 0.0))]);
    let mut run = simulation(two(0.1), 1e-3, soft());
    run.step();
    assert_eq!(run.contacts().len(), 0);
    run.edit(|old| *old = two(0.1251));
    run.step();
    assert!(run.world().velocities()[0].linear.x < 0.0, "{:?}", run.world().velocities()[0]);
}

#[test]
fn unusable_compliance_is_refused_by_name() {
    let compliance = Compliance { materials: given(-1.0, f64::NAN), slip_speed: Some(0.0), substep: Some(-1.0) };
    let world = world(9.81, 0.3, vec![ball(0.1, Vec3::new(0.0, 0.0, 0.1)), floor()]);
    let settings = Settings { compliance, ..Settings::new(Law::Penalty, 1e-3) };
    let message = Simulation::new(world, settings).unwrap_err().to_string();
    for part in ["materials[0].stiffness: -1 N/m", "damping: NaN", "slip-speed: 0 m/s", "substep: -1 s"] {
        assert!(message.contains(part), "\"{message}\" lacks \"{part}\"");
    }
}

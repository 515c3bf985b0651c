//! Broad phase and sort: the contacts are those of all pairs, whatever the sizes, walls and threads.

use maxdiss::collision::Contact;
use maxdiss::collision::Detector;
use maxdiss::collision::Geometry;
use maxdiss::collision::Margin;
use maxdiss::collision::narrow::Pose;
use maxdiss::collision::narrow::Sink;
use maxdiss::collision::narrow::collide;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Ball;
use maxdiss::shape::Shape;
use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64;

/// A scene that owns its arrays.
#[derive(Default)]
struct Scene {
    positions: Vec<Vec3>,
    orientations: Vec<Quat>,
    shapes: Vec<Shape>,
    movable: Vec<bool>,
    travel: Vec<f64>,
    periods: [Option<f64>; 3],
}

impl Scene {
    fn add(&mut self, shape: Shape, position: Vec3, orientation: Quat, movable: bool, travel: f64) {
        self.positions.push(position);
        self.orientations.push(orientation);
        self.shapes.push(shape);
        self.movable.push(movable);
        self.travel.push(travel);
    }

    /// The bodies of at most this size in m.
    fn without_large(self, size: f64) -> Self {
        let mut rest = Self::default();
        for (i, shape) in self.shapes.into_iter().enumerate().filter(|(_, shape)| shape.size() <= size) {
            rest.add(shape, self.positions[i], self.orientations[i], self.movable[i], self.travel[i]);
        }
        rest
    }

    fn geometry(&self) -> Geometry<'_> {
        Geometry::new(&self.positions, &self.orientations, &self.shapes, &self.movable, &self.travel)
            .with_periods(self.periods)
    }

    /// Every pair by definition: no bounds, no cells.
    fn all_pairs(&self, fixed: Option<f64>) -> Vec<Contact> {
        let n = self.positions.len();
        let mut contacts = Vec::new();
        for a in 0..n {
            for b in 0..n {
                let first = match (self.movable[a], self.movable[b]) {
                    (true, true) => a < b,
                    (true, false) => true,
                    _ => false,
                };
                if !first {
                    continue;
                }
                let (shape_a, shape_b) = (&self.shapes[a], &self.shapes[b]);
                let margin = fixed.unwrap_or_else(|| {
                    let share = 0.01 * shape_a.size().min(shape_b.size());
                    share.max(self.travel[a] + self.travel[b])
                });
                let shift = Vec3::from_fn(|k, _| {
                    let apart = self.positions[a][k] - self.positions[b][k];
                    self.periods[k].map_or(0.0, |period| period * (apart / period).round())
                });
                let pose = |i: usize| Pose { position_w: self.positions[i], orientation: self.orientations[i] };
                let mut sink = Sink::new(&mut contacts, a as u32, b as u32, margin);
                let (pose_a, mut pose_b) = (pose(a), pose(b));
                pose_b.position_w += shift;
                assert!(collide(shape_a, &pose_a, shape_b, &pose_b, &mut sink));
            }
        }
        contacts.sort_by_key(|contact| (contact.a, contact.b, contact.feature));
        contacts
    }
}

fn any_orientation(rng: &mut Pcg64) -> Quat {
    let mut angle = || rng.random_range(-3.0..3.0);
    Quat::from_euler_angles(angle(), angle(), angle())
}

/// Spheres, boxes, capsules and clumps with sizes up to `ratio` apart, some fixed, some fast, in a room with walls.
fn mixed(seed: u64, bodies: usize, ratio: f64, room: f64) -> Scene {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut scene = Scene::default();
    let turned = Quat::from_euler_angles(0.02, 0.0, 0.0);
    scene.add(Shape::HalfSpace, Vec3::new(0.0, 0.0, 0.1), turned, false, 0.0);
    for i in 0..bodies {
        let size = 0.5 * ratio.powf(rng.random_range(0.0..1.0));
        let shape = if i % 3 == 0 {
            let mut edge = || size * rng.random_range(0.5..1.5);
            Shape::cuboid(edge(), edge(), edge())
        } else if i % 7 == 2 {
            Shape::capsule(0.3 * size, 0.6 * size)
        } else if i % 7 == 4 {
            let ball =
                |x: f64, radius: f64| Ball { center: Vec3::new(x * size, 0.0, 0.1 * size), radius: radius * size };
            Shape::clump(vec![ball(0.0, 0.3), ball(0.3, 0.25)]).0
        } else {
            Shape::sphere(0.5 * size)
        };
        let mut at = || rng.random_range(0.0..room);
        let position = Vec3::new(at(), at(), at());
        let travel = if i % 50 == 7 { 1.5 * size } else { 0.002 * size };
        scene.add(shape, position, any_orientation(&mut rng), i % 11 != 3, travel);
    }
    let tube = Shape::Tube { radius: 0.7 * room, thickness: f64::INFINITY, half_length: f64::INFINITY };
    scene.add(tube, Vec3::new(0.5 * room, 0.5 * room, 0.0), Quat::identity(), false, 0.0);
    let plate = Shape::cuboid(1.2 * room, 1.2 * room, 0.3);
    scene.add(plate, Vec3::new(0.5 * room, 0.5 * room, room), any_orientation(&mut rng), false, 0.0);
    scene.add(Shape::HalfSpace, Vec3::zeros(), Quat::from_euler_angles(0.0, 1.5, 0.0), false, 0.01);
    scene
}

#[test]
fn the_broad_phase_finds_exactly_the_contacts_of_all_pairs() {
    // Layers of equal, mixed and very mixed sizes; rooms dense and loose; fewer bodies than a layer is worth.
    for (seed, bodies, ratio, room) in
        [(1, 600, 1.0, 5.0), (2, 700, 3.0, 9.0), (3, 900, 20.0, 25.0), (4, 12, 20.0, 6.0), (5, 40, 2.0, 400.0)]
    {
        let scene = mixed(seed, bodies, ratio, room);
        let mut detector = Detector::new();
        let mut found = Vec::new();
        for (margin, fixed) in
            [(Margin::Travel, None), (Margin::Fixed(0.0), Some(0.0)), (Margin::Fixed(0.2), Some(0.2))]
        {
            let expected = scene.all_pairs(fixed);
            detector.detect(scene.geometry(), margin, &mut found);
            assert!(
                bodies < 100 || expected.len() > bodies / 2,
                "a scene with {} contacts shows little",
                expected.len()
            );
            assert_eq!(found.len(), expected.len(), "seed {seed}, {margin:?}");
            assert!(found == expected, "seed {seed}, {margin:?}: contacts differ");
        }
    }
}

#[test]
fn across_a_period_bodies_touch_by_their_nearest_images() {
    for (seed, bodies, ratio, room) in [(11, 600, 1.0, 6.0), (12, 900, 8.0, 12.0), (13, 10, 1.0, 4.0)] {
        for periods in [[Some(room), None, None], [Some(room), Some(room), None], [Some(room), Some(room), Some(room)]]
        {
            let mut scene = mixed(seed, bodies, ratio, room);
            let open = scene.all_pairs(None).len();
            scene.periods = periods;
            // Bodies that wandered some periods away.
            for (i, position) in scene.positions.iter_mut().enumerate().filter(|(i, _)| i % 7 == 1) {
                position.x += room * (i as f64 % 5.0 - 2.0);
            }
            let expected = scene.all_pairs(None);
            let mut found = Vec::new();
            Detector::new().detect(scene.geometry(), Margin::Travel, &mut found);
            assert!(bodies < 100 || expected.len() > open, "periods add contacts: {} to {open}", expected.len());
            assert!(found == expected, "seed {seed}, {periods:?}: {} for {}", found.len(), expected.len());
        }
    }
}

#[test]
fn the_whole_scene_shifted_along_a_period_has_the_same_contacts() {
    let mut scene = mixed(14, 600, 2.0, 6.0);
    scene.periods = [Some(6.0), Some(6.0), None];
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut detector = Detector::new();
    detector.detect(scene.geometry(), Margin::Travel, &mut before);
    let shift = Vec3::new(2.345, -17.89, 0.0);
    scene.positions.iter_mut().for_each(|position| *position += shift);
    detector.detect(scene.geometry(), Margin::Travel, &mut after);
    assert_eq!(before.len(), after.len());
    for (p, q) in before.iter().zip(&after) {
        assert_eq!((p.a, p.b, p.feature), (q.a, q.b, q.feature));
        // Coordinates of order 20, a few roundings; the contact follows its body a.
        assert!((p.gap - q.gap).abs() < 1e-12, "{p:?} {q:?}");
        // Deep inside a box two faces can be as near, and round-off chooses.
        if p.gap < -0.05 {
            continue;
        }
        assert!((p.normal_w - q.normal_w).norm() < 1e-10, "{p:?} {q:?}");
        assert!((p.point_w + shift - q.point_w).norm() < 1e-12, "{p:?} {q:?}");
    }
}

#[test]
fn bodies_far_out_and_at_one_place_do_no_harm() {
    let mut scene = mixed(6, 100, 4.0, 6.0);
    let q = Quat::identity();
    for x in [1e9, -1e15, 1e300] {
        scene.add(Shape::sphere(0.3), Vec3::new(x, -x, 0.5 * x), q, true, 0.01);
        scene.add(Shape::sphere(0.3), Vec3::new(x, -x, 0.5 * x), q, true, 0.01);
    }
    let mut found = Vec::new();
    Detector::new().detect(scene.geometry(), Margin::Travel, &mut found);
    assert!(found == scene.all_pairs(None));
}

#[test]
fn contacts_have_the_same_bits_on_any_number_of_threads_and_after_any_other_scene() {
    let (scene, other) = (mixed(7, 9000, 5.0, 30.0), mixed(8, 500, 1.0, 5.0));
    let mut expected = Vec::new();
    Detector::new().detect(scene.geometry(), Margin::Travel, &mut expected);
    assert!(expected.len() > 5000, "only {} contacts", expected.len());
    let bits = |contacts: &[Contact]| -> Vec<[u64; 10]> {
        let all = |c: &Contact| {
            let (p, n) = (c.point_w.map(f64::to_bits), c.normal_w.map(f64::to_bits));
            let names = [c.a, c.b, c.feature].map(u64::from);
            [names[0], names[1], names[2], p.x, p.y, p.z, n.x, n.y, n.z, c.gap.to_bits()]
        };
        contacts.iter().map(all).collect()
    };
    let mut detector = Detector::new();
    for threads in [1, 2, 3, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let mut found = Vec::new();
        pool.install(|| {
            detector.detect(other.geometry(), Margin::Travel, &mut found);
            detector.detect(scene.geometry(), Margin::Travel, &mut found);
        });
        assert!(bits(&found) == bits(&expected), "{threads} threads");
    }
}

#[test]
fn pairs_that_are_looked_at_again_give_the_contacts_of_a_new_search_while_bodies_move_and_turn() {
    const STEPS: usize = 300;
    for (seed, periods) in [(21, [None; 3]), (22, [Some(6.0), Some(6.0), None])] {
        let mut scene = mixed(seed, 400, 2.0, 6.0);
        if seed == 22 {
            // Without the walls, which are not the same one period on, on a level floor.
            scene = scene.without_large(3.0);
            scene.add(Shape::HalfSpace, Vec3::new(0.0, 0.0, 0.1), Quat::identity(), false, 0.0);
        }
        scene.periods = periods;
        let mut rng = Pcg64::seed_from_u64(seed);
        let (mut again, mut anew) = (Detector::new(), Detector::new());
        let (mut found, mut expected, mut changes) = (Vec::new(), Vec::new(), 0);
        for step in 0..STEPS {
            anew.detect(scene.geometry(), Margin::Fixed(0.0), &mut expected);
            let before = found.len();
            again.detect_again(scene.geometry(), 0.0, &mut found);
            assert!(found == expected, "seed {seed}, step {step}: {} contacts, not {}", found.len(), expected.len());
            changes += usize::from(step > 0 && before != found.len());
            for i in (0..scene.positions.len()).filter(|i| scene.movable[*i]) {
                let mut little = || Vec3::from_fn(|_, _| rng.random_range(-4e-4..4e-4));
                let (shift, turn) = (little(), little());
                scene.positions[i] += shift + Vec3::new(2e-4, 0.0, -1e-4);
                scene.orientations[i] = Quat::from_scaled_axis(turn) * scene.orientations[i];
            }
            if step % 50 == 49 && seed == 21 {
                // A wall without bounds turns: nothing found before serves.
                scene.orientations[0] = Quat::from_euler_angles(1e-3, 0.0, 0.0) * scene.orientations[0];
            }
        }
        let searches = again.searches();
        println!("{searches} searches in {STEPS} detections, {changes} changes");
        assert!(changes > 20, "contacts changed in {changes} steps only");
        assert!((7..STEPS / 3).contains(&searches), "{searches} searches in {STEPS} detections");
        again.forget();
        again.detect_again(scene.geometry(), 0.0, &mut found);
        assert_eq!(again.searches(), searches + 1);
    }
}

#[test]
fn where_images_can_jump_pairs_are_found_anew_each_time() {
    // A plate of 1.2 periods: the image nearest to a ball jumps though nothing moves far.
    let mut scene = mixed(23, 200, 2.0, 6.0);
    scene.periods = [Some(6.0), None, Some(6.0)];
    let (mut again, mut anew) = (Detector::new(), Detector::new());
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    for step in 1..=50 {
        again.detect_again(scene.geometry(), 0.0, &mut found);
        anew.detect(scene.geometry(), Margin::Fixed(0.0), &mut expected);
        assert!(found == expected, "step {step}");
        assert_eq!(again.searches(), step);
        for i in (0..scene.positions.len()).filter(|i| scene.movable[*i]) {
            scene.positions[i] += Vec3::new(1e-4, 0.0, -1e-4);
        }
    }
}

#[test]
fn walls_and_fixed_bodies_are_b_and_make_no_contact_among_themselves() {
    let scene = mixed(9, 400, 3.0, 5.0);
    let mut found = Vec::new();
    Detector::new().detect(scene.geometry(), Margin::Travel, &mut found);
    assert!(found.iter().any(|contact| contact.b == 0), "the floor is touched");
    for contact in &found {
        let (a, b) = (contact.a as usize, contact.b as usize);
        assert!(scene.movable[a] && (!scene.movable[b] || a < b), "{contact:?}");
    }
    assert!(found.is_sorted_by_key(|contact| (contact.a, contact.b, contact.feature)));
}

#[test]
fn a_gap_of_just_the_margin_is_no_contact() {
    let mut scene = Scene::default();
    scene.add(Shape::HalfSpace, Vec3::new(0.0, 0.0, 5.0), Quat::identity(), false, 0.0);
    scene.add(Shape::sphere(1.0), Vec3::new(0.0, 0.0, 6.25), Quat::identity(), true, 0.0);
    let mut found = Vec::new();
    let mut detector = Detector::new();
    detector.detect(scene.geometry(), Margin::Fixed(0.25), &mut found);
    assert!(found.is_empty());
    detector.detect(scene.geometry(), Margin::Fixed(0.25 + 1e-12), &mut found);
    assert_eq!(found.len(), 1);
    let off = (found[0].gap - 0.25).abs() + (found[0].point_w.z - 5.125).abs();
    assert!(off <= 0.0 && found[0].normal_w == Vec3::z(), "{:?}", found[0]);
}

#[test]
fn the_work_is_linear_in_bodies_and_contacts_for_sizes_up_to_twenty_apart() {
    // Pairs of bounding spheres that are compared, by body and contact: counted, not timed. The room grows with the
    // bodies, so the density is the same; it is periodic, so that all have neighbours all around.
    type Draw = fn(&mut Pcg64) -> f64;
    let draws: [(&str, Draw); 3] = [
        ("uniform", |rng| rng.random_range(0.05..1.0)),
        ("log-uniform", |rng| 0.05 * 20.0_f64.powf(rng.random_range(0.0..1.0))),
        ("two sizes", |rng| if rng.random_range(0.0..1.0) < 0.02 { 1.0 } else { 0.05 }),
    ];
    for (name, draw) in draws {
        let mut shares = Vec::new();
        for bodies in [4000, 8000, 16_000, 32_000, 64_000] {
            let mut rng = Pcg64::seed_from_u64(21);
            let radii: Vec<f64> = (0..bodies).map(|_| draw(&mut rng)).collect();
            let volume: f64 = radii.iter().map(|radius| 4.19 * radius.powi(3)).sum();
            let room = (volume / 0.5).cbrt();
            let mut scene = Scene { periods: [Some(room); 3], ..Scene::default() };
            for radius in radii {
                let mut at = || rng.random_range(0.0..room);
                let position = Vec3::new(at(), at(), at());
                scene.add(Shape::sphere(radius), position, Quat::identity(), true, 0.0);
            }
            let (mut detector, mut found) = (Detector::new(), Vec::new());
            detector.detect(scene.geometry(), Margin::Travel, &mut found);
            shares.push(detector.compared() as f64 / (bodies + found.len()) as f64);
        }
        println!("{name}: {shares:.1?} comparisons a body and contact");
        // At sixteen times the bodies not a tenth more for each: a quadratic part would make it sixteen times.
        assert!(shares[4] < 1.1 * shares[0], "{name}: {shares:?}");
        assert!(shares.iter().all(|share| *share < 100.0), "{name}: {shares:?}");
    }
}

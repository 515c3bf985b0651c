//! Narrow phase, spheres, boxes and half-spaces: contacts of single pairs against hand-computed answers and against distances found by iteration.

mod pair;

use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Shape;
use pair::Placed;
use pair::ROUND_OFF;
use pair::assert_contacts;
use pair::assert_on_surfaces;
use pair::contacts;
use pair::iterated_distance;
use pair::placed;
use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64;

fn sphere(radius: f64, x: f64, y: f64, z: f64) -> Placed {
    placed(Shape::sphere(radius), Vec3::new(x, y, z), Quat::identity())
}

fn cuboid(edges: [f64; 3], x: f64, y: f64, z: f64) -> Placed {
    placed(Shape::cuboid(edges[0], edges[1], edges[2]), Vec3::new(x, y, z), Quat::identity())
}

fn floor() -> Placed {
    placed(Shape::HalfSpace, Vec3::zeros(), Quat::identity())
}

#[test]
fn two_spheres_touch_midway_between_their_surfaces() {
    // Distance 5 along (3, 4, 0): apart by 2, then overlapping by 1.
    assert_contacts(
        &sphere(1.0, 3.0, 4.0, 0.0),
        &sphere(2.0, 0.0, 0.0, 0.0),
        3.0,
        &[([1.8, 2.4, 0.0], [0.6, 0.8, 0.0], 2.0)],
    );
    assert_contacts(
        &sphere(1.0, 3.0, 4.0, 0.0),
        &sphere(5.0, 0.0, 0.0, 0.0),
        0.0,
        &[([2.7, 3.6, 0.0], [0.6, 0.8, 0.0], -1.0)],
    );
    assert_contacts(&sphere(1.0, 3.0, 4.0, 0.0), &sphere(2.0, 0.0, 0.0, 0.0), 2.0, &[]);
}

#[test]
fn spheres_with_one_centre_are_pushed_apart_along_a_fixed_direction() {
    let found = contacts(&sphere(1.0, 2.0, 3.0, 4.0), &sphere(0.5, 2.0, 3.0, 4.0), 0.0);
    assert_eq!(found.len(), 1);
    assert!(found[0].normal_w == Vec3::x() && (found[0].gap + 1.5).abs() < ROUND_OFF, "{:?}", found[0]);
}

#[test]
fn a_sphere_touches_a_half_space_below_its_centre() {
    assert_contacts(&sphere(1.1, 0.3, -2.0, 1.0), &floor(), 0.0, &[([0.3, -2.0, -0.05], [0.0, 0.0, 1.0], -0.1)]);
    assert_contacts(&sphere(1.0, 0.3, -2.0, 1.5), &floor(), 1.0, &[([0.3, -2.0, 0.25], [0.0, 0.0, 1.0], 0.5)]);
}

#[test]
fn a_sphere_touches_a_face_an_edge_and_a_corner_of_a_box() {
    let block = cuboid([2.0, 4.0, 6.0], 0.0, 0.0, 0.0);
    assert_contacts(&sphere(1.0, 0.5, 1.0, 4.5), &block, 1.0, &[([0.5, 1.0, 3.25], [0.0, 0.0, 1.0], 0.5)]);
    // Centre (3, 4) beyond the edge at x = 1, y = 2.
    assert_contacts(&sphere(4.0, 4.0, 6.0, 0.5), &block, 2.0, &[([1.3, 2.4, 0.5], [0.6, 0.8, 0.0], 1.0)]);
    // Centre (2, −3, 6) beyond the corner (1, −2, −3): distance 7.
    assert_contacts(
        &sphere(7.0, 3.0, -5.0, -9.0),
        &block,
        1.0,
        &[([1.0, -2.0, -3.0], [2.0 / 7.0, -3.0 / 7.0, -6.0 / 7.0], 0.0)],
    );
}

#[test]
fn a_sphere_centred_inside_a_box_is_pushed_out_of_the_nearest_face() {
    let block = cuboid([2.0, 4.0, 6.0], 0.0, 0.0, 0.0);
    // 0.25 below the face y = −2; the sphere reaches 0.5 beyond its centre.
    assert_contacts(&sphere(0.5, 0.25, -1.75, 0.5), &block, 0.0, &[([0.25, -1.625, 0.5], [0.0, -1.0, 0.0], -0.75)]);
    // In the very middle of a cube all faces are as near: +x is taken.
    let found = contacts(&sphere(0.5, 0.0, 0.0, 0.0), &cuboid([2.0; 3], 0.0, 0.0, 0.0), 0.0);
    assert!(found.len() == 1 && found[0].normal_w == Vec3::x() && (found[0].gap + 1.5).abs() < ROUND_OFF, "{found:?}");
}

#[test]
fn a_box_stands_on_the_four_corners_of_a_face_on_an_edge_or_on_a_corner() {
    let up = [0.0, 0.0, 1.0];
    let lying = cuboid([2.0, 4.0, 6.0], 1.0, 0.0, 2.99);
    let corners = [[0.0, -2.0], [0.0, 2.0], [2.0, -2.0], [2.0, 2.0]];
    let expected = corners.map(|[x, y]| ([x, y, -0.005], up, -0.01));
    assert_contacts(&lying, &floor(), 0.02, &expected);

    let on_edge = placed(
        Shape::cuboid(2.0, 4.0, 2.0),
        Vec3::new(0.0, 0.0, 2f64.sqrt()),
        Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_4),
    );
    assert_contacts(&on_edge, &floor(), 0.02, &[([0.0, -2.0, 0.0], up, 0.0), ([0.0, 2.0, 0.0], up, 0.0)]);

    let diagonal = nalgebra::UnitVector3::new_normalize(Vec3::new(-1.0, -1.0, -1.0));
    let on_corner = placed(
        Shape::cuboid(2.0, 2.0, 2.0),
        Vec3::new(0.0, 0.0, 3f64.sqrt()),
        Quat::rotation_between_axis(&diagonal, &-Vec3::z_axis()).expect("not opposite"),
    );
    assert_contacts(&on_corner, &floor(), 0.02, &[([0.0, 0.0, 0.0], up, 0.0)]);
}

#[test]
fn a_box_lies_on_a_larger_one_with_its_four_corners_and_on_a_smaller_one_with_those_of_the_smaller() {
    let base = cuboid([4.0, 4.0, 2.0], 0.0, 0.0, 0.0);
    let expected =
        [[0.0, -0.5], [0.0, 0.5], [1.0, -0.5], [1.0, 0.5]].map(|[x, y]| ([x, y, 1.005], [0.0, 0.0, 1.0], 0.01));
    assert_contacts(&cuboid([1.0, 1.0, 1.0], 0.5, 0.0, 1.51), &base, 0.02, &expected);
    // The same pair upside down.
    let expected = expected.map(|(point, _, gap)| (point, [0.0, 0.0, -1.0], gap));
    assert_contacts(&base, &cuboid([1.0, 1.0, 1.0], 0.5, 0.0, 1.51), 0.02, &expected);
}

#[test]
fn equal_boxes_shifted_on_each_other_touch_at_the_corners_of_the_common_rectangle() {
    let lower = cuboid([2.0, 2.0, 2.0], 0.0, 0.0, 0.0);
    let upper = cuboid([2.0, 2.0, 2.0], 0.5, 0.25, 1.99);
    let expected = [[-0.5, -0.75], [-0.5, 1.0], [1.0, -0.75], [1.0, 1.0]];
    assert_contacts(&upper, &lower, 0.02, &expected.map(|[x, y]| ([x, y, 0.995], [0.0, 0.0, 1.0], -0.01)));
}

#[test]
fn crossed_edges_touch_at_one_point_between_them() {
    // Two square beams, both standing on an edge, one along x, one along y: edges at z = ∓√2/2, gap 0.1.
    let turn = std::f64::consts::FRAC_PI_4;
    let edge = 0.5f64.sqrt();
    let lower = placed(Shape::cuboid(4.0, 1.0, 1.0), Vec3::zeros(), Quat::from_axis_angle(&Vec3::x_axis(), turn));
    let upper = placed(
        Shape::cuboid(1.0, 4.0, 1.0),
        Vec3::new(0.5, 0.25, 2.0 * edge + 0.1),
        Quat::from_axis_angle(&Vec3::y_axis(), turn),
    );
    assert_contacts(&upper, &lower, 0.2, &[([0.5, 0.0, edge + 0.05], [0.0, 0.0, 1.0], 0.1)]);
    let sunk = placed(upper.shape.clone(), Vec3::new(0.5, 0.25, 2.0 * edge - 0.1), upper.pose.orientation);
    assert_contacts(&sunk, &lower, 0.2, &[([0.5, 0.0, edge - 0.05], [0.0, 0.0, 1.0], -0.1)]);
}

#[test]
fn boxes_corner_to_corner_and_edge_to_edge_see_their_true_distance() {
    let base = cuboid([2.0, 2.0, 2.0], 0.0, 0.0, 0.0);
    // Corner (1, 1, 1) to corner 0.02, 0.03, 0.06 away: distance 0.07; every axis alone would say 0.06.
    assert_contacts(
        &cuboid([2.0, 2.0, 2.0], 2.02, 2.03, 2.06),
        &base,
        0.1,
        &[([1.01, 1.015, 1.03], [2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0], 0.07)],
    );
    assert_contacts(&cuboid([2.0, 2.0, 2.0], 2.02, 2.03, 2.06), &base, 0.065, &[]);
    // Parallel edges (3, 4) · 0.01 apart: both ends of the common stretch 0 ≤ z ≤ 1.
    let expected = [0.0, 1.0].map(|z| ([1.015, 1.02, z], [0.6, 0.8, 0.0], 0.05));
    assert_contacts(&cuboid([2.0, 2.0, 2.0], 2.03, 2.04, 1.0), &base, 0.1, &expected);
}

#[test]
fn a_box_deep_in_another_is_pushed_out_along_the_shortest_way() {
    let found = contacts(&cuboid([1.0; 3], 0.1, -0.2, 0.9), &cuboid([4.0, 4.0, 2.0], 0.0, 0.0, 0.0), 0.0);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|c| (c.gap + 0.6).abs() < ROUND_OFF && c.normal_w == Vec3::z()), "{found:?}");
    let same = cuboid([1.0, 2.0, 3.0], 0.0, 0.0, 0.0);
    let found = contacts(&same, &same, 0.0);
    assert!(!found.is_empty() && found.iter().all(|c| (c.gap + 1.0).abs() < ROUND_OFF), "{found:?}");
}

#[test]
fn contacts_of_a_stacked_box_keep_their_features_when_it_trembles() {
    let lower = cuboid([2.0, 2.0, 2.0], 0.0, 0.0, 0.0);
    let features = |shift: Vec3, tilt: Vec3| -> Vec<u32> {
        let q = Quat::from_scaled_axis(tilt);
        let upper = placed(lower.shape.clone(), Vec3::new(0.0, 0.0, 2.0) + shift, q);
        contacts(&upper, &lower, 0.02).iter().map(|contact| contact.feature).collect()
    };
    let expected = features(Vec3::zeros(), Vec3::zeros());
    assert_eq!(expected.len(), 4);
    let mut rng = Pcg64::seed_from_u64(11);
    for _ in 0..200 {
        let mut small = || Vec3::from_fn(|_, _| rng.random_range(-1e-5..1e-5));
        let (shift, tilt) = (small(), small());
        assert_eq!(features(shift, tilt), expected, "shift {shift}, tilt {tilt}");
    }
}

/// Largest n·x over a solid.
fn support(thing: &Placed, n: &Vec3) -> f64 {
    let m = thing.pose.orientation.inverse() * n;
    let own = match &thing.shape {
        Shape::Sphere { radius } => *radius,
        Shape::Box { half_extents } => m.abs().dot(half_extents),
        _ => f64::INFINITY,
    };
    n.dot(&thing.pose.position_w) + own
}

/// Depth of two overlapping solids: the smallest way that separates them, by descent from many directions.
fn searched_depth(a: &Placed, b: &Placed, rng: &mut Pcg64) -> f64 {
    // Moving a by depth · n separates.
    let depth = |n: &Vec3| support(b, n) + support(a, &-n);
    let mut best = f64::INFINITY;
    for _ in 0..60 {
        let mut n = Vec3::from_fn(|_, _| rng.random_range(-1.0..1.0)).normalize();
        let (mut value, mut step) = (depth(&n), 0.5);
        while step > 1e-9 {
            let mut better = false;
            for _ in 0..12 {
                let trial = (n + Vec3::from_fn(|_, _| rng.random_range(-step..step))).normalize();
                if depth(&trial) < value {
                    (n, value, better) = (trial, depth(&trial), true);
                }
            }
            if !better {
                step *= 0.5;
            }
        }
        best = best.min(value);
    }
    best
}

#[test]
fn boxes_apart_by_less_than_the_margin_have_a_contact_at_their_distance() {
    // Projections converge to 1e-9 where faces are nearly parallel.
    const TOLERANCE: f64 = 1e-8;
    // The polygon of two faces may leave a face by snap (a thousandth of the smallest half edge) times the tilt.
    const FACE_TOLERANCE: f64 = 1e-3;
    let mut rng = Pcg64::seed_from_u64(3);
    let margin = 0.3;
    let (mut near, mut apart) = (0, 0);
    for _ in 0..3000 {
        let mut random = |shift: f64| {
            let mut number = |low: f64, high: f64| rng.random_range(low..high);
            let shape = Shape::cuboid(number(0.5, 2.0), number(0.5, 2.0), number(0.5, 2.0));
            let q = Quat::from_euler_angles(number(-3.0, 3.0), number(-3.0, 3.0), number(-3.0, 3.0));
            placed(shape, Vec3::new(number(-shift, shift), number(-shift, shift), number(-shift, shift)), q)
        };
        let (a, b) = (random(1.5), random(1.5));
        let distance = iterated_distance(&a, &b);
        if distance < 1e-9 {
            continue;
        }
        let found = contacts(&a, &b, margin);
        if distance > margin {
            apart += 1;
            assert!(found.is_empty(), "distance {distance}: {found:?}");
            continue;
        }
        // A face is kept while its gap is within 2 % of the distance, also where that takes it over the margin.
        const FACE_SLACK: f64 = 1.021;
        if distance * FACE_SLACK > margin {
            continue;
        }
        near += 1;
        let gap = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        assert!(gap > distance - TOLERANCE && gap < FACE_SLACK * distance + 1e-6, "gap {gap} for {distance}");
        assert_on_surfaces(&a, &b, &found, FACE_TOLERANCE);
    }
    assert!(near > 100 && apart > 100, "{near} near, {apart} apart");
}

#[test]
fn overlapping_boxes_have_a_contact_at_their_depth() {
    let mut rng = Pcg64::seed_from_u64(5);
    let mut seen = 0;
    for _ in 0..150 {
        let mut number = |low: f64, high: f64| rng.random_range(low..high);
        let mut random = |shift: f64| {
            let shape = Shape::cuboid(number(0.5, 2.0), number(0.5, 2.0), number(0.5, 2.0));
            let q = Quat::from_euler_angles(number(-3.0, 3.0), number(-3.0, 3.0), number(-3.0, 3.0));
            placed(shape, Vec3::new(number(-shift, shift), number(-shift, shift), number(-shift, shift)), q)
        };
        let (a, b) = (random(0.6), random(0.6));
        let depth = searched_depth(&a, &b, &mut rng);
        if depth < 0.01 {
            continue;
        }
        seen += 1;
        let found = contacts(&a, &b, 0.0);
        let deepest = found.iter().map(|contact| -contact.gap).fold(f64::NEG_INFINITY, f64::max);
        // The descent ends within 1e-6 of a minimum; faces are kept within 2 % of the depth.
        assert!((deepest - depth).abs() < 0.021 * depth + 2e-6, "depth {deepest} for {depth}: {a:?} {b:?}");
    }
    assert!(seen > 50, "{seen} overlapping");
}

//! Narrow phase, capsules, cylinders, clumps and round walls: contacts of single pairs against hand-computed answers
//! and against distances found by iteration.

mod pair;

use maxdiss::collision::narrow::supported;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Ball;
use maxdiss::shape::Shape;
use pair::Placed;
use pair::assert_contacts;
use pair::assert_on_surfaces;
use pair::contacts;
use pair::iterated_distance;
use pair::placed;
use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64;

const UP: [f64; 3] = [0.0, 0.0, 1.0];

fn at(shape: Shape, x: f64, y: f64, z: f64) -> Placed {
    placed(shape, Vec3::new(x, y, z), Quat::identity())
}

/// Turned so that its z axis lies along x.
fn lying(shape: Shape, x: f64, y: f64, z: f64) -> Placed {
    placed(shape, Vec3::new(x, y, z), Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2))
}

fn capsule() -> Shape {
    Shape::Capsule { radius: 0.5, half_length: 1.0 }
}

#[test]
fn a_capsule_lies_on_a_plane_with_both_its_ends() {
    let floor = at(Shape::HalfSpace, 0.0, 0.0, 0.0);
    assert_contacts(
        &lying(capsule(), 3.0, 0.0, 0.49),
        &floor,
        0.02,
        &[([2.0, 0.0, -0.005], UP, -0.01), ([4.0, 0.0, -0.005], UP, -0.01)],
    );
    assert_contacts(&at(capsule(), 0.0, 0.0, 1.5), &floor, 0.02, &[([0.0; 3], UP, 0.0)]);
}

#[test]
fn a_capsule_touches_a_sphere_at_its_side_and_at_its_end() {
    assert_contacts(
        &at(capsule(), 0.0, 0.0, 0.0),
        &at(Shape::sphere(1.0), 1.6, 0.0, 0.5),
        0.2,
        &[([0.55, 0.0, 0.5], [-1.0, 0.0, 0.0], 0.1)],
    );
    // Centre (0, 3, 4) · 0.3 beyond the end of the segment.
    assert_contacts(
        &at(capsule(), 0.0, 0.0, 0.0),
        &at(Shape::sphere(0.9), 0.0, 0.9, 2.2),
        0.2,
        &[([0.0, 0.33, 1.44], [0.0, -0.6, -0.8], 0.1)],
    );
}

#[test]
fn crossed_capsules_touch_at_one_point_and_parallel_ones_at_the_ends_of_the_common_stretch() {
    let lower = lying(capsule(), 0.0, 0.0, 0.0);
    let across = placed(capsule(), Vec3::new(0.25, 0.5, 1.02), Quat::from_axis_angle(&Vec3::x_axis(), 1.5));
    let found = contacts(&across, &lower, 0.1);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_on_surfaces(&across, &lower, &found, 1e-13);
    let shifted = lying(capsule(), 0.75, 0.0, 0.98);
    assert_contacts(&shifted, &lower, 0.1, &[([-0.25, 0.0, 0.49], UP, -0.02), ([1.0, 0.0, 0.49], UP, -0.02)]);
    // End to end along one line.
    assert_contacts(&lying(capsule(), 3.05, 0.0, 0.0), &lower, 0.1, &[([1.525, 0.0, 0.0], [1.0, 0.0, 0.0], 0.05)]);
}

#[test]
fn a_capsule_across_a_beam_rests_on_both_edges_of_its_top() {
    let beam = at(Shape::cuboid(1.0, 6.0, 2.0), 0.0, 0.0, 0.0);
    assert_contacts(
        &lying(capsule(), 0.2, 0.0, 1.5),
        &beam,
        0.02,
        &[([-0.5, 0.0, 1.0], UP, 0.0), ([0.5, 0.0, 1.0], UP, 0.0)],
    );
    // On a wide one it rests on its ends.
    let slab = at(Shape::cuboid(6.0, 6.0, 2.0), 0.0, 0.0, 0.0);
    assert_contacts(
        &lying(capsule(), 0.2, 0.0, 1.5),
        &slab,
        0.02,
        &[([-0.8, 0.0, 1.0], UP, 0.0), ([1.2, 0.0, 1.0], UP, 0.0)],
    );
}

/// A random convex solid of about unit size.
fn random_solid(kind: usize, rng: &mut Pcg64) -> Placed {
    let mut number = |low: f64, high: f64| rng.random_range(low..high);
    let shape = match kind {
        0 => Shape::sphere(number(0.2, 0.8)),
        1 => Shape::cuboid(number(0.5, 2.0), number(0.5, 2.0), number(0.5, 2.0)),
        2 => Shape::Capsule { radius: number(0.2, 0.5), half_length: number(0.2, 1.0) },
        _ => Shape::Cylinder { radius: number(0.2, 0.8), half_length: number(0.2, 1.0) },
    };
    let q = Quat::from_euler_angles(number(-3.0, 3.0), number(-3.0, 3.0), number(-3.0, 3.0));
    placed(shape, Vec3::new(number(-1.5, 1.5), number(-1.5, 1.5), number(-1.5, 1.5)), q)
}

#[test]
fn convex_solids_apart_have_their_smallest_gap_at_their_distance() {
    // The iteration converges to 1e-9; a capsule's lowest point may give way to one less than 1e-4 of its radius higher.
    const TOLERANCE: f64 = 6e-5;
    let mut rng = Pcg64::seed_from_u64(21);
    for (first, second) in [(0, 3), (2, 0), (2, 1), (2, 2), (2, 3)] {
        let mut seen = 0;
        for _ in 0..800 {
            let (a, b) = (random_solid(first, &mut rng), random_solid(second, &mut rng));
            let distance = iterated_distance(&a, &b);
            if distance < 1e-6 {
                continue;
            }
            seen += 1;
            let found = contacts(&a, &b, f64::INFINITY);
            let lowest = found.iter().min_by(|c, d| c.gap.total_cmp(&d.gap)).expect("a contact");
            let gap = lowest.gap;
            assert!((gap - distance).abs() < TOLERANCE, "{gap} for {distance}: {a:?} {b:?}");
            // The others may belong to an end of a capsule that looks at the solid through the capsule.
            assert_on_surfaces(&a, &b, &[*lowest], 1e-12);
        }
        assert!(seen > 100, "{seen} apart of kinds {first} and {second}");
    }
}

#[test]
fn a_cylinder_stands_on_its_rim_and_lies_on_a_line() {
    let floor = at(Shape::HalfSpace, 0.0, 0.0, 0.0);
    let shape = Shape::Cylinder { radius: 0.5, half_length: 1.0 };
    let expected = [[0.5, 0.0], [-0.5, 0.0], [0.0, 0.5], [0.0, -0.5]].map(|[x, y]| ([x, y, -0.005], UP, -0.01));
    assert_contacts(&at(shape.clone(), 0.0, 0.0, 0.99), &floor, 0.02, &expected);
    assert_contacts(
        &lying(shape, 0.0, 0.0, 0.5),
        &floor,
        0.02,
        &[([-1.0, 0.0, 0.0], UP, 0.0), ([1.0, 0.0, 0.0], UP, 0.0)],
    );
}

#[test]
fn a_tilted_cylinder_touches_a_plane_at_its_lowest_point() {
    let floor = at(Shape::HalfSpace, 0.0, 0.0, 0.0);
    let (radius, half) = (0.5, 1.0);
    for tilt in [1e-3_f64, 0.1, 0.5, 1.2] {
        for azimuth in [0.0, 0.4, 2.0] {
            let q = Quat::from_axis_angle(&Vec3::y_axis(), tilt) * Quat::from_axis_angle(&Vec3::z_axis(), azimuth);
            let a = placed(Shape::Cylinder { radius, half_length: half }, Vec3::new(0.0, 0.0, 2.0), q);
            let gap = contacts(&a, &floor, 5.0).iter().map(|c| c.gap).fold(f64::INFINITY, f64::min);
            let expected = 2.0 - half * tilt.cos() - radius * tilt.sin();
            // The lowest point may give way to a fixed one less than 1e-4 of the radius higher.
            assert!((gap - expected).abs() < 5e-5, "tilt {tilt}: {gap} for {expected}");
        }
    }
}

#[test]
fn spheres_touch_round_walls_from_inside() {
    let pipe = Shape::Tube { radius: 2.0, thickness: f64::INFINITY, half_length: f64::INFINITY };
    // (0.9, 1.2) is 1.5 from the axis: 0.1 beyond touching with r = 0.6.
    let (ball, toward) = (at(Shape::sphere(0.6), 0.9, 1.2, 7.0), [-0.6, -0.8, 0.0]);
    assert_contacts(&ball, &at(pipe, 0.0, 0.0, 0.0), 0.0, &[([1.23, 1.64, 7.0], toward, -0.1)]);

    let dome = at(Shape::HollowSphere { radius: 2.0 }, 0.0, 0.0, 0.0);
    assert_contacts(
        &at(Shape::sphere(0.6), 0.6, 0.0, -0.8),
        &dome,
        0.5,
        &[([1.08, 0.0, -1.44], [-0.6, 0.0, 0.8], 0.4)],
    );

    // Centre 0.3 below the circle of the ring, on the side of +y.
    let ring = at(Shape::HollowTorus { major_radius: 3.0, minor_radius: 1.0 }, 0.0, 0.0, 0.0);
    assert_contacts(&at(Shape::sphere(0.65), 0.0, 3.0, -0.3), &ring, 0.1, &[([0.0, 3.0, -0.975], UP, 0.05)]);
}

#[test]
fn a_sphere_touches_a_funnel_at_its_slope_its_outlet_and_from_outside() {
    // Slope 45°: from ρ = 1 at z = −1 to ρ = 3 at z = 1; inner normal (−1, 1)/√2.
    let shape = Shape::Funnel { lower_radius: 1.0, upper_radius: 3.0, half_height: 1.0, thickness: 0.5 };
    let funnel = at(shape, 0.0, 0.0, 0.0);
    let s = 0.5f64.sqrt();
    // From the middle of the slope, (2, 0), 0.5 along the normal.
    let ball = at(Shape::sphere(0.4), 2.0 - 0.5 * s, 0.0, 0.5 * s);
    let inner = 2.0 - 0.05 * s;
    assert_contacts(&ball, &funnel, 0.2, &[([inner, 0.0, 0.05 * s], [-s, 0.0, s], 0.1)]);
    // Below the outlet: nearest is the inner rim (1, −1); centre at (0.7, −1.4), 0.5 away.
    assert_contacts(
        &at(Shape::sphere(0.4), 0.0, 0.7, -1.4),
        &funnel,
        0.2,
        &[([0.0, 0.97, -1.04], [0.0, -0.6, -0.8], 0.1)],
    );
    // Outside: outer slope through (2.5, 0), normal (1, −1)/√2.
    let out = at(Shape::sphere(0.4), 2.5 + 0.5 * s, 0.0, -0.5 * s);
    assert_contacts(&out, &funnel, 0.2, &[([2.5 + 0.05 * s, 0.0, -0.05 * s], [s, 0.0, -s], 0.1)]);
}

#[test]
fn a_capsule_across_a_pipe_rests_on_its_wall_at_both_sides() {
    let shape = Shape::Tube { radius: 1.0, thickness: 1.0, half_length: 0.5 };
    let tube = at(shape, 0.0, 0.0, 0.0);
    let long = Shape::Capsule { radius: 0.5, half_length: 4.0 };
    // Lying across the top of the pipe: above the wall at both sides the line is level and touches all along it.
    let found = contacts(&lying(long, 0.0, 0.0, 1.0), &tube, 1e-9);
    assert!(found.iter().any(|c| c.point_w.x < 0.0) && found.iter().any(|c| c.point_w.x > 0.0), "{found:#?}");
    for contact in &found {
        assert!(contact.gap.abs() < 1e-9 && (contact.normal_w - Vec3::z()).norm() < 1e-6, "{contact:?}");
    }
}

#[test]
fn boxes_and_capsules_touch_a_pipe_with_corners_and_ends() {
    let pipe = at(Shape::Tube { radius: 2.0, thickness: 1.0, half_length: f64::INFINITY }, 0.0, 0.0, 0.0);
    // Half edges 1.2, 1.6: the four edges along z lie on the wall, two corners each.
    let found = contacts(&at(Shape::cuboid(2.4, 3.2, 1.0), 0.0, 0.0, 3.0), &pipe, 1e-9);
    assert_eq!(found.len(), 8);
    assert!(found.iter().all(|c| c.gap.abs() < 1e-14 && c.normal_w.z == 0.0), "{found:?}");
    let lies = at(capsule(), 1.48, 0.0, 3.0);
    let toward = [-1.0, 0.0, 0.0];
    assert_contacts(&lies, &pipe, 0.1, &[([1.99, 0.0, 2.0], toward, 0.02), ([1.99, 0.0, 4.0], toward, 0.02)]);
}

#[test]
fn a_clump_touches_with_each_of_its_balls() {
    let ball = |x: f64, z: f64, radius: f64| Ball { center: Vec3::new(x, 0.0, z), radius };
    let clump = at(Shape::Clump { balls: vec![ball(-0.8, 1.0, 1.0), ball(0.9, 1.1, 1.1)] }, 5.0, 5.0, 0.0);
    let floor = at(Shape::HalfSpace, 0.0, 0.0, 0.0);
    assert_contacts(&clump, &floor, 0.02, &[([4.2, 5.0, 0.0], UP, 0.0), ([5.9, 5.0, 0.0], UP, 0.0)]);
    // Two clumps side by side: three of the four pairs of balls are near.
    let found = contacts(&clump, &at(clump.shape.clone(), 5.4, 7.1, 0.0), 0.4);
    let features: Vec<_> = found.iter().map(|contact| contact.feature).collect();
    assert_eq!(features, [0, 2, 3], "{found:?}");
}

#[test]
fn every_pair_of_shapes_is_known_or_says_that_it_is_not() {
    let (inf, half_length) = (f64::INFINITY, 5.0);
    let solids = [
        Shape::sphere(0.5),
        Shape::cuboid(1.0, 1.0, 1.0),
        capsule(),
        Shape::Cylinder { radius: 0.5, half_length: 0.5 },
        Shape::clump(vec![Ball { center: Vec3::zeros(), radius: 0.5 }, Ball { center: Vec3::x(), radius: 0.5 }]).0,
    ];
    let walls = [
        Shape::HalfSpace,
        Shape::Tube { radius: 5.0, thickness: inf, half_length: inf },
        Shape::Tube { radius: 5.0, thickness: 1.0, half_length },
        Shape::Funnel { lower_radius: 1.0, upper_radius: 5.0, half_height: 5.0, thickness: 1.0 },
        Shape::HollowSphere { radius: 5.0 },
        Shape::HollowTorus { major_radius: 50.0, minor_radius: 5.0 },
    ];
    // Rows: sphere, box, capsule, cylinder, clump; columns: solids, then walls.
    let known = [
        [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        [1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 0],
        [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
        [1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0],
        [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    ];
    for (a, row) in solids.iter().zip(known) {
        for (b, known) in solids.iter().chain(&walls).zip(row) {
            assert_eq!(supported(a, b), known == 1, "{} with {}", a.name(), b.name());
            assert_eq!(supported(b, a), known == 1, "{} with {}", b.name(), a.name());
        }
    }
}

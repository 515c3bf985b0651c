//! Every shape that moves on every shape that carries: it rests where it is put, sticks below the friction angle and
//! slides beyond it; a pair that no routine knows is refused by name.

mod common;

use common::STUFF;
use common::Watched;
use common::exact;
use common::world;
use maxdiss::collision::narrow::supported;
use maxdiss::law::Law;
use maxdiss::math::Mat3;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::scene::parse;
use maxdiss::shape::Ball;
use maxdiss::shape::MassProperties;
use maxdiss::shape::Shape;
use maxdiss::simulation::build;
use maxdiss::world::Body;

const MU: f64 = 0.3;
const G: f64 = 10.0;

/// A shape that moves: as scene files write it, the turn that lays it down, and how high its origin then lies.
struct Mover {
    text: &'static str,
    shape: Shape,
    turn: Quat,
    height: f64,
}

/// A shape that carries: where it is touched, the normal there, and a direction along which the surface is straight or
/// nearly so.
struct Support {
    text: &'static str,
    shape: Shape,
    position: Vec3,
    turn: Quat,
    point: Vec3,
    normal: Vec3,
    along: Vec3,
}

fn movers() -> Vec<Mover> {
    // The shape's own z axis along the direction of sliding.
    let lying = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    let ball = |x: f64| Ball { center: Vec3::new(x, 0.0, 0.0), radius: 0.1 };
    let mover = |text, shape, turn, height| Mover { text, shape, turn, height };
    vec![
        mover("{ kind = \"sphere\", radius = 0.1 }", Shape::sphere(0.1), Quat::identity(), 0.1),
        mover("{ kind = \"box\", size = [0.3, 0.2, 0.2] }", Shape::cuboid(0.3, 0.2, 0.2), Quat::identity(), 0.1),
        mover("{ kind = \"capsule\", radius = 0.1, length = 0.2 }", Shape::capsule(0.1, 0.2), lying, 0.1),
        mover(
            "{ kind = \"cylinder\", radius = 0.1, length = 0.2 }",
            Shape::Cylinder { radius: 0.1, half_length: 0.1 },
            Quat::identity(),
            0.1,
        ),
        mover(
            "{ kind = \"clump\", balls = [{ center = [-0.1, 0, 0], radius = 0.1 }, { center = [0.1, 0, 0], radius = 0.1 }] }",
            Shape::clump(vec![ball(-0.1), ball(0.1)]).0,
            Quat::identity(),
            0.1,
        ),
    ]
}

fn supports() -> Vec<Support> {
    let (x, y, z) = (Vec3::x(), Vec3::y(), Vec3::z());
    let lying = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    let upright = Quat::identity();
    // Touched at the origin, from above, sliding along x.
    let level = |text, shape, position, turn| Support {
        text,
        shape,
        position,
        turn,
        point: Vec3::zeros(),
        normal: z,
        along: x,
    };
    let ball = |x: f64| Ball { center: Vec3::new(x, 0.0, 0.0), radius: 50.0 };
    let root = 0.5_f64.sqrt();
    vec![
        level("{ kind = \"half-space\" }", Shape::HalfSpace, Vec3::zeros(), upright),
        level("{ kind = \"box\", size = [4, 4, 1] }", Shape::cuboid(4.0, 4.0, 1.0), -z * 0.5, upright),
        level("{ kind = \"sphere\", radius = 50 }", Shape::sphere(50.0), -z * 50.0, upright),
        level("{ kind = \"capsule\", radius = 5, length = 20 }", Shape::capsule(5.0, 20.0), -z * 5.0, lying),
        level(
            "{ kind = \"cylinder\", radius = 3, length = 2 }",
            Shape::Cylinder { radius: 3.0, half_length: 1.0 },
            -z,
            upright,
        ),
        level(
            "{ kind = \"clump\", balls = [{ center = [-10, 0, 0], radius = 50 }, { center = [10, 0, 0], radius = 50 }] }",
            Shape::clump(vec![ball(-10.0), ball(10.0)]).0,
            Vec3::new(10.0, 0.0, -50.0),
            upright,
        ),
        level(
            "{ kind = \"tube\", radius = 3 }",
            Shape::Tube { radius: 3.0, thickness: f64::INFINITY, half_length: f64::INFINITY },
            z * 3.0,
            lying,
        ),
        level(
            "{ kind = \"tube\", radius = 3, thickness = 1, length = 20 }",
            Shape::Tube { radius: 3.0, thickness: 1.0, half_length: 10.0 },
            z * 3.0,
            lying,
        ),
        Support {
            text: "{ kind = \"funnel\", lower-radius = 2, upper-radius = 6, height = 4, thickness = 0.5 }",
            shape: Shape::Funnel { lower_radius: 2.0, upper_radius: 6.0, half_height: 2.0, thickness: 0.5 },
            position: Vec3::zeros(),
            turn: upright,
            point: x * 4.0,
            normal: Vec3::new(-root, 0.0, root),
            along: Vec3::new(-root, 0.0, -root),
        },
        level("{ kind = \"hollow-sphere\", radius = 500 }", Shape::HollowSphere { radius: 500.0 }, z * 500.0, upright),
        Support {
            text: "{ kind = \"hollow-torus\", major-radius = 50, minor-radius = 3 }",
            shape: Shape::HollowTorus { major_radius: 50.0, minor_radius: 3.0 },
            position: Vec3::zeros(),
            turn: upright,
            point: Vec3::new(50.0, 0.0, -3.0),
            normal: z,
            along: y,
        },
    ]
}

/// Where the mover touches the support from outside, laid down along the direction of sliding.
fn pose(mover: &Mover, support: &Support) -> (Vec3, Quat) {
    let across = support.normal.cross(&support.along);
    let frame = Mat3::from_columns(&[support.along, across, support.normal]);
    let frame = Quat::from_matrix(&frame);
    // A flat or straight body across a hollow surface touches it with its ends: higher by what the arc rises.
    (support.point + support.normal * (mover.height + lift(mover, support)), frame * mover.turn)
}

/// How much higher than on a plane the mover lies in a hollow support.
fn lift(mover: &Mover, support: &Support) -> f64 {
    let (radius, half) = match (&support.shape, &mover.shape) {
        (Shape::Tube { radius, .. }, Shape::Box { half_extents }) => (*radius, half_extents.y),
        (Shape::HollowSphere { radius }, Shape::Box { half_extents }) => (*radius, half_extents.xy().norm()),
        (Shape::HollowSphere { radius }, Shape::Capsule { half_length, .. }) => {
            return (radius - 0.1) - ((radius - 0.1).powi(2) - half_length * half_length).sqrt();
        }
        (Shape::HollowSphere { radius }, Shape::Clump { balls }) => {
            return (radius - 0.1) - ((radius - 0.1).powi(2) - balls[0].center.x.powi(2)).sqrt();
        }
        // On a ball it straddles the top, and lies lower.
        (Shape::Sphere { .. } | Shape::Clump { .. }, Shape::Clump { balls: own }) => {
            let reach = 50.0 + 0.1;
            return (reach * reach - own[0].center.x.powi(2)).sqrt() - reach;
        }
        _ => return 0.0,
    };
    radius - (radius * radius - half * half).sqrt()
}

/// A run of the pair under gravity tilted by `angle` towards the direction of sliding. The body does not turn: its
/// inertia is huge, so that a ball slides too.
fn run(mover: &Mover, support: &Support, law: Law, angle: f64, speed: f64) -> Watched {
    let (position, orientation) = pose(mover, support);
    let gravity = (support.along * angle.sin() - support.normal * angle.cos()) * G;
    let heavy = MassProperties { mass: 1.0, inertia: Vec3::repeat(1e6), frame: Quat::identity() };
    let body = Body::new(mover.shape.clone(), STUFF).at(position).turned(orientation).weighing(heavy);
    let body = body.moving(support.along * speed, Vec3::zeros());
    let carrier = Body::new(support.shape.clone(), STUFF).at(support.position).turned(support.turn).fixed();
    let name = format!("{} on {}, {law}, {angle} rad", mover.shape.name(), support.shape.name());
    Watched::new(name, world(gravity, MU, vec![body, carrier]), exact(law, DT))
}

const DT: f64 = 1e-3;
const STEPS: usize = 200;

#[test]
fn every_pair_rests_sticks_and_slides_or_is_refused_by_name() {
    let (mut known, mut refused) = (0, Vec::new());
    for mover in movers() {
        for support in supports() {
            let name = format!("{} on {}", mover.shape.name(), support.text);
            let (position, orientation) = pose(&mover, &support);
            let scene = scene(&mover, &support, &position, &orientation);
            let built = build(&parse("pair.toml", &scene, &[]).expect("reads"), Law::Coulomb, None);
            if !supported(&mover.shape, &support.shape) {
                let message = built.expect_err(&name).to_string();
                let told = message.contains("contacts between") && message.contains(mover.shape.name());
                assert!(told && message.contains(support.shape.name()), "{name}: {message}");
                refused.push(name);
                continue;
            }
            built.unwrap_or_else(|error| panic!("{name}: {error}"));
            known += 1;

            // At rest: where it was put, carried by its weight. What the pose above rounds or the curvature of a
            // support moves it is far below this.
            let mut rest = run(&mover, &support, Law::Coulomb, 0.0, 0.0);
            rest.steps(STEPS);
            let moved = (rest.position(0) - position).norm();
            assert!(moved < 1e-5, "{name}: moved by {moved:.2e} m at rest");
            let force = rest.sim.contact_force(0);
            assert!((force - support.normal * G).norm() < 1e-3 * G, "{name}: carried by {force}");

            // Between the flanks of a groove the normal forces sum up to more than the weight.
            let mut smooth = run(&mover, &support, Law::Frictionless, 0.0, 0.0);
            smooth.steps(20);
            let pressed: f64 = smooth.sim.impulses_w().iter().map(|impulse| impulse.norm()).sum::<f64>() / DT;
            let wedge = pressed / G;
            assert!((1.0 - 1e-6..1.2).contains(&wedge), "{name}: wedge {wedge}");

            let limit = (MU * wedge).atan();
            let mut sticking = run(&mover, &support, Law::Coulomb, 0.95 * limit, 0.0);
            sticking.steps(STEPS);
            let crept = (sticking.position(0) - position).dot(&support.along);
            // What the first step gives while the contact closes; a body that slides would have come 20 mm or more.
            assert!(crept.abs() < 1e-4, "{name}: crept {crept:.2e} m below the friction angle");

            let (angle, speed) = (1.3 * limit, 0.01);
            let mut sliding = run(&mover, &support, Law::Coulomb, angle, speed);
            sliding.steps(STEPS);
            let gained = (sliding.velocity(0).dot(&support.along) - speed) / (DT * STEPS as f64);
            let expected = G * (angle.sin() - MU * wedge * angle.cos());
            // Curved supports turn the slope under the body, which cannot turn with it, by its half length in 50 m.
            assert!((gained - expected).abs() < 0.03 * expected, "{name}: {gained} m/s² for {expected}");
        }
    }
    println!("{known} pairs known; refused: {refused:#?}");
    // So that a change that loses a pair is seen.
    assert!(known >= 44, "only {known} pairs are known");
}

/// The pair as a scene file.
fn scene(mover: &Mover, support: &Support, position: &Vec3, orientation: &Quat) -> String {
    let list = |numbers: &[f64]| numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ");
    let turn = |q: &Quat| list(&[q.w, q.i, q.j, q.k]);
    format!(
        "version = 1\nstep = 0.001\nduration = 1\n[materials.m]\nfriction = 0.3\n\
         [[bodies]]\nname = \"mover\"\nshape = {}\nposition = [{}]\norientation = [{}]\n\
         [[walls]]\nname = \"support\"\nshape = {}\nposition = [{}]\norientation = [{}]\n",
        mover.text,
        list(position.as_slice()),
        turn(orientation),
        support.text,
        list(support.position.as_slice()),
        turn(&support.turn),
    )
}

//! Time of one detection: N spheres of diameter 1 m in an open box, jittered about a cubic lattice so that each has
//! about three contacts; in the order of the lattice, in random order, and with sizes up to 10 apart.
//!
//! `cargo bench --bench detection`; one thread unless RAYON_NUM_THREADS says otherwise.

use divan::Bencher;
use maxdiss::collision::Detector;
use maxdiss::collision::Geometry;
use maxdiss::collision::Margin;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Shape;
use rand::RngExt;
use rand::SeedableRng;
use rand_pcg::Pcg64;

const SIDES: [usize; 4] = [10, 20, 30, 100];

fn main() {
    if std::env::var_os("RAYON_NUM_THREADS").is_none() {
        rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the pool is made once");
    }
    divan::main();
}

struct Pile {
    positions: Vec<Vec3>,
    orientations: Vec<Quat>,
    shapes: Vec<Shape>,
    movable: Vec<bool>,
    travel: Vec<f64>,
}

/// `side`³ spheres; with a `ratio` above 1 the radii fall to 1/ratio and the lattice leaves the smaller ones gaps.
fn pile(side: usize, shuffled: bool, ratio: f64) -> Pile {
    let mut rng = Pcg64::seed_from_u64(1);
    let mut positions = Vec::new();
    for z in 0..side {
        for y in 0..side {
            for x in 0..side {
                let jitter = Vec3::from_fn(|_, _| rng.random_range(-0.02..0.02));
                positions.push(Vec3::new(x as f64, y as f64, z as f64) * 1.005 + Vec3::repeat(0.5) + jitter);
            }
        }
    }
    if shuffled {
        for i in (1..positions.len()).rev() {
            positions.swap(i, rng.random_range(0..=i));
        }
    }
    let mut shapes: Vec<_> =
        positions.iter().map(|_| Shape::sphere(0.5 * ratio.powf(-rng.random_range(0.0..1.0)))).collect();
    let bodies = positions.len();
    let mut orientations = vec![Quat::identity(); bodies];
    let width = 1.005 * side as f64;
    let quarter = std::f64::consts::FRAC_PI_2;
    for (position, roll, pitch) in [
        (Vec3::zeros(), 0.0, 0.0),
        (Vec3::zeros(), 0.0, quarter),
        (Vec3::repeat(width), 0.0, -quarter),
        (Vec3::zeros(), -quarter, 0.0),
        (Vec3::repeat(width), quarter, 0.0),
    ] {
        positions.push(position);
        orientations.push(Quat::from_euler_angles(roll, pitch, 0.0));
        shapes.push(Shape::HalfSpace);
    }
    let movable = (0..positions.len()).map(|i| i < bodies).collect();
    let travel = vec![1e-3; positions.len()];
    Pile { positions, orientations, shapes, movable, travel }
}

fn detect(bencher: Bencher<'_, '_>, pile: &Pile) {
    let geometry = Geometry::new(&pile.positions, &pile.orientations, &pile.shapes, &pile.movable, &pile.travel);
    let (mut detector, mut contacts) = (Detector::new(), Vec::new());
    detector.detect(geometry, Margin::Travel, &mut contacts);
    eprintln!("{} spheres, {} contacts", pile.positions.len() - 5, contacts.len());
    bencher.bench_local(|| {
        detector.detect(geometry, Margin::Travel, &mut contacts);
        contacts.len()
    });
}

#[divan::bench(args = SIDES, max_time = 2)]
fn in_order(bencher: Bencher<'_, '_>, side: usize) {
    detect(bencher, &pile(side, false, 1.0));
}

#[divan::bench(args = SIDES, max_time = 2)]
fn shuffled(bencher: Bencher<'_, '_>, side: usize) {
    detect(bencher, &pile(side, true, 1.0));
}

#[divan::bench(args = SIDES, max_time = 2)]
fn mixed_sizes(bencher: Bencher<'_, '_>, side: usize) {
    detect(bencher, &pile(side, false, 10.0));
}

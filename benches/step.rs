//! Time of a step on a settled pile of equal balls: 50 sweeps, detection alone, and all of it.
//!
//! `cargo bench --bench step`; the thread count is the pool's (`RAYON_NUM_THREADS`).

use divan::Bencher;
use maxdiss::law::Law;
use maxdiss::material::MaterialId;
use maxdiss::material::Materials;
use maxdiss::math::Quat;
use maxdiss::math::Vec3;
use maxdiss::shape::Shape;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::world::Body;
use maxdiss::world::World;

fn main() {
    divan::main();
}

/// Bodies in the pile.
const PILES: [usize; 2] = [1000, 8000];
/// Steps in which the pile settles before anything is measured; δt = 10⁻² √(d/g), half a minute of free fall.
const SETTLE: usize = 600;

/// `n` balls of 1 m in an open box about as high as wide, in units in which g = 1, density 1, μ = 0.5.
fn pile(n: usize) -> World {
    let side = (n as f64).cbrt().round();
    let per_side = side as usize;
    let stuff = MaterialId(0);
    let mut bodies: Vec<Body> = (0..n)
        .map(|k| {
            let (i, j, l) = (k % per_side, k / per_side % per_side, k / per_side / per_side);
            let x = k as f64;
            let jitter = 0.05 * Vec3::new((12.9 * x).sin(), (78.2 * x).sin(), 0.0);
            let at = Vec3::new(1.1 * i as f64, 1.1 * j as f64, 1.001 * l as f64) + Vec3::repeat(0.55) + jitter;
            Body::new(Shape::sphere(0.5), stuff).at(at)
        })
        .collect();
    let width = 1.1 * side;
    for (normal, at) in
        [(Vec3::z(), 0.0), (Vec3::x(), 0.0), (-Vec3::x(), -width), (Vec3::y(), 0.0), (-Vec3::y(), -width)]
    {
        let turn = Quat::rotation_between(&Vec3::z(), &normal).unwrap_or_default();
        bodies.push(Body::new(Shape::HalfSpace, stuff).at(normal * at).turned(turn).fixed());
    }
    World::new(Vec3::new(0.0, 0.0, -1.0), Materials::single(1.0, 0.5).expect("valid"), bodies).expect("valid")
}

/// A settled pile with the settings under which it is measured: `sweeps` sweeps, no early end.
fn settled(n: usize, sweeps: usize) -> Simulation {
    let rough = Settings { max_sweeps: 30, ..Settings::new(Law::MaxDissipation, 1e-2) };
    let mut sim = Simulation::new(pile(n), rough).expect("valid");
    for _ in 0..SETTLE {
        sim.step();
    }
    let (world, memory) = sim.into_state();
    let exact = Settings { max_sweeps: sweeps, tolerance: 0.0, ..Settings::new(Law::MaxDissipation, 1e-3) };
    let mut sim = Simulation::resume(world, memory, exact).expect("valid");
    let record = sim.step();
    println!(
        "{n} balls, {:.2} contacts each, sticking {}, sliding {}",
        record.contacts as f64 / n as f64,
        record.sticking,
        record.sliding
    );
    sim
}

#[divan::bench(args = PILES, sample_count = 20, sample_size = 1)]
fn step_of_50_sweeps(bencher: Bencher, n: usize) {
    let mut sim = settled(n, 50);
    bencher.bench_local(|| sim.step());
}

#[divan::bench(args = PILES, sample_count = 20, sample_size = 1)]
fn step_of_1_sweep(bencher: Bencher, n: usize) {
    let mut sim = settled(n, 1);
    bencher.bench_local(|| sim.step());
}

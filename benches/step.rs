//! Time of a step on settled piles: 50 sweeps, one sweep, and what a run with the default settings needs.
//!
//! `cargo bench --bench step`; the thread count is the pool's (`RAYON_NUM_THREADS`).

#[path = "pile/mod.rs"]
mod pile;

use divan::Bencher;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use pile::Kind;

fn main() {
    divan::main();
}

/// Bodies in the pile.
const PILES: [(Kind, usize); 3] = [(Kind::Balls, 1000), (Kind::Balls, 8000), (Kind::Capsules, 1000)];
/// Rough steps in which a pile settles: fifteen times the free fall over a body.
const SETTLE: usize = 1500;

/// A settled pile that makes `sweeps` sweeps in each step, no early end.
fn settled((kind, n): (Kind, usize), sweeps: usize) -> Simulation {
    let (world, memory) = pile::settled(kind, n, SETTLE);
    let exact = Settings { max_sweeps: sweeps, tolerance: 0.0, ..pile::settings(pile::FINE) };
    let mut sim = Simulation::resume(world, memory, exact).expect("valid");
    let record = sim.step();
    println!(
        "{n} {kind:?}, {:.2} contacts each, sticking {}, sliding {}",
        record.contacts as f64 / n as f64,
        record.sticking,
        record.sliding
    );
    sim
}

#[divan::bench(args = PILES, sample_count = 20, sample_size = 1)]
fn step_of_50_sweeps(bencher: Bencher, pile: (Kind, usize)) {
    let mut sim = settled(pile, 50);
    bencher.bench_local(|| sim.step());
}

#[divan::bench(args = PILES, sample_count = 20, sample_size = 1)]
fn step_of_1_sweep(bencher: Bencher, pile: (Kind, usize)) {
    let mut sim = settled(pile, 1);
    bencher.bench_local(|| sim.step());
}

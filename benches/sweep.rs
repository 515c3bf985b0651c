//! What the sweeps reach in what time, plain and accelerated, on settled and flowing piles, one thread.
//! `cargo bench --bench sweep`.
//!
//! All rows of a pile solve the same step, from the state (world and memory) that plain sweeps led to. Residuals are root
//! mean squares over the contacts, by their scale; times are the least of several, plain and accelerated in turn. The
//! last columns give the residual of as many accelerated sweeps as fit into the time of the plain ones.

#[path = "pile/mod.rs"]
mod pile;

use maxdiss::simulation::Memory;
use maxdiss::simulation::Settings;
use maxdiss::simulation::Simulation;
use maxdiss::simulation::in_threads;
use maxdiss::world::World;
use pile::Kind;
use std::time::Instant;

const REPEATS: usize = 5;
/// Name, shape and number of bodies, rough steps before the measurement.
const PILES: [(&str, Kind, usize, usize); 4] = [
    ("balls, settled", Kind::Balls, 1000, 1500),
    ("balls, settled", Kind::Balls, 8000, 1500),
    ("balls, flowing", Kind::Balls, 8000, 200),
    ("capsules, settled", Kind::Capsules, 1000, 1500),
];

fn main() {
    // `cargo test --benches` runs this too, without the flag that asks for measurements.
    if !std::env::args().any(|arg| arg == "--bench") {
        return;
    }
    in_threads(1, || {
        println!(
            "{:<18} {:>5} {:>9} {:>7} {:>10} {:>9} {:>10} {:>9} {:>10} {:>7}",
            "pile", "N", "contacts", "sweeps", "plain/ms", "rms", "accel./ms", "rms", "same time", "ratio"
        );
        for (name, kind, n, steps) in PILES {
            measure(name, n, &pile::settled(kind, n, steps));
        }
    })
    .expect("one thread can be had");
}

fn measure(name: &str, n: usize, pile: &(World, Memory)) {
    for sweeps in [20, 50, 100, 200, 500] {
        let mut rows = [Row::NONE; 2];
        for _ in 0..REPEATS {
            for (row, acceleration) in rows.iter_mut().zip([false, true]) {
                row.take(step(pile, sweeps, acceleration));
            }
        }
        let [plain, accelerated] = rows;
        let fit = (sweeps as f64 * plain.seconds / accelerated.seconds) as usize;
        let same_time = step(pile, fit, true).rms;
        println!(
            "{name:<18} {n:>5} {:>9} {sweeps:>7} {:>10.3} {:>9.2e} {:>10.3} {:>9.2e} {same_time:>10.2e} {:>7.2}",
            plain.contacts,
            1e3 * plain.seconds,
            plain.rms,
            1e3 * accelerated.seconds,
            accelerated.rms,
            plain.rms / same_time
        );
    }
}

/// What one step took and left.
#[derive(Clone, Copy)]
struct Row {
    seconds: f64,
    rms: f64,
    contacts: usize,
}

impl Row {
    const NONE: Self = Self { seconds: f64::INFINITY, rms: f64::NAN, contacts: 0 };

    fn take(&mut self, other: Self) {
        *self = Self { seconds: self.seconds.min(other.seconds), ..other };
    }
}

/// One step from the pile's state: time of all of it, and the rms residual by its scale, max(largest ‖b‖, g δt).
fn step((world, memory): &(World, Memory), sweeps: usize, acceleration: bool) -> Row {
    let settings = Settings { max_sweeps: sweeps, tolerance: 0.0, acceleration, ..pile::settings(pile::FINE) };
    let mut sim = Simulation::resume(world.clone(), memory.clone(), settings).expect("valid");
    let start = Instant::now();
    let record = sim.step();
    Row { seconds: start.elapsed().as_secs_f64(), rms: record.solve.report.residual_rms, contacts: record.contacts }
}

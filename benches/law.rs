//! Time of one contact solve: 10⁴ random two-body contacts, hot. `cargo bench --bench law`.
//!
//! Each sample solves all contacts of one kind once, from A, b and μ as they stand (the preparation of the block is in
//! the time); the `prepared` rows take blocks prepared beforehand, as the sweep does. Throughput is in contacts.

use divan::Bencher;
use divan::black_box;
use divan::counter::ItemsCount;
use maxdiss::law::Cone;
use maxdiss::law::ContactBlock;
use maxdiss::law::ContactLaw;
use maxdiss::law::ContactState;
use maxdiss::law::Coulomb;
use maxdiss::law::MaxDissipation;
use maxdiss::law::Solution;
use maxdiss::law::incremental;
use maxdiss::law::lanes;
use maxdiss::law::max_dissipation;
use maxdiss::law::random::ContactSampler;
use maxdiss::law::random::Ensemble;
use maxdiss::law::random::RandomContact;

const CONTACTS: usize = 10_000;

fn main() {
    divan::main();
}

/// Contacts of an ensemble that end in `state` under maximum dissipation.
fn contacts(ensemble: Ensemble, state: ContactState) -> Vec<RandomContact> {
    let mut sampler = ContactSampler::new(ensemble, 1);
    std::iter::repeat_with(|| sampler.sample())
        .filter(|c| max_dissipation::solve(&c.a, &c.b, c.mu).state == state)
        .take(CONTACTS)
        .collect()
}

fn whole(bencher: Bencher, contacts: &[RandomContact], law: impl ContactLaw) {
    bencher.counter(ItemsCount::new(contacts.len())).bench_local(|| {
        for c in contacts {
            black_box(law.solve(&ContactBlock::new(&c.a, c.mu), &c.b));
        }
    });
}

fn prepared(bencher: Bencher, contacts: &[RandomContact], law: impl ContactLaw) {
    let blocks: Vec<_> = contacts.iter().map(|c| (ContactBlock::new(&c.a, c.mu), c.b)).collect();
    bencher.counter(ItemsCount::new(blocks.len())).bench_local(|| {
        for (block, b) in &blocks {
            black_box(law.solve(block, b));
        }
    });
}

/// From A, b and μ like [`whole`], the contacts solved together in the lanes of vector registers.
fn in_lanes(bencher: Bencher, contacts: &[RandomContact], law: impl ContactLaw) {
    let mut blocks = Vec::with_capacity(contacts.len());
    let mut solutions = vec![Solution::SEPARATING; contacts.len()];
    bencher.counter(ItemsCount::new(contacts.len())).bench_local(|| {
        blocks.clear();
        blocks.extend(contacts.iter().map(|c| (ContactBlock::new(&c.a, c.mu), c.b)));
        lanes::solve_all(law, &blocks, &mut solutions);
        black_box(&mut solutions);
    });
}

/// Like [`prepared`], the contacts solved together in lanes.
fn prepared_in_lanes(bencher: Bencher, contacts: &[RandomContact], law: impl ContactLaw) {
    let blocks: Vec<_> = contacts.iter().map(|c| (ContactBlock::new(&c.a, c.mu), c.b)).collect();
    let mut solutions = vec![Solution::SEPARATING; contacts.len()];
    bencher.counter(ItemsCount::new(blocks.len())).bench_local(|| {
        lanes::solve_all(law, black_box(&blocks), &mut solutions);
        black_box(&mut solutions);
    });
}

#[divan::bench]
fn max_dissipation_sliding_lanes(bencher: Bencher) {
    in_lanes(bencher, &contacts(Ensemble::Generic, ContactState::Sliding), MaxDissipation);
}

#[divan::bench]
fn max_dissipation_sliding_lanes_prepared(bencher: Bencher) {
    prepared_in_lanes(bencher, &contacts(Ensemble::Generic, ContactState::Sliding), MaxDissipation);
}

#[divan::bench]
fn max_dissipation_sliding(bencher: Bencher) {
    whole(bencher, &contacts(Ensemble::Generic, ContactState::Sliding), MaxDissipation);
}

#[divan::bench]
fn max_dissipation_sliding_prepared(bencher: Bencher) {
    prepared(bencher, &contacts(Ensemble::Generic, ContactState::Sliding), MaxDissipation);
}

#[divan::bench]
fn max_dissipation_sticking(bencher: Bencher) {
    whole(bencher, &contacts(Ensemble::Generic, ContactState::Sticking), MaxDissipation);
}

#[divan::bench]
fn max_dissipation_sticking_prepared(bencher: Bencher) {
    prepared(bencher, &contacts(Ensemble::Generic, ContactState::Sticking), MaxDissipation);
}

#[divan::bench]
fn max_dissipation_spheres(bencher: Bencher) {
    whole(bencher, &contacts(Ensemble::Spheres, ContactState::Sliding), MaxDissipation);
}

#[divan::bench]
fn max_dissipation_spheres_prepared(bencher: Bencher) {
    prepared(bencher, &contacts(Ensemble::Spheres, ContactState::Sliding), MaxDissipation);
}

#[divan::bench]
fn max_dissipation_sticking_lanes(bencher: Bencher) {
    in_lanes(bencher, &contacts(Ensemble::Generic, ContactState::Sticking), MaxDissipation);
}

#[divan::bench]
fn coulomb_sliding_lanes(bencher: Bencher) {
    in_lanes(bencher, &contacts(Ensemble::Generic, ContactState::Sliding), Coulomb);
}

#[divan::bench]
fn coulomb_sliding(bencher: Bencher) {
    whole(bencher, &contacts(Ensemble::Generic, ContactState::Sliding), Coulomb);
}

#[divan::bench]
fn cone_sliding(bencher: Bencher) {
    whole(bencher, &contacts(Ensemble::Generic, ContactState::Sliding), Cone);
}

#[divan::bench]
fn incremental_sliding(bencher: Bencher) {
    let contacts = contacts(Ensemble::Generic, ContactState::Sliding);
    bencher.counter(ItemsCount::new(contacts.len())).bench_local(|| {
        for c in &contacts {
            black_box(incremental::solve(&c.a, &c.b, c.mu));
        }
    });
}

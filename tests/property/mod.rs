//! How many random cases a property is tried on, and which.

use proptest::test_runner::Config;
use proptest::test_runner::RngSeed;

/// The same `cases` in every run; with `PROPTEST_CASES=1000000` before `cargo test`, so many new ones.
pub(crate) fn cases(cases: u32) -> Config {
    let base = Config { failure_persistence: None, max_global_rejects: u32::MAX, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        base
    } else {
        Config { cases, rng_seed: RngSeed::Fixed(2026), ..base }
    }
}

//! The closed-form convex laws against the same problem posed as a cone program and solved by Clarabel.
//!
//! Of the two, the cone program is the less accurate: its energies are compared, not its impulses.

use maxdiss::law::Solution;
use maxdiss::law::cone;
use maxdiss::law::max_dissipation;
use maxdiss::law::random::ContactSampler;
use maxdiss::law::random::Ensemble;
use maxdiss::law::random::RandomContact;
use maxdiss::math::Mat3;
use maxdiss::math::Vec3;
use maxdiss::solver::cone_program;
use maxdiss::solver::cone_program::ConeProgramSolution;
use maxdiss::solver::cone_program::Status;

/// Ours may not be above Clarabel's energy by more than rounding.
const ABOVE: f64 = 1e-12;
/// Closeness of the two energies where Clarabel does well, relative.
const CLOSE: f64 = 1e-10;
/// Contacts in all.
const CONTACTS: usize = 10_000;

/// How the law compares with the program over random contacts of every ensemble.
fn compare(law: fn(&Mat3, &Vec3, f64) -> Solution, program: fn(&Mat3, &Vec3, f64) -> ConeProgramSolution) {
    let (mut close, mut solved, mut total) = (0, 0, 0);
    for (k, ensemble) in Ensemble::ALL.into_iter().enumerate() {
        let mut sampler = ContactSampler::new(ensemble, 2026 + k as u64);
        for _ in 0..CONTACTS / Ensemble::ALL.len() {
            let RandomContact { a, b, mu, .. } = sampler.sample();
            let ours = law(&a, &b, mu).impulse;
            let energy = 0.5 * ours.dot(&(a * ours)) - b.dot(&ours);
            let reference = program(&a, &b, mu);
            let excess = energy - reference.energy;
            assert!(
                excess <= ABOVE * energy.abs(),
                "{ensemble:?}: energy {energy} above {} of {:?}\n{ours:?} {:?}\n{a} {b} {mu}",
                reference.energy,
                reference.status,
                reference.impulses
            );
            total += 1;
            close += usize::from(excess.abs() <= CLOSE * energy.abs());
            solved += usize::from(reference.status != Status::NotSolved);
        }
    }
    println!("{close} of {total} within {CLOSE:e}; {solved} solved to 1e-9 or better");
    assert!(close * 100 >= total * 98, "only {close} of {total} energies within {CLOSE:e}");
    assert!(solved * 100 >= total * 98, "Clarabel solved only {solved} of {total}");
}

#[test]
fn maximum_dissipation_leaves_no_more_energy_than_the_cone_program() {
    compare(max_dissipation::solve, cone_program::max_dissipation);
}

#[test]
fn the_cone_law_leaves_no_more_energy_than_the_cone_program() {
    compare(cone::solve, cone_program::cone);
}

//! Contact problems made by other programs, under every law: solved, or honestly not.
//!
//! `cargo test --test reference_problems -- --nocapture` prints the table of sweeps, residuals and energies.

use maxdiss::law::ContactBlock;
use maxdiss::law::ContactLaw;
use maxdiss::law::Law;
use maxdiss::law::MaxDissipation;
use maxdiss::math::Vec3;
use maxdiss::problem::ContactProblem;
use maxdiss::problem::read;
use maxdiss::solver::Status;
use maxdiss::solver::assembled::Answer;
use maxdiss::solver::assembled::Settings;
use maxdiss::solver::assembled::solve;
use maxdiss::solver::natural_map;
use std::path::Path;

/// File, contacts, change of kinetic energy in J under `max-dissipation` by another program (plain sweeps to a relative
/// change of 1e-11; the hyperstatic two had not converged), and whether that program had converged.
const PUBLISHED: [(&str, usize, f64, bool); 20] = [
    ("FrictionContact3D_1c.dat", 1, -5.5704e-02, true),
    ("FrictionContact3D_RR_1c.dat", 1, -1.8359e+00, true),
    ("Rover11035.dat", 1, -4.6764e-01, true),
    ("FC3D_Example1_SBM.dat", 3, -2.4337e+00, true),
    ("Rover4396.dat", 2, -6.6554e+02, true),
    ("FC3D_Example1.dat", 3, -2.4337e+00, true),
    ("GFC3D_TwoRods1-condensed.dat", 3, -4.3581e-06, true),
    ("Rover1039.dat", 4, -6.0072e+00, true),
    ("Rover4144.dat", 4, -3.1256e+01, true),
    ("Rover4493.dat", 4, -3.7261e+02, true),
    ("Rover4516.dat", 4, -3.7050e+01, true),
    ("Rover4609.dat", 5, -5.4673e+01, true),
    ("Rover1040.dat", 5, -2.1571e+01, true),
    ("NESpheres_10_1.dat", 9, -2.4185e-01, true),
    ("OneObject-i1028-138.hdf5.dat", 23, -1.0711e-03, true),
    ("OneObject-i100000-499.hdf5.dat", 24, -5.4319e-03, true),
    ("GFC3D_OneContact.dat", 1, -1.9409e-03, true),
    ("fclib_local_problem_test.hdf5", 48, -1.4427e-06, false),
    ("Confeti-ex03-Fc3D-SBM.dat", 54, -9.7479e+06, true),
    ("BoxesStack1-i100000-32.hdf5.dat", 52, -5.1182e+00, false),
];
/// Not in the published table: its energy is unknown, its number of contacts is not.
const CAPSULES: &str = "Capsules-i125-1213.hdf5";

/// Hyperstatic stacks: plain sweeps may need more than this test has time for.
const MAY_NOT_CONVERGE: [&str; 3] = ["fclib_local_problem_test.hdf5", "BoxesStack1-i100000-32.hdf5.dat", CAPSULES];

const LAWS: [Law; 4] = [Law::MaxDissipation, Law::Coulomb, Law::Cone, Law::Frictionless];

fn folder() -> Option<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference/problems");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: {} is absent", folder.display());
    None
}

fn problem(folder: &Path, name: &str) -> ContactProblem {
    let bytes = std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// What every answer must be, converged or not.
fn check(name: &str, problem: &ContactProblem, law: Law, answer: &Answer, settings: &Settings) {
    let report = &answer.report;
    let converged = report.status == Status::Converged;
    assert_eq!(converged, report.residual <= settings.tolerance, "{name} {law}: {report:?}");
    assert!(converged || MAY_NOT_CONVERGE.contains(&name), "{name} {law}: {report:?}");
    assert_eq!(answer.uncertified, 0, "{name} {law}");
    for (j, impulse) in answer.impulses.iter().enumerate() {
        let mu = if law == Law::Frictionless { 0.0 } else { problem.mu()[j] };
        let (friction, limit) = (impulse.y.hypot(impulse.z), mu * impulse.x);
        // An impulse is a law's answer or a mean of such answers: rounding only.
        assert!(impulse.x >= 0.0 && friction <= limit * (1.0 + 1e-14), "{name} {law} contact {j}: {impulse:?}");
    }
    let energy = problem.energy_change(&answer.impulses);
    assert!(energy <= 0.0, "{name} {law}: energy rises by {energy} J");
    if converged && law != Law::Cone {
        let scale = problem.b().iter().map(Vec3::norm).fold(0.0, f64::max);
        for (j, velocity) in problem.velocities(&answer.impulses).iter().enumerate() {
            // The residual measures impulses times A_nn; a tangential entry may be larger than that, but not by 1e4.
            assert!(velocity.x >= -1e4 * settings.tolerance * scale, "{name} {law} contact {j} closes: {velocity:?}");
        }
    }
}

#[test]
fn every_file_is_solved_under_every_law_or_honestly_not() {
    let Some(folder) = folder() else { return };
    println!(
        "| file | contacts | law | status | sweeps | damping | residual | natural map | energy change in J | ‖e‖ |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let names = PUBLISHED.iter().map(|row| row.0).chain([CAPSULES]);
    for name in names {
        let problem = problem(&folder, name);
        let published = PUBLISHED.iter().find(|row| row.0 == name);
        assert_eq!(problem.len(), published.map_or(286, |row| row.1), "{name}");
        for law in LAWS {
            let settings = Settings { max_sweeps: 20_000, ..Settings::default() };
            let answer = solve(&problem, law, &settings).expect("a law of many contacts");
            let energy = problem.energy_change(&answer.impulses);
            let report = answer.report;
            println!(
                "| {name} | {} | {law} | {:?} | {} | {} | {:.1e} | {:.1e} | {energy:.6e} | {:.2} |",
                problem.len(),
                report.status,
                report.sweeps,
                report.damping,
                report.residual,
                natural_map::merit(&problem, law, &answer.impulses).expect("a law with a merit"),
                answer.largest_eccentricity,
            );
            check(name, &problem, law, &answer, &settings);
            if let (Law::MaxDissipation, Some(&(_, _, expected, converged))) = (law, published) {
                // Five digits are published; the two that had not converged agree to three.
                let tolerance = if converged { 5e-5 } else { 2e-3 };
                let off = (energy - expected).abs() / expected.abs();
                assert!(off <= tolerance, "{name}: {energy} J for {expected} J");
            }
        }
    }
}

#[test]
fn one_contact_of_a_file_is_what_the_law_gives_alone() {
    let Some(folder) = folder() else { return };
    for (name, ..) in PUBLISHED.iter().filter(|row| row.1 == 1) {
        let problem = problem(&folder, name);
        let answer = solve(&problem, Law::MaxDissipation, &Settings::default()).expect("a law of many contacts");
        let block = ContactBlock::new(problem.diagonal(0), problem.mu()[0]);
        let alone = MaxDissipation.solve(&block, &problem.b()[0]);
        assert_eq!(answer.impulses, [alone.impulse], "{name}");
        assert_eq!((answer.report.sweeps, answer.states[0]), (1, alone.state), "{name}");
    }
}

//! A contact problem with its matrix assembled, solved by projected Gauss–Seidel.
//!
//! One sweep visits the contacts in their order, forms the right-hand side that a contact sees, and applies the law:
//!
//! ```text
//! β_j = b_j − Σ_{k≠j} A_jk Λ_k
//! r_j = ‖Λ_j − law_j(β_j)‖ · A_jj,nn                 residual of the contact, a velocity in m/s
//! Λ_j ← Λ_j + ω (law_j(β_j) − Λ_j)                   ω = 1: plain
//! ```
//!
//! A sweep is a map whose fixed points are the solutions, whatever ω; the residual is max r_j / max ‖b_j‖, without unit.
//!
//! **Cycles.** Friction that acts on another contact's normal velocity can make sweeps return to where they were, also
//! where a solution exists. A window of sweeps in which the residual hardly falls *and* the impulses end near where they
//! began, measured by the way they went, is such a cycle; slow convergence goes a way and is left alone. On a cycle ω is
//! lowered to 0.5, then to 0.2, and a cycle that goes on is reported as one.
//!
//! A second-order method belongs beside this file: it starts from a few sweeps and is judged by the same residual.

use crate::error::Error;
use crate::error::Result;
use crate::law::Cone;
use crate::law::ContactBlock;
use crate::law::ContactLaw;
use crate::law::ContactState;
use crate::law::Coulomb;
use crate::law::Frictionless;
use crate::law::Law;
use crate::law::MaxDissipation;
use crate::law::Solution;
use crate::law::incremental;
use crate::math::Vec3;
use crate::problem::ContactProblem;
use crate::solver::Report;
use crate::solver::Status;
use crate::solver::damping::FACTORS;

/// Sweeps after which progress is judged: many periods of the cycles that were seen (two to six sweeps).
const WINDOW: usize = 100;
/// A window has stagnated if its least residual is above this part of that of the window before.
const STAGNATION: f64 = 0.9;
/// A window has led back if its net way is below this part of the way gone.
const RETURN: f64 = 0.1;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Residual (no unit) at which the problem counts as solved. Default 1e-10: what plain sweeps reach on all but
    /// hyperstatic stacks, and well above rounding.
    pub tolerance: f64,
    /// Most sweeps. Default 100 000: about a second for fifty contacts.
    pub max_sweeps: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_sweeps: 100_000 }
    }
}

/// Impulses for all contacts, with how they were found.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The impulse of each contact in N·s, components (n, t, o).
    pub impulses: Vec<Vec3>,
    /// The state of each contact.
    pub states: Vec<ContactState>,
    /// How the solver fared. The residuals are divided by max ‖b_j‖.
    pub report: Report,
    /// Contacts whose law could not certify its own answer.
    pub uncertified: usize,
    /// Largest ‖e_j‖ = μ ‖(A_nt, A_no)‖/A_nn of the contacts: from 1 on there may be no solution.
    pub largest_eccentricity: f64,
}

/// Solves `problem` under `law`, from impulses of zero. The answer depends on the arguments alone.
///
/// # Errors
///
/// [`Error::Input`] if `law` needs bodies and time (`two-stage`, `penalty`), or is `incremental` and there are several
/// contacts: that law follows one contact through its impact.
pub fn solve(problem: &ContactProblem, law: Law, settings: &Settings) -> Result<Answer> {
    let refuse =
        |what: String| Err(Error::input("law", what, "max-dissipation, coulomb, cone and frictionless can be solved"));
    match law {
        Law::MaxDissipation => Ok(solve_by(problem, MaxDissipation, settings)),
        Law::Coulomb => Ok(solve_by(problem, Coulomb, settings)),
        Law::Cone => Ok(solve_by(problem, Cone, settings)),
        Law::Frictionless => Ok(solve_by(problem, Frictionless, settings)),
        Law::Incremental if problem.len() <= 1 => Ok(solve_by(problem, Incremental, settings)),
        Law::Incremental => refuse(format!("incremental is a law of one contact, and there are {}", problem.len())),
        Law::TwoStage | Law::Penalty => refuse(format!("{law} is no law of a contact problem alone")),
    }
}

/// The incremental law in the form of the others.
#[derive(Clone, Copy)]
struct Incremental;

impl ContactLaw for Incremental {
    fn solve(self, block: &ContactBlock, b: &Vec3) -> Solution {
        incremental::solve(&block.delassus(), b, block.mu())
    }
}

fn solve_by<L: ContactLaw>(problem: &ContactProblem, law: L, settings: &Settings) -> Answer {
    let contacts = Contacts::new(problem, law);
    let mut impulses = vec![Vec3::zeros(); problem.len()];
    let mut progress = Progress::new(&impulses);
    let mut sweeps = 0;
    let status = loop {
        // A sweep measures each contact before the ones after it move; what counts is the end.
        // Contacts that share no body, such as a single one, are solved by the first.
        if sweeps <= 1 || progress.last <= settings.tolerance {
            let residual = contacts.evaluate(&impulses).residual;
            if residual.largest <= settings.tolerance {
                break Status::Converged;
            }
        }
        if sweeps == settings.max_sweeps {
            break Status::SweepLimit;
        }
        let swept = contacts.sweep(&mut impulses, progress.damping());
        sweeps += 1;
        if !swept.largest.is_finite() {
            break Status::NotFinite;
        }
        if progress.cycles(&contacts, &impulses, swept) {
            break Status::Cycling;
        }
    };
    let Evaluation { residual, states, uncertified } = contacts.evaluate(&impulses);
    let report =
        Report { status, sweeps, residual: residual.largest, residual_rms: residual.rms, damping: progress.damping() };
    Answer { impulses, states, report, uncertified, largest_eccentricity: contacts.largest_eccentricity() }
}

/// The problem with what its law needs of each contact.
struct Contacts<'a, L> {
    problem: &'a ContactProblem,
    law: L,
    blocks: Vec<ContactBlock>,
    /// max ‖b_j‖ in m/s.
    scale: f64,
}

impl<'a, L: ContactLaw> Contacts<'a, L> {
    fn new(problem: &'a ContactProblem, law: L) -> Self {
        let block = |(j, &mu): (usize, &f64)| ContactBlock::new(problem.diagonal(j), mu);
        let blocks = problem.mu().iter().enumerate().map(block).collect();
        let scale = problem.b().iter().map(Vec3::norm).fold(0.0, f64::max);
        Self { problem, law, blocks, scale }
    }

    /// The law's answer of contact `j` to the impulses of all others.
    #[inline]
    fn answer(&self, j: usize, impulses: &[Vec3]) -> Solution {
        let mut b = self.problem.b()[j];
        for block in self.problem.row(j) {
            if block.column != j {
                b -= block.a * impulses[block.column];
            }
        }
        self.law.solve(&self.blocks[j], &b)
    }

    /// A change of the impulse of contact `j` as a velocity in m/s.
    #[inline]
    fn velocity(&self, j: usize, change: &Vec3) -> f64 {
        change.norm() * self.problem.diagonal(j)[(0, 0)]
    }

    /// Residual and states at impulses that stay as they are.
    fn evaluate(&self, impulses: &[Vec3]) -> Evaluation {
        let mut gather = Gather::default();
        let mut states = Vec::with_capacity(impulses.len());
        let mut uncertified = 0;
        for (j, impulse) in impulses.iter().enumerate() {
            let answer = self.answer(j, impulses);
            gather.add(self.velocity(j, &(impulse - answer.impulse)));
            states.push(answer.state);
            uncertified += usize::from(!answer.certified);
        }
        Evaluation { residual: gather.residual(impulses.len(), self.scale), states, uncertified }
    }

    /// One sweep; the residual is that of each contact when it was visited.
    fn sweep(&self, impulses: &mut [Vec3], damping: f64) -> Residual {
        let mut gather = Gather::default();
        for j in 0..impulses.len() {
            let change = self.answer(j, impulses).impulse - impulses[j];
            gather.add(self.velocity(j, &change));
            impulses[j] += change * damping;
        }
        gather.residual(impulses.len(), self.scale)
    }

    fn largest_eccentricity(&self) -> f64 {
        self.blocks.iter().map(|block| block.eccentricity().norm()).fold(0.0, f64::max)
    }
}

/// Residuals of all contacts divided by max ‖b_j‖, no unit.
#[derive(Clone, Copy)]
struct Residual {
    largest: f64,
    rms: f64,
}

/// Gathers the residual over the contacts.
#[derive(Default)]
struct Gather {
    largest: f64,
    squares: f64,
}

impl Gather {
    #[inline]
    fn add(&mut self, r: f64) {
        // Not f64::max, which would hide a NaN.
        if !(r <= self.largest) {
            self.largest = r;
        }
        self.squares += r * r;
    }

    fn residual(self, contacts: usize, scale: f64) -> Residual {
        // Where b = 0 a residual has no measure; it is zero unless a law answers 0 by an impulse.
        let unit = if scale > 0.0 { scale } else { 1.0 };
        Residual { largest: self.largest / unit, rms: (self.squares / contacts.max(1) as f64).sqrt() / unit }
    }
}

/// What the law says of impulses that stay as they are.
struct Evaluation {
    residual: Residual,
    states: Vec<ContactState>,
    /// Contacts whose law could not certify its answer.
    uncertified: usize,
}

/// Watches the sweeps for cycles and sets the damping.
struct Progress {
    /// Which of [`FACTORS`].
    stage: usize,
    /// Sweeps since the window began.
    sweeps: usize,
    /// Way of all sweeps of the window, rms over the contacts, as a multiple of max ‖b_j‖.
    way: f64,
    /// Least residual of this window, and of the one before under the same damping.
    least: f64,
    least_before: f64,
    /// Residual of the last sweep.
    last: f64,
    /// Impulses when the window began.
    start: Vec<Vec3>,
}

impl Progress {
    fn new(impulses: &[Vec3]) -> Self {
        let least = f64::INFINITY;
        Self {
            stage: 0,
            sweeps: 0,
            way: 0.0,
            least,
            least_before: least,
            last: f64::INFINITY,
            start: impulses.to_vec(),
        }
    }

    fn damping(&self) -> f64 {
        FACTORS[self.stage]
    }

    /// Takes note of a sweep; whether it is a cycle that no damping is left for.
    fn cycles<L: ContactLaw>(&mut self, contacts: &Contacts<'_, L>, impulses: &[Vec3], swept: Residual) -> bool {
        self.last = swept.largest;
        self.sweeps += 1;
        self.way += self.damping() * swept.rms;
        self.least = self.least.min(swept.largest);
        if self.sweeps < WINDOW {
            return false;
        }
        let mut net = Gather::default();
        for (j, (now, then)) in impulses.iter().zip(&self.start).enumerate() {
            net.add(contacts.velocity(j, &(now - then)));
        }
        let net = net.residual(impulses.len(), contacts.scale).rms;
        let cycle = self.least > STAGNATION * self.least_before && net < RETURN * self.way;
        let least = if cycle { f64::INFINITY } else { self.least };
        let stage = (self.stage + usize::from(cycle)).min(FACTORS.len() - 1);
        let exhausted = cycle && stage == self.stage;
        *self = Self { stage, least_before: least, last: self.last, ..Self::new(impulses) };
        exhausted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::problem::json;
    use serde_json::Value;

    /// The two-contact problems on which plain sweeps cycle, with their largest eccentricity.
    fn cycles() -> Vec<(ContactProblem, f64)> {
        let cases: Vec<Value> = serde_json::from_str(include_str!("../../tests/data/gs_cycles.json")).expect("valid");
        let case = |case: &Value| {
            let (delassus, b, mu) = (&case["delassus"], &case["b"], &case["mu"]);
            let text = format!(r#"{{"delassus": {delassus}, "b": {b}, "mu": [{mu}, {mu}]}}"#);
            (json::read(&text).expect("valid"), case["eccentricity_max"].as_f64().expect("a number"))
        };
        cases.iter().map(case).collect()
    }

    #[test]
    fn a_cycle_with_all_eccentricities_below_one_is_cured_by_damping() {
        let settings = Settings::default();
        for (problem, eccentricity) in cycles() {
            if eccentricity >= 1.0 {
                continue;
            }
            let answer = solve(&problem, Law::MaxDissipation, &settings).expect("a law of many");
            let report = answer.report;
            assert_eq!(report.status, Status::Converged, "{report:?}");
            assert!(report.damping < 1.0, "plain sweeps did not cycle: {report:?}");
            // The impulses returned are a fixed point of the law, contact by contact.
            let contacts = Contacts::new(&problem, MaxDissipation);
            for (j, impulse) in answer.impulses.iter().enumerate() {
                let r =
                    contacts.velocity(j, &(contacts.answer(j, &answer.impulses).impulse - impulse)) / contacts.scale;
                assert!(r <= settings.tolerance, "contact {j}: residual {r}");
            }
        }
    }

    #[test]
    fn a_cycle_that_no_damping_cures_is_reported_with_its_eccentricity() {
        let (problem, expected) = cycles().pop().expect("three cases");
        assert!(expected >= 1.0);
        let answer = solve(&problem, Law::MaxDissipation, &Settings::default()).expect("a law of many");
        let report = answer.report;
        assert_eq!(report.status, Status::Cycling, "{report:?}");
        let eccentricity = answer.largest_eccentricity;
        // The file gives three decimals.
        assert!((eccentricity - expected).abs() < 1e-3, "{eccentricity} for {expected}");
        assert!(report.sweeps < 2000 && report.residual > 1e-3, "{report:?}");
    }

    #[test]
    fn sweeps_that_run_out_are_not_called_converged() {
        let (problem, _) = cycles().swap_remove(0);
        let report = solve(&problem, Law::MaxDissipation, &Settings { max_sweeps: 7, ..Settings::default() })
            .expect("a law of many")
            .report;
        assert_eq!((report.status, report.sweeps), (Status::SweepLimit, 7));
        assert!(report.residual > 1e-3, "{report:?}");
    }

    #[test]
    fn a_problem_without_contacts_or_without_closing_is_solved_before_the_first_sweep() {
        let empty = ContactProblem::new(vec![], vec![], vec![]).expect("valid");
        let open = ContactProblem::one(&Mat3::identity(), &Vec3::new(-1.0, 2.0, 0.0), 0.5).expect("valid");
        for problem in [empty, open] {
            let answer = solve(&problem, Law::Coulomb, &Settings::default()).expect("a law of many");
            assert_eq!(answer.report.status, Status::Converged);
            assert_eq!((answer.report.sweeps, answer.report.residual), (0, 0.0));
            assert!(answer.impulses.iter().all(|impulse| *impulse == Vec3::zeros()));
        }
    }

    #[test]
    fn two_stacked_masses_without_friction_share_the_impulse_by_hand() {
        // Contact 0: floor under 2 kg; contact 1: 2 kg under 1 kg. Both bodies fall at 1 m/s onto a floor at rest.
        // All must stop: Λ1 = 1 N·s for the upper one, Λ0 = 2 + 1 N·s.
        let block = |row, column, a: f64| crate::problem::Block { row, column, a: Mat3::identity() * a };
        let blocks = vec![block(0, 0, 0.5), block(0, 1, -0.5), block(1, 0, -0.5), block(1, 1, 1.5)];
        let b = vec![Vec3::new(1.0, 0.0, 0.0), Vec3::zeros()];
        let problem = ContactProblem::new(blocks, b, vec![0.0; 2]).expect("valid");
        let answer = solve(&problem, Law::Frictionless, &Settings { tolerance: 1e-14, ..Settings::default() })
            .expect("a law of many");
        assert_eq!(answer.report.status, Status::Converged, "{:?}", answer.report);
        for (impulse, expected) in answer.impulses.iter().zip([3.0, 1.0]) {
            // The condition of this A is 9.
            assert!((impulse.x - expected).abs() < 1e-13, "{} for {expected}", impulse.x);
        }
    }

    #[test]
    fn incremental_takes_one_contact_and_time_stepping_laws_none() {
        let one = ContactProblem::one(&Mat3::identity(), &Vec3::new(1.0, 2.0, 0.0), 0.5).expect("valid");
        let settings = Settings::default();
        let answer = solve(&one, Law::Incremental, &settings).expect("one contact");
        assert_eq!((answer.report.status, answer.uncertified), (Status::Converged, 0));
        // A = 1 without coupling: Λn = 1, and friction at its limit along the slip.
        assert!((answer.impulses[0] - Vec3::new(1.0, 0.5, 0.0)).norm() < 1e-14, "{:?}", answer.impulses[0]);
        let two = &cycles()[0].0;
        let message = solve(two, Law::Incremental, &settings).expect_err("two contacts").to_string();
        assert!(message.contains("there are 2"), "{message}");
        for law in [Law::TwoStage, Law::Penalty] {
            assert!(solve(&one, law, &settings).is_err(), "{law}");
        }
    }
}

//! `maxdiss solve`: a contact problem from a file.

use crate::cli;
use crate::cli::Outcome;
use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::law::ContactBlock;
use crate::law::ContactState;
use crate::law::Law;
use crate::law::Solution;
use crate::law::coulomb;
use crate::math::Vec3;
use crate::problem;
use crate::problem::ContactProblem;
use crate::solver::Status;
use crate::solver::assembled;
use crate::solver::assembled::Answer;
use crate::solver::assembled::Settings;
use crate::solver::cone_program;
use crate::solver::natural_map;
use clap::Args;
use clap::ValueEnum;
use serde::Serialize;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// Solve a contact problem from a file
///
/// Finds the impulses Λ of all contacts with δv⁺ = AΛ − b, components (normal, t, o), by projected Gauss–Seidel over the
/// blocks of A. Standard output gets the answer, and nothing if the input is unusable (exit code 2). Exit code 1: not
/// converged.
#[derive(Debug, Args)]
#[command(after_help = "Examples, from the top of the repository:
  maxdiss solve examples/problems/one-contact.json
  maxdiss solve examples/problems/two-stacked.json --law coulomb --format table
  maxdiss solve examples/problems/several-solutions.json --all --format table
  maxdiss solve examples/problems/one-contact.json --reference")]
pub(super) struct Arguments {
    /// JSON {"delassus": …, "b": …, "mu": …}, Siconos text (.dat) or FCLIB HDF5, told apart by content
    #[arg(value_name = "PROBLEM")]
    path: PathBuf,
    /// max-dissipation, coulomb, cone, frictionless, or for one contact incremental [default: max-dissipation]
    #[arg(long, value_parser = law)]
    law: Option<Law>,
    /// List all solutions of one contact under Coulomb friction
    #[arg(long)]
    all: bool,
    /// Solve also by Clarabel: cone and frictionless, and for one contact max-dissipation
    #[arg(long)]
    reference: bool,
    /// Residual, divided by the largest ‖b‖ of a contact, at which the problem counts as solved [default: 1e-10]
    #[arg(long, value_name = "X", value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Most sweeps [default: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_sweeps: Option<u32>,
    /// How to print the answer
    #[arg(long, value_enum, default_value = "json")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object
    Json,
    /// Lines for reading
    Table,
}

/// A law that `solve` knows.
fn law(name: &str) -> std::result::Result<Law, String> {
    let known = Law::SOLVE.into_iter().find(|law| law.name() == name);
    known.ok_or_else(|| format!("the laws are {}", Law::SOLVE.map(Law::name).join(", ")))
}

fn tolerance(text: &str) -> std::result::Result<f64, String> {
    let x = text.parse::<f64>().ok().filter(|x| x.is_finite() && *x > 0.0);
    x.ok_or_else(|| "a positive number such as 1e-10 is needed".to_string())
}

/// What is printed; the field names are a contract.
#[derive(Serialize)]
struct Printed {
    law: Law,
    converged: bool,
    status: Status,
    sweeps: usize,
    residual: f64,
    natural_map: Option<f64>,
    energy_change: f64,
    contacts: Vec<Contact>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<Vec<Alternative>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    excluded: Option<Vec<Alternative>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<Reference>,
}

#[derive(Serialize)]
struct Contact {
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<ContactState>,
    impulse: [f64; 3],
    velocity: [f64; 3],
    mu: f64,
}

/// One of several solutions.
#[derive(Serialize)]
struct Alternative {
    energy_change: f64,
    contacts: Vec<Contact>,
}

/// The answer of another solver; it knows no states.
#[derive(Serialize)]
struct Reference {
    solver: &'static str,
    converged: bool,
    energy_change: f64,
    contacts: Vec<Contact>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Outcome> {
    let file = arguments.path.display().to_string();
    let problem = read(&arguments.path).map_err(|error| error.in_file(&file))?;
    let law = arguments.law.unwrap_or(if arguments.all { Law::Coulomb } else { Law::MaxDissipation });
    check(arguments, law, problem.len())?;
    for note in problem.notes() {
        cli::warn(&format!("note: {file}: {note}"));
    }

    let mut settings = Settings::default();
    if let Some(tolerance) = arguments.tolerance {
        settings.tolerance = tolerance;
    }
    if let Some(max_sweeps) = arguments.max_sweeps {
        settings.max_sweeps = max_sweeps as usize;
    }
    let answer = assembled::solve(&problem, law, &settings)?;
    let printed = printed(&problem, law, &answer, arguments);
    let text = match arguments.format {
        Format::Json => serde_json::to_string(&printed).expect("numbers and names") + "\n",
        Format::Table => table(&printed),
    };
    cli::print(&text)?;
    Ok(if tell(&printed, &answer, &settings) { Outcome::Done } else { Outcome::Wrong })
}

fn read(path: &Path) -> Result<ContactProblem> {
    let bytes = fs::read(path)
        .map_err(|error| Fault::new("", format!("cannot be read: {error}"), "the path of a problem file is needed"))?;
    problem::read(&bytes)
}

/// Refuses options that do not go together, before anything is solved.
fn check(arguments: &Arguments, law: Law, contacts: usize) -> Result<()> {
    if arguments.all && law != Law::Coulomb {
        let what = format!("--all with --law {law}");
        return Err(Error::input(
            "",
            what,
            "only coulomb can have several solutions: use --law coulomb or leave it out",
        ));
    }
    if arguments.all && contacts != 1 {
        let what = format!("--all with a problem of {contacts} contacts");
        return Err(Error::input("", what, "all solutions are listed for one contact only"));
    }
    if law == Law::Incremental && contacts > 1 {
        let what = format!("--law incremental with a problem of {contacts} contacts");
        return Err(Error::input("", what, "it is a law of one contact: use another law"));
    }
    if arguments.reference {
        match law {
            Law::Cone | Law::Frictionless => {}
            Law::MaxDissipation if contacts <= 1 => {}
            Law::MaxDissipation => {
                let what = format!("--reference with max-dissipation and {contacts} contacts");
                let remedy = "this is a cone program for one contact only; for many use --law cone or frictionless";
                return Err(Error::input("", what, remedy));
            }
            _ => {
                let what = format!("--reference with --law {law}");
                return Err(Error::input("", what, "it is for the convex laws: max-dissipation, cone, frictionless"));
            }
        }
    }
    Ok(())
}

fn printed(problem: &ContactProblem, law: Law, answer: &Answer, arguments: &Arguments) -> Printed {
    let report = &answer.report;
    let states = answer.states.iter().map(|&state| Some(state));
    let (solutions, excluded) = if arguments.all {
        let all = coulomb::solutions(&ContactBlock::new(problem.diagonal(0), problem.mu()[0]), &problem.b()[0]);
        let list = |list: &[Solution]| Some(list.iter().map(|solution| alternative(problem, solution)).collect());
        (list(all.admissible()), list(all.excluded()))
    } else {
        (None, None)
    };
    Printed {
        law,
        converged: report.status == Status::Converged && answer.uncertified == 0,
        status: report.status,
        sweeps: report.sweeps,
        residual: report.residual,
        natural_map: natural_map::merit(problem, law, &answer.impulses),
        energy_change: energy_change(problem, &answer.impulses),
        contacts: contacts(problem, &answer.impulses, states),
        solutions,
        excluded,
        reference: arguments.reference.then(|| reference(problem, law)),
    }
}

/// Without −0, which no contact at all would give.
fn energy_change(problem: &ContactProblem, impulses: &[Vec3]) -> f64 {
    problem.energy_change(impulses) + 0.0
}

fn contacts(
    problem: &ContactProblem,
    impulses: &[Vec3],
    states: impl Iterator<Item = Option<ContactState>>,
) -> Vec<Contact> {
    let velocities = problem.velocities(impulses);
    let each = impulses.iter().zip(&velocities).zip(problem.mu()).zip(states);
    each.map(|(((impulse, velocity), &mu), state)| Contact {
        state,
        impulse: (*impulse).into(),
        velocity: (*velocity).into(),
        mu,
    })
    .collect()
}

fn alternative(problem: &ContactProblem, solution: &Solution) -> Alternative {
    let impulses = [solution.impulse];
    Alternative {
        energy_change: energy_change(problem, &impulses),
        contacts: contacts(problem, &impulses, std::iter::once(Some(solution.state))),
    }
}

fn reference(problem: &ContactProblem, law: Law) -> Reference {
    let solution = match law {
        Law::MaxDissipation if problem.is_empty() => cone_program::cone_of_many(problem),
        Law::MaxDissipation => cone_program::max_dissipation(problem.diagonal(0), &problem.b()[0], problem.mu()[0]),
        Law::Frictionless => cone_program::cone_of_many(&problem.frictionless()),
        _ => cone_program::cone_of_many(problem),
    };
    Reference {
        solver: "clarabel",
        converged: solution.status != cone_program::Status::NotSolved,
        energy_change: energy_change(problem, &solution.impulses),
        contacts: contacts(problem, &solution.impulses, std::iter::repeat(None)),
    }
}

/// Says on standard error what went wrong; whether all is well.
fn tell(printed: &Printed, answer: &Answer, settings: &Settings) -> bool {
    let report = &answer.report;
    let (sweeps, residual, tolerance) = (report.sweeps, report.residual, settings.tolerance);
    let why = match report.status {
        Status::Converged => None,
        Status::SweepLimit => Some("the sweeps allowed are used up: raise --max-sweeps or --tolerance".to_string()),
        Status::NotFinite => Some("an impulse is not a finite number: scale the problem".to_string()),
        Status::Cycling => {
            let e = answer.largest_eccentricity;
            let reason = if e >= 1.0 { "there may be no solution" } else { "damping did not help" };
            Some(format!("the sweeps are cycling and the largest eccentricity ‖e‖ is {e:.3}: {reason}"))
        }
    };
    if let Some(why) = why {
        cli::warn(&format!(
            "warning: not converged: residual {residual:.1e} after {sweeps} sweeps (tolerance {tolerance:.0e}); {why}"
        ));
    }
    if answer.uncertified > 0 {
        let n = answer.uncertified;
        cli::warn(&format!(
            "warning: the law could not certify its answer of {n} contacts: A is nearly singular there"
        ));
    }
    let solved = printed.reference.as_ref().is_none_or(|reference| reference.converged);
    if !solved {
        cli::warn("warning: the reference (Clarabel) did not converge");
    }
    printed.converged && solved
}

/// The answer for reading, with all digits.
fn table(printed: &Printed) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| {
        writeln!(text, "{name:<15}{value}").expect("text can be written");
    };
    line("law", printed.law.to_string());
    line("converged", if printed.converged { "yes" } else { "no" }.to_string());
    line("sweeps", printed.sweeps.to_string());
    line("residual", format!("{:.3e} of the largest ‖b‖", printed.residual));
    if let Some(merit) = printed.natural_map {
        line("natural map", format!("{merit:.3e}"));
    }
    line("energy change", format!("{:.16e} J", printed.energy_change));
    rows(&mut text, &printed.contacts);
    let lists = [("solution", &printed.solutions), ("excluded jam", &printed.excluded)];
    for (name, alternatives) in lists {
        let count = alternatives.iter().flatten().count();
        for (k, alternative) in alternatives.iter().flatten().enumerate() {
            writeln!(text, "\n{name} {} of {count}", k + 1).expect("text can be written");
            writeln!(text, "{:<15}{:.16e} J", "energy change", alternative.energy_change).expect("text can be written");
            rows(&mut text, &alternative.contacts);
        }
    }
    if let Some(reference) = &printed.reference {
        let converged = if reference.converged { "converged" } else { "not converged" };
        writeln!(text, "\nreference      {}, {converged}", reference.solver).expect("text can be written");
        writeln!(text, "{:<15}{:.16e} J", "energy change", reference.energy_change).expect("text can be written");
        rows(&mut text, &reference.contacts);
    }
    text
}

fn rows(text: &mut String, contacts: &[Contact]) {
    if contacts.is_empty() {
        return;
    }
    let header = ["Λn in N·s", "Λt in N·s", "Λo in N·s", "δvn in m/s", "δvt in m/s", "δvo in m/s"];
    write!(text, "\n{:>7}  {:<10}  {:>8}", "contact", "state", "mu").expect("text can be written");
    header.iter().for_each(|name| write!(text, "  {name:>23}").expect("text can be written"));
    text.push('\n');
    for (j, contact) in contacts.iter().enumerate() {
        let state = match contact.state {
            Some(ContactState::Separating) => "separating",
            Some(ContactState::Sticking) => "sticking",
            Some(ContactState::Sliding) => "sliding",
            None => "",
        };
        write!(text, "{j:>7}  {state:<10}  {:>8}", contact.mu).expect("text can be written");
        for x in contact.impulse.iter().chain(&contact.velocity) {
            write!(text, "  {x:>23.16e}").expect("text can be written");
        }
        text.push('\n');
    }
}

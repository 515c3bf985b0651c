//! The command line: parse, call the library, print, and say how it went.
//!
//! Each command is one file with an `Arguments` struct and a function `run(&Arguments) -> Result<Outcome>`; it appears
//! here as one `mod` line, one variant of `Command` and one arm of `execute`. Machine-readable output goes to
//! standard output ([`print()`]), everything else to standard error.

mod check;
mod compare;
mod progress;
mod reproduce;
mod run;
mod scene_argument;
mod scenes;
mod solve;

use crate::error::Error;
use crate::error::Result;
use clap::Parser;
use clap::Subcommand;
use std::ffi::OsString;
use std::io;
use std::io::Write;
use std::path::PathBuf;

/// How a command ended; the exit code of the process follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done: exit code 0.
    Done,
    /// It ran, and something the user must know went wrong (not converged, a check failed): exit code 1.
    Wrong,
    /// The input, or the command line itself, is unusable; nothing was printed to standard output: exit code 2.
    Unusable,
}

impl Outcome {
    /// The exit code of the process.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Wrong => 1,
            Self::Unusable => 2,
        }
    }
}

/// Nonsmooth rigid-body dynamics with purely inelastic impacts, by the maximum dissipation principle.
///
/// Exit codes: 0 done; 1 ran, and something you must know went wrong; 2 unusable input.
#[derive(Debug, Parser)]
#[command(name = "maxdiss", version, arg_required_else_help = true, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::Arguments),
    Compare(compare::Arguments),
    Check(check::Arguments),
    Scenes(scenes::Arguments),
    Reproduce(reproduce::Arguments),
    Solve(solve::Arguments),
}

fn execute(command: &Command) -> Result<Outcome> {
    match command {
        Command::Run(arguments) => run::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Scenes(arguments) => scenes::run(arguments),
        Command::Reproduce(arguments) => reproduce::run(arguments),
        Command::Solve(arguments) => solve::run(arguments),
    }
}

/// Runs the command line `args` (the program's name first); prints what there is to print, faults to standard error.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Outcome {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(usage) => {
            // Help and version go to standard output, the rest to standard error. A closed pipe is no fault.
            let _ = usage.print();
            return if usage.use_stderr() { Outcome::Unusable } else { Outcome::Done };
        }
    };
    execute(&cli.command).unwrap_or_else(|error| {
        // Each fault on a line of its own, so that every line says what it is.
        for line in error.to_string().lines() {
            warn(&format!("error: {line}"));
        }
        Outcome::Unusable
    })
}

/// Writes `text` to standard output. A reader that stopped reading (`| head`) is no fault.
///
/// # Errors
///
/// [`Error::Io`] if standard output cannot be written, such as a full disk behind a redirection.
pub fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(source) if source.kind() != io::ErrorKind::BrokenPipe => {
            Err(Error::Io { path: PathBuf::from("standard output"), source })
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error; there is nowhere to report that this failed.
pub fn warn(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_of_the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn an_unknown_command_is_unusable_input() {
        let outcome = run(["maxdiss", "levitate"].map(OsString::from));
        assert_eq!(outcome.code(), 2);
    }
}

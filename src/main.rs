//! The command line `maxdiss`: maps the outcome of `cli::run` to an exit code and holds nothing else.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

use maxdiss::cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(cli::run(std::env::args_os()).code())
}

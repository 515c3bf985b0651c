//! What can be wrong with what the user gave, said so that it can be mended.
//!
//! A [`Fault`] names the file, the place in it, what is wrong (with the value) and what would be right. All faults of
//! one input are collected into one [`Error::Input`].

use std::fmt;
use std::path::PathBuf;

/// One thing that is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Fault {
    /// File the fault is in; empty where the input is not a file.
    pub file: String,
    /// Line, counted from 1, where known.
    pub line: Option<usize>,
    /// Key path or place in the input, such as `bodies[3].mass` or `block (2, 1)`; may be empty.
    pub key: String,
    /// What is wrong, with the offending value.
    pub what: String,
    /// What would be right.
    pub remedy: String,
}

impl Fault {
    /// A fault at `key`, in no file yet (see [`Fault::in_file`]).
    pub fn new(key: impl Into<String>, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { key: key.into(), what: what.into(), remedy: remedy.into(), ..Self::default() }
    }

    /// The same fault, said to be in `file`.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.file = file.into();
        self
    }

    /// The same fault, said to be at `line` (counted from 1).
    #[must_use]
    pub fn at_line(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}", self.file)?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            write!(f, ": ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        write!(f, "{}", self.what)?;
        if !self.remedy.is_empty() {
            write!(f, "; {}", self.remedy)?;
        }
        Ok(())
    }
}

/// Why a call could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is unusable: every fault that was found, in the order of the input.
    #[error("{}", list(.0))]
    Input(Vec<Fault>),
    /// A file could not be read or written.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Error {
    /// An input error with a single fault.
    pub fn input(key: impl Into<String>, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Input(vec![Fault::new(key, what, remedy)])
    }

    /// The same error with every fault said to be in `file`.
    #[must_use]
    pub fn in_file(self, file: &str) -> Self {
        match self {
            Self::Input(faults) => Self::Input(faults.into_iter().map(|fault| fault.in_file(file)).collect()),
            io @ Self::Io { .. } => io,
        }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Input(vec![fault])
    }
}

fn list(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Result with this crate's [`enum@Error`].
pub type Result<T> = std::result::Result<T, Error>;

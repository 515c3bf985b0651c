//! What a run is asked for, what it tells while it runs, and what it comes to.

use crate::error::Error;
use crate::law::Law;
use crate::recorder::Manifest;
use std::path::PathBuf;

/// What a run is asked for beside its scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// The law.
    pub law: Law,
    /// The run directory; new or empty, or one to go on with.
    pub out: PathBuf,
    /// Directory that the paths of the scene are relative to.
    pub base: PathBuf,
    /// Number of threads.
    pub threads: usize,
    /// Whether to go on from the checkpoint in `out`.
    pub resume: bool,
    /// Simulated time in s at which the contact problem of a step is written, in every format.
    pub dump_problem: Option<f64>,
}

/// Where a run stands, after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Steps made.
    pub step: u64,
    /// Steps in all.
    pub steps: u64,
    /// Simulated time in s.
    pub time: f64,
    /// Contacts of the step.
    pub contacts: usize,
    /// Sweeps of the step.
    pub sweeps: usize,
    /// Residual of the step, by its scale.
    pub residual: f64,
}

/// What a run came to.
#[derive(Debug)]
pub struct Summary {
    /// The manifest, as it was written at the end.
    pub manifest: Manifest,
    /// What the user should know of how it began, such as a checkpoint that had to be left aside.
    pub notes: Vec<String>,
    /// What ended the run early, such as a full disk; what was recorded before stays readable.
    pub failure: Option<Error>,
    /// Whether more steps missed their tolerance than the scene allows, or the motion broke down.
    pub failed: bool,
}

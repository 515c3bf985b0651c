//! `manifest.json`: what was run, with which settings, and what it came to.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::law::Law;
use crate::recorder::atomic;
use crate::recorder::checkpoint::checksum;
use crate::recorder::totals::Totals;
use crate::scene::Scene;
use crate::simulation::CompliantLaw;
use crate::simulation::Settings;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It runs, or was killed.
    Running,
    /// It was stopped before its end; `--resume` goes on.
    Interrupted,
    /// It has reached its end.
    Done,
}

/// The contents of `manifest.json`. It names no host and no user.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Manifest {
    /// `maxdiss`.
    pub program: String,
    /// Version of the program.
    pub version: String,
    /// Name of the scene.
    pub name: String,
    /// Hash of the scene, see [`scene_hash`].
    pub scene_hash: String,
    /// The scene with every default filled in.
    pub scene: Value,
    /// The law.
    pub law: Law,
    /// The settings of the stepping.
    pub settings: Settings,
    /// The force law under `penalty`: given or derived parameters of each pair of materials.
    pub compliant: Option<CompliantLaw>,
    /// Bodies that are there, walls included.
    pub bodies: usize,
    /// Threads of the last part of the run.
    pub threads: usize,
    /// How often the run was resumed.
    pub resumed: u32,
    /// Begin, in s since 1970.
    pub started_unix_s: u64,
    /// Time taken by all parts of the run, in s.
    pub wall_s: f64,
    /// How far it has come.
    pub status: Status,
    /// Simulated time in s.
    pub time_s: f64,
    /// Sums and extremes over the steps.
    pub totals: Totals,
    /// What the user must know.
    pub warnings: Vec<String>,
}

impl Manifest {
    /// Writes the manifest of the run directory `dir`.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] with the path.
    pub fn write(&self, dir: &Path) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest has text keys only");
        text.push('\n');
        atomic::write(&dir.join("manifest.json"), text.as_bytes())
    }

    /// Reads the manifest of the run directory `dir`.
    ///
    /// # Errors
    ///
    /// [`Error::Io`]; [`Error::Input`] if it is no manifest of this program.
    pub fn read(dir: &Path) -> Result<Self> {
        let path = dir.join("manifest.json");
        let text = fs::read_to_string(&path).map_err(|source| Error::Io { path: path.clone(), source })?;
        serde_json::from_str(&text).map_err(|error| {
            let fault = Fault::new("", format!("is no manifest of this program: {error}"), "give a run directory");
            Error::from(fault.in_file(path.display().to_string()))
        })
    }
}

/// Hash of all of a scene that its motion and its tables depend on: all but the duration, the interval of the
/// checkpoints and the description.
pub fn scene_hash(scene: &Scene) -> String {
    let mut scene = scene.clone();
    scene.duration = 0.0;
    scene.output.checkpoint = 0.0;
    scene.description.clear();
    let text = serde_json::to_string(&scene).expect("a scene has text keys only");
    format!("fnv1a-64:{:016x}", checksum(text.as_bytes()))
}

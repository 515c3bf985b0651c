//! The experiments of `paper-results`: one file each, with two functions.
//!
//! ```text
//! simulate(preset, kept) ──▶ tables ──CSV──▶ present(tables) ──▶ figures, pictures, README
//! ```
//!
//! `present` sees the tables alone, as they are read back, so that figures and text can be drawn again from the numbers
//! and no number in a README is typed by hand.

mod adhesion_loop;
mod body;
mod collapse;
mod compare;
mod compliant_tip;
mod conic_sections;
mod dissipation_gap;
mod drum;
mod flow;
mod friction_direction;
mod hopper;
mod kept;
mod non_uniqueness;
mod page;
mod painleve;
mod painleve_jam;
mod painleve_run;
mod restitution;
mod rod_impact;
mod rod_impact_compliant;
mod setup;
mod sliding_blocks;
mod sliding_sphere;
mod statistics;
mod stiffness_limit;
mod stiffness_limit_figures;
mod store;

pub use kept::Kept;
pub use page::Claim;
pub use page::Presentation;
pub use page::index;
pub use store::Case;
pub use store::Record;

use crate::error::Error;
use crate::error::Result;
use crate::figure::Table;
use std::fmt;
use std::str::FromStr;

/// How much is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// Seconds: enough to see the effect.
    Quick,
    /// What is published.
    Full,
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Quick => "quick",
            Self::Full => "full",
        })
    }
}

impl FromStr for Preset {
    type Err = String;

    fn from_str(name: &str) -> std::result::Result<Self, String> {
        match name {
            "quick" => Ok(Self::Quick),
            "full" => Ok(Self::Full),
            _ => Err(format!("unknown preset \"{name}\"; the presets are quick, full")),
        }
    }
}

/// The tables of an experiment, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tables(Vec<(String, Table)>);

impl Tables {
    /// No tables yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more table.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, table: Table) -> Self {
        self.0.push((name.into(), table));
        self
    }

    /// The table of that name.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn get(&self, name: &str) -> Result<&Table> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, table)| table).ok_or_else(|| {
            Error::input(format!("table {name}"), "is missing", "compute the experiment again with --force")
        })
    }

    /// All tables with their names, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Table)> {
        self.0.iter().map(|(name, table)| (name.as_str(), table))
    }
}

/// One experiment.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name: on the command line and of its folder.
    pub name: &'static str,
    /// What it asks, in a sentence.
    pub question: &'static str,
    /// Computes its tables; the same on every run and for any number of threads. Results of finished cases are kept.
    pub simulate: fn(Preset, &Kept) -> Result<Tables>,
    /// Figures and text from its tables.
    pub present: fn(&Tables) -> Result<Presentation>,
}

/// All experiments, in the order in which they are read.
pub const ALL: [Experiment; 14] = [
    conic_sections::EXPERIMENT,
    non_uniqueness::EXPERIMENT,
    dissipation_gap::EXPERIMENT,
    friction_direction::EXPERIMENT,
    sliding_blocks::EXPERIMENT,
    rod_impact::EXPERIMENT,
    painleve::EXPERIMENT,
    sliding_sphere::EXPERIMENT,
    hopper::EXPERIMENT,
    drum::EXPERIMENT,
    collapse::EXPERIMENT,
    restitution::EXPERIMENT,
    adhesion_loop::EXPERIMENT,
    stiffness_limit::EXPERIMENT,
];

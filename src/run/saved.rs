//! What a checkpoint of a run holds.

use crate::law::Law;
use crate::recorder::Totals;
use crate::simulation::Memory;
use crate::world::World;

/// Everything that going on needs, to be written.
#[derive(serde::Serialize)]
pub(super) struct Saving<'a> {
    pub(super) scene_hash: &'a str,
    pub(super) law: Law,
    pub(super) names: &'a [String],
    pub(super) world: &'a World,
    pub(super) memory: &'a Memory,
    pub(super) totals: &'a Totals,
    pub(super) resumed: u32,
    pub(super) started_unix_s: u64,
    pub(super) wall_s: f64,
}

/// The same, read; the fields have the same names.
#[derive(serde::Deserialize)]
pub(super) struct Saved {
    pub(super) scene_hash: String,
    pub(super) law: Law,
    pub(super) names: Vec<String>,
    pub(super) world: World,
    pub(super) memory: Memory,
    pub(super) totals: Totals,
    pub(super) resumed: u32,
    pub(super) started_unix_s: u64,
    pub(super) wall_s: f64,
}

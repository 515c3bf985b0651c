//! What a run writes and how it is read back: the run directory.
//!
//! ```text
//! run/  manifest.json        program, scene with every default, law, settings, totals, warnings
//!       steps.csv            a row a step or a sampled step
//!       frames/, frames.pvd  particles and contacts for ParaView
//!       checkpoint.bin       everything that going on needs; checkpoint-previous.bin: the one before
//!       tables/              tracks of bodies, what has come and gone, contact items and masses, what analyses produce
//!       final.csv            the last state of each body
//! ```
//!
//! Whatever interrupts a run, what is there can be read up to the last complete record: tables grow by whole lines,
//! everything else is written beside its place and then renamed.

mod atomic;
mod bodies;
mod checkpoint;
mod clouds;
mod flow;
mod frames;
mod items;
mod manifest;
mod recording;
mod table;
mod totals;
mod vtu;

pub use atomic::write as write_atomically;
pub use bodies::read_final;
pub use bodies::write_final;
pub use checkpoint::Checkpoint;
pub use checkpoint::Loaded;
pub use clouds::contacts;
pub use clouds::particles;
pub use flow::FLOW_COLUMNS;
pub use frames::Frames;
pub use frames::read as read_frames;
pub use items::CONTACT_COLUMNS;
pub use items::MASS_COLUMNS;
pub use manifest::Manifest;
pub use manifest::Status;
pub use manifest::scene_hash;
pub use recording::Recording;
pub use recording::STEP_COLUMNS;
pub use recording::TRACK_COLUMNS;
pub use table::TableWriter;
pub use table::read_table;
pub use totals::Totals;
pub use vtu::Array;
pub use vtu::Cloud;

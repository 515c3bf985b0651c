//! A run: the loop over the steps, with recording, checkpoints, a clean end when it is stopped, and going on.
//!
//! ```text
//! begin or resume ▶ [ step ▶ totals ▶ record ▶ checkpoint ]… ▶ last checkpoint, final.csv, manifest
//! ```

pub mod comparison;

mod directory;
mod dump;
mod execute;
mod options;
mod saved;

pub use execute::execute;
pub use options::Options;
pub use options::Progress;
pub use options::Summary;

//! A world in time: the step, its settings, its memory and its ledger.

mod build;
mod ledger;
mod memory;
mod record;
mod scratch;
mod settings;
mod step;

pub use build::BodyState;
pub use build::Built;
pub use build::build;
pub use ledger::Ledger;
pub use ledger::Work;
pub use memory::Memory;
pub use memory::Remembered;
pub use record::StepRecord;
pub use settings::Correction;
pub use settings::Settings;
pub use step::Simulation;

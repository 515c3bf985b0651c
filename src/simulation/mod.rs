//! A world in time: the step, its settings, its memory and its ledger.

mod build;
mod compliance;
mod compliant;
mod ledger;
mod memory;
mod problem;
mod record;
mod scratch;
mod settings;
mod step;
mod threads;

pub use build::BodyState;
pub use build::Built;
pub use build::build;
pub use build::settings;
pub use compliance::Compliance;
pub use compliance::CompliantLaw;
pub use compliance::MaterialCompliance;
pub use ledger::Ledger;
pub use ledger::Work;
pub use memory::Memory;
pub use memory::Remembered;
pub use problem::contact_problem;
pub use record::StepRecord;
pub use settings::Correction;
pub use settings::Settings;
pub use step::Simulation;
pub use threads::available_threads;
pub use threads::in_threads;

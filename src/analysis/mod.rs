//! What a flow shows in the large: fields on a grid, rates, angles, and what the contacts do. Pure functions on slices;
//! nothing here steps a simulation or touches a file.
//!
//! ```text
//! bodies, contacts, impulses of a step ──▶ fields · coordination · forces · friction
//! series over time, samples over seeds ──▶ rates, fits, paired differences
//! ```

mod coordination;
mod deposit;
mod discharge;
mod dissipation;
mod fields;
mod fit;
mod forces;
mod friction;
mod grid;
mod paired;
mod repose;
mod spread;
mod student;
mod surface;

pub use coordination::Coordination;
pub use coordination::coordination;
pub use deposit::RunOut;
pub use deposit::edge;
pub use deposit::largest_cluster;
pub use deposit::radius_of_share;
pub use deposit::run_out;
pub use discharge::Rate;
pub use discharge::rate;
pub use dissipation::Dissipated;
pub use fields::Bodies;
pub use fields::Fields;
pub use fit::Line;
pub use fit::line;
pub use fit::power_law;
pub use forces::force_distribution;
pub use friction::FrictionSummary;
pub use friction::Touch;
pub use friction::friction;
pub use friction::touches;
pub use grid::Grid;
pub use paired::Difference;
pub use paired::Sample;
pub use paired::difference;
pub use paired::holm;
pub use repose::Angle;
pub use repose::angle_of_repose;
pub use student::quantile as student_quantile;
pub use student::two_sided;
pub use surface::highest;
pub use surface::topmost_crossing;

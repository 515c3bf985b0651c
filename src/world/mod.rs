//! The state of a world: bodies in flat arrays, materials, gravity, loads and drives.

mod body;
mod build;
mod drive;
mod population;
mod state;

pub use body::Body;
pub use body::Motion;
pub use body::Velocity;
pub use drive::Drive;
pub use drive::Oscillation;
pub use drive::Path;
pub use drive::Swing;
pub use drive::Turn;
pub use population::REMOVED;
pub use state::Driven;
pub use state::MotionMut;
pub use state::World;

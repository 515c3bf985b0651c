//! The state of a world: bodies in flat arrays, materials, gravity, loads and drives.

mod body;
mod build;
mod state;

pub use body::Body;
pub use body::Drive;
pub use body::Motion;
pub use body::Velocity;
pub use state::MotionMut;
pub use state::World;

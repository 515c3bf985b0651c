//! Shapes of bodies and walls, in their own frame, and their mass properties.
//!
//! A shape is described in its body's frame. For solids the origin is the centre of mass, so a body's position is
//! where its weight acts; walls (unbounded shapes) have no mass and put the origin where their definition says.

mod bounds;
mod kind;
mod mass;
mod scale;
mod union;
mod validate;

pub use bounds::Aabb;
pub use kind::Ball;
pub use kind::Shape;
pub use mass::MassProperties;

//! Compliant contact items and a self-contained system that holds them.
//!
//! Three items, each with its own history: [`SphereSphere`] (also a sphere in a hollow sphere), [`SphereTorus`] (a ball
//! in a groove) and [`Coordinate`] (a stop for one coordinate). They act between two markers, 0 and 1, that are
//! attached to bodies, to ground ([`Attachment`]) or to coordinates ([`CoordinateOf`]). A [`System`] holds bodies,
//! masses and items and is stepped by a [`crate::integrator::Integrator`].
//!
//! ```text
//! detect ▶ forces ▶ integrate ▶ update history
//! ```
//!
//! For whole scenes [`contacts`] puts the force law on the contacts that detection finds.
//!
//! The force laws are in [`crate::law::penalty`].

mod attachment;
pub mod contacts;
mod dynamics;
mod output;
mod sphere_sphere;
mod sphere_torus;
mod system;

pub use attachment::Attachment;
pub use attachment::BodyHandle;
pub use attachment::CoordinateOf;
pub use attachment::MassHandle;
pub use contacts::ContactHistory;
pub use output::Output;
pub use output::OutputVariable;
pub use output::Power;
pub use system::Configuration;
pub use system::ItemHandle;
pub use system::Mass1D;
pub use system::RigidBody;
pub use system::System;

pub use crate::law::penalty::item::Coordinate;
pub use crate::law::penalty::item::SphereSphere;
pub use crate::law::penalty::item::SphereTorus;
pub use crate::law::penalty::item::Visualization;

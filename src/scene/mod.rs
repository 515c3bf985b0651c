//! The description of a scene: what is in it, how it starts, how long it runs, what is written down.
//!
//! A scene is a TOML file of `version = 1`, or a text of the [`catalogue`]. This module parses: it knows keys, units
//! and ranges, and tells every fault of a file at once with its line ([`parse`]). What needs geometry (does a fill
//! fit, do bodies overlap at the start) is checked where the world is built. A scene says nothing of laws: the same
//! scene runs under each of them.
//!
//! The documentation of the fields below is the documentation of the keys of the file; keys have the same names.

pub mod catalogue;

mod contacts;
mod decode;
mod description;
mod events;
mod fields;
mod fill;
mod items;
mod motion;
mod names;
mod overrides;
mod shapes;
mod source;
#[cfg(test)]
mod tests;

pub use contacts::Contact;
pub use contacts::CoordinateMarker;
pub use contacts::Item;
pub use contacts::Marker;
pub use contacts::Mass;
pub use contacts::Method;
pub use contacts::Stepping;
pub use decode::MAX_BODIES;
pub use decode::MAX_BYTES;
pub use decode::parse;
pub use description::Body;
pub use description::Correction;
pub use description::Initial;
pub use description::Material;
pub use description::Motion;
pub use description::Numerics;
pub use description::Origin;
pub use description::Output;
pub use description::Pair;
pub use description::Scene;
pub use events::Events;
pub use events::Inlet;
pub use events::Opening;
pub use events::Outlet;
pub use events::Side;
pub use fill::Arrangement;
pub use fill::Fill;
pub use fill::Region;
pub use fill::Size;

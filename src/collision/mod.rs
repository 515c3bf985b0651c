//! From the geometry of a world to its sorted contacts.
//!
//! ```text
//! broad phase    pairs of bodies whose bounds come within the margin      (linear work, parallel)
//! sort           pairs by (a, b)
//! narrow phase   contacts of each pair with ξ < margin, by feature        (one file a pair of shapes)
//! ```
//!
//! The contacts and their order are a function of the geometry alone: neither what was detected before nor the number
//! of threads can be seen in them.

mod broad;
mod contact;
mod detector;
mod geometry;
mod kept;
pub mod narrow;

pub use contact::Contact;
pub use detector::Detector;
pub use geometry::Geometry;
pub use geometry::Margin;
pub use geometry::image_shift;
pub use geometry::travel;
pub use geometry::unsupported_pairs;
pub use narrow::supported;

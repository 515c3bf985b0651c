//! The parameters of the three contact items: which force law acts, and between which shapes.
//!
//! Plain data with its checks; the items themselves, attached to bodies and stepped, are in `crate::penalty`.

mod coordinate;
mod parameters;
mod sphere_sphere;
mod sphere_torus;

pub use coordinate::Coordinate;
pub use parameters::Visualization;
pub(crate) use parameters::unit_vector;
pub use sphere_sphere::SphereSphere;
pub use sphere_torus::SphereTorus;

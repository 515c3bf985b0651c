//! A contact problem (A, b, μ) by itself: many contacts, no bodies, no time.
//!
//! ```text
//! δv⁺ = AΛ − b,   A symmetric, of 3×3 blocks, one block row and one block column per contact, components (n, t, o)
//! ```
//!
//! Three file formats state such a problem, all read from bytes by [`read`], which tells them apart by their content:
//! JSON ([`json`]), the text format of Siconos ([`siconos`]) and the HDF5 format of FCLIB ([`fclib`]). The last two state
//! u = W r + q, so A = W and b = −q, or the global problem in the velocities of bodies, which is reduced to the contacts.

mod contact_problem;
pub mod fclib;
mod format;
mod global;
pub mod json;
pub mod siconos;
mod sparse;

pub use contact_problem::Block;
pub use contact_problem::ContactProblem;
pub use format::read;

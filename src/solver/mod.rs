//! Many contacts: nonlinear block Gauss–Seidel over the contacts of a world.
//!
//! ```text
//! prepare   colours, contact frames, arms, Delassus blocks           once a step
//! load      velocities, corrections c, impulses to start from        once a stage
//! solve     visit the contacts, colour by colour, until the residual is small:
//!             b = −(δv without Λ),   Λ ← law(b, c),   Δv = M⁻¹ W ΔΛ
//! store     velocities, impulses and states                          once a stage
//! ```
//!
//! A sweep is a fixed-point map of the impulses. What accelerates it (nonlinear conjugate gradients over sweeps) or
//! replaces it (a second-order method on the active set) acts on the same prepared contacts, between `load` and `store`.
//!
//! A contact problem without bodies, its matrix given, is solved by [`assembled`] and judged by [`natural_map`].
//!
//! [`cone_program`] solves the convex laws by other means (Clarabel), as their reference.

mod acceleration;
pub mod assembled;
mod ball;
mod bodies;
mod colouring;
pub mod cone_program;
mod contacts;
mod damping;
mod general;
pub mod natural_map;
mod order;
mod report;
mod rule;
mod stage;
mod tally;

pub use contacts::ContactSolver;
pub use report::Report;
pub use report::Status;
pub use stage::Criteria;
pub use stage::Outcome;
pub use stage::Stage;

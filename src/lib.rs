//! Nonsmooth rigid-body dynamics with purely inelastic impacts, by the maximum dissipation principle.
//!
//! For each contact the impulse Λ = (Λn, Λt, Λo) in N·s is the solution of
//!
//! ```text
//! minimise    ½ ΛᵀAΛ − bᵀΛ                      (the change of kinetic energy when b = −δv⁻)
//! subject to  ‖(Λt, Λo)‖ ≤ μ Λn,  Λn ≥ 0        (friction cone)
//!             (AΛ − b)n = 0   if bn > 0         (colliding: the normal velocity ends at zero)
//!             Λ = 0           if bn ≤ 0         (separating: no pull, no added pressure)
//! ```
//!
//! with A the 3×3 Delassus block and δv⁺ = AΛ − b the relative contact velocity after the impulse. The solution
//! is unique and analytic ([`law::max_dissipation`]).
//!
//! # Architecture
//!
//! A module names only modules on strictly lower floors; a test (`tests/floors.rs`) holds the source to this.
//!
//! | floor | module | what lives there |
//! |---|---|---|
//! | 9 | `main` (a thin shell), [`cli`] | parse, call the library, print, exit code |
//! | 8 | [`experiment`] | the experiments: what they compute, and figures and text from their tables |
//! | 8 | [`plot`] | figures to SVG, PDF and PNG, pictures of bodies to PNG; never simulates |
//! | 7 | [`run`] | the loop: step, record, checkpoint, Ctrl-C, resume |
//! | 6 | [`analysis`] | fields on a grid, rates, angles, run-out, coordination, what friction does; samples and differences |
//! | 6 | [`recorder`] | what a run writes and how it is read back: tables, frames, checkpoint |
//! | 5 | [`simulation`] | `Simulation`: a world, its memory and its settings; the step, the ledger; contact items of scenes |
//! | 4 | [`solver`] | many contacts: Delassus blocks, colouring, Gauss–Seidel, residuals, cone-program reference |
//! | 4 | [`penalty`] | compliant contact items, with their history, and a small system that holds them |
//! | 3 | [`scene`] | the scene description, parsing only, and the named catalogue |
//! | 3 | [`collision`] | geometry to sorted contacts |
//! | 3 | [`integrator`] | impulse stepping: free velocity, gyroscopic term, advance; compliant stepping over a trait `System`: explicit, generalised-α |
//! | 2 | [`problem`] | a contact problem (A, b, μ) and its file formats, on bytes |
//! | 2 | [`world`] | bodies, materials in use, drives: plain serialisable state |
//! | 2 | [`figure`] | what a figure and a table show, as plain data |
//! | 1 | [`shape`], [`material`] | shapes and their mass properties; friction and stiffness |
//! | 1 | [`law`] | one contact: the impulse laws, the compliant force laws; a law never sees the world |
//! | 0 | [`math`], [`error`] | vectors, contact frame, quaternion exponential, polynomial roots, numbers in lanes; error kinds |
//!
//! # Conventions
//!
//! SI units, three dimensions, `f64`. The contact normal points from body b to body a; impulses act with + on a and
//! with − on b; δv is the velocity of a minus that of b at the contact point. Contact components are ordered
//! (normal, tangential, orthogonal). Gaps are negative when overlapping. Vectors carry their frame where it matters:
//! `_w` inertial, `_b` body, `_c` contact.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod analysis;
pub mod cli;
pub mod collision;
pub mod error;
pub mod experiment;
pub mod figure;
pub mod integrator;
pub mod law;
pub mod material;
pub mod math;
pub mod penalty;
pub mod plot;
pub mod problem;
pub mod recorder;
pub mod run;
pub mod scene;
pub mod shape;
pub mod simulation;
pub mod solver;
pub mod world;

//! Time stepping.
//!
//! Impulse stepping of one body, by [`free_velocity`] and [`advance`]:
//!
//! ```text
//! free velocity   v_f = v + δt f/m,   ω_f = ω + δt I⁻¹(τ − ω × Iω)
//! advance         x⁺ = x + δt v⁺,     q⁺ = exp(δt ω⁺/2) q
//! ```
//!
//! Compliant contacts: explicit methods and generalised-α over a [`System`], with contact events and stability limits
//! ([`compliant`], [`stability`]).

pub mod compliant;
mod explicit;
mod generalised_alpha;
mod gyroscopic;
pub mod rotation;
pub mod stability;
mod stepping;
pub mod system;

pub use compliant::Events;
pub use compliant::Integrator;
pub use compliant::Method;
pub use compliant::Moment;
pub use compliant::Report;
pub use compliant::Settings;
pub use gyroscopic::Gyroscopic;
pub use stepping::advance;
pub use stepping::advance_slightly;
pub use stepping::free_velocity;
pub use stepping::free_velocity_of;
pub use system::Crossing;
pub use system::Mode;
pub use system::State;
pub use system::System;

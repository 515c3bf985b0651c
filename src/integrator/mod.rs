//! Impulse stepping of one body: the velocity without contacts, the gyroscopic term, and the move.
//!
//! ```text
//! free velocity   v_f = v + δt f/m,   ω_f = ω + δt I⁻¹(τ − ω × Iω)
//! advance         x⁺ = x + δt v⁺,     q⁺ = exp(δt ω⁺/2) q
//! ```

mod gyroscopic;
mod stepping;

pub use gyroscopic::Gyroscopic;
pub use stepping::advance;
pub use stepping::free_velocity;

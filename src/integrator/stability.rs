//! The largest step with which an explicit method stays bounded.
//!
//! For m ẍ + c ẋ + k x = 0 with ω² = k/m and γ = c/m = 2ζω:
//!
//! ```text
//! semi-implicit Euler                      δt < (2/ω)(√(1 + ζ²) − ζ)   = 4/(√(4ω² + γ²) + γ)
//! velocity Verlet, stored acceleration
//!   and predicted velocity                 the same with 2ζ            = 2/(√(ω² + γ²) + γ)
//! Runge–Kutta of order 4                   δt |λ|max < 2.6156
//!                                          |λ|max = ω for ζ ≤ 1, else ω(ζ + √(ζ² − 1))
//! generalised-α                            none
//! ```
//!
//! The right-hand forms hold for ω = 0 too (pure relaxation, as by friction).

use crate::error::Fault;
use crate::integrator::Method;
use crate::integrator::Mode;

/// Radius of the half disc in the left half plane within which the Runge–Kutta method of order 4 is stable.
const RUNGE_KUTTA_RADIUS: f64 = 2.6156;

/// The largest stable step in s of `method` for `mode`; infinite where there is none.
pub fn limit(method: &Method, mode: &Mode) -> f64 {
    let (k, c) = (mode.stiffness, mode.damping);
    match method {
        Method::SemiImplicitEuler => 4.0 / ((4.0 * k + c * c).sqrt() + c),
        Method::VelocityVerlet => 2.0 / ((k + c * c).sqrt() + c),
        Method::RungeKutta4 => {
            let lambda = if c * c <= 4.0 * k { k.sqrt() } else { 0.5 * (c + (c * c - 4.0 * k).sqrt()) };
            RUNGE_KUTTA_RADIUS / lambda
        }
        Method::GeneralisedAlpha { .. } => f64::INFINITY,
    }
}

/// Says whether `step` (s) is below the limit of every mode; the fault names the strictest.
pub fn check(method: &Method, step: f64, modes: &[Mode]) -> Result<(), Fault> {
    let strictest = modes.iter().map(|mode| (limit(method, mode), mode)).min_by(|a, b| a.0.total_cmp(&b.0));
    match strictest {
        Some((limit, mode)) if step >= limit => Err(Fault::new(
            "step",
            format!(
                "{step:e} s is not below the stability limit {limit:.4e} s of {} under {}",
                mode.name,
                method.name()
            ),
            format!("take a step below {limit:.4e} s, or generalised-alpha, or override the check"),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_torus_example_needs_a_step_below_1_83e_4() {
        let mode = Mode { name: "groove".into(), stiffness: 1e6 / 0.1, damping: 1e3 / 0.1 };
        let fault = check(&Method::SemiImplicitEuler, 1e-3, std::slice::from_ref(&mode)).unwrap_err();
        assert!(fault.what.contains("1.8322e-4 s of groove"), "{fault}");
        assert!(check(&Method::SemiImplicitEuler, 1.8e-4, &[mode]).is_ok());
    }

    #[test]
    fn without_stiffness_the_limit_is_that_of_relaxation() {
        let mode = Mode { name: "friction".into(), stiffness: 0.0, damping: 100.0 };
        for (method, expected) in
            [(Method::SemiImplicitEuler, 0.02), (Method::VelocityVerlet, 0.01), (Method::RungeKutta4, 0.026_156)]
        {
            let measured = limit(&method, &mode);
            assert!((measured - expected).abs() < 1e-15, "{method:?}: {measured} for {expected}");
        }
    }
}

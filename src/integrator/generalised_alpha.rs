//! One step of the generalised-α method on a Lie group, solved by Newton iteration, with the contact states frozen.
//!
//! ```text
//! v̇⁺ = a(t⁺, q⁺, v⁺)
//! (1 − α_m) A⁺ + α_m A = (1 − α_f) v̇⁺ + α_f v̇
//! q⁺ = q ∘ exp(δt v + δt² ((½ − β) A + β A⁺)),   v⁺ = v + δt ((1 − γ) A + γ A⁺)
//! α_m = (2ρ − 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = ½ + α_f − α_m,  β = ¼ (γ + ½)²
//! ```
//!
//! [Chung & Hulbert 1993], [Brüls & Cardona 2010]; ρ is the spectral radius at infinite frequency. The unknown is v̇⁺,
//! the residual v̇⁺ − a. Its Jacobian is formed by central differences and kept as long as the iteration contracts well
//! with it.

use crate::integrator::State;
use crate::integrator::System;
use nalgebra::DMatrix;
use nalgebra::DVector;
use nalgebra::Dyn;
use nalgebra::LU;

/// Newton iterations of one step before it is given up; quadratic convergence needs under ten.
const MAX_ITERATIONS: usize = 40;
/// An old Jacobian is replaced when an iteration shrinks the residual by less than this.
const WANTED_CONTRACTION: f64 = 0.1;
/// The iteration has converged when the residual is below this part of the largest acceleration (or of
/// [`LEAST_SCALE`]) …
const TOLERANCE: f64 = 1e-11;
/// … or below this part and no longer falling: round-off of a stiff contact.
const ROUND_OFF_TOLERANCE: f64 = 1e-7;

/// In equilibrium accelerations vanish though the forces that make them do not: a residual is measured against at least
/// this, in m/s².
const LEAST_SCALE: f64 = 1.0;

/// Coefficients of the method for a spectral radius.
#[derive(Clone, Copy, Debug)]
struct Coefficients {
    alpha_m: f64,
    alpha_f: f64,
    gamma: f64,
    beta: f64,
}

impl Coefficients {
    fn new(rho: f64) -> Self {
        let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        let gamma = 0.5 + alpha_f - alpha_m;
        Self { alpha_m, alpha_f, gamma, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5) }
    }
}

/// Buffers and the factorised Jacobian of the last steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newton {
    unknown: Vec<f64>,
    motion: Vec<f64>,
    acceleration: Vec<f64>,
    residual: Vec<f64>,
    jacobian: Option<(f64, LU<f64, Dyn, Dyn>)>,
    /// Newton iterations so far.
    pub(crate) iterations: usize,
}

/// A step that Newton's method did not solve: the residual left, relative to the largest acceleration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotConverged(pub(crate) f64);

impl Newton {
    pub(crate) fn resize(&mut self, n: usize) {
        for buffer in [&mut self.unknown, &mut self.motion, &mut self.acceleration, &mut self.residual] {
            buffer.resize(n, 0.0);
        }
    }

    /// Forgets the Jacobian, as when contact states change.
    pub(crate) fn forget(&mut self) {
        self.jacobian = None;
    }

    /// One step from `from`, whose accelerations are known, over `h` seconds into `to`.
    pub(crate) fn step<S: System>(
        &mut self,
        system: &S,
        rho: f64,
        from: &State<S::Configuration>,
        h: f64,
        to: &mut State<S::Configuration>,
    ) -> Result<(), NotConverged> {
        let scheme = Coefficients::new(rho);
        self.unknown.copy_from_slice(&from.acceleration);
        let mut last = self.evaluate(system, &scheme, from, h, to);
        let mut fresh = false;
        for _ in 0..MAX_ITERATIONS {
            if last <= TOLERANCE {
                break;
            }
            #[allow(clippy::float_cmp)] // the same step, not a nearby one
            let usable = self.jacobian.as_ref().is_some_and(|(step, _)| *step == h);
            if !usable {
                self.jacobian = Some((h, self.difference(system, &scheme, from, h, to).lu()));
                last = self.evaluate(system, &scheme, from, h, to);
                fresh = true;
            }
            let (_, factors) = self.jacobian.as_ref().expect("just made");
            let Some(correction) = factors.solve(&DVector::from_column_slice(&self.residual)) else {
                return Err(NotConverged(f64::INFINITY));
            };
            for (unknown, change) in self.unknown.iter_mut().zip(correction.iter()) {
                *unknown -= change;
            }
            self.iterations += 1;
            let now = self.evaluate(system, &scheme, from, h, to);
            if now <= TOLERANCE || (now >= 0.5 * last && now <= ROUND_OFF_TOLERANCE) {
                last = 0.0;
                break;
            }
            if now > WANTED_CONTRACTION * last {
                // With a fresh Jacobian that does not contract the iteration is lost only if it diverges.
                if fresh && !now.is_finite() {
                    return Err(NotConverged(now));
                }
                self.jacobian = None;
            }
            last = now;
        }
        if last > TOLERANCE {
            self.jacobian = None;
            return Err(NotConverged(last));
        }
        to.acceleration.copy_from_slice(&self.unknown);
        for i in 0..self.unknown.len() {
            to.algorithmic[i] = algorithmic(&scheme, from, i, self.unknown[i]);
        }
        Ok(())
    }

    /// Writes configuration, velocity and residual for the current unknown; returns the relative residual.
    fn evaluate<S: System>(
        &mut self,
        system: &S,
        scheme: &Coefficients,
        from: &State<S::Configuration>,
        h: f64,
        to: &mut State<S::Configuration>,
    ) -> f64 {
        for i in 0..self.unknown.len() {
            let old = from.algorithmic[i];
            let new = algorithmic(scheme, from, i, self.unknown[i]);
            self.motion[i] = h * from.velocity[i] + h * h * ((0.5 - scheme.beta) * old + scheme.beta * new);
            to.velocity[i] = from.velocity[i] + h * ((1.0 - scheme.gamma) * old + scheme.gamma * new);
        }
        system.moved(&from.configuration, &self.motion, &mut to.configuration);
        system.acceleration(from.time + h, &to.configuration, &to.velocity, &mut self.acceleration);
        let mut largest = LEAST_SCALE;
        let mut worst = 0.0_f64;
        for i in 0..self.unknown.len() {
            self.residual[i] = self.unknown[i] - self.acceleration[i];
            // NaN must not pass for small.
            worst = if self.residual[i].is_nan() { f64::NAN } else { worst.max(self.residual[i].abs()) };
            largest = largest.max(self.acceleration[i].abs()).max(self.unknown[i].abs());
        }
        worst / largest
    }

    /// The Jacobian ∂residual/∂v̇⁺ by central differences.
    fn difference<S: System>(
        &mut self,
        system: &S,
        scheme: &Coefficients,
        from: &State<S::Configuration>,
        h: f64,
        to: &mut State<S::Configuration>,
    ) -> DMatrix<f64> {
        let n = self.unknown.len();
        let mut jacobian = DMatrix::zeros(n, n);
        // A change of v̇ that moves velocities by 1e-7 m/s or by 1e-7 of themselves: far above round-off of the gap,
        // far below the overlaps and slip speeds over which forces bend.
        let fastest = from.velocity.iter().fold(1.0_f64, |max, v| max.max(v.abs()));
        let change = 1e-7 * fastest / h;
        for j in 0..n {
            let centre = self.unknown[j];
            self.unknown[j] = centre + change;
            self.evaluate(system, scheme, from, h, to);
            jacobian.column_mut(j).copy_from_slice(&self.residual);
            self.unknown[j] = centre - change;
            self.evaluate(system, scheme, from, h, to);
            for i in 0..n {
                jacobian[(i, j)] = (jacobian[(i, j)] - self.residual[i]) / (2.0 * change);
            }
            self.unknown[j] = centre;
        }
        jacobian
    }
}

/// A⁺ for the new acceleration `new` of coordinate `i`.
fn algorithmic<C>(scheme: &Coefficients, from: &State<C>, i: usize, new: f64) -> f64 {
    ((1.0 - scheme.alpha_f) * new + scheme.alpha_f * from.acceleration[i] - scheme.alpha_m * from.algorithmic[i])
        / (1.0 - scheme.alpha_m)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Fault;
    use crate::integrator::Crossing;
    use crate::integrator::Mode;

    /// v̇₀ = −k q₀³ − c (v₀ − v₁)²,  v̇₁ = −k (q₁ − q₀) − c v₁: stiff, bent and coupled, in positions and velocities.
    struct Coupled {
        k: f64,
        c: f64,
    }

    impl Coupled {
        /// ∂a/∂q and ∂a/∂v, by hand.
        fn slopes(&self, q: &[f64], v: &[f64]) -> (DMatrix<f64>, DMatrix<f64>) {
            let (k, c) = (self.k, self.c);
            let bent = 2.0 * c * (v[0] - v[1]);
            (
                DMatrix::from_row_slice(2, 2, &[-3.0 * k * q[0] * q[0], 0.0, k, -k]),
                DMatrix::from_row_slice(2, 2, &[-bent, bent, 0.0, -c]),
            )
        }
    }

    impl System for Coupled {
        type Configuration = Vec<f64>;

        fn freedoms(&self) -> usize {
            2
        }

        fn moved(&self, from: &Vec<f64>, motion: &[f64], to: &mut Vec<f64>) {
            for (to, (from, motion)) in to.iter_mut().zip(from.iter().zip(motion)) {
                *to = from + motion;
            }
        }

        fn motion_rate(&self, _: &[f64], velocity: &[f64], rate: &mut [f64]) {
            rate.copy_from_slice(velocity);
        }

        fn acceleration(&self, _: f64, q: &Vec<f64>, v: &[f64], out: &mut [f64]) {
            let slip = v[0] - v[1];
            out[0] = -self.k * q[0].powi(3) - self.c * slip * slip;
            out[1] = -self.k * (q[1] - q[0]) - self.c * v[1];
        }

        fn examine(&mut self, _: &Vec<f64>, _: &[f64]) -> Result<Option<Crossing>, Fault> {
            Ok(None)
        }

        fn gap(&self, _: usize, _: &Vec<f64>) -> f64 {
            1.0
        }

        fn adopt(&mut self) {}

        fn commit(&mut self) {}

        fn modes(&self, _: &Vec<f64>, _: &[f64]) -> Vec<Mode> {
            Vec::new()
        }
    }

    #[test]
    fn the_jacobian_by_differences_is_the_one_by_hand() {
        // J = 1 − β′h² ∂a/∂q − γ′h ∂a/∂v with (β′, γ′) = (β, γ)(1 − α_f)/(1 − α_m). Central differences of a change of
        // 1e-7 m/s leave round-off, ε of the accelerations over that change; the cubic and quadratic terms cancel.
        const TOLERANCE: f64 = 1e-6;
        for rho in [0.0, 0.5, 0.9, 1.0] {
            for h in [1e-4, 1e-2, 1.0] {
                let system = Coupled { k: 300.0, c: 5.0 };
                let mut from = State::new(0.0, vec![0.3, -0.2], vec![0.4, -0.7]);
                from.acceleration = vec![0.1, 0.2];
                from.algorithmic = vec![-0.3, 0.5];
                let mut to = from.clone();
                let mut newton = Newton::default();
                newton.resize(2);
                newton.unknown = vec![0.6, -0.4];
                let scheme = Coefficients::new(rho);
                let measured = newton.difference(&system, &scheme, &from, h, &mut to);
                newton.evaluate(&system, &scheme, &from, h, &mut to);
                let part = (1.0 - scheme.alpha_f) / (1.0 - scheme.alpha_m);
                let (by_position, by_velocity) = system.slopes(&to.configuration, &to.velocity);
                let expected = DMatrix::identity(2, 2)
                    - by_position * (scheme.beta * part * h * h)
                    - by_velocity * (scheme.gamma * part * h);
                let off = (&measured - &expected).amax() / expected.amax();
                assert!(off < TOLERANCE, "ρ = {rho}, h = {h}: {measured} for {expected}, off by {off:e}");
            }
        }
    }
}

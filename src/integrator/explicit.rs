//! One step of the explicit methods, with the contact states frozen.
//!
//! ```text
//! semi-implicit Euler   v⁺ = v + δt a(q, v),   q⁺ = q ∘ exp(δt v⁺)
//! velocity Verlet       v_½ = v + (δt/2) a,   q⁺ = q ∘ exp(δt v_½)
//!                       a⁺ = a(q⁺, v + δt a),   v⁺ = v_½ + (δt/2) a⁺       one force a step, order 2 with damping too
//! Runge–Kutta 4         the classical method in the motion θ from the start of the step, q = q_S ∘ exp(θ),
//!                       θ̇ = dexp⁻¹(θ) v                                     [Munthe-Kaas 1998]
//! ```

use crate::integrator::State;
use crate::integrator::System;

/// Buffers of the explicit methods; contents have no meaning between steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Buffers {
    motion: Vec<f64>,
    velocity: Vec<f64>,
    acceleration: Vec<f64>,
    rate: Vec<f64>,
    motion_sum: Vec<f64>,
    velocity_sum: Vec<f64>,
}

impl Buffers {
    pub(crate) fn resize(&mut self, n: usize) {
        for buffer in [
            &mut self.motion,
            &mut self.velocity,
            &mut self.acceleration,
            &mut self.rate,
            &mut self.motion_sum,
            &mut self.velocity_sum,
        ] {
            buffer.resize(n, 0.0);
        }
    }
}

/// Semi-implicit Euler from `from` over `h` seconds into `to`.
pub(crate) fn semi_implicit_euler<S: System>(
    system: &S,
    from: &State<S::Configuration>,
    h: f64,
    to: &mut State<S::Configuration>,
    b: &mut Buffers,
) {
    system.acceleration(from.time, &from.configuration, &from.velocity, &mut b.acceleration);
    for i in 0..b.motion.len() {
        to.velocity[i] = from.velocity[i] + h * b.acceleration[i];
        b.motion[i] = h * to.velocity[i];
    }
    system.moved(&from.configuration, &b.motion, &mut to.configuration);
}

/// Velocity Verlet from `from`, whose acceleration is known, over `h` seconds into `to`.
pub(crate) fn velocity_verlet<S: System>(
    system: &S,
    from: &State<S::Configuration>,
    h: f64,
    to: &mut State<S::Configuration>,
    b: &mut Buffers,
) {
    for i in 0..b.motion.len() {
        let (v, a) = (from.velocity[i], from.acceleration[i]);
        b.motion[i] = h * (v + 0.5 * h * a);
        b.velocity[i] = v + h * a;
    }
    system.moved(&from.configuration, &b.motion, &mut to.configuration);
    system.acceleration(from.time + h, &to.configuration, &b.velocity, &mut to.acceleration);
    for i in 0..b.motion.len() {
        to.velocity[i] = from.velocity[i] + 0.5 * h * (from.acceleration[i] + to.acceleration[i]);
    }
}

/// The classical Runge–Kutta method from `from` over `h` seconds into `to`.
pub(crate) fn runge_kutta_4<S: System>(
    system: &S,
    from: &State<S::Configuration>,
    h: f64,
    to: &mut State<S::Configuration>,
    b: &mut Buffers,
) {
    let n = b.motion.len();
    // (node, weight) of the four stages; the state of a stage is one node ahead along the previous stage's slope.
    const STAGES: [(f64, f64); 4] = [(0.0, 1.0 / 6.0), (0.5, 1.0 / 3.0), (0.5, 1.0 / 3.0), (1.0, 1.0 / 6.0)];
    b.rate.fill(0.0);
    b.acceleration.fill(0.0);
    b.motion_sum.fill(0.0);
    b.velocity_sum.fill(0.0);
    for (node, weight) in STAGES {
        for i in 0..n {
            b.motion[i] = h * node * b.rate[i];
            b.velocity[i] = from.velocity[i] + h * node * b.acceleration[i];
        }
        system.moved(&from.configuration, &b.motion, &mut to.configuration);
        system.acceleration(from.time + node * h, &to.configuration, &b.velocity, &mut b.acceleration);
        system.motion_rate(&b.motion, &b.velocity, &mut b.rate);
        for i in 0..n {
            b.motion_sum[i] += h * weight * b.rate[i];
            b.velocity_sum[i] += h * weight * b.acceleration[i];
        }
    }
    system.moved(&from.configuration, &b.motion_sum, &mut to.configuration);
    for i in 0..n {
        to.velocity[i] = from.velocity[i] + b.velocity_sum[i];
    }
}

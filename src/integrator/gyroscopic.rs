//! The gyroscopic term −ω × Iω, explicit as in the paper or implicit.

use crate::math::Mat3;
use crate::math::Vec3;

/// How the gyroscopic term enters the free velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gyroscopic {
    /// At the beginning of the step, as in the paper. Gains energy: a fast asymmetric body needs δt‖ω‖ ≪ 1.
    #[default]
    Explicit,
    /// Implicit midpoint rule in the body frame: keeps the energy and ‖Iω‖ of a torque-free body at any step.
    Implicit,
}

/// Half the angle a substep of the implicit rule may turn, in rad: Newton's iteration then converges from its start
/// for every ratio of the moments (the map is a contraction for δt‖ω‖ < 1).
const SUBSTEP_ANGLE: f64 = 0.5;
/// Newton converges in three or four steps at that angle; more means round-off.
const NEWTON_STEPS: usize = 8;
/// A body that turns further in one step than 1000 substeps allow is not resolved in any sense.
const SUBSTEPS_MAX: f64 = 1000.0;

impl Gyroscopic {
    /// The angular velocity after `dt` seconds of the gyroscopic term alone; `w` in the principal frame of the body
    /// in rad/s, `inertia` the principal moments in kg·m².
    ///
    /// ```text
    /// explicit    ω⁺ = ω − δt I⁻¹(ω × Iω)
    /// implicit    I(ω⁺ − ω) + δt ω̄ × Iω̄ = 0,   ω̄ = (ω + ω⁺)/2
    /// ```
    ///
    /// Multiplied by ω̄ and by Iω̄ the second gives equal ωᵀIω and ‖Iω‖ before and after. The term is autonomous in
    /// the body frame, so a long step is cut into equal substeps of at most half a radian.
    #[inline]
    pub fn apply(self, w: &Vec3, inertia: &Vec3, dt: f64) -> Vec3 {
        match self {
            Self::Explicit => w - torque(w, inertia).component_div(inertia) * dt,
            Self::Implicit => {
                let count = (w.norm() * dt / SUBSTEP_ANGLE).ceil().clamp(1.0, SUBSTEPS_MAX);
                let mut w = *w;
                for _ in 0..count as usize {
                    w = midpoint(&w, inertia, dt / count);
                }
                w
            }
        }
    }
}

/// ω × Iω in the principal frame.
#[inline]
fn torque(w: &Vec3, inertia: &Vec3) -> Vec3 {
    w.cross(&inertia.component_mul(w))
}

/// One step of the implicit midpoint rule by Newton's iteration on ω̄: 2I(ω̄ − ω) + δt ω̄ × Iω̄ = 0.
fn midpoint(w: &Vec3, inertia: &Vec3, dt: f64) -> Vec3 {
    let i = Mat3::from_diagonal(inertia);
    let mut m = *w;
    for _ in 0..NEWTON_STEPS {
        let residual = inertia.component_mul(&(m - w)) * 2.0 + torque(&m, inertia) * dt;
        let slope = i * 2.0 + (m.cross_matrix() * i - inertia.component_mul(&m).cross_matrix()) * dt;
        let Some(inverse) = slope.try_inverse() else { break };
        let change = inverse * residual;
        m -= change;
        if change.norm() <= f64::EPSILON * m.norm() {
            break;
        }
    }
    m * 2.0 - w
}

#[cfg(test)]
mod tests {
    use super::*;

    const INERTIA: Vec3 = Vec3::new(1.0, 2.0, 2.9);

    fn energy(w: &Vec3) -> f64 {
        0.5 * w.dot(&INERTIA.component_mul(w))
    }

    #[test]
    fn the_implicit_rule_keeps_energy_and_angular_momentum_at_any_step() {
        // 1000 steps of up to 200 substeps, each to round-off.
        const TOLERANCE: f64 = 1e-11;
        for dt in [0.01, 0.3, 3.0, 20.0] {
            let start = Vec3::new(0.01, 5.0, 0.02);
            let mut w = start;
            for _ in 0..1000 {
                w = Gyroscopic::Implicit.apply(&w, &INERTIA, dt);
            }
            let (t, t0) = (energy(&w), energy(&start));
            assert!((t - t0).abs() < TOLERANCE * t0, "δt = {dt}: energy {t} for {t0}");
            let (l, l0) = (INERTIA.component_mul(&w).norm(), INERTIA.component_mul(&start).norm());
            assert!((l - l0).abs() < TOLERANCE * l0, "δt = {dt}: |L| = {l} for {l0}");
        }
    }

    #[test]
    fn the_explicit_rule_blows_up_where_the_implicit_one_stays() {
        let mut w = Vec3::new(0.01, 5.0, 0.02);
        let start = energy(&w);
        for _ in 0..1000 {
            w = Gyroscopic::Explicit.apply(&w, &INERTIA, 0.3);
        }
        let end = energy(&w);
        assert!(end.is_nan() || end > 2.0 * start, "energy {end} from {start}");
    }

    #[test]
    fn a_sphere_feels_no_gyroscopic_term() {
        let inertia = Vec3::repeat(0.4);
        let w = Vec3::new(1.0, -2.0, 3.0);
        for rule in [Gyroscopic::Explicit, Gyroscopic::Implicit] {
            let turned = rule.apply(&w, &inertia, 0.1);
            assert!((turned - w).norm() <= 4.0 * f64::EPSILON * w.norm(), "{rule:?}: {turned}");
        }
    }

    #[test]
    fn a_symmetric_top_precesses_as_the_exact_solution_says() {
        // Exact in the body frame: (ω1, ω2) turns at Ω = (I3 − I1)/I1 ω3. The midpoint rule is of second order, the
        // explicit one of first, so halving the step divides the error by four and by two.
        let inertia = Vec3::new(2.0, 2.0, 3.0);
        let start = Vec3::new(0.7, 0.0, 1.3);
        let time = 2.0;
        let angle: f64 = (3.0 - 2.0) / 2.0 * 1.3 * time;
        let exact = Vec3::new(0.7 * angle.cos(), 0.7 * angle.sin(), 1.3);
        for (rule, order) in [(Gyroscopic::Explicit, 1.0), (Gyroscopic::Implicit, 2.0)] {
            let error = |steps: u32| {
                let mut w = start;
                for _ in 0..steps {
                    w = rule.apply(&w, &inertia, time / f64::from(steps));
                }
                (w - exact).norm()
            };
            let measured = (error(200) / error(400)).log2();
            assert!((measured - order).abs() < 0.05, "{rule:?}: order {measured}, expected {order}");
        }
    }
}

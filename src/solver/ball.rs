//! A contact between balls, or of a ball with a wall: closed form, no contact frame.
//!
//! ```text
//! r_a = α n,  r_b = β n
//! δv      = v_a − v_b + (α ω_a − β ω_b) × n
//! Λ       = Λn n + Λto,   Λto ⟂ n, in the inertial frame
//! Δω_a    = α/I_a n × ΔΛto,   Δω_b = −β/I_b n × ΔΛto
//! A       = diag(1/m_a + 1/m_b,  Att,  Att),   Att = 1/m_a + 1/m_b + α²/I_a + β²/I_b
//! ```

use crate::law::ContactState;
use crate::math::Vec3;
use crate::solver::acceleration::Pace;
use crate::solver::bodies::Bodies;
use crate::solver::rule::Isotropic;
use crate::solver::rule::Rule;
use crate::solver::tally::Tally;

/// A prepared contact between balls.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct Ball {
    pub(in crate::solver) a: u32,
    pub(in crate::solver) b: u32,
    /// Unit normal n, from b to a.
    pub(in crate::solver) normal: Vec3,
    /// α and β in m: the arms along the normal.
    pub(in crate::solver) arm_a: f64,
    pub(in crate::solver) arm_b: f64,
    pub(in crate::solver) block: Isotropic,
    /// Correction c in m/s.
    pub(in crate::solver) c: f64,
    /// Λn in N·s.
    pub(in crate::solver) impulse_n: f64,
    /// Λto in N·s, in the inertial frame.
    pub(in crate::solver) impulse_t: Vec3,
    /// Λn and Λto that the last sweep left.
    pub(in crate::solver) swept_n: f64,
    pub(in crate::solver) swept_t: Vec3,
}

/// What a visit finds: the impulse that the law asks for, and what it was computed from.
struct Found {
    impulse_n: f64,
    impulse_t: Vec3,
    state: ContactState,
    /// ‖b‖².
    b2: f64,
}

impl Ball {
    /// No contact yet.
    pub(in crate::solver) const EMPTY: Self = Self {
        a: 0,
        b: 0,
        normal: Vec3::new(0.0, 0.0, 0.0),
        arm_a: 0.0,
        arm_b: 0.0,
        block: Isotropic { nn: 0.0, tt: 0.0, inv_nn: 0.0, inv_tt: 0.0, mu: 0.0 },
        c: 0.0,
        impulse_n: 0.0,
        impulse_t: Vec3::new(0.0, 0.0, 0.0),
        swept_n: 0.0,
        swept_t: Vec3::new(0.0, 0.0, 0.0),
    };

    /// The relative velocity (δvn, δv_to in the inertial frame).
    #[inline(always)]
    pub(in crate::solver) fn relative(&self, bodies: &impl Bodies) -> (f64, Vec3) {
        let (a, b) = (bodies.get(self.a), bodies.get(self.b));
        let n = &self.normal;
        let spin = a.angular * self.arm_a - b.angular * self.arm_b;
        let dv = a.linear - b.linear + spin.cross(n);
        let dn = dv.dot(n);
        (dn, dv - n * dn)
    }

    #[inline(always)]
    fn law<R: Rule>(&self, bodies: &impl Bodies, rule: R) -> Found {
        let (dn, dt) = self.relative(bodies);
        let bn = self.block.nn * self.impulse_n - dn;
        let bt_w = self.impulse_t * self.block.tt - dt;
        let bt2 = bt_w.norm_squared();
        let along = rule.isotropic(&self.block, bn, bt2, self.c);
        Found { impulse_n: along.normal, impulse_t: bt_w * along.factor, state: along.state, b2: bn * bn + bt2 }
    }

    /// Adds the impulse (`n`, `t`) to both bodies.
    #[inline(always)]
    fn push(&self, bodies: &impl Bodies, n: f64, t: &Vec3) {
        let impulse = self.normal * n + t;
        let twist = self.normal.cross(t);
        let a = bodies.get(self.a);
        if a.inv_mass > 0.0 {
            let linear = a.linear + impulse * a.inv_mass;
            let angular = a.angular + twist * (self.arm_a * a.inv_inertia);
            bodies.set(self.a, &linear, &angular);
        }
        let b = bodies.get(self.b);
        if b.inv_mass > 0.0 {
            let linear = b.linear - impulse * b.inv_mass;
            let angular = b.angular - twist * (self.arm_b * b.inv_inertia);
            bodies.set(self.b, &linear, &angular);
        }
    }

    /// Adds the impulse that the contact starts from.
    #[inline(always)]
    pub(in crate::solver) fn apply(&self, bodies: &impl Bodies) {
        if self.impulse_n > 0.0 {
            self.push(bodies, self.impulse_n, &self.impulse_t);
        }
    }

    /// One visit of the sweep.
    #[inline(always)]
    pub(in crate::solver) fn visit<R: Rule>(&mut self, bodies: &impl Bodies, rule: R, pace: Pace, tally: &mut Tally) {
        if let Some(beta) = pace.momentum {
            let (n, t) = (self.impulse_n, self.impulse_t);
            self.impulse_n += (n - self.swept_n) * beta;
            self.impulse_t += (t - self.swept_t) * beta;
            (self.swept_n, self.swept_t) = (n, t);
        }
        let found = self.law(bodies, rule);
        let mut n = found.impulse_n - self.impulse_n;
        let mut t = found.impulse_t - self.impulse_t;
        self.record::<R>(&found, n, &t, tally);
        if n == 0.0 && t == Vec3::zeros() {
            return;
        }
        if pace.damping < 1.0 {
            n *= pace.damping;
            t *= pace.damping;
            self.impulse_n += n;
            self.impulse_t += t;
        } else {
            self.impulse_n = found.impulse_n;
            self.impulse_t = found.impulse_t;
        }
        self.push(bodies, n, &t);
    }

    /// The residual at the present velocities, and what the step reports of the contact.
    #[inline(always)]
    pub(in crate::solver) fn measure<R: Rule>(&self, bodies: &impl Bodies, rule: R, tally: &mut Tally) -> ContactState {
        let found = self.law(bodies, rule);
        let n = found.impulse_n - self.impulse_n;
        let t = found.impulse_t - self.impulse_t;
        self.record::<R>(&found, n, &t, tally);
        let violation = self.impulse_t.norm() - self.block.mu * self.impulse_n;
        tally.cone_violation = tally.cone_violation.max(violation);
        tally.approach = tally.approach.max(-(self.relative(bodies).0 + self.c));
        found.state
    }

    #[inline(always)]
    fn record<R: Rule>(&self, found: &Found, n: f64, t: &Vec3, tally: &mut Tally) {
        let nn = self.block.nn;
        let change = n * n + t.norm_squared();
        tally.energy += change * nn;
        if R::BY_VELOCITY {
            tally.add(change * (nn * nn), found.b2);
        } else {
            tally.add(change, found.impulse_n * found.impulse_n + found.impulse_t.norm_squared());
        }
    }

    /// The impulse in the inertial frame, in N·s.
    pub(in crate::solver) fn impulse_w(&self) -> Vec3 {
        self.normal * self.impulse_n + self.impulse_t
    }

    /// Starts from the impulse `impulse_w` (inertial frame), turned into the friction cone of the present normal.
    pub(in crate::solver) fn start(&mut self, impulse_w: &Vec3) {
        self.impulse_n = impulse_w.dot(&self.normal).max(0.0);
        self.impulse_t = impulse_w - self.normal * impulse_w.dot(&self.normal);
        let (length, limit) = (self.impulse_t.norm(), self.block.mu * self.impulse_n);
        if length > limit {
            self.impulse_t *= limit / length;
        }
        (self.swept_n, self.swept_t) = (self.impulse_n, self.impulse_t);
    }
}

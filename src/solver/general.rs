//! A contact of any two bodies, in its contact frame.
//!
//! ```text
//! F       = (n, t, o), columns in the inertial frame
//! δv      = Fᵀ (v_a + ω_a × r_a − v_b − ω_b × r_b)
//! A       = Fᵀ ((1/m_a + 1/m_b) E − [r_a]× I_a⁻¹ [r_a]× − [r_b]× I_b⁻¹ [r_b]×) F
//! Δv_a    = F ΔΛ / m_a,   Δω_a = I_a⁻¹ (r_a × F ΔΛ),   b with the opposite sign
//! ```

use crate::law::ContactBlock;
use crate::law::ContactLaw;
use crate::law::ContactState;
use crate::law::Solution;
use crate::law::lanes::BATCH;
use crate::law::lanes::Batch;
use crate::law::lanes::Decided;
use crate::math::Mat3;
use crate::math::Vec3;
use crate::solver::acceleration::Pace;
use crate::solver::bodies::Bodies;
use crate::solver::rule::Rule;
use crate::solver::tally::Tally;
use pulp::Arch;
use pulp::Simd;
use pulp::WithSimd;

/// A prepared contact of any two bodies.
#[derive(Clone, Copy, Debug)]
pub(in crate::solver) struct General {
    pub(in crate::solver) a: u32,
    pub(in crate::solver) b: u32,
    /// Columns n, t, o.
    pub(in crate::solver) frame: Mat3,
    /// Arms in m, inertial frame.
    pub(in crate::solver) arm_a: Vec3,
    pub(in crate::solver) arm_b: Vec3,
    /// Delassus block in 1/kg, contact frame.
    pub(in crate::solver) delassus: Mat3,
    pub(in crate::solver) block: ContactBlock,
    /// Correction c in m/s.
    pub(in crate::solver) c: f64,
    /// Impulse (Λn, Λt, Λo) in N·s.
    pub(in crate::solver) impulse: Vec3,
    /// The impulse that the last sweep left.
    pub(in crate::solver) swept: Vec3,
}

impl General {
    /// No contact yet.
    pub(in crate::solver) fn empty() -> Self {
        Self {
            a: 0,
            b: 0,
            frame: Mat3::identity(),
            arm_a: Vec3::zeros(),
            arm_b: Vec3::zeros(),
            delassus: Mat3::identity(),
            block: ContactBlock::new(&Mat3::identity(), 0.0),
            c: 0.0,
            impulse: Vec3::zeros(),
            swept: Vec3::zeros(),
        }
    }

    /// The relative velocity (n, t, o).
    #[inline(always)]
    pub(in crate::solver) fn relative(&self, bodies: &impl Bodies) -> Vec3 {
        let (a, b) = (bodies.get(self.a), bodies.get(self.b));
        let dv_w = a.linear + a.angular.cross(&self.arm_a) - b.linear - b.angular.cross(&self.arm_b);
        self.frame.tr_mul(&dv_w)
    }

    /// The step of an accelerated sweep, before the visit.
    #[inline(always)]
    fn carry_on(&mut self, pace: Pace) {
        if let Some(beta) = pace.momentum {
            let swept = self.impulse;
            self.impulse += (swept - self.swept) * beta;
            self.swept = swept;
        }
    }

    /// b = −δv without this contact's own impulse.
    #[inline(always)]
    fn right_hand_side(&self, bodies: &impl Bodies) -> Vec3 {
        self.delassus * self.impulse - self.relative(bodies)
    }

    /// Adds the impulse `impulse` (contact frame) to both bodies; `inverse` are the inverse inertia tensors.
    #[inline(always)]
    fn push(&self, bodies: &impl Bodies, inverse: &[Mat3], impulse: &Vec3) {
        let impulse_w = self.frame * impulse;
        let a = bodies.get(self.a);
        if a.inv_mass > 0.0 {
            let linear = a.linear + impulse_w * a.inv_mass;
            let angular = a.angular + inverse[self.a as usize] * self.arm_a.cross(&impulse_w);
            bodies.set(self.a, &linear, &angular);
        }
        let b = bodies.get(self.b);
        if b.inv_mass > 0.0 {
            let linear = b.linear - impulse_w * b.inv_mass;
            let angular = b.angular - inverse[self.b as usize] * self.arm_b.cross(&impulse_w);
            bodies.set(self.b, &linear, &angular);
        }
    }

    /// Adds the impulse that the contact starts from.
    #[inline(always)]
    pub(in crate::solver) fn apply(&self, bodies: &impl Bodies, inverse: &[Mat3]) {
        if self.impulse.x > 0.0 {
            self.push(bodies, inverse, &self.impulse);
        }
    }

    /// One visit of the sweep.
    #[inline(always)]
    pub(in crate::solver) fn visit<R: Rule>(
        &mut self,
        bodies: &impl Bodies,
        inverse: &[Mat3],
        rule: R,
        pace: Pace,
        tally: &mut Tally,
    ) {
        self.carry_on(pace);
        let b = self.right_hand_side(bodies);
        let solution = rule.general(&self.block, &b, self.c);
        self.take::<R>(&solution, &b, bodies, inverse, pace, tally);
    }

    /// Takes over the impulse of `solution`, which follows from `b`, and pushes the bodies by its change.
    #[inline(always)]
    fn take<R: Rule>(
        &mut self,
        solution: &Solution,
        b: &Vec3,
        bodies: &impl Bodies,
        inverse: &[Mat3],
        pace: Pace,
        tally: &mut Tally,
    ) {
        let mut change = solution.impulse - self.impulse;
        self.record::<R>(solution, b, tally);
        if change == Vec3::zeros() {
            return;
        }
        if pace.damping < 1.0 {
            change *= pace.damping;
            self.impulse += change;
        } else {
            self.impulse = solution.impulse;
        }
        self.push(bodies, inverse, &change);
    }

    /// Visits contacts that share no movable body, several at a time in the lanes of vector registers.
    ///
    /// Each reads what the visit one after the other would read, and lanes have the bits of the law alone: the answer
    /// is that of [`General::visit`] for each of them.
    pub(in crate::solver) fn visit_together<R: Rule>(
        contacts: &mut [Self],
        bodies: &impl Bodies,
        inverse: &[Mat3],
        rule: R,
        pace: Pace,
        tally: &mut Tally,
    ) {
        if R::Law::DECIDED == Decided::Nothing || contacts.len() < FEW {
            contacts.iter_mut().for_each(|c| c.visit(bodies, inverse, rule, pace, tally));
        } else {
            Arch::new().dispatch(Together { contacts, bodies, inverse, rule, pace, tally });
        }
    }

    /// The residual at the present velocities, and what the step reports of the contact.
    #[inline(always)]
    pub(in crate::solver) fn measure<R: Rule>(&self, bodies: &impl Bodies, rule: R, tally: &mut Tally) -> ContactState {
        let b = self.right_hand_side(bodies);
        let solution = rule.general(&self.block, &b, self.c);
        self.record::<R>(&solution, &b, tally);
        let violation = self.impulse.y.hypot(self.impulse.z) - self.block.mu() * self.impulse.x;
        tally.cone_violation = tally.cone_violation.max(violation);
        tally.approach = tally.approach.max(-(self.relative(bodies).x + self.c));
        tally.uncertified += u32::from(!solution.certified);
        let shock = self.impulse.x > 0.0 && self.block.eccentricity().norm_squared() >= 1.0;
        tally.shocks += u32::from(shock);
        solution.state
    }

    #[inline(always)]
    fn record<R: Rule>(&self, solution: &Solution, b: &Vec3, tally: &mut Tally) {
        let nn = self.delassus.m11;
        let change = (solution.impulse - self.impulse).norm_squared();
        tally.energy += change * nn;
        if R::BY_VELOCITY {
            tally.add(change * (nn * nn), b.norm_squared());
        } else {
            tally.add(change, solution.impulse.norm_squared());
        }
    }

    /// The impulse in the inertial frame, in N·s.
    pub(in crate::solver) fn impulse_w(&self) -> Vec3 {
        self.frame * self.impulse
    }

    /// Starts from the impulse `impulse_w` (inertial frame), turned into the friction cone of the present normal.
    pub(in crate::solver) fn start(&mut self, impulse_w: &Vec3) {
        let mut impulse = self.frame.tr_mul(impulse_w);
        impulse.x = impulse.x.max(0.0);
        let (length, limit) = (impulse.y.hypot(impulse.z), self.block.mu() * impulse.x);
        if length > limit {
            impulse.y *= limit / length;
            impulse.z *= limit / length;
        }
        self.impulse = impulse;
        self.swept = impulse;
    }
}

/// Contacts that are too few to be worth lanes.
const FEW: usize = 4;

/// A visit of contacts that share no movable body.
struct Together<'a, R, B> {
    contacts: &'a mut [General],
    bodies: &'a B,
    inverse: &'a [Mat3],
    rule: R,
    pace: Pace,
    tally: &'a mut Tally,
}

impl<R: Rule, B: Bodies> WithSimd for Together<'_, R, B> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { contacts, bodies, inverse, rule, pace, tally } = self;
        let mut batch = Batch::EMPTY;
        let mut b = [Vec3::zeros(); BATCH];
        for contacts in contacts.chunks_mut(BATCH) {
            for (i, (contact, b)) in contacts.iter_mut().zip(&mut b).enumerate() {
                contact.carry_on(pace);
                *b = contact.right_hand_side(bodies);
                batch.put(i, &contact.block, &rule.enter(b, contact.c));
            }
            batch.solve::<R::Law, S>(simd, contacts.len());
            for (i, (contact, b)) in contacts.iter_mut().zip(&b).enumerate() {
                let solution = batch.get(i, rule.law(), &contact.block, &rule.enter(b, contact.c));
                let solution = rule.leave(solution, b, contact.c);
                contact.take::<R>(&solution, b, bodies, inverse, pace, tally);
            }
        }
    }
}

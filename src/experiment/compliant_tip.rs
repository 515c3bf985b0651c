//! A body whose ball-shaped tip meets a fixed plane through the penalty item: the compliant side of one contact.
//!
//! The plane is a fixed sphere so large that its curvature does not show. The inertial axes are those of the contact
//! frame (n, t, o) at the start; the tip touches there.
//!
//! ```text
//! h ≤ 2π/(N √(k A_nn)),    h ≤ c/λ,   λ = μ f_n tr(A_tt)/max(v_reg, ‖δv_t‖)
//! ```
//!
//! The second bound resolves the end of slip and the creep of regularised friction, at any stiffness.

use crate::error::Error;
use crate::error::Result;
use crate::experiment::body::Body;
use crate::integrator::Integrator;
use crate::integrator::Method;
use crate::integrator::Settings;
use crate::integrator::State;
use crate::law::penalty::ContactForce;
use crate::law::penalty::Friction;
use crate::law::penalty::History;
use crate::law::penalty::NormalForce;
use crate::math::Vec3;
use crate::math::bisection::bisect;
use crate::penalty::Attachment;
use crate::penalty::BodyHandle;
use crate::penalty::Configuration;
use crate::penalty::RigidBody;
use crate::penalty::SphereSphere;
use crate::penalty::System;

/// Radius in m of the sphere that stands for the plane: slip of centimetres turns its normal by 10⁻⁵.
pub(in crate::experiment) const PLANE: f64 = 1000.0;
/// Overlap in m at the start: above the round-off of distances of that size, and without any force that shows.
const TOUCH: f64 = 1e-12;
/// Steps N in a period of the contact.
const STEPS_A_PERIOD: f64 = 400.0;
/// Largest part c of the time in which friction changes the slip by its own size.
const RELAXATION: f64 = 0.25;
/// A double has 53 bits, so the last step is then cut to neighbouring numbers.
const HALVINGS: u32 = 53;

/// A body with a tip, and the stiffness and friction of its contact.
#[derive(Clone, Copy, Debug)]
pub(in crate::experiment) struct Tip {
    /// The body; its lever is that of the contact.
    pub(in crate::experiment) body: Body,
    /// Radius of the tip in m.
    pub(in crate::experiment) radius: f64,
    /// Coefficient of friction.
    pub(in crate::experiment) mu: f64,
    /// Stiffness in N/m.
    pub(in crate::experiment) stiffness: f64,
    /// Slip speed v_reg in m/s up to which friction is proportional to it.
    pub(in crate::experiment) slip_speed: f64,
    /// Acceleration of gravity towards the plane in m/s².
    pub(in crate::experiment) gravity: f64,
}

/// One moment of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::experiment) struct Moment {
    /// Time in s.
    pub(in crate::experiment) time: f64,
    /// Overlap in m.
    pub(in crate::experiment) overlap: f64,
    /// Normal force in N.
    pub(in crate::experiment) force: f64,
    /// Contact velocity (n, t, o) in m/s, n along the present normal.
    pub(in crate::experiment) slip: Vec3,
    /// Impulse of the contact since the start in N·s.
    pub(in crate::experiment) impulse: Vec3,
}

/// A run of a tip.
#[derive(Clone)]
pub(in crate::experiment) struct Contact {
    tip: Tip,
    start: Vec3,
    system: System,
    state: State<Configuration>,
    integrator: Integrator<Configuration>,
    /// Steps made.
    pub(in crate::experiment) steps: usize,
}

impl Contact {
    /// The tip touches, its body moving with `v` (m/s) and not turning.
    pub(in crate::experiment) fn begin(tip: &Tip, v: &Vec3) -> Result<Self> {
        let mut system = System::default();
        let centre = tip.body.lever + Vec3::x() * tip.radius;
        let body = system.add_body(RigidBody {
            inertia_b: tip.body.inertia,
            velocity_w: *v,
            gravity_w: Vec3::new(-tip.gravity, 0.0, 0.0),
            ..RigidBody::new(tip.body.mass, [1.0; 3], Vec3::x() * (tip.radius - TOUCH) - centre)
        });
        let item = SphereSphere {
            dynamic_friction: tip.mu,
            friction_proportional_zone: tip.slip_speed,
            ..SphereSphere::new([PLANE, tip.radius], tip.stiffness)
        };
        let ball = Attachment::Body { body, position_b: centre, orientation_b: crate::math::Quat::identity() };
        system.add_sphere_sphere(item, [Attachment::ground(Vec3::new(-PLANE, 0.0, 0.0)), ball])?;
        let state = system.initial_state()?;
        let period = std::f64::consts::TAU / (tip.stiffness * tip.body.delassus()[(0, 0)]).sqrt();
        // The bound of the system takes the largest inverse inertia for every direction, which for a thin rod is that
        // about its axis; the steps below are bounded by the contact's own A.
        let settings =
            Settings { override_stability: true, ..Settings::new(Method::RungeKutta4, period / STEPS_A_PERIOD) };
        let integrator = Integrator::new(settings).map_err(Error::Input)?;
        Ok(Self { tip: *tip, start: *v, system, state, integrator, steps: 0 })
    }

    /// The present moment.
    pub(in crate::experiment) fn moment(&self) -> Moment {
        let Self { tip, state, system, .. } = self;
        let (x, q) = (state.configuration.positions[0], state.configuration.orientations[0]);
        let (v, w) = system.body_velocity(BodyHandle(0), &state.velocity);
        let centre = q * (tip.body.lever + Vec3::x() * tip.radius);
        let from = x + centre + Vec3::x() * PLANE;
        let distance = from.norm();
        let normal = from / distance;
        let gap = distance - (PLANE + tip.radius);
        let dv = v + w.cross(&(centre - normal * (tip.radius + 0.5 * gap)));
        let law = ContactForce {
            normal: NormalForce { stiffness: tip.stiffness, ..NormalForce::default() },
            friction: Friction { coefficient: tip.mu, regularisation: tip.slip_speed, compressive_only: false },
        };
        let history = History { gap, ..History::default() };
        let force = if gap < 0.0 { law.force(gap, &normal, &dv, &history).normal } else { 0.0 };
        let weight = Vec3::new(-tip.gravity * state.time, 0.0, 0.0);
        let slip = Vec3::new(dv.dot(&normal), dv.y, dv.z);
        Moment { time: state.time, overlap: -gap, force, slip, impulse: (v - self.start - weight) * tip.body.mass }
    }

    /// One step; `moment` is the present one.
    fn step(&mut self, moment: &Moment, part: f64) -> Result<()> {
        let a = self.tip.body.delassus();
        let slip = moment.slip.y.hypot(moment.slip.z).max(self.tip.slip_speed);
        let longest = std::f64::consts::TAU / (self.tip.stiffness * a[(0, 0)]).sqrt() / STEPS_A_PERIOD;
        // The force as it may be at the end of the step.
        let force = moment.force + self.tip.stiffness * moment.slip.x.abs() * longest;
        let relaxation = self.tip.mu * force * (a[(1, 1)] + a[(2, 2)]) / slip;
        let h = longest.min(RELAXATION / relaxation) * part;
        let until = self.state.time + h;
        self.integrator.advance(&mut self.system, &mut self.state, until)?;
        self.steps += 1;
        Ok(())
    }

    /// Steps to where the closing speed ends (δv_n = 0), to round-off of the time; `see` is shown every moment.
    pub(in crate::experiment) fn compress(&mut self, mut see: impl FnMut(&Moment)) -> Result<Moment> {
        let mut now = self.moment();
        loop {
            see(&now);
            let before = self.state.clone();
            self.step(&now, 1.0)?;
            let next = self.moment();
            if now.slip.x < 0.0 && next.slip.x >= 0.0 {
                // Closed all along: the histories that the step left are those of any part of it.
                self.state = before;
                let part = bisect(0.0, 1.0, HALVINGS, |part| {
                    let mut trial = self.clone();
                    trial.step(&now, part).is_ok() && trial.moment().slip.x < 0.0
                });
                self.step(&now, part)?;
                return Ok(self.moment());
            }
            now = next;
        }
    }

    /// Steps on until the tip has left the plane.
    pub(in crate::experiment) fn part(&mut self, mut see: impl FnMut(&Moment)) -> Result<Moment> {
        loop {
            let now = self.moment();
            see(&now);
            if now.overlap <= 0.0 {
                return Ok(now);
            }
            self.step(&now, 1.0)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;

    #[test]
    fn an_upright_frictionless_tip_stops_after_a_quarter_period_and_leaves_as_it_came() {
        // Central impact: m ẍ = −k x, so δv_n = 0 at π/2 √(m/k) with impulse m v, and 2 m v at the end.
        let body = Body { mass: 2.0, inertia: Mat3::identity(), lever: Vec3::new(-0.5, 0.0, 0.0) };
        let tip = Tip { body, radius: 0.1, mu: 0.0, stiffness: 1e6, slip_speed: 1e-3, gravity: 0.0 };
        let mut contact = Contact::begin(&tip, &Vec3::new(-3.0, 0.0, 0.0)).expect("a valid item");
        let end = contact.compress(|_| {}).expect("stepped");
        let quarter = 0.25 * std::f64::consts::TAU * (2.0_f64 / 1e6).sqrt();
        // The start is 10⁻¹² m deep, a part 2·10⁻¹⁰ of the overlap reached; RK4 at 400 steps a period is good to 10⁻⁹.
        assert!((end.time / quarter - 1.0).abs() < 1e-8, "{} for {quarter}", end.time);
        assert!((end.impulse.x / 6.0 - 1.0).abs() < 1e-8 && end.slip.x.abs() < 1e-12, "{end:?}");
        let apart = contact.part(|_| {}).expect("stepped");
        assert!((apart.impulse.x / 12.0 - 1.0).abs() < 1e-7, "{apart:?}");
    }
}

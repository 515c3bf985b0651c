//! The settings of a simulation.

use crate::collision::Margin;
use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::integrator::Gyroscopic;
use crate::law::Law;
use crate::math::Vec3;
use crate::simulation::Compliance;
use crate::simulation::Items;
use crate::world::World;

/// How overlaps are taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// In the velocity solve: the bodies keep the speed at which they are pushed apart, and its energy is booked.
    #[default]
    Baumgarte,
    /// By a frictionless pseudo-velocity after the velocity solve, which moves positions only.
    Split,
}

/// What a step does; the same for all steps.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Settings {
    /// Impulse law. Default: `max-dissipation`, the paper's.
    pub law: Law,
    /// Step δt in s.
    pub dt: f64,
    /// How overlaps are taken back.
    pub correction: Correction,
    /// Share of an overlap that one step takes back, 0 to 1. Default 0.2: an overlap is gone after some ten steps
    /// and leaves no visible speed.
    pub erp: f64,
    /// Cap on the speed in m/s at which overlaps are pushed out; off by default.
    pub push_out_speed: Option<f64>,
    /// Gyroscopic term; explicit by default, as in the paper.
    pub gyroscopic: Gyroscopic,
    /// Gap below which a pair makes a contact.
    pub margin: Margin,
    /// Largest residual, by its scale, at which a step counts as converged. Default 10⁻⁴.
    pub tolerance: f64,
    /// Most sweeps a stage makes. Default 200.
    pub max_sweeps: usize,
    /// Whether a step starts from the last one's impulses.
    pub warm_start: bool,
    /// Whether sweeps are accelerated by momentum; the solutions are those of plain sweeps. Default: yes.
    pub acceleration: bool,
    /// Closing speed in m/s up to which `two-stage` sees no impact; `None`, the default, takes
    /// 0.1 √(g d) (δt √(g/d))^½ with d the size of the smallest free body, so that it falls with √δt.
    pub impact_speed: Option<f64>,
    /// Whether contacts between balls take the closed form of the law; off for control experiments.
    pub closed_form: bool,
    /// What the law `penalty` takes; the other laws do not read it.
    pub compliance: Compliance,
    /// Contact items, which under `penalty` act in the place of the contacts of shapes; no other law takes them.
    pub items: Option<Items>,
}

impl Settings {
    /// The defaults, with the law and the step.
    pub fn new(law: Law, dt: f64) -> Self {
        Self {
            law,
            dt,
            correction: Correction::Baumgarte,
            erp: 0.2,
            push_out_speed: None,
            gyroscopic: Gyroscopic::Explicit,
            margin: Margin::Travel,
            tolerance: 1e-4,
            max_sweeps: 200,
            warm_start: true,
            acceleration: true,
            impact_speed: None,
            closed_form: true,
            compliance: Compliance::default(),
            items: None,
        }
    }

    /// # Errors
    ///
    /// Every setting that is out of its range.
    pub fn validate(&self) -> Result<()> {
        let mut faults = Vec::new();
        let mut check = |ok: bool, key: &str, value: String, remedy: &str| {
            if !ok {
                faults.push(Fault::new(key, value, remedy));
            }
        };
        let stepping = Law::RUN.contains(&self.law);
        let laws: Vec<_> = Law::RUN.iter().map(|law| law.name()).collect();
        let remedy = format!("a run takes {}", laws.join(", "));
        check(stepping, "law", format!("law {}", self.law), &remedy);
        let remedy = "contact items act under penalty: run it with --law penalty";
        let fitting = self.items.is_none() || self.law == Law::Penalty;
        check(fitting, "law", format!("{} in a scene with [[contacts]]", self.law), remedy);
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let not_negative = |x: f64| x >= 0.0 && x.is_finite();
        check(positive(self.dt), "dt", format!("step {} s", self.dt), "a finite step above zero");
        check((0.0..=1.0).contains(&self.erp), "erp", format!("erp {}", self.erp), "a share between 0 and 1");
        check(not_negative(self.tolerance), "tolerance", format!("tolerance {}", self.tolerance), "zero or more");
        check(self.max_sweeps > 0, "max-sweeps", format!("{} sweeps", self.max_sweeps), "at least one");
        if let Some(speed) = self.push_out_speed {
            check(not_negative(speed), "push-out-speed", format!("{speed} m/s"), "zero or more");
        }
        if let Some(speed) = self.impact_speed {
            check(not_negative(speed), "impact-speed", format!("{speed} m/s"), "zero or more");
        }
        if let Margin::Fixed(margin) = self.margin {
            check(not_negative(margin), "margin", format!("{margin} m"), "zero or more");
        }
        faults.extend(self.compliance.validate());
        if faults.is_empty() { Ok(()) } else { Err(Error::Input(faults)) }
    }

    /// The closing speed in m/s up to which `two-stage` sees no impact: as set, or by the rule of
    /// [`Settings::impact_speed`].
    pub fn impact_speed_in(&self, world: &World) -> f64 {
        self.impact_speed.unwrap_or_else(|| {
            let g = world.gravity().norm();
            let size = smallest_free(world);
            if g > 0.0 && size.is_finite() {
                0.1 * (g * size).sqrt() * (self.dt * (g / size).sqrt()).sqrt()
            } else {
                0.0
            }
        })
    }

    /// Correction c of a contact with gap `gap` in m, as a velocity in m/s.
    ///
    /// ```text
    /// ξ > 0              c = ξ/δt
    /// ξ ≤ 0, Baumgarte   c = max(erp ξ/δt, −cap)
    /// ξ ≤ 0, split       c = 0
    /// ```
    #[inline]
    pub(in crate::simulation) fn correction_of(&self, gap: f64) -> f64 {
        match self.correction {
            _ if gap > 0.0 => gap / self.dt,
            Correction::Baumgarte => self.push_out(gap),
            Correction::Split => 0.0,
        }
    }

    /// −(speed at which an overlap is pushed out) in m/s.
    #[inline]
    pub(in crate::simulation) fn push_out(&self, gap: f64) -> f64 {
        let c = self.erp * gap / self.dt;
        self.push_out_speed.map_or(c, |cap| c.max(-cap))
    }
}

/// Size of the smallest free body in m.
fn smallest_free(world: &World) -> f64 {
    let sizes = world.shapes().iter().zip(world.free()).filter(|(_, free)| **free).map(|(shape, _)| shape.size());
    sizes.fold(f64::INFINITY, f64::min)
}

/// Least scale of a residual that is a velocity: g δt, what gravity adds in a step, in m/s.
pub(in crate::simulation) fn velocity_floor(gravity: &Vec3, dt: f64) -> f64 {
    gravity.norm() * dt
}

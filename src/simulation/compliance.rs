//! The force law of a scene under `penalty`: what is given, and what is derived from the scene.
//!
//! ```text
//! d, m        size of the smallest, mass of the heaviest free body;   g gravity,   H height of the free bodies + d
//! F           4 m g H/d                        four times the weight of the fill height
//! v           largest speed + √(2 g (H + drop to the highest wall below))
//! k           max(F/(10⁻³ d), m v²/(10⁻³ d)²)  the overlap stays below 10⁻³ d under both
//! e           0.3, impact model 2 (with a damping given: impact model 0 and that damping)
//! v_min       √(g d)/10                        bounds the damping of contacts that begin slowly
//! v_reg       10⁻⁴ √(g d)                      friction from the compressive part of the normal force
//! sub-step    T_c/30,   T_c = π/√(k w)         w the largest inverse mass of a pair of bodies
//! ```
//!
//! Without gravity v stands for √(g d). Where space is periodic, H, the drop and their g are those across the periods:
//! along a period nothing leans on a wall and nothing falls onto one, however long the cell and however it is inclined
//! (in v_min and v_reg, g is the whole).

use crate::error::Fault;
use crate::law::penalty::ContactForce;
use crate::law::penalty::Friction;
use crate::law::penalty::ImpactModel;
use crate::law::penalty::NormalForce;
use crate::material::MaterialId;
use crate::math::Vec3;
use crate::shape::Shape;
use crate::world::World;

/// Largest overlap that the derived stiffness allows, as a part of the smallest body: the deflection is invisible, and
/// sub-steps stay affordable.
const ALLOWED_OVERLAP: f64 = 1e-3;
/// Restitution where none is given.
const RESTITUTION: f64 = 0.3;
/// Sub-steps that resolve half a period of a contact.
const SUBSTEPS_A_CONTACT: f64 = 30.0;

/// What a material says of its contacts under `penalty`; what it does not say is derived.
#[derive(Clone, Copy, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MaterialCompliance {
    /// Stiffness in N/m.
    pub stiffness: Option<f64>,
    /// Linear damping in N·s/m.
    pub damping: Option<f64>,
    /// Coefficient of restitution.
    pub restitution: Option<f64>,
}

/// Settings of the law `penalty`.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Compliance {
    /// Of each material, by its index; missing ones say nothing.
    pub materials: Vec<MaterialCompliance>,
    /// Slip speed v_reg in m/s below which friction is proportional to it.
    pub slip_speed: Option<f64>,
    /// Sub-step in s.
    pub substep: Option<f64>,
}

/// The law that a run goes by: derived once, at its start, and part of its state.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct CompliantLaw {
    /// Number of materials.
    pub materials: usize,
    /// Law of each pair of materials, row by row.
    pub laws: Vec<ContactForce>,
    /// Longest sub-step in s.
    pub substep: f64,
}

impl Compliance {
    /// Everything that is out of its range.
    pub fn validate(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut positive = |key: String, value: Option<f64>, unit: &str| {
            if let Some(value) = value.filter(|value| !(*value > 0.0 && value.is_finite())) {
                faults.push(Fault::new(key, format!("{value} {unit}"), "a finite value above zero"));
            }
        };
        for (i, material) in self.materials.iter().enumerate() {
            positive(format!("compliance.materials[{i}].stiffness"), material.stiffness, "N/m");
            positive(format!("compliance.materials[{i}].restitution"), material.restitution, "");
        }
        positive("compliance.slip-speed".into(), self.slip_speed, "m/s");
        positive("compliance.substep".into(), self.substep, "s");
        for (i, material) in self.materials.iter().enumerate() {
            if let Some(damping) = material.damping.filter(|c| !(*c >= 0.0 && c.is_finite())) {
                let key = format!("compliance.materials[{i}].damping");
                faults.push(Fault::new(key, format!("{damping} N·s/m"), "a finite value of zero or more"));
            }
        }
        faults
    }

    /// The law for `world` in its present state.
    pub fn derive(&self, world: &World) -> CompliantLaw {
        let scales = Scales::of(world);
        let materials = world.materials().list().len();
        let of = |i: usize| self.materials.get(i).copied().unwrap_or_default();
        let mut laws = Vec::with_capacity(materials * materials);
        for i in 0..materials {
            for j in 0..materials {
                let (first, second) = (of(i), of(j));
                // The softer, the less damped and the less elastic surface decides.
                let lesser = |x: Option<f64>, y: Option<f64>| x.into_iter().chain(y).reduce(f64::min);
                let damping = lesser(first.damping, second.damping);
                let restitution = lesser(first.restitution, second.restitution).unwrap_or(RESTITUTION);
                let normal = NormalForce {
                    stiffness: lesser(first.stiffness, second.stiffness).unwrap_or_else(|| scales.stiffness()),
                    damping: damping.unwrap_or(0.0),
                    restitution,
                    minimum_impact_velocity: 0.1 * scales.speed,
                    impact_model: if damping.is_some() { ImpactModel::Linear } else { ImpactModel::Mixed },
                    ..NormalForce::default()
                };
                let friction = Friction {
                    coefficient: world.materials().friction(MaterialId(i as u32), MaterialId(j as u32)),
                    regularisation: self.slip_speed.unwrap_or(1e-4 * scales.speed),
                    compressive_only: true,
                };
                laws.push(ContactForce { normal, friction });
            }
        }
        let stiffest = laws.iter().map(|law| law.normal.stiffness).fold(0.0, f64::max);
        let period = std::f64::consts::PI / (stiffest * scales.inverse_mass).sqrt();
        let substep = self.substep.unwrap_or(period / SUBSTEPS_A_CONTACT);
        CompliantLaw { materials, laws, substep }
    }
}

impl CompliantLaw {
    /// The derived numbers in one line, for whoever starts the run.
    pub fn summary(&self) -> String {
        let law = &self.laws[0];
        format!(
            "penalty: stiffness {:.4e} N/m, restitution {}, damping {} N·s/m, slip speed {:.3e} m/s, sub-step {:.3e} s",
            law.normal.stiffness, law.normal.restitution, law.normal.damping, law.friction.regularisation, self.substep
        )
    }
}

/// Sizes, masses and speeds of a world, as the module's documentation names them.
struct Scales {
    size: f64,
    mass: f64,
    /// Gravity across the periods, in m/s².
    gravity: f64,
    height: f64,
    /// √(g d), or the largest speed without gravity, in m/s.
    speed: f64,
    /// Largest speed to come, in m/s.
    impact: f64,
    /// Largest inverse mass of a pair, in 1/kg.
    inverse_mass: f64,
}

impl Scales {
    fn of(world: &World) -> Self {
        let whole = world.gravity().norm();
        let across = Vec3::from_fn(|k, _| if world.periods()[k].is_some() { 0.0 } else { world.gravity()[k] });
        // Where gravity acts along periods alone, what falls past an obstacle comes back onto it.
        let falling = if across.norm() > 0.0 { across } else { world.gravity() };
        let gravity = falling.norm();
        let up = if gravity > 0.0 { -falling / gravity } else { Vec3::zeros() };
        let mut scales =
            Self { size: f64::INFINITY, mass: 0.0, gravity, height: 0.0, speed: 0.0, impact: 0.0, inverse_mass: 0.0 };
        let (mut lowest, mut highest, mut fastest) = (f64::INFINITY, f64::NEG_INFINITY, 0.0_f64);
        for i in (0..world.len()).filter(|i| world.is_free(*i)) {
            let shape = &world.shapes()[i];
            let radius = shape.bounding_radius();
            let (mass, inertia) = (world.masses()[i], world.inertias()[i].min());
            scales.size = scales.size.min(shape.size());
            scales.mass = scales.mass.max(mass);
            // A ball is always hit through its centre.
            let turning = if matches!(shape, Shape::Sphere { .. }) { 0.0 } else { radius * radius / inertia };
            scales.inverse_mass = scales.inverse_mass.max(2.0 * (1.0 / mass + turning));
            let z = world.positions()[i].dot(&up);
            (lowest, highest) = (lowest.min(z), highest.max(z));
            let velocity = &world.velocities()[i];
            fastest = fastest.max(velocity.linear.norm() + velocity.angular.norm() * radius);
        }
        if !scales.size.is_finite() {
            // Nothing moves: any positive numbers do.
            return Self { size: 1.0, mass: 1.0, speed: 1.0, impact: 1.0, inverse_mass: 1.0, ..scales };
        }
        for driven in world.drives() {
            fastest = fastest.max(driven.drive.fastest());
        }
        scales.height = highest - lowest + scales.size;
        let below = (0..world.len())
            .filter(|i| !world.is_free(*i))
            .map(|i| world.positions()[i].dot(&up))
            .filter(|z| *z <= lowest)
            .fold(f64::NEG_INFINITY, f64::max);
        let drop = if below.is_finite() { lowest - below } else { 0.0 };
        scales.impact = fastest + (2.0 * gravity * (scales.height + drop)).sqrt();
        if scales.impact <= 0.0 {
            // At rest without gravity; a body length a second to come.
            scales.impact = scales.size;
        }
        scales.speed = if whole > 0.0 { (whole * scales.size).sqrt() } else { scales.impact };
        scales
    }

    /// The stiffness in N/m.
    fn stiffness(&self) -> f64 {
        let allowed = ALLOWED_OVERLAP * self.size;
        let load = 4.0 * self.mass * self.gravity * (self.height / self.size).max(1.0);
        (load / allowed).max(self.mass * (self.impact / allowed).powi(2))
    }
}

//! Parameters of the contact of two spheres, or of a sphere inside a hollow sphere.

use crate::error::Fault;
use crate::law::penalty::ContactForce;
use crate::law::penalty::Friction;
use crate::law::penalty::ImpactModel;
use crate::law::penalty::NormalForce;
use crate::law::penalty::item::parameters::Checks;
use crate::law::penalty::item::parameters::Visualization;

/// Parameters of a sphere–sphere contact.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SphereSphere {
    /// Name, for messages.
    pub name: String,
    /// Radii r₀ and r₁ in m, > 0; must be given.
    pub spheres_radii: [f64; 2],
    /// Whether sphere 1 is hollow, with sphere 0 inside.
    pub is_hollow_sphere_1: bool,
    /// Coefficient of friction μ, ≥ 0.
    pub dynamic_friction: f64,
    /// Speed v_reg in m/s up to which friction is proportional to velocity, ≥ 0.
    pub friction_proportional_zone: f64,
    /// Normal stiffness k in N/m (for exponent 1), ≥ 0.
    pub contact_stiffness: f64,
    /// Linear normal damping d_c in N·s/m, ≥ 0.
    pub contact_damping: f64,
    /// Exponent of the overlap, > 0.
    pub contact_stiffness_exponent: f64,
    /// Constant adhesion force f_adh in N, ≥ 0; acts with a plasticity ratio only.
    pub constant_pull_off_force: f64,
    /// Plasticity ratio λ_p = 1 − k/k₂, in [0, 1); 0 turns the elasto-plastic model off.
    pub contact_plasticity_ratio: f64,
    /// Adhesion coefficient k_adh in N/m (for adhesion exponent 1), ≥ 0.
    pub adhesion_coefficient: f64,
    /// Exponent of the adhesion branch, > 0.
    pub adhesion_exponent: f64,
    /// Coefficient of restitution e, > 0.
    pub restitution_coefficient: f64,
    /// Lower bound of the impact velocity in m/s, ≥ 0; the larger, the smaller the damping of slower impacts.
    pub minimum_impact_velocity: f64,
    /// Impact model 0, 1 or 2.
    pub impact_model: ImpactModel,
    /// Whether the item acts.
    pub active_connector: bool,
    /// Initial history: gap, tangential speed, impact velocity, plastic overlap. Empty: the gap at the start, and zeros.
    pub data: Vec<f64>,
    /// Whether friction comes from the compressive part of the normal force only. Not so on the seed page.
    pub friction_compressive_only: bool,
    /// How it is drawn.
    pub visualization: Visualization,
}

impl Default for SphereSphere {
    fn default() -> Self {
        Self {
            name: String::new(),
            spheres_radii: [-1.0, -1.0],
            is_hollow_sphere_1: false,
            dynamic_friction: 0.0,
            friction_proportional_zone: 1e-3,
            contact_stiffness: 0.0,
            contact_damping: 0.0,
            contact_stiffness_exponent: 1.0,
            constant_pull_off_force: 0.0,
            contact_plasticity_ratio: 0.0,
            adhesion_coefficient: 0.0,
            adhesion_exponent: 1.0,
            restitution_coefficient: 1.0,
            minimum_impact_velocity: 0.0,
            impact_model: ImpactModel::Linear,
            active_connector: true,
            data: Vec::new(),
            friction_compressive_only: false,
            visualization: Visualization::default(),
        }
    }
}

impl SphereSphere {
    /// Two spheres of these radii (m) with a linear contact of this stiffness (N/m).
    pub fn new(spheres_radii: [f64; 2], contact_stiffness: f64) -> Self {
        Self { spheres_radii, contact_stiffness, ..Self::default() }
    }

    /// Everything that is wrong with the parameters.
    pub fn validate(&self) -> Vec<Fault> {
        let mut checks = Checks::new("sphere_sphere", &self.name);
        let [r0, r1] = self.spheres_radii;
        checks.positive("spheres_radii[0]", r0);
        checks.positive("spheres_radii[1]", r1);
        if self.is_hollow_sphere_1 && r0 > 0.0 && r1 > 0.0 {
            checks.require(
                r0 < r1,
                "spheres_radii",
                format!("a sphere of radius {r0} m does not fit into a hollow sphere of radius {r1} m"),
                "give sphere 0 the smaller radius",
            );
        }
        checks.not_negative("dynamic_friction", self.dynamic_friction);
        checks.not_negative("friction_proportional_zone", self.friction_proportional_zone);
        checks.not_negative("contact_stiffness", self.contact_stiffness);
        checks.not_negative("contact_damping", self.contact_damping);
        checks.positive("contact_stiffness_exponent", self.contact_stiffness_exponent);
        checks.not_negative("constant_pull_off_force", self.constant_pull_off_force);
        let ratio = self.contact_plasticity_ratio;
        checks.require(
            (0.0..1.0).contains(&ratio),
            "contact_plasticity_ratio",
            format!("{ratio}"),
            "give a number in [0, 1): unloading is k/(1 − ratio) stiff",
        );
        checks.not_negative("adhesion_coefficient", self.adhesion_coefficient);
        checks.positive("adhesion_exponent", self.adhesion_exponent);
        checks.restitution(self.restitution_coefficient);
        checks.not_negative("minimum_impact_velocity", self.minimum_impact_velocity);
        checks.history(&self.data, 4);
        checks.faults
    }

    /// The force law.
    pub fn law(&self) -> ContactForce {
        ContactForce {
            normal: NormalForce {
                stiffness: self.contact_stiffness,
                damping: self.contact_damping,
                exponent: self.contact_stiffness_exponent,
                pull_off: self.constant_pull_off_force,
                plasticity_ratio: self.contact_plasticity_ratio,
                adhesion: self.adhesion_coefficient,
                adhesion_exponent: self.adhesion_exponent,
                restitution: self.restitution_coefficient,
                minimum_impact_velocity: self.minimum_impact_velocity,
                impact_model: self.impact_model,
            },
            friction: Friction {
                coefficient: self.dynamic_friction,
                regularisation: self.friction_proportional_zone,
                compressive_only: self.friction_compressive_only,
            },
        }
    }
}

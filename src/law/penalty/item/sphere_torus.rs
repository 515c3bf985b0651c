//! Parameters of the contact of a sphere (marker 0) inside the tube of a torus (marker 1).

use crate::error::Fault;
use crate::law::penalty::ContactForce;
use crate::law::penalty::Friction;
use crate::law::penalty::ImpactModel;
use crate::law::penalty::NormalForce;
use crate::law::penalty::item::parameters::Checks;
use crate::law::penalty::item::parameters::Visualization;
use crate::law::penalty::item::parameters::unit_vector;
use crate::math::Vec3;

/// Parameters of a sphere–torus contact.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SphereTorus {
    /// Name, for messages.
    pub name: String,
    /// Radius r_S of the sphere in m, > 0; must be given.
    #[serde(alias = "radius_sphere")]
    pub sphere_radius: f64,
    /// Major radius r_M of the torus in m, > 0; must be given.
    pub torus_major_radius: f64,
    /// Minor radius r_m of the torus (of its tube) in m, > the sphere's; must be given.
    pub torus_minor_radius: f64,
    /// Axis of the torus in the frame of marker 1, a unit vector; must be given.
    pub torus_axis: Vec3,
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
    /// Coefficient of restitution e, > 0.
    pub restitution_coefficient: f64,
    /// Lower bound of the impact velocity in m/s, ≥ 0; the larger, the smaller the damping of slower impacts.
    pub minimum_impact_velocity: f64,
    /// Impact model 0, 1 or 2.
    pub impact_model: ImpactModel,
    /// Whether the item acts.
    pub active_connector: bool,
    /// Initial history: gap, tangential speed, impact velocity, and one unused. Empty: the gap at the start, and zeros.
    pub data: Vec<f64>,
    /// Whether friction comes from the compressive part of the normal force only. Not so on the seed page.
    pub friction_compressive_only: bool,
    /// How it is drawn.
    pub visualization: Visualization,
}

impl Default for SphereTorus {
    fn default() -> Self {
        Self {
            name: String::new(),
            sphere_radius: 0.0,
            torus_major_radius: 0.0,
            torus_minor_radius: 0.0,
            torus_axis: Vec3::zeros(),
            dynamic_friction: 0.0,
            friction_proportional_zone: 1e-3,
            contact_stiffness: 0.0,
            contact_damping: 0.0,
            contact_stiffness_exponent: 1.0,
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

impl SphereTorus {
    /// A sphere of radius `sphere_radius` in a torus of radii [major, minor] about `torus_axis`, lengths in m, with a
    /// linear contact of this stiffness (N/m).
    pub fn new(sphere_radius: f64, torus_radii: [f64; 2], torus_axis: Vec3, contact_stiffness: f64) -> Self {
        Self {
            sphere_radius,
            torus_major_radius: torus_radii[0],
            torus_minor_radius: torus_radii[1],
            torus_axis,
            contact_stiffness,
            ..Self::default()
        }
    }

    /// Everything that is wrong with the parameters.
    pub fn validate(&self) -> Vec<Fault> {
        let mut checks = Checks::new("sphere_torus", &self.name);
        let (r_s, r_m) = (self.sphere_radius, self.torus_minor_radius);
        checks.positive("sphere_radius", r_s);
        checks.positive("torus_major_radius", self.torus_major_radius);
        checks.positive("torus_minor_radius", r_m);
        if r_s > 0.0 && r_m > 0.0 {
            checks.require(
                r_s < r_m,
                "sphere_radius",
                format!("a sphere of radius {r_s} m does not fit into a tube of radius {r_m} m"),
                "give the torus a minor radius larger than the sphere's",
            );
        }
        unit_vector(&checks.key("torus_axis"), &self.torus_axis, &mut checks.faults);
        checks.not_negative("dynamic_friction", self.dynamic_friction);
        checks.not_negative("friction_proportional_zone", self.friction_proportional_zone);
        checks.not_negative("contact_stiffness", self.contact_stiffness);
        checks.not_negative("contact_damping", self.contact_damping);
        checks.positive("contact_stiffness_exponent", self.contact_stiffness_exponent);
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
                restitution: self.restitution_coefficient,
                minimum_impact_velocity: self.minimum_impact_velocity,
                impact_model: self.impact_model,
                ..NormalForce::default()
            },
            friction: Friction {
                coefficient: self.dynamic_friction,
                regularisation: self.friction_proportional_zone,
                compressive_only: self.friction_compressive_only,
            },
        }
    }
}

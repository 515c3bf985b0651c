//! Contact of one coordinate with another.
//!
//! ```text
//! g = q₁ − q₀ − offset
//! force on q₁: k D − d_c ġ + (k/v_i) c D ġ,   on q₀ the opposite      contact where g ≤ 0
//! ```

use crate::error::Fault;
use crate::law::penalty::ImpactModel;
use crate::law::penalty::NormalForce;
use crate::law::penalty::item::parameters::Checks;
use crate::law::penalty::item::parameters::Visualization;

/// Parameters of a contact between two coordinates.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Coordinate {
    /// Name, for messages.
    pub name: String,
    /// Stiffness k in N/m (or N·m/rad), ≥ 0.
    pub contact_stiffness: f64,
    /// Damping d_c in N·s/m, ≥ 0.
    pub contact_damping: f64,
    /// Exponent of the overlap, > 0.
    pub contact_stiffness_exponent: f64,
    /// Coefficient of restitution e, > 0.
    pub restitution_coefficient: f64,
    /// Lower bound of the impact velocity in m/s, ≥ 0; the larger, the smaller the damping of slower impacts.
    pub minimum_impact_velocity: f64,
    /// Impact model 0, 1 or 2.
    pub impact_model: ImpactModel,
    /// Offset of the contact in m.
    pub offset: f64,
    /// Whether the item acts.
    pub active_connector: bool,
    /// Initial history: the gap, and with impact model 1 or 2 the impact velocity. Empty: the gap at the start.
    pub data: Vec<f64>,
    /// How it is drawn.
    pub visualization: Visualization,
}

impl Default for Coordinate {
    fn default() -> Self {
        Self {
            name: String::new(),
            contact_stiffness: 0.0,
            contact_damping: 0.0,
            contact_stiffness_exponent: 1.0,
            restitution_coefficient: 1.0,
            minimum_impact_velocity: 0.0,
            impact_model: ImpactModel::Linear,
            offset: 0.0,
            active_connector: true,
            data: Vec::new(),
            visualization: Visualization { show: true, draw_size: -1.0, color: [-1.0; 4] },
        }
    }
}

impl Coordinate {
    /// A linear stop of this stiffness (N/m) and damping (N·s/m).
    pub fn new(contact_stiffness: f64, contact_damping: f64) -> Self {
        Self { contact_stiffness, contact_damping, ..Self::default() }
    }

    /// Everything that is wrong with the parameters.
    pub fn validate(&self) -> Vec<Fault> {
        let mut checks = Checks::new("coordinate", &self.name);
        checks.not_negative("contact_stiffness", self.contact_stiffness);
        checks.not_negative("contact_damping", self.contact_damping);
        checks.positive("contact_stiffness_exponent", self.contact_stiffness_exponent);
        checks.restitution(self.restitution_coefficient);
        checks.not_negative("minimum_impact_velocity", self.minimum_impact_velocity);
        checks.finite("offset", self.offset);
        checks.history(&self.data, self.history_coordinates());
        checks.faults
    }

    /// How many history coordinates the item has: 1, and 2 with an impact model.
    pub fn history_coordinates(&self) -> usize {
        if self.impact_model == ImpactModel::Linear { 1 } else { 2 }
    }

    /// The force law.
    pub fn law(&self) -> NormalForce {
        NormalForce {
            stiffness: self.contact_stiffness,
            damping: self.contact_damping,
            exponent: self.contact_stiffness_exponent,
            restitution: self.restitution_coefficient,
            minimum_impact_velocity: self.minimum_impact_velocity,
            impact_model: self.impact_model,
            ..NormalForce::default()
        }
    }
}

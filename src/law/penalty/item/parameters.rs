//! What the items have in common: the checks of their numbers, and how they are drawn.

use crate::error::Fault;
use crate::math::Vec3;

/// How an item is drawn; plain data for whoever draws it.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Visualization {
    /// Whether the item is drawn.
    pub show: bool,
    /// Diameter of the drawn contact points of a coordinate item in m; −1 for the drawing's own.
    pub draw_size: f64,
    /// Red, green, blue and opacity in [0, 1]; a red of −1 stands for the drawing's own colour.
    pub color: [f64; 4],
}

impl Default for Visualization {
    fn default() -> Self {
        Self { show: false, draw_size: -1.0, color: [0.7, 0.7, 0.7, 1.0] }
    }
}

/// Collects what is wrong with the numbers of an item.
pub(crate) struct Checks {
    item: String,
    pub(crate) faults: Vec<Fault>,
}

impl Checks {
    /// Checks of the item called `name` (of kind `kind` where it has no name).
    pub(crate) fn new(kind: &str, name: &str) -> Self {
        let item = if name.is_empty() { kind.to_owned() } else { name.to_owned() };
        Self { item, faults: Vec::new() }
    }

    /// The path of a parameter.
    pub(crate) fn key(&self, parameter: &str) -> String {
        format!("{}.{parameter}", self.item)
    }

    /// Adds a fault for `parameter` unless it is `fine`.
    pub(crate) fn require(&mut self, fine: bool, parameter: &str, what: impl Into<String>, remedy: &str) {
        if !fine {
            self.faults.push(Fault::new(self.key(parameter), what, remedy));
        }
    }

    /// The parameter must be finite and ≥ 0.
    pub(crate) fn not_negative(&mut self, parameter: &str, value: f64) {
        self.require(value >= 0.0 && value.is_finite(), parameter, format!("{value}"), "give a finite number ≥ 0");
    }

    /// The parameter must be finite and > 0.
    pub(crate) fn positive(&mut self, parameter: &str, value: f64) {
        self.require(value > 0.0 && value.is_finite(), parameter, format!("{value}"), "give a finite number > 0");
    }

    /// The parameter must be finite.
    pub(crate) fn finite(&mut self, parameter: &str, value: f64) {
        self.require(value.is_finite(), parameter, format!("{value}"), "give a finite number");
    }

    /// The coefficient of restitution must be > 0.
    pub(crate) fn restitution(&mut self, value: f64) {
        self.require(
            value > 0.0 && value.is_finite(),
            "restitution_coefficient",
            format!("{value}"),
            "give a number > 0; it may be small, but 0 has no impact model",
        );
    }

    /// The number of history coordinates must be one of `allowed`, and each finite; none stands for the default.
    pub(crate) fn history(&mut self, data: &[f64], needed: usize) {
        self.require(
            data.is_empty() || data.len() == needed,
            "data",
            format!("{} history coordinates", data.len()),
            &format!("give {needed}, or none to start from the gap"),
        );
        self.require(data.iter().all(|x| x.is_finite()), "data", format!("{data:?}"), "give finite numbers");
    }
}

/// Adds a fault unless `axis` is a unit vector to within 1e-9.
pub(crate) fn unit_vector(key: &str, axis: &Vec3, faults: &mut Vec<Fault>) {
    let off = (axis.norm() - 1.0).abs();
    if off.is_nan() || off > 1e-9 {
        faults.push(Fault::new(
            key,
            format!("({}, {}, {}) has the length {}", axis.x, axis.y, axis.z, axis.norm()),
            "give a unit vector",
        ));
    }
}

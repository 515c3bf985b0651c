//! What a contact remembers from step to step.
//!
//! With S the start of the step and N the state after it:
//!
//! ```text
//! gap              = g_N
//! tangential speed = ‖v_t‖ at N
//! impact velocity  = −v_n at N   if g_S > 0 and g_N ≤ 0     (first touch; kept until the next one)
//!                    unchanged   otherwise
//! plastic overlap  = max(δ_p at S, λ_p^(1/n_exp) d)   while g_N < 0, with λ_p > 0
//!                    0                                otherwise
//! ```
//!
//! The plastic overlap is that of the largest overlap so far, and is not reduced on the adhesion branch.

use crate::law::penalty::NormalForce;

/// The four history coordinates of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct History {
    /// Gap g in m at the last accepted step: negative in contact. Its sign is the contact state that forces use.
    pub gap: f64,
    /// Norm of the tangential velocity in m/s.
    pub tangential_speed: f64,
    /// Impact velocity in m/s: the closing speed at the last first touch.
    pub impact_velocity: f64,
    /// Plastic overlap δ_p in m.
    pub plastic_overlap: f64,
}

impl History {
    /// The history after a step that began with `self` and ends at `gap` (m), gap velocity `v_n` (m/s) and
    /// tangential speed (m/s).
    #[inline]
    #[must_use]
    pub fn after(&self, law: &NormalForce, gap: f64, v_n: f64, tangential_speed: f64) -> Self {
        let impact_velocity = if self.gap > 0.0 && gap <= 0.0 { -v_n } else { self.impact_velocity };
        let plastic_overlap = if gap < 0.0 && law.plasticity_ratio > 0.0 {
            self.plastic_overlap.max(law.plasticity_ratio.powf(1.0 / law.exponent) * -gap)
        } else {
            0.0
        };
        Self { gap, tangential_speed, impact_velocity, plastic_overlap }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // kept and reset values are the same bits
mod tests {
    use super::*;

    #[test]
    fn the_impact_velocity_is_frozen_at_first_touch_and_kept_after_separation() {
        let law = NormalForce::default();
        let free = History { gap: 0.1, ..Default::default() };
        let touch = free.after(&law, -1e-9, -2.0, 0.0);
        assert_eq!(touch.impact_velocity, 2.0);
        let deeper = touch.after(&law, -1e-3, -1.0, 0.0);
        let apart = deeper.after(&law, 1e-3, 1.5, 0.0);
        assert_eq!((deeper.impact_velocity, apart.impact_velocity), (2.0, 2.0));
    }

    #[test]
    fn the_plastic_overlap_grows_with_the_largest_overlap_and_is_lost_on_separation() {
        let law = NormalForce { plasticity_ratio: 0.25, exponent: 2.0, ..Default::default() };
        let deep = History::default().after(&law, -4e-3, -1.0, 0.0);
        assert!((deep.plastic_overlap - 2e-3).abs() < 1e-18, "{}", deep.plastic_overlap);
        let shallow = deep.after(&law, -1e-3, 1.0, 0.0);
        assert_eq!(shallow.plastic_overlap, deep.plastic_overlap);
        assert_eq!(shallow.after(&law, 0.0, 1.0, 0.0).plastic_overlap, 0.0);
    }
}

//! Regularised Coulomb friction.
//!
//! ```text
//! F_t = −μ f_n v_t / max(v_reg, ‖v_t‖)          on body a; 0 where v_t = 0
//! ```
//!
//! with the signed total f_n: where the contact pulls, friction turns round too, as the seed pages have it. With
//! `compressive_only` f_n is replaced by max(f_n, 0). A body at rest creeps at v_reg F_t/(μ f_n): there is no
//! tangential spring.

use crate::math::Vec3;

/// Parameters of the friction; the default has none.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Friction {
    /// Coefficient of friction μ, ≥ 0.
    pub coefficient: f64,
    /// Speed v_reg in m/s below which friction is proportional to velocity, ≥ 0; 0 is pure Coulomb friction, which
    /// has no stability limit but chatters about rest.
    pub regularisation: f64,
    /// Whether only the compressive part of the normal force makes friction. Not so on the seed pages.
    pub compressive_only: bool,
}

impl Default for Friction {
    fn default() -> Self {
        Self { coefficient: 0.0, regularisation: 1e-3, compressive_only: false }
    }
}

impl Friction {
    /// The friction in N on body a under the normal force `f_n` (N), at the tangential velocity `v_t` (m/s, of a
    /// minus b).
    #[inline]
    pub fn force(&self, f_n: f64, v_t: &Vec3) -> Vec3 {
        let f_n = if self.compressive_only { f_n.max(0.0) } else { f_n };
        let speed = v_t.norm();
        let scale = speed.max(self.regularisation);
        if scale > 0.0 { v_t * (-self.coefficient * f_n / scale) } else { Vec3::zeros() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRICTION: Friction = Friction { coefficient: 0.5, regularisation: 0.1, compressive_only: false };

    #[test]
    fn friction_is_full_beyond_the_proportional_zone_and_proportional_in_it() {
        // 4 ε: one division and one product of numbers of order one.
        const TOLERANCE: f64 = 4.0 * f64::EPSILON;
        let full = FRICTION.force(2.0, &Vec3::new(3.0, 4.0, 0.0));
        assert!((full - Vec3::new(-0.6, -0.8, 0.0)).norm() <= TOLERANCE, "{full:?}");
        let part = FRICTION.force(2.0, &Vec3::new(0.0, 0.05, 0.0));
        assert!((part - Vec3::new(0.0, -0.5, 0.0)).norm() <= TOLERANCE, "{part:?}");
    }

    #[test]
    fn friction_turns_round_when_the_contact_pulls_unless_told_not_to() {
        let slip = Vec3::new(1.0, 0.0, 0.0);
        assert!(FRICTION.force(-2.0, &slip).x > 0.0);
        let compressive = Friction { compressive_only: true, ..FRICTION };
        assert_eq!(compressive.force(-2.0, &slip), Vec3::zeros());
    }

    #[test]
    fn pure_coulomb_friction_is_zero_at_rest() {
        let pure = Friction { regularisation: 0.0, ..FRICTION };
        assert_eq!(pure.force(2.0, &Vec3::zeros()), Vec3::zeros());
        assert!((pure.force(2.0, &Vec3::new(1e-12, 0.0, 0.0)).x + 1.0).abs() < 1e-15);
    }
}

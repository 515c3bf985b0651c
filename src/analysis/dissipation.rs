//! Dissipated energy by kind, from the ledger.

use crate::simulation::Work;

/// Energy in J that the contacts took between two instants, by kind; positive where it is lost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dissipated {
    /// By normal impulses: inelastic impacts.
    pub normal: f64,
    /// By friction.
    pub friction: f64,
    /// By the correction of overlaps; negative where it adds energy.
    pub correction: f64,
    /// By the integration: quadrature of the potential, explicit gyroscopic term.
    pub integration: f64,
}

impl Dissipated {
    /// What was lost from the work totals `before` to `after`.
    pub fn between(before: &Work, after: &Work) -> Self {
        Self {
            normal: before.normal - after.normal,
            friction: before.friction - after.friction,
            correction: before.correction - after.correction,
            integration: before.integration - after.integration,
        }
    }

    /// Share of friction in what impacts and friction take together; NaN where they take nothing.
    pub fn friction_share(&self) -> f64 {
        self.friction / (self.friction + self.normal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_ledger_lost_is_told_by_kind() {
        let before = Work { normal: -1.0, friction: -2.0, ..Work::default() };
        let after = Work { normal: -2.0, friction: -5.0, correction: 0.5, integration: -0.25, ..Work::default() };
        let lost = Dissipated::between(&before, &after);
        let expected = Dissipated { normal: 1.0, friction: 3.0, correction: -0.5, integration: 0.25 };
        assert_eq!(lost, expected);
        assert!((lost.friction_share() - 0.75).abs() < 1e-15);
    }
}

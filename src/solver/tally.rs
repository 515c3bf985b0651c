//! What a sweep adds up over its contacts.

/// Residuals and their scale over some contacts. Sums are kept by chunk and added up in the order of the chunks, so
/// they do not depend on the number of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::solver) struct Tally {
    /// Square of the largest residual.
    pub(in crate::solver) largest: f64,
    /// Sum of the squared residuals; not a number as soon as one residual is not.
    pub(in crate::solver) squares: f64,
    /// Square of the largest magnitude of what the residual is measured by.
    pub(in crate::solver) scale: f64,
    /// Σ Ann ‖ΔΛ‖² in J.
    pub(in crate::solver) energy: f64,
    /// Largest ‖Λto‖ − μΛn in N·s.
    pub(in crate::solver) cone_violation: f64,
    /// Largest closing speed left beyond what the gap allows, in m/s.
    pub(in crate::solver) approach: f64,
    /// Contacts with an impulse that the law did not certify.
    pub(in crate::solver) uncertified: u32,
    /// Contacts with ‖e‖ ≥ 1 and an impulse.
    pub(in crate::solver) shocks: u32,
}

impl Tally {
    /// Takes note of one residual and of the magnitude it is measured by, both as squares: no root in a visit.
    #[inline(always)]
    pub(in crate::solver) fn add(&mut self, residual: f64, magnitude: f64) {
        self.largest = larger(self.largest, residual);
        self.squares += residual;
        self.scale = larger(self.scale, magnitude);
    }

    /// The tally of both.
    #[inline]
    pub(in crate::solver) fn with(self, other: &Self) -> Self {
        Self {
            largest: self.largest.max(other.largest),
            squares: self.squares + other.squares,
            energy: self.energy + other.energy,
            scale: self.scale.max(other.scale),
            cone_violation: self.cone_violation.max(other.cone_violation),
            approach: self.approach.max(other.approach),
            uncertified: self.uncertified + other.uncertified,
            shocks: self.shocks + other.shocks,
        }
    }
}

/// The larger of both, `a` where `b` is not a number: one instruction.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

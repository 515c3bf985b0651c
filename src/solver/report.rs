//! How a solve went.

/// Why the sweeps ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// The residual, evaluated after the last sweep, is within the tolerance.
    Converged,
    /// The allowed number of sweeps was used up.
    SweepLimit,
    /// The residual did not fall any more, under damping either: the iterates go round in a cycle.
    Cycling,
    /// An impulse or a velocity is not a finite number.
    NotFinite,
}

/// The outcome of a solve by sweeps.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Report {
    /// Why the sweeps ended.
    pub status: Status,
    /// Sweeps made.
    pub sweeps: usize,
    /// Largest residual over the contacts, by the scale of the residual; evaluated after the last sweep.
    pub residual: f64,
    /// Root mean square of the residuals, by the same scale.
    pub residual_rms: f64,
    /// Damping that was in force at the end: 1, 0.5 or 0.2.
    pub damping: f64,
}

impl Report {
    /// The report where there is no contact.
    pub const EMPTY: Self =
        Self { status: Status::Converged, sweeps: 0, residual: 0.0, residual_rms: 0.0, damping: 1.0 };
}

//! The laws for one contact: given the Delassus block A, the right-hand side b and the coefficient of friction μ,
//! find the impulse Λ.
//!
//! A law never sees the world. Each law is total: it always returns an impulse with its state, and says with a
//! certificate whether that impulse is a solution to round-off.

mod block;
pub mod cone;
pub mod coulomb;
pub mod frictionless;
pub mod incremental;
pub mod lanes;
pub mod max_dissipation;
pub mod penalty;
pub mod random;
mod reduce;
mod slip;
mod trig;

pub use block::ContactBlock;
pub use cone::Cone;
pub use coulomb::Coulomb;
pub use coulomb::CoulombLeast;
pub use frictionless::Frictionless;
pub use max_dissipation::MaxDissipation;

use crate::math::Vec3;
use std::fmt;
use std::str::FromStr;

/// State of a contact after its impulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ContactState {
    /// No impulse; the contact opens or stays open.
    Separating,
    /// The impulse ends the slip.
    Sticking,
    /// The impulse lies on the border of the friction cone and slip is left.
    Sliding,
}

/// The answer of a law for one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    /// Impulse (Λn, Λt, Λo) in N·s, in the contact frame, on body a.
    pub impulse: Vec3,
    /// State of the contact.
    pub state: ContactState,
    /// Whether the law's own conditions hold for this impulse to round-off.
    pub certified: bool,
}

impl Solution {
    /// No impulse.
    pub const SEPARATING: Self =
        Self { impulse: Vec3::new(0.0, 0.0, 0.0), state: ContactState::Separating, certified: true };
}

/// A law that maps one contact to its impulse, as the sweep over many contacts uses it.
///
/// The answer depends on the arguments alone, never on a start, and nothing is allocated.
pub trait ContactLaw: Copy + Send + Sync + 'static {
    /// Which contacts [`lanes`] may decide together; the others are solved one by one.
    const DECIDED: lanes::Decided = lanes::Decided::Nothing;

    /// The impulse for the right-hand side `b` in m/s, in the contact frame: b = −δv without this contact's own
    /// impulse.
    fn solve(self, block: &ContactBlock, b: &Vec3) -> Solution;
}

/// All laws that the program knows, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// Maximum dissipation under the pressure constraint: the paper's.
    MaxDissipation,
    /// Friction opposes the slip after the impulse.
    Coulomb,
    /// Convex relaxation: minimise over the friction cone alone.
    Cone,
    /// No friction.
    Frictionless,
    /// Darboux–Keller, the limit of a stiff compliant contact; one contact only.
    Incremental,
    /// Impacts by maximum dissipation, then the rest of the step by Coulomb; many contacts in time only.
    TwoStage,
    /// Compliant contacts; many contacts in time only.
    Penalty,
}

impl Law {
    /// The laws that a contact problem can be solved under.
    pub const SOLVE: [Self; 5] =
        [Self::MaxDissipation, Self::Coulomb, Self::Cone, Self::Frictionless, Self::Incremental];
    /// The laws that a scene can be run under.
    pub const RUN: [Self; 6] =
        [Self::MaxDissipation, Self::Coulomb, Self::Cone, Self::Frictionless, Self::TwoStage, Self::Penalty];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxDissipation => "max-dissipation",
            Self::Coulomb => "coulomb",
            Self::Cone => "cone",
            Self::Frictionless => "frictionless",
            Self::Incremental => "incremental",
            Self::TwoStage => "two-stage",
            Self::Penalty => "penalty",
        }
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Law {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        const ALL: [Law; 7] = [
            Law::MaxDissipation,
            Law::Coulomb,
            Law::Cone,
            Law::Frictionless,
            Law::Incremental,
            Law::TwoStage,
            Law::Penalty,
        ];
        ALL.into_iter().find(|law| law.name() == name).ok_or_else(|| {
            let names: Vec<_> = ALL.iter().map(|law| law.name()).collect();
            format!("unknown law \"{name}\"; the laws are {}", names.join(", "))
        })
    }
}

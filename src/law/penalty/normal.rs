//! The normal force: linear, Hunt–Crossley, Gonthier/Carvalho–Martins, and Edinburgh adhesive elasto-plastic.
//!
//! ```text
//! s(x, n) = sign(x)|x|ⁿ,   D = s(d, n_exp)
//!
//! model 0, λ_p = 0:   f_n = k D − d_c v_n
//! model 0, λ_p > 0:   f_n = f_e − f_adh − d_c v_n
//!                     k₂ = k/(1 − λ_p),  u = k₂ (D − s(δ_p, n_exp)),  a = −k_adh s(d, n_adh)
//!                     f_e = k D   if u ≥ k D          (first loading)
//!                           u     if k D > u > a      (unloading, reloading)
//!                           a     otherwise           (adhesion branch)
//! models 1, 2:        f_n = k D − d_c v_n + (k/v_i) c D v_n,   v_i = max(v_min, recorded impact velocity)
//!   1                 c = (3/2)(e − 1)
//!   2, e > 1/3        c = (3/2)(e − 1)(11 − e)/(1 + 9e)
//!   2, e ≤ 1/3        c = (e² − 1)/e
//! ```
//!
//! No restitution term if v_i ≤ 0. The force is never clamped: with damping it may pull at the end of a contact; a
//! contact ends only where the gap opens. Pull-off and adhesion act only in model 0 with λ_p > 0.

/// How energy is lost in an impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum ImpactModel {
    /// 0: linear damping only; with a plasticity ratio the Edinburgh adhesive elasto-plastic model.
    #[default]
    Linear,
    /// 1: [Hunt & Crossley 1975], for e near 1.
    HuntCrossley,
    /// 2: [Carvalho & Martins 2019] above e = 1/3, [Gonthier et al. 2004] below; the two agree there.
    Mixed,
}

impl TryFrom<u32> for ImpactModel {
    type Error = String;

    fn try_from(number: u32) -> Result<Self, String> {
        match number {
            0 => Ok(Self::Linear),
            1 => Ok(Self::HuntCrossley),
            2 => Ok(Self::Mixed),
            _ => Err(format!(
                "there is no impact model {number}; 0 is linear, 1 Hunt-Crossley, 2 Gonthier/Carvalho-Martins"
            )),
        }
    }
}

impl From<ImpactModel> for u32 {
    fn from(model: ImpactModel) -> Self {
        match model {
            ImpactModel::Linear => 0,
            ImpactModel::HuntCrossley => 1,
            ImpactModel::Mixed => 2,
        }
    }
}

/// Parameters of the normal force. The default has no stiffness, hence no force.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NormalForce {
    /// Stiffness k in N/m (for `exponent` 1; in general N/mⁿ), ≥ 0.
    pub stiffness: f64,
    /// Linear damping d_c in N·s/m, ≥ 0; added in every impact model.
    pub damping: f64,
    /// Exponent n_exp of the overlap, > 0.
    pub exponent: f64,
    /// Constant pull-off force f_adh in N, ≥ 0.
    pub pull_off: f64,
    /// Plasticity ratio λ_p = 1 − k/k₂, in [0, 1); 0 turns the elasto-plastic model off.
    pub plasticity_ratio: f64,
    /// Adhesion coefficient k_adh in N/m (for `adhesion_exponent` 1), ≥ 0.
    pub adhesion: f64,
    /// Exponent n_adh of the adhesion branch, > 0.
    pub adhesion_exponent: f64,
    /// Coefficient of restitution e, > 0; used by impact models 1 and 2.
    pub restitution: f64,
    /// Lower bound of the impact velocity in m/s, ≥ 0. The larger it is, the *smaller* the damping of slower impacts.
    pub minimum_impact_velocity: f64,
    /// Which impact model.
    pub impact_model: ImpactModel,
}

impl Default for NormalForce {
    fn default() -> Self {
        Self {
            stiffness: 0.0,
            damping: 0.0,
            exponent: 1.0,
            pull_off: 0.0,
            plasticity_ratio: 0.0,
            adhesion: 0.0,
            adhesion_exponent: 1.0,
            restitution: 1.0,
            minimum_impact_velocity: 0.0,
            impact_model: ImpactModel::Linear,
        }
    }
}

/// s(x, n) = sign(x)|x|ⁿ; the common exponents without a call of `powf`.
#[inline]
#[allow(clippy::float_cmp)] // the fast paths are exact cases of the same function
pub fn signed_power(x: f64, n: f64) -> f64 {
    if n == 1.0 {
        x
    } else if n == 1.5 {
        x * x.abs().sqrt()
    } else if n == 2.0 {
        x * x.abs()
    } else {
        x.abs().powf(n).copysign(x)
    }
}

impl NormalForce {
    /// The normal force on body a along n in N, at overlap `d` (m), gap velocity `v_n` (m/s), recorded impact
    /// velocity (m/s) and plastic overlap δ_p (m).
    #[inline]
    pub fn force(&self, d: f64, v_n: f64, impact_velocity: f64, plastic_overlap: f64) -> f64 {
        let power = signed_power(d, self.exponent);
        let damping = self.damping + self.impact_damping(power, impact_velocity);
        self.elastic_of(d, power, plastic_overlap) - damping * v_n
    }

    /// The part of the force that does not depend on the velocity, in N.
    #[inline]
    pub fn elastic(&self, d: f64, plastic_overlap: f64) -> f64 {
        self.elastic_of(d, signed_power(d, self.exponent), plastic_overlap)
    }

    #[inline]
    fn elastic_of(&self, d: f64, power: f64, plastic_overlap: f64) -> f64 {
        match self.impact_model {
            ImpactModel::Linear if self.plasticity_ratio > 0.0 => self.elasto_plastic(d, power, plastic_overlap),
            _ => self.stiffness * power,
        }
    }

    /// The elastic and adhesive part of the Edinburgh model: f_e − f_adh in N, `power` being s(d, n_exp).
    #[inline]
    fn elasto_plastic(&self, d: f64, power: f64, plastic_overlap: f64) -> f64 {
        let loading = self.stiffness * power;
        let unloading = self.unloading_stiffness() * (power - signed_power(plastic_overlap, self.exponent));
        let adhesion = -self.adhesion * signed_power(d, self.adhesion_exponent);
        let branch = if unloading >= loading {
            loading
        } else if unloading > adhesion {
            unloading
        } else {
            adhesion
        };
        branch - self.pull_off
    }

    /// −(k/v_i) c D: what the impact model adds to the damping, in N·s/m, `power` being D.
    #[inline]
    fn impact_damping(&self, power: f64, impact_velocity: f64) -> f64 {
        if self.impact_model == ImpactModel::Linear {
            return 0.0;
        }
        let v_i = impact_velocity.max(self.minimum_impact_velocity);
        if v_i > 0.0 { -self.stiffness / v_i * self.impact_coefficient() * power } else { 0.0 }
    }

    /// c of the impact model, ≤ 0 for e ≤ 1; 0 in model 0.
    #[inline]
    pub fn impact_coefficient(&self) -> f64 {
        let e = self.restitution;
        match self.impact_model {
            ImpactModel::Linear => 0.0,
            ImpactModel::HuntCrossley => 1.5 * (e - 1.0),
            ImpactModel::Mixed if e > 1.0 / 3.0 => 1.5 * (e - 1.0) * (11.0 - e) / (1.0 + 9.0 * e),
            ImpactModel::Mixed => (e * e - 1.0) / e,
        }
    }

    /// Whether the Edinburgh adhesive elasto-plastic model is on.
    #[inline]
    pub fn is_elasto_plastic(&self) -> bool {
        self.impact_model == ImpactModel::Linear && self.plasticity_ratio > 0.0
    }

    /// k₂ = k/(1 − λ_p) where the elasto-plastic model is on, else k: the stiffest branch, in N/mⁿ.
    #[inline]
    pub fn unloading_stiffness(&self) -> f64 {
        if self.is_elasto_plastic() { self.stiffness / (1.0 - self.plasticity_ratio) } else { self.stiffness }
    }

    /// Tangent stiffness of the stiffest branch at overlap `d`, n k₂ |d|ⁿ⁻¹, in N/m.
    pub fn tangent_stiffness(&self, d: f64) -> f64 {
        self.exponent * self.unloading_stiffness() * d.abs().powf(self.exponent - 1.0)
    }

    /// Damping −∂f_n/∂v_n at overlap `d`, d_c − (k/v_i) c D, in N·s/m.
    #[inline]
    pub fn tangent_damping(&self, d: f64, impact_velocity: f64) -> f64 {
        self.damping + self.impact_damping(signed_power(d, self.exponent), impact_velocity)
    }

    /// Largest overlap in m of an undamped impact of reduced mass `m` (kg) at closing speed `v` (m/s), from the
    /// energy ½ m v² = k dⁿ⁺¹/(n + 1); 0 without stiffness.
    pub fn impact_overlap(&self, m: f64, v: f64) -> f64 {
        if self.stiffness > 0.0 {
            ((self.exponent + 1.0) * m * v * v / (2.0 * self.stiffness)).powf(1.0 / (self.exponent + 1.0))
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Products and sums of a few doubles.
    const ROUND_OFF: f64 = 1e-14;

    fn close(measured: f64, expected: f64) {
        assert!((measured - expected).abs() <= ROUND_OFF * expected.abs().max(1.0), "{measured} for {expected}");
    }

    #[test]
    fn the_linear_force_is_spring_and_damper_and_may_pull() {
        let law = NormalForce { stiffness: 1e4, damping: 20.0, ..Default::default() };
        close(law.force(1e-3, -0.5, 9.0, 9.0), 10.0 + 10.0);
        close(law.force(1e-3, 1.0, 9.0, 9.0), 10.0 - 20.0);
    }

    #[test]
    fn each_branch_of_the_elasto_plastic_model_is_taken_by_hand() {
        let law =
            NormalForce { stiffness: 1e5, plasticity_ratio: 0.5, pull_off: 2.0, adhesion: 3e4, ..Default::default() };
        // First loading: k d − f_adh.
        close(law.force(1e-3, 0.0, 0.0, 0.0), 100.0 - 2.0);
        // Unloading from 2 mm (δ_p = 1 mm): k₂ (d − δ_p) − f_adh.
        close(law.force(1.5e-3, 0.0, 0.0, 1e-3), 2e5 * 0.5e-3 - 2.0);
        // Adhesion branch: −k_adh d − f_adh, where k₂ (d − δ_p) = −100 is below −k_adh d = −15.
        close(law.force(0.5e-3, 0.0, 0.0, 1e-3), -15.0 - 2.0);
    }

    #[test]
    fn pull_off_and_adhesion_do_nothing_without_plasticity() {
        let plain = NormalForce { stiffness: 1e5, ..Default::default() };
        let adhesive = NormalForce { pull_off: 7.0, adhesion: 1e4, ..plain };
        close(adhesive.force(1e-3, 0.0, 1.0, 0.0), plain.force(1e-3, 0.0, 1.0, 0.0));
        let impact = NormalForce { impact_model: ImpactModel::Mixed, plasticity_ratio: 0.5, ..adhesive };
        close(impact.force(1e-3, 0.0, 1.0, 5e-4), 100.0);
    }

    #[test]
    fn the_impact_models_have_the_coefficients_of_their_papers() {
        let model = |impact_model, restitution| {
            NormalForce { impact_model, restitution, ..Default::default() }.impact_coefficient()
        };
        close(model(ImpactModel::Linear, 0.5), 0.0);
        close(model(ImpactModel::HuntCrossley, 0.5), -0.75);
        close(model(ImpactModel::Mixed, 0.5), -0.75 * 10.5 / 5.5);
        close(model(ImpactModel::Mixed, 0.2), -4.8);
    }

    #[test]
    fn the_restitution_term_needs_an_impact_velocity() {
        let law = NormalForce {
            stiffness: 1e5,
            restitution: 0.5,
            impact_model: ImpactModel::HuntCrossley,
            ..Default::default()
        };
        close(law.force(1e-3, -1.0, 0.0, 0.0), 100.0);
        close(law.force(1e-3, -1.0, 2.0, 0.0), 100.0 * (1.0 + 0.375));
        let bounded = NormalForce { minimum_impact_velocity: 4.0, ..law };
        close(bounded.force(1e-3, -1.0, 2.0, 0.0), 100.0 * (1.0 + 0.1875));
    }

    #[test]
    fn a_damped_model_beyond_two_is_refused_by_number() {
        assert!(ImpactModel::try_from(3).unwrap_err().contains("no impact model 3"));
        for number in 0..3 {
            assert_eq!(u32::from(ImpactModel::try_from(number).unwrap()), number);
        }
    }
}

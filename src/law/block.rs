//! What a law needs of one contact, computed once and used in every sweep.

use crate::math::Mat3;
use crate::math::Vec2;
use crate::math::Vec3;

/// The Delassus block A and the coefficient of friction μ of one contact, reduced to the plane of maximum compression.
///
/// On that plane, (AΛ − b)n = 0, the normal impulse follows from the tangential one, x = (Λt, Λo):
///
/// ```text
/// Λn = (bn − a·x) / Ann,   a = (Ant, Ano)
/// Ǎ  = Att − a aᵀ / Ann    (2×2 Schur complement, SPD)
/// e  = μ a / Ann           (eccentricity vector of the conic section "cone ∩ plane", no unit)
/// ```
///
/// What is kept is Ann Ǎ and Ann e, so that nothing is divided until the impulse is known. A is held scaled by a power of
/// two to `1 ≤ Ann < 2`, which is exact: a law is then invariant under the unit of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBlock {
    /// Scale s: Ã = sA is stored, and Λ = s Λ̃.
    pub(in crate::law) scale: f64,
    /// Ãnn.
    pub(in crate::law) nn: f64,
    /// a = (Ãnt, Ãno).
    pub(in crate::law) a: Vec2,
    /// Tangential block of Ã: (tt, to, oo).
    pub(in crate::law) tangential: Sym2,
    /// Ãnn times the Schur complement of Ã.
    pub(in crate::law) schur: Sym2,
    /// Ãnn e = μ a.
    pub(in crate::law) tilt: Vec2,
    /// μ, no unit.
    pub(in crate::law) mu: f64,
    /// a = 0 and Ǎ a multiple of the identity, as for two spheres.
    pub(in crate::law) isotropic: bool,
}

/// A symmetric 2×2 matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::law) struct Sym2 {
    pub(in crate::law) xx: f64,
    pub(in crate::law) xy: f64,
    pub(in crate::law) yy: f64,
}

impl Sym2 {
    /// The product with a vector.
    #[inline(always)]
    pub(in crate::law) fn times(&self, v: Vec2) -> Vec2 {
        Vec2::new(self.xx * v.x + self.xy * v.y, self.xy * v.x + self.yy * v.y)
    }

    /// The solution x of (this)·x = v; infinite or NaN where this is singular.
    #[inline(always)]
    pub(in crate::law) fn solve(&self, v: Vec2) -> Vec2 {
        self.adjugate_times(v) * (1.0 / self.det())
    }

    /// The product of the adjugate, det(this)·(this)⁻¹, with a vector.
    #[inline(always)]
    pub(in crate::law) fn adjugate_times(&self, v: Vec2) -> Vec2 {
        Vec2::new(self.yy * v.x - self.xy * v.y, self.xx * v.y - self.xy * v.x)
    }

    /// The determinant.
    #[inline(always)]
    pub(in crate::law) fn det(&self) -> f64 {
        self.xx * self.yy - self.xy * self.xy
    }

    /// The trace: the size of an SPD matrix within a factor of two.
    #[inline(always)]
    pub(in crate::law) fn size(&self) -> f64 {
        self.xx + self.yy
    }
}

impl ContactBlock {
    /// Prepares the contact with Delassus block `a` (in 1/kg; its upper triangle is read) and friction `mu`.
    ///
    /// `a` must be symmetric positive definite and `mu ≥ 0`; the borders of the library check that. Otherwise the laws
    /// still return an impulse, which is then not certified.
    #[inline]
    pub fn new(a: &Mat3, mu: f64) -> Self {
        debug_assert!(mu >= 0.0, "coefficient of friction {mu}");
        let scale = power_of_two_below_inverse(a[(0, 0)]);
        let nn = a[(0, 0)] * scale;
        let coupling = Vec2::new(a[(0, 1)] * scale, a[(0, 2)] * scale);
        let tangential = Sym2 { xx: a[(1, 1)] * scale, xy: a[(1, 2)] * scale, yy: a[(2, 2)] * scale };
        let schur = Sym2 {
            xx: nn * tangential.xx - coupling.x * coupling.x,
            xy: nn * tangential.xy - coupling.x * coupling.y,
            yy: nn * tangential.yy - coupling.y * coupling.y,
        };
        let isotropic =
            coupling == Vec2::zeros() && tangential.xy == 0.0 && tangential.xx.to_bits() == tangential.yy.to_bits();
        Self { scale, nn, a: coupling, tangential, schur, tilt: coupling * mu, mu, isotropic }
    }

    /// The same contact, solved as any other where it is isotropic: for control experiments.
    #[must_use]
    pub fn without_closed_form(self) -> Self {
        Self { isotropic: false, ..self }
    }

    /// The coefficient of friction μ, no unit.
    pub fn mu(&self) -> f64 {
        self.mu
    }

    /// The eccentricity vector e = μ (Ant, Ano)/Ann, no unit; ‖e‖ > 1 is the Painlevé condition.
    pub fn eccentricity(&self) -> Vec2 {
        self.tilt / self.nn
    }

    /// The entry Ann of the Delassus block in 1/kg.
    pub fn nn(&self) -> f64 {
        self.nn / self.scale
    }

    /// The Delassus block A in 1/kg.
    pub fn delassus(&self) -> Mat3 {
        let Sym2 { xx, xy, yy } = self.tangential;
        Mat3::new(self.nn, self.a.x, self.a.y, self.a.x, xx, xy, self.a.y, xy, yy) / self.scale
    }

    /// The relative contact velocity AΛ − b in m/s after the impulse Λ in N·s.
    #[inline]
    pub fn velocity(&self, impulse: &Vec3, b: &Vec3) -> Vec3 {
        self.delassus() * impulse - b
    }

    /// ½ΛᵀAΛ − bᵀΛ in J: the change of kinetic energy of the impulse Λ when b = −δv⁻.
    pub fn energy(&self, impulse: &Vec3, b: &Vec3) -> f64 {
        0.5 * impulse.dot(&(self.delassus() * impulse)) - b.dot(impulse)
    }

    /// A contact from rows of numbers.
    #[cfg(test)]
    pub(in crate::law) fn block_of(rows: &[[f64; 3]; 3], mu: f64) -> Self {
        Self::new(&Mat3::from_fn(|i, j| rows[i][j]), mu)
    }
}

/// The power of two s with 1 ≤ s·x < 2 for a positive normal x (bit arithmetic, exact).
#[inline(always)]
pub(in crate::law) fn power_of_two_below_inverse(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff;
    let exponent = (x.to_bits() >> 52) & EXPONENT;
    // 2^(1023 − exponent), kept normal: a block outside 1e-300…1e300 keeps a scale that is merely close.
    f64::from_bits((2046 - exponent.clamp(2, 2044)) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_exact_and_brings_the_normal_entry_to_one() {
        for x in [1.0, 1.999, 2.0, 0.7, 1e-300, 3e150, 1e300] {
            let s = power_of_two_below_inverse(x);
            assert!((1.0..2.0).contains(&(s * x)), "{x} scaled to {}", s * x);
            assert_eq!(s.to_bits() & ((1 << 52) - 1), 0, "{s} is no power of two");
        }
    }

    #[test]
    fn the_block_gives_back_its_matrix_exactly() {
        let a = Mat3::new(5.43, 0.554, 2.799, 0.554, 7.874, -0.479, 2.799, -0.479, 5.961) * 1e7;
        assert_eq!(ContactBlock::new(&a, 0.3).delassus(), a);
    }
}

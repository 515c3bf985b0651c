//! What a law needs of one contact, computed once and used in every sweep.

use crate::math::Mat3;
use crate::math::Vec2;
use crate::math::Vec3;
use crate::math::plane::Pair;
use crate::math::plane::Sym2;
use crate::math::real::Real;

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
    pub(in crate::law) plane: Plane,
    /// Tangential block of Ã: (tt, to, oo).
    pub(in crate::law) tangential: Sym2,
    /// a = 0 and Ǎ a multiple of the identity, as for two spheres.
    pub(in crate::law) isotropic: bool,
}

/// A contact, or several in lanes, on the plane of maximum compression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::law) struct Plane<T = f64> {
    /// Scale s: Ã = sA is stored, and Λ = s Λ̃.
    pub(in crate::law) scale: T,
    /// Ãnn.
    pub(in crate::law) nn: T,
    /// a = (Ãnt, Ãno).
    pub(in crate::law) a: Pair<T>,
    /// Ãnn times the Schur complement of Ã.
    pub(in crate::law) schur: Sym2<T>,
    /// Ãnn e = μ a.
    pub(in crate::law) tilt: Pair<T>,
    /// μ, no unit.
    pub(in crate::law) mu: T,
}

impl ContactBlock {
    /// Prepares the contact with Delassus block `a` (in 1/kg; its upper triangle is read) and friction `mu`.
    ///
    /// `a` must be symmetric positive definite and `mu ≥ 0`; the borders of the library check that. Otherwise the laws
    /// still return an impulse, which is then not certified.
    #[inline]
    pub fn new(a: &Mat3, mu: f64) -> Self {
        debug_assert!(mu >= 0.0, "coefficient of friction {mu}");
        let scale = a[(0, 0)].power_of_two_below_inverse();
        let nn = a[(0, 0)] * scale;
        let coupling = Pair::new(a[(0, 1)] * scale, a[(0, 2)] * scale);
        let tangential = Sym2 { xx: a[(1, 1)] * scale, xy: a[(1, 2)] * scale, yy: a[(2, 2)] * scale };
        let schur = Sym2 {
            xx: nn * tangential.xx - coupling.x * coupling.x,
            xy: nn * tangential.xy - coupling.x * coupling.y,
            yy: nn * tangential.yy - coupling.y * coupling.y,
        };
        let isotropic =
            coupling == Pair::ZERO && tangential.xy == 0.0 && tangential.xx.to_bits() == tangential.yy.to_bits();
        Self { plane: Plane { scale, nn, a: coupling, schur, tilt: coupling * mu, mu }, tangential, isotropic }
    }

    /// The same contact, solved as any other where it is isotropic: for control experiments.
    #[must_use]
    pub fn without_closed_form(self) -> Self {
        Self { isotropic: false, ..self }
    }

    /// The coefficient of friction μ, no unit.
    pub fn mu(&self) -> f64 {
        self.plane.mu
    }

    /// The eccentricity vector e = μ (Ant, Ano)/Ann, no unit; ‖e‖ > 1 is the Painlevé condition.
    pub fn eccentricity(&self) -> Vec2 {
        Vec2::from(self.plane.tilt) / self.plane.nn
    }

    /// The entry Ann of the Delassus block in 1/kg.
    pub fn nn(&self) -> f64 {
        self.plane.nn / self.plane.scale
    }

    /// The Delassus block A in 1/kg.
    pub fn delassus(&self) -> Mat3 {
        let Sym2 { xx, xy, yy } = self.tangential;
        let Plane { nn, a, scale, .. } = self.plane;
        Mat3::new(nn, a.x, a.y, a.x, xx, xy, a.y, xy, yy) / scale
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_gives_back_its_matrix_exactly() {
        let a = Mat3::new(5.43, 0.554, 2.799, 0.554, 7.874, -0.479, 2.799, -0.479, 5.961) * 1e7;
        assert_eq!(ContactBlock::new(&a, 0.3).delassus(), a);
    }
}

//! No friction: Λ = (max(bn, 0)/Ann, 0, 0).

use crate::law::ContactBlock;
use crate::law::ContactLaw;
use crate::law::ContactState;
use crate::law::Solution;
use crate::math::Mat3;
use crate::math::Vec3;

/// The frictionless law: the tangential impulse is zero, whatever μ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frictionless;

impl ContactLaw for Frictionless {
    #[inline(always)]
    fn solve(self, block: &ContactBlock, b: &Vec3) -> Solution {
        if !(b.x > 0.0) {
            return Solution::SEPARATING;
        }
        let impulse = Vec3::new(b.x / block.plane.nn * block.plane.scale, 0.0, 0.0);
        Solution { impulse, state: ContactState::Sliding, certified: impulse.x.is_finite() }
    }
}

/// The frictionless impulse in N·s for the Delassus block `a` in 1/kg and `b` in m/s; see
/// [`max_dissipation::solve`](crate::law::max_dissipation::solve) for the frame and signs.
pub fn solve(a: &Mat3, b: &Vec3) -> Solution {
    Frictionless.solve(&ContactBlock::new(a, 0.0), b)
}

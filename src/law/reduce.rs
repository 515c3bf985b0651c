//! The part that all laws on the plane of maximum compression share: separating, sticking, and the closed forms.

use crate::law::ContactBlock;
use crate::law::ContactState;
use crate::law::Solution;
use crate::math::Vec2;
use crate::math::Vec3;

/// A colliding contact that does not stick, on its plane of maximum compression.
#[derive(Clone, Copy, Debug)]
pub(in crate::law) struct Reduced {
    /// b̌ = bto − a bn/Ann, scaled by `unit`.
    pub(in crate::law) b: Vec2,
    /// ρ = μ bn/Ann, scaled.
    pub(in crate::law) rho: f64,
    /// bn/Ann, scaled.
    pressure: f64,
    /// x₀ = Ǎ⁻¹b̌, the impulse that would stick.
    x0: Vec2,
    /// Power of two that b was multiplied by.
    unit: f64,
}

impl Reduced {
    /// Reduces a contact that is not isotropic.
    #[inline(always)]
    pub(in crate::law) fn new(block: &ContactBlock, b: &Vec3) -> Self {
        let unit = unit_of(b);
        let b = b * unit;
        let pressure = b.x * block.inv_nn;
        let slip_b = Vec2::new(b.y - block.a.x * pressure, b.z - block.a.y * pressure);
        Self { b: slip_b, rho: block.mu * pressure, pressure, x0: block.schur.solve(slip_b), unit }
    }

    /// The sticking solution, if it is admissible.
    #[inline(always)]
    pub(in crate::law) fn sticking(&self, block: &ContactBlock) -> Option<Solution> {
        let x0 = self.x0;
        (x0.norm() + block.e.dot(&x0) <= self.rho).then(|| {
            let normal = self.pressure - block.a.dot(&x0) * block.inv_nn;
            self.answer(block, Vec3::new(normal, x0.x, x0.y), ContactState::Sticking, true)
        })
    }

    /// Direction from which the slip equation is iterated: that of the sticking impulse.
    #[inline(always)]
    pub(in crate::law) fn start(&self) -> Vec2 {
        self.x0 / self.x0.norm()
    }

    /// The sliding solution with tangential impulse `x`.
    #[inline(always)]
    pub(in crate::law) fn sliding(&self, block: &ContactBlock, x: Vec2, certified: bool) -> Solution {
        // On the border Λn = ‖x‖/μ keeps all digits, where (bn − a·x)/Ann may cancel.
        self.answer(block, Vec3::new(x.norm() / block.mu, x.x, x.y), ContactState::Sliding, certified)
    }

    #[inline(always)]
    fn answer(&self, block: &ContactBlock, impulse: Vec3, state: ContactState, certified: bool) -> Solution {
        let back = block.scale / self.unit;
        Solution { impulse: impulse * back, state, certified: certified && impulse.sum().is_finite() }
    }
}

/// Solves a contact under a law that is separating for bn ≤ 0, sticks where sticking is admissible, and is `slip`
/// otherwise.
#[inline(always)]
pub(in crate::law) fn solve(block: &ContactBlock, b: &Vec3, slip: impl FnOnce(Reduced) -> Solution) -> Solution {
    if !(b.x > 0.0) {
        return Solution::SEPARATING;
    }
    if block.isotropic {
        return isotropic(block, b);
    }
    let reduced = Reduced::new(block, b);
    if let Some(stick) = reduced.sticking(block) {
        return stick;
    }
    if block.mu == 0.0 {
        return reduced.answer(block, Vec3::new(reduced.pressure, 0.0, 0.0), ContactState::Sliding, true);
    }
    slip(reduced)
}

/// Closed form for e = 0 and Ǎ a multiple of the identity (two spheres, or one on a plane).
#[inline(always)]
fn isotropic(block: &ContactBlock, b: &Vec3) -> Solution {
    let unit = unit_of(b);
    let b = b * unit;
    let normal = b.x * block.inv_nn;
    let limit = block.mu * normal;
    let length = Vec2::new(b.y, b.z).norm();
    let stick = length <= limit * block.schur.xx;
    let factor = if stick { 1.0 / block.schur.xx } else { limit / length };
    let state = if stick { ContactState::Sticking } else { ContactState::Sliding };
    let impulse = Vec3::new(normal, b.y * factor, b.z * factor) * (block.scale / unit);
    Solution { impulse, state, certified: impulse.x.is_finite() }
}

/// A power of two that brings b near one: products of velocities must neither overflow nor vanish. One, where b is
/// of a moderate size.
#[inline(always)]
fn unit_of(b: &Vec3) -> f64 {
    let largest = b.x.abs().max(b.y.abs()).max(b.z.abs());
    if (1e-70..1e70).contains(&largest) { 1.0 } else { extreme_unit(largest) }
}

/// The power of two u with u·x near one, for any positive finite x.
#[cold]
fn extreme_unit(x: f64) -> f64 {
    2.0_f64.powi(-(x.log2().floor().clamp(-1000.0, 1000.0) as i32))
}

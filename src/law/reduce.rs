//! The part that all laws on the plane of maximum compression share: separating, sticking, and the closed forms.

use crate::law::ContactBlock;
use crate::law::ContactState;
use crate::law::Solution;
use crate::law::block::power_of_two_below_inverse;
use crate::law::slip;
use crate::law::slip::Opposes;
use crate::law::slip::SlipProblem;
use crate::law::slip::TrigPolynomial;
use crate::math::Vec2;
use crate::math::Vec3;

/// A contact on its plane of maximum compression, scaled, all conditions multiplied by Ann.
#[derive(Clone, Copy, Debug)]
pub(in crate::law) struct Reduced {
    /// bn.
    normal: f64,
    /// Ann b̌ = Ann bto − a bn.
    c: Vec2,
    /// Ann ρ = μ bn.
    rho: f64,
    /// det·x₀, where x₀ = Ǎ⁻¹b̌ is the impulse that would stick.
    x0: Vec2,
    /// det(Ann Ǎ).
    det: f64,
    /// What brings a scaled impulse back to N·s.
    back: f64,
}

impl Reduced {
    /// Reduces a contact that is not isotropic.
    #[inline(always)]
    pub(in crate::law) fn new(block: &ContactBlock, b: &Vec3) -> Self {
        let (b, back) = moderate(block, b);
        let c = Vec2::new(block.nn * b.y - block.a.x * b.x, block.nn * b.z - block.a.y * b.x);
        let x0 = block.schur.adjugate_times(c);
        Self { normal: b.x, c, rho: block.mu * b.x, x0, det: block.schur.det(), back }
    }

    /// The sticking solution, if it is admissible: ‖x₀‖ + e·x₀ ≤ ρ.
    #[inline(always)]
    pub(in crate::law) fn sticking(&self, block: &ContactBlock) -> Option<Solution> {
        (block.nn * self.x0.norm() + block.tilt.dot(&self.x0) <= self.rho * self.det).then(|| {
            let x = self.x0 * (1.0 / self.det);
            let normal = (self.normal - block.a.dot(&x)) / block.nn;
            self.answer(Vec3::new(normal, x.x, x.y), ContactState::Sticking, true)
        })
    }

    /// The slip problem under a law.
    #[inline(always)]
    pub(in crate::law) fn slip_problem(&self, block: &ContactBlock, opposes: Opposes) -> SlipProblem {
        SlipProblem::new(block, self.c, self.rho, opposes)
    }

    /// The root of the slip equation near the sticking impulse, where the iteration converges.
    #[inline(always)]
    pub(in crate::law) fn root(&self, problem: &SlipProblem, equation: &TrigPolynomial) -> Option<Vec2> {
        equation.root_near(problem.start(self.x0, self.det), slip::FAST_STEPS)
    }

    /// The sliding solution along a root `u` of the slip equation, if it is certified.
    #[inline(always)]
    pub(in crate::law) fn at_root(&self, block: &ContactBlock, problem: &SlipProblem, u: Vec2) -> Option<Solution> {
        let denominator = problem.denominator(u);
        if denominator > slip::OPEN {
            problem.certified_along(u, slip::CERTIFIED).then(|| self.sliding_along(u, denominator))
        } else {
            self.at_open_root(block, problem, u)
        }
    }

    /// The same where the conic section is open: the root is polished first.
    #[cold]
    fn at_open_root(&self, block: &ContactBlock, problem: &SlipProblem, u: Vec2) -> Option<Solution> {
        let (found, fault) = problem.refined(u);
        (fault <= slip::CERTIFIED).then(|| self.sliding(block, found.x, true))
    }

    /// The sliding solution with tangential impulse `x`.
    #[inline(always)]
    pub(in crate::law) fn sliding(&self, block: &ContactBlock, x: Vec2, certified: bool) -> Solution {
        // On the border Λn = ‖x‖/μ keeps all digits, where (bn − a·x)/Ann may cancel.
        self.answer(Vec3::new(x.norm() / block.mu, x.x, x.y), ContactState::Sliding, certified)
    }

    /// The sliding solution in the direction `u`, with Ann (1 + e·u) = `denominator`.
    #[inline(always)]
    pub(in crate::law) fn sliding_along(&self, u: Vec2, denominator: f64) -> Solution {
        let inv = 1.0 / denominator;
        let r = self.rho * inv;
        let impulse = Vec3::new(self.normal * inv, u.x * r, u.y * r) * self.back;
        Solution { impulse, state: ContactState::Sliding, certified: true }
    }

    #[inline(always)]
    fn answer(&self, impulse: Vec3, state: ContactState, certified: bool) -> Solution {
        Solution { impulse: impulse * self.back, state, certified: certified && impulse.x.is_finite() }
    }
}

/// The answer that all laws on the plane of maximum compression share, or, where the contact slides, its reduction.
#[inline(always)]
pub(in crate::law) fn shared(block: &ContactBlock, b: &Vec3) -> Result<Solution, Reduced> {
    if !(b.x > 0.0) {
        return Ok(Solution::SEPARATING);
    }
    if block.isotropic {
        return Ok(isotropic(block, b));
    }
    let reduced = Reduced::new(block, b);
    if let Some(stick) = reduced.sticking(block) {
        return Ok(stick);
    }
    if block.mu == 0.0 {
        return Ok(reduced.sliding_along(Vec2::zeros(), block.nn));
    }
    Err(reduced)
}

/// Closed form for e = 0 and Ǎ a multiple of the identity (two spheres, or one on a plane).
#[inline(always)]
fn isotropic(block: &ContactBlock, b: &Vec3) -> Solution {
    // b itself: the only product of velocities is the slip's square, which is at worst 0 where the slip is below 1e-160.
    let normal = b.x / block.nn;
    let limit = block.mu * normal;
    let border = limit * block.tangential.xx;
    let slip2 = b.y * b.y + b.z * b.z;
    let (factor, state) = if slip2 <= border * border {
        (1.0 / block.tangential.xx, ContactState::Sticking)
    } else {
        (limit / slip2.sqrt(), ContactState::Sliding)
    };
    let impulse = Vec3::new(normal, b.y * factor, b.z * factor) * block.scale;
    Solution { impulse, state, certified: impulse.x.is_finite() }
}

/// b brought near one by a power of two, so that products of velocities neither overflow nor vanish, and what brings a
/// scaled impulse back to N·s.
#[inline(always)]
fn moderate(block: &ContactBlock, b: &Vec3) -> (Vec3, f64) {
    let (t, o) = (b.y.abs(), b.z.abs());
    let tangential = if t > o { t } else { o };
    let unit = power_of_two_below_inverse(if b.x > tangential { b.x } else { tangential });
    (b * unit, block.scale * (1.0 / unit))
}

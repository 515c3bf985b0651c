//! The part that all laws on the plane of maximum compression share: separating, sticking, and the closed forms.

use crate::law::ContactBlock;
use crate::law::ContactState;
use crate::law::Solution;
use crate::law::block::Plane;
use crate::law::slip;
use crate::law::slip::Opposes;
use crate::law::slip::SlipProblem;
use crate::law::trig::TrigPolynomial;
use crate::math::Vec3;
use crate::math::plane::Pair;
use crate::math::real::Real;

/// A vector or impulse in the contact frame.
#[derive(Clone, Copy, Debug)]
pub(in crate::law) struct Triple<T> {
    /// Along the normal.
    pub(in crate::law) normal: T,
    /// In the tangential plane.
    pub(in crate::law) x: Pair<T>,
}

impl<T: Real> Triple<T> {
    #[inline(always)]
    fn times(self, factor: T) -> Self {
        Self { normal: self.normal * factor, x: self.x * factor }
    }
}

impl From<Triple<f64>> for Vec3 {
    #[inline(always)]
    fn from(Triple { normal, x }: Triple<f64>) -> Self {
        Self::new(normal, x.x, x.y)
    }
}

impl From<&Vec3> for Triple<f64> {
    #[inline(always)]
    fn from(v: &Vec3) -> Self {
        Self { normal: v.x, x: Pair::new(v.y, v.z) }
    }
}

/// A contact on its plane of maximum compression, scaled, all conditions multiplied by Ann.
#[derive(Clone, Copy, Debug)]
pub(in crate::law) struct Reduced<T = f64> {
    /// bn.
    normal: T,
    /// Ann b̌ = Ann bto − a bn.
    c: Pair<T>,
    /// Ann ρ = μ bn.
    rho: T,
    /// det·x₀, where x₀ = Ǎ⁻¹b̌ is the impulse that would stick.
    x0: Pair<T>,
    /// det(Ann Ǎ).
    det: T,
    /// What brings a scaled impulse back to N·s.
    back: T,
}

impl<T: Real> Reduced<T> {
    /// Reduces a contact that is not isotropic.
    #[inline(always)]
    pub(in crate::law) fn new(plane: &Plane<T>, b: Triple<T>) -> Self {
        let (b, back) = moderate(plane, b);
        let c = b.x * plane.nn - plane.a * b.normal;
        let x0 = plane.schur.adjugate_times(c);
        Self { normal: b.normal, c, rho: plane.mu * b.normal, x0, det: plane.schur.det(), back }
    }

    /// Whether x₀ is admissible: ‖x₀‖ + e·x₀ ≤ ρ.
    #[inline(always)]
    pub(in crate::law) fn sticks(&self, plane: &Plane<T>) -> T::Mask {
        (plane.nn * self.x0.norm() + plane.tilt.dot(self.x0)).at_most(self.rho * self.det)
    }

    /// The impulse that x₀ belongs to.
    #[inline(always)]
    pub(in crate::law) fn stick(&self, plane: &Plane<T>) -> Triple<T> {
        let x = self.x0 * (self.det.like(1.0) / self.det);
        let normal = (self.normal - plane.a.dot(x)) / plane.nn;
        Triple { normal, x }.times(self.back)
    }

    /// The slip problem under a law.
    #[inline(always)]
    pub(in crate::law) fn slip_problem(&self, plane: &Plane<T>, opposes: Opposes) -> SlipProblem<T> {
        SlipProblem::new(plane, self.c, self.rho, opposes)
    }

    /// The direction near the sticking impulse from which the slip equation is iterated.
    #[inline(always)]
    pub(in crate::law) fn start(&self, problem: &SlipProblem<T>) -> Pair<T> {
        problem.start(self.x0, self.det)
    }

    /// The sliding impulse in the direction `u`, with Ann (1 + e·u) = `denominator`.
    #[inline(always)]
    pub(in crate::law) fn slide_along(&self, u: Pair<T>, denominator: T) -> Triple<T> {
        let inv = denominator.like(1.0) / denominator;
        let r = self.rho * inv;
        Triple { normal: self.normal * inv, x: u * r }.times(self.back)
    }
}

impl Reduced {
    /// The sticking solution, if it is admissible.
    #[inline(always)]
    pub(in crate::law) fn sticking(&self, block: &ContactBlock) -> Option<Solution> {
        self.sticks(&block.plane).then(|| {
            let impulse = Vec3::from(self.stick(&block.plane));
            Solution { impulse, state: ContactState::Sticking, certified: impulse.x.is_finite() }
        })
    }

    /// The root of the slip equation near the sticking impulse, where the iteration converges.
    #[inline(always)]
    pub(in crate::law) fn root(&self, problem: &SlipProblem, equation: &TrigPolynomial) -> Option<Pair> {
        equation.root_near(self.start(problem), slip::FAST_STEPS)
    }

    /// The sliding solution along a root `u` of the slip equation, if it is certified.
    #[inline(always)]
    pub(in crate::law) fn at_root(&self, block: &ContactBlock, problem: &SlipProblem, u: Pair) -> Option<Solution> {
        let denominator = problem.denominator(u);
        if denominator > slip::OPEN {
            problem.certified_along(u).then(|| self.sliding_along(u, denominator))
        } else {
            self.at_open_root(block, problem, u)
        }
    }

    /// The same where the conic section is open: the root is polished first.
    #[cold]
    fn at_open_root(&self, block: &ContactBlock, problem: &SlipProblem, u: Pair) -> Option<Solution> {
        let (found, fault) = problem.refined(u);
        (fault <= slip::CERTIFIED).then(|| self.sliding(block, found.x, true))
    }

    /// The sliding solution with tangential impulse `x`.
    #[inline(always)]
    pub(in crate::law) fn sliding(&self, block: &ContactBlock, x: Pair, certified: bool) -> Solution {
        // On the border Λn = ‖x‖/μ keeps all digits, where (bn − a·x)/Ann may cancel.
        let impulse = Vec3::from(Triple { normal: x.norm() / block.plane.mu, x }.times(self.back));
        Solution { impulse, state: ContactState::Sliding, certified: certified && impulse.x.is_finite() }
    }

    /// The sliding solution in the direction `u`, with Ann (1 + e·u) = `denominator`.
    #[inline(always)]
    fn sliding_along(&self, u: Pair, denominator: f64) -> Solution {
        let impulse = Vec3::from(self.slide_along(u, denominator));
        Solution { impulse, state: ContactState::Sliding, certified: true }
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
    let reduced = Reduced::new(&block.plane, b.into());
    if let Some(stick) = reduced.sticking(block) {
        return Ok(stick);
    }
    if block.plane.mu == 0.0 {
        return Ok(reduced.sliding_along(Pair::ZERO, block.plane.nn));
    }
    Err(reduced)
}

/// Closed form for e = 0 and Ǎ a multiple of the identity (two spheres, or one on a plane).
#[inline(always)]
fn isotropic(block: &ContactBlock, b: &Vec3) -> Solution {
    // b itself: the only product of velocities is the slip's square, which is at worst 0 where the slip is below 1e-160.
    let normal = b.x / block.plane.nn;
    let limit = block.plane.mu * normal;
    let border = limit * block.tangential.xx;
    let slip2 = b.y * b.y + b.z * b.z;
    let (factor, state) = if slip2 <= border * border {
        (1.0 / block.tangential.xx, ContactState::Sticking)
    } else {
        (limit / slip2.sqrt(), ContactState::Sliding)
    };
    let impulse = Vec3::new(normal, b.y * factor, b.z * factor) * block.plane.scale;
    Solution { impulse, state, certified: impulse.x.is_finite() }
}

/// b brought near one by a power of two, so that products of velocities neither overflow nor vanish, and what brings a
/// scaled impulse back to N·s.
#[inline(always)]
fn moderate<T: Real>(plane: &Plane<T>, b: Triple<T>) -> (Triple<T>, T) {
    let largest = b.normal.or_larger(b.x.x.abs().or_larger(b.x.y.abs()));
    let unit = largest.power_of_two_below_inverse();
    (b.times(unit), plane.scale * (unit.like(1.0) / unit))
}

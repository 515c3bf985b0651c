//! Many contacts under one law, several at once in the lanes of vector registers.
//!
//! The lanes run the code that one contact runs (`reduce`, `slip`), chosen by masks instead of branches, so each
//! contact gets the bits that [`ContactLaw::solve`] gives it, on every processor. What the lanes do not decide - closed
//! forms, open conic sections, a root that needs more than three steps - is solved alone.

use crate::law::ContactBlock;
use crate::law::ContactLaw;
use crate::law::ContactState;
use crate::law::Solution;
use crate::law::block::Plane;
use crate::law::coulomb;
use crate::law::reduce::Reduced;
use crate::law::reduce::Triple;
use crate::law::slip::OPEN;
use crate::law::slip::Opposes;
use crate::law::trig::CONVERGED;
use crate::law::trig::TrigPolynomial;
use crate::math::Vec3;
use crate::math::plane::Pair;
use crate::math::plane::Sym2;
use crate::math::real::Lanes;
use crate::math::real::Real;
use pulp::Arch;
use pulp::Simd;
use pulp::WithSimd;

/// Which contacts the lanes may decide under a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// None: the law is not on the plane of maximum compression.
    Nothing,
    /// All, by maximum dissipation.
    Dissipative,
    /// Coulomb contacts that stick or have one sliding root.
    Sole,
    /// Coulomb contacts that are known to have one solution.
    Unique,
}

/// Contacts of a [`Batch`]: enough that what is written for the lanes has left the store buffer before it is read, few
/// enough to stay in the first cache.
pub const BATCH: usize = 32;

/// Rows of what a lane reads: scale, Ann, a, Ǎ, e, μ, b.
const READ: usize = 13;
/// Rows of what a lane writes: Λ and the verdict.
const WRITTEN: usize = 4;

/// Verdicts of a lane.
const SEPARATING: f64 = 0.0;
const STICKING: f64 = 1.0;
const SLIDING: f64 = 2.0;
const UNDECIDED: f64 = 3.0;

/// Up to [`BATCH`] contacts laid out in lanes.
#[derive(Debug)]
pub struct Batch {
    read: [[f64; BATCH]; READ],
    written: [[f64; BATCH]; WRITTEN],
}

impl Batch {
    /// No contacts.
    pub const EMPTY: Self = Self { read: [[0.0; BATCH]; READ], written: [[0.0; BATCH]; WRITTEN] };

    /// Lays out contact `i` with the right-hand side `b` in m/s.
    #[inline(always)]
    pub fn put(&mut self, i: usize, block: &ContactBlock, b: &Vec3) {
        let Plane { scale, nn, a, schur, tilt, mu } = block.plane;
        // An isotropic contact has its own closed form: μ = 0 leaves it undecided unless it separates.
        let mu = if block.isotropic { 0.0 } else { mu };
        let row = [scale, nn, a.x, a.y, schur.xx, schur.xy, schur.yy, tilt.x, tilt.y, mu, b.x, b.y, b.z];
        for (to, from) in self.read.iter_mut().zip(row) {
            to[i] = from;
        }
    }

    /// Solves the first `count` contacts under the law `L`.
    #[inline(always)]
    pub fn solve<L: ContactLaw, S: Simd>(&mut self, simd: S, count: usize) {
        for at in (0..count).step_by(Lanes::<S>::COUNT) {
            let [scale, nn, ax, ay, xx, xy, yy, ex, ey, mu, normal, t, o] =
                std::array::from_fn(|row| Lanes::load(simd, &self.read[row][at..]));
            let (a, tilt) = (Pair::new(ax, ay), Pair::new(ex, ey));
            let plane = Plane { scale, nn, a, schur: Sym2 { xx, xy, yy }, tilt, mu };
            let (impulse, verdict) = decide(&plane, Triple { normal, x: Pair::new(t, o) }, L::DECIDED);
            let written = [impulse.normal, impulse.x.x, impulse.x.y, verdict];
            for (row, lanes) in self.written.iter_mut().zip(written) {
                lanes.store(&mut row[at..]);
            }
        }
    }

    /// The solution of contact `i` with `block` and `b` as they were put in.
    #[inline(always)]
    pub fn get<L: ContactLaw>(&self, i: usize, law: L, block: &ContactBlock, b: &Vec3) -> Solution {
        let [normal, t, o, verdict] = [0, 1, 2, 3].map(|row| self.written[row][i]);
        let state = if verdict == SLIDING {
            ContactState::Sliding
        } else if verdict == STICKING {
            ContactState::Sticking
        } else if verdict == SEPARATING {
            ContactState::Separating
        } else {
            return law.solve(block, b);
        };
        Solution { impulse: Vec3::new(normal, t, o), state, certified: true }
    }
}

/// The impulse of contacts that are not isotropic, and the verdict on it.
#[inline(always)]
fn decide<T: Real>(plane: &Plane<T>, b: Triple<T>, decided: Decided) -> (Triple<T>, T) {
    let zero = b.normal.like(0.0);
    let infinity = b.normal.like(f64::INFINITY);
    let collides = zero.below(b.normal);
    let reduced = Reduced::new(plane, b);

    let stick = reduced.stick(plane);
    let mut known = zero.below(plane.mu);
    if decided == Decided::Unique {
        known = known & coulomb::is_unique(plane);
    }
    let sticks = reduced.sticks(plane) & stick.normal.abs().below(infinity) & known;
    if T::all(sticks | !collides) {
        return settle(collides, (sticks, &stick), (sticks, &stick));
    }

    let opposes = if decided == Decided::Dissipative { Opposes::Gradient } else { Opposes::Slip };
    let problem = reduced.slip_problem(plane, opposes);
    let equation = problem.equation();
    let (u, converged) = root_near(&equation, reduced.start(&problem));
    let denominator = problem.denominator(u);
    let slide = reduced.slide_along(u, denominator);
    let closed = zero.like(OPEN).below(denominator);
    let mut slides = converged & closed & problem.certified_along(u) & known;
    if decided == Decided::Sole {
        slides = slides & (coulomb::is_unique(plane) | !equation.has_further_roots(u));
    }
    settle(collides, (sticks, &stick), (slides, &slide))
}

/// The impulse and the verdict of lanes that collide, that stick, and of the others that slide.
// Always inlined, as all that runs in lanes: only then is it compiled for the processor that was chosen.
#[inline(always)]
fn settle<T: Real>(
    collides: T::Mask,
    (sticks, stick): (T::Mask, &Triple<T>),
    (slides, slide): (T::Mask, &Triple<T>),
) -> (Triple<T>, T) {
    let zero = stick.normal.like(0.0);
    let choose = |if_stick: T, if_slide: T, otherwise: T| {
        T::select(collides, T::select(sticks, if_stick, T::select(slides, if_slide, otherwise)), zero)
    };
    let x = Pair::new(choose(stick.x.x, slide.x.x, zero), choose(stick.x.y, slide.x.y, zero));
    let impulse = Triple { normal: choose(stick.normal, slide.normal, zero), x };
    (impulse, choose(zero.like(STICKING), zero.like(SLIDING), zero.like(UNDECIDED)))
}

/// Halley's iteration from `u`, two steps or, where some lane asks for it, three; and where it has converged.
///
/// The steps of [`TrigPolynomial::root_near`]: a lane has its bits, or has not converged.
#[inline(always)]
fn root_near<T: Real>(equation: &TrigPolynomial<T>, u: Pair<T>) -> (Pair<T>, T::Mask) {
    let limit = u.x.like(CONVERGED);
    let (u, _) = equation.step(u);
    let (root, tan2) = equation.last_step(u);
    let converged = tan2.below(limit);
    if T::all(converged) {
        return (root, converged);
    }
    let (u, middle) = equation.step(u);
    let (u, last) = equation.step(u);
    let root = Pair::new(T::select(converged, root.x, u.x), T::select(converged, root.y, u.y));
    (root, converged | (!middle.below(limit) & last.below(limit)))
}

/// Contacts to solve under a law.
struct Job<'a, L> {
    law: L,
    contacts: &'a [(ContactBlock, Vec3)],
    solutions: &'a mut [Solution],
}

impl<L: ContactLaw> WithSimd for Job<'_, L> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let mut batch = Batch::EMPTY;
        for (contacts, solutions) in self.contacts.chunks(BATCH).zip(self.solutions.chunks_mut(BATCH)) {
            for (i, (block, b)) in contacts.iter().enumerate() {
                batch.put(i, block, b);
            }
            batch.solve::<L, S>(simd, contacts.len());
            for (i, ((block, b), solution)) in contacts.iter().zip(solutions).enumerate() {
                *solution = batch.get(i, self.law, block, b);
            }
        }
    }
}

/// The impulses of many contacts under `law`, one solution each, with the bits of [`ContactLaw::solve`].
///
/// # Panics
///
/// Where there are not as many solutions as contacts.
pub fn solve_all<L: ContactLaw>(law: L, contacts: &[(ContactBlock, Vec3)], solutions: &mut [Solution]) {
    assert_eq!(contacts.len(), solutions.len(), "a solution for each contact");
    if L::DECIDED == Decided::Nothing {
        for ((block, b), solution) in contacts.iter().zip(solutions) {
            *solution = law.solve(block, b);
        }
    } else {
        Arch::new().dispatch(Job { law, contacts, solutions });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::law::Coulomb;
    use crate::law::CoulombLeast;
    use crate::law::MaxDissipation;
    use crate::law::random::ContactSampler;
    use crate::law::random::Ensemble;

    fn compare<L: ContactLaw>(law: L, contacts: &[(ContactBlock, Vec3)]) {
        let mut solutions = vec![Solution::SEPARATING; contacts.len()];
        solve_all(law, contacts, &mut solutions);
        let bits = |s: &Solution| (s.impulse.map(f64::to_bits), s.state, s.certified);
        for ((block, b), solution) in contacts.iter().zip(&solutions) {
            let alone = law.solve(block, b);
            assert_eq!(bits(solution), bits(&alone), "{solution:?}, alone {alone:?} for {block:?}, {b}");
        }
    }

    #[test]
    fn a_lane_has_the_bits_of_the_contact_alone() {
        let ensembles = [Ensemble::Generic, Ensemble::Spheres];
        let mut contacts: Vec<_> = ensembles
            .into_iter()
            .flat_map(|ensemble| {
                let mut sampler = ContactSampler::new(ensemble, 7);
                std::iter::repeat_with(move || sampler.sample()).take(3000)
            })
            .map(|c| (ContactBlock::new(&c.a, c.mu), c.b))
            .collect();
        // Ends of the ranges: no friction, no velocity, separating, tiny and huge, not finite, a block that is singular.
        let a = crate::math::Mat3::new(2.0, 1.0, 0.0, 1.0, 3.0, 0.0, 0.0, 0.0, 3.0);
        for scale in [1.0, 1e-150, 1e150, 1e-300] {
            for b in [[1.0, -2.0, 0.5], [0.0, 1.0, 0.0], [-1.0, 1.0, 2.0], [0.0; 3], [1.0, 0.2, 0.1]] {
                for mu in [0.0, 0.3, 5.0] {
                    contacts.push((ContactBlock::new(&(a * scale), mu), Vec3::from(b) * scale));
                    contacts.push((ContactBlock::new(&(a * scale), mu).without_closed_form(), Vec3::from(b) / scale));
                }
            }
        }
        contacts.push((ContactBlock::new(&a, 0.5), Vec3::new(f64::INFINITY, 1.0, 0.0)));
        contacts.push((ContactBlock::new(&crate::math::Mat3::repeat(1.0), 0.5), Vec3::new(1.0, 1.0, 0.0)));
        compare(MaxDissipation, &contacts);
        compare(Coulomb, &contacts);
        compare(CoulombLeast, &contacts);
    }

    #[test]
    fn the_lanes_decide_nearly_all_contacts_that_slide() {
        let mut sampler = ContactSampler::new(Ensemble::Generic, 3);
        let contacts: Vec<_> = std::iter::repeat_with(|| sampler.sample())
            .take(BATCH * 100)
            .map(|c| (ContactBlock::new(&c.a, c.mu), c.b))
            .collect();
        struct Undecided<'a>(&'a [(ContactBlock, Vec3)]);
        impl WithSimd for Undecided<'_> {
            type Output = usize;
            fn with_simd<S: Simd>(self, simd: S) -> usize {
                let mut batch = Batch::EMPTY;
                let count = |contacts: &[(ContactBlock, Vec3)]| {
                    for (i, (block, b)) in contacts.iter().enumerate() {
                        batch.put(i, block, b);
                    }
                    batch.solve::<MaxDissipation, S>(simd, contacts.len());
                    batch.written[WRITTEN - 1].iter().filter(|verdict| **verdict == UNDECIDED).count()
                };
                self.0.chunks(BATCH).map(count).sum()
            }
        }
        let undecided = Arch::new().dispatch(Undecided(&contacts));
        assert!(undecided * 50 < contacts.len(), "{undecided} of {} solved alone", contacts.len());
    }
}

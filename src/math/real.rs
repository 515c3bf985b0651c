//! Arithmetic on one number, or on several at once in the lanes of a vector register.
//!
//! Code written over [`Real`] does the same operations in the same order on `f64` and on [`Lanes`]: additions,
//! products, divisions and square roots as IEEE 754 rounds them, nothing fused. A lane therefore has the bits that the
//! number alone would have, on every processor.

use pulp::Simd;
use std::ops::Add;
use std::ops::BitAnd;
use std::ops::BitOr;
use std::ops::Div;
use std::ops::Mul;
use std::ops::Neg;
use std::ops::Not;
use std::ops::Sub;

/// A number or lanes of numbers.
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
{
    /// The answer of a comparison, one for each lane.
    type Mask: Copy + BitAnd<Output = Self::Mask> + BitOr<Output = Self::Mask> + Not<Output = Self::Mask>;

    /// `x` in all lanes.
    fn like(self, x: f64) -> Self;
    /// |self|.
    fn abs(self) -> Self;
    /// √self, correctly rounded.
    fn sqrt(self) -> Self;
    /// The larger of both; `other` where one is not a number.
    fn or_larger(self, other: Self) -> Self;
    /// The smaller of both; `other` where one is not a number.
    fn or_smaller(self, other: Self) -> Self;
    /// self < other; false where one is not a number.
    fn below(self, other: Self) -> Self::Mask;
    /// self ≤ other; false where one is not a number.
    fn at_most(self, other: Self) -> Self::Mask;
    /// Whether `mask` holds in every lane.
    fn all(mask: Self::Mask) -> bool;
    /// `yes` where `mask` holds, else `no`.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// The power of two s with 1 ≤ s·self < 2 for a positive normal number.
    ///
    /// Exact. What is below 2^−1021 or above 2^1021 gets the power of that border.
    fn power_of_two_below_inverse(self) -> Self;
}

impl Real for f64 {
    type Mask = bool;

    #[inline(always)]
    fn like(self, x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.abs()
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn or_larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn or_smaller(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn below(self, other: Self) -> bool {
        self < other
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> bool {
        self <= other
    }

    #[inline(always)]
    fn all(mask: bool) -> bool {
        mask
    }

    #[inline(always)]
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn power_of_two_below_inverse(self) -> Self {
        const EXPONENT: u64 = 0x7ff;
        let exponent = (self.to_bits() >> 52) & EXPONENT;
        // 2^(1023 − exponent), kept normal.
        Self::from_bits((2046 - exponent.clamp(2, 2044)) << 52)
    }
}

/// The lanes of two vector registers of `f64`.
///
/// Two at a time: a chain of operations on one leaves the processor idle between them.
#[derive(Clone, Copy, Debug)]
pub struct Lanes<S: Simd> {
    simd: S,
    lanes: [S::f64s; REGISTERS],
}

/// Registers in [`Lanes`].
const REGISTERS: usize = 2;

/// One truth value for each lane.
#[derive(Clone, Copy, Debug)]
pub struct LaneMask<S: Simd> {
    simd: S,
    lanes: [S::m64s; REGISTERS],
}

impl<S: Simd> Lanes<S> {
    /// How many numbers there are.
    pub const COUNT: usize = REGISTERS * S::F64_LANES;

    /// The first [`Lanes::COUNT`] numbers of `from`.
    #[inline(always)]
    pub fn load(simd: S, from: &[f64]) -> Self {
        let (lanes, _) = S::as_simd_f64s(&from[..Self::COUNT]);
        Self { simd, lanes: [lanes[0], lanes[1]] }
    }

    /// Writes the lanes to the first [`Lanes::COUNT`] numbers of `to`.
    #[inline(always)]
    pub fn store(self, to: &mut [f64]) {
        let (lanes, _) = S::as_mut_simd_f64s(&mut to[..Self::COUNT]);
        lanes.copy_from_slice(&self.lanes);
    }

    #[inline(always)]
    fn each(self, f: impl Fn(S, S::f64s) -> S::f64s) -> Self {
        let [a, b] = self.lanes;
        Self { simd: self.simd, lanes: [f(self.simd, a), f(self.simd, b)] }
    }

    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(S, S::f64s, S::f64s) -> S::f64s) -> Self {
        let ([a, b], [c, d]) = (self.lanes, other.lanes);
        Self { simd: self.simd, lanes: [f(self.simd, a, c), f(self.simd, b, d)] }
    }

    #[inline(always)]
    fn compare(self, other: Self, f: impl Fn(S, S::f64s, S::f64s) -> S::m64s) -> LaneMask<S> {
        let ([a, b], [c, d]) = (self.lanes, other.lanes);
        LaneMask { simd: self.simd, lanes: [f(self.simd, a, c), f(self.simd, b, d)] }
    }
}

impl<S: Simd> Add for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |simd, a, b| simd.add_f64s(a, b))
    }
}

impl<S: Simd> Sub for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |simd, a, b| simd.sub_f64s(a, b))
    }
}

impl<S: Simd> Mul for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |simd, a, b| simd.mul_f64s(a, b))
    }
}

impl<S: Simd> Mul<f64> for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: f64) -> Self {
        self * self.like(other)
    }
}

impl<S: Simd> Div for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.with(other, |simd, a, b| simd.div_f64s(a, b))
    }
}

impl<S: Simd> Neg for Lanes<S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.each(|simd, a| simd.neg_f64s(a))
    }
}

impl<S: Simd> BitAnd for LaneMask<S> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.lanes, other.lanes);
        Self { simd: self.simd, lanes: [self.simd.and_m64s(a, c), self.simd.and_m64s(b, d)] }
    }
}

impl<S: Simd> BitOr for LaneMask<S> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        let ([a, b], [c, d]) = (self.lanes, other.lanes);
        Self { simd: self.simd, lanes: [self.simd.or_m64s(a, c), self.simd.or_m64s(b, d)] }
    }
}

impl<S: Simd> Not for LaneMask<S> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self { simd: self.simd, lanes: self.lanes.map(|a| self.simd.not_m64s(a)) }
    }
}

impl<S: Simd> Real for Lanes<S> {
    type Mask = LaneMask<S>;

    #[inline(always)]
    fn like(self, x: f64) -> Self {
        Self { simd: self.simd, lanes: [self.simd.splat_f64s(x); REGISTERS] }
    }

    #[inline(always)]
    fn abs(self) -> Self {
        self.each(|simd, a| simd.abs_f64s(a))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        self.each(|simd, a| simd.sqrt_f64s(a))
    }

    #[inline(always)]
    fn or_larger(self, other: Self) -> Self {
        Self::select(other.below(self), self, other)
    }

    #[inline(always)]
    fn or_smaller(self, other: Self) -> Self {
        Self::select(self.below(other), self, other)
    }

    #[inline(always)]
    fn below(self, other: Self) -> LaneMask<S> {
        self.compare(other, |simd, a, b| simd.less_than_f64s(a, b))
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> LaneMask<S> {
        self.compare(other, |simd, a, b| simd.less_than_or_equal_f64s(a, b))
    }

    #[inline(always)]
    fn all(mask: LaneMask<S>) -> bool {
        let ([a, b], simd) = (mask.lanes, mask.simd);
        simd.first_true_m64s(simd.not_m64s(simd.and_m64s(a, b))) == S::F64_LANES
    }

    #[inline(always)]
    fn select(mask: LaneMask<S>, yes: Self, no: Self) -> Self {
        let ([m, n], [a, b], [c, d]) = (mask.lanes, yes.lanes, no.lanes);
        Self { simd: yes.simd, lanes: [yes.simd.select_f64s(m, a, c), yes.simd.select_f64s(n, b, d)] }
    }

    #[inline(always)]
    fn power_of_two_below_inverse(self) -> Self {
        // The bits of the exponent alone are a power of two, and so is its inverse.
        let power = self.with(self.like(f64::INFINITY), |simd, a, exponent| simd.and_f64s(a, exponent));
        let (least, most) = (self.like(f64::from_bits(2 << 52)), self.like(f64::from_bits(2044 << 52)));
        self.like(1.0) / power.or_larger(least).or_smaller(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All operations on eight pairs of numbers, by the lanes of any processor and one by one.
    struct All<'a>(&'a [f64; 8], &'a [f64; 8]);

    fn operations<T: Real>(a: T, b: T) -> [T; 12] {
        [
            a + b,
            a - b,
            a * b,
            a / b,
            -a,
            a.abs().sqrt(),
            a.or_larger(b),
            a.or_smaller(b),
            T::select(a.below(b) & b.at_most(a.like(2.0)), a, b),
            T::select(!a.at_most(b) | a.below(-b), a, b),
            a.abs().power_of_two_below_inverse(),
            a * 0.1,
        ]
    }

    impl pulp::WithSimd for All<'_> {
        type Output = Vec<[f64; 12]>;
        fn with_simd<S: Simd>(self, simd: S) -> Self::Output {
            let mut all = Vec::new();
            for at in (0..8).step_by(Lanes::<S>::COUNT) {
                let (a, b) = (Lanes::load(simd, &self.0[at..]), Lanes::load(simd, &self.1[at..]));
                let columns = operations(a, b).map(|lanes| {
                    let mut column = [0.0; 8];
                    lanes.store(&mut column);
                    column
                });
                all.extend((0..Lanes::<S>::COUNT).map(|lane| columns.map(|column| column[lane])));
            }
            all
        }
    }

    #[test]
    fn every_lane_has_the_bits_of_the_number_alone() {
        let a = [1.0, -2.5, f64::NAN, 1e-310, 1e308, 0.0, -0.0, 3.0];
        let b = [2.0, -2.5, 1.0, 1e300, 7.0, -0.0, f64::INFINITY, f64::NAN];
        let lanes = pulp::Arch::new().dispatch(All(&a, &b));
        for (i, row) in lanes.iter().enumerate() {
            for (k, (lane, alone)) in row.iter().zip(operations(a[i], b[i])).enumerate() {
                let same = lane.to_bits() == alone.to_bits() || (lane.is_nan() && alone.is_nan());
                assert!(same, "operation {k} on {} and {}: {lane:e}, alone {alone:e}", a[i], b[i]);
            }
        }
    }

    #[test]
    fn the_power_of_two_is_exact_and_brings_a_number_to_one() {
        for x in [1.0, 1.999, 2.0, 0.7, 1e-300, 3e150, 1e300] {
            let s = Real::power_of_two_below_inverse(x);
            assert!((1.0..2.0).contains(&(s * x)), "{x} scaled to {}", s * x);
            assert_eq!(s.to_bits() & ((1 << 52) - 1), 0, "{s} is no power of two");
        }
    }
}

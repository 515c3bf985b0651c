//! Vectors and symmetric matrices in the plane, over numbers or lanes of numbers.

use crate::math::Vec2;
use crate::math::real::Real;
use std::ops::Add;
use std::ops::Div;
use std::ops::Mul;
use std::ops::Sub;

/// A vector in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pair<T = f64> {
    /// First component.
    pub x: T,
    /// Second component.
    pub y: T,
}

impl<T: Real> Pair<T> {
    /// The vector (`x`, `y`).
    #[inline(always)]
    pub fn new(x: T, y: T) -> Self {
        Self { x, y }
    }

    /// The scalar product.
    #[inline(always)]
    pub fn dot(self, other: Self) -> T {
        self.x * other.x + self.y * other.y
    }

    /// The component of the vector product out of the plane.
    #[inline(always)]
    pub fn perp(self, other: Self) -> T {
        self.x * other.y - self.y * other.x
    }

    /// The square of the length.
    #[inline(always)]
    pub fn norm_squared(self) -> T {
        self.dot(self)
    }

    /// The length.
    #[inline(always)]
    pub fn norm(self) -> T {
        self.norm_squared().sqrt()
    }

    /// |x| + |y|.
    #[inline(always)]
    pub fn size(self) -> T {
        self.x.abs() + self.y.abs()
    }
}

impl Pair {
    /// No length.
    pub const ZERO: Self = Self { x: 0.0, y: 0.0 };
}

impl<T: Real> Add for Pair<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl<T: Real> Sub for Pair<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl<T: Real> Mul<T> for Pair<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: T) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }
}

impl<T: Real> Div<T> for Pair<T> {
    type Output = Self;
    #[inline(always)]
    fn div(self, divisor: T) -> Self {
        Self { x: self.x / divisor, y: self.y / divisor }
    }
}

impl From<Vec2> for Pair {
    #[inline(always)]
    fn from(v: Vec2) -> Self {
        Self { x: v.x, y: v.y }
    }
}

impl From<Pair> for Vec2 {
    #[inline(always)]
    fn from(v: Pair) -> Self {
        Self::new(v.x, v.y)
    }
}

/// A symmetric 2×2 matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sym2<T = f64> {
    /// First diagonal entry.
    pub xx: T,
    /// Entry off the diagonal.
    pub xy: T,
    /// Second diagonal entry.
    pub yy: T,
}

impl<T: Real> Sym2<T> {
    /// The product with a vector.
    #[inline(always)]
    pub fn times(&self, v: Pair<T>) -> Pair<T> {
        Pair::new(self.xx * v.x + self.xy * v.y, self.xy * v.x + self.yy * v.y)
    }

    /// The product of the adjugate, det(this)·(this)⁻¹, with a vector.
    #[inline(always)]
    pub fn adjugate_times(&self, v: Pair<T>) -> Pair<T> {
        Pair::new(self.yy * v.x - self.xy * v.y, self.xx * v.y - self.xy * v.x)
    }

    /// The determinant.
    #[inline(always)]
    pub fn det(&self) -> T {
        self.xx * self.yy - self.xy * self.xy
    }

    /// The trace: the size of an SPD matrix within a factor of two.
    #[inline(always)]
    pub fn size(&self) -> T {
        self.xx + self.yy
    }
}

impl Sym2 {
    /// The solution x of (this)·x = v; infinite or NaN where this is singular.
    #[inline(always)]
    pub fn solve(&self, v: Pair) -> Pair {
        self.adjugate_times(v) * (1.0 / self.det())
    }
}

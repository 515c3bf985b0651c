//! Signed distance in the half-plane (ρ, z) of a solid of revolution.

use crate::math::Vec2;

/// Of the rectangle `inner` ≤ ρ ≤ `outer`, |z| ≤ `half`: distance of (ρ, z), negative inside, and outward normal. Bounds
/// may be infinite. With `inner` zero the rectangle goes on beyond the axis and has no face there.
#[inline]
pub(crate) fn rectangle(x: &Vec2, inner: f64, outer: f64, half: f64) -> (f64, Vec2) {
    let nearest = Vec2::new(x.x.clamp(inner, outer), x.y.clamp(-half, half));
    let d = x - nearest;
    let distance = d.norm();
    if distance > 0.0 {
        return (distance, d / distance);
    }
    let inward = if inner > 0.0 { x.x - inner } else { f64::INFINITY };
    let (outward, end) = (outer - x.x, half - x.y.abs());
    if end <= inward && end <= outward {
        (-end, Vec2::new(0.0, if x.y < 0.0 { -1.0 } else { 1.0 }))
    } else if inward <= outward {
        (-inward, Vec2::new(-1.0, 0.0))
    } else {
        (-outward, Vec2::new(1.0, 0.0))
    }
}

/// Of a convex polygon with its corners counter-clockwise.
///
/// ```text
/// inside    the largest of the signed distances from the lines of the sides
/// outside   the distance from the nearest point of the sides
/// ```
pub(crate) fn polygon(x: &Vec2, corners: &[Vec2; 4]) -> (f64, Vec2) {
    let mut deepest = (f64::NEG_INFINITY, Vec2::zeros());
    let mut nearest = (f64::INFINITY, Vec2::zeros());
    for i in 0..4 {
        let (from, to) = (corners[i], corners[(i + 1) % 4]);
        let along = to - from;
        let normal = Vec2::new(along.y, -along.x).normalize();
        let height = normal.dot(&(x - from));
        if height > deepest.0 {
            deepest = (height, normal);
        }
        let t = (along.dot(&(x - from)) / along.norm_squared()).clamp(0.0, 1.0);
        let d = x - (from + along * t);
        if d.norm() < nearest.0 {
            nearest = (d.norm(), d);
        }
    }
    if deepest.0 <= 0.0 || nearest.0 == 0.0 {
        return deepest;
    }
    (nearest.0, nearest.1 / nearest.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygon_and_rectangle_agree_on_the_same_rectangle() {
        let corners = [[1.0, -0.5], [3.0, -0.5], [3.0, 0.5], [1.0, 0.5]].map(Vec2::from);
        for i in 0..50 {
            for j in -20..20 {
                let x = Vec2::new(f64::from(i) * 0.0813 + 0.003, f64::from(j) * 0.0517 + 0.001);
                let (p, q) = (polygon(&x, &corners), rectangle(&x, 1.0, 3.0, 0.5));
                assert!((p.0 - q.0).abs() < 1e-14 && (p.1 - q.1).norm() < 1e-12, "{x}: {p:?} {q:?}");
            }
        }
    }
}

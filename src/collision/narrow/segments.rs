//! Points of two segments that are nearest to each other.

use crate::math::Vec3;

/// Parameters (s, t) in [−1, 1] of the nearest points c_a + s h_a and c_b + t h_b of two segments given by centre and
/// half vector.
///
/// ```text
/// minimise ‖r + s h_a − t h_b‖²,  r = c_a − c_b
///   inner solution    s = (h_a·h_b h_b·r − h_b² h_a·r) / (h_a² h_b² − (h_a·h_b)²),  clamped
///   then              t = (h_b·r + s h_a·h_b) / h_b²,  clamped, and s once more for the clamped t
/// ```
///
/// For parallel segments the inner solution does not exist; s = 0 (the middle of the first) stands in for it, and the
/// following steps make the pair a nearest one.
pub(crate) fn nearest(center_a: &Vec3, half_a: &Vec3, center_b: &Vec3, half_b: &Vec3) -> (f64, f64) {
    let r = center_a - center_b;
    let (aa, bb, ab) = (half_a.norm_squared(), half_b.norm_squared(), half_a.dot(half_b));
    let (ar, br) = (half_a.dot(&r), half_b.dot(&r));
    let determinant = aa * bb - ab * ab;
    // Below this the angle (1e-7 rad) is lost in round-off and any s is as good.
    let s = if determinant > 1e-14 * aa * bb { ((ab * br - bb * ar) / determinant).clamp(-1.0, 1.0) } else { 0.0 };
    let t = if bb > 0.0 { ((br + s * ab) / bb).clamp(-1.0, 1.0) } else { 0.0 };
    let s = if aa > 0.0 { ((t * ab - ar) / aa).clamp(-1.0, 1.0) } else { 0.0 };
    (s, t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_points_of_segments_beat_a_grid_of_all_pairs() {
        let cases = [
            ([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.2, 0.3, 0.5], [0.1, 1.0, 0.2]),
            ([0.0, 0.0, 0.0], [1.0, 0.2, 0.0], [2.5, 0.3, 0.5], [0.4, -1.0, 0.2]),
            ([0.3, 0.0, 0.1], [1.0, 0.2, 0.4], [0.0, 0.7, 0.5], [2.0, 0.4, 0.8]),
            ([0.3, 0.0, 0.1], [1.0, 0.2, 0.4], [4.0, 0.7, 0.5], [0.5, 0.1, 0.2]),
            ([0.3, 0.0, 0.1], [0.0, 0.0, 0.0], [1.0, 0.7, 0.5], [0.5, 0.1, 0.2]),
        ];
        for (ca, ha, cb, hb) in cases {
            let (ca, ha, cb, hb) = (Vec3::from(ca), Vec3::from(ha), Vec3::from(cb), Vec3::from(hb));
            let distance = |s: f64, t: f64| (ca + ha * s - cb - hb * t).norm();
            let (s, t) = nearest(&ca, &ha, &cb, &hb);
            let found = distance(s, t);
            for i in -100..=100 {
                for j in -100..=100 {
                    let other = distance(f64::from(i) / 100.0, f64::from(j) / 100.0);
                    assert!(found <= other + 1e-14, "({s}, {t}): {found} for {other} at ({i}, {j})/100");
                }
            }
        }
    }
}

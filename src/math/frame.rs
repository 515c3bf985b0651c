//! The right-handed contact frame (n, t, o).

use crate::math::Mat3;
use crate::math::Vec3;

/// Completes a unit normal `n` to a right-handed orthonormal frame; returns (t, o) with n = t × o.
///
/// ```text
/// t = e_k × n / ‖e_k × n‖,   o = n × t,   e_k the axis along which |n_k| is smallest (the first of equals)
/// ```
///
/// The choice depends on `n` alone, so the same contact has the same frame on every machine and thread.
#[inline]
pub fn tangents(n: &Vec3) -> (Vec3, Vec3) {
    let (x, y, z) = (n.x.abs(), n.y.abs(), n.z.abs());
    let t = if x <= y && x <= z {
        Vec3::new(0.0, -n.z, n.y)
    } else if y <= z {
        Vec3::new(n.z, 0.0, -n.x)
    } else {
        Vec3::new(-n.y, n.x, 0.0)
    };
    let t = t / t.norm();
    (t, n.cross(&t))
}

/// The rotation with columns (n, t, o): contact coordinates into the inertial frame.
#[inline]
pub fn rotation(n: &Vec3) -> Mat3 {
    let (t, o) = tangents(n);
    Mat3::from_columns(&[*n, t, o])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_is_right_handed_and_orthonormal_for_every_normal() {
        // 4 ε: each entry is a product or a sum of two products of numbers of order one.
        const TOLERANCE: f64 = 4.0 * f64::EPSILON;
        let values: [f64; 7] = [-1.0, -0.3, -1e-200, 0.0, 1e-9, 0.3, 1.0];
        for x in values {
            for y in values {
                for z in values {
                    let n = Vec3::new(x, y, z);
                    if n.norm() < 1e-3 {
                        continue;
                    }
                    let r = rotation(&n.normalize());
                    let off = (r.transpose() * r - Mat3::identity()).abs().max();
                    assert!(off <= TOLERANCE, "{n:?}: off orthonormal by {off}");
                    let det = r.determinant();
                    assert!((det - 1.0).abs() <= TOLERANCE, "{n:?}: determinant {det}");
                }
            }
        }
    }
}

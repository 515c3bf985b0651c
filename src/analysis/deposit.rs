//! A deposit: what hangs together, and how far it reaches.

use crate::analysis::surface::topmost_crossing;

/// Whether each of `count` bodies belongs to the largest set that pairs in contact join; of sets of equal size the one with
/// the smallest index. Bodies that are not `member` join nothing (such as walls).
pub fn largest_cluster(member: &[bool], pairs: impl IntoIterator<Item = (usize, usize)>) -> Vec<bool> {
    let mut root: Vec<usize> = (0..member.len()).collect();
    fn find(root: &mut [usize], mut i: usize) -> usize {
        while root[i] != i {
            root[i] = root[root[i]];
            i = root[i];
        }
        i
    }
    for (a, b) in pairs {
        if member[a] && member[b] {
            let (a, b) = (find(&mut root, a), find(&mut root, b));
            let (low, high) = (a.min(b), a.max(b));
            root[high] = low;
        }
    }
    let roots: Vec<usize> = (0..member.len()).map(|i| find(&mut root, i)).collect();
    let mut size = vec![0_usize; member.len()];
    for (i, r) in roots.iter().enumerate() {
        size[*r] += usize::from(member[i]);
    }
    // The first of the largest.
    let largest = (0..size.len()).rev().max_by_key(|r| size[*r]);
    (0..member.len()).map(|i| member[i] && Some(roots[i]) == largest).collect()
}

/// How far a deposit reaches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunOut {
    /// Mean over the sectors of the farthest point in each, in m.
    pub mean: f64,
    /// Standard error of that mean, the sectors taken as independent.
    pub error: f64,
}

/// The run-out of points (x, y) around `center`: the mean over `sectors` equal sectors of the farthest point, each with its
/// own `reach` added. A sector without a point counts as zero. None without points.
pub fn run_out(points: &[[f64; 2]], reach: &[f64], center: [f64; 2], sectors: usize) -> Option<RunOut> {
    if points.is_empty() || sectors < 2 {
        return None;
    }
    let mut farthest = vec![0.0_f64; sectors];
    for (point, reach) in points.iter().zip(reach) {
        let (x, y) = (point[0] - center[0], point[1] - center[1]);
        let turn = y.atan2(x) / std::f64::consts::TAU;
        let sector = ((turn.rem_euclid(1.0)) * sectors as f64) as usize;
        let far = &mut farthest[sector.min(sectors - 1)];
        *far = far.max(x.hypot(y) + reach);
    }
    let n = sectors as f64;
    let mean = farthest.iter().sum::<f64>() / n;
    let scatter: f64 = farthest.iter().map(|r| (r - mean).powi(2)).sum();
    Some(RunOut { mean, error: (scatter / (n * (n - 1.0))).sqrt() })
}

/// The radius in m at which a deposit around `center` ends: where the solid volume above a unit of ground, averaged over rings
/// of `width` m, falls through `depth` m for the last time from inside. Single grains that roll ahead do not count. None if
/// it never does within `rings` rings.
pub fn edge(
    points: &[[f64; 2]],
    volumes: &[f64],
    center: [f64; 2],
    (width, rings): (f64, usize),
    depth: f64,
) -> Option<f64> {
    let mut solid = vec![0.0; rings];
    for (point, volume) in points.iter().zip(volumes) {
        let r = (point[0] - center[0]).hypot(point[1] - center[1]);
        if let Some(ring) = solid.get_mut((r / width) as usize) {
            *ring += volume;
        }
    }
    let area = |k: usize| std::f64::consts::PI * width * width * (2 * k + 1) as f64;
    let depths: Vec<f64> = solid.iter().enumerate().map(|(k, v)| v / area(k)).collect();
    let radii: Vec<f64> = (0..rings).map(|k| (k as f64 + 0.5) * width).collect();
    topmost_crossing(&radii, &depths, depth)
}

/// The radius in m around `center` within which the share `share` of the volume lies, the first grain counted in full
/// that reaches it. None without volume.
pub fn radius_of_share(points: &[[f64; 2]], volumes: &[f64], center: [f64; 2], share: f64) -> Option<f64> {
    let mut grains: Vec<(f64, f64)> =
        points.iter().zip(volumes).map(|(p, v)| ((p[0] - center[0]).hypot(p[1] - center[1]), *v)).collect();
    grains.sort_by(|a, b| a.0.total_cmp(&b.0));
    let wanted = share * grains.iter().map(|grain| grain.1).sum::<f64>();
    let mut sum = 0.0;
    let reached = grains.iter().find(|grain| {
        sum += grain.1;
        sum >= wanted
    });
    reached.filter(|_| wanted > 0.0).map(|grain| grain.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_cluster_is_found_and_walls_do_not_join() {
        // 0–1–2 and 3–4 hang together, 5 is alone, 6 is a wall that touches all.
        let member = [true, true, true, true, true, true, false];
        let pairs = [(4, 3), (2, 1), (0, 2), (0, 6), (3, 6), (5, 6)];
        let cluster = largest_cluster(&member, pairs);
        assert_eq!(cluster, [true, true, true, false, false, false, false]);
        assert_eq!(largest_cluster(&[true, true], []), [true, false], "of equal ones the first");
    }

    #[test]
    fn a_ring_reaches_its_radius_wherever_its_center_is() {
        let points: Vec<_> = (0..360)
            .map(|k| {
                let (sin, cos) = (f64::from(k) + 0.5).to_radians().sin_cos();
                [3.0 + 2.0 * cos, -1.0 + 2.0 * sin]
            })
            .chain([[3.1, -1.0]])
            .collect();
        let out = run_out(&points, &vec![0.25; points.len()], [3.0, -1.0], 12).expect("points");
        assert!((out.mean - 2.25).abs() < 1e-12 && out.error < 1e-12, "{out:?}");
    }

    #[test]
    fn a_cone_ends_where_its_slope_says_and_a_stray_grain_does_not_count() {
        // Volume by area h(r) = 0.1 (1 − r/2): falls through 0.025 at r = 1.5. Points on a fine lattice.
        let side = 0.01;
        let mut points = Vec::new();
        let mut volumes = Vec::new();
        for i in -200..=200 {
            for j in -200..=200 {
                let (x, y) = (side * f64::from(i), side * f64::from(j));
                let height = 0.1 * (1.0 - x.hypot(y) / 2.0);
                if height > 0.0 {
                    points.push([x + 7.0, y - 3.0]);
                    volumes.push(height * side * side);
                }
            }
        }
        points.push([7.0, 0.0]);
        volumes.push(1e-4);
        let radius = edge(&points, &volumes, [7.0, -3.0], (0.1, 50), 0.025).expect("an edge");
        // Rings of ten lattice sides hold their area to 1 %, which the slope turns into 0.5 % of the radius.
        assert!((radius - 1.5).abs() < 0.02, "{radius}");
        assert!(edge(&points, &volumes, [7.0, -3.0], (0.1, 50), 1.0).is_none(), "never so deep");
    }

    #[test]
    fn the_radius_of_a_share_is_that_of_the_grain_that_completes_it() {
        let points: Vec<_> = (1..=10).map(|k| [f64::from(k) + 1.0, 2.0]).collect();
        let of = |share: f64| radius_of_share(&points, &[0.5; 10], [1.0, 2.0], share).expect("grains");
        assert!((of(0.8) - 8.0).abs() < 1e-12 && (of(0.05) - 1.0).abs() < 1e-12 && (of(1.0) - 10.0).abs() < 1e-12);
        assert!(radius_of_share(&[], &[], [0.0, 0.0], 0.5).is_none());
    }

    #[test]
    fn two_unequal_halves_have_the_error_of_their_difference() {
        // One sector reaches 1, the other 3: mean 2, error √(2/(2·1)).
        let out = run_out(&[[0.0, 1.0], [0.0, -3.0]], &[0.0, 0.0], [0.0, 0.0], 2).expect("points");
        assert!((out.mean - 2.0).abs() < 1e-12 && (out.error - 1.0).abs() < 1e-12, "{out:?}");
    }
}

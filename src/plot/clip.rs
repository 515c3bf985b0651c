//! Cuts lines and regions off at the box of a panel.

/// A rectangle [left, top, right, bottom] in mm, y down.
pub(super) type Rect = [f64; 4];

/// The part of the segment from `a` to `b` inside `rect` (Liang–Barsky) and whether it reaches `b`; `None` if there
/// is none.
fn segment(a: [f64; 2], b: [f64; 2], rect: &Rect) -> Option<([[f64; 2]; 2], bool)> {
    let d = [b[0] - a[0], b[1] - a[1]];
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        for (p, q) in [(-d[axis], a[axis] - rect[axis]), (d[axis], rect[axis + 2] - a[axis])] {
            if p == 0.0 {
                if q < 0.0 {
                    return None;
                }
            } else if p < 0.0 {
                enter = enter.max(q / p);
            } else {
                leave = leave.min(q / p);
            }
        }
    }
    let at = |s: f64| [a[0] + s * d[0], a[1] + s * d[1]];
    (enter <= leave).then(|| ([at(enter), at(leave)], leave >= 1.0))
}

/// The runs of a line inside `rect`. A point with a NaN breaks the line.
pub(super) fn line(points: &[[f64; 2]], rect: &Rect) -> Vec<Vec<[f64; 2]>> {
    let mut runs: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut open = false;
    for pair in points.windows(2) {
        let cut = if pair.iter().flatten().all(|v| v.is_finite()) { segment(pair[0], pair[1], rect) } else { None };
        let Some(([start, end], whole)) = cut else {
            open = false;
            continue;
        };
        match runs.last_mut() {
            Some(run) if open => run.push(end),
            _ => runs.push(vec![start, end]),
        }
        open = whole;
    }
    runs
}

/// A polygon cut to `rect` (Sutherland–Hodgman).
pub(super) fn polygon(points: &[[f64; 2]], rect: &Rect) -> Vec<[f64; 2]> {
    let mut kept: Vec<_> = points.iter().copied().filter(|p| p.iter().all(|v| v.is_finite())).collect();
    for (axis, bound, sign) in [(0, rect[0], 1.0), (0, rect[2], -1.0), (1, rect[1], 1.0), (1, rect[3], -1.0)] {
        let depth = |p: [f64; 2]| sign * (p[axis] - bound);
        let mut next = Vec::new();
        for (k, &b) in kept.iter().enumerate() {
            let a = kept[(k + kept.len() - 1) % kept.len()];
            if (depth(a) < 0.0) != (depth(b) < 0.0) {
                let s = depth(a) / (depth(a) - depth(b));
                next.push([a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])]);
            }
            if depth(b) >= 0.0 {
                next.push(b);
            }
        }
        kept = next;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Rect = [0.0, 0.0, 1.0, 1.0];

    #[test]
    fn a_line_that_leaves_and_returns_is_two_runs() {
        let runs = line(&[[0.5, 0.5], [1.5, 0.5], [1.5, 0.25], [0.5, 0.25]], &UNIT);
        assert_eq!(runs, vec![vec![[0.5, 0.5], [1.0, 0.5]], vec![[1.0, 0.25], [0.5, 0.25]]]);
    }

    #[test]
    fn a_line_past_a_corner_leaves_nothing() {
        assert!(line(&[[-0.6, 0.5], [0.5, -0.7]], &UNIT).is_empty());
    }

    #[test]
    fn a_polygon_around_the_box_becomes_the_box() {
        let cut = polygon(&[[-1.0, -1.0], [2.0, -1.0], [2.0, 2.0], [-1.0, 2.0]], &UNIT);
        let area: f64 = (0..cut.len())
            .map(|k| {
                let (a, b) = (cut[k], cut[(k + 1) % cut.len()]);
                0.5 * (a[0] * b[1] - a[1] * b[0])
            })
            .sum();
        assert!((area - 1.0).abs() < 1e-12, "area {area} of {cut:?}");
    }
}

//! Lines of equal value on a grid, by marching squares with linear interpolation along the edges.

/// Lines on which a field on a grid takes the value `level`.
///
/// `values[j * x.len() + i]` is the field at `(x[i], y[j])`. Each line is a list of points (x, y); a closed line ends in
/// its first point. Cells with a NaN corner carry no line. A saddle cell is split by the mean of its corners.
pub fn iso_lines(x: &[f64], y: &[f64], values: &[f64], level: f64) -> Vec<Vec<[f64; 2]>> {
    let segments = segments(x, y, values, level);
    chain(&segments)
}

/// An edge of the grid: (i, j) to its right neighbour (`false`) or its upper one (`true`).
type Edge = (usize, usize, bool);

struct Segment {
    ends: [Edge; 2],
    points: [[f64; 2]; 2],
}

fn segments(x: &[f64], y: &[f64], values: &[f64], level: f64) -> Vec<Segment> {
    let at = |i: usize, j: usize| values[j * x.len() + i];
    let point = |(i, j, up): Edge| {
        let (k, l) = if up { (i, j + 1) } else { (i + 1, j) };
        let (low, high) = (at(i, j), at(k, l));
        let s = (level - low) / (high - low);
        [x[i] + s * (x[k] - x[i]), y[j] + s * (y[l] - y[j])]
    };
    let mut found = Vec::new();
    for j in 0..y.len().saturating_sub(1) {
        for i in 0..x.len().saturating_sub(1) {
            let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            if corners.iter().any(|v| v.is_nan()) {
                continue;
            }
            // Edges of the cell in turn: bottom, right, top, left; each is crossed where its corners differ in side.
            let edges = [(i, j, false), (i + 1, j, true), (i, j + 1, false), (i, j, true)];
            let above = corners.map(|v| v > level);
            let crossed: Vec<usize> = (0..4).filter(|&k| above[k] != above[(k + 1) % 4]).collect();
            let mut join = |a: usize, b: usize| {
                let ends = [edges[a], edges[b]];
                found.push(Segment { ends, points: ends.map(point) });
            };
            match crossed.len() {
                2 => join(crossed[0], crossed[1]),
                4 => {
                    // The corner (i, j) belongs with the middle of the cell or is cut off from it.
                    let middle = corners.iter().sum::<f64>() / 4.0 > level;
                    if middle == above[0] {
                        join(0, 1);
                        join(2, 3);
                    } else {
                        join(3, 0);
                        join(1, 2);
                    }
                }
                _ => {}
            }
        }
    }
    found
}

/// Joins segments that share an edge of the grid into lines.
fn chain(segments: &[Segment]) -> Vec<Vec<[f64; 2]>> {
    let mut by_edge = std::collections::BTreeMap::<Edge, Vec<usize>>::new();
    for (k, segment) in segments.iter().enumerate() {
        for end in segment.ends {
            by_edge.entry(end).or_default().push(k);
        }
    }
    let mut used = vec![false; segments.len()];
    let mut lines = Vec::new();
    for start in 0..segments.len() {
        if used[start] {
            continue;
        }
        used[start] = true;
        let mut line = std::collections::VecDeque::from(segments[start].points);
        let mut grow = |mut edge: Edge, forward: bool| {
            while let Some(&k) = by_edge[&edge].iter().find(|&&k| !used[k]) {
                used[k] = true;
                let far = usize::from(segments[k].ends[0] == edge);
                edge = segments[k].ends[far];
                if forward {
                    line.push_back(segments[k].points[far]);
                } else {
                    line.push_front(segments[k].points[far]);
                }
            }
        };
        grow(segments[start].ends[1], true);
        grow(segments[start].ends[0], false);
        lines.push(line.into());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(n: usize, f: impl Fn(f64, f64) -> f64) -> (Vec<f64>, Vec<f64>) {
        let x: Vec<f64> = (0..n).map(|i| -2.0 + 4.0 * i as f64 / (n - 1) as f64).collect();
        let values = x.iter().flat_map(|&v| x.iter().map(move |&u| (u, v))).map(|(u, v)| f(u, v)).collect();
        (x, values)
    }

    #[test]
    fn the_line_of_a_paraboloid_is_one_closed_circle() {
        // Linear interpolation on a grid of spacing h is off by h²/8 times the second derivative over the slope.
        const TOLERANCE: f64 = 4.0 / 100.0 * 4.0 / 100.0 / 8.0;
        let (x, values) = grid(101, |u, v| u * u + v * v);
        let lines = iso_lines(&x, &x, &values, 1.0);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].first(), lines[0].last(), "not closed");
        for [u, v] in &lines[0] {
            let off = (u.hypot(*v) - 1.0).abs();
            assert!(off <= TOLERANCE, "({u}, {v}) is off the circle by {off}");
        }
    }

    #[test]
    fn a_saddle_gives_two_branches_that_do_not_cross() {
        let (x, values) = grid(40, |u, v| u * v);
        assert_eq!(iso_lines(&x, &x, &values, 0.5).len(), 2);
    }

    #[test]
    fn cells_without_a_value_carry_no_line() {
        let (x, values) = grid(40, |u, v| if u < 0.0 { f64::NAN } else { u * u + v * v });
        assert!(iso_lines(&x, &x, &values, 1.0).iter().flatten().all(|p| p[0] >= 0.0));
    }
}

//! Candidates for the real roots of a quartic, in closed form.

/// Up to four candidates for the real roots of x⁴ + a x³ + b x² + c x + d.
///
/// ```text
/// x = y − a/4:           y⁴ + p y² + q y + r
/// resolvent cubic:       z³ + 2p z² + (p² − 4r) z − q² = 0,   z its largest root (≥ 0)
/// u = √z:                (y² + u y + ½(p + z − q/u)) (y² − u y + ½(p + z + q/u))
/// ```
///
/// The closed form loses digits near multiple roots, so what comes back are candidates to be polished and tested by
/// the caller: a real pair gives its two roots, a complex pair its real part, which is the double root when round-off
/// has split one. Returns the candidates and how many there are.
pub fn candidates([a, b, c, d]: [f64; 4]) -> ([f64; 4], usize) {
    let shift = 0.25 * a;
    let a2 = a * a;
    let p = b - 0.375 * a2;
    let q = c - 0.5 * a * b + 0.125 * a2 * a;
    let r = d - 0.25 * a * c + 0.0625 * a2 * b - (3.0 / 256.0) * a2 * a2;
    let z = largest_real_root(2.0 * p, p * p - 4.0 * r, -q * q).max(0.0);

    let mut found = [0.0; 4];
    let mut count = 0;
    let mut push = |y: f64| {
        found[count] = y - shift;
        count += 1;
    };
    let u = z.sqrt();
    // Where z is round-off of zero the quartic is biquadratic to round-off: q/u has no digits left there.
    let size = p.abs() + r.abs().sqrt() + q.abs().cbrt().powi(2);
    if z > 4.0 * f64::EPSILON * size {
        for (u, w) in [(u, q / u), (-u, -q / u)] {
            let half = -0.5 * u;
            let discriminant = half * half - 0.5 * (p + z - w);
            if discriminant > 0.0 {
                let root = half + discriminant.sqrt().copysign(half);
                push(root);
                push(if root == 0.0 { half - discriminant.sqrt() } else { 0.5 * (p + z - w) / root });
            } else {
                push(half);
            }
        }
    } else {
        let half = -0.5 * p;
        let root = (half * half - r).max(0.0).sqrt();
        for square in [half + root, half - root] {
            if square > 0.0 {
                push(square.sqrt());
                push(-square.sqrt());
            } else {
                push(0.0);
            }
        }
    }
    (found, count)
}

/// The largest real root of z³ + a z² + b z + c, by Cardano's formulas with Newton steps after.
fn largest_real_root(a: f64, b: f64, c: f64) -> f64 {
    let shift = a / 3.0;
    let q = shift * shift - b / 3.0;
    let r = shift * (shift * shift - 0.5 * b) + 0.5 * c;
    let mut z = if r * r <= q * q * q {
        // The largest of −2√q cos((θ + 2πk)/3) − a/3 is that of k = 1: its angle lies in [2π/3, π].
        let angle = if q > 0.0 { (r / (q * q * q).sqrt()).clamp(-1.0, 1.0).acos() } else { 0.0 };
        -2.0 * q.max(0.0).sqrt() * ((angle + std::f64::consts::TAU) / 3.0).cos() - shift
    } else {
        let s = -(r.abs() + (r * r - q * q * q).sqrt()).cbrt().copysign(r);
        let t = if s == 0.0 { 0.0 } else { q / s };
        s + t - shift
    };
    for _ in 0..3 {
        let slope = (3.0 * z + 2.0 * a) * z + b;
        let step = (((z + a) * z + b) * z + c) / slope;
        if !step.is_finite() {
            break;
        }
        z -= step;
    }
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Coefficients of the monic quartic with the given real roots.
    fn with_roots(r: [f64; 4]) -> [f64; 4] {
        let (s, t) = (-(r[0] + r[1]), r[0] * r[1]);
        let (v, w) = (-(r[2] + r[3]), r[2] * r[3]);
        [s + v, t + w + s * v, s * w + t * v, t * w]
    }

    #[test]
    fn distinct_roots_are_all_found() {
        // Ten digits: the closed form alone; callers polish.
        const TOLERANCE: f64 = 1e-10;
        for roots in [[1.0, 2.0, 3.0, 4.0], [-1.0, 0.0, 1.0, 2.0], [-3.0, -1.0, 1.0, 3.0], [0.1, -7.0, 2.5, 11.0]] {
            let (found, count) = candidates(with_roots(roots));
            assert_eq!(count, 4, "{roots:?}: {found:?}");
            for root in roots {
                let nearest = found.iter().map(|x| (x - root).abs()).fold(f64::INFINITY, f64::min);
                assert!(nearest < TOLERANCE, "{root} of {roots:?} missed by {nearest}");
            }
        }
    }

    #[test]
    fn double_roots_are_candidates_to_half_the_digits() {
        // √ε is what a double root can be known to; 30 for the size of the coefficients.
        const TOLERANCE: f64 = 30.0 * 1.5e-8;
        for roots in [[1.0, 1.0, 3.0, 4.0], [-2.0, -2.0, 0.5, 0.5], [0.0, 0.0, 1.0, -1.0]] {
            let (found, count) = candidates(with_roots(roots));
            for root in roots {
                let nearest = found[..count].iter().map(|x| (x - root).abs()).fold(f64::INFINITY, f64::min);
                assert!(nearest < TOLERANCE, "{root} of {roots:?} missed by {nearest}: {found:?}");
            }
        }
    }

    #[test]
    fn a_quartic_without_real_roots_gives_the_real_parts_of_its_pairs() {
        // (x² + 2x + 5)(x² − 4x + 13): −1 ± 2i and 2 ± 3i.
        let (found, count) = candidates([-2.0, 10.0, 6.0, 65.0]);
        assert_eq!(count, 2);
        let (low, high) = (found[0].min(found[1]), found[0].max(found[1]));
        assert!((low + 1.0).abs() < 1e-12 && (high - 2.0).abs() < 1e-12, "{found:?}");
    }
}

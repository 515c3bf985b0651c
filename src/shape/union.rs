//! Volume, centre and inertia of a union of balls, overlaps counted once.
//!
//! ```text
//! ∫ f dV = ∫ dz ∫_{union of discs at z} f dx dy
//! plane moments by Green's theorem over the exposed arcs of the discs:
//!   ∫ 1 = ∮ x dy,   ∫ x = ∮ x²/2 dy,   ∫ y = ∮ x y dy,   ∫ x² = ∮ x³/3 dy,   ∫ x y = ∮ x² y/2 dy,   ∫ y² = ∮ x y² dy
//! ```
//!
//! The moments of a slice are analytic in z except at the poles of the balls, at the ends of the circles in which two
//! meet and at the points where three do; between those heights z = middle + half · sin(π u/2) takes away the square
//! roots, and Gauss–Legendre quadrature converges to round-off.

use crate::math::Mat3;
use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::Ball;
use crate::shape::MassProperties;
use nalgebra::Rotation3;
use nalgebra::SymmetricEigen;
use std::f64::consts::FRAC_PI_2;
use std::f64::consts::PI;
use std::f64::consts::TAU;

/// Nodes and weights of Gauss–Legendre quadrature of degree 19 on [−1, 1], the positive half.
const GAUSS: [(f64, f64); 5] = [
    (0.148_874_338_981_631_2, 0.295_524_224_714_752_9),
    (0.433_395_394_129_247_2, 0.269_266_719_309_996_4),
    (0.679_409_568_299_024_4, 0.219_086_362_515_982),
    (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
    (0.973_906_528_517_171_7, 0.066_671_344_308_688_1),
];
/// Panels between two heights: with three the degree is enough for 1e-12 also where a circle is nearly tangent.
const PANELS: u32 = 3;

/// Moments of a homogeneous solid of unit density.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moments {
    /// Volume in m³.
    pub(crate) volume: f64,
    /// Centre of mass.
    pub(crate) center: Vec3,
    /// Inertia about the centre of mass per unit density, in m⁵.
    inertia: Mat3,
}

impl Moments {
    /// Mass and principal inertia for a density in kg/m³.
    pub(crate) fn mass_properties(&self, density: f64) -> MassProperties {
        let inertia = self.inertia * density;
        let diagonal = inertia.diagonal();
        let off = (inertia - Mat3::from_diagonal(&diagonal)).abs().max();
        let mass = density * self.volume;
        // Products of inertia that are round-off of the quadrature would turn axes that are principal already.
        if off <= 1e-12 * diagonal.max() {
            return MassProperties { mass, inertia: diagonal, frame: Quat::identity() };
        }
        let eigen = SymmetricEigen::new(inertia);
        let mut axes = eigen.eigenvectors;
        if axes.determinant() < 0.0 {
            axes.column_mut(2).neg_mut();
        }
        let frame = Quat::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
        MassProperties { mass, inertia: eigen.eigenvalues, frame }
    }
}

/// Plane moments (1, x, y, x², xy, y²) of a slice.
type Slice = [f64; 6];

/// Moments of the union of `balls`; zero volume if there are none.
pub(crate) fn measure(balls: &[Ball]) -> Moments {
    let heights = heights(balls);
    let (mut volume, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
    for pair in heights.windows(2) {
        let (middle, half) = (0.5 * (pair[0] + pair[1]), 0.5 * (pair[1] - pair[0]));
        gauss(-1.0, 1.0, PANELS, |u, weight| {
            let z = middle + half * (FRAC_PI_2 * u).sin();
            let weight = weight * half * FRAC_PI_2 * (FRAC_PI_2 * u).cos();
            let [m, x, y, xx, xy, yy] = slice(balls, z).map(|moment| moment * weight);
            volume += m;
            first += Vec3::new(x, y, m * z);
            second += Mat3::new(xx, xy, x * z, xy, yy, y * z, x * z, y * z, m * z * z);
        });
    }
    let center = if volume > 0.0 { first / volume } else { Vec3::zeros() };
    let second = second - center * center.transpose() * volume;
    Moments { volume, center, inertia: Mat3::identity() * second.trace() - second }
}

/// Calls `at` with nodes and weights of the quadrature over [from, to] in equal panels.
fn gauss(from: f64, to: f64, panels: u32, mut at: impl FnMut(f64, f64)) {
    let half = 0.5 * (to - from) / f64::from(panels);
    for panel in 0..panels {
        let middle = from + half * f64::from(2 * panel + 1);
        for (node, weight) in GAUSS {
            at(middle - half * node, half * weight);
            at(middle + half * node, half * weight);
        }
    }
}

/// Heights between which the moments of a slice are analytic, sorted.
fn heights(balls: &[Ball]) -> Vec<f64> {
    let mut heights = Vec::new();
    for (i, a) in balls.iter().enumerate() {
        heights.extend([a.center.z - a.radius, a.center.z + a.radius]);
        for (j, b) in balls.iter().enumerate().take(i) {
            let Some((point, normal, radius)) = circle(a, b) else { continue };
            let rise = radius * (1.0 - normal.z * normal.z).max(0.0).sqrt();
            heights.extend([point.z - rise, point.z + rise]);
            for c in &balls[..j] {
                // The radical planes of (a, b) and (a, c) meet in a line; the three balls meet where it meets a.
                let Some((other, other_normal, _)) = circle(a, c) else { continue };
                let along = normal.cross(&other_normal);
                let squared = along.norm_squared();
                if squared < 1e-12 {
                    continue;
                }
                let (p, q) = (normal.dot(&(point - a.center)), other_normal.dot(&(other - a.center)));
                let foot = (other_normal.cross(&along) * p + along.cross(&normal) * q) / squared;
                let rest = a.radius * a.radius - foot.norm_squared();
                if rest > 0.0 {
                    let step = (rest / squared).sqrt() * along.z;
                    let z = a.center.z + foot.z;
                    heights.extend([z - step, z + step]);
                }
            }
        }
    }
    heights.sort_by(f64::total_cmp);
    heights.dedup();
    heights
}

/// The circle in which the spheres of two balls meet: centre, unit normal from a to b, radius.
fn circle(a: &Ball, b: &Ball) -> Option<(Vec3, Vec3, f64)> {
    let d = b.center - a.center;
    let distance = d.norm();
    if distance >= a.radius + b.radius || distance <= (a.radius - b.radius).abs() {
        return None;
    }
    let normal = d / distance;
    let along = 0.5 * (distance + (a.radius * a.radius - b.radius * b.radius) / distance);
    Some((a.center + normal * along, normal, (a.radius * a.radius - along * along).max(0.0).sqrt()))
}

/// Moments of the union of the discs that the balls leave at height `z`.
fn slice(balls: &[Ball], z: f64) -> Slice {
    let radius = |ball: &Ball| {
        let h = z - ball.center.z;
        (ball.radius * ball.radius - h * h).max(0.0).sqrt()
    };
    let mut sum = [0.0; 6];
    let mut covered: Vec<(f64, f64)> = Vec::new();
    'discs: for (i, a) in balls.iter().enumerate() {
        let ra = radius(a);
        if ra == 0.0 {
            continue;
        }
        covered.clear();
        for (j, b) in balls.iter().enumerate() {
            let rb = radius(b);
            let d = (b.center - a.center).xy();
            let distance = d.norm();
            if i == j || rb == 0.0 || distance >= ra + rb || distance + rb < ra {
                continue;
            }
            if distance + ra <= rb {
                // Of two equal discs the first counts.
                if distance + rb > ra || j < i {
                    continue 'discs;
                }
                continue;
            }
            let cosine = (distance * distance + ra * ra - rb * rb) / (2.0 * distance * ra);
            let (middle, half) = (d.y.atan2(d.x), cosine.clamp(-1.0, 1.0).acos());
            let from = (middle - half).rem_euclid(TAU);
            let to = from + 2.0 * half;
            covered.push((from, to.min(TAU)));
            if to > TAU {
                covered.push((0.0, to - TAU));
            }
        }
        covered.sort_by(|p, q| p.0.total_cmp(&q.0));
        let mut free = 0.0;
        for &(from, to) in covered.iter().chain(&[(TAU, TAU)]) {
            if from > free {
                arc(a, ra, free, from, &mut sum);
            }
            free = to.max(free);
        }
    }
    sum
}

/// Adds the boundary integrals over one arc; in pieces of at most a quarter turn the quadrature is exact to round-off.
fn arc(ball: &Ball, radius: f64, from: f64, to: f64, sum: &mut Slice) {
    let pieces = ((to - from) / (0.5 * PI)).ceil().max(1.0) as u32;
    gauss(from, to, pieces, |angle, weight| {
        let (sin, cos) = angle.sin_cos();
        let (x, y) = (ball.center.x + radius * cos, ball.center.y + radius * sin);
        let dy = radius * cos * weight;
        let terms = [x, 0.5 * x * x, x * y, x * x * x / 3.0, 0.5 * x * x * y, x * y * y];
        for (total, term) in sum.iter_mut().zip(terms) {
            *total += term * dy;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(x: f64, y: f64, z: f64, radius: f64) -> Ball {
        Ball { center: Vec3::new(x, y, z), radius }
    }

    #[test]
    fn a_ball_and_its_double_have_the_moments_of_the_ball() {
        for balls in [vec![ball(0.3, -0.2, 0.5, 1.5)], vec![ball(0.3, -0.2, 0.5, 1.5); 3]] {
            let moments = measure(&balls);
            let volume = 4.0 / 3.0 * PI * 1.5_f64.powi(3);
            assert!((moments.volume / volume - 1.0).abs() < 1e-13, "{}", moments.volume);
            assert!((moments.center - balls[0].center).norm() < 1e-13, "{}", moments.center);
            let off = moments.inertia / (0.4 * volume * 2.25) - Mat3::identity();
            assert!(off.abs().max() < 1e-12, "{off}");
        }
    }

    #[test]
    fn two_overlapping_balls_are_their_sum_less_the_lens() {
        // Caps of a sphere: V = π h² (3r − h)/3, centre at 3 (2r − h)²/(4 (3r − h)) from the sphere's centre.
        let (ra, rb, d) = (1.0_f64, 1.1_f64, 1.4_f64);
        let along = 0.5 * (d + (ra * ra - rb * rb) / d);
        let cap = |r: f64, h: f64| (PI * h * h * (3.0 * r - h) / 3.0, 0.75 * (2.0 * r - h).powi(2) / (3.0 * r - h));
        let (va, ca) = cap(ra, ra - along);
        let (vb, cb) = cap(rb, rb - (d - along));
        let full = |r: f64| 4.0 / 3.0 * PI * r.powi(3);
        let volume = full(ra) + full(rb) - va - vb;
        let center = (full(rb) * d - va * ca - vb * (d - cb)) / volume;
        let direction = Vec3::new(2.0, -3.0, 6.0) / 7.0;
        let start = Vec3::new(0.4, 0.1, -0.3);
        let end = start + direction * d;
        let moments = measure(&[ball(start.x, start.y, start.z, ra), ball(end.x, end.y, end.z, rb)]);
        assert!((moments.volume / volume - 1.0).abs() < 1e-12, "{} for {volume}", moments.volume);
        let expected = start + direction * center;
        assert!((moments.center - expected).norm() < 1e-12, "{} for {expected}", moments.center);
    }

    #[test]
    fn moments_do_not_depend_on_how_the_clump_is_turned() {
        let balls = [
            ball(0.0, 0.0, 0.0, 1.0),
            ball(0.9, 0.2, 0.1, 0.8),
            ball(0.3, 1.0, -0.2, 0.7),
            ball(0.4, 0.4, 0.9, 0.6),
            ball(0.1, 0.1, 0.1, 0.2),
            ball(3.0, 0.0, 0.0, 0.5),
        ];
        let reference = measure(&balls);
        for angles in [(0.3, 0.1, -0.7), (1.2, -0.8, 2.2), (FRAC_PI_2, 0.0, 0.0)] {
            let q = Quat::from_euler_angles(angles.0, angles.1, angles.2);
            let turned: Vec<_> = balls.iter().map(|b| Ball { center: q * b.center, radius: b.radius }).collect();
            let moments = measure(&turned);
            assert!((moments.volume / reference.volume - 1.0).abs() < 1e-11, "{} {}", moments.volume, reference.volume);
            assert!((moments.center - q * reference.center).norm() < 1e-11);
            let r = q.to_rotation_matrix();
            let off = moments.inertia - r * reference.inertia * r.transpose();
            assert!(off.abs().max() < 1e-10 * reference.inertia.norm(), "{off}");
        }
    }

    #[test]
    fn moments_of_three_balls_agree_with_counting() {
        // 160³ points of a cube of edge 4: the surface cells leave some 1e-4.
        const TOLERANCE: f64 = 5e-4;
        let balls = [ball(0.0, 0.0, 0.0, 1.0), ball(0.9, 0.2, 0.1, 0.8), ball(0.3, 1.0, -0.2, 0.7)];
        let (n, mut volume, mut first, mut second) = (160, 0.0, Vec3::zeros(), Mat3::zeros());
        let turn = Quat::from_euler_angles(0.3, 0.5, 0.7);
        let (edge, at) = (4.0 / f64::from(n), |i: i32| -2.0 + (f64::from(i) + 0.5) * 4.0 / f64::from(n));
        let cell = edge.powi(3);
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    let x = turn * Vec3::new(at(i), at(j), at(k));
                    if balls.iter().any(|b| (x - b.center).norm_squared() < b.radius * b.radius) {
                        volume += cell;
                        first += x * cell;
                        second += x * x.transpose() * cell;
                    }
                }
            }
        }
        let center = first / volume;
        let second = second - center * center.transpose() * volume;
        let inertia = Mat3::identity() * second.trace() - second;
        let moments = measure(&balls);
        assert!((moments.volume / volume - 1.0).abs() < TOLERANCE, "{} for {volume}", moments.volume);
        assert!((moments.center - center).norm() < TOLERANCE, "{} for {center}", moments.center);
        assert!((moments.inertia - inertia).abs().max() < TOLERANCE * inertia.norm(), "{}", moments.inertia - inertia);
    }

    #[test]
    fn the_principal_frame_makes_the_inertia_diagonal() {
        let moments = measure(&[ball(0.0, 0.0, 0.0, 1.0), ball(0.9, 0.2, 0.1, 0.8), ball(0.3, 1.0, -0.2, 0.7)]);
        let properties = moments.mass_properties(2.0);
        let r = properties.frame.to_rotation_matrix();
        let rebuilt = r * Mat3::from_diagonal(&properties.inertia) * r.transpose();
        assert!((rebuilt - moments.inertia * 2.0).abs().max() < 1e-12, "{rebuilt}");
        assert!((properties.mass - 2.0 * moments.volume).abs() < 1e-14);
    }
}

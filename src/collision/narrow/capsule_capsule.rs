//! Capsule and capsule: the nearest points of the two segments, or both ends of the stretch where they lie along each
//! other.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::segments;
use crate::math::Vec3;

/// Squared sine of the angle (6°) below which the ends of the common stretch are contacts too: one point between would
/// let the capsules seesaw. Each is a true nearest point of an end, so nothing jumps where it comes in.
const ALONGSIDE: f64 = 0.01;
/// Ends nearer to each other than this part of the radius are one contact.
const SAME: f64 = 1e-2;

/// Feature 0 is the nearest pair of points; 1 and 2 are the ends −z and +z of a, 3 and 4 those of b.
pub(crate) fn collide(
    (radius_a, half_a): (f64, f64),
    pose_a: &Pose,
    (radius_b, half_b): (f64, f64),
    pose_b: &Pose,
    sink: &mut Sink<'_>,
) {
    let along_a = pose_a.orientation * Vec3::new(0.0, 0.0, half_a);
    let along_b = pose_b.orientation * Vec3::new(0.0, 0.0, half_b);
    let (x_a, x_b) = (pose_a.position_w, pose_b.position_w);
    let (s, t) = segments::nearest(&x_a, &along_a, &x_b, &along_b);
    let (nearest_a, nearest_b) = (x_a + along_a * s, x_b + along_b * t);
    let reach = radius_a + radius_b;
    let nearest = (nearest_a - nearest_b).norm();
    if nearest - reach >= sink.margin() {
        return;
    }
    // Centre lines that cross have no direction between them; any normal to both is one.
    let fallback = {
        let cross = along_a.cross(&along_b);
        if cross.norm() > 0.0 { cross.normalize() } else { pose_a.orientation * Vec3::x() }
    };
    let mut push = |feature: u32, p: &Vec3, q: &Vec3| {
        let d = p - q;
        let distance = d.norm();
        let normal = if distance > 0.0 { d / distance } else { fallback };
        let gap = distance - reach;
        sink.push(feature, q + normal * (radius_b + 0.5 * gap), normal, gap);
    };

    let squared = along_a.cross(&along_b).norm_squared();
    if squared > ALONGSIDE * along_a.norm_squared() * along_b.norm_squared() {
        push(0, &nearest_a, &nearest_b);
        return;
    }
    let same = SAME * radius_a.min(radius_b);
    let mut ends: [Option<(Vec3, Vec3)>; 4] = [None; 4];
    for (i, side) in [-1.0, 1.0].into_iter().enumerate() {
        let p = x_a + along_a * side;
        ends[i] = foot(&p, &x_b, &along_b, same).map(|q| (p, q));
        let q = x_b + along_b * side;
        ends[i + 2] = foot(&q, &x_a, &along_a, same).map(|p| (p, q));
    }
    let mut lowest = f64::INFINITY;
    for i in 0..4 {
        let Some((p, q)) = ends[i] else { continue };
        let seen = ends[..i].iter().flatten().any(|(other, _)| (other - p).norm() < same);
        if !seen {
            push(i as u32 + 1, &p, &q);
            lowest = lowest.min((p - q).norm());
        }
    }
    // Where they touch between the ends, or end to end.
    if nearest < lowest - 1e-3 * same {
        push(0, &nearest_a, &nearest_b);
    }
}

/// The foot of the perpendicular from `p` on a segment, if it lies on it or less than `slack` beyond.
fn foot(p: &Vec3, center: &Vec3, along: &Vec3, slack: f64) -> Option<Vec3> {
    let squared = along.norm_squared();
    let t = along.dot(&(p - center)) / squared;
    (t.abs() <= 1.0 + slack / squared.sqrt()).then(|| center + along * t.clamp(-1.0, 1.0))
}

//! Capsule and a solid that tells the distance of a point: both ends, and the lowest points between them.
//!
//! ```text
//! f(s) = d(x + s h) − r,  −1 ≤ s ≤ 1;   f'(s) = n·h
//! contacts   s = −1 (feature 0), s = +1 (feature 1), and each s where f' goes from − to 0 or + (features from 4 on)
//! ```
//!
//! Over a half-space or inside a convex container f is concave or linear and the ends are all there is. A convex solid
//! has one lowest point between the ends, a rim can have two. Over a flat face or along a cylinder f is level, and the
//! points where the segment leaves it (features 2 and 3) are contacts too: a capsule across a beam needs both to lie
//! still.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::surface;
use crate::math::Vec3;
use crate::shape::Shape;

/// Stretches that are searched for a lowest point each: enough for two rims a quarter of the length apart.
const STRETCHES: u32 = 8;
/// Slope n·h/‖h‖ below which the segment counts as parallel to the surface; a bisection would find noise there.
const LEVEL: f64 = 1e-9;
/// Sine of the angle (6°) up to which a segment lies along a face.
const ALONGSIDE: f64 = 0.1;
/// A lowest point that is not lower than another contact by this part of the radius is left out: it stands for the
/// same contact and would come and go with every tremble.
const SAME: f64 = 1e-4;
/// Halvings of a stretch: to the last bits of s.
const HALVINGS: u32 = 52;

pub(crate) fn collide(
    (radius, half_length): (f64, f64),
    pose_a: &Pose,
    solid: &Shape,
    pose_b: &Pose,
    sink: &mut Sink<'_>,
) {
    let along_w = pose_a.orientation * Vec3::new(0.0, 0.0, half_length);
    let at = |s: f64| pose_a.position_w + along_w * s;
    surface::ball(0, &at(-1.0), radius, solid, pose_b, sink);
    surface::ball(1, &at(1.0), radius, solid, pose_b, sink);
    if matches!(solid, Shape::HalfSpace) {
        return;
    }
    let (center, along) = (pose_b.to_body(&pose_a.position_w), pose_b.orientation.inverse() * along_w);
    let height = |s: f64| surface::distance(solid, &(center + along * s)).0;
    let slope = |s: f64| surface::distance(solid, &(center + along * s)).1.dot(&along);
    let mut lowest = height(-1.0).min(height(1.0));
    if let Some((from, to)) = alongside(solid, &center, &along) {
        for (feature, s) in [(2, from), (3, to)] {
            // The ends themselves are contacts already.
            if s.abs() < 1.0 {
                surface::ball(feature, &at(s), radius, solid, pose_b, sink);
                lowest = lowest.min(height(s));
            }
        }
    }
    let level = LEVEL * half_length;
    let knot = |i: u32| -1.0 + 2.0 * f64::from(i) / f64::from(STRETCHES);
    // −1 falling, 0 level, 1 rising.
    let trend = |s: f64| {
        let slope = slope(s);
        i32::from(slope > level) - i32::from(slope < -level)
    };
    let mut before = trend(-1.0);
    for i in 0..STRETCHES {
        let (mut low, mut high) = (knot(i), knot(i + 1));
        let after = trend(high);
        // A lowest point, or either end of a level stretch.
        if before < after && (before < 0 || after > 0) {
            let past = if before < 0 { 0 } else { 1 };
            for _ in 0..HALVINGS {
                let middle = 0.5 * (low + high);
                if trend(middle) < past {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            let s = 0.5 * (low + high);
            if height(s) < lowest - SAME * radius {
                surface::ball(4 + i, &at(s), radius, solid, pose_b, sink);
            }
        }
        before = after;
    }
}

/// The stretch of s in which the segment center ± along runs along a flat face of the solid or along a cylinder; none
/// if it does not.
fn alongside(solid: &Shape, center: &Vec3, along: &Vec3) -> Option<(f64, f64)> {
    let length = along.norm();
    match solid {
        Shape::Box { half_extents: half } => {
            // The face: the axis along which the segment stays furthest out.
            let outside = |k: usize| center[k].abs() - along[k].abs() - half[k];
            let axis = (0..3).max_by(|i, j| outside(*i).total_cmp(&outside(*j)))?;
            let flat = along[axis].abs() <= ALONGSIDE * length;
            let others = ((axis + 1) % 3, (axis + 2) % 3);
            let first = flat.then(|| between(center[others.0], along[others.0], half[others.0]))??;
            let second = between(center[others.1], along[others.1], half[others.1])?;
            overlap(first, second)
        }
        Shape::Cylinder { radius, half_length } => {
            if along.xy().norm() <= ALONGSIDE * length {
                return overlap(between(center.z, along.z, *half_length)?, (-1.0, 1.0));
            }
            if along.z.abs() > ALONGSIDE * length {
                return None;
            }
            // Over an end: (c + s h)² = R² in the plane.
            let (c, h) = (center.xy(), along.xy());
            let (middle, squared) = (-c.dot(&h) / h.norm_squared(), h.norm_squared());
            let rest = (radius * radius - (c + h * middle).norm_squared()) / squared;
            let over_end = center.z.abs() > *half_length && rest > 0.0;
            over_end.then(|| overlap((middle - rest.sqrt(), middle + rest.sqrt()), (-1.0, 1.0)))?
        }
        _ => None,
    }
}

/// Where |c + s h| ≤ half, within −1 ≤ s ≤ 1.
fn between(c: f64, h: f64, half: f64) -> Option<(f64, f64)> {
    if h == 0.0 {
        return (c.abs() <= half).then_some((-1.0, 1.0));
    }
    let (p, q) = ((-half - c) / h, (half - c) / h);
    overlap((p.min(q), p.max(q)), (-1.0, 1.0))
}

fn overlap(p: (f64, f64), q: (f64, f64)) -> Option<(f64, f64)> {
    let (from, to) = (p.0.max(q.0), p.1.min(q.1));
    (from < to).then_some((from, to))
}

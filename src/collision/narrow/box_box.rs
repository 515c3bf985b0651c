//! Box and box: the polygon where two faces lie on each other, two edges that cross, or the nearest points.
//!
//! ```text
//! separating axes   s = max over the 6 face normals and 9 products of edges of the signed distance along the axis
//!                   s ≤ distance of the boxes, with equality where a face or two crossing edges are nearest;
//!                   s < 0: −s is the depth, the shortest way out
//! face              the contacts are the vertices of the clipped incident face, if one of them has the gap s
//! edges             else the nearest points of two edges, if they have the gap s
//! corners           else (apart, corner to corner or corner to edge) the nearest points, searched one by one
//! ```
//!
//! Faces are preferred as long as their gap stays near s, because one point between edges cannot hold a stack.

use crate::collision::narrow::Pose;
use crate::collision::narrow::Sink;
use crate::collision::narrow::box_half_space::corner;
use crate::collision::narrow::face_clip::Face;
use crate::collision::narrow::face_clip::Origin;
use crate::collision::narrow::face_clip::Polygon;
use crate::collision::narrow::face_clip::clip;
use crate::collision::narrow::face_clip::edge_number;
use crate::collision::narrow::segments;
use crate::collision::narrow::sphere_box;
use crate::math::Mat3;
use crate::math::Vec3;

/// How far the gap of a face may be from s, relative to s: a face is kept up to a tilt of about 11° (cos = 0.98), and
/// with it the contacts that hold; beyond, edges and corners take over.
const FACE_SLACK: f64 = 0.02;
/// The same in parts of the smallest half edge, so that it also works at s = 0.
const FACE_SLACK_FLOOR: f64 = 1e-6;
/// How far the nearest points of two edges may be from s, in parts of the smallest half edge: round-off.
const EDGE_SLACK: f64 = 1e-9;
/// Vertices of a manifold nearer to each other than this part of the smallest half edge are one; see
/// [`clip`].
const SNAP: f64 = 1e-3;
/// Squared sine below which two edges count as parallel: their product is then no more than the noise of a face.
const PARALLEL: f64 = 1e-8;
/// Features of crossing edges come after the 16 corners.
const FIRST_CROSSING: u32 = 16;

/// Both boxes, seen from a.
struct Boxes {
    half_a: Vec3,
    half_b: Vec3,
    /// Orientation of b in the frame of a.
    m: Mat3,
    /// Centre of b in the frame of a.
    c: Vec3,
}

/// A face of one of the boxes and the signed distance along its normal.
#[derive(Clone, Copy)]
struct FaceAxis {
    face: Face,
    separation: f64,
}

/// Edge directions i of a and j of b, their common normal from a to b, and the signed distance along it.
#[derive(Clone, Copy)]
struct EdgeAxis {
    i: usize,
    j: usize,
    normal: Vec3,
    separation: f64,
}

pub(crate) fn collide(half_a: &Vec3, pose_a: &Pose, half_b: &Vec3, pose_b: &Pose, sink: &mut Sink<'_>) {
    let to_a = pose_a.orientation.inverse();
    let m = *(to_a * pose_b.orientation).to_rotation_matrix().matrix();
    let boxes = Boxes { half_a: *half_a, half_b: *half_b, m, c: pose_a.to_body(&pose_b.position_w) };

    let (face_a, face_b) = (boxes.face_axis_a(), boxes.face_axis_b());
    let faces = face_a.separation.max(face_b.separation);
    if faces >= sink.margin() {
        return;
    }
    let edges = boxes.edge_axis();
    let s = edges.map_or(faces, |edges| edges.separation.max(faces));
    if s >= sink.margin() {
        return;
    }

    // Everything below hands over points in the frame of a and normals from b to a.
    let mut push = |feature: u32, point_a: Vec3, normal_a: Vec3, gap: f64| {
        sink.push(feature, pose_a.to_world(&point_a), pose_a.orientation * normal_a, gap);
    };
    let smallest = half_a.min().min(half_b.min());
    let slack = FACE_SLACK * s.abs() + FACE_SLACK_FLOOR * smallest;
    let holds = |gap: f64| (gap - s).abs() <= slack;

    // The face of a, unless that of b is clearly better: the choice must not change with every tremble.
    let a_first = face_a.separation >= face_b.separation - SNAP * smallest;
    for of_a in [a_first, !a_first] {
        let polygon = if of_a { boxes.on_face_of_a(face_a.face) } else { boxes.on_face_of_b(face_b.face) };
        if holds(polygon.gap()) {
            boxes.push_polygon(&polygon, of_a, if of_a { face_a.face } else { face_b.face }, &mut push);
            return;
        }
    }
    if let Some(axis) = edges {
        let touch = boxes.edge_touch(&axis);
        if (touch.gap - s).abs() <= EDGE_SLACK * smallest || s <= 0.0 {
            push(touch.feature, touch.point, -axis.normal, axis.separation);
            return;
        }
    }
    if s > 0.0 {
        boxes.nearest_features(&mut push);
    } else {
        // Overlapping boxes with parallel edges whose face manifold lies off s by more than the slack.
        let polygon = if a_first { boxes.on_face_of_a(face_a.face) } else { boxes.on_face_of_b(face_b.face) };
        boxes.push_polygon(&polygon, a_first, if a_first { face_a.face } else { face_b.face }, &mut push);
    }
}

/// Nearest points of two crossing edges.
struct EdgeTouch {
    feature: u32,
    point: Vec3,
    gap: f64,
}

impl Boxes {
    /// The face of a with the largest distance from b: |c_i| − h_a,i − Σ_j |m_ij| h_b,j.
    fn face_axis_a(&self) -> FaceAxis {
        best_face(&self.c, &(self.half_a + self.m.abs() * self.half_b))
    }

    /// The same for b, with the centre of a as b sees it.
    fn face_axis_b(&self) -> FaceAxis {
        best_face(&-(self.m.transpose() * self.c), &(self.half_b + self.m.abs().transpose() * self.half_a))
    }

    /// The best product of edges; none if all edges are parallel or perpendicular in pairs that repeat the faces.
    fn edge_axis(&self) -> Option<EdgeAxis> {
        let mut best: Option<EdgeAxis> = None;
        for i in 0..3 {
            for j in 0..3 {
                let direction_b = self.m.column(j);
                let mut a = Vec3::zeros();
                a[i] = 1.0;
                let cross = a.cross(&direction_b);
                let squared = cross.norm_squared();
                if squared < PARALLEL {
                    continue;
                }
                let mut normal = cross / squared.sqrt();
                if normal.dot(&self.c) < 0.0 {
                    normal = -normal;
                }
                let reach_a = normal.abs().dot(&self.half_a);
                let reach_b = (self.m.transpose() * normal).abs().dot(&self.half_b);
                let separation = normal.dot(&self.c) - reach_a - reach_b;
                if best.is_none_or(|best| separation > best.separation) {
                    best = Some(EdgeAxis { i, j, normal, separation });
                }
            }
        }
        best
    }

    fn snap(&self) -> f64 {
        SNAP * self.half_a.min().min(self.half_b.min())
    }

    fn on_face_of_a(&self, face: Face) -> Polygon {
        clip(&self.half_a, face, &self.half_b, &self.m, &self.c, self.snap())
    }

    fn on_face_of_b(&self, face: Face) -> Polygon {
        let m = self.m.transpose();
        clip(&self.half_b, face, &self.half_a, &m, &-(m * self.c), self.snap())
    }

    fn push_polygon(&self, polygon: &Polygon, of_a: bool, face: Face, push: &mut impl FnMut(u32, Vec3, Vec3, f64)) {
        let normal = face.normal();
        for vertex in polygon.vertices() {
            let point = vertex.point - normal * (0.5 * vertex.gap);
            if of_a {
                push(feature(vertex.origin, true), point, -normal, vertex.gap);
            } else {
                push(feature(vertex.origin, false), self.c + self.m * point, self.m * normal, vertex.gap);
            }
        }
    }

    /// The edges that reach furthest along the axis, and the points where they are nearest.
    fn edge_touch(&self, axis: &EdgeAxis) -> EdgeTouch {
        let n_b = -(self.m.transpose() * axis.normal);
        let (signs_a, signs_b) = (signs(&axis.normal), signs(&n_b));
        let (center_a, along_a) = edge(&self.half_a, axis.i, signs_a);
        let (center_b, along_b) = edge(&self.half_b, axis.j, signs_b);
        let (center_b, along_b) = (self.c + self.m * center_b, self.m * along_b);
        let (s, t) = segments::nearest(&center_a, &along_a, &center_b, &along_b);
        let (p, q) = (center_a + along_a * s, center_b + along_b * t);
        let sign = if axis.separation < 0.0 { -1.0 } else { 1.0 };
        EdgeTouch {
            feature: crossing(edge_number(axis.i, signs_a), edge_number(axis.j, signs_b)),
            point: (p + q) * 0.5,
            gap: sign * (q - p).norm(),
        }
    }

    /// The nearest points of two boxes that are apart: corner to box both ways, and edge to edge.
    ///
    /// Where two edges lie parallel, every corner at the smallest distance in the same direction is a contact.
    fn nearest_features(&self, push: &mut impl FnMut(u32, Vec3, Vec3, f64)) {
        let mut corners = [(0, Vec3::zeros(), Vec3::zeros(), f64::INFINITY); 16];
        for i in 0..8 {
            let p = corner(&self.half_a, i);
            let seen_by_b = self.m.transpose() * (p - self.c);
            let (q, n, distance) = sphere_box::nearest(&seen_by_b, &self.half_b);
            corners[i as usize] = (i, (p + self.c + self.m * q) * 0.5, self.m * n, distance);
            let p = self.c + self.m * corner(&self.half_b, i);
            let (q, n, distance) = sphere_box::nearest(&p, &self.half_a);
            corners[8 + i as usize] = (8 + i, (p + q) * 0.5, -n, distance);
        }
        let mut best = corners[0];
        for candidate in corners {
            if candidate.3 < best.3 {
                best = candidate;
            }
        }
        let snap = self.snap();
        if let Some(touch) = self.nearest_edges()
            && touch.3 < best.3 - 1e-9 * snap
        {
            push(touch.0, touch.1, touch.2, touch.3);
            return;
        }
        for (i, candidate) in corners.iter().enumerate() {
            let as_near = candidate.3 - best.3 < 1e-3 * snap && candidate.2.dot(&best.2) > 1.0 - 1e-6;
            // Corner to corner is found from both sides.
            let seen = corners[..i].iter().any(|other| (other.1 - candidate.1).norm() < snap);
            if as_near && !seen {
                push(candidate.0, candidate.1, candidate.2, candidate.3);
            }
        }
    }

    /// The nearest pair of edges: feature, middle, direction from b to a, distance; none if all pairs cross.
    fn nearest_edges(&self) -> Option<(u32, Vec3, Vec3, f64)> {
        let mut best: Option<(u32, Vec3, Vec3, f64)> = None;
        for ea in 0..12 {
            let (i, signs_a) = edge_of(ea);
            let (center_a, along_a) = edge(&self.half_a, i, signs_a);
            for eb in 0..12 {
                let (j, signs_b) = edge_of(eb);
                let (center_b, along_b) = edge(&self.half_b, j, signs_b);
                let (center_b, along_b) = (self.c + self.m * center_b, self.m * along_b);
                let (s, t) = segments::nearest(&center_a, &along_a, &center_b, &along_b);
                let (p, q) = (center_a + along_a * s, center_b + along_b * t);
                let distance = (p - q).norm();
                if distance > 0.0 && best.is_none_or(|best| distance < best.3) {
                    best = Some((crossing(ea, eb), (p + q) * 0.5, (p - q) / distance, distance));
                }
            }
        }
        best
    }
}

/// The face with the largest |centre| − reach; of equals the first.
fn best_face(center: &Vec3, reach: &Vec3) -> FaceAxis {
    let separations = center.abs() - reach;
    let axis = separations.imax();
    FaceAxis { face: Face { axis, sign: if center[axis] < 0.0 { -1.0 } else { 1.0 } }, separation: separations[axis] }
}

/// Which contact of the pair a vertex is: corners of a 0 to 7, of b 8 to 15, crossing edges after them. The number
/// does not depend on which of the boxes gave the reference face.
fn feature(origin: Origin, reference_is_a: bool) -> u32 {
    match (origin, reference_is_a) {
        (Origin::Reference(i), true) | (Origin::Incident(i), false) => i,
        (Origin::Incident(i), true) | (Origin::Reference(i), false) => 8 + i,
        (Origin::Crossing(reference, incident), true) => crossing(reference, incident),
        (Origin::Crossing(reference, incident), false) => crossing(incident, reference),
    }
}

fn crossing(edge_a: u32, edge_b: u32) -> u32 {
    FIRST_CROSSING + 12 * edge_a + edge_b
}

fn signs(v: &Vec3) -> [f64; 3] {
    [v.x, v.y, v.z].map(|x| if x < 0.0 { -1.0 } else { 1.0 })
}

/// Centre and half vector of the edge along `axis` on the side that `signs` tells.
fn edge(half: &Vec3, axis: usize, signs: [f64; 3]) -> (Vec3, Vec3) {
    let mut center = half.component_mul(&Vec3::from(signs));
    center[axis] = 0.0;
    let mut along = Vec3::zeros();
    along[axis] = half[axis];
    (center, along)
}

/// Axis and signs of the edge with a number: the inverse of [`edge_number`].
fn edge_of(number: u32) -> (usize, [f64; 3]) {
    let axis = (number / 4) as usize;
    let mut signs = [0.0; 3];
    signs[(axis + 1) % 3] = if number & 1 == 1 { 1.0 } else { -1.0 };
    signs[(axis + 2) % 3] = if number & 2 == 2 { 1.0 } else { -1.0 };
    (axis, signs)
}

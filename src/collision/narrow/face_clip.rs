//! The part of one box's face that lies over a face of another: the polygon that carries two boxes on each other.

use crate::math::Mat3;
use crate::math::Vec3;

/// Most vertices that a rectangle has after it was clipped by four lines.
const CAPACITY: usize = 8;

/// What a vertex of the polygon is, whichever of the two boxes gave the reference face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A corner of the box with the reference face.
    Reference(u32),
    /// A corner of the other, the incident box.
    Incident(u32),
    /// Where an edge of the reference box crosses one of the incident box.
    Crossing(u32, u32),
}

/// One vertex of the polygon, in the frame of the reference box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    /// The point of the incident face.
    pub(crate) point: Vec3,
    /// Its signed height above the reference face.
    pub(crate) gap: f64,
    /// What it is.
    pub(crate) origin: Origin,
    /// The line from this vertex to the next: an edge of the incident box, or a side of the reference face.
    line: Line,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    /// Edge of the incident box.
    Edge(u32),
    /// Side 0 to 3 of the reference face.
    Side(usize),
}

/// A convex polygon of few vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Polygon {
    vertices: [Vertex; CAPACITY],
    len: usize,
}

impl Polygon {
    fn new() -> Self {
        let none = Vertex { point: Vec3::zeros(), gap: 0.0, origin: Origin::Incident(0), line: Line::Edge(0) };
        Self { vertices: [none; CAPACITY], len: 0 }
    }

    fn push(&mut self, vertex: Vertex) {
        // A convex polygon gains at most one vertex a line, so this drops only what round-off made up.
        if self.len < CAPACITY {
            self.vertices[self.len] = vertex;
            self.len += 1;
        }
    }

    fn remove(&mut self, i: usize) {
        self.vertices.copy_within(i + 1..self.len, i);
        self.len -= 1;
    }

    /// The vertices, in order round the polygon.
    pub(crate) fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.len]
    }

    /// The smallest gap; infinite if there is no vertex.
    pub(crate) fn gap(&self) -> f64 {
        self.vertices().iter().fold(f64::INFINITY, |gap, vertex| gap.min(vertex.gap))
    }
}

/// A face of a box: the axis it stands on and its side of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Face {
    /// Axis of the normal, 0 to 2.
    pub(crate) axis: usize,
    /// 1 or −1.
    pub(crate) sign: f64,
}

impl Face {
    /// The outward normal in the frame of the box.
    pub(crate) fn normal(self) -> Vec3 {
        let mut n = Vec3::zeros();
        n[self.axis] = self.sign;
        n
    }
}

/// Number of the corner with these signs: bit k set where the sign along axis k is +.
fn corner_number(signs: [f64; 3]) -> u32 {
    (0..3).map(|k| u32::from(signs[k] > 0.0) << k).sum()
}

/// Number of the edge along `axis` on the side of the box that `signs` tells (the entry `axis` does not matter).
pub(crate) fn edge_number(axis: usize, signs: [f64; 3]) -> u32 {
    let bit = |k: usize| u32::from(signs[k % 3] > 0.0);
    4 * axis as u32 + bit(axis + 1) + 2 * bit(axis + 2)
}

/// Clips the face of the incident box that looks at the reference face by the sides of that face.
///
/// `m` and `c` are orientation and centre of the incident box in the frame of the reference box. Corners that overhang
/// by less than `snap` keep their identity, and vertices that change the polygon by less than `snap` are dropped: two
/// boxes that lie flush have four contacts, the same four when one of them trembles.
pub(crate) fn clip(reference: &Vec3, face: Face, incident: &Vec3, m: &Mat3, c: &Vec3, snap: f64) -> Polygon {
    let mut polygon = incident_face(face, incident, m, c);
    let (u, v) = ((face.axis + 1) % 3, (face.axis + 2) % 3);
    for side in 0..4 {
        let (axis, sign) = if side < 2 { (u, 1.0 - 2.0 * side as f64) } else { (v, 5.0 - 2.0 * side as f64) };
        polygon = clip_side(&polygon, reference, face, (side, axis, sign), snap);
    }
    for vertex in &mut polygon.vertices[..polygon.len] {
        vertex.gap = face.sign * vertex.point[face.axis] - reference[face.axis];
        if let Origin::Crossing(..) = vertex.origin
            && (vertex.point[u].abs() - reference[u]).abs() < snap
            && (vertex.point[v].abs() - reference[v]).abs() < snap
        {
            vertex.origin = Origin::Reference(reference_corner(face, &vertex.point));
        }
    }
    simplify(&mut polygon, snap);
    polygon
}

/// The corner of the reference face in the quadrant of `point`.
fn reference_corner(face: Face, point: &Vec3) -> u32 {
    let mut signs = [point.x, point.y, point.z];
    signs[face.axis] = face.sign;
    corner_number(signs)
}

/// The four corners of the incident box's face that looks most against the normal of the reference face.
fn incident_face(face: Face, half: &Vec3, m: &Mat3, c: &Vec3) -> Polygon {
    let n = m.transpose() * face.normal();
    let axis = n.iamax();
    let sign = if n[axis] > 0.0 { -1.0 } else { 1.0 };
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut polygon = Polygon::new();
    // Round the face: the edge from each corner to the next runs along u, v, u, v.
    for (i, (su, sv)) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].into_iter().enumerate() {
        let mut signs = [0.0; 3];
        (signs[axis], signs[u], signs[v]) = (sign, su, sv);
        let point = c + m * Vec3::from(signs).component_mul(half);
        let along = if i % 2 == 0 { u } else { v };
        // The side of the box on which the edge lies is that of both its corners.
        let line = Line::Edge(edge_number(along, signs));
        polygon.push(Vertex { point, gap: 0.0, origin: Origin::Incident(corner_number(signs)), line });
    }
    polygon
}

/// One step of Sutherland and Hodgman's clipping: keeps what lies at sign · x_axis ≤ half.
fn clip_side(
    polygon: &Polygon,
    half: &Vec3,
    face: Face,
    (side, axis, sign): (usize, usize, f64),
    snap: f64,
) -> Polygon {
    let mut kept = Polygon::new();
    // A corner on the side line counts as inside although round-off may put it just outside.
    let limit = half[axis] * (1.0 + 1e-12);
    let outside = |vertex: &Vertex| sign * vertex.point[axis] > limit;
    for i in 0..polygon.len {
        let (from, to) = (&polygon.vertices[i], &polygon.vertices[(i + 1) % polygon.len]);
        let (from_out, to_out) = (outside(from), outside(to));
        if !from_out {
            kept.push(*from);
        }
        if from_out != to_out {
            let t = (sign * half[axis] - from.point[axis]) / (to.point[axis] - from.point[axis]);
            let point = from.point + (to.point - from.point) * t.clamp(0.0, 1.0);
            let outer = if from_out { from } else { to };
            let origin = match (outer.origin, from.line) {
                (Origin::Incident(_), _) if (point - outer.point).norm() < snap => outer.origin,
                (_, Line::Edge(edge)) => Origin::Crossing(side_edge(face, axis, sign), edge),
                (_, Line::Side(_)) => Origin::Reference(reference_corner(face, &point)),
            };
            // Going out, the polygon follows the side from here; coming in, it follows the line that it was on.
            let line = if to_out { Line::Side(side) } else { from.line };
            kept.push(Vertex { point, gap: 0.0, origin, line });
        }
    }
    kept
}

/// The edge of the reference box between its reference face and the face at sign · x_axis = half.
fn side_edge(face: Face, axis: usize, sign: f64) -> u32 {
    let mut signs = [0.0; 3];
    (signs[face.axis], signs[axis]) = (face.sign, sign);
    edge_number(3 - face.axis - axis, signs)
}

/// Drops vertices nearer than `snap` to the line between their neighbours, crossings first, but never the deepest one.
fn simplify(polygon: &mut Polygon, snap: f64) {
    for crossings_only in [true, false] {
        let mut i = 0;
        while i < polygon.len && polygon.len > 2 {
            let n = polygon.len;
            let vertex = polygon.vertices[i];
            let (before, after) = (polygon.vertices[(i + n - 1) % n].point, polygon.vertices[(i + 1) % n].point);
            let chord = after - before;
            let length = chord.norm();
            let offset = vertex.point - before;
            let distance = if length > 0.0 { offset.cross(&chord).norm() / length } else { offset.norm() };
            let eligible = !crossings_only || matches!(vertex.origin, Origin::Crossing(..));
            // A millionth of snap: on level faces all vertices are as deep up to round-off, and none is special.
            let deepest = (1..n).all(|k| polygon.vertices[(i + k) % n].gap > vertex.gap + 1e-6 * snap);
            if eligible && !deepest && distance < snap {
                polygon.remove(i);
            } else {
                i += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOP: Face = Face { axis: 2, sign: 1.0 };
    const SNAP: f64 = 1e-3;

    #[test]
    fn flush_boxes_have_the_four_corners_of_the_incident_face_also_when_they_tremble() {
        let half = Vec3::repeat(0.5);
        for (dx, dy, yaw) in [(0.0, 0.0, 0.0), (1e-6, -2e-6, 0.0), (0.0, 1e-5, 1e-6), (-1e-7, 0.0, -1e-5)] {
            let m = *nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), yaw).matrix();
            let polygon = clip(&half, TOP, &half, &m, &Vec3::new(dx, dy, 1.0), SNAP);
            let origins: Vec<_> = polygon.vertices().iter().map(|vertex| vertex.origin).collect();
            let expected = [0, 1, 3, 2].map(Origin::Incident);
            assert!(origins.len() == 4 && expected.iter().all(|o| origins.contains(o)), "{dx} {dy} {yaw}: {origins:?}");
        }
    }

    #[test]
    fn a_face_turned_by_45_degrees_over_an_equal_one_leaves_a_regular_octagon() {
        let half = Vec3::repeat(0.5);
        let m = *nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), std::f64::consts::FRAC_PI_4).matrix();
        let polygon = clip(&half, TOP, &half, &m, &Vec3::new(0.0, 0.0, 1.25), SNAP);
        assert_eq!(polygon.vertices().len(), 8);
        for vertex in polygon.vertices() {
            // Half a side of the octagon is half the side of the square times tan 22.5°.
            let expected = 0.5 * (1.0 + (std::f64::consts::SQRT_2 - 1.0).powi(2)).sqrt();
            let got = vertex.point.xy().norm();
            assert!((got - expected).abs() < 1e-14, "{got} for {expected}");
            assert!((vertex.gap - 0.25).abs() < 1e-14);
            assert!(matches!(vertex.origin, Origin::Crossing(..)));
        }
    }

    #[test]
    fn a_plank_across_a_plank_leaves_the_square_of_both() {
        let polygon = clip(
            &Vec3::new(2.0, 0.25, 0.1),
            TOP,
            &Vec3::new(0.25, 2.0, 0.1),
            &Mat3::identity(),
            &Vec3::new(1.0, 0.5, 0.2),
            SNAP,
        );
        let mut corners: Vec<_> = polygon.vertices().iter().map(|vertex| (vertex.point.x, vertex.point.y)).collect();
        corners.sort_by(|p, q| p.partial_cmp(q).expect("finite"));
        assert_eq!(corners, [(0.75, -0.25), (0.75, 0.25), (1.25, -0.25), (1.25, 0.25)]);
    }

    #[test]
    fn corners_of_the_reference_face_under_a_larger_one_are_named() {
        let m = *nalgebra::Rotation3::from_axis_angle(&Vec3::z_axis(), 0.3).matrix();
        let polygon = clip(&Vec3::repeat(0.5), TOP, &Vec3::new(5.0, 5.0, 0.5), &m, &Vec3::new(0.1, 0.2, 1.0), SNAP);
        let mut origins: Vec<_> = polygon.vertices().iter().map(|vertex| vertex.origin).collect();
        origins.sort_by_key(|origin| format!("{origin:?}"));
        assert_eq!(origins, [4, 5, 6, 7].map(Origin::Reference));
    }
}

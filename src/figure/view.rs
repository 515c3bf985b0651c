//! A picture of bodies in space, as plain data: `plot` draws it.

use crate::figure::palette::Color;
use crate::math::Vec3;

/// All points within `radius` of a segment; a ball where its ends are one point. Lengths in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solid {
    /// Ends of the segment.
    pub ends: [Vec3; 2],
    /// Radius.
    pub radius: f64,
    /// Colour.
    pub color: Color,
}

/// A parallel view of solids and transparent walls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// The solids.
    pub solids: Vec<Solid>,
    /// Transparent faces, in m; each veils what is behind it a little.
    pub faces: Vec<[Vec3; 3]>,
    /// Thin lines, in m, hidden behind solids.
    pub lines: Vec<[Vec3; 2]>,
    /// Direction to the eye around z, from +x towards +y, in degrees.
    pub azimuth: f64,
    /// Height of the eye above the horizon in degrees, below 90.
    pub elevation: f64,
    /// Whether the faces and lines, too, have to fit into the picture.
    pub fit_walls: bool,
}

impl View {
    /// Nothing yet, seen from the given direction in degrees.
    pub fn from(azimuth: f64, elevation: f64) -> Self {
        Self { azimuth, elevation, fit_walls: true, ..Self::default() }
    }

    /// The same with the surface of revolution around the axis through `center` along `axis` (unit) whose profile goes
    /// through points (radius, height along the axis), in m, and its rims.
    #[must_use]
    pub fn with_revolution(mut self, center: Vec3, axis: Vec3, profile: &[[f64; 2]]) -> Self {
        const AROUND: usize = 72;
        let (t, o) = crate::math::frame::tangents(&axis);
        let point = |k: usize, [r, h]: [f64; 2]| {
            let (sin, cos) = (k as f64 * std::f64::consts::TAU / AROUND as f64).sin_cos();
            center + axis * h + (t * cos + o * sin) * r
        };
        for k in 0..AROUND {
            for pair in profile.windows(2) {
                let corners = [point(k, pair[0]), point(k + 1, pair[0]), point(k + 1, pair[1]), point(k, pair[1])];
                self.faces.push([corners[0], corners[1], corners[2]]);
                self.faces.push([corners[0], corners[2], corners[3]]);
            }
            for rim in profile {
                self.lines.push([point(k, *rim), point(k + 1, *rim)]);
            }
        }
        self
    }

    /// The same with a level square of the half edge `half` around `center`, in m.
    #[must_use]
    pub fn with_floor(mut self, center: Vec3, half: f64) -> Self {
        let corner = |x: f64, y: f64| center + Vec3::new(x * half, y * half, 0.0);
        let c = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        self.faces.extend([[c[0], c[1], c[2]], [c[0], c[2], c[3]]]);
        self.lines.extend((0..4).map(|k| [c[k], c[(k + 1) % 4]]));
        self
    }
}

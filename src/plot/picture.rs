//! Pictures of bodies in space: one ray for each sample, the nearest solid shaded, transparent walls laid over it.
//!
//! ```text
//! d to the eye, r to the right, u up;  a point p is seen at (p·r, p·u), nearer with larger p·d
//! ```

use crate::error::Error;
use crate::error::Result;
use crate::figure::Solid;
use crate::figure::View;
use crate::math::Vec3;
use resvg::tiny_skia::Pixmap;
use resvg::tiny_skia::PremultipliedColorU8;

/// Samples along each edge of a pixel.
const FINE: usize = 2;
/// Free border, as a share of the width.
const BORDER: f64 = 0.03;
/// Share of what is behind a face that the face takes away, and its grey.
const VEIL: f64 = 0.07;
const VEIL_GREY: f64 = 110.0;
/// Grey of lines.
const LINE_GREY: f64 = 130.0;
/// Light, in the frame of the picture: from above left, behind the eye.
const LIGHT: [f64; 3] = [-0.42, 0.50, 0.757];

/// The frame of the picture.
struct Camera {
    right: Vec3,
    up: Vec3,
    eye: Vec3,
}

impl Camera {
    fn new(view: &View) -> Self {
        let (sa, ca) = view.azimuth.to_radians().sin_cos();
        let (se, ce) = view.elevation.to_radians().sin_cos();
        let eye = Vec3::new(ce * ca, ce * sa, se);
        let right = Vec3::new(-sa, ca, 0.0);
        Self { right, up: eye.cross(&right), eye }
    }

    fn see(&self, p: &Vec3) -> Vec3 {
        Vec3::new(p.dot(&self.right), p.dot(&self.up), p.dot(&self.eye))
    }
}

/// The samples of a picture.
struct Samples {
    width: usize,
    height: usize,
    /// Lower left corner and samples per m.
    corner: [f64; 2],
    scale: f64,
    color: Vec<[f64; 3]>,
    depth: Vec<f64>,
}

impl Samples {
    /// Calls `at` with the index and place of each sample in a rectangle.
    fn each(&self, low: [f64; 2], high: [f64; 2], at: &mut dyn FnMut(usize, f64, f64)) {
        let cell = |x: f64, k: usize, most: usize| (((x - self.corner[k]) * self.scale).max(0.0) as usize).min(most);
        let (x0, x1) = (cell(low[0], 0, self.width), cell(high[0], 0, self.width - 1));
        let (y0, y1) = (cell(low[1], 1, self.height), cell(high[1], 1, self.height - 1));
        for j in y0..=y1 {
            for i in x0..=x1 {
                let x = self.corner[0] + (i as f64 + 0.5) / self.scale;
                let y = self.corner[1] + (j as f64 + 0.5) / self.scale;
                // Rows of a picture run from the top.
                at((self.height - 1 - j) * self.width + i, x, y);
            }
        }
    }

    fn solid(&mut self, camera: &Camera, solid: &Solid) {
        let [a, b] = solid.ends.map(|end| camera.see(&end));
        let r = solid.radius;
        let low = [a.x.min(b.x) - r, a.y.min(b.y) - r];
        let high = [a.x.max(b.x) + r, a.y.max(b.y) + r];
        let mut hits = Vec::new();
        self.each(low, high, &mut |sample, x, y| {
            if let Some((depth, normal)) = hit(&a, &b, r, x, y) {
                hits.push((sample, depth, normal));
            }
        });
        for (sample, depth, normal) in hits {
            if depth > self.depth[sample] {
                self.depth[sample] = depth;
                let light = normal.dot(&Vec3::from(LIGHT)).max(0.0);
                // The rim is darker, so that neighbours of one colour come apart.
                let shade = (0.35 + 0.65 * light) * (0.55 + 0.45 * normal.z);
                self.color[sample] = solid.color.0.map(|c| f64::from(c) * shade);
            }
        }
    }

    fn face(&mut self, camera: &Camera, face: &[Vec3; 3]) {
        let [a, b, c] = face.map(|p| camera.see(&p));
        let low = [a.x.min(b.x).min(c.x), a.y.min(b.y).min(c.y)];
        let high = [a.x.max(b.x).max(c.x), a.y.max(b.y).max(c.y)];
        let area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
        if area == 0.0 {
            return;
        }
        let mut seen = Vec::new();
        self.each(low, high, &mut |sample, x, y| {
            let s = ((x - a.x) * (c.y - a.y) - (y - a.y) * (c.x - a.x)) / area;
            let t = ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / area;
            // Half open, so that two faces at one edge do not both veil it.
            if s >= 0.0 && t >= 0.0 && s + t < 1.0 {
                seen.push((sample, a.z + s * (b.z - a.z) + t * (c.z - a.z)));
            }
        });
        for (sample, depth) in seen {
            if depth > self.depth[sample] {
                self.color[sample] = self.color[sample].map(|c| c + VEIL * (VEIL_GREY - c));
            }
        }
    }

    fn line(&mut self, camera: &Camera, line: &[Vec3; 2]) {
        let [a, b] = line.map(|p| camera.see(&p));
        let steps = (((b - a).xy().norm() * self.scale).ceil() as usize).max(1);
        for k in 0..=steps {
            let p = a + (b - a) * (k as f64 / steps as f64);
            let (i, j) = ((p.x - self.corner[0]) * self.scale, (p.y - self.corner[1]) * self.scale);
            if i >= 0.0 && j >= 0.0 && (i as usize) < self.width && (j as usize) < self.height {
                let sample = (self.height - 1 - j as usize) * self.width + i as usize;
                if p.z > self.depth[sample] {
                    self.color[sample] = [LINE_GREY; 3];
                }
            }
        }
    }
}

/// Where the ray at (x, y) first meets the points within r of the segment from a to b, and the normal there.
fn hit(a: &Vec3, b: &Vec3, r: f64, x: f64, y: f64) -> Option<(f64, Vec3)> {
    let mut best: Option<(f64, Vec3)> = None;
    let mut take = |depth: f64, normal: Vec3| {
        if best.is_none_or(|(before, _)| depth > before) {
            best = Some((depth, normal));
        }
    };
    for end in [a, b] {
        let h2 = r * r - (x - end.x).powi(2) - (y - end.y).powi(2);
        if h2 >= 0.0 {
            let depth = end.z + h2.sqrt();
            take(depth, (Vec3::new(x, y, depth) - end) / r);
        }
    }
    let length = (b - a).norm();
    if length > 0.0 {
        // |q|² − (q·e)² = r² with q = (x, y, s) − a: a quadratic in s.
        let e = (b - a) / length;
        let (dx, dy) = (x - a.x, y - a.y);
        let along = dx * e.x + dy * e.y;
        let p = 1.0 - e.z * e.z;
        let c = dx * dx + dy * dy - along * along - r * r;
        let root = (along * e.z).powi(2) - p * c;
        if p > 0.0 && root >= 0.0 {
            let s = (along * e.z + root.sqrt()) / p;
            let q = Vec3::new(dx, dy, s);
            let at = q.dot(&e);
            if (0.0..=length).contains(&at) {
                take(a.z + s, (q - e * at) / r);
            }
        }
    }
    best
}

/// A view as PNG on white, `width` pixels wide and as high as it needs.
///
/// # Errors
///
/// If there is nothing to see, or the picture would be larger than memory allows.
pub fn picture(view: &View, width: u32) -> Result<Vec<u8>> {
    let fault = |what: String| Error::input("picture", what, "bodies within a bounded part of space are needed");
    let camera = Camera::new(view);
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let mut cover = |p: &Vec3, r: f64| {
        let p = camera.see(p);
        for (k, x) in [p.x, p.y].into_iter().enumerate() {
            low[k] = low[k].min(x - r);
            high[k] = high[k].max(x + r);
        }
    };
    view.solids.iter().for_each(|s| s.ends.iter().for_each(|end| cover(end, s.radius)));
    if view.fit_walls {
        view.faces.iter().flatten().for_each(|p| cover(p, 0.0));
        view.lines.iter().flatten().for_each(|p| cover(p, 0.0));
    }
    let size = [high[0] - low[0], high[1] - low[1]];
    if !size.iter().all(|s| *s > 0.0 && s.is_finite()) {
        return Err(fault(format!("{size:?} m is no picture")));
    }
    let free = BORDER * size[0];
    let scale = f64::from(width) / (size[0] + 2.0 * free);
    let height = ((size[1] + 2.0 * free) * scale).ceil();
    let mut map = Pixmap::new(width, height as u32).ok_or_else(|| fault(format!("{width} × {height} pixels")))?;
    let (w, h) = (width as usize * FINE, height as usize * FINE);
    let mut samples = Samples {
        width: w,
        height: h,
        corner: [low[0] - free, low[1] - free],
        scale: scale * FINE as f64,
        color: vec![[255.0; 3]; w * h],
        depth: vec![f64::NEG_INFINITY; w * h],
    };
    view.solids.iter().for_each(|solid| samples.solid(&camera, solid));
    view.faces.iter().for_each(|face| samples.face(&camera, face));
    view.lines.iter().for_each(|line| samples.line(&camera, line));
    for (at, pixel) in map.pixels_mut().iter_mut().enumerate() {
        let (i, j) = (at % width as usize * FINE, at / width as usize * FINE);
        let mut sum = [0.0; 3];
        for row in j..j + FINE {
            for color in &samples.color[row * w + i..row * w + i + FINE] {
                sum.iter_mut().zip(color).for_each(|(s, c)| *s += c);
            }
        }
        let [r, g, b] = sum.map(|s| (s / (FINE * FINE) as f64).round().clamp(0.0, 255.0) as u8);
        // Opaque, so premultiplied or not is the same.
        *pixel = PremultipliedColorU8::from_rgba(r, g, b, 255).unwrap_or(PremultipliedColorU8::TRANSPARENT);
    }
    map.encode_png().map_err(|error| fault(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Color;

    #[test]
    fn a_ray_meets_balls_and_capsules_where_they_are() {
        let (o, x) = (Vec3::zeros(), Vec3::new(2.0, 0.0, 0.0));
        let (depth, normal) = hit(&o, &o, 1.0, 0.6, 0.0).expect("a hit");
        assert!((depth - 0.8).abs() < 1e-12 && (normal - Vec3::new(0.6, 0.0, 0.8)).norm() < 1e-12);
        // Between the ends of a capsule across the view: its cylinder.
        let (depth, normal) = hit(&o, &x, 1.0, 1.0, 0.6).expect("a hit");
        assert!((depth - 0.8).abs() < 1e-12 && (normal - Vec3::new(0.0, 0.6, 0.8)).norm() < 1e-12);
        // Along the view only the nearer end is seen.
        let (depth, _) = hit(&o, &Vec3::new(0.0, 0.0, 2.0), 1.0, 0.0, 0.0).expect("a hit");
        assert!((depth - 3.0).abs() < 1e-12);
        // Leaning by 45°: at its middle the surface is √2 r above the axis.
        let lean = Vec3::new(2.0, 0.0, 2.0);
        let (depth, normal) = hit(&o, &lean, 1.0, 0.5, 0.0).expect("a hit");
        assert!((depth - 0.5 - 2f64.sqrt()).abs() < 1e-12 && (normal.norm() - 1.0).abs() < 1e-12, "{depth}");
        assert!(hit(&o, &x, 1.0, 1.0, 1.01).is_none() && hit(&o, &o, 1.0, 0.8, 0.8).is_none());
    }

    #[test]
    fn the_nearer_body_hides_the_other_and_a_wall_only_veils() {
        let ball = |x: f64, color: Color| Solid { ends: [Vec3::new(x, 0.0, 0.0); 2], radius: 1.0, color };
        let (red, blue) = (Color([255, 0, 0]), Color([0, 0, 255]));
        let mut view = View::from(0.0, 0.0);
        // Seen from +x: the ball at x = 3 is in front.
        view.solids = vec![ball(3.0, red), ball(0.0, blue)];
        let middle = |view: &View| {
            let map = Pixmap::decode_png(&picture(view, 64).expect("a picture")).expect("PNG");
            let pixel = map.pixel(32, map.height() / 2).expect("inside");
            [pixel.red(), pixel.green(), pixel.blue()]
        };
        let bare = middle(&view);
        assert!(bare[0] > 120 && bare[1] == 0 && bare[2] == 0, "{bare:?}");
        let y = |a: f64, b: f64| Vec3::new(5.0, a, b);
        view.faces = vec![[y(-4.0, -4.0), y(4.0, -4.0), y(0.0, 9.0)]];
        view.fit_walls = false;
        let veiled = middle(&view);
        assert!(veiled[0] < bare[0] && veiled[0] > bare[0] / 2 && veiled[1] > 0, "{veiled:?} for {bare:?}");
        assert!(picture(&View::from(0.0, 0.0), 64).is_err(), "nothing to see");
    }
}

//! Strokes, fills, marks and words in millimetres, onto plotters' SVG backend.

use crate::figure::Color;
use crate::figure::Marker;
use crate::figure::Stroke;
use crate::plot::font;
use plotters::backend::SVGBackend;
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::drawing::IntoDrawingArea;
use plotters::element::Circle;
use plotters::element::PathElement;
use plotters::element::Polygon;
use plotters::style::FontTransform;
use plotters::style::IntoFont;
use plotters::style::RGBAColor;
use plotters::style::ShapeStyle;
use plotters::style::TextStyle;
use plotters::style::text_anchor::HPos;
use plotters::style::text_anchor::Pos;
use plotters::style::text_anchor::VPos;

/// Whole-number units of the SVG in a millimetre: 0.07 pt, finer than print.
const UNITS: f64 = 40.0;

/// Writing into a string in memory does not fail.
const IN_MEMORY: &str = "SVG is written to memory";

/// A white page that is drawn on.
pub(super) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

/// How words stand at their point: always centred in height.
#[derive(Clone, Copy)]
pub(super) struct Words {
    /// Which end of the words the point is at.
    pub(super) side: HPos,
    /// Height of the font's em in mm.
    pub(super) em: f64,
    /// Read from below.
    pub(super) upward: bool,
    /// Colour.
    pub(super) color: Color,
}

fn units(mm: f64) -> i32 {
    (mm * UNITS).round() as i32
}

fn place(p: [f64; 2]) -> (i32, i32) {
    (units(p[0]), units(p[1]))
}

fn rgba(Color([r, g, b]): Color) -> RGBAColor {
    RGBAColor(r, g, b, 1.0)
}

/// A page of `width` × `height` mm: what `paint` draws, as an SVG document.
pub(super) fn page(width: f64, height: f64, paint: impl FnOnce(&Canvas<'_>)) -> String {
    font::register();
    let (w, h) = (units(width), units(height));
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (w.unsigned_abs(), h.unsigned_abs())).into_drawing_area();
        area.fill(&RGBAColor(255, 255, 255, 1.0)).expect(IN_MEMORY);
        let canvas = Canvas { area };
        paint(&canvas);
        canvas.area.present().expect(IN_MEMORY);
    }
    // plotters gives the page as many CSS pixels as units; say its true size instead.
    svg.replacen(
        &format!("width=\"{w}\" height=\"{h}\""),
        &format!("width=\"{}mm\" height=\"{}mm\"", f64::from(w) / UNITS, f64::from(h) / UNITS),
        1,
    )
}

impl Canvas<'_> {
    /// A line through points, broken as the stroke says.
    pub(super) fn line(&self, points: &[[f64; 2]], stroke: &Stroke) {
        let style =
            ShapeStyle { color: rgba(stroke.color), filled: false, stroke_width: units(stroke.width).unsigned_abs() };
        for piece in dashes(points, stroke) {
            let path: Vec<_> = piece.into_iter().map(place).collect();
            self.area.draw(&PathElement::new(path, style)).expect(IN_MEMORY);
        }
    }

    /// A filled polygon.
    pub(super) fn polygon(&self, points: &[[f64; 2]], fill: Color) {
        if points.len() < 3 {
            return;
        }
        let style = ShapeStyle { color: rgba(fill), filled: true, stroke_width: 0 };
        let corners: Vec<_> = points.iter().copied().map(place).collect();
        self.area.draw(&Polygon::new(corners, style)).expect(IN_MEMORY);
    }

    /// A mark, `size` mm wide.
    pub(super) fn marker(&self, [x, y]: [f64; 2], stroke: &Stroke, size: f64) {
        let r = 0.5 * size;
        let ring =
            |corners: &[[f64; 2]]| -> Vec<[f64; 2]> { corners.iter().map(|c| [x + r * c[0], y + r * c[1]]).collect() };
        let filled = |corners: &[[f64; 2]]| self.polygon(&ring(corners), stroke.color);
        let thin = Stroke { width: (0.18 * size).clamp(0.1, 0.3), dash: crate::figure::Dash::Solid, ..*stroke };
        let disc = |filled: bool| {
            let stroke_width = units(thin.width).unsigned_abs();
            let style = ShapeStyle { color: rgba(stroke.color), filled, stroke_width };
            self.area.draw(&Circle::new(place([x, y]), units(r), style)).expect(IN_MEMORY);
        };
        const SQUARE: [[f64; 2]; 5] = [[-0.88, -0.88], [0.88, -0.88], [0.88, 0.88], [-0.88, 0.88], [-0.88, -0.88]];
        match stroke.marker {
            Marker::Disc => disc(true),
            Marker::Circle => disc(false),
            Marker::Square => filled(&SQUARE),
            Marker::OpenSquare => self.line(&ring(&SQUARE), &thin),
            Marker::Triangle => filled(&[[0.0, -1.15], [1.05, 0.8], [-1.05, 0.8]]),
            Marker::TriangleDown => filled(&[[0.0, 1.15], [1.05, -0.8], [-1.05, -0.8]]),
            Marker::Diamond => filled(&[[0.0, -1.25], [1.0, 0.0], [0.0, 1.25], [-1.0, 0.0]]),
            Marker::Plus => {
                self.line(&ring(&[[-1.1, 0.0], [1.1, 0.0]]), &thin);
                self.line(&ring(&[[0.0, -1.1], [0.0, 1.1]]), &thin);
            }
            Marker::Cross => {
                self.line(&ring(&[[-0.85, -0.85], [0.85, 0.85]]), &thin);
                self.line(&ring(&[[-0.85, 0.85], [0.85, -0.85]]), &thin);
            }
            Marker::Star => {
                let corner = |k: usize| {
                    let (sin, cos) = (k as f64 * std::f64::consts::PI / 5.0).sin_cos();
                    let radius = if k.is_multiple_of(2) { 1.4 } else { 0.6 };
                    [radius * sin, -radius * cos]
                };
                filled(&(0..10).map(corner).collect::<Vec<_>>());
            }
        }
    }

    /// One line of words.
    pub(super) fn words(&self, text: &str, at: [f64; 2], words: &Words) {
        let mut font = (font::FAMILY, words.em * UNITS * font::PLOTTERS_EM).into_font();
        if words.upward {
            font = font.transform(FontTransform::Rotate270);
        }
        let color = rgba(words.color);
        let style = TextStyle::from(font).color(&color).pos(Pos::new(words.side, VPos::Center));
        self.area.draw_text(text, &style, place(at)).expect(IN_MEMORY);
    }
}

/// The drawn pieces of a line; the line itself where it is not broken.
fn dashes(points: &[[f64; 2]], stroke: &Stroke) -> Vec<Vec<[f64; 2]>> {
    let pattern = stroke.dash.pattern();
    if pattern.is_empty() || points.len() < 2 {
        return vec![points.to_vec()];
    }
    let mut pieces = Vec::new();
    let mut turn = 0_usize;
    let mut left = pattern[0] * stroke.width;
    let mut piece = vec![points[0]];
    for pair in points.windows(2) {
        let (mut a, b) = (pair[0], pair[1]);
        loop {
            let length = (b[0] - a[0]).hypot(b[1] - a[1]);
            if length < left {
                left -= length;
                piece.push(b);
                break;
            }
            let s = left / length;
            a = [a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])];
            piece.push(a);
            if turn.is_multiple_of(2) {
                pieces.push(std::mem::take(&mut piece));
            }
            piece = vec![a];
            turn = (turn + 1) % pattern.len();
            left = pattern[turn] * stroke.width;
        }
    }
    if turn.is_multiple_of(2) && piece.len() > 1 {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Dash;

    #[test]
    fn dashes_have_the_length_of_their_pattern_also_around_corners() {
        let stroke = Stroke::new(Color::BLACK, Dash::Dashed, Marker::Disc).with_width(1.0);
        let pieces = dashes(&[[0.0, 0.0], [3.0, 0.0], [3.0, 9.0]], &stroke);
        let length = |piece: &Vec<[f64; 2]>| -> f64 {
            piece.windows(2).map(|p| (p[1][0] - p[0][0]).hypot(p[1][1] - p[0][1])).sum()
        };
        let lengths: Vec<f64> = pieces.iter().map(length).collect();
        assert_eq!(lengths, [5.0, 4.0], "{pieces:?}");
        assert_eq!(pieces[0].len(), 3, "the first dash turns the corner");
    }
}

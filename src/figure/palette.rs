//! Colours, dashes and markers, the same in every figure.
//!
//! The hues are those of [Okabe Ito 2008], told apart by colour-blind readers. In grey the curves are told apart by
//! dash and marker, never by hue alone.

use crate::law::Law;

/// A colour: red, green and blue, sRGB. There is no opacity: what is pale is mixed with white, so that every picture
/// prints as it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub [u8; 3]);

impl Color {
    /// Black: axes, text.
    pub const BLACK: Self = Self([0, 0, 0]);
    /// Middle grey: what only guides the eye.
    pub const GREY: Self = Self([120, 120, 120]);
    /// White.
    pub const WHITE: Self = Self([255, 255, 255]);

    /// The colour mixed with white, of which it is the share `share` from 0 to 1.
    #[must_use]
    pub fn paled(self, share: f64) -> Self {
        Self(self.0.map(|channel| (255.0 - share * (255.0 - f64::from(channel))).round() as u8))
    }
}

/// How a line is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// Unbroken.
    Solid,
    /// Dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Dash, dot.
    DashDot,
    /// Long dashes.
    LongDash,
    /// Dash, dot, dot.
    DashDotDot,
    /// Short dashes.
    ShortDash,
}

impl Dash {
    /// Lengths drawn and left out in turn, in line widths; empty for an unbroken line.
    pub fn pattern(self) -> &'static [f64] {
        match self {
            Self::Solid => &[],
            Self::Dashed => &[5.0, 3.0],
            Self::Dotted => &[1.2, 2.2],
            Self::DashDot => &[6.0, 2.2, 1.2, 2.2],
            Self::LongDash => &[10.0, 3.0],
            Self::DashDotDot => &[6.0, 2.0, 1.2, 2.0, 1.2, 2.0],
            Self::ShortDash => &[2.5, 2.0],
        }
    }
}

/// The mark of a data point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// Filled disc.
    Disc,
    /// Open circle.
    Circle,
    /// Filled square.
    Square,
    /// Open square.
    OpenSquare,
    /// Filled triangle, tip up.
    Triangle,
    /// Filled triangle, tip down.
    TriangleDown,
    /// Filled diamond.
    Diamond,
    /// Upright cross.
    Plus,
    /// Diagonal cross.
    Cross,
    /// Five-pointed star.
    Star,
}

/// How a curve or a set of points looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Colour of line and marker.
    pub color: Color,
    /// Line width in mm.
    pub width: f64,
    /// How the line is broken.
    pub dash: Dash,
    /// Mark of its points, where points are drawn.
    pub marker: Marker,
}

/// Width of a curve in mm: about 1 pt, as journals ask for.
const CURVE: f64 = 0.38;

impl Stroke {
    /// A stroke of the usual width.
    pub const fn new(color: Color, dash: Dash, marker: Marker) -> Self {
        Self { color, width: CURVE, dash, marker }
    }

    /// A thin grey line for guides and references.
    pub const fn guide(dash: Dash) -> Self {
        Self { color: Color::GREY, width: 0.2, dash, marker: Marker::Plus }
    }

    /// The same stroke with a line of another width, in mm.
    #[must_use]
    pub const fn with_width(mut self, width: f64) -> Self {
        self.width = width;
        self
    }

    /// The same stroke with another dash.
    #[must_use]
    pub const fn with_dash(mut self, dash: Dash) -> Self {
        self.dash = dash;
        self
    }

    /// The same stroke with another marker.
    #[must_use]
    pub const fn with_marker(mut self, marker: Marker) -> Self {
        self.marker = marker;
        self
    }
}

const BLUE: Color = Color([0, 114, 178]);
const VERMILION: Color = Color([213, 94, 0]);
const GREEN: Color = Color([0, 158, 115]);
const PURPLE: Color = Color([170, 68, 153]);
const ORANGE: Color = Color([230, 159, 0]);
const SKY: Color = Color([86, 180, 233]);

/// The look of a law, everywhere.
pub fn law_stroke(law: Law) -> Stroke {
    match law {
        Law::MaxDissipation => Stroke::new(BLUE, Dash::Solid, Marker::Disc),
        Law::Coulomb => Stroke::new(VERMILION, Dash::Dashed, Marker::Square),
        Law::Cone => Stroke::new(GREEN, Dash::DashDot, Marker::Triangle),
        Law::Frictionless => Stroke::new(Color::GREY, Dash::Dotted, Marker::Cross),
        Law::Incremental => Stroke::new(PURPLE, Dash::LongDash, Marker::Diamond),
        Law::TwoStage => Stroke::new(ORANGE, Dash::DashDotDot, Marker::TriangleDown),
        Law::Penalty => Stroke::new(Color::BLACK, Dash::ShortDash, Marker::Plus),
    }
}

/// The look of the `i`-th curve where curves are not laws; repeats after six.
pub fn series_stroke(i: usize) -> Stroke {
    const LOOKS: [(Color, Dash, Marker); 6] = [
        (Color::BLACK, Dash::Solid, Marker::Disc),
        (SKY, Dash::Dashed, Marker::Square),
        (ORANGE, Dash::DashDot, Marker::Triangle),
        (GREEN, Dash::LongDash, Marker::Diamond),
        (PURPLE, Dash::Dotted, Marker::Circle),
        (VERMILION, Dash::DashDotDot, Marker::OpenSquare),
    ];
    let (color, dash, marker) = LOOKS[i % LOOKS.len()];
    Stroke::new(color, dash, marker)
}

/// Colour of an ordered quantity, `s` from 0 (dark) to 1 (light): rises evenly in grey, blue to yellow in hue.
pub fn shade(s: f64) -> Color {
    // Knots of the cividis map [Nuñez 2018], which colour-blind and other readers see alike; the lightest fifth is
    // left out, since it cannot be seen on white.
    const KNOTS: [[f64; 3]; 5] =
        [[0.0, 34.0, 78.0], [58.0, 75.0, 107.0], [109.0, 110.0, 116.0], [152.0, 144.0, 118.0], [203.0, 186.0, 105.0]];
    let at = s.clamp(0.0, 1.0) * (KNOTS.len() - 1) as f64;
    let i = (at as usize).min(KNOTS.len() - 2);
    let f = at - i as f64;
    let channel = |c: usize| (KNOTS[i][c] + f * (KNOTS[i + 1][c] - KNOTS[i][c])).round() as u8;
    Color([channel(0), channel(1), channel(2)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_laws_never_share_a_dash_or_a_marker_or_a_colour() {
        let laws = [
            Law::MaxDissipation,
            Law::Coulomb,
            Law::Cone,
            Law::Frictionless,
            Law::Incremental,
            Law::TwoStage,
            Law::Penalty,
        ];
        for (i, a) in laws.into_iter().enumerate() {
            for b in laws.into_iter().skip(i + 1) {
                let (a, b) = (law_stroke(a), law_stroke(b));
                assert!(a.dash != b.dash && a.marker != b.marker && a.color != b.color, "{a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn shades_get_lighter_all_the_way() {
        let grey = |s: f64| {
            let [r, g, b] = shade(s).0.map(f64::from);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        for i in 0..20 {
            let s = f64::from(i) / 20.0;
            assert!(grey(s + 0.05) > grey(s), "no lighter after {s}");
        }
    }
}

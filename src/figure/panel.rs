//! A figure: panels in rows and columns, each with two axes and layers drawn in order.

use crate::figure::palette::Color;
use crate::figure::palette::Stroke;

/// Linear or logarithmic axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Even steps.
    Linear,
    /// Even factors; values that are not positive are left out.
    Log,
}

/// One axis of a panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is shown, with its symbol.
    pub label: String,
    /// Unit in SI; "" for a number without one.
    pub unit: String,
    /// Scale.
    pub scale: Scale,
    /// Ends of the axis; what the layers need where `None`.
    pub range: Option<[f64; 2]>,
}

impl Axis {
    /// A linear axis that fits its data.
    pub fn linear(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { label: label.into(), unit: unit.into(), scale: Scale::Linear, range: None }
    }

    /// A logarithmic axis that fits its data.
    pub fn log(label: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { scale: Scale::Log, ..Self::linear(label, unit) }
    }

    /// The same axis from `low` to `high`.
    #[must_use]
    pub fn from_to(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }
}

/// Where the point that an annotation is tied to lies on its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text is centred on the point.
    Center,
    /// The text stands to the right of the point.
    Left,
    /// The text stands to the left of the point.
    Right,
    /// The text stands above the point.
    Below,
    /// The text stands below the point.
    Above,
}

/// One thing drawn in a panel, in data coordinates. Points with a NaN are left out and break a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Layer {
    /// A curve; with marks at its points if `marked`.
    Line {
        /// Points (x, y) in order.
        points: Vec<[f64; 2]>,
        /// Look.
        stroke: Stroke,
        /// Whether the points are marked.
        marked: bool,
        /// Name in the legend; none if empty.
        name: String,
    },
    /// Marks without a line.
    Points {
        /// Points (x, y).
        points: Vec<[f64; 2]>,
        /// Look.
        stroke: Stroke,
        /// Size of a mark in mm.
        size: f64,
        /// Name in the legend; none if empty.
        name: String,
    },
    /// Vertical bars from low to high.
    ErrorBars {
        /// (x, low, high).
        bars: Vec<[f64; 3]>,
        /// Look.
        stroke: Stroke,
    },
    /// A filled region, closed from the last point to the first; several rings leave holes apart by drawing order.
    Region {
        /// Border points (x, y) in order.
        border: Vec<[f64; 2]>,
        /// Fill.
        fill: Color,
        /// Name in the legend; none if empty.
        name: String,
    },
    /// Lines of equal value of a field on a grid.
    Contours {
        /// Grid coordinates along x, ascending.
        x: Vec<f64>,
        /// Grid coordinates along y, ascending.
        y: Vec<f64>,
        /// Values, row by row: `values[j * x.len() + i]` at `(x[i], y[j])`.
        values: Vec<f64>,
        /// Values at which lines are drawn.
        levels: Vec<f64>,
        /// Look.
        stroke: Stroke,
        /// Name in the legend; none if empty.
        name: String,
    },
    /// An arrow from tail to tip.
    Arrow {
        /// Tail (x, y).
        from: [f64; 2],
        /// Tip (x, y).
        to: [f64; 2],
        /// Look.
        stroke: Stroke,
    },
    /// Words at a point. They do not widen the axes.
    Text {
        /// The point (x, y).
        at: [f64; 2],
        /// The words.
        text: String,
        /// Where the point lies on the text.
        anchor: Anchor,
        /// Colour.
        color: Color,
    },
    /// A thin line across the whole panel at one y.
    Horizontal {
        /// The y.
        at: f64,
        /// Look.
        stroke: Stroke,
        /// Name in the legend; none if empty.
        name: String,
    },
    /// A thin line across the whole panel at one x.
    Vertical {
        /// The x.
        at: f64,
        /// Look.
        stroke: Stroke,
        /// Name in the legend; none if empty.
        name: String,
    },
}

impl Layer {
    /// A curve with a name.
    pub fn line(points: Vec<[f64; 2]>, stroke: Stroke, name: impl Into<String>) -> Self {
        Self::Line { points, stroke, marked: false, name: name.into() }
    }

    /// A curve with its points marked.
    pub fn marked(points: Vec<[f64; 2]>, stroke: Stroke, name: impl Into<String>) -> Self {
        Self::Line { points, stroke, marked: true, name: name.into() }
    }

    /// Marks, `size` mm wide.
    pub fn points(points: Vec<[f64; 2]>, stroke: Stroke, size: f64, name: impl Into<String>) -> Self {
        Self::Points { points, stroke, size, name: name.into() }
    }

    /// Words at a point.
    pub fn text(at: [f64; 2], text: impl Into<String>, anchor: Anchor, color: Color) -> Self {
        Self::Text { at, text: text.into(), anchor, color }
    }
}

/// One panel.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// Title over the panel; the letters (a), (b), … are set by the drawing.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// What is drawn, in this order.
    pub layers: Vec<Layer>,
    /// Whether a unit is as long on x as on y; the axes are widened to fit.
    pub equal: bool,
}

impl Panel {
    /// A panel with nothing in it yet.
    pub fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self { title: title.into(), x, y, layers: Vec::new(), equal: false }
    }

    /// The same panel with one more layer on top.
    #[must_use]
    pub fn with(mut self, layer: Layer) -> Self {
        self.layers.push(layer);
        self
    }

    /// The same panel with equal units on both axes.
    #[must_use]
    pub fn equal(mut self) -> Self {
        self.equal = true;
        self
    }
}

/// A figure: panels row by row, with one legend for all below them.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Panels, row by row.
    pub panels: Vec<Panel>,
    /// Number of columns.
    pub columns: usize,
    /// Width in mm; journals take about 85 (one column) and 175 (two).
    pub width: f64,
    /// Height of the box of a panel in mm.
    pub panel_height: f64,
}

impl Figure {
    /// A figure as wide as a page, in `columns` columns, panels `panel_height` mm high.
    pub fn page(columns: usize, panel_height: f64, panels: Vec<Panel>) -> Self {
        Self { panels, columns, width: 175.0, panel_height }
    }
}

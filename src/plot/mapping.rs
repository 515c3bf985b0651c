//! Ranges of the axes and the map from data to millimetres.

use crate::figure::Axis;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Scale;
use crate::plot::clip::Rect;

/// Share of an axis that is left free at each end where the range fits the data.
const MARGIN: f64 = 0.04;

/// A coordinate as it is spaced on the axis.
fn spaced(scale: Scale, value: f64) -> f64 {
    match scale {
        Scale::Linear => value,
        Scale::Log if value > 0.0 => value.log10(),
        Scale::Log => f64::NAN,
    }
}

fn unspaced(scale: Scale, value: f64) -> f64 {
    match scale {
        Scale::Linear => value,
        Scale::Log => 10f64.powf(value),
    }
}

/// The x (0) or y (1) coordinates that an axis must show.
fn shown(panel: &Panel, axis: usize) -> Vec<f64> {
    let mut all = Vec::new();
    for layer in &panel.layers {
        match layer {
            Layer::Line { points, .. } | Layer::Points { points, .. } | Layer::Region { border: points, .. } => {
                all.extend(points.iter().map(|p| p[axis]));
            }
            Layer::ErrorBars { bars, .. } if axis == 0 => all.extend(bars.iter().map(|bar| bar[0])),
            Layer::ErrorBars { bars, .. } => all.extend(bars.iter().flat_map(|bar| [bar[1], bar[2]])),
            Layer::Contours { x, y, .. } => all.extend(if axis == 0 { x } else { y }),
            Layer::Arrow { from, to, .. } => all.extend([from[axis], to[axis]]),
            Layer::Horizontal { at, .. } if axis == 1 => all.push(*at),
            Layer::Vertical { at, .. } if axis == 0 => all.push(*at),
            Layer::Text { .. } | Layer::Horizontal { .. } | Layer::Vertical { .. } => {}
        }
    }
    all
}

/// The range of an axis in data: the given one, or what its layers need and a margin.
pub(super) fn range(panel: &Panel, axis: usize) -> [f64; 2] {
    let of: &Axis = if axis == 0 { &panel.x } else { &panel.y };
    if let Some(range) = of.range {
        return range;
    }
    let values = shown(panel, axis).into_iter().map(|v| spaced(of.scale, v)).filter(|v| v.is_finite());
    let [low, high] = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], v| [l.min(v), h.max(v)]);
    if low > high {
        return [unspaced(of.scale, 0.0), unspaced(of.scale, 1.0)];
    }
    // One value alone gets room around it; zero has no size of its own.
    if of.scale == Scale::Linear && low == 0.0 && high == 0.0 {
        return [-1.0, 1.0];
    }
    let smallest = if of.scale == Scale::Log { 0.3 } else { 1e-12 * high.abs().max(low.abs()).max(1e-300) };
    let free = if high - low > smallest { MARGIN * (high - low) } else { (0.5 * high.abs()).max(smallest) };
    [unspaced(of.scale, low - free), unspaced(of.scale, high + free)]
}

/// Widens one of two linear ranges so that a unit is as long on both axes of a box of `width` × `height`.
pub(super) fn equal(x: [f64; 2], y: [f64; 2], width: f64, height: f64) -> [[f64; 2]; 2] {
    let unit = ((x[1] - x[0]) / width).max((y[1] - y[0]) / height);
    let wide = |[low, high]: [f64; 2], length: f64| {
        let (middle, half) = (0.5 * (low + high), 0.5 * unit * length);
        [middle - half, middle + half]
    };
    [wide(x, width), wide(y, height)]
}

/// From data to mm on the page (y down).
#[derive(Clone, Copy, Debug)]
pub(super) struct Mapping {
    /// The box of the panel.
    pub(super) rect: Rect,
    scales: [Scale; 2],
    ends: [[f64; 2]; 2],
}

impl Mapping {
    /// The map that takes the ranges to the sides of `rect`.
    pub(super) fn new(rect: Rect, scales: [Scale; 2], ranges: [[f64; 2]; 2]) -> Self {
        let ends = [0, 1].map(|axis| ranges[axis].map(|v| spaced(scales[axis], v)));
        Self { rect, scales, ends }
    }

    /// A point of the data on the page; NaN where it has no place there.
    pub(super) fn point(&self, data: [f64; 2]) -> [f64; 2] {
        let [x, y] = [0, 1].map(|axis| {
            let [low, high] = self.ends[axis];
            (spaced(self.scales[axis], data[axis]) - low) / (high - low)
        });
        let [left, top, right, bottom] = self.rect;
        [left + x * (right - left), bottom - y * (bottom - top)]
    }

    /// Points of the data on the page.
    pub(super) fn points(&self, data: &[[f64; 2]]) -> Vec<[f64; 2]> {
        data.iter().map(|p| self.point(*p)).collect()
    }

    /// Whether a point on the page lies in the box.
    pub(super) fn holds(&self, p: [f64; 2]) -> bool {
        const EDGE: f64 = 1e-6;
        let [left, top, right, bottom] = self.rect;
        p[0] >= left - EDGE && p[0] <= right + EDGE && p[1] >= top - EDGE && p[1] <= bottom + EDGE
    }
}

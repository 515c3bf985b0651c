//! Where everything stands: boxes of panels, margins measured from their labels, the legend.

use crate::figure::Axis;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::power_of_ten;
use crate::plot::clip::Rect;
use crate::plot::font;
use crate::plot::mapping;
use crate::plot::mapping::Mapping;
use crate::plot::ticks;
use crate::plot::ticks::Ticks;

/// Em of axis labels, legend and annotations in mm: 7.4 pt.
pub(super) const EM: f64 = 2.6;
/// Em of tick labels in mm.
pub(super) const TICK_EM: f64 = 2.4;
/// Length of a long tick in mm.
pub(super) const TICK: f64 = 1.3;
/// Space between neighbouring pieces of text, or text and box, in mm.
pub(super) const GAP: f64 = 1.2;
/// Length of a sample in the legend in mm.
pub(super) const SAMPLE: f64 = 9.0;
/// Height of a row of the legend in mm.
pub(super) const LEGEND_ROW: f64 = 4.2;
/// Free border of the page in mm.
const BORDER: f64 = 1.0;

/// A panel in its place.
pub(super) struct Placed<'a> {
    pub(super) panel: &'a Panel,
    pub(super) map: Mapping,
    pub(super) ticks: [Ticks; 2],
    /// x of the middle of the label of the vertical axis.
    pub(super) label_x: f64,
    /// y of the middle of the title.
    pub(super) title_y: f64,
}

/// A named layer in its place in the legend: the left end of its sample, the middle of its row.
pub(super) struct Entry<'a> {
    pub(super) layer: &'a Layer,
    pub(super) name: &'a str,
    pub(super) at: [f64; 2],
}

/// A whole page.
pub(super) struct Page<'a> {
    pub(super) size: [f64; 2],
    pub(super) panels: Vec<Placed<'a>>,
    pub(super) legend: Vec<Entry<'a>>,
}

/// The label of an axis with its unit and the power of ten taken out of its ticks.
pub(super) fn label(axis: &Axis, ticks: &Ticks) -> String {
    let power = if ticks.exponent == 0 { String::new() } else { power_of_ten(ticks.exponent) };
    match (power.as_str(), axis.unit.as_str()) {
        ("", "") => axis.label.clone(),
        ("", unit) => format!("{} ({unit})", axis.label),
        (power, "") => format!("{} ({power})", axis.label),
        (power, unit) => format!("{} ({power} {unit})", axis.label),
    }
}

fn ticks_for(axis: &Axis, range: [f64; 2], length: f64, horizontal: bool) -> Ticks {
    let mut most = if horizontal { (length / 7.5) as usize } else { (length / 7.0) as usize }.clamp(2, 8);
    loop {
        let ticks = ticks::ticks(axis.scale, axis.unit == "°", range, most);
        // Neighbouring labels keep an em apart.
        let needed: f64 = ticks.major.iter().map(|(_, text)| font::width(text, TICK_EM) + TICK_EM).sum();
        if !horizontal || needed <= length || most <= 2 {
            return ticks;
        }
        most -= 1;
    }
}

/// Sets out a figure.
pub(super) fn page(figure: &Figure) -> Page<'_> {
    font::register();
    let columns = figure.columns.clamp(1, figure.panels.len().max(1));
    let rows = figure.panels.len().div_ceil(columns);
    let height = figure.panel_height;
    let data: Vec<_> = figure.panels.iter().map(|panel| [0, 1].map(|axis| mapping::range(panel, axis))).collect();
    let mut ranges = data.clone();
    let mut ticks: Vec<[Ticks; 2]> = Vec::new();
    let mut lefts = vec![0.0_f64; columns];
    let right = 0.5 * TICK_EM * 2.5;
    let mut width = figure.width / columns as f64;
    // Margins follow from tick labels, those from the ranges, and ranges of equal units from the boxes.
    for _ in 0..3 {
        ticks = figure
            .panels
            .iter()
            .zip(&ranges)
            .map(|(panel, range)| {
                [ticks_for(&panel.x, range[0], width, true), ticks_for(&panel.y, range[1], height, false)]
            })
            .collect();
        lefts = vec![0.0; columns];
        for (k, ticks) in ticks.iter().enumerate() {
            let labels = ticks[1].major.iter().map(|(_, text)| font::width(text, TICK_EM));
            let left = EM + 2.0 * GAP + labels.fold(0.0, f64::max);
            lefts[k % columns] = lefts[k % columns].max(left);
        }
        let free = figure.width - 2.0 * BORDER - lefts.iter().sum::<f64>() - right * columns as f64;
        width = free / columns as f64;
        for ((panel, data), range) in figure.panels.iter().zip(&data).zip(&mut ranges) {
            if panel.equal {
                *range = mapping::equal(data[0], data[1], width, height);
            }
        }
    }
    let titled = figure.panels.len() > 1 || figure.panels.iter().any(|panel| !panel.title.is_empty());
    let top = if titled { EM + 2.0 * GAP } else { GAP };
    let bottom = TICK_EM + EM + 3.5 * GAP;
    let mut panels = Vec::new();
    for (k, ((panel, range), ticks)) in figure.panels.iter().zip(ranges).zip(ticks).enumerate() {
        let (row, column) = (k / columns, k % columns);
        let before: f64 = lefts[..column].iter().sum::<f64>() + column as f64 * (width + right);
        let x = BORDER + before + lefts[column];
        let y = BORDER + top + row as f64 * (top + height + bottom);
        let rect: Rect = [x, y, x + width, y + height];
        panels.push(Placed {
            panel,
            map: Mapping::new(rect, [panel.x.scale, panel.y.scale], range),
            ticks,
            label_x: BORDER + before + 0.5 * EM,
            title_y: y - 0.5 * EM - GAP,
        });
    }
    let under = BORDER + rows as f64 * (top + height + bottom);
    let (legend, legend_rows) = legend(figure, under);
    Page { size: [figure.width, under + legend_rows as f64 * LEGEND_ROW + BORDER], panels, legend }
}

/// The named layers of all panels, each name once, in rows below `top`, and the number of rows.
fn legend(figure: &Figure, top: f64) -> (Vec<Entry<'_>>, usize) {
    let mut named: Vec<(&Layer, &str)> = Vec::new();
    for layer in figure.panels.iter().flat_map(|panel| &panel.layers) {
        let name = match layer {
            Layer::Line { name, .. }
            | Layer::Points { name, .. }
            | Layer::Region { name, .. }
            | Layer::Contours { name, .. }
            | Layer::Horizontal { name, .. }
            | Layer::Vertical { name, .. } => name.as_str(),
            Layer::ErrorBars { .. } | Layer::Arrow { .. } | Layer::Text { .. } => "",
        };
        if !name.is_empty() && named.iter().all(|(_, other)| *other != name) {
            named.push((layer, name));
        }
    }
    const BETWEEN: f64 = 5.0;
    let widths: Vec<f64> = named.iter().map(|(_, name)| SAMPLE + GAP + font::width(name, EM) + BETWEEN).collect();
    let free = figure.width - 2.0 * BORDER;
    let mut rows: Vec<(Vec<usize>, f64)> = Vec::new();
    for (k, width) in widths.iter().enumerate() {
        match rows.last_mut() {
            Some((row, used)) if *used + width <= free => {
                row.push(k);
                *used += width;
            }
            _ => rows.push((vec![k], *width)),
        }
    }
    let mut entries = Vec::new();
    for (r, (row, used)) in rows.iter().enumerate() {
        let mut x = 0.5 * (figure.width - (used - BETWEEN));
        for &k in row {
            let (layer, name) = named[k];
            entries.push(Entry { layer, name, at: [x, top + (r as f64 + 0.5) * LEGEND_ROW] });
            x += widths[k];
        }
    }
    (entries, rows.len())
}

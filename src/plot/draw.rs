//! The figure on the page: frame, ticks, layers, labels, legend.

use crate::figure::Anchor;
use crate::figure::Color;
use crate::figure::Dash;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Marker;
use crate::figure::Stroke;
use crate::figure::iso_lines;
use crate::plot::canvas;
use crate::plot::canvas::Canvas;
use crate::plot::canvas::Words;
use crate::plot::clip;
use crate::plot::font;
use crate::plot::layout;
use crate::plot::layout::EM;
use crate::plot::layout::Entry;
use crate::plot::layout::GAP;
use crate::plot::layout::Placed;
use crate::plot::layout::SAMPLE;
use crate::plot::layout::TICK;
use crate::plot::layout::TICK_EM;
use crate::plot::ticks::Ticks;
use plotters::style::text_anchor::HPos;

/// Line of frames and ticks.
const FRAME: Stroke = Stroke::new(Color::BLACK, Dash::Solid, Marker::Plus).with_width(0.2);
/// Width of the marks on a marked line in mm.
const MARK: f64 = 1.5;

/// A figure as an SVG document.
pub fn svg(figure: &Figure) -> String {
    let page = layout::page(figure);
    canvas::page(page.size[0], page.size[1], |canvas| {
        for (k, placed) in page.panels.iter().enumerate() {
            for layer in &placed.panel.layers {
                draw_layer(canvas, placed, layer);
            }
            draw_frame(canvas, placed);
            let letter = if page.panels.len() > 1 { letter(k) } else { String::new() };
            draw_title(canvas, placed, &letter);
        }
        for entry in &page.legend {
            draw_entry(canvas, entry);
        }
    })
}

fn letter(k: usize) -> String {
    let letters = "abcdefghijklmnopqrstuvwxyz";
    format!("({})", &letters[k % letters.len()..=k % letters.len()])
}

fn words(side: HPos, em: f64) -> Words {
    Words { side, em, upward: false, color: Color::BLACK }
}

fn draw_frame(canvas: &Canvas<'_>, placed: &Placed<'_>) {
    let [left, top, right, bottom] = placed.map.rect;
    let half = 0.5 * FRAME.width;
    // The ends reach into the corners.
    for (a, b) in [
        ([left - half, top], [right + half, top]),
        ([right, top - half], [right, bottom + half]),
        ([right + half, bottom], [left - half, bottom]),
        ([left, bottom + half], [left, top - half]),
    ] {
        canvas.line(&[a, b], &FRAME);
    }
    let [x_ticks, y_ticks] = &placed.ticks;
    let x_at = |value: f64| placed.map.point([value, f64::NAN])[0];
    let y_at = |value: f64| placed.map.point([f64::NAN, value])[1];
    let long = |ticks: &Ticks| -> Vec<(f64, f64)> {
        let minor = ticks.minor.iter().map(|v| (*v, 0.55 * TICK));
        ticks.major.iter().map(|(v, _)| (*v, TICK)).chain(minor).collect()
    };
    for (value, length) in long(x_ticks) {
        let x = x_at(value);
        if x >= left && x <= right {
            canvas.line(&[[x, bottom], [x, bottom - length]], &FRAME);
            canvas.line(&[[x, top], [x, top + length]], &FRAME);
        }
    }
    for (value, length) in long(y_ticks) {
        let y = y_at(value);
        if y >= top && y <= bottom {
            canvas.line(&[[left, y], [left + length, y]], &FRAME);
            canvas.line(&[[right, y], [right - length, y]], &FRAME);
        }
    }
    let under = bottom + GAP + 0.5 * TICK_EM;
    for (value, text) in &x_ticks.major {
        canvas.words(text, [x_at(*value), under], &words(HPos::Center, TICK_EM));
    }
    for (value, text) in &y_ticks.major {
        canvas.words(text, [left - 0.8 * GAP, y_at(*value)], &words(HPos::Right, TICK_EM));
    }
    let below = bottom + 2.0 * GAP + TICK_EM + 0.5 * EM;
    let middle = [0.5 * (left + right), 0.5 * (top + bottom)];
    canvas.words(&layout::label(&placed.panel.x, x_ticks), [middle[0], below], &words(HPos::Center, EM));
    let upward = Words { upward: true, ..words(HPos::Center, EM) };
    canvas.words(&layout::label(&placed.panel.y, y_ticks), [placed.label_x, middle[1]], &upward);
}

fn draw_title(canvas: &Canvas<'_>, placed: &Placed<'_>, letter: &str) {
    let left = placed.map.rect[0];
    let title = [letter, &placed.panel.title].join(" ");
    canvas.words(title.trim(), [left, placed.title_y], &words(HPos::Left, EM));
}

fn draw_curve(canvas: &Canvas<'_>, placed: &Placed<'_>, points: &[[f64; 2]], stroke: &Stroke) {
    for run in clip::line(&placed.map.points(points), &placed.map.rect) {
        canvas.line(&run, stroke);
    }
}

fn draw_marks(canvas: &Canvas<'_>, placed: &Placed<'_>, points: &[[f64; 2]], stroke: &Stroke, size: f64) {
    for p in placed.map.points(points) {
        if placed.map.holds(p) {
            canvas.marker(p, stroke, size);
        }
    }
}

fn draw_layer(canvas: &Canvas<'_>, placed: &Placed<'_>, layer: &Layer) {
    let map = &placed.map;
    let [left, top, right, bottom] = map.rect;
    match layer {
        Layer::Line { points, stroke, marked, .. } => {
            draw_curve(canvas, placed, points, stroke);
            if *marked {
                draw_marks(canvas, placed, points, stroke, MARK);
            }
        }
        Layer::Points { points, stroke, size, .. } => draw_marks(canvas, placed, points, stroke, *size),
        Layer::ErrorBars { bars, stroke } => {
            let solid = stroke.with_dash(Dash::Solid).with_width(0.6 * stroke.width);
            for [x, low, high] in bars {
                draw_curve(canvas, placed, &[[*x, *low], [*x, *high]], &solid);
                for end in [low, high] {
                    let p = map.point([*x, *end]);
                    if map.holds(p) {
                        canvas.line(&[[p[0] - 0.6, p[1]], [p[0] + 0.6, p[1]]], &solid);
                    }
                }
            }
        }
        Layer::Region { border, fill, .. } => {
            canvas.polygon(&clip::polygon(&map.points(border), &map.rect), *fill);
        }
        Layer::Contours { x, y, values, levels, stroke, .. } => {
            for level in levels {
                for line in iso_lines(x, y, values, *level) {
                    draw_curve(canvas, placed, &line, stroke);
                }
            }
        }
        Layer::Arrow { from, to, stroke } => {
            let [a, b] = [map.point(*from), map.point(*to)];
            let length = (b[0] - a[0]).hypot(b[1] - a[1]);
            if length > 0.0 && [a, b].iter().all(|p| map.holds(*p)) {
                let u = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
                let head = length.min(2.2);
                let neck = [b[0] - head * u[0], b[1] - head * u[1]];
                canvas.line(&[a, neck], stroke);
                let wing = |side: f64| [neck[0] - side * 0.35 * head * u[1], neck[1] + side * 0.35 * head * u[0]];
                canvas.polygon(&[b, wing(1.0), wing(-1.0)], stroke.color);
            }
        }
        Layer::Text { at, text, anchor, color } => draw_text(canvas, placed, *at, text, *anchor, *color),
        Layer::Horizontal { at, stroke, .. } => {
            let y = map.point([f64::NAN, *at])[1];
            if y >= top && y <= bottom {
                canvas.line(&[[left, y], [right, y]], stroke);
            }
        }
        Layer::Vertical { at, stroke, .. } => {
            let x = map.point([*at, f64::NAN])[0];
            if x >= left && x <= right {
                canvas.line(&[[x, bottom], [x, top]], stroke);
            }
        }
    }
}

/// Words on a white ground, shifted as far as they must be to stay in the box.
fn draw_text(canvas: &Canvas<'_>, placed: &Placed<'_>, at: [f64; 2], text: &str, anchor: Anchor, color: Color) {
    let [left, top, right, bottom] = placed.map.rect;
    let [x, y] = placed.map.point(at);
    if !placed.map.holds([x, y]) {
        return;
    }
    let half = [0.5 * font::width(text, TICK_EM) + 0.4, 0.6 * TICK_EM];
    let off = 0.9;
    let [x, y] = match anchor {
        Anchor::Center => [x, y],
        Anchor::Left => [x + half[0] + off, y],
        Anchor::Right => [x - half[0] - off, y],
        Anchor::Below => [x, y - half[1] - off],
        Anchor::Above => [x, y + half[1] + off],
    };
    let inside = |v: f64, low: f64, high: f64, half: f64| v.max(low + half + 0.3).min(high - half - 0.3);
    let [x, y] = [inside(x, left, right, half[0]), inside(y, top, bottom, half[1])];
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
    let ground: Vec<_> = corners.iter().map(|c| [x + c[0] * half[0], y + c[1] * half[1]]).collect();
    canvas.polygon(&ground, Color::WHITE);
    canvas.words(text, [x, y], &Words { color, ..words(HPos::Center, TICK_EM) });
}

fn draw_entry(canvas: &Canvas<'_>, entry: &Entry<'_>) {
    let [x, y] = entry.at;
    let (start, end, middle) = ([x, y], [x + SAMPLE, y], [x + 0.5 * SAMPLE, y]);
    match entry.layer {
        Layer::Line { stroke, marked, .. } => {
            canvas.line(&[start, end], stroke);
            if *marked {
                canvas.marker(middle, stroke, MARK);
            }
        }
        Layer::Points { stroke, size, .. } => canvas.marker(middle, stroke, size.max(MARK)),
        Layer::Region { fill, .. } => {
            let (w, h) = (0.35 * SAMPLE, 0.3 * layout::LEGEND_ROW);
            let [mx, my] = middle;
            canvas.polygon(&[[mx - w, my - h], [mx + w, my - h], [mx + w, my + h], [mx - w, my + h]], *fill);
        }
        Layer::Contours { stroke, .. } | Layer::Horizontal { stroke, .. } | Layer::Vertical { stroke, .. } => {
            canvas.line(&[start, end], stroke);
        }
        Layer::ErrorBars { .. } | Layer::Arrow { .. } | Layer::Text { .. } => {}
    }
    canvas.words(entry.name, [x + SAMPLE + GAP, y], &words(HPos::Left, EM));
}

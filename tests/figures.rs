//! Drawing: the same bytes each time, letters inside the PDF, nothing of the machine's own fonts.

use maxdiss::figure::Anchor;
use maxdiss::figure::Axis;
use maxdiss::figure::Color;
use maxdiss::figure::Dash;
use maxdiss::figure::Figure;
use maxdiss::figure::Layer;
use maxdiss::figure::Panel;
use maxdiss::figure::Stroke;
use maxdiss::figure::law_stroke;
use maxdiss::figure::series_stroke;
use maxdiss::law::Law;
use maxdiss::plot;

/// A figure with every kind of layer and of axis.
fn everything() -> Figure {
    let wave = |phase: f64| (0..=80).map(|i| f64::from(i) * 0.1).map(|x| [x, (x + phase).sin()]).collect::<Vec<_>>();
    let laws = [Law::MaxDissipation, Law::Coulomb, Law::Cone, Law::Frictionless, Law::Incremental, Law::TwoStage];
    let mut curves = Panel::new("curves", Axis::linear("time t", "s"), Axis::linear("speed v", "m/s"));
    for (k, law) in laws.into_iter().chain([Law::Penalty]).enumerate() {
        curves = curves.with(Layer::line(wave(0.4 * k as f64), law_stroke(law), law.name()));
    }
    let power: Vec<[f64; 2]> = (0..=12).map(|i| 10f64.powf(f64::from(i) / 3.0)).map(|x| [x, 3e-5 / x]).collect();
    let bars = power.iter().map(|[x, y]| [*x, 0.5 * y, 2.0 * y]).collect();
    let logs = Panel::new("logarithms", Axis::log("number N", ""), Axis::log("error ε", "N s"))
        .with(Layer::ErrorBars { bars, stroke: series_stroke(0) })
        .with(Layer::marked(power, series_stroke(0), "measured"))
        .with(Layer::Vertical { at: 100.0, stroke: Stroke::guide(Dash::Dashed), name: "limit".into() });
    let grid: Vec<f64> = (0..60).map(|i| -2.0 + 4.0 * f64::from(i) / 59.0).collect();
    let values = grid.iter().flat_map(|y| grid.iter().map(move |x| x * x + 2.0 * y * y)).collect();
    let ring = (0..90).map(|i| f64::from(i) * 4.0_f64.to_radians()).map(|a| [2.0 * a.cos(), a.sin()]).collect();
    let field = Panel::new("field", Axis::linear("x", "m"), Axis::linear("y", "m"))
        .with(Layer::Region { border: ring, fill: Color([86, 180, 233]).paled(0.3), name: "set".into() })
        .with(Layer::Contours {
            x: grid.clone(),
            y: grid,
            values,
            levels: vec![0.5, 1.0, 2.0, 4.0],
            stroke: Stroke::guide(Dash::Solid),
            name: "energy".into(),
        })
        .with(Layer::Arrow { from: [0.0, 0.0], to: [1.0, 0.5], stroke: series_stroke(0) })
        .with(Layer::text([1.0, 0.5], "tip < b̌ & Ǎ", Anchor::Left, Color::BLACK))
        .equal();
    let small =
        Panel::new("", Axis::linear("deflection", "°").from_to(-0.5, 92.5), Axis::linear("relative difference", ""))
            .with(Layer::points(
                (0..9).map(|i| [f64::from(i) * 10.0, 1e-5 * f64::from(i)]).collect(),
                series_stroke(1),
                1.6,
                "small",
            ))
            .with(Layer::Horizontal { at: 4e-5, stroke: series_stroke(2), name: String::new() });
    Figure::page(2, 55.0, vec![curves, logs, field, small])
}

fn holds(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

#[test]
fn a_figure_is_the_same_bytes_each_time_it_is_drawn() {
    let svg = plot::svg(&everything());
    // Several times: an order taken from a hash map is sometimes the same twice.
    for _ in 0..4 {
        assert!(svg == plot::svg(&everything()), "the SVG changes");
        assert!(plot::pdf(&svg).expect("PDF") == plot::pdf(&svg).expect("PDF"), "the PDF changes");
        assert!(plot::png(&svg, 100.0).expect("PNG") == plot::png(&svg, 100.0).expect("PNG"), "the PNG changes");
    }
}

#[test]
fn the_pdf_carries_its_font() {
    let pdf = plot::pdf(&plot::svg(&everything())).expect("PDF");
    assert!(pdf.starts_with(b"%PDF"));
    assert!(holds(&pdf, b"/FontFile"), "no font in the PDF: its text was dropped");
}

#[test]
fn the_png_shows_the_letters_of_the_font_inside_the_program() {
    let dark = |figure: &Figure| {
        let svg = plot::svg(figure);
        let png = plot::png(&svg, 150.0).expect("PNG");
        assert!(png.starts_with(b"\x89PNG"));
        png.len()
    };
    let bare =
        |title: &str| Figure::page(1, 40.0, vec![Panel::new(title, Axis::linear("x", ""), Axis::linear("y", ""))]);
    // A row of spaces is as wide as a row of letters but draws nothing.
    let (empty, letters) = (dark(&bare("          ")), dark(&bare("maximum dissipation of energy")));
    assert!(letters > empty + 500, "a title adds {} bytes to the picture", letters - empty);
}

#[test]
fn the_svg_has_its_true_size_and_its_words() {
    let svg = plot::svg(&everything());
    assert!(svg.starts_with("<svg width=\"175mm\""), "{}", &svg[..60]);
    for word in ["max-dissipation", "10⁻⁶", "number N", "error ε (N s)", "tip &lt; b̌ &amp; Ǎ", "(d)"] {
        assert!(svg.contains(word), "no {word} in the SVG");
    }
}

#[test]
fn a_spoilt_svg_is_an_error_and_no_panic() {
    let fault = plot::pdf("<svg").expect_err("no SVG").to_string();
    assert!(fault.contains("SVG"), "{fault}");
    assert!(plot::png(&plot::svg(&everything()), 1e9).is_err());
}

#[test]
fn the_gallery_is_written_for_the_eye() {
    let svg = plot::svg(&everything());
    let out = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("gallery.png");
    std::fs::write(&out, plot::png(&svg, 200.0).expect("PNG")).expect("the target directory can be written");
    assert!(out.is_file());
}

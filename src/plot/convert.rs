//! SVG to PDF and PNG.

use crate::error::Error;
use crate::error::Result;
use crate::plot::font;
use resvg::tiny_skia::Color;
use resvg::tiny_skia::Pixmap;
use resvg::tiny_skia::Transform;
use resvg::usvg::Tree;

/// Dots per inch of CSS lengths, in which usvg counts.
const CSS_DPI: f32 = 96.0;

fn tree(svg: &str) -> Result<Tree> {
    Tree::from_str(svg, &font::options())
        .map_err(|error| Error::input("SVG", format!("cannot be read: {error}"), "an SVG document is needed"))
}

/// An SVG document as PDF, text as text with its font inside.
///
/// # Errors
///
/// If the text is no SVG or cannot be expressed in PDF.
pub fn pdf(svg: &str) -> Result<Vec<u8>> {
    let page = svg2pdf::PageOptions { dpi: CSS_DPI };
    svg2pdf::to_pdf(&tree(svg)?, svg2pdf::ConversionOptions::default(), page)
        .map_err(|error| Error::input("SVG", format!("cannot be made a PDF: {error}"), "draw it again"))
}

/// An SVG document as PNG on white, `dpi` dots per inch.
///
/// # Errors
///
/// If the text is no SVG or the picture would be larger than memory allows.
pub fn png(svg: &str, dpi: f32) -> Result<Vec<u8>> {
    let tree = tree(svg)?;
    let scale = dpi / CSS_DPI;
    let size = tree.size();
    let pixels = |length: f32| (length * scale).ceil() as u32;
    let fault = |what: String| Error::input("PNG", what, "fewer dots per inch are needed");
    let mut picture = Pixmap::new(pixels(size.width()), pixels(size.height()))
        .ok_or_else(|| fault(format!("{size:?} at {dpi} dots per inch is no picture")))?;
    picture.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut picture.as_mut());
    picture.encode_png().map_err(|error| fault(error.to_string()))
}

//! The one font of all figures, for plotters (which measures text with it) and for usvg (which draws with it).
//!
//! It is one face only: svg2pdf keeps the faces of a document, and its transparent groups, in hash maps, so that two
//! of them would be written in an order that changes from run to run.

use plotters::style::FontStyle;
use plotters::style::IntoFont;
use plotters::style::register_font;
use resvg::usvg::Options;
use std::sync::Arc;
use std::sync::Once;

/// Families named in the SVG: the font inside the program first, then what a viewer without it has.
pub(super) const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// plotters divides the size of a font by this to get the em of SVG.
pub(super) const PLOTTERS_EM: f64 = 1.24;

/// Ascent less descent of DejaVu Sans in em: plotters measures with a font of this height for each unit of size.
const HEIGHT: f64 = 1.164;

/// Makes the font known to plotters; without it plotters draws no text, even into SVG.
pub(super) fn register() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        let registered = register_font(FAMILY, FontStyle::Normal, dejavu::sans::regular());
        assert!(registered.is_ok(), "the font inside the program is sound");
    });
}

/// Width of a line of text at `em`, in the unit of `em`.
pub(super) fn width(text: &str, em: f64) -> f64 {
    // plotters returns whole numbers: measure large.
    const LARGE: f64 = 1000.0;
    let ((left, _), (right, _)) = (FAMILY, LARGE).into_font().layout_box(text).expect("the font is registered");
    f64::from(right - left) * HEIGHT / LARGE * em
}

/// Options of usvg that know this font and no other, also under the name sans-serif: text in an unknown family would
/// be left out without a word.
pub(super) fn options() -> Options<'static> {
    let mut options = Options { font_family: "DejaVu Sans".into(), ..Options::default() };
    let fonts = Arc::make_mut(&mut options.fontdb);
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    options
}

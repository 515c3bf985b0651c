//! What a figure and a table show, as plain data. Nothing here draws and nothing here touches a file: an experiment
//! fills [`Table`]s, makes [`Figure`]s from them, and `plot` draws those.

mod contour;
mod number;
mod palette;
mod panel;
mod table;
mod view;

pub use contour::iso_lines;
pub use number::percent;
pub use number::power_of_ten;
pub use number::rounded;
pub use palette::Color;
pub use palette::Dash;
pub use palette::Marker;
pub use palette::Stroke;
pub use palette::law_stroke;
pub use palette::series_stroke;
pub use palette::shade;
pub use panel::Anchor;
pub use panel::Axis;
pub use panel::Figure;
pub use panel::Layer;
pub use panel::Panel;
pub use panel::Scale;
pub use table::Column;
pub use table::Table;
pub use table::Values;
pub use view::Solid;
pub use view::View;

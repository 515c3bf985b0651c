//! Draws a [`Figure`](crate::figure::Figure) as SVG, and that SVG as PDF and PNG. The same figure gives the same bytes on every run and on a
//! machine without fonts: the letters come from a font inside the program.
//!
//! ```text
//! Figure ──layout──▶ boxes, ticks ──canvas──▶ SVG ──▶ PDF (svg2pdf), PNG (resvg)
//! ```
//!
//! A [`View`](crate::figure::View) of bodies in space becomes a PNG by casting rays.

mod canvas;
mod clip;
mod convert;
mod draw;
mod font;
mod layout;
mod mapping;
mod picture;
mod ticks;

pub use convert::pdf;
pub use convert::png;
pub use draw::svg;
pub use picture::picture;

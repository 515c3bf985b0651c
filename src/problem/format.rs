//! Tells the file formats apart by their content.

use crate::error::Error;
use crate::error::Result;
use crate::problem::ContactProblem;
use crate::problem::fclib;
use crate::problem::json;
use crate::problem::siconos;

/// Reads a contact problem in any of the three formats.
///
/// # Errors
///
/// [`Error::Input`] with what is wrong and where; the name of the file is for the caller to add
/// ([`Error::in_file`]).
pub fn read(bytes: &[u8]) -> Result<ContactProblem> {
    const FORMATS: &str =
        "a contact problem is JSON ({\"delassus\": …, \"b\": …, \"mu\": …}), Siconos text or FCLIB HDF5";
    if fclib::is_hdf5(bytes) {
        return fclib::read(bytes);
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        return Err(Error::input("", "neither HDF5 nor text", FORMATS));
    };
    // Editors on Windows begin a text with a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    match text.trim_start().bytes().next() {
        None => Err(Error::input("", "the file is empty", FORMATS)),
        Some(b'{' | b'[' | b'"') => json::read(text),
        Some(b'0'..=b'9' | b'+' | b'-') => siconos::read(text),
        Some(_) => {
            let word: String = text.trim_start().chars().take_while(|c| !c.is_whitespace()).take(20).collect();
            Err(Error::input("", format!("not a contact problem: it begins with \"{word}\""), FORMATS))
        }
    }
}

//! `SCENE` on the command line: a scene file, or a name of the catalogue.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::law::Law;
use crate::scene;
use crate::scene::MAX_BYTES;
use crate::scene::Scene;
use crate::scene::catalogue;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::path::PathBuf;

/// Reads the scene `argument`, with the `KEY=VALUE` of `--set`; also the directory that its paths are relative to.
///
/// # Errors
///
/// If it cannot be read, or with everything that is wrong with it.
pub(super) fn load(argument: &str, overrides: &[String]) -> Result<(Scene, PathBuf)> {
    let path = Path::new(argument);
    let named = catalogue::entry(argument).is_some();
    let looks_like_a_file = path.extension().is_some_and(|end| end == "toml") || path.components().count() > 1;
    if named || !(looks_like_a_file || path.exists()) {
        return Ok((catalogue::scene(argument, overrides)?, PathBuf::from(".")));
    }
    let text = read(path)?;
    let base = path.parent().map_or_else(PathBuf::new, Path::to_path_buf);
    Ok((scene::parse(argument, &text, overrides)?, base))
}

/// The text of a scene file; of one that is too large no more is read than shows it.
fn read(path: &Path) -> Result<String> {
    let io = |source| Error::Io { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    File::open(path).map_err(io)?.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(io)?;
    let fault =
        |what: String, remedy: &str| Err(Error::from(Fault::new("", what, remedy).in_file(path.display().to_string())));
    if bytes.len() as u64 > MAX_BYTES {
        let what = format!("is larger than {MAX_BYTES} bytes");
        return fault(what, "a scene file is TOML text; put many particles into [[fill]]");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            fault(format!("is no text: byte {at} is not UTF-8"), "give a TOML file in UTF-8")
        }
    }
}

/// A law that scenes can be run under, by its name.
pub(super) fn law(name: &str) -> std::result::Result<Law, String> {
    let names: Vec<_> = Law::RUN.iter().map(|law| law.name()).collect();
    let known = name.parse().ok().filter(|law| Law::RUN.contains(law));
    known.ok_or_else(|| format!("scenes run under {}", names.join(", ")))
}

/// A simulated time in s: finite and not negative.
pub(super) fn time(text: &str) -> std::result::Result<f64, String> {
    let time = text.parse().ok().filter(|time: &f64| time.is_finite() && *time >= 0.0);
    time.ok_or_else(|| "give a time in s, such as 0.5".to_owned())
}

/// Number of threads where none is asked for.
pub(super) fn threads(asked: Option<u16>) -> usize {
    asked.map_or_else(crate::simulation::available_threads, usize::from)
}

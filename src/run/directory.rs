//! The directory of a new run.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use std::fs;
use std::io;
use std::path::Path;

/// Makes the directory, or takes an empty one.
///
/// # Errors
///
/// If it is a file, holds something, or cannot be made.
pub(super) fn prepare(out: &Path) -> Result<()> {
    let fault = |what: &str, remedy: &str| {
        Err(Error::from(Fault::new("--out", what, remedy).in_file(out.display().to_string())))
    };
    match fs::read_dir(out) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) if out.join("checkpoint.bin").exists() || out.join("manifest.json").exists() => {
                fault("holds a run", "go on with it by --resume, remove it, or give another directory")
            }
            Some(_) => fault("is not empty", "give a directory that is empty or not there"),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(out).map_err(|source| Error::Io { path: out.to_owned(), source })
        }
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            fault("is a file or lies below one", "give a directory that is empty or not there")
        }
        Err(source) => Err(Error::Io { path: out.to_owned(), source }),
    }
}

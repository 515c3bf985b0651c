//! Files that are there as a whole or not at all.

use crate::error::Error;
use crate::error::Result;
use std::fs;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

/// Writes `bytes` to `path` so that a reader, and a run that goes on after a crash, sees the old file or the new one
/// and never a part: written beside it, forced to the disk, renamed.
///
/// # Errors
///
/// [`Error::Io`] with the path.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let beside = beside(path);
    let io = |source| Error::Io { path: path.to_owned(), source };
    let mut file = File::create(&beside).map_err(io)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // A full disk: do not leave the half of it behind. That this fails too changes nothing.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(io)?;
    sync_directory(path);
    Ok(())
}

/// The temporary neighbour of `path`.
pub(super) fn beside(path: &Path) -> PathBuf {
    let name = path.file_name().map_or_else(Default::default, |name| name.to_string_lossy().into_owned());
    path.with_file_name(format!(".{name}.part"))
}

/// Forces the directory's entry for `path` to the disk, where the system can do that; without it the file is still
/// whole, only perhaps the older one after a loss of power.
pub(super) fn sync_directory(path: &Path) {
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty())
        && let Ok(directory) = File::open(parent)
    {
        let _ = directory.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_as_a_whole_and_nothing_is_left_beside_it() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("file.txt");
        write(&path, b"old").expect("written");
        write(&path, b"new").expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"new");
        assert_eq!(fs::read_dir(dir.path()).expect("listed").count(), 1);
    }

    #[test]
    fn where_nothing_can_be_written_the_path_is_named() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let error = write(&dir.path().join("none/file.txt"), b"x").expect_err("no such directory");
        assert!(error.to_string().contains("none/file.txt"), "{error}");
    }
}

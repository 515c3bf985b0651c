//! Results of the cases of an experiment, kept as each is finished, so that an interrupted experiment goes on with
//! what is left.

use crate::error::Error;
use crate::error::Result;
use crate::recorder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

/// Where results of cases are kept.
#[derive(Debug, Default)]
pub struct Kept {
    dir: Option<PathBuf>,
    /// Seconds that the cases took, those of earlier runs included; by name, since threads finish in any order.
    seconds: Mutex<Vec<(String, f64)>>,
}

/// What a result was computed from, how long it took, and the result.
#[derive(serde::Serialize, serde::Deserialize)]
struct Entry<T> {
    version: String,
    input: String,
    seconds: f64,
    value: T,
}

impl Kept {
    /// Nothing is kept.
    pub fn nowhere() -> Self {
        Self::default()
    }

    /// Results are kept in the folder `dir`, a file a case; it is made when the first is.
    pub fn at(dir: &Path) -> Self {
        Self { dir: Some(dir.to_owned()), ..Self::default() }
    }

    /// The result of the case `name` (a file name without ending): read back if it was computed from the same `input` by the
    /// same version, else computed and kept. A file that cannot be read counts as none.
    ///
    /// # Errors
    ///
    /// Those of `compute`, and if the result cannot be written.
    pub(in crate::experiment) fn case<T: Serialize + DeserializeOwned>(
        &self,
        name: &str,
        input: &str,
        compute: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        const VERSION: &str = env!("CARGO_PKG_VERSION");
        let path = self.dir.as_ref().map(|dir| dir.join(format!("{name}.cbor")));
        let old = path.as_ref().and_then(|path| {
            let bytes = fs::read(path).ok()?;
            ciborium::from_reader::<Entry<T>, _>(bytes.as_slice()).ok()
        });
        if let Some(entry) = old.filter(|entry| entry.version == VERSION && entry.input == input) {
            self.took(name, entry.seconds);
            return Ok(entry.value);
        }
        let start = Instant::now();
        let value = compute()?;
        let entry =
            Entry { version: VERSION.into(), input: input.into(), seconds: start.elapsed().as_secs_f64(), value };
        self.took(name, entry.seconds);
        if let (Some(path), Some(dir)) = (path, &self.dir) {
            fs::create_dir_all(dir).map_err(|source| Error::Io { path: dir.clone(), source })?;
            let mut bytes = Vec::new();
            ciborium::into_writer(&entry, &mut bytes).expect("numbers and words are written to memory");
            recorder::write_atomically(&path, &bytes)?;
        }
        Ok(entry.value)
    }

    fn took(&self, name: &str, seconds: f64) {
        self.seconds.lock().expect("no case panics while it holds the lock").push((name.into(), seconds));
    }

    /// Seconds that all cases took together, each on one thread; `None` if the experiment has no cases.
    pub fn seconds(&self) -> Option<f64> {
        let list = self.seconds.lock().expect("no case panics while it holds the lock");
        (!list.is_empty()).then(|| list.iter().map(|(_, seconds)| seconds).sum())
    }

    /// Takes the kept results away.
    ///
    /// # Errors
    ///
    /// If they cannot be removed.
    pub fn clear(&self) -> Result<()> {
        match &self.dir {
            Some(dir) if dir.exists() => {
                fs::remove_dir_all(dir).map_err(|source| Error::Io { path: dir.clone(), source })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finished_case_is_not_computed_again_unless_its_input_changed_or_its_file_is_spoilt() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let place = dir.path().join("cases");
        let get = |input: &str, value: f64| {
            let kept = Kept::at(&place);
            let got = kept.case("one", input, || Ok(vec![value, f64::NAN])).expect("computed");
            assert!(got[1].is_nan() && kept.seconds().is_some());
            got[0]
        };
        assert!((get("μ = 1", 1.0) - 1.0).abs() < 1e-15);
        assert!((get("μ = 1", 2.0) - 1.0).abs() < 1e-15, "computed again");
        assert!((get("μ = 2", 3.0) - 3.0).abs() < 1e-15, "taken although its input changed");
        fs::write(place.join("one.cbor"), "half").expect("written");
        assert!((get("μ = 2", 4.0) - 4.0).abs() < 1e-15, "a spoilt file was taken");
        Kept::at(&place).clear().expect("cleared");
        assert!(!place.exists());
    }

    #[test]
    fn without_a_place_everything_is_computed() {
        let kept = Kept::nowhere();
        for value in [1.0_f64, 2.0] {
            assert!((kept.case("one", "", || Ok(value)).expect("computed") - value).abs() < 1e-15);
        }
    }
}

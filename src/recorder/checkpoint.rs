//! The checkpoint: everything that going on needs, with a checksum, and the one before it.
//!
//! ```text
//! bytes  0..8   "MAXDISSC"
//!        8..12  format, u32
//!       12..20  length of the payload in bytes, u64
//!       20..28  FNV-1a checksum of the payload, u64
//!       28..    payload, CBOR: every f64 is kept to the bit          (integers little-endian)
//! ```

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::recorder::atomic;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;
use std::io;
use std::path::Path;
use std::path::PathBuf;

const MAGIC: &[u8; 8] = b"MAXDISSC";
const FORMAT: u32 = 2;
const HEAD: usize = 28;

/// The two checkpoint files of a run directory.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    current: PathBuf,
    previous: PathBuf,
}

/// A checkpoint that was read.
#[derive(Debug)]
pub struct Loaded<T> {
    /// What was saved.
    pub state: T,
    /// What was wrong with the newer one, if the one before it had to be taken.
    pub instead_of: Option<String>,
}

/// Why a file gives no state.
enum Unusable {
    Missing,
    Damaged(String),
}

impl Checkpoint {
    /// The checkpoint files of the run directory `dir`.
    pub fn of(dir: &Path) -> Self {
        Self { current: dir.join("checkpoint.bin"), previous: dir.join("checkpoint-previous.bin") }
    }

    /// Saves `state`; what was the newest checkpoint becomes the one before.
    ///
    /// # Errors
    ///
    /// [`Error::Io`]; the checkpoints that were there stay.
    pub fn save<T: Serialize>(&self, state: &T) -> Result<()> {
        let io = |source| Error::Io { path: self.current.clone(), source };
        let mut bytes = vec![0; HEAD];
        ciborium::into_writer(state, &mut bytes).map_err(|error| io(io::Error::other(error.to_string())))?;
        let sum = checksum(&bytes[HEAD..]);
        bytes[0..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&FORMAT.to_le_bytes());
        let length = (bytes.len() - HEAD) as u64;
        bytes[12..20].copy_from_slice(&length.to_le_bytes());
        bytes[20..28].copy_from_slice(&sum.to_le_bytes());
        // The new one is whole on the disk before the old one gives up its name: at any moment one of the two is good.
        let new = self.current.with_file_name("checkpoint-new.bin");
        atomic::write(&new, &bytes)?;
        match fs::rename(&self.current, &self.previous) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => return Err(io(source)),
            _ => {}
        }
        fs::rename(&new, &self.current).map_err(io)?;
        atomic::sync_directory(&self.current);
        Ok(())
    }

    /// The newest usable checkpoint.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] that tells a missing checkpoint from a damaged one.
    pub fn load<T: DeserializeOwned>(&self) -> Result<Loaded<T>> {
        let damage = match read(&self.current) {
            Ok(state) => return Ok(Loaded { state, instead_of: None }),
            Err(unusable) => unusable,
        };
        match (read(&self.previous), damage) {
            (Ok(state), Unusable::Damaged(what)) => Ok(Loaded { state, instead_of: Some(what) }),
            (Ok(state), Unusable::Missing) => Ok(Loaded { state, instead_of: Some("it is missing".into()) }),
            (Err(Unusable::Missing), Unusable::Missing) => Err(self.fault(
                "there is no checkpoint: the run stopped before its first one, or this is no run directory",
                "run without --resume into a new directory",
            )),
            (_, Unusable::Damaged(what)) => Err(self.fault(
                &format!("the checkpoint is damaged ({what}) and there is no usable one before it"),
                "restore the file, or run again without --resume into a new directory",
            )),
            (Err(Unusable::Damaged(what)), Unusable::Missing) => Err(self.fault(
                &format!("the checkpoint is missing and the one before it is damaged ({what})"),
                "restore the file, or run again without --resume into a new directory",
            )),
        }
    }

    fn fault(&self, what: &str, remedy: &str) -> Error {
        Error::from(Fault::new("", what, remedy).in_file(self.current.display().to_string()))
    }
}

fn read<T: DeserializeOwned>(path: &Path) -> std::result::Result<T, Unusable> {
    let damaged = |what: String| Err(Unusable::Damaged(what));
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(Unusable::Missing),
        Err(error) => return damaged(error.to_string()),
    };
    let Some((head, payload)) = bytes.split_at_checked(HEAD).filter(|(head, _)| &head[..8] == MAGIC) else {
        return damaged("it does not begin as a checkpoint does".into());
    };
    let number = |range: std::ops::Range<usize>| head[range].iter().rev().fold(0, |n, byte| n << 8 | u64::from(*byte));
    if number(8..12) != u64::from(FORMAT) {
        return damaged(format!("format {}; this program reads {FORMAT}", number(8..12)));
    }
    if number(12..20) != payload.len() as u64 {
        return damaged(format!("{} of {} bytes are there", payload.len(), number(12..20)));
    }
    if number(20..28) != checksum(payload) {
        return damaged("its checksum does not match".into());
    }
    ciborium::from_reader(payload).or_else(|error| damaged(format!("it does not fit this program: {error}")))
}

/// The FNV-1a hash in 64 bits: every change of a single byte changes it.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    type State = (u64, Vec<f64>);

    fn state(n: u64) -> State {
        (n, vec![0.1, -0.0, f64::INFINITY, 5e-324, f64::MAX, f64::NAN])
    }

    fn bits(state: &State) -> Vec<u64> {
        state.1.iter().map(|x| x.to_bits()).collect()
    }

    #[test]
    fn every_number_comes_back_to_the_bit() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let checkpoint = Checkpoint::of(dir.path());
        checkpoint.save(&state(3)).expect("saved");
        let loaded: Loaded<State> = checkpoint.load().expect("loaded");
        assert_eq!(loaded.state.0, 3);
        assert_eq!(bits(&loaded.state), bits(&state(3)));
        assert!(loaded.instead_of.is_none());
    }

    #[test]
    fn each_damage_is_seen_and_the_one_before_is_taken() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let checkpoint = Checkpoint::of(dir.path());
        checkpoint.save(&state(1)).expect("saved");
        checkpoint.save(&state(2)).expect("saved");
        let good = fs::read(&checkpoint.current).expect("there");
        let mut tried = 0;
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            fs::write(&checkpoint.current, &bad).expect("written");
            let loaded: Loaded<State> = checkpoint.load().expect("the one before is good");
            assert_eq!(loaded.state.0, 1, "byte {at}");
            assert!(loaded.instead_of.is_some());
            tried += 1;
        }
        assert!(tried > 10);
        fs::write(&checkpoint.current, &good[..good.len() - 1]).expect("written");
        let loaded: Loaded<State> = checkpoint.load().expect("the one before is good");
        assert!(loaded.instead_of.is_some_and(|what| what.contains("bytes are there")));
        fs::remove_file(&checkpoint.current).expect("removed");
        assert_eq!(checkpoint.load::<State>().expect("the one before").state.0, 1);
    }

    #[test]
    fn missing_is_told_apart_from_damaged() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let checkpoint = Checkpoint::of(dir.path());
        let missing = checkpoint.load::<State>().expect_err("nothing there").to_string();
        assert!(missing.contains("there is no checkpoint"), "{missing}");
        fs::write(&checkpoint.current, b"rubbish").expect("written");
        let damaged = checkpoint.load::<State>().expect_err("rubbish").to_string();
        assert!(damaged.contains("is damaged"), "{damaged}");
    }
}

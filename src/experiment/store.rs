//! The folder of an experiment: its tables, and a record of what they were computed with.
//!
//! The record is written last and taken away first, so that a computation that was cut short is not mistaken for a
//! finished one.

use crate::error::Error;
use crate::error::Result;
use crate::experiment::Kept;
use crate::experiment::Preset;
use crate::experiment::Tables;
use crate::figure::Table;
use crate::recorder;
use std::fs;
use std::path::Path;
use std::path::PathBuf;

/// Name of the record in the folder.
const RECORD: &str = "case.json";

/// What the tables of a folder were computed with.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Record {
    /// Name of the experiment.
    pub experiment: String,
    /// Preset.
    pub preset: Preset,
    /// Version of the program.
    pub version: String,
    /// Names of the tables, in order.
    pub tables: Vec<String>,
    /// Seconds that all its cases took together, each on one thread; only for experiments with cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// The folder of one experiment.
#[derive(Clone, Debug)]
pub struct Case {
    dir: PathBuf,
}

impl Case {
    /// The folder of the experiment `name` below `out`; nothing is touched yet.
    pub fn new(out: &Path, name: &str) -> Self {
        Self { dir: out.join(name) }
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The record of a finished case; `None` if there is none or it cannot be read.
    pub fn record(&self) -> Option<Record> {
        let text = fs::read_to_string(self.dir.join(RECORD)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Where results of finished cases are kept while the experiment is computed.
    pub fn kept(&self) -> Kept {
        Kept::at(&self.dir.join("cases"))
    }

    /// Makes the folder and takes away the record of what was there.
    ///
    /// # Errors
    ///
    /// If the folder cannot be made or written.
    pub fn begin(&self) -> Result<()> {
        fs::create_dir_all(&self.dir).map_err(|source| Error::Io { path: self.dir.clone(), source })?;
        let record = self.dir.join(RECORD);
        match fs::remove_file(&record) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(Error::Io { path: record, source }),
            _ => Ok(()),
        }
    }

    /// Writes a file of the folder, whole or not at all.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<()> {
        recorder::write_atomically(&self.dir.join(name), bytes)
    }

    /// Writes the tables and then the record; `seconds` is the time that the cases took.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn finish(
        &self,
        experiment: &str,
        preset: Preset,
        version: &str,
        tables: &Tables,
        seconds: Option<f64>,
    ) -> Result<()> {
        for (name, table) in tables.iter() {
            self.write(&format!("{name}.csv"), table.to_csv().as_bytes())?;
        }
        let record = Record {
            experiment: experiment.into(),
            preset,
            version: version.into(),
            tables: tables.iter().map(|(name, _)| name.to_owned()).collect(),
            // To the second: more says nothing.
            seconds: seconds.map(f64::round),
        };
        let text = serde_json::to_string_pretty(&record).expect("a record is words and lists of words");
        self.write(RECORD, format!("{text}\n").as_bytes())
    }

    /// Reads the tables that a record names.
    ///
    /// # Errors
    ///
    /// If a table is missing or spoilt.
    pub fn tables(&self, record: &Record) -> Result<Tables> {
        record.tables.iter().try_fold(Tables::new(), |tables, name| {
            let path = self.dir.join(format!("{name}.csv"));
            let text = fs::read_to_string(&path).map_err(|source| Error::Io { path: path.clone(), source })?;
            let table = Table::from_csv(&text).map_err(|error| error.in_file(&path.to_string_lossy()))?;
            Ok(tables.with(name.clone(), table))
        })
    }
}

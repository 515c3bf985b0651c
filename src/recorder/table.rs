//! Tables of numbers as CSV files that grow line by line.
//!
//! They are the tables of [`crate::figure::Table`], row by row: the first line names the columns with their units,
//! `time [s]`, numbers are written with as many digits as bring the same `f64` back, and words without brackets.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::figure::Table;
use std::fs;
use std::fs::File;
use std::fs::OpenOptions;
use std::io::BufWriter;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;

/// A table that is being written.
#[derive(Debug)]
pub struct TableWriter {
    path: PathBuf,
    file: BufWriter<File>,
    columns: usize,
    line: String,
}

impl TableWriter {
    /// A new table with these columns.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] with the path.
    pub fn create(path: &Path, columns: &[&str]) -> Result<Self> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        let mut file = BufWriter::new(File::create(path).map_err(io)?);
        writeln!(file, "{}", columns.join(",")).and_then(|()| file.flush()).map_err(io)?;
        Ok(Self { path: path.to_owned(), file, columns: columns.len(), line: String::new() })
    }

    /// Goes on with a table whose first column is the step: rows after `step`, and a row that is not complete, are cut.
    ///
    /// # Errors
    ///
    /// [`Error::Io`]; [`Error::Input`] if the columns are others.
    pub fn resume(path: &Path, columns: &[&str], step: u64) -> Result<Self> {
        let io = |source| Error::Io { path: path.to_owned(), source };
        let text = fs::read_to_string(path).map_err(io)?;
        let header = columns.join(",");
        let Some(rows) = text.strip_prefix(&header).and_then(|rest| rest.strip_prefix('\n')) else {
            let fault = Fault::new("", "has other columns than this run writes", "restore the file or run again");
            return Err(Error::from(fault.in_file(path.display().to_string())));
        };
        let mut keep = header.len() + 1;
        for row in rows.split_inclusive('\n') {
            let at = row.split(',').next().and_then(|first| first.parse::<u64>().ok());
            if !row.ends_with('\n') || at.is_none_or(|at| at > step) {
                break;
            }
            keep += row.len();
        }
        let file = OpenOptions::new().append(true).open(path).map_err(io)?;
        file.set_len(keep as u64).map_err(io)?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), columns: columns.len(), line: String::new() })
    }

    /// A new table, or one that is gone on with after the step `resume`.
    ///
    /// # Errors
    ///
    /// As [`TableWriter::create`] and [`TableWriter::resume`].
    pub fn open(path: &Path, columns: &[&str], resume: Option<u64>) -> Result<Self> {
        match resume {
            None => Self::create(path, columns),
            Some(step) => Self::resume(path, columns, step),
        }
    }

    /// Begins a row with the step it belongs to.
    pub fn begin(&mut self, step: u64) -> &mut Self {
        self.line.clear();
        self.line.push_str(&step.to_string());
        self
    }

    /// Adds a number to the row.
    pub fn number(&mut self, value: f64) -> &mut Self {
        // `Debug` of an f64 is the shortest text that reads back as the same bits, with an exponent where it is long.
        // What is no number is an empty cell.
        let text = if value.is_nan() { ",".to_owned() } else { format!(",{value:?}") };
        self.line.push_str(&text);
        self
    }

    /// Adds a whole number to the row.
    pub fn count(&mut self, value: u64) -> &mut Self {
        self.line.push_str(&format!(",{value}"));
        self
    }

    /// Adds a word to the row.
    pub fn word(&mut self, value: &str) -> &mut Self {
        self.line.push(',');
        self.line.push_str(&quoted(value));
        self
    }

    /// Ends the row.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] with the path.
    pub fn end(&mut self) -> Result<()> {
        debug_assert!(self.line.contains('"') || self.line.split(',').count() == self.columns, "{}", self.line);
        self.line.push('\n');
        self.file.write_all(self.line.as_bytes()).map_err(|source| Error::Io { path: self.path.clone(), source })
    }

    /// Hands the rows to the system; `to_disk` waits until they are on the disk.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] with the path.
    pub fn flush(&mut self, to_disk: bool) -> Result<()> {
        let written = self.file.flush();
        let written = if to_disk { written.and_then(|()| self.file.get_ref().sync_data()) } else { written };
        written.map_err(|source| Error::Io { path: self.path.clone(), source })
    }
}

/// A word as a CSV field.
pub(super) fn quoted(word: &str) -> String {
    if word.contains([',', '"', '\n', '\r']) { format!("\"{}\"", word.replace('"', "\"\"")) } else { word.to_owned() }
}

/// Reads a table of a run; a last row that is not complete is left out.
///
/// # Errors
///
/// [`Error::Io`]; [`Error::Input`] if it is no table.
pub fn read_table(path: &Path) -> Result<Table> {
    let text = fs::read_to_string(path).map_err(|source| Error::Io { path: path.to_owned(), source })?;
    let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
    Table::from_csv(complete).map_err(|error| error.in_file(&path.display().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&str; 3] = ["step [1]", "time [s]", "name"];

    fn filled(path: &Path, steps: std::ops::RangeInclusive<u64>) {
        let mut table = TableWriter::create(path, &COLUMNS).expect("created");
        for step in steps {
            table.begin(step).number(0.1 * step as f64).word("a, \"b\"").end().expect("written");
        }
        table.flush(true).expect("written");
    }

    #[test]
    fn numbers_and_words_come_back_as_they_were() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let path = dir.path().join("t.csv");
        filled(&path, 0..=3);
        let table = read_table(&path).expect("read");
        let times = table.numbers("time").expect("there");
        assert_eq!(times.iter().map(|t| t.to_bits()).collect::<Vec<_>>(), [0.0, 0.1, 0.2, 0.1 * 3.0].map(f64::to_bits));
        assert!(table.words("name").expect("there").iter().all(|name| name == "a, \"b\""));
    }

    #[test]
    fn a_torn_last_line_is_left_out_and_cut_on_resume() {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let (torn, whole) = (dir.path().join("torn.csv"), dir.path().join("whole.csv"));
        filled(&torn, 0..=9);
        let text = fs::read_to_string(&torn).expect("there");
        fs::write(&torn, &text[..text.len() - 5]).expect("written");
        assert_eq!(read_table(&torn).expect("read").rows(), 9);
        let mut table = TableWriter::resume(&torn, &COLUMNS, 6).expect("resumed");
        table.begin(7).number(0.1 * 7.0).word("a, \"b\"").end().expect("written");
        table.flush(false).expect("written");
        filled(&whole, 0..=7);
        assert_eq!(fs::read(&torn).expect("there"), fs::read(&whole).expect("there"));
    }
}

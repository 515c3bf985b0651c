//! A table: named columns of numbers with units, or of words, and its CSV text in both directions.
//!
//! ```text
//! law,mu [1],speed [m/s]
//! coulomb,0.5,0.123456789012345
//! ```
//!
//! A column of numbers says its unit in brackets, `[1]` where it has none; a column of words has no brackets, so that
//! reading back needs no guess. Numbers are the shortest text that reads back as the same `f64`; a number that is
//! missing is an empty cell and reads as NaN.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;

/// What a column holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers in the column's unit.
    Numbers(Vec<f64>),
    /// Words.
    Words(Vec<String>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Words(words) => words.len(),
        }
    }
}

/// A named column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Unit in SI, "1" for a number without one; empty for words.
    pub unit: String,
    /// Its cells.
    pub values: Values,
}

/// A table: columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
}

impl Table {
    /// A table without columns.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same table with a column of numbers, `unit` "1" where they have none.
    ///
    /// # Panics
    ///
    /// If the column is not as long as the others, or its name is taken.
    #[must_use]
    pub fn with_numbers(self, name: &str, unit: &str, numbers: Vec<f64>) -> Self {
        self.with_column(Column { name: name.into(), unit: unit.into(), values: Values::Numbers(numbers) })
    }

    /// The same table with a column of words.
    ///
    /// # Panics
    ///
    /// If the column is not as long as the others, or its name is taken.
    #[must_use]
    pub fn with_words<W: Into<String>>(self, name: &str, words: impl IntoIterator<Item = W>) -> Self {
        let words = words.into_iter().map(Into::into).collect();
        self.with_column(Column { name: name.into(), unit: String::new(), values: Values::Words(words) })
    }

    fn with_column(mut self, column: Column) -> Self {
        if let Some(first) = self.columns.first() {
            let (rows, new) = (first.values.len(), column.values.len());
            assert!(rows == new, "column {} has {new} rows, the table {rows}", column.name);
        }
        assert!(self.columns.iter().all(|c| c.name != column.name), "two columns are named {}", column.name);
        self.columns.push(column);
        self
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// The numbers of a column.
    ///
    /// # Errors
    ///
    /// If there is no such column or it holds words.
    pub fn numbers(&self, name: &str) -> Result<&[f64]> {
        match &self.column(name)?.values {
            Values::Numbers(numbers) => Ok(numbers),
            Values::Words(_) => Err(Error::input(format!("column {name}"), "holds words", "numbers are needed")),
        }
    }

    /// The words of a column.
    ///
    /// # Errors
    ///
    /// If there is no such column or it holds numbers.
    pub fn words(&self, name: &str) -> Result<&[String]> {
        match &self.column(name)?.values {
            Values::Words(words) => Ok(words),
            Values::Numbers(_) => Err(Error::input(format!("column {name}"), "holds numbers", "words are needed")),
        }
    }

    /// The points (x, y) of two columns of numbers, of the rows in which `chosen` holds.
    ///
    /// # Errors
    ///
    /// As [`Table::numbers`].
    pub fn points(&self, x: &str, y: &str, chosen: impl Fn(usize) -> bool) -> Result<Vec<[f64; 2]>> {
        let (x, y) = (self.numbers(x)?, self.numbers(y)?);
        Ok((0..self.rows()).filter(|&row| chosen(row)).map(|row| [x[row], y[row]]).collect())
    }

    fn column(&self, name: &str) -> Result<&Column> {
        self.columns.iter().find(|column| column.name == name).ok_or_else(|| {
            let names: Vec<_> = self.columns.iter().map(|column| column.name.as_str()).collect();
            Error::input(format!("column {name}"), "is missing", format!("the table has {}", names.join(", ")))
        })
    }

    /// The table as CSV text.
    pub fn to_csv(&self) -> String {
        let mut writer = csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
        let header = self.columns.iter().map(|column| match column.values {
            Values::Numbers(_) => format!("{} [{}]", column.name, column.unit),
            Values::Words(_) => column.name.clone(),
        });
        let rows = (0..self.rows()).map(|row| {
            let cells = self.columns.iter().map(move |column| match &column.values {
                Values::Numbers(numbers) if numbers[row].is_nan() => String::new(),
                Values::Numbers(numbers) => format!("{:?}", numbers[row]),
                Values::Words(words) => words[row].clone(),
            });
            cells.collect::<Vec<_>>()
        });
        for record in std::iter::once(header.collect::<Vec<_>>()).chain(rows) {
            writer.write_record(record).expect("rows of equal length are written to memory");
        }
        let bytes = writer.into_inner().expect("memory can be written");
        String::from_utf8(bytes).expect("cells are text")
    }

    /// Reads what [`Table::to_csv`] writes.
    ///
    /// # Errors
    ///
    /// If the text is not a table: rows of unequal length, or a cell of a column of numbers that is not a number.
    pub fn from_csv(text: &str) -> Result<Self> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let mut columns: Vec<Column> = Vec::new();
        for (row, record) in reader.records().enumerate() {
            let record = record.map_err(|error| {
                let line = error.position().map_or(row + 1, |position| position.line() as usize);
                Fault::new("", format!("not a table: {error}"), "rows of equal length are needed").at_line(line)
            })?;
            if row == 0 {
                columns = record.iter().map(header).collect();
                continue;
            }
            for (column, cell) in columns.iter_mut().zip(record.iter()) {
                match &mut column.values {
                    Values::Words(words) => words.push(cell.into()),
                    Values::Numbers(numbers) if cell.is_empty() => numbers.push(f64::NAN),
                    Values::Numbers(numbers) => numbers.push(cell.parse().map_err(|_| {
                        let key = format!("column {}", column.name);
                        Fault::new(key, format!("\"{cell}\" is not a number"), "a number or an empty cell is needed")
                            .at_line(row + 1)
                    })?),
                }
            }
        }
        Ok(Self { columns })
    }
}

/// An empty column from its header cell.
fn header(cell: &str) -> Column {
    match cell.strip_suffix(']').and_then(|cell| cell.rsplit_once(" [")) {
        Some((name, unit)) => Column { name: name.into(), unit: unit.into(), values: Values::Numbers(Vec::new()) },
        None => Column { name: cell.into(), unit: String::new(), values: Values::Words(Vec::new()) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_and_word_comes_back_from_csv_as_it_was() {
        let numbers =
            vec![0.1 + 0.2, -0.0, 5e-324, f64::MAX, 1e-150, f64::INFINITY, f64::NEG_INFINITY, 1.0 / 3.0, 1e22];
        let words = ["", "a,b", "\"quoted\"", "two\nlines", "1.5", "µ", "x [m]", " ", "end"];
        let table = Table::new().with_numbers("x", "m/s", numbers.clone()).with_words("word", words);
        let back = Table::from_csv(&table.to_csv()).expect("own text");
        let bits = |v: &[f64]| v.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(back.numbers("x").expect("kept")), bits(&numbers));
        assert_eq!(back.words("word").expect("kept"), words);
        assert_eq!(back.columns()[0].unit, "m/s");
    }

    #[test]
    fn a_missing_number_is_an_empty_cell() {
        let table = Table::new().with_numbers("x", "1", vec![1.0, f64::NAN]).with_words("w", ["a", "b"]);
        assert_eq!(table.to_csv(), "x [1],w\n1.0,a\n,b\n");
        assert!(Table::from_csv(&table.to_csv()).expect("own text").numbers("x").expect("kept")[1].is_nan());
    }

    #[test]
    fn a_spoilt_cell_is_named_with_its_line_and_column() {
        let fault = Table::from_csv("x [m]\n1.0\ntwo\n").expect_err("not a number").to_string();
        assert!(fault.contains("column x") && fault.contains("\"two\""), "{fault}");
        let fault = Table::from_csv("x [m],y [m]\n1.0\n").expect_err("short row").to_string();
        assert!(fault.contains("not a table"), "{fault}");
    }

    #[test]
    fn a_column_that_is_not_there_is_said_with_those_that_are() {
        let fault = Table::new().with_words("law", ["cone"]).numbers("mu").expect_err("absent").to_string();
        assert!(fault.contains("column mu") && fault.contains("law"), "{fault}");
    }
}

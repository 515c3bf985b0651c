//! The set-up of an experiment as a table, so that the README takes its numbers from the data as well.

use crate::error::Result;
use crate::experiment::Preset;
use crate::figure::Table;
use crate::figure::Values;

/// Where the paper's text has no number, the choice is this project's.
pub(in crate::experiment) const OURS: &str = "ours";
/// Stated in the paper's text (sections 1 and 2).
pub(in crate::experiment) const PAPER: &str = "paper";

/// Rows of quantity, value, unit and source.
pub(in crate::experiment) struct Setup {
    rows: Vec<[String; 4]>,
}

impl Setup {
    /// A set-up that says its preset.
    pub(in crate::experiment) fn new(preset: Preset) -> Self {
        Self { rows: Vec::new() }.with("preset", preset, "", "")
    }

    /// The same with one more row.
    pub(in crate::experiment) fn with(mut self, what: &str, value: impl ToString, unit: &str, source: &str) -> Self {
        self.rows.push([what.into(), value.to_string(), unit.into(), source.into()]);
        self
    }

    /// As a table.
    pub(in crate::experiment) fn table(&self) -> Table {
        let column = |k: usize| self.rows.iter().map(move |row| row[k].clone());
        Table::new()
            .with_words("quantity", column(0))
            .with_words("value", column(1))
            .with_words("unit", column(2))
            .with_words("source", column(3))
    }
}

/// The value of a quantity in a set-up read back.
pub(in crate::experiment) fn value<'a>(setup: &'a Table, quantity: &str) -> Result<&'a str> {
    let found = setup.words("quantity")?.iter().position(|name| name == quantity);
    let row = found.ok_or_else(|| {
        crate::error::Error::input(
            format!("set-up: {quantity}"),
            "is missing",
            "compute the experiment again with --force",
        )
    })?;
    Ok(&setup.words("value")?[row])
}

/// Any table as Markdown, its numbers to `digits` significant digits.
pub(in crate::experiment) fn markdown(table: &Table, digits: usize) -> String {
    let columns = table.columns();
    let cell = |row: usize, column: usize| match &columns[column].values {
        Values::Words(words) => words[row].clone(),
        Values::Numbers(numbers) => {
            let x = numbers[row];
            // Counts and other whole numbers keep all their digits.
            if x.fract() == 0.0 && x.abs() < 1e9 { format!("{x}") } else { crate::figure::rounded(x, digits) }
        }
    };
    let head = columns.iter().map(|column| match column.unit.as_str() {
        "" | "1" => column.name.clone(),
        unit => format!("{} ({unit})", column.name),
    });
    let mut text = format!("| {} |\n|{}\n", head.collect::<Vec<_>>().join(" | "), "---|".repeat(columns.len()));
    for row in 0..table.rows() {
        let cells = (0..columns.len()).map(|column| cell(row, column));
        text += &format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "));
    }
    text
}

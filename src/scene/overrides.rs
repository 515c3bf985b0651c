//! `--set KEY=VALUE`: a value that the command line puts in the place of the file's.

use crate::scene::source::Source;
use serde_spanned::Spanned;
use std::borrow::Cow;
use toml::de::DeTable;
use toml::de::DeValue;

/// What makes a value a TOML document of its own.
const LEAD: &str = "v=";

/// An assignment of the command line, ready to be parsed.
pub(super) struct Override {
    assignment: String,
    key: String,
    /// The value, behind as many blanks as the file and the earlier values are long: positions in it are positions
    /// behind the file's text, so that a fault in it is told as one of `--set`.
    padded: String,
}

impl Override {
    /// Splits `KEY=VALUE`; a fault is noted if it is none.
    pub(super) fn new(source: &mut Source, assignment: &str) -> Option<Self> {
        let Some((key, value)) = assignment.split_once('=') else {
            source.assignment_fault(assignment, "no `=`", "write KEY=VALUE, such as step=0.001");
            return None;
        };
        let (key, value) = (key.trim(), value.trim());
        let at = source.append(assignment, value);
        let padded = format!("{}{LEAD}{value}", " ".repeat(at - LEAD.len()));
        Some(Self { assignment: assignment.to_owned(), key: key.to_owned(), padded })
    }

    /// Puts the value into the scene's table. A key path is written as in messages, `materials.steel.friction` or
    /// `bodies[0].velocity`, or with the entry's name, `bodies.ball.velocity`.
    pub(super) fn apply<'t>(&'t self, source: &Source, table: &mut DeTable<'t>) {
        let Some(segments) = segments(&self.key) else {
            let what = format!("\"{}\" is no key path", self.key);
            source.assignment_fault(&self.assignment, what, "write it as step or bodies[0].velocity");
            return;
        };
        let text = &self.padded.trim_start()[LEAD.len()..];
        let span = self.padded.len() - text.len()..self.padded.len();
        // What is no TOML value is a text: quotes do not survive a shell.
        let value = DeTable::parse(&self.padded)
            .ok()
            .filter(|table| table.get_ref().len() == 1)
            .and_then(|table| table.into_inner().remove(LEAD.trim_end_matches('=')))
            .unwrap_or_else(|| Spanned::new(span.clone(), DeValue::String(Cow::Borrowed(text))));
        let value = Spanned::new(span, value.into_inner());
        let (Some((Segment::Key(first), rest)), true) = (segments.split_first(), !text.is_empty()) else {
            source.assignment_fault(&self.assignment, "no value", "write KEY=VALUE, such as step=0.001");
            return;
        };
        if let Err(what) = put_key(table, first, rest, value) {
            source.assignment_fault(&self.assignment, what, "give the path of a key of the scene, as in the file");
        }
    }
}

/// One step of a key path.
#[derive(Debug, PartialEq)]
enum Segment<'k> {
    Key(&'k str),
    Index(usize),
}

/// `a.b[2].c` in its steps.
fn segments(key: &str) -> Option<Vec<Segment<'_>>> {
    let mut segments = Vec::new();
    for part in key.split('.') {
        let (name, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
        if name.is_empty() {
            return None;
        }
        segments.push(Segment::Key(name));
        for index in indices.split('[').skip(1) {
            segments.push(Segment::Index(index.strip_suffix(']')?.parse().ok()?));
        }
    }
    Some(segments)
}

/// Puts `value` at `key`, then `rest`, of `table`; tables on the way are made.
fn put_key<'t>(
    table: &mut DeTable<'t>,
    key: &'t str,
    rest: &[Segment<'t>],
    value: Spanned<DeValue<'t>>,
) -> Result<(), String> {
    let span = value.span();
    if rest.is_empty() {
        // Removed first: the key that stays is the one with the place of the new value.
        table.remove(key);
        table.insert(Spanned::new(span, Cow::Borrowed(key)), value);
        return Ok(());
    }
    if table.get_mut(key).is_none() {
        let empty = Spanned::new(span.clone(), DeValue::Table(DeTable::new()));
        table.insert(Spanned::new(span, Cow::Borrowed(key)), empty);
    }
    let next = table.get_mut(key).expect("inserted above");
    put(next.get_mut(), key, rest, value)
}

/// Puts `value` at `path` (not empty) of `place`, which is called `name`.
fn put<'t>(
    place: &mut DeValue<'t>,
    name: &str,
    path: &[Segment<'t>],
    value: Spanned<DeValue<'t>>,
) -> Result<(), String> {
    let (first, rest) = path.split_first().expect("callers give at least one segment");
    match (place, first) {
        (DeValue::Table(table), Segment::Key(key)) => put_key(table, key, rest, value),
        (DeValue::Array(array), segment) => {
            let count = array.len();
            let index = match segment {
                Segment::Index(index) => Some(*index),
                Segment::Key(key) => array.iter().position(|entry| named(entry.get_ref(), key)),
            };
            let Some(entry) = index.and_then(|index| array.get_mut(index)) else {
                return Err(match segment {
                    Segment::Index(index) => format!("`{name}` has {count} entries, no number {index}"),
                    Segment::Key(key) => format!("no entry of `{name}` has the name \"{key}\""),
                });
            };
            if rest.is_empty() {
                *entry = value;
                return Ok(());
            }
            put(entry.get_mut(), name, rest, value)
        }
        (_, Segment::Index(_)) => Err(format!("`{name}` is no list")),
        (_, Segment::Key(key)) => Err(format!("`{name}` is no table, it has no `{key}`")),
    }
}

/// Whether a table of a list has this `name`.
fn named(entry: &DeValue<'_>, name: &str) -> bool {
    let given = entry.as_table().and_then(|table| table.get("name"));
    given.and_then(|given| given.get_ref().as_str()) == Some(name)
}

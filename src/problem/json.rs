//! Contact problems in JSON.
//!
//! ```text
//! one contact    {"delassus": [[3×3]], "b": [3], "mu": μ}
//! many, dense    {"delassus": [[3n×3n]], "b": [3n], "mu": [n]}
//! many, sparse   {"delassus": {"blocks": [[i, j, [[3×3]]], …]}, "b": [3n], "mu": [n]}
//! ```
//!
//! Contacts count from 0; components are (normal, t, o); δv⁺ = AΛ − b. Both (i, j) and (j, i) are given.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::math::Mat3;
use crate::math::Vec3;
use crate::problem::Block;
use crate::problem::ContactProblem;
use crate::problem::sparse::SparseMatrix;
use crate::problem::sparse::vectors;
use serde::Deserialize;
use serde::Deserializer;
use serde::Serialize;
use serde::de::MapAccess;
use serde::de::Visitor;
use serde_json::Value;
use std::fmt;

const KEYS: [&str; 3] = ["delassus", "b", "mu"];

/// Reads a contact problem.
///
/// # Errors
///
/// [`Error::Input`] with what is wrong and where: not JSON, a missing, repeated or unknown key, a wrong size, a value
/// that is no number, and as [`ContactProblem::new`].
pub fn read(text: &str) -> Result<ContactProblem> {
    let Object(entries) = serde_json::from_str(text).map_err(|error| syntax_fault(text, &error))?;
    let mut faults = Vec::new();
    for (k, (key, _)) in entries.iter().enumerate() {
        if !KEYS.contains(&key.as_str()) {
            let near = KEYS.iter().find(|known| strsim::damerau_levenshtein(known, key) <= known.len() / 2);
            let remedy = match near {
                Some(near) => format!("did you mean \"{near}\"? The keys are delassus, b, mu"),
                None => "the keys are delassus, b, mu".to_string(),
            };
            faults.push(Fault::new(key.as_str(), "unknown key", remedy));
        } else if entries[..k].iter().any(|(other, _)| other == key) {
            faults.push(Fault::new(key.as_str(), "given twice", "give each key once"));
        }
    }
    let mut field = |name: &str| {
        let value = entries.iter().find(|(key, _)| key == name).map(|(_, value)| value);
        if value.is_none() {
            faults.push(Fault::new(name, "missing", "a contact problem has the keys delassus, b, mu"));
        }
        value
    };
    let (Some(delassus), Some(b), Some(mu)) = (field("delassus"), field("b"), field("mu")) else {
        return Err(Error::Input(faults));
    };
    if !faults.is_empty() {
        return Err(Error::Input(faults));
    }

    let mu = match mu {
        Value::Number(_) => vec![number("mu", mu)?],
        _ => numbers("mu", mu)?,
    };
    let b = numbers("b", b)?;
    let n = mu.len();
    if b.len() != 3 * n {
        let what = format!("{} numbers", b.len());
        return Err(Error::input("b", what, format!("{} are needed, three for each of the {n} contacts in mu", 3 * n)));
    }
    let blocks = match delassus {
        Value::Array(rows) => dense(rows, n)?,
        Value::Object(_) => sparse(delassus)?,
        other => return Err(kind_fault("delassus", other, "a list of rows, or {\"blocks\": [[i, j, 3×3], …]}")),
    };
    ContactProblem::new(blocks, vectors(&b).collect(), mu)
}

/// Writes a contact problem: one contact in the form for one, many as blocks. [`read`] gives back the same bits.
pub fn write(problem: &ContactProblem) -> String {
    #[derive(Serialize)]
    struct One<'a> {
        delassus: [[f64; 3]; 3],
        b: &'a [f64],
        mu: f64,
    }
    #[derive(Serialize)]
    struct Many<'a> {
        delassus: Blocks,
        b: &'a [f64],
        mu: &'a [f64],
    }
    #[derive(Serialize)]
    struct Blocks {
        blocks: Vec<(usize, usize, [[f64; 3]; 3])>,
    }
    let rows = |a: &Mat3| [0, 1, 2].map(|i| [0, 1, 2].map(|j| a[(i, j)]));
    let b: Vec<f64> = problem.b().iter().flat_map(Vec3::iter).copied().collect();
    let json = if let &[mu] = problem.mu() {
        serde_json::to_string(&One { delassus: rows(problem.diagonal(0)), b: &b, mu })
    } else {
        let blocks = problem.blocks().iter().map(|block| (block.row, block.column, rows(&block.a))).collect();
        serde_json::to_string(&Many { delassus: Blocks { blocks }, b: &b, mu: problem.mu() })
    };
    let mut json = json.expect("a problem is numbers and lists");
    json.push('\n');
    json
}

/// The entries of a JSON object in their order, with repetitions.
struct Object(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = Object;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with the keys delassus, b, mu")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> std::result::Result<Object, M::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Object(entries))
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

/// A fault of the syntax; NaN and infinity, which other programs write, are named as what they are.
fn syntax_fault(text: &str, error: &serde_json::Error) -> Fault {
    let line = text.lines().nth(error.line().saturating_sub(1)).unwrap_or("");
    let before: String = line.chars().take(error.column()).collect();
    let near = before.trim_end().rsplit([',', '[', ':', ' ', '\t']).next().unwrap_or("").trim_start_matches(['-', '+']);
    let not_finite = ["NaN", "nan", "Infinity", "inf"].iter().any(|word| !near.is_empty() && word.starts_with(near));
    let message = error.to_string();
    let (what, remedy) = if not_finite || message.starts_with("number out of range") {
        ("a number that is not finite".to_string(), "every number must be finite")
    } else {
        (format!("not valid JSON: {message}"), "a contact problem is {\"delassus\": …, \"b\": …, \"mu\": …}")
    };
    Fault::new(format!("column {}", error.column()), what, remedy).at_line(error.line())
}

fn kind_fault(key: &str, value: &Value, needed: &str) -> Error {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    Error::input(key, format!("this is {kind}"), format!("{needed} is needed"))
}

fn number(key: &str, value: &Value) -> Result<f64> {
    value.as_f64().ok_or_else(|| kind_fault(key, value, "a number"))
}

fn list<'a>(key: &str, value: &'a Value, needed: &str) -> Result<&'a Vec<Value>> {
    value.as_array().ok_or_else(|| kind_fault(key, value, needed))
}

fn numbers(key: &str, value: &Value) -> Result<Vec<f64>> {
    let list = list(key, value, "a list of numbers")?;
    list.iter().enumerate().map(|(k, value)| number(&format!("{key}[{k}]"), value)).collect()
}

/// A matrix given by its rows, of `size` rows and columns.
fn matrix(key: &str, rows: &[Value], size: usize) -> Result<Vec<Vec<f64>>> {
    if rows.len() != size {
        return Err(Error::input(key, format!("{} rows", rows.len()), format!("{size} rows of {size} are needed")));
    }
    let row = |(i, row): (usize, &Value)| {
        let key = format!("{key}[{i}]");
        let row = numbers(&key, row)?;
        if row.len() != size {
            return Err(Error::input(key, format!("{} numbers", row.len()), format!("{size} are needed")));
        }
        Ok(row)
    };
    rows.iter().enumerate().map(row).collect()
}

fn dense(rows: &[Value], n: usize) -> Result<Vec<Block>> {
    let rows = matrix("delassus", rows, 3 * n)?;
    let entries = rows.iter().enumerate().flat_map(|(i, row)| row.iter().enumerate().map(move |(j, &x)| (i, j, x)));
    Ok(SparseMatrix { rows: 3 * n, columns: 3 * n, entries: entries.collect() }.blocks())
}

fn sparse(delassus: &Value) -> Result<Vec<Block>> {
    const KEY: &str = "delassus.blocks";
    let Some(blocks) = delassus.get("blocks") else {
        return Err(Error::input(KEY, "missing", "delassus is a list of rows, or {\"blocks\": [[i, j, 3×3], …]}"));
    };
    if delassus.as_object().is_some_and(|object| object.len() > 1) {
        return Err(Error::input("delassus", "keys beside \"blocks\"", "\"blocks\" is the only one"));
    }
    let block = |(k, value): (usize, &Value)| {
        let key = format!("{KEY}[{k}]");
        let parts = list(&key, value, "[i, j, 3×3]")?;
        let [row, column, rows] = parts.as_slice() else {
            return Err(Error::input(key, format!("{} parts", parts.len()), "[i, j, 3×3] is needed"));
        };
        let index = |name: &str, value: &Value| {
            let index = value.as_u64().and_then(|index| usize::try_from(index).ok());
            index.ok_or_else(|| Error::input(&key, format!("{name} is {value}"), "contacts count 0, 1, 2, …"))
        };
        let rows = matrix(&key, list(&key, rows, "a 3×3 list")?, 3)?;
        let a = Mat3::from_fn(|i, j| rows[i][j]);
        Ok(Block { row: index("i", row)?, column: index("j", column)?, a })
    };
    list(KEY, blocks, "a list of blocks")?.iter().enumerate().map(block).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = r#"{"delassus": [[2, 0, 0], [0, 1, 0], [0, 0, 1]], "b": [1, 0, 0.5], "mu": 0.3}"#;

    #[test]
    fn one_contact_is_read() {
        let problem = read(ONE).expect("valid");
        assert_eq!(problem.len(), 1);
        assert_eq!(*problem.diagonal(0), Mat3::from_diagonal(&Vec3::new(2.0, 1.0, 1.0)));
        assert_eq!(problem.b(), [Vec3::new(1.0, 0.0, 0.5)]);
        assert_eq!(problem.mu(), [0.3]);
        assert!(problem.notes().is_empty());
    }

    #[test]
    fn dense_and_blocks_state_the_same_problem() {
        let dense = r#"{"delassus": [[2,0,0,1,0,0],[0,2,0,0,0,0],[0,0,2,0,0,0],[1,0,0,3,0,0],[0,0,0,0,3,0],[0,0,0,0,0,3]],
            "b": [1,2,3,4,5,6], "mu": [0.1, 0.2]}"#;
        let blocks = r#"{"delassus": {"blocks": [[1,1,[[3,0,0],[0,3,0],[0,0,3]]], [0,0,[[2,0,0],[0,2,0],[0,0,2]]],
            [0,1,[[1,0,0],[0,0,0],[0,0,0]]], [1,0,[[1,0,0],[0,0,0],[0,0,0]]]]}, "b": [1,2,3,4,5,6], "mu": [0.1, 0.2]}"#;
        assert_eq!(read(dense).expect("valid"), read(blocks).expect("valid"));
    }

    #[test]
    fn a_problem_without_contacts_is_a_problem() {
        for delassus in ["[]", r#"{"blocks": []}"#] {
            let text = format!(r#"{{"delassus": {delassus}, "b": [], "mu": []}}"#);
            assert!(read(&text).expect("valid").is_empty());
        }
    }

    #[test]
    fn each_fault_is_named_with_its_place() {
        let edit = |from: &str, to: &str| {
            assert!(ONE.contains(from), "{from}");
            read(&ONE.replace(from, to)).expect_err(to).to_string()
        };
        let named = |message: String, parts: &[&str]| {
            for part in parts {
                assert!(message.contains(part), "\"{part}\" is not in: {message}");
            }
        };
        named(edit("}", ""), &["not valid JSON", "EOF"]);
        named(edit("0.3", "NaN"), &["not finite"]);
        named(edit("[1, 0, 0.5]", "[1, -Infinity, 0.5]"), &["not finite"]);
        named(edit("0.5", "1e999"), &["not finite"]);
        named(edit("0.5", "null"), &["b[2]", "this is null"]);
        named(edit("0.5", "\"0.5\""), &["b[2]", "this is a text"]);
        named(edit("\"mu\": 0.3", "\"nu\": 0.3"), &["nu: unknown key", "did you mean \"mu\"", "mu: missing"]);
        named(edit("}", ", \"comment\": 1}"), &["comment: unknown key", "delassus, b, mu"]);
        named(edit("}", ", \"mu\": 1}"), &["mu: given twice"]);
        named(edit(", \"mu\": 0.3", ""), &["mu: missing"]);
        named(edit("[1, 0, 0.5]", "[1, 0]"), &["b: 2 numbers", "3 are needed"]);
        named(edit("[0, 1, 0], ", ""), &["delassus: 2 rows", "3 rows"]);
        named(edit("[0, 1, 0]", "[0, 1]"), &["delassus[1]: 2 numbers", "3 are needed"]);
        named(edit("0.3", "-0.3"), &["mu[0]", "-0.3 is negative"]);
        named(edit("0.3", "[0.3, 0.2]"), &["b: 3 numbers", "6 are needed"]);
        named(edit("[0, 1, 0]", "[0, -1, 0]"), &["block (0, 0) of A", "not positive definite"]);
        named(edit("[[2, 0, 0]", "[[2, 0.1, 0]"), &["block (0, 0) of A", "not symmetric"]);
    }
}

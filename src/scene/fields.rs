//! Reading a TOML table key by key: types, ranges, and keys that nobody reads.
//!
//! A fault is noted in the [`Source`] and reading goes on with a neutral value, so that one pass finds every fault.

use crate::math::Vec3;
use crate::scene::source::Source;
use serde_spanned::Spanned;
use std::cell::RefCell;
use std::ops::Range;
use toml::de::DeTable;
use toml::de::DeValue;

/// What a number may be. Infinity and NaN are never allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    /// Any finite number.
    Finite,
    /// Greater than zero.
    Positive,
    /// Zero or more.
    NotNegative,
    /// Above the first, up to and with the second.
    Within(f64, f64),
}

impl Rule {
    fn allows(self, value: f64) -> bool {
        value.is_finite()
            && match self {
                Self::Finite => true,
                Self::Positive => value > 0.0,
                Self::NotNegative => value >= 0.0,
                Self::Within(low, high) => value > low && value <= high,
            }
    }

    fn words(self) -> String {
        match self {
            Self::Finite => "give a finite number".into(),
            Self::Positive => "give a finite number above zero".into(),
            Self::NotNegative => "give a finite number of zero or more".into(),
            Self::Within(low, high) => format!("give a number above {low} and up to {high}"),
        }
    }
}

/// One table of a scene, being read.
pub(super) struct Fields<'s, 't> {
    pub(super) source: &'s Source,
    /// Key path of the table; empty for the file itself.
    pub(super) path: String,
    /// Where the table stands.
    pub(super) span: Range<usize>,
    table: &'s DeTable<'t>,
    known: RefCell<Vec<&'static str>>,
}

impl<'s, 't> Fields<'s, 't> {
    /// The table at `path`.
    pub(super) fn new(source: &'s Source, path: String, span: Range<usize>, table: &'s DeTable<'t>) -> Self {
        Self { source, path, span, table, known: RefCell::new(Vec::new()) }
    }

    /// The key path of `key` in this table.
    pub(super) fn key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Notes that something is wrong with `key`, or with the whole table where the key is not there.
    pub(super) fn fault(&self, key: &str, what: impl Into<String>, remedy: impl Into<String>) {
        let span = self.table.get(key).map_or_else(|| self.span.clone(), Spanned::span);
        self.source.fault(&span, &self.key(key), what, remedy);
    }

    /// The value of `key`, which from now on is known.
    pub(super) fn get(&self, key: &'static str) -> Option<&'s Spanned<DeValue<'t>>> {
        self.known.borrow_mut().push(key);
        self.table.get(key)
    }

    /// Whether `key` is a list.
    pub(super) fn is_list(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(|value| value.get_ref().as_array().is_some())
    }

    /// Whether `key` is given.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    fn missing(&self, key: &str, unit: &str) {
        self.fault(key, "missing", format!("give {unit}"));
    }

    /// A number, if given.
    pub(super) fn number(&self, key: &'static str, rule: Rule) -> Option<f64> {
        let value = self.get(key)?;
        let Some(number) = number(value.get_ref()) else {
            self.wrong_type(key, value, "a number");
            return None;
        };
        if !rule.allows(number) {
            self.fault(key, format!("is {number}"), rule.words());
            return None;
        }
        Some(number)
    }

    /// A number that has to be there; `unit` says what it is. NaN after a fault.
    pub(super) fn need_number(&self, key: &'static str, rule: Rule, unit: &str) -> f64 {
        if !self.has(key) {
            self.known.borrow_mut().push(key);
            self.missing(key, unit);
        }
        self.number(key, rule).unwrap_or(f64::NAN)
    }

    /// A whole number between `low` and `high`, if given.
    pub(super) fn whole(&self, key: &'static str, low: u64, high: u64) -> Option<u64> {
        let value = self.get(key)?;
        let number = match value.get_ref() {
            DeValue::Integer(text) => i128::from_str_radix(text.as_str(), text.radix()).ok(),
            _ => None,
        };
        let Some(number) = number else {
            self.wrong_type(key, value, "a whole number");
            return None;
        };
        match u64::try_from(number) {
            Ok(number) if (low..=high).contains(&number) => Some(number),
            _ => {
                self.fault(key, format!("is {number}"), format!("give a whole number from {low} to {high}"));
                None
            }
        }
    }

    /// `true` or `false`, if given.
    pub(super) fn flag(&self, key: &'static str) -> Option<bool> {
        let value = self.get(key)?;
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(key, value, "true or false");
        }
        flag
    }

    /// A text, if given.
    pub(super) fn text(&self, key: &'static str) -> Option<&'s str> {
        let value = self.get(key)?;
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.wrong_type(key, value, "a text in quotes");
        }
        text
    }

    /// One of the texts in `choices`, if given; its index.
    pub(super) fn choice(&self, key: &'static str, choices: &[&str]) -> Option<usize> {
        let text = self.text(key)?;
        let found = choices.iter().position(|choice| *choice == text);
        if found.is_none() {
            let near = nearest(text, choices.iter().copied())
                .map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
            self.fault(
                key,
                format!("\"{text}\" is not known"),
                format!("{near}give one of \"{}\"", choices.join("\", \"")),
            );
        }
        found
    }

    /// The `kind` of a table, which has to be there.
    pub(super) fn kind(&self, choices: &[&str]) -> Option<usize> {
        if !self.has("kind") {
            self.known.borrow_mut().push("kind");
            self.fault("kind", "missing", format!("give one of \"{}\"", choices.join("\", \"")));
        }
        self.choice("kind", choices)
    }

    /// A vector of three numbers, if given.
    pub(super) fn vector(&self, key: &'static str, rule: Rule) -> Option<Vec3> {
        let numbers = self.numbers::<3>(key, rule)?;
        Some(Vec3::from(numbers))
    }

    /// A unit vector along the one that is given, if it is.
    pub(super) fn direction(&self, key: &'static str) -> Option<Vec3> {
        let vector = self.vector(key, Rule::Finite)?;
        // Scaled first: the square of a component must neither overflow nor vanish.
        let largest = vector.amax();
        if largest > 0.0 {
            return Some((vector / largest).normalize());
        }
        self.fault(key, "is the zero vector", "give a direction; its length does not matter");
        None
    }

    /// `N` numbers, if given.
    pub(super) fn numbers<const N: usize>(&self, key: &'static str, rule: Rule) -> Option<[f64; N]> {
        let value = self.get(key)?;
        let numbers: Option<Vec<f64>> = value
            .get_ref()
            .as_array()
            .filter(|array| array.len() == N)
            .and_then(|array| array.iter().map(|entry| number(entry.get_ref())).collect());
        let Some(numbers) = numbers else {
            self.wrong_type(key, value, &format!("{N} numbers in brackets"));
            return None;
        };
        if let Some(bad) = numbers.iter().find(|number| !rule.allows(**number)) {
            self.fault(key, format!("has the entry {bad}"), rule.words());
            return None;
        }
        numbers.try_into().ok()
    }

    /// A list of numbers of any length, if given.
    pub(super) fn list(&self, key: &'static str, rule: Rule) -> Option<Vec<f64>> {
        let value = self.get(key)?;
        let numbers: Option<Vec<f64>> =
            value.get_ref().as_array().and_then(|array| array.iter().map(|entry| number(entry.get_ref())).collect());
        let Some(numbers) = numbers else {
            self.wrong_type(key, value, "a list of numbers");
            return None;
        };
        if let Some(bad) = numbers.iter().find(|number| !rule.allows(**number)) {
            self.fault(key, format!("has the entry {bad}"), rule.words());
            return None;
        }
        Some(numbers)
    }

    /// A list of vectors of any length, if given.
    pub(super) fn vectors(&self, key: &'static str, rule: Rule) -> Option<Vec<Vec3>> {
        let value = self.get(key)?;
        let vector = |entry: &Spanned<DeValue<'t>>| {
            let numbers = entry.get_ref().as_array().filter(|array| array.len() == 3)?;
            let numbers: Option<Vec<f64>> = numbers.iter().map(|entry| number(entry.get_ref())).collect();
            numbers.map(|numbers| Vec3::from_column_slice(&numbers))
        };
        let vectors: Option<Vec<Vec3>> =
            value.get_ref().as_array().and_then(|array| array.iter().map(vector).collect());
        let Some(vectors) = vectors else {
            self.wrong_type(key, value, "a list of vectors, each of three numbers in brackets");
            return None;
        };
        if let Some(bad) = vectors.iter().flat_map(|v| v.iter()).find(|number| !rule.allows(**number)) {
            self.fault(key, format!("has the entry {bad}"), rule.words());
            return None;
        }
        Some(vectors)
    }

    /// A list of texts, if given.
    pub(super) fn texts(&self, key: &'static str) -> Option<Vec<&'s str>> {
        let value = self.get(key)?;
        let texts: Option<Vec<&str>> =
            value.get_ref().as_array().and_then(|array| array.iter().map(|entry| entry.get_ref().as_str()).collect());
        if texts.is_none() {
            self.wrong_type(key, value, "a list of texts in quotes");
        }
        texts
    }

    /// The table at `key`, if given.
    pub(super) fn table(&self, key: &'static str) -> Option<Fields<'s, 't>> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::Table(table) => Some(Fields::new(self.source, self.key(key), value.span(), table)),
            _ => {
                self.wrong_type(key, value, "a table");
                None
            }
        }
    }

    /// The tables of the list at `key`; empty if not given.
    pub(super) fn tables(&self, key: &'static str) -> Vec<Fields<'s, 't>> {
        let Some(value) = self.get(key) else {
            return Vec::new();
        };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong_type(key, value, &format!("a list of tables, each under [[{}]]", self.key(key)));
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (i, entry) in array.iter().enumerate() {
            let path = format!("{}[{i}]", self.key(key));
            match entry.get_ref() {
                DeValue::Table(table) => tables.push(Fields::new(self.source, path, entry.span(), table)),
                other => {
                    let what = format!("is {}", shown(other));
                    self.source.fault(&entry.span(), &path, what, "give a table");
                }
            }
        }
        tables
    }

    /// The tables at `key` by their names, in the order of the names; empty if not given.
    pub(super) fn named_tables(&self, key: &'static str) -> Vec<(&'s str, Fields<'s, 't>)> {
        let Some(outer) = self.table(key) else {
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (name, entry) in outer.table {
            match entry.get_ref() {
                DeValue::Table(table) => {
                    let path = outer.key(name.get_ref());
                    tables.push((&**name.get_ref(), Fields::new(self.source, path, entry.span(), table)));
                }
                other => {
                    let what = format!("is {}", shown(other));
                    let remedy = format!("give a table [{}.NAME]", self.key(key));
                    self.source.fault(&entry.span(), &outer.key(name.get_ref()), what, remedy);
                }
            }
        }
        tables
    }

    /// Notes the keys that nobody has asked for.
    pub(super) fn finish(self) {
        self.end();
    }

    /// The same for a table that is borrowed; nothing may be read from it afterwards.
    pub(super) fn end(&self) {
        let known = self.known.take();
        for key in self.table.keys() {
            let name: &str = key.get_ref();
            if known.contains(&name) {
                continue;
            }
            let remedy = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys here are {}", known.join(", ")),
            };
            let path = if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) };
            self.source.fault(&key.span(), &path, "unknown key", remedy);
        }
    }

    fn wrong_type(&self, key: &str, value: &Spanned<DeValue<'t>>, expected: &str) {
        let what = format!("is {}", shown(value.get_ref()));
        self.source.fault(&value.span(), &self.key(key), what, format!("give {expected}"));
    }
}

/// The number a value is, whole or not.
fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Float(text) => text.as_str().parse().ok(),
        DeValue::Integer(text) => i128::from_str_radix(text.as_str(), text.radix()).ok().map(|whole| whole as f64),
        _ => None,
    }
}

/// A value in a message: short ones as they are, long ones by their type.
fn shown(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) if text.chars().count() <= 40 => format!("the text \"{text}\""),
        DeValue::String(_) => "a long text".into(),
        DeValue::Integer(number) => number.to_string(),
        DeValue::Float(number) => number.to_string(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(date) => format!("the date {date}"),
        DeValue::Array(array) => format!("a list of {} entries", array.len()),
        DeValue::Table(_) => "a table".into(),
    }
}

/// The name among `names` that is nearest to `text`, if one is near enough to be meant.
pub(crate) fn nearest<'n>(text: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    /// Jaro–Winkler similarity: below this, suggestions read as random words.
    const NEAR: f64 = 0.75;
    names
        .map(|name| (strsim::jaro_winkler(text, name), name))
        .filter(|(similarity, _)| *similarity >= NEAR)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name)
}

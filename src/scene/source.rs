//! The text of a scene and what was found wrong in it.

use crate::error::Fault;
use std::cell::RefCell;
use std::ops::Range;

/// Faults told of one file; a file of rubbish has no use for more.
const MOST_FAULTS: usize = 40;

/// Where a byte of a scene's text stands; collects faults.
pub(super) struct Source {
    file: String,
    /// First byte of each line.
    starts: Vec<usize>,
    /// Behind all text so far; the values of `--set` stand behind the file's text.
    end: usize,
    /// Where the values of `--set` begin, with the assignment as the user wrote it.
    assignments: Vec<(usize, String)>,
    faults: RefCell<Vec<(usize, Fault)>>,
}

impl Source {
    /// The text of `file`.
    pub(super) fn new(file: &str, text: &str) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1);
        Self {
            file: file.to_owned(),
            starts: std::iter::once(0).chain(newlines).collect(),
            // Room for what `--set` writes before its value.
            end: text.len() + 8,
            assignments: Vec::new(),
            faults: RefCell::new(Vec::new()),
        }
    }

    /// Makes room for the value of `--set assignment`; returns the position at which its text begins.
    pub(super) fn append(&mut self, assignment: &str, value: &str) -> usize {
        let at = self.end;
        self.assignments.push((at, shortened(assignment)));
        self.end += value.len() + 8;
        at
    }

    /// Line (from 1) of the byte `at`; `None` for a value given by `--set`.
    pub(super) fn line(&self, at: usize) -> Option<usize> {
        match self.assignments.first() {
            Some((first, _)) if at >= *first => None,
            _ => Some(self.starts.partition_point(|start| *start <= at)),
        }
    }

    /// Notes a fault at `span`.
    pub(super) fn fault(&self, span: &Range<usize>, key: &str, what: impl Into<String>, remedy: impl Into<String>) {
        let mut fault = Fault::new(key, what, remedy);
        if let Some(line) = self.line(span.start) {
            fault = fault.in_file(&self.file).at_line(line);
        } else if let Some((_, text)) = self.assignments.iter().rev().find(|(at, _)| *at <= span.start) {
            fault = fault.in_file(format!("--set {text}"));
        }
        self.faults.borrow_mut().push((span.start, fault));
    }

    /// Notes a fault of `--set assignment` itself.
    pub(super) fn assignment_fault(&self, assignment: &str, what: impl Into<String>, remedy: impl Into<String>) {
        let fault = Fault::new("", what, remedy).in_file(format!("--set {}", shortened(assignment)));
        self.faults.borrow_mut().push((self.end, fault));
    }

    /// Whether nothing is wrong so far.
    pub(super) fn is_clean(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    /// Faults noted so far.
    pub(super) fn count(&self) -> usize {
        self.faults.borrow().len()
    }

    /// The faults in the order of the file, the first few of very many.
    pub(super) fn into_faults(self) -> Vec<Fault> {
        let mut faults = self.faults.into_inner();
        faults.sort_by_key(|(at, _)| *at);
        // A torn bracket is complained of many times over.
        faults.dedup_by(|(_, next), (_, fault)| next == fault);
        let more = faults.len().saturating_sub(MOST_FAULTS);
        faults.truncate(MOST_FAULTS);
        let mut faults: Vec<Fault> = faults.into_iter().map(|(_, fault)| fault).collect();
        if more > 0 {
            faults.push(Fault::new("", format!("{more} more faults"), "mend the first ones and check again"));
        }
        faults.into_iter().map(|fault| if fault.file.is_empty() { fault.in_file(&self.file) } else { fault }).collect()
    }
}

/// The first characters of a long text.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 60;
    let short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() { short + "…" } else { short }
}

//! Contact problems in the text format of Siconos (`.dat`): words separated by white space, line ends mean nothing.
//!
//! ```text
//! local    d  nc  W  q[d·nc]  mu[nc]  [0|1]              u = W r + q
//! global   d  nc  M  H  q[rows of M]  b[d·nc]  mu[nc]  [0|1]     M v = H r + q,  u = Hᵀ v + b
//!
//! matrix   storage rows columns, then
//!          storage 0, dense:   rows columns, then all entries by columns
//!          storage 1, blocks:  number of blocks; block rows, block columns; last row + 1 of each block row; last column + 1 of
//!                              each block column; n1 n2; start of each block row [n1]; block column of each block [n2];
//!                              each block: its number, then its entries by columns
//! ```
//!
//! d is 3. A last word 0 or 1, which older files have, is ignored. The file does not say whether it is local or global:
//! the size of the first matrix and the number of words that follow decide.

use crate::error::Fault;
use crate::error::Result;
use crate::problem::ContactProblem;
use crate::problem::global::GlobalProblem;
use crate::problem::sparse::SparseMatrix;
use crate::problem::sparse::local_problem;
use std::fmt::Write;

/// Reads a contact problem.
///
/// # Errors
///
/// [`Error::Input`](crate::error::Error::Input) with what is wrong and in which line: a file that ends early or goes on too long, a word that is no
/// number, two dimensions, rolling friction, storage 2, and as [`ContactProblem::new`].
pub fn read(text: &str) -> Result<ContactProblem> {
    let mut words = Words::of(text);
    match words.count("the dimension")? {
        3 => {}
        2 => return Err(words.fault("the dimension is 2", "only problems in three dimensions are solved").into()),
        5 => {
            let what = "the dimension is 5, a problem with rolling friction";
            return Err(words.fault(what, "only sliding friction (dimension 3) is solved").into());
        }
        d => return Err(words.fault(format!("the dimension is {d}"), "3 is needed").into()),
    }
    let contacts = words.count("the number of contacts")?;
    // Each contact takes four words, so this also keeps the products below from overflowing.
    words.need(contacts.saturating_mul(4), "q and mu")?;
    let size = 3 * contacts;
    if contacts == 0 && words.left() == 0 {
        return ContactProblem::new(Vec::new(), Vec::new(), Vec::new());
    }
    let first = words.matrix("W")?;
    let local = size + contacts;
    if first.rows == size && words.left() <= local + 1 {
        let q = words.numbers(size, "q")?;
        let mu = words.numbers(contacts, "mu")?;
        words.end()?;
        return local_problem(&first, &q, mu);
    }
    // A global problem goes on with a matrix; numbers that are none are what is too much of a local problem.
    let after = words.next;
    let h = words.matrix("H").map_err(|fault| {
        if first.rows == size {
            words.next = after + local;
            words.too_long()
        } else {
            fault
        }
    })?;
    let q = words.numbers(first.rows, "q")?;
    let b = words.numbers(size, "b")?;
    let mu = words.numbers(contacts, "mu")?;
    words.end()?;
    GlobalProblem { m: first, h, q, b, mu }.reduce()
}

/// Writes a contact problem in the local form, W in blocks. [`read`] gives back the same bits.
pub fn write(problem: &ContactProblem) -> String {
    let n = problem.len();
    let blocks = problem.blocks();
    let mut text = format!("3\n{n}\n1\n{size}\n{size}\n{count}\n{n} {n}\n", size = 3 * n, count = blocks.len());
    let mut line = |numbers: &mut dyn Iterator<Item = String>| {
        text.push_str(&numbers.collect::<Vec<_>>().join(" "));
        text.push('\n');
    };
    for _ in 0..2 {
        line(&mut (1..=n).map(|j| (3 * j).to_string()));
    }
    line(&mut [n + 1, blocks.len()].iter().map(usize::to_string));
    line(&mut (0..=n).map(|j| blocks.partition_point(|block| block.row < j).to_string()));
    line(&mut blocks.iter().map(|block| block.column.to_string()));
    for (k, block) in blocks.iter().enumerate() {
        line(&mut std::iter::once(k.to_string()));
        for column in block.a.column_iter() {
            line(&mut column.iter().map(|x| format!("{x:e}")));
        }
    }
    for b in problem.b() {
        line(&mut b.iter().map(|b| format!("{:e}", -b)));
    }
    problem.mu().iter().for_each(|mu| writeln!(text, "{mu:e}").expect("text can be written"));
    text
}

/// The words of a file, with their lines.
struct Words<'a> {
    list: Vec<(&'a str, usize)>,
    next: usize,
}

impl<'a> Words<'a> {
    fn of(text: &'a str) -> Self {
        let words = |(k, line): (usize, &'a str)| line.split_ascii_whitespace().map(move |word| (word, k + 1));
        Self { list: text.lines().enumerate().flat_map(words).collect(), next: 0 }
    }

    fn left(&self) -> usize {
        self.list.len() - self.next
    }

    /// A fault at the word that was read last.
    fn fault(&self, what: impl Into<String>, remedy: &str) -> Fault {
        let last = self.next.clamp(1, self.list.len()) - 1;
        Fault::new(format!("word {}", last + 1), what, remedy).at_line(self.list[last].1)
    }

    /// The fault that words are left after mu and, where it is there, the flag.
    fn too_long(&self) -> Fault {
        let first = self.next + usize::from(matches!(self.list[self.next].0, "0" | "1"));
        let (word, line) = self.list[first];
        let what = format!("too long by {} words, beginning with \"{word}\"", self.list.len() - first);
        Fault::new(format!("word {}", first + 1), what, "the file must end after mu").at_line(line)
    }

    /// Fails unless `count` more words are there: asked before memory is taken for them.
    fn need(&self, count: usize, name: &str) -> std::result::Result<(), Fault> {
        if count <= self.left() {
            return Ok(());
        }
        let line = self.list.last().map_or(1, |word| word.1);
        let what = format!("the file ends too early: {count} numbers of {name} are needed, {} are left", self.left());
        Err(Fault::new(name, what, "the file is cut off, or its sizes are wrong").at_line(line))
    }

    fn count(&mut self, name: &str) -> std::result::Result<usize, Fault> {
        self.need(1, name)?;
        self.next += 1;
        let word = self.list[self.next - 1].0;
        word.parse().map_err(|_| self.fault(format!("\"{word}\" as {name}"), "a whole number is needed"))
    }

    fn counts(&mut self, count: usize, name: &str) -> std::result::Result<Vec<usize>, Fault> {
        self.need(count, name)?;
        (0..count).map(|_| self.count(name)).collect()
    }

    fn number(&mut self, name: &str) -> std::result::Result<f64, Fault> {
        self.need(1, name)?;
        self.next += 1;
        let word = self.list[self.next - 1].0;
        match word.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            Ok(_) => Err(self.fault(format!("\"{word}\" in {name}"), "every number must be finite")),
            Err(_) => Err(self.fault(format!("\"{word}\" in {name}"), "a number is needed")),
        }
    }

    fn numbers(&mut self, count: usize, name: &str) -> std::result::Result<Vec<f64>, Fault> {
        self.need(count, name)?;
        (0..count).map(|_| self.number(name)).collect()
    }

    /// Nothing but the flag of older files may follow.
    fn end(&mut self) -> std::result::Result<(), Fault> {
        match &self.list[self.next..] {
            [] | [("0" | "1", _)] => Ok(()),
            _ => Err(self.too_long()),
        }
    }

    fn matrix(&mut self, name: &str) -> std::result::Result<SparseMatrix, Fault> {
        let storage = self.count(&format!("the storage of {name}"))?;
        if storage == 2 {
            let what = format!("{name} has storage 2, a printed sparse matrix of six digits");
            return Err(self.fault(what, "write it dense (storage 0) or in blocks (storage 1)"));
        }
        if storage > 2 {
            return Err(self.fault(format!("{name} has storage {storage}"), "0 (dense) or 1 (blocks) is needed"));
        }
        let rows = self.count(&format!("the rows of {name}"))?;
        let columns = self.count(&format!("the columns of {name}"))?;
        let entries = if storage == 0 { self.dense(rows, columns, name)? } else { self.blocks(rows, columns, name)? };
        Ok(SparseMatrix { rows, columns, entries })
    }

    fn dense(&mut self, rows: usize, columns: usize, name: &str) -> std::result::Result<Entries, Fault> {
        let again = self.counts(2, &format!("the size of {name}"))?;
        if again != [rows, columns] {
            let what = format!("{name} is {rows}×{columns}, and then {}×{}", again[0], again[1]);
            return Err(self.fault(what, "both must agree"));
        }
        let mut entries = Vec::new();
        self.entries(0..rows, 0..columns, name, &mut entries)?;
        Ok(entries)
    }

    fn blocks(&mut self, rows: usize, columns: usize, name: &str) -> std::result::Result<Entries, Fault> {
        let count = self.count(&format!("the number of blocks of {name}"))?;
        let block_rows = self.count(&format!("the number of block rows of {name}"))?;
        let block_columns = self.count(&format!("the number of block columns of {name}"))?;
        let row_ends = self.ends(block_rows, rows, name)?;
        let column_ends = self.ends(block_columns, columns, name)?;
        let pointers = self.count(&format!("the number of row pointers of {name}"))?;
        let filled = self.count(&format!("the number of filled blocks of {name}"))?;
        let starts = self.counts(pointers, &format!("the row pointers of {name}"))?;
        // Trailing block rows may be left out where they are empty.
        let fits = starts.first().is_none_or(|&first| first == 0)
            && starts.is_sorted()
            && starts.last().copied().unwrap_or(0) == filled
            && starts.len() <= block_rows + 1
            && filled == count;
        if !fits {
            let what =
                format!("the row pointers of {name} do not lead from 0 to its {count} blocks in {block_rows} rows");
            return Err(self.fault(what, "one start a block row and the number of blocks are needed"));
        }
        let block_column_of = self.counts(filled, &format!("the block columns of {name}"))?;
        let mut entries = Vec::new();
        for (i, ends) in starts.windows(2).enumerate() {
            for (k, &j) in block_column_of.iter().enumerate().take(ends[1]).skip(ends[0]) {
                if j >= block_columns {
                    return Err(self.fault(format!("block {k} of {name} is in block column {j}"), "it is not there"));
                }
                let number = self.count(&format!("the number of block {k} of {name}"))?;
                if number != k {
                    return Err(self.fault(format!("block {number} of {name}"), &format!("block {k} is next")));
                }
                self.entries(range(&row_ends, i), range(&column_ends, j), name, &mut entries)?;
            }
        }
        Ok(entries)
    }

    /// Ends of block rows or columns: ascending, the last one the size of the matrix.
    fn ends(&mut self, count: usize, size: usize, name: &str) -> std::result::Result<Vec<usize>, Fault> {
        let ends = self.counts(count, &format!("the block sizes of {name}"))?;
        if !ends.is_sorted() || ends.last().copied().unwrap_or(0) != size {
            let what = format!("the block sizes of {name} do not add up to {size}");
            return Err(self.fault(what, "each is the sum of the sizes so far"));
        }
        Ok(ends)
    }

    /// A rectangle of entries by columns.
    fn entries(
        &mut self,
        rows: std::ops::Range<usize>,
        columns: std::ops::Range<usize>,
        name: &str,
        entries: &mut Entries,
    ) -> std::result::Result<(), Fault> {
        self.need(rows.len().saturating_mul(columns.len()), name)?;
        for column in columns {
            for row in rows.clone() {
                entries.push((row, column, self.number(name)?));
            }
        }
        Ok(())
    }
}

type Entries = Vec<(usize, usize, f64)>;

fn range(ends: &[usize], k: usize) -> std::ops::Range<usize> {
    if k == 0 { 0..ends[0] } else { ends[k - 1]..ends[k] }
}

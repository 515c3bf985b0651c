//! A sparse matrix as a list of entries: what the file formats read into, before it is cut into blocks.

use crate::error::Error;
use crate::error::Result;
use crate::math::Mat3;
use crate::math::Vec3;
use crate::problem::Block;
use crate::problem::ContactProblem;

/// A sparse matrix; entries in any order, entries at the same place add.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::problem) struct SparseMatrix {
    pub(in crate::problem) rows: usize,
    pub(in crate::problem) columns: usize,
    /// (row, column, value), each within the matrix.
    pub(in crate::problem) entries: Vec<(usize, usize, f64)>,
}

impl SparseMatrix {
    /// The 3×3 blocks that hold an entry, sorted by (row, column).
    ///
    /// The order of addition is that of the entries, so the result does not depend on anything else.
    pub(in crate::problem) fn blocks(&self) -> Vec<Block> {
        let mut entries = self.entries.clone();
        entries.sort_by_key(|&(row, column, _)| (row / 3, column / 3));
        let mut blocks: Vec<Block> = Vec::new();
        for (row, column, value) in entries {
            let (i, j) = (row / 3, column / 3);
            if blocks.last().is_none_or(|last| (last.row, last.column) != (i, j)) {
                blocks.push(Block { row: i, column: j, a: Mat3::zeros() });
            }
            let last = blocks.last_mut().expect("a block was pushed above");
            last.a[(row % 3, column % 3)] += value;
        }
        blocks
    }
}

/// The contact problem of u = W r + q: A = W, b = −q.
///
/// # Errors
///
/// [`Error::Input`] if the sizes do not fit, and as [`ContactProblem::new`].
pub(in crate::problem) fn local_problem(w: &SparseMatrix, q: &[f64], mu: Vec<f64>) -> Result<ContactProblem> {
    let size = q.len();
    if w.rows != size || w.columns != size {
        let what = format!("{} rows and {} columns", w.rows, w.columns);
        return Err(Error::input("W", what, format!("{size} of each are needed, as q has {size} numbers")));
    }
    ContactProblem::new(w.blocks(), vectors(q).map(|q| -q).collect(), mu)
}

/// Groups of three numbers; the length must be a multiple of three.
pub(in crate::problem) fn vectors(numbers: &[f64]) -> impl Iterator<Item = Vec3> {
    debug_assert!(numbers.len().is_multiple_of(3), "{} numbers", numbers.len());
    numbers.chunks_exact(3).map(|v| Vec3::new(v[0], v[1], v[2]))
}

//! The validated problem.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::math::Mat3;
use crate::math::Vec3;

/// Largest asymmetry that is taken for the error of another program; a larger one is taken for a wrong matrix.
const ASYMMETRY_ALLOWED: f64 = 1e-2;
/// Asymmetry below which nothing is said: what assembling a matrix in double precision leaves.
const ASYMMETRY_OF_ROUNDING: f64 = 1e-12;
/// Smallest pivot of a diagonal block scaled to a unit diagonal; less cannot be told from a singular block.
const SMALLEST_PIVOT: f64 = 4.0 * f64::EPSILON;
/// Faults listed in full; the same mistake in every entry of a large file is said once, not a million times.
const FAULTS_LISTED: usize = 8;

/// One 3×3 block of A, in 1/kg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Contact whose velocity the block gives.
    pub row: usize,
    /// Contact whose impulse the block takes.
    pub column: usize,
    /// The entries, components (n, t, o).
    pub a: Mat3,
}

/// A contact problem: blocks of A sorted by (row, column), b and μ.
///
/// What the constructor lets through: A is symmetric to the last bit, each diagonal block is positive definite, every
/// number is finite, μ ≥ 0, no off-diagonal block is zero, and no number is −0.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactProblem {
    blocks: Vec<Block>,
    /// Blocks of row j are `blocks[row_starts[j]..row_starts[j + 1]]`.
    row_starts: Vec<usize>,
    /// Where in `blocks` the diagonal block of row j is.
    diagonals: Vec<usize>,
    b: Vec<Vec3>,
    mu: Vec<f64>,
    notes: Vec<String>,
}

impl ContactProblem {
    /// A problem of `b.len()` contacts from the blocks of A in 1/kg (in any order, both (i, j) and (j, i)), b in m/s and
    /// the coefficients of friction.
    ///
    /// With the asymmetry |A_pq − A_qp| / √(A_pp A_qq), A is replaced by (A + Aᵀ)/2 up to 1e-2, with a note
    /// ([`ContactProblem::notes`]) where it is more than rounding.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] with what is wrong and where: sizes that do not fit, numbers that are not finite, μ < 0, a block
    /// twice or out of range, A unsymmetric beyond 1e-2 or not positive definite on a diagonal block.
    pub fn new(mut blocks: Vec<Block>, b: Vec<Vec3>, mut mu: Vec<f64>) -> Result<Self> {
        let mut faults = Faults::default();
        if b.len() != mu.len() {
            let what = format!("{} contacts in b, but {} coefficients of friction", b.len(), mu.len());
            return Err(Error::input(
                "mu",
                what,
                "one coefficient of friction for each three components of b is needed",
            ));
        }
        check_numbers(&blocks, &b, &mu, &mut faults);
        faults.result()?;

        blocks.sort_by_key(|block| (block.row, block.column));
        complete(&mut blocks);
        let row_starts: Vec<usize> = (0..=b.len()).map(|row| blocks.partition_point(|block| block.row < row)).collect();
        let diagonals = diagonals(&blocks, b.len(), &mut faults);
        faults.result()?;

        let asymmetry = symmetrise(&mut blocks, &row_starts, &diagonals, &mut faults);
        faults.result()?;
        for (j, &k) in diagonals.iter().enumerate() {
            check_positive_definite(j, &blocks[k].a, &mut faults);
        }
        faults.result()?;

        blocks.iter_mut().for_each(|block| block.a.apply(|x| *x += 0.0));
        mu.iter_mut().for_each(|mu| *mu += 0.0);
        let b = b.into_iter().map(|b| b.add_scalar(0.0)).collect();
        blocks.retain(|block| block.row == block.column || block.a != Mat3::zeros());
        let n = diagonals.len();
        let row_starts = (0..=n).map(|row| blocks.partition_point(|block| block.row < row)).collect();
        let diagonals = (0..n).map(|j| blocks.partition_point(|block| (block.row, block.column) < (j, j))).collect();
        let mut notes = Vec::new();
        if asymmetry > ASYMMETRY_OF_ROUNDING {
            notes.push(format!("symmetrised: asymmetry {asymmetry:.1e}"));
        }
        Ok(Self { blocks, row_starts, diagonals, b, mu, notes })
    }

    /// A problem of one contact.
    ///
    /// # Errors
    ///
    /// As [`ContactProblem::new`].
    pub fn one(a: &Mat3, b: &Vec3, mu: f64) -> Result<Self> {
        Self::new(vec![Block { row: 0, column: 0, a: *a }], vec![*b], vec![mu])
    }

    /// The same problem with a note for the user added.
    #[must_use]
    pub(in crate::problem) fn with_note(mut self, note: String) -> Self {
        self.notes.push(note);
        self
    }

    /// The same problem with μ = 0 everywhere.
    #[must_use]
    pub fn frictionless(&self) -> Self {
        Self { mu: vec![0.0; self.len()], ..self.clone() }
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.mu.len()
    }

    /// Whether there is no contact.
    pub fn is_empty(&self) -> bool {
        self.mu.is_empty()
    }

    /// All blocks of A that are not zero, sorted by (row, column).
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The blocks of A in the row of contact `j`, sorted by column.
    #[inline]
    pub fn row(&self, j: usize) -> &[Block] {
        &self.blocks[self.row_starts[j]..self.row_starts[j + 1]]
    }

    /// The diagonal block A_jj in 1/kg.
    pub fn diagonal(&self, j: usize) -> &Mat3 {
        &self.blocks[self.diagonals[j]].a
    }

    /// The right-hand side b in m/s, one vector (n, t, o) a contact.
    pub fn b(&self) -> &[Vec3] {
        &self.b
    }

    /// The coefficients of friction.
    pub fn mu(&self) -> &[f64] {
        &self.mu
    }

    /// What was changed in reading, for the user.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The relative contact velocities δv⁺ = AΛ − b in m/s after the impulses Λ in N·s.
    pub fn velocities(&self, impulses: &[Vec3]) -> Vec<Vec3> {
        (0..self.len()).map(|j| self.velocity(j, impulses)).collect()
    }

    /// The relative velocity δv⁺ of contact `j` in m/s after the impulses Λ in N·s.
    pub fn velocity(&self, j: usize, impulses: &[Vec3]) -> Vec3 {
        self.row(j).iter().fold(-self.b[j], |v, block| v + block.a * impulses[block.column])
    }

    /// ½ΛᵀAΛ − bᵀΛ in J: the change of kinetic energy when b = −δv⁻.
    pub fn energy_change(&self, impulses: &[Vec3]) -> f64 {
        // ½ΛᵀAΛ − bᵀΛ = ½ Σ Λ_j·(δv⁺_j − b_j)
        (0..self.len()).map(|j| 0.5 * impulses[j].dot(&(self.velocity(j, impulses) - self.b[j]))).sum()
    }
}

/// Faults found so far, the first few in full.
#[derive(Default)]
struct Faults {
    listed: Vec<Fault>,
    unlisted: usize,
}

impl Faults {
    fn push(&mut self, key: String, what: String, remedy: &str) {
        if self.listed.len() < FAULTS_LISTED {
            self.listed.push(Fault::new(key, what, remedy));
        } else {
            self.unlisted += 1;
        }
    }

    fn result(&mut self) -> Result<()> {
        if self.listed.is_empty() {
            return Ok(());
        }
        let mut faults = std::mem::take(&mut self.listed);
        if self.unlisted > 0 {
            faults.push(Fault::new("", format!("{} more of the same kind", self.unlisted), ""));
        }
        Err(Error::Input(faults))
    }
}

fn place(row: usize, column: usize) -> String {
    format!("block ({row}, {column}) of A")
}

fn check_numbers(blocks: &[Block], b: &[Vec3], mu: &[f64], faults: &mut Faults) {
    const FINITE: &str = "every number must be finite";
    for block in blocks {
        let (row, column) = (block.row, block.column);
        if row >= b.len() || column >= b.len() {
            let what = format!("there are only {} contacts", b.len());
            faults.push(place(row, column), what, "rows and columns count contacts from 0");
        }
        if let Some(bad) = block.a.iter().find(|x| !x.is_finite()) {
            faults.push(place(row, column), format!("{bad} is not a finite number"), FINITE);
        }
    }
    for (j, b) in b.iter().enumerate() {
        if let Some(k) = (0..3).find(|&k| !b[k].is_finite()) {
            faults.push(format!("b[{}]", 3 * j + k), format!("{} is not a finite number", b[k]), FINITE);
        }
    }
    for (j, &mu) in mu.iter().enumerate() {
        if !mu.is_finite() {
            faults.push(format!("mu[{j}]"), format!("{mu} is not a finite number"), FINITE);
        } else if mu < 0.0 {
            faults.push(format!("mu[{j}]"), format!("{mu} is negative"), "a coefficient of friction is 0 or more");
        }
    }
}

/// Where the diagonal blocks are; faults for missing and repeated blocks.
fn diagonals(blocks: &[Block], n: usize, faults: &mut Faults) -> Vec<usize> {
    for pair in blocks.windows(2) {
        if (pair[0].row, pair[0].column) == (pair[1].row, pair[1].column) {
            faults.push(place(pair[0].row, pair[0].column), "given twice".into(), "give each block once");
        }
    }
    (0..n)
        .map(|j| {
            let k = blocks.partition_point(|block| (block.row, block.column) < (j, j));
            if blocks.get(k).is_none_or(|block| (block.row, block.column) != (j, j)) {
                faults.push(place(j, j), "missing".into(), "every contact needs its diagonal block");
            }
            k
        })
        .collect()
}

/// Replaces A by (A + Aᵀ)/2 and returns the largest |A_pq − A_qp| / √(A_pp A_qq).
///
/// The measure does not depend on the units of either contact, and no entry of an SPD matrix exceeds √(A_pp A_qq).
fn symmetrise(blocks: &mut [Block], row_starts: &[usize], diagonals: &[usize], faults: &mut Faults) -> f64 {
    let mut roots = Vec::with_capacity(diagonals.len());
    for (j, &k) in diagonals.iter().enumerate() {
        let diagonal = blocks[k].a.diagonal();
        if let Some(i) = (0..3).find(|&i| diagonal[i] <= 0.0) {
            let what = format!("not positive definite: its diagonal entry {i} is {}", diagonal[i]);
            faults.push(place(j, j), what, DEFINITE);
        }
        roots.push(diagonal.map(f64::sqrt));
    }
    if !faults.listed.is_empty() {
        return 0.0;
    }
    let mut largest = 0.0_f64;
    for k in 0..blocks.len() {
        let Block { row, column, a } = blocks[k];
        if row > column {
            // Done with its partner above the diagonal.
            continue;
        }
        let partner = find(blocks, row_starts, column, row);
        let other = blocks[partner].a.transpose();
        let scaled = (a - other).zip_map(&(roots[row] * roots[column].transpose()), |d, size| (d / size).abs());
        let asymmetry = scaled.max();
        if asymmetry > ASYMMETRY_ALLOWED {
            let what = format!("A is not symmetric: relative asymmetry {asymmetry:.1e} to block ({column}, {row})");
            faults.push(place(row, column), what, "give the whole matrix; A must be symmetric to 1e-2");
        }
        largest = largest.max(asymmetry);
        let mean = a.zip_map(&other, |x, y| if x.to_bits() == y.to_bits() { x } else { 0.5 * x + 0.5 * y });
        blocks[k].a = mean;
        blocks[partner].a = mean.transpose();
    }
    largest
}

/// Adds a zero block (j, i) wherever only (i, j) is given: a file may leave out what is zero.
fn complete(blocks: &mut Vec<Block>) {
    let given = |row, column| blocks.binary_search_by_key(&(row, column), |block| (block.row, block.column)).is_ok();
    let missing: Vec<Block> = blocks
        .iter()
        .filter(|block| !given(block.column, block.row))
        .map(|block| Block { row: block.column, column: block.row, a: Mat3::zeros() })
        .collect();
    blocks.extend(missing);
    blocks.sort_by_key(|block| (block.row, block.column));
}

/// Where the block (row, column) is, which [`complete`] has seen to.
fn find(blocks: &[Block], row_starts: &[usize], row: usize, column: usize) -> usize {
    let start = row_starts[row];
    let blocks = &blocks[start..row_starts[row + 1]];
    start + blocks.binary_search_by_key(&column, |block| block.column).expect("the pattern is symmetric")
}

const DEFINITE: &str = "the Delassus block of a contact must be positive definite";

/// Cholesky of the block scaled to a unit diagonal, by its pivots.
fn check_positive_definite(j: usize, a: &Mat3, faults: &mut Faults) {
    let root = a.diagonal().map(f64::sqrt);
    let s = a.zip_map(&(root * root.transpose()), |x, size| x / size);
    let second = 1.0 - s[(0, 1)] * s[(0, 1)];
    let coupling = s[(1, 2)] - s[(0, 1)] * s[(0, 2)];
    let third = 1.0 - s[(0, 2)] * s[(0, 2)] - coupling * coupling / second;
    if !(second >= SMALLEST_PIVOT && third >= SMALLEST_PIVOT) {
        let smallest = s.symmetric_eigenvalues().min();
        let what = format!("not positive definite: scaled to a unit diagonal, its least eigenvalue is {smallest:.1e}");
        faults.push(place(j, j), what, DEFINITE);
    }
}

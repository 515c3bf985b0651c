//! The global problem in the velocities of the bodies, reduced to the contacts.

use crate::error::Error;
use crate::error::Result;
use crate::math::Mat3;
use crate::math::Vec3;
use crate::problem::Block;
use crate::problem::ContactProblem;
use crate::problem::sparse::SparseMatrix;
use crate::problem::sparse::vectors;
use nalgebra::Cholesky;
use nalgebra::DMatrix;
use std::collections::BTreeMap;

/// Most velocities, or contact components, that one coupled part of M may have: a dense matrix of this size is 288 MB.
const LARGEST_PART: usize = 6000;
/// Relative asymmetry of M above which it is taken for a wrong matrix.
const ASYMMETRY_ALLOWED: f64 = 1e-2;

/// The global problem, with v the velocities of all bodies, r the impulses and u the contact velocities:
///
/// ```text
/// M v = H r + q,   u = Hᵀ v + b
/// ```
pub(in crate::problem) struct GlobalProblem {
    /// Mass matrix, symmetric positive definite.
    pub(in crate::problem) m: SparseMatrix,
    /// Directions of the impulses, three columns a contact.
    pub(in crate::problem) h: SparseMatrix,
    /// Impulse of all other forces, one number for each row of M.
    pub(in crate::problem) q: Vec<f64>,
    /// Prescribed contact velocities, one number for each column of H.
    pub(in crate::problem) b: Vec<f64>,
    /// Coefficients of friction.
    pub(in crate::problem) mu: Vec<f64>,
}

impl GlobalProblem {
    /// Eliminates the velocities:
    ///
    /// ```text
    /// u = W r + q_local,   W = Hᵀ M⁻¹ H,   q_local = Hᵀ M⁻¹ q + b
    /// ```
    ///
    /// one coupled part of M (in general: one body) at a time, so the cost grows with the contacts of a body, not with
    /// the square of their total number.
    ///
    /// # Errors
    ///
    /// [`Error::Input`] if sizes do not fit, M is unsymmetric or not positive definite, a part is too large, and as
    /// [`ContactProblem::new`].
    pub(in crate::problem) fn reduce(self) -> Result<ContactProblem> {
        self.check_sizes()?;
        let parts = Parts::of(&self.m, &self.h);
        let mut w: BTreeMap<(usize, usize), Mat3> = BTreeMap::new();
        let mut velocities: Vec<Vec3> = vectors(&self.b).map(|b| -b).collect();
        for part in &parts.list {
            let contacts = part.contacts.len();
            if part.rows.len().max(3 * contacts) > LARGEST_PART {
                let what = format!("{} coupled velocities with {contacts} contacts", part.rows.len());
                return Err(Error::input("M", what, format!("at most {LARGEST_PART} of M or H may be coupled")));
            }
            let mass = part.mass(&parts.place)?;
            let h = part.directions(&parts.place);
            let q = DMatrix::from_fn(part.rows.len(), 1, |i, _| self.q[part.rows[i]]);
            let w_part = h.tr_mul(&mass.solve(&h));
            let q_part = h.tr_mul(&mass.solve(&q));
            for (j, &column) in part.contacts.iter().enumerate() {
                velocities[column] -= q_part.fixed_view::<3, 1>(3 * j, 0);
                for (i, &row) in part.contacts.iter().enumerate() {
                    *w.entry((row, column)).or_insert_with(Mat3::zeros) += w_part.fixed_view::<3, 3>(3 * i, 3 * j);
                }
            }
        }
        let blocks = w.into_iter().map(|((row, column), a)| Block { row, column, a }).collect();
        let problem = ContactProblem::new(blocks, velocities, self.mu)?;
        let note = format!("reduced from the global problem of {} velocities", self.q.len());
        Ok(problem.with_note(note))
    }

    fn check_sizes(&self) -> Result<()> {
        let (rows, columns) = (self.q.len(), self.b.len());
        if self.m.rows != rows || self.m.columns != rows {
            let what = format!("{} rows and {} columns", self.m.rows, self.m.columns);
            return Err(Error::input("M", what, format!("{rows} of each are needed, one for each number of q")));
        }
        if self.h.rows != rows || self.h.columns != columns || columns != 3 * self.mu.len() {
            let what = format!("{} rows and {} columns", self.h.rows, self.h.columns);
            let remedy = format!("{rows} rows and {} columns are needed, three columns a contact", 3 * self.mu.len());
            return Err(Error::input("H", what, remedy));
        }
        let finite = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
        let matrix = |m: &SparseMatrix| m.entries.iter().all(|entry| entry.2.is_finite());
        for (name, fine) in
            [("M", matrix(&self.m)), ("H", matrix(&self.h)), ("q", finite(&self.q)), ("b", finite(&self.b))]
        {
            if !fine {
                return Err(Error::input(name, "holds a number that is not finite", "every number must be finite"));
            }
        }
        Ok(())
    }
}

/// Velocities coupled by M, and the contacts that act on them.
#[derive(Default)]
struct Part {
    /// Rows of M, ascending.
    rows: Vec<usize>,
    /// Contacts with an entry of H in these rows, ascending.
    contacts: Vec<usize>,
    m: Vec<(usize, usize, f64)>,
    h: Vec<(usize, usize, f64)>,
}

/// The coupled parts of M, by their first row.
struct Parts {
    list: Vec<Part>,
    /// Place of each row of M within its part.
    place: Vec<usize>,
}

impl Parts {
    fn of(m: &SparseMatrix, h: &SparseMatrix) -> Self {
        // Union of coupled rows; the root of a set is its smallest row.
        let mut root: Vec<usize> = (0..m.rows).collect();
        fn find(root: &mut [usize], mut i: usize) -> usize {
            while root[i] != i {
                root[i] = root[root[i]];
                i = root[i];
            }
            i
        }
        for &(i, j, value) in &m.entries {
            if value != 0.0 {
                let (i, j) = (find(&mut root, i), find(&mut root, j));
                root[i.max(j)] = i.min(j);
            }
        }
        let mut list: Vec<Part> = Vec::new();
        let mut part_of = vec![0; m.rows];
        let mut place = vec![0; m.rows];
        for i in 0..m.rows {
            let r = find(&mut root, i);
            if r == i {
                part_of[i] = list.len();
                list.push(Part::default());
            }
            part_of[i] = part_of[r];
            place[i] = list[part_of[i]].rows.len();
            list[part_of[i]].rows.push(i);
        }
        for &(i, j, value) in &m.entries {
            if value != 0.0 {
                list[part_of[i]].m.push((i, j, value));
            }
        }
        for &(i, column, value) in &h.entries {
            list[part_of[i]].h.push((i, column, value));
        }
        for part in &mut list {
            part.contacts = part.h.iter().map(|entry| entry.1 / 3).collect();
            part.contacts.sort_unstable();
            part.contacts.dedup();
        }
        Self { list, place }
    }
}

impl Part {
    /// The factorised block of M.
    fn mass(&self, place: &[usize]) -> Result<Cholesky<f64, nalgebra::Dyn>> {
        let n = self.rows.len();
        let mut m = DMatrix::<f64>::zeros(n, n);
        for &(i, j, value) in &self.m {
            m[(place[i], place[j])] += value;
        }
        let key = || format!("M, rows {} to {}", self.rows[0], self.rows[n - 1]);
        for i in 0..n {
            for j in 0..i {
                let size = (m[(i, i)] * m[(j, j)]).abs().sqrt();
                if (m[(i, j)] - m[(j, i)]).abs() > ASYMMETRY_ALLOWED * size {
                    let what = format!("not symmetric: {} and {}", m[(i, j)], m[(j, i)]);
                    return Err(Error::input(key(), what, "the mass matrix must be symmetric"));
                }
                m[(i, j)] = 0.5 * m[(i, j)] + 0.5 * m[(j, i)];
            }
        }
        Cholesky::new(m).ok_or_else(|| {
            Error::input(key(), "not positive definite", "the mass matrix must be symmetric positive definite")
        })
    }

    /// The block of H: rows of this part, three columns for each of its contacts.
    fn directions(&self, place: &[usize]) -> DMatrix<f64> {
        let mut h = DMatrix::zeros(self.rows.len(), 3 * self.contacts.len());
        for &(i, column, value) in &self.h {
            let j = self.contacts.binary_search(&(column / 3)).expect("the contacts are those of h");
            h[(place[i], 3 * j + column % 3)] += value;
        }
        h
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(rows: usize, columns: usize, entries: &[(usize, usize, f64)]) -> SparseMatrix {
        SparseMatrix { rows, columns, entries: entries.to_vec() }
    }

    /// Two free point masses of 2 kg and 4 kg; both contacts push apart along the axes.
    fn two_points() -> GlobalProblem {
        let m = matrix(6, 6, &[(0, 0, 2.0), (1, 1, 2.0), (2, 2, 2.0), (3, 3, 4.0), (4, 4, 4.0), (5, 5, 4.0)]);
        let mut h = Vec::new();
        for k in 0..3 {
            h.extend([(k, k, 1.0), (3 + k, k, -1.0), (3 + k, 3 + k, 1.0)]);
        }
        GlobalProblem {
            m,
            h: matrix(6, 6, &h),
            q: vec![-2.0, 1.0, 0.0, 4.0, 0.0, 2.0],
            b: vec![0.0, 0.0, 0.0, -0.5, 0.0, 0.0],
            mu: vec![0.5, 0.2],
        }
    }

    #[test]
    fn two_point_masses_reduce_to_the_sum_of_their_inverse_masses() {
        let problem = two_points().reduce().expect("a valid problem");
        assert_eq!(problem.len(), 2);
        // 1/2 + 1/4, 1/4 and −1/4 are exact.
        assert_eq!(*problem.diagonal(0), Mat3::identity() * 0.75);
        assert_eq!(*problem.diagonal(1), Mat3::identity() * 0.25);
        assert_eq!(problem.row(0)[1].a, Mat3::identity() * -0.25);
        // b = −(Hᵀ M⁻¹ q + b): velocities (−1, 0.5, 0) and (1, 0, 0.5) before.
        // The factor of M holds √2, so the solution is exact to a rounding only.
        for (b, expected) in problem.b().iter().zip([Vec3::new(2.0, -0.5, 0.5), Vec3::new(-0.5, 0.0, -0.5)]) {
            assert!((b - expected).amax() <= 2.0 * f64::EPSILON, "{b} for {expected}");
        }
    }

    #[test]
    fn a_mass_matrix_that_is_no_mass_matrix_is_refused() {
        let mut negative = two_points();
        negative.m.entries[1].2 = -2.0;
        let message = negative.reduce().expect_err("negative mass").to_string();
        assert!(message.contains("M, rows 1 to 1") && message.contains("not positive definite"), "{message}");
        let mut unsymmetric = two_points();
        unsymmetric.m.entries.push((0, 1, 1.0));
        let message = unsymmetric.reduce().expect_err("unsymmetric mass").to_string();
        assert!(message.contains("not symmetric"), "{message}");
    }
}

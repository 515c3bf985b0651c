//! The convex laws as second-order cone programs, solved by an interior-point method (Clarabel).
//!
//! ```text
//! minimise    ½ ΛᵀAΛ − bᵀΛ
//! subject to  ‖(Λt, Λo)‖ ≤ μ Λn   for each contact
//!             (AΛ − b)n = 0       for `max-dissipation`, where bn > 0
//! ```
//!
//! It shares no code with the laws of [`crate::law`] and is their reference. Of the two it is the less accurate: with the
//! scaling below and tolerances of 1e-15 its energies are good to 1e-12 relative for most contacts and to 1e-10 for 99 in
//! 100, its impulses to the square root of that where the energy is flat.
//!
//! Scaling: with d_j = 1/√(largest diagonal entry of A_jj) and s = max ‖d_j b_j‖∞ the program is posed in
//! z_j = Λ_j/(s d_j), so that A has a diagonal of order one, mass ratios do not show, and b is of order one.
//! The cone is the standard one for (μ z_n, z_t, z_o) if μ ≤ 1 and for (z_n, z_t/μ, z_o/μ) if μ > 1; for μ = 0 it is the
//! ray z_n ≥ 0, z_t = z_o = 0.

use crate::math::Mat3;
use crate::math::Vec3;
use crate::problem::ContactProblem;
use clarabel::algebra::CscMatrix;
use clarabel::solver::DefaultSettings;
use clarabel::solver::DefaultSolver;
use clarabel::solver::IPSolver;
use clarabel::solver::SolverStatus;
use clarabel::solver::SupportedConeT;

/// Tolerance asked for: beyond what is usually met, so that the method goes as far as it can.
const TOLERANCE: f64 = 1e-15;
/// Tolerance (gap and feasibility) of an answer that still counts as one.
const REDUCED_TOLERANCE: f64 = 1e-9;

/// Share of the way to the border of the cones that a step goes. With Clarabel's 0.99 the last iterates lie so close to
/// the border that rounding ends the iteration early: one energy in twenty is then off by more than 1e-10.
const STEP_FRACTION: f64 = 0.9;
/// Regularisation of the linear systems; Clarabel's 1e-8 does as much harm as the long steps. They are small and regular.
const REGULARISATION: f64 = 1e-16;

/// How far the interior-point method came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Gap and feasibility are below 1e-15, relative or absolute in the scaled program.
    Solved,
    /// Below 1e-9; rounding did not let it go on to 1e-15. The usual outcome.
    AlmostSolved,
    /// Not even that by the method's own account; the energy is often good all the same.
    NotSolved,
}

/// The answer of the cone program.
#[derive(Clone, Debug, PartialEq)]
pub struct ConeProgramSolution {
    /// Impulse of each contact in N·s, (n, t, o).
    pub impulses: Vec<Vec3>,
    /// ½ΛᵀAΛ − bᵀΛ in J.
    pub energy: f64,
    /// How far the method came.
    pub status: Status,
}

/// The `max-dissipation` impulse of one contact with Delassus block `a` in 1/kg and `b` in m/s.
pub fn max_dissipation(a: &Mat3, b: &Vec3, mu: f64) -> ConeProgramSolution {
    if b.x <= 0.0 {
        return ConeProgramSolution { impulses: vec![Vec3::zeros()], energy: 0.0, status: Status::Solved };
    }
    minimise(&[(0, 0, *a)], &[*b], &[mu], true)
}

/// The `cone` impulse of one contact with Delassus block `a` in 1/kg and `b` in m/s.
pub fn cone(a: &Mat3, b: &Vec3, mu: f64) -> ConeProgramSolution {
    minimise(&[(0, 0, *a)], &[*b], &[mu], false)
}

/// The `cone` impulses of all contacts of a problem.
pub fn cone_of_many(problem: &ContactProblem) -> ConeProgramSolution {
    let blocks: Vec<_> = problem.blocks().iter().map(|block| (block.row, block.column, block.a)).collect();
    minimise(&blocks, problem.b(), problem.mu(), false)
}

/// Solves the program for the blocks (row, column, entries) of A; `plane` adds (AΛ − b)n = 0 for every contact.
fn minimise(blocks: &[(usize, usize, Mat3)], b: &[Vec3], mu: &[f64], plane: bool) -> ConeProgramSolution {
    let n = b.len();
    if n == 0 {
        return ConeProgramSolution { impulses: Vec::new(), energy: 0.0, status: Status::Solved };
    }
    let mut d = vec![0.0; n];
    for (row, _, a) in blocks.iter().filter(|(row, column, _)| row == column) {
        d[*row] = 1.0 / a.diagonal().max().sqrt();
    }
    let s = b.iter().zip(&d).map(|(b, d)| b.amax() * d).fold(0.0, f64::max);
    if s <= 0.0 {
        return ConeProgramSolution { impulses: vec![Vec3::zeros(); n], energy: 0.0, status: Status::Solved };
    }

    let mut objective = Triplets::default();
    let mut constraints = Triplets::default();
    for &(row, column, a) in blocks {
        for i in 0..3 {
            for j in 0..3 {
                // Clarabel reads the upper triangle.
                if 3 * row + i <= 3 * column + j {
                    objective.push(3 * row + i, 3 * column + j, d[row] * d[column] * a[(i, j)]);
                }
            }
        }
    }
    let linear: Vec<f64> = b.iter().zip(&d).flat_map(|(b, d)| [b.x, b.y, b.z].map(|b| -b * d / s)).collect();

    // Clarabel's constraints: (right − constraints·z) lies in the cones.
    let mut right = Vec::new();
    let mut cones = Vec::new();
    for (j, &mu) in mu.iter().enumerate() {
        let (normal, tangential) = if mu > 1.0 { (1.0, 1.0 / mu) } else { (mu, 1.0) };
        let first = right.len();
        if mu > 0.0 {
            cones.push(SupportedConeT::SecondOrderConeT(3));
            constraints.push(first, 3 * j, -normal);
        } else {
            cones.push(SupportedConeT::NonnegativeConeT(1));
            cones.push(SupportedConeT::ZeroConeT(2));
            constraints.push(first, 3 * j, -1.0);
        }
        constraints.push(first + 1, 3 * j + 1, -tangential);
        constraints.push(first + 2, 3 * j + 2, -tangential);
        right.extend([0.0; 3]);
    }
    if plane {
        cones.push(SupportedConeT::ZeroConeT(n));
        for &(row, column, a) in blocks {
            for j in 0..3 {
                constraints.push(right.len() + row, 3 * column + j, d[row] * d[column] * a[(0, j)]);
            }
        }
        right.extend(b.iter().zip(&d).map(|(b, d)| b.x * d / s));
    }

    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: TOLERANCE,
        tol_gap_rel: TOLERANCE,
        tol_feas: TOLERANCE,
        reduced_tol_gap_abs: REDUCED_TOLERANCE,
        reduced_tol_gap_rel: REDUCED_TOLERANCE,
        reduced_tol_feas: REDUCED_TOLERANCE,
        max_step_fraction: STEP_FRACTION,
        static_regularization_constant: REGULARISATION,
        ..DefaultSettings::default()
    };
    let objective = objective.matrix(3 * n, 3 * n);
    let constraints = constraints.matrix(right.len(), 3 * n);
    let mut solver = DefaultSolver::new(&objective, &linear, &constraints, &right, &cones, settings)
        .expect("sizes and settings are consistent");
    solver.solve();
    let z = &solver.solution.x;
    let impulses: Vec<_> = (0..n).map(|j| Vec3::new(z[3 * j], z[3 * j + 1], z[3 * j + 2]) * (s * d[j])).collect();
    let energy = energy(blocks, b, &impulses);
    let status = match solver.solution.status {
        SolverStatus::Solved => Status::Solved,
        SolverStatus::AlmostSolved => Status::AlmostSolved,
        _ => Status::NotSolved,
    };
    ConeProgramSolution { impulses, energy, status }
}

/// ½ΛᵀAΛ − bᵀΛ in J.
fn energy(blocks: &[(usize, usize, Mat3)], b: &[Vec3], impulses: &[Vec3]) -> f64 {
    let quadratic: f64 = blocks.iter().map(|(row, column, a)| impulses[*row].dot(&(a * impulses[*column]))).sum();
    let linear: f64 = b.iter().zip(impulses).map(|(b, impulse)| b.dot(impulse)).sum();
    0.5 * quadratic - linear
}

/// Entries of a sparse matrix, each place once.
#[derive(Default)]
struct Triplets {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl Triplets {
    fn push(&mut self, row: usize, column: usize, value: f64) {
        self.rows.push(row);
        self.columns.push(column);
        self.values.push(value);
    }

    fn matrix(self, rows: usize, columns: usize) -> CscMatrix<f64> {
        CscMatrix::new_from_triplets(rows, columns, self.rows, self.columns, self.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Block;

    /// The interior-point method stops short of round-off; impulses are worth half the digits of energies.
    const IMPULSE: f64 = 1e-6;

    fn agrees(solution: &ConeProgramSolution, expected: Vec3) {
        let off = (solution.impulses[0] - expected).norm();
        assert!(off <= IMPULSE * expected.norm(), "{:?} for {expected:?}", solution.impulses);
    }

    #[test]
    fn without_friction_the_impulse_is_normal() {
        let a = Mat3::new(2.0, 0.5, -0.3, 0.5, 3.0, 0.2, -0.3, 0.2, 1.5);
        let b = Vec3::new(1.0, 0.4, -2.0);
        agrees(&max_dissipation(&a, &b, 0.0), Vec3::new(0.5, 0.0, 0.0));
        agrees(&cone(&a, &b, 0.0), Vec3::new(0.5, 0.0, 0.0));
    }

    #[test]
    fn sliding_spheres_get_friction_along_the_slip_whatever_the_units() {
        // Λn = b_n/A_nn = 0.5, ‖x‖ = μ Λn along b_to.
        for (mass, speed) in [(1.0, 1.0), (1e-9, 1e4), (1e9, 1e-6)] {
            let a = Mat3::from_diagonal(&Vec3::new(2.0, 7.0, 7.0)) / mass;
            let b = Vec3::new(1.0, 6.0, -8.0) * speed;
            let solution = max_dissipation(&a, &b, 0.3);
            agrees(&solution, Vec3::new(0.5, 0.09, -0.12) * (mass * speed));
            let expected = (0.25 + 0.5 * 7.0 * 0.0225 - 0.5 - 0.15 * 10.0) * mass * speed * speed;
            assert!((solution.energy - expected).abs() <= 1e-10 * expected.abs(), "{} {expected}", solution.energy);
        }
    }

    #[test]
    fn a_separating_contact_gets_an_impulse_under_the_cone_alone() {
        let a = Mat3::from_diagonal(&Vec3::new(2.0, 7.0, 7.0));
        let b = Vec3::new(-0.5, 6.0, -8.0);
        gets_nothing(&max_dissipation(&a, &b, 0.3));
        // b_n + μ‖b_to‖ = 2.5 > 0: Λ = p (1, μ b̂) with p (A_nn + μ² A_tt) = 2.5.
        let p = 2.5 / (2.0 + 0.09 * 7.0);
        agrees(&cone(&a, &b, 0.3), Vec3::new(1.0, 0.18, -0.24) * p);
        // b_n + μ‖b_to‖ ≤ 0 lets go.
        assert!(cone(&a, &Vec3::new(-3.1, 6.0, -8.0), 0.3).impulses[0].norm() < IMPULSE);
    }

    fn gets_nothing(solution: &ConeProgramSolution) {
        assert_eq!(solution.impulses, [Vec3::zeros()]);
        assert_eq!(solution.status, Status::Solved);
    }

    #[test]
    fn contacts_that_share_a_body_satisfy_the_optimality_conditions_of_the_cone() {
        // Three contacts of A = JJᵀ + E, coupled all with all.
        let j = [[0.9, -0.2, 0.4], [0.3, 0.8, -0.5], [-0.6, 0.1, 0.7]];
        let mut blocks = Vec::new();
        for row in 0..3 {
            for column in 0..3 {
                let coupled = Mat3::from_fn(|i, k| (0..3).map(|m| j[(row + i) % 3][m] * j[(column + k) % 3][m]).sum());
                let own = if row == column { 1.0 } else { 0.0 };
                blocks.push(Block { row, column, a: coupled + Mat3::from_diagonal_element(own) });
            }
        }
        let b = vec![Vec3::new(1.0, -3.0, 0.5), Vec3::new(0.4, 0.2, 2.0), Vec3::new(-0.1, 0.1, 0.05)];
        let mu = vec![0.3, 1.7, 0.0];
        let problem = ContactProblem::new(blocks, b, mu).expect("a valid problem");
        let solution = cone_of_many(&problem);
        assert_ne!(solution.status, Status::NotSolved);
        assert!((solution.energy - problem.energy_change(&solution.impulses)).abs() < IMPULSE);
        for k in 0..problem.len() {
            let (impulse, v, mu) = (solution.impulses[k], problem.velocity(k, &solution.impulses), problem.mu()[k]);
            // Λ in the cone, AΛ − b in its dual, and orthogonal.
            let friction = impulse.y.hypot(impulse.z) - mu * impulse.x;
            assert!(friction <= IMPULSE && impulse.x >= -IMPULSE, "contact {k}: impulse {impulse}");
            assert!(v.x - mu * v.y.hypot(v.z) >= -IMPULSE, "contact {k}: velocity {v}, mu {mu}");
            assert!(impulse.dot(&v).abs() <= IMPULSE, "contact {k}: Λ·v = {}", impulse.dot(&v));
        }
        // Not the trivial answer: two contacts carry a load.
        assert!(solution.impulses[0].x > 0.1 && solution.impulses[1].x > 0.1, "{:?}", solution.impulses);
    }

    #[test]
    fn one_contact_is_the_same_alone_and_as_a_problem() {
        let a = Mat3::new(2.0, 0.5, -0.3, 0.5, 3.0, 0.2, -0.3, 0.2, 1.5);
        let b = Vec3::new(1.0, 4.0, -2.0);
        let problem = ContactProblem::one(&a, &b, 0.4).expect("a valid problem");
        assert_eq!(cone_of_many(&problem), cone(&a, &b, 0.4));
    }

    #[test]
    fn no_contact_and_no_velocity_need_no_impulse() {
        let empty = ContactProblem::new(Vec::new(), Vec::new(), Vec::new()).expect("a valid problem");
        assert!(cone_of_many(&empty).impulses.is_empty());
        assert_eq!(cone(&Mat3::identity(), &Vec3::zeros(), 0.5).impulses, [Vec3::zeros()]);
    }
}

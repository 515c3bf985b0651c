//! The laws of one contact against 144 problems solved with 60 digits (`tests/data/single_contact.json`).

use maxdiss::law::ContactBlock;
use maxdiss::law::ContactLaw;
use maxdiss::law::ContactState;
use maxdiss::law::Coulomb;
use maxdiss::law::coulomb;
use maxdiss::law::max_dissipation;
use maxdiss::math::Mat3;
use maxdiss::math::Vec3;
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    kind: String,
    delassus: [[f64; 3]; 3],
    b: [f64; 3],
    mu: f64,
    max_dissipation: Answer,
    coulomb: Vec<Answer>,
}

/// Numbers are strings of 25 digits; the nearest double is taken.
#[derive(Deserialize)]
struct Answer {
    state: ContactState,
    impulse: [String; 3],
    energy: String,
}

impl Answer {
    fn impulse(&self) -> Vec3 {
        Vec3::from_fn(|i, _| self.impulse[i].parse().expect("a number"))
    }

    fn energy(&self) -> f64 {
        self.energy.parse().expect("a number")
    }
}

impl Case {
    fn delassus(&self) -> Mat3 {
        Mat3::from_fn(|i, j| self.delassus[i][j])
    }

    fn block(&self) -> ContactBlock {
        ContactBlock::new(&self.delassus(), self.mu)
    }

    fn b(&self) -> Vec3 {
        Vec3::from(self.b)
    }
}

fn cases() -> Vec<Case> {
    let cases: Vec<Case> = serde_json::from_str(include_str!("data/single_contact.json")).expect("reference data");
    assert_eq!(cases.len(), 144);
    cases
}

/// ‖p − q‖/‖q‖, and ‖p‖ where q = 0.
fn relative(p: &Vec3, q: &Vec3) -> f64 {
    let size = q.norm();
    (p - q).norm() / if size > 0.0 { size } else { 1.0 }
}

#[test]
fn maximum_dissipation_is_exact_to_round_off_in_every_case() {
    // The bound; what is reached is printed.
    const IMPULSE: f64 = 1e-13;
    const ENERGY: f64 = 1e-12;
    let mut worst = (0.0, String::new());
    for (index, case) in cases().iter().enumerate() {
        let answer = max_dissipation::solve(&case.delassus(), &case.b(), case.mu);
        let expected = &case.max_dissipation;
        let error = relative(&answer.impulse, &expected.impulse());
        println!("{index} {} {error:.1e} {:?} {}", case.kind, answer.state, answer.certified);
        assert!(error <= IMPULSE, "case {index} ({}): off by {error:.2e}", case.kind);
        assert!(answer.certified, "case {index} ({}) is not certified", case.kind);
        if case.kind != "stick-slip border" {
            assert_eq!(answer.state, expected.state, "case {index} ({})", case.kind);
        }
        let energy = case.block().energy(&answer.impulse, &case.b());
        let off = (energy - expected.energy()).abs();
        assert!(off <= ENERGY * expected.energy().abs(), "case {index}: energy {energy} for {}", expected.energy);
        if error > worst.0 {
            worst = (error, format!("case {index} ({})", case.kind));
        }
    }
    println!("largest relative error of an impulse: {:.1e} in {}", worst.0, worst.1);
}

#[test]
fn coulomb_lists_every_solution_that_satisfies_the_pressure_constraint() {
    const IMPULSE: f64 = 1e-9;
    const ENERGY: f64 = 1e-12;
    let mut worst: f64 = 0.0;
    for (index, case) in cases().iter().enumerate() {
        let all = coulomb::solutions(&case.block(), &case.b());
        let found = all.admissible();
        assert_eq!(found.len(), case.coulomb.len(), "case {index} ({}): {found:?}", case.kind);
        for expected in &case.coulomb {
            let (error, nearest) = found
                .iter()
                .map(|s| (relative(&s.impulse, &expected.impulse()), s))
                .min_by(|p, q| p.0.total_cmp(&q.0))
                .expect("at least one solution");
            worst = worst.max(error);
            assert!(error <= IMPULSE, "case {index} ({}): off by {error:.2e}", case.kind);
            let energy = case.block().energy(&nearest.impulse, &case.b());
            let off = (energy - expected.energy()).abs();
            assert!(off <= ENERGY * expected.energy().abs(), "case {index}: energy {energy} for {}", expected.energy);
        }
        let sorted = found.windows(2).all(|pair| {
            case.block().energy(&pair[0].impulse, &case.b()) <= case.block().energy(&pair[1].impulse, &case.b())
        });
        assert!(sorted, "case {index}: not sorted by dissipation");
    }
    println!("largest relative error of an impulse: {worst:.1e}");
}

#[test]
fn a_simulation_under_coulomb_sticks_if_it_can_and_else_dissipates_the_most() {
    for (index, case) in cases().iter().enumerate() {
        let taken = Coulomb.solve(&case.block(), &case.b());
        let energy = |answer: &&Answer| answer.energy();
        let expected = case
            .coulomb
            .iter()
            .find(|answer| answer.state == ContactState::Sticking)
            .or_else(|| case.coulomb.iter().min_by(|p, q| energy(p).total_cmp(&energy(q))))
            .expect("a solution");
        let error = relative(&taken.impulse, &expected.impulse());
        assert!(error <= 1e-9, "case {index} ({}): off by {error:.2e}", case.kind);
    }
}

#[test]
fn an_open_conic_with_a_tiny_closing_speed_keeps_all_digits() {
    // Published with six digits of A, b and μ, so the answer is that of exactly these numbers.
    let a = Mat3::new(4.69085, 6.33049, -1.19407, 6.33049, 20.1795, -1.25709, -1.19407, -1.25709, 1.42137);
    let b = Vec3::new(2.41083e-5, -0.379312, -1.46556);
    let expected = Vec3::new(0.1641502995228041, -0.17133488163303226, -0.26351338750035486);
    let answer = max_dissipation::solve(&a, &b, 1.91481);
    let error = relative(&answer.impulse, &expected);
    assert!(answer.certified && error <= 1e-13, "off by {error:.2e}");
}

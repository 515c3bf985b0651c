//! What every answer of the one-contact laws must satisfy, on random bodies.
//!
//! Tolerances are c·ε·cond(A) with c = 128 unless said otherwise: some hundred roundings, each amplified by at most the
//! condition of the block.

mod property;

use maxdiss::law::Cone;
use maxdiss::law::ContactBlock;
use maxdiss::law::ContactLaw;
use maxdiss::law::ContactState;
use maxdiss::law::Coulomb;
use maxdiss::law::CoulombLeast;
use maxdiss::law::Frictionless;
use maxdiss::law::MaxDissipation;
use maxdiss::law::coulomb;
use maxdiss::law::max_dissipation;
use maxdiss::math::Mat3;
use maxdiss::math::Vec3;
use proptest::prelude::*;

const C: f64 = 128.0;

/// Random body: mass, second moments per mass, lever arm, in SI units.
fn body() -> impl Strategy<Value = Mat3> {
    let moment = || -4.0..1.0f64;
    let arm = || -1.0..1.0f64;
    (-6.0..6.0f64, moment(), moment(), moment(), arm(), arm(), arm(), -2.0..1.0f64).prop_map(
        |(mass, s1, s2, s3, x, y, z, reach)| {
            let (mass, reach) = (10f64.powf(mass), 10f64.powf(reach));
            let s = [s1, s2, s3].map(|s| 10f64.powf(s) * reach * reach);
            let inertia = Vec3::new(s[1] + s[2], s[2] + s[0], s[0] + s[1]) * mass;
            let r = Vec3::new(x, y, z) * reach;
            let cross = r.cross_matrix();
            Mat3::identity() / mass - cross * Mat3::from_diagonal(&inertia.map(|i| 1.0 / i)) * cross
        },
    )
}

#[derive(Clone, Debug)]
struct Contact {
    a: Mat3,
    b: Vec3,
    mu: f64,
}

fn contact() -> impl Strategy<Value = Contact> {
    let friction = prop_oneof![8 => 0.0..2.0f64, 1 => Just(0.0), 2 => (-3.0..6.0f64).prop_map(|e| 10f64.powf(e))];
    let velocity = || -1.0..1.0f64;
    let closing = prop_oneof![6 => 0.0..1.0f64, 2 => (-9.0..0.0f64).prop_map(|e| 10f64.powf(e)), 1 => -1.0..0.0f64];
    (body(), body(), closing, velocity(), velocity(), friction).prop_map(|(p, q, n, t, o, mu)| {
        let a = p + q;
        Contact { a: (a + a.transpose()) * 0.5, b: Vec3::new(n, t, o), mu }
    })
}

fn condition(a: &Mat3) -> f64 {
    let eigen = a.symmetric_eigenvalues();
    eigen.max() / eigen.min()
}

/// Contacts beyond this lose half the digits in A itself; the laws' own limits are tested below it.
const WORST_CONDITION: f64 = 1e8;

fn feasible_points(block: &ContactBlock, b: &Vec3, count: u32) -> Vec<Vec3> {
    let (a, e, mu) = (block.delassus(), block.eccentricity(), block.mu());
    let rho = mu * b.x / a[(0, 0)];
    (0..count)
        .filter_map(|k| {
            let (s, c) = (f64::from(k) * 2.399_963).sin_cos();
            let room = 1.0 + e.x * c + e.y * s;
            // An open conic has no end: points up to ten times its latus rectum.
            let border = if room > 0.1 { rho / room } else { 10.0 * rho };
            let r = border * ((f64::from(k) + 0.5) / f64::from(count)).sqrt();
            let normal = (b.x - a[(0, 1)] * r * c - a[(0, 2)] * r * s) / a[(0, 0)];
            (r <= mu * normal).then(|| Vec3::new(normal, r * c, r * s))
        })
        .collect()
}

/// The size of the terms of the energy, against which its differences are measured.
fn energy_size(c: &Contact, impulse: &Vec3) -> f64 {
    0.5 * impulse.dot(&(c.a * impulse)).abs() + c.b.norm() * impulse.norm()
}

proptest! {
    #![proptest_config(property::cases(20_000))]

    #[test]
    fn the_impulse_is_feasible_certified_and_loses_energy(c in contact()) {
        let condition = condition(&c.a);
        prop_assume!(condition < WORST_CONDITION);
        let tolerance = C * f64::EPSILON * condition;
        let block = ContactBlock::new(&c.a, c.mu);
        for (law, answer) in [
            ("max-dissipation", MaxDissipation.solve(&block, &c.b)),
            ("coulomb", Coulomb.solve(&block, &c.b)),
            ("coulomb, least", CoulombLeast.solve(&block, &c.b)),
            ("frictionless", Frictionless.solve(&block, &c.b)),
            ("cone", Cone.solve(&block, &c.b)),
        ] {
            let impulse = answer.impulse;
            prop_assert!(answer.certified, "{law}: not certified: {answer:?}");
            let (x, n) = (impulse.yz().norm(), impulse.x);
            prop_assert!(x <= c.mu * n * (1.0 + 8.0 * f64::EPSILON), "{law}: outside the cone: {x} > μ {n}");
            prop_assert!(n >= 0.0, "{law}: pulls with {n}");
            let v = block.velocity(&impulse, &c.b);
            let terms = c.a.abs().max() * impulse.norm() + c.b.norm();
            prop_assert!(v.x >= -tolerance * terms, "{law}: still closes at {}", v.x);
            if law != "cone" {
                prop_assert!(c.b.x <= 0.0 || v.x.abs() <= tolerance * terms, "{law}: opens at {}", v.x);
            }
            if answer.state == ContactState::Sticking {
                prop_assert!(v.norm() <= tolerance * terms, "{law}: sticks with a slip of {}", v.norm());
            }
            let energy = block.energy(&impulse, &c.b);
            // The frictionless impulse is feasible, and no law is worse than it.
            let bound = -0.5 * c.b.x.max(0.0).powi(2) / c.a[(0, 0)];
            prop_assert!(energy <= bound + tolerance * energy_size(&c, &impulse), "{law}: {energy} above {bound}");
        }
    }

    #[test]
    fn no_coulomb_solution_dissipates_more(c in contact()) {
        let condition = condition(&c.a);
        prop_assume!(condition < WORST_CONDITION);
        let block = ContactBlock::new(&c.a, c.mu);
        let ours = MaxDissipation.solve(&block, &c.b).impulse;
        let least = block.energy(&ours, &c.b);
        let all = coulomb::solutions(&block, &c.b);
        prop_assert!(!all.admissible().is_empty());
        for solution in all.admissible() {
            let energy = block.energy(&solution.impulse, &c.b);
            let tolerance = C * f64::EPSILON * condition * energy_size(&c, &solution.impulse);
            prop_assert!(least <= energy + tolerance, "{least} above Coulomb's {energy}");
        }
    }

    #[test]
    fn the_answer_turns_with_the_tangent_axes(c in contact(), angle in 0.0..std::f64::consts::TAU) {
        let condition = condition(&c.a);
        prop_assume!(condition < WORST_CONDITION);
        let q = nalgebra::Rotation3::from_axis_angle(&Vec3::x_axis(), angle).into_inner();
        let turned = Contact { a: q * c.a * q.transpose(), b: q * c.b, mu: c.mu };
        let here = max_dissipation::solve(&c.a, &c.b, c.mu);
        let there = max_dissipation::solve(&turned.a, &turned.b, c.mu);
        // Turning rounds e, and near a parabola the length of the conic section depends on 1 − ‖e‖.
        let open = 1.0 / (1.0 - ContactBlock::new(&c.a, c.mu).eccentricity().norm()).abs();
        let energy = |c: &Contact, s: &Vec3| ContactBlock::new(&c.a, c.mu).energy(s, &c.b);
        let (p, q) = (energy(&c, &here.impulse), energy(&turned, &there.impulse));
        let size = energy_size(&c, &here.impulse).max(energy_size(&turned, &there.impulse));
        prop_assert!((p - q).abs() <= C * f64::EPSILON * condition * size * (1.0 + c.mu + open), "{p} and {q}");
    }

    #[test]
    fn the_answer_scales_with_b_and_with_the_unit_of_mass(c in contact(), b_power in -498i32..498, a_power in -498i32..498) {
        // Powers of two: every bit is kept. 2^498 is 8e149.
        let (by_b, by_a) = (2f64.powi(b_power), 2f64.powi(a_power));
        let unit = |x: f64| x.abs() > 1e-8 || x == 0.0;
        prop_assume!(c.b.iter().all(|x| unit(*x)));
        for law in [0, 1, 2] {
            let solve = |a: &Mat3, b: &Vec3| {
                let block = ContactBlock::new(a, c.mu);
                match law {
                    0 => MaxDissipation.solve(&block, b),
                    1 => Coulomb.solve(&block, b),
                    _ => Cone.solve(&block, b),
                }
            };
            let here = solve(&c.a, &c.b);
            let there = solve(&(c.a * by_a), &(c.b * by_b));
            let expected = here.impulse * (by_b / by_a);
            let off = (there.impulse - expected).norm();
            prop_assert!(off <= 1e-14 * expected.norm(), "law {law}: {} for {expected}", there.impulse);
            prop_assert_eq!(here.state, there.state);
        }
    }
}

proptest! {
    #![proptest_config(property::cases(500))]

    #[test]
    fn none_of_a_thousand_feasible_impulses_dissipates_more(c in contact()) {
        let condition = condition(&c.a);
        prop_assume!(condition < WORST_CONDITION && c.b.x > 0.0);
        let block = ContactBlock::new(&c.a, c.mu);
        let least = block.energy(&max_dissipation::solve(&c.a, &c.b, c.mu).impulse, &c.b);
        for other in feasible_points(&block, &c.b, 1000) {
            let energy = block.energy(&other, &c.b);
            let tolerance = C * f64::EPSILON * condition * energy_size(&c, &other);
            prop_assert!(least <= energy + tolerance, "{least} above {energy} at {other}");
        }
    }
}

//! The incremental law against reference answers of 21 digits, and the properties that every contact has.

mod property;

use maxdiss::law::ContactState;
use maxdiss::law::Solution;
use maxdiss::law::coulomb;
use maxdiss::law::incremental;
use maxdiss::law::max_dissipation;
use maxdiss::law::random::ContactSampler;
use maxdiss::law::random::Ensemble;
use maxdiss::law::random::RandomContact;
use maxdiss::math::Mat3;
use maxdiss::math::Vec3;
use nalgebra::Matrix2;
use nalgebra::Rotation3;
use nalgebra::Vector2;
use proptest::prelude::Just;
use proptest::prelude::Strategy;
use proptest::prop_assert;
use proptest::prop_assert_eq;
use proptest::prop_oneof;
use proptest::proptest;

/// Against references that are exact in a double: the sums over the Taylor steps round to a few ε.
const REFERENCE: f64 = 2e-15;
/// c of c·ε·cond(A): rounding of the sums and of one solution with A.
const CONDITION: f64 = 100.0;

#[derive(serde::Deserialize)]
struct Reference {
    case: Option<u32>,
    name: Option<String>,
    delassus: [[f64; 3]; 3],
    b: [f64; 3],
    mu: f64,
    impulse: [String; 3],
    slip_history: String,
}

#[test]
fn every_reference_impulse_is_met_with_the_slip_it_tells_of() {
    let text = include_str!("data/incremental.json");
    let references: Vec<Reference> = serde_json::from_str(text).expect("the reference data are JSON");
    assert_eq!(references.len(), 9);
    for reference in references {
        let name = reference.name.unwrap_or_else(|| format!("case {}", reference.case.unwrap_or_default()));
        let a = Mat3::from_fn(|i, j| reference.delassus[i][j]);
        let solution = incremental::solve(&a, &Vec3::from(reference.b), reference.mu);
        let expected = Vec3::from(reference.impulse.map(|digits| digits.parse().expect("a number")));
        let off = (solution.impulse - expected).norm() / expected.norm();
        println!("{name}: relative error {off:.1e}");
        assert!(off <= REFERENCE, "{name}: {:?} for {expected:?}, off by {off}", solution.impulse);
        assert!(solution.certified, "{name}");
        let sticks = reference.slip_history.contains("sticks until");
        assert_eq!(solution.state == ContactState::Sticking, sticks, "{name}: {}", reference.slip_history);
    }
}

/// The impulse by implicit Euler steps of `dp` in the normal impulse, friction against the slip at the step's end.
///
/// ```text
/// s⁺ = s + a dp + A_tt dx,  dx = μ dp w,  s⁺ = −λ w:   (μ dp A_tt + λ) w = −(s + a dp), ‖w‖ = 1, λ ≥ 0 (stick: λ = 0)
/// ```
///
/// First order, but it needs no rule for stick, restart or jam, and no event but δv_n = 0.
fn by_small_steps(contact: &RandomContact, dp: f64) -> Vec3 {
    let RandomContact { a, b, mu, .. } = contact;
    let a_nt = Vector2::new(a[(0, 1)], a[(0, 2)]);
    let a_tt: Matrix2<f64> = a.fixed_view::<2, 2>(1, 1).into_owned();
    let (mut impulse, mut closing, mut slip) = (Vec3::zeros(), -b.x, -Vector2::new(b.y, b.z));
    loop {
        let driven = slip + a_nt * dp;
        let friction = |lambda: f64| {
            let m = a_tt * (mu * dp) + Matrix2::from_diagonal_element(lambda);
            m.try_inverse().expect("positive definite") * -driven
        };
        let mut w = friction(0.0);
        if w.norm() > 1.0 {
            // ‖w(λ)‖ falls from above 1 to below 1 at λ = ‖s + a dp‖; bisection to the last bits of the upper end.
            let (mut low, mut high) = (0.0, driven.norm());
            for _ in 0..50 {
                let middle = 0.5 * (low + high);
                if friction(middle).norm() > 1.0 { low = middle } else { high = middle }
            }
            w = friction(high);
        }
        let dx = w * (mu * dp);
        let rise = a[(0, 0)] * dp + a_nt.dot(&dx);
        let step = Vec3::new(dp, dx.x, dx.y);
        if closing + rise >= 0.0 {
            return impulse - step * (closing / rise);
        }
        impulse += step;
        closing += rise;
        slip = driven + a_tt * dx;
    }
}

#[test]
fn many_small_implicit_steps_lead_to_the_same_impulse() {
    const STEPS: f64 = 2000.0;
    // First order: the error is a few parts of 1/STEPS in most contacts, more where the end is a grazing one.
    const USUAL: f64 = 3.0 / STEPS;
    const WORST: f64 = 0.05;
    for ensemble in [Ensemble::Ellipsoids, Ensemble::Boxes, Ensemble::Generic] {
        let mut sampler = ContactSampler::new(ensemble, 31).with_friction(0.1..=2.0);
        let mut beyond = 0;
        for _ in 0..200 {
            let contact = sampler.sample();
            let impulse = solved(&contact).impulse;
            let other = by_small_steps(&contact, impulse.x / STEPS);
            let off = (impulse - other).norm() / impulse.norm();
            assert!(off <= WORST, "{ensemble:?}: {impulse:?} by series, {other:?} by steps, {contact:?}");
            beyond += usize::from(off > USUAL);
        }
        assert!(beyond <= 10, "{ensemble:?}: {beyond} of 200 off by more than {USUAL}");
    }
}

/// Random contacts of every ensemble, with no friction, common friction and huge friction.
fn contacts() -> impl Strategy<Value = RandomContact> {
    let ensemble = prop_oneof![
        Just(Ensemble::Spheres),
        Just(Ensemble::Ellipsoids),
        Just(Ensemble::Boxes),
        Just(Ensemble::Generic),
        Just(Ensemble::ExtremeMasses),
    ];
    let friction = prop_oneof![Just(0.0..=0.0), Just(0.0..=1.5), Just(1.0..=20.0), Just(1e3..=1e6)];
    (ensemble, friction, proptest::num::u64::ANY)
        .prop_map(|(ensemble, friction, seed)| ContactSampler::new(ensemble, seed).with_friction(friction).sample())
}

/// Tolerance relative to ‖Λ‖ for an impulse of this contact.
fn tolerance(a: &Mat3) -> f64 {
    let values = a.symmetric_eigenvalues();
    CONDITION * f64::EPSILON * values.max() / values.min()
}

fn energy(contact: &RandomContact, impulse: &Vec3) -> f64 {
    0.5 * impulse.dot(&(contact.a * impulse)) - contact.b.dot(impulse)
}

fn solved(contact: &RandomContact) -> Solution {
    incremental::solve(&contact.a, &contact.b, contact.mu)
}

proptest! {
    #![proptest_config(property::cases(2000))]

    #[test]
    fn the_impulse_lies_in_the_cone_and_ends_the_approach(contact in contacts()) {
        let solution = solved(&contact);
        prop_assert!(solution.certified, "{contact:?} {solution:?}");
        let impulse = solution.impulse;
        let friction = impulse.y.hypot(impulse.z);
        prop_assert!(impulse.x > 0.0 && friction <= contact.mu * impulse.x * (1.0 + 1e-12), "{impulse:?}");
        let velocity = contact.a * impulse - contact.b;
        let scale = contact.a.norm() * impulse.norm();
        prop_assert!(velocity.x.abs() <= 1e-13 * scale, "δv_n = {} of {scale}", velocity.x);
        if solution.state == ContactState::Sticking {
            prop_assert!(velocity.norm() <= 1e-13 * scale, "δv = {velocity:?} of {scale}");
        }
    }

    #[test]
    fn the_kinetic_energy_never_rises(contact in contacts()) {
        let impulse = solved(&contact).impulse;
        let scale = 0.5 * impulse.dot(&(contact.a * impulse)) + contact.b.dot(&impulse).abs();
        let energy = energy(&contact, &impulse);
        prop_assert!(energy <= 1e-13 * scale, "ΔT = {energy} of {scale}");
    }

    #[test]
    fn turning_the_tangent_axes_turns_the_impulse(contact in contacts(), angle in 0.0..std::f64::consts::TAU) {
        let turn = Rotation3::from_axis_angle(&Vec3::x_axis(), angle).into_inner();
        let turned = RandomContact { a: turn * contact.a * turn.transpose(), b: turn * contact.b, ..contact };
        let (impulse, other) = (solved(&contact).impulse, solved(&turned).impulse);
        let off = (turn * impulse - other).norm() / impulse.norm();
        prop_assert!(off <= tolerance(&contact.a), "off by {off} of {}", tolerance(&contact.a));
    }

    #[test]
    fn the_impulse_scales_with_the_velocity_and_with_the_mass(
        contact in contacts(),
        velocity in -498..498_i32,
        mass in -498..498_i32,
    ) {
        // Powers of two from 1e-150 to 1e150: the scaling is then exact, bit for bit.
        let (v, m) = (2.0_f64.powi(velocity), 2.0_f64.powi(mass));
        let scaled = incremental::solve(&(contact.a / m), &(contact.b * v), contact.mu);
        let plain = solved(&contact);
        prop_assert_eq!(scaled.impulse, plain.impulse * v * m);
        prop_assert_eq!(scaled.state, plain.state);
    }

    #[test]
    fn spheres_get_the_impulse_of_coulomb_and_of_maximum_dissipation(seed in proptest::num::u64::ANY) {
        let RandomContact { a, b, mu, .. } = ContactSampler::new(Ensemble::Spheres, seed).sample();
        let ours = incremental::solve(&a, &b, mu);
        for other in [coulomb::solve(&a, &b, mu), max_dissipation::solve(&a, &b, mu)] {
            let off = (ours.impulse - other.impulse).norm() / other.impulse.norm();
            prop_assert!(off <= 4.0 * f64::EPSILON, "{ours:?} for {other:?}");
            prop_assert_eq!(ours.state, other.state);
        }
    }

    #[test]
    fn without_the_closed_form_spheres_get_the_same_impulse(seed in proptest::num::u64::ANY) {
        // A coupling too small to matter keeps the block out of the closed form.
        let RandomContact { a, b, mu, .. } = ContactSampler::new(Ensemble::Spheres, seed).sample();
        let mut coupled = a;
        coupled[(0, 2)] = 1e-18 * a[(0, 0)];
        coupled[(2, 0)] = coupled[(0, 2)];
        let (impulse, other) = (incremental::solve(&coupled, &b, mu), incremental::solve(&a, &b, mu));
        let off = (impulse.impulse - other.impulse).norm() / other.impulse.norm();
        prop_assert!(off <= 1e-15, "{impulse:?} for {other:?}");
        prop_assert!(impulse.certified);
    }
}

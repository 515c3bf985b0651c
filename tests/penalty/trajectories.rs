//! Trajectories of the reference files, explicit and implicit.
//!
//! Each is run with a step and with half of it. The error of the finer run is taken to be the difference of the two
//! (that bounds it for every order from 1). A channel passes if the finer run is within
//!
//! ```text
//! 3 × uncertainty.vsLimit_h2 of the file  +  own error  +  rounding of the file's numbers and times  +  round-off
//! ```
//!
//! Adding equal small displacements to a position of order one many times rounds the same way each time: round-off
//! is taken as 0.1 ε per step and metre, of the steps of both programs.

use crate::reference::Case;
use crate::reference::case;
use crate::reference::names;
use crate::reference::number;
use crate::reference::numbers;
use crate::reference::read;
use maxdiss::integrator::Integrator;
use maxdiss::integrator::Method;
use maxdiss::integrator::Settings;
use maxdiss::integrator::State;
use maxdiss::integrator::System as _;
use maxdiss::penalty::Configuration;
use maxdiss::penalty::Output;
use maxdiss::penalty::OutputVariable;
use serde_json::Value;
use serde_json::json;
use std::collections::BTreeMap;

/// Values of every channel.
type Channels = BTreeMap<String, Vec<f64>>;

/// The file's numbers have eleven significant digits.
fn digit(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { 0.5 * 10_f64.powf(x.abs().log10().floor() - 10.0) }
}

/// What a file samples, of a state of its system.
fn channels(case: &Case, state: &State<Configuration>) -> Channels {
    let mut channels = Channels::new();
    let vector = |which| match case.system.output(case.item, which, state) {
        Some(Output::Vector(v)) => Some(v.as_slice().to_vec()),
        Some(Output::Scalar(x)) => Some(vec![x]),
        None => None,
    };
    for (i, body) in case.bodies.iter().enumerate() {
        if let Some(body) = body {
            let (v, w) = case.system.body_velocity(*body, &state.velocity);
            channels.insert(format!("x{i}"), state.configuration.positions[body.0].as_slice().to_vec());
            channels.insert(format!("v{i}"), v.as_slice().to_vec());
            channels.insert(format!("w{i}"), w.as_slice().to_vec());
        }
    }
    let moving = state.configuration.coordinates.len();
    for (k, coordinate) in state.configuration.coordinates.iter().enumerate() {
        // One mass is marker 1's; of two, each its own.
        let i = if moving == 1 { 1 } else { k };
        channels.insert(format!("x{i}"), vec![*coordinate]);
        channels.insert(format!("v{i}"), vec![state.velocity[k]]);
    }
    let gap = vector(OutputVariable::DisplacementLocal).or(vector(OutputVariable::Distance)).unwrap();
    channels.insert("gap".into(), gap);
    if let Some(force) = vector(OutputVariable::Force) {
        channels.insert("f0".into(), force);
        channels.insert("mt0".into(), vector(OutputVariable::Torque).unwrap().iter().map(|x| -x).collect());
    }
    channels
}

/// Rates of the channels at a state: moved along its velocities and accelerations for a moment.
fn rates(case: &Case, state: &State<Configuration>, now: &Channels) -> Channels {
    let moment = 1e-9;
    let mut a = vec![0.0; state.velocity.len()];
    case.system.acceleration(state.time, &state.configuration, &state.velocity, &mut a);
    let mut later = state.clone();
    let motion: Vec<_> = state.velocity.iter().map(|v| v * moment).collect();
    case.system.moved(&state.configuration, &motion, &mut later.configuration);
    for (v, a) in later.velocity.iter_mut().zip(a) {
        *v += a * moment;
    }
    let mut rates = channels(case, &later);
    for (name, values) in &mut rates {
        for (value, now) in values.iter_mut().zip(&now[name]) {
            *value = (*value - now) / moment;
        }
    }
    rates
}

/// What a file samples. Out of the torus plane the program projects wrongly; the file then carries the right motion.
fn samples(file: &Value) -> &Value {
    file.get("corrected").map_or(&file["samples"], |corrected| &corrected["samples"])
}

/// The initial positions are rounded to eleven digits, up to 5e-10 m. What that took from the gap is put back.
fn restore_gap(case: &mut Case, gap: f64) {
    let Some(Output::Vector(n)) = case
        .system
        .output(case.item, OutputVariable::Director3, &case.state)
        .or_else(|| case.system.output(case.item, OutputVariable::Director1, &case.state))
    else {
        return;
    };
    let before = channels(case, &case.state)["gap"][0];
    let (body, sign) = match case.bodies {
        [_, Some(body)] => (body, 1.0),
        [Some(body), None] => (body, -1.0),
        [None, None] => return,
    };
    let position = case.state.configuration.positions[body.0];
    // The normal of a hollow sphere points the other way; take the sign that works.
    for sign in [sign, -sign] {
        case.state.configuration.positions[body.0] = position + n * (sign * (gap - before));
        if (channels(case, &case.state)["gap"][0] - gap).abs() <= (gap - before).abs() * 0.5 {
            return;
        }
    }
    case.state.configuration.positions[body.0] = position;
}

/// Channels and their rates at the times of the file, and the number of steps.
fn run(file: &Value, method: Method, step: f64, times: &[f64]) -> (Vec<(Channels, Channels)>, usize) {
    let mut page = file["parameters"].clone();
    if file["name"] == "ss_e_eepa_n1_adhesionExponent2" {
        // The program that made the file ignores this exponent when the other is 1.
        page["adhesionExponent"] = json!(1.0);
    }
    let bodies = file["bodies"].as_array().unwrap();
    let mut case = case(file["item"].as_str().unwrap(), &page, bodies, &numbers(&file["dataInitial"]));
    let mut integrator = Integrator::new(Settings::new(method, step)).unwrap();
    restore_gap(&mut case, number(&samples(file)["gap"][0]));
    let mut state = case.state.clone();
    let sampled = times
        .iter()
        .map(|&time| {
            integrator
                .advance(&mut case.system, &mut state, time)
                .unwrap_or_else(|fault| panic!("{} under {}: {fault}", file["name"], method.name()));
            let now = channels(&case, &state);
            let rates = rates(&case, &state, &now);
            (now, rates)
        })
        .collect();
    (sampled, integrator.report().steps)
}

fn largest_of(most: f64, x: impl std::borrow::Borrow<f64>) -> f64 {
    most.max(x.borrow().abs())
}

/// How a run compares with its file.
struct Outcome {
    /// Worst of difference over what is allowed.
    worst: f64,
    /// Channel and sample of the worst.
    place: String,
    /// Largest own error as a part of the largest value of its channel.
    own: f64,
    /// The channel of that.
    own_channel: String,
}

fn compare(file: &Value, method: Method, step: f64) -> Outcome {
    let samples = samples(file);
    let times = numbers(&samples["t"]);
    let (coarse, _) = run(file, method, step, &times);
    let (fine, steps) = run(file, method, 0.5 * step, &times);
    // Forces jump where a contact opens or closes: a sample on the event itself says nothing of them.
    let events = file.get("corrected").map_or(&file["events"], |corrected| &corrected["events"]);
    let events: Vec<_> = events.as_array().into_iter().flatten().map(|event| number(&event["t"])).collect();
    let on_event = |t: f64| events.iter().any(|event| (event - t).abs() < 1e-9);
    let limits = &file["uncertainty"]["vsLimit_h2"];
    let far = |name: &str| fine.iter().flat_map(|s| s.0.get(name).into_iter().flatten()).fold(0.0, largest_of);
    let steps = steps as f64 + number(&file["exudyn"]["steps"]);
    let round_off = 0.1 * f64::EPSILON * steps * far("x0").max(far("x1"));
    let mut outcome = Outcome { worst: 0.0, place: String::new(), own: 0.0, own_channel: String::new() };
    for name in fine[0].0.keys() {
        let largest = far(name).max(1e-9);
        // The error of a channel as the file states it. Two files state none (the program did not converge there); the
        // right motion that they carry beside it is then taken to be good to this part of a channel.
        let stated = limits.get(name).map_or(if limits.is_null() { 1e-7 * largest } else { 0.0 }, number);
        let round_off = if name.starts_with('x') || name == "gap" { round_off } else { 1e-12 * largest };
        let usable = |i: usize| !((name == "f0" || name == "mt0") && on_event(times[i]));
        let own = (0..times.len()).filter(|&i| usable(i)).fold(0.0_f64, |own, i| {
            fine[i].0[name].iter().zip(&coarse[i].0[name]).map(|(f, c)| f - c).fold(own, largest_of)
        });
        if own / largest > outcome.own {
            outcome.own = own / largest;
            outcome.own_channel.clone_from(name);
        }
        for (i, (now, rates)) in fine.iter().enumerate().filter(|(i, _)| usable(*i)) {
            // Channels that are zero throughout are left out of the file.
            let expected = samples.get(name).map_or(vec![0.0; now[name].len()], |all| numbers(&all[i]));
            for k in 0..expected.len() {
                let rounding = digit(expected[k]) + rates[name][k].abs() * digit(times[i]);
                let allowed = 3.0 * stated + own + rounding + round_off;
                let ratio = (now[name][k] - expected[k]).abs() / allowed;
                if ratio > outcome.worst || ratio.is_nan() {
                    outcome.worst = if ratio.is_nan() { f64::INFINITY } else { ratio };
                    outcome.place = format!(
                        "{name}[{k}] at t = {}: {} for {}, allowed {allowed:e} (own {own:e}, stated {stated:e})",
                        times[i], now[name][k], expected[k]
                    );
                }
            }
        }
    }
    outcome
}

/// The files that are no trajectories: `tables` goes through them point by point.
const TABLES: [&str; 5] = [
    "probe_coordinate",
    "probe_history_sphere_sphere",
    "probe_sphere_sphere",
    "probe_sphere_torus",
    "trace_eepa_quasistatic",
];

/// Compares every file; `part` picks a part of them so that the parts run side by side.
fn all(method: Method, steps_of_the_reference: f64, part: usize, parts: usize, largest_own: f64) {
    let mut failures = Vec::new();
    let mut count = 0;
    let names: Vec<_> = names().into_iter().filter(|name| !TABLES.contains(&name.as_str())).collect();
    assert_eq!(names.len(), 75);
    assert_eq!(names.len() + TABLES.len(), crate::reference::names().len());
    for name in names.iter().skip(part).step_by(parts) {
        let file = read(name);
        let step = steps_of_the_reference * number(&file["exudyn"]["stepSize"]);
        let outcome = compare(&file, method, step);
        println!("{name}: {:.3} of what is allowed, own error {:.1e}", outcome.worst, outcome.own);
        if outcome.worst > 1.0 {
            failures.push(format!("{name}: {:.2} of what is allowed: {}", outcome.worst, outcome.place));
        }
        if outcome.own > largest_own {
            failures.push(format!("{name}: own error {:e} of {}", outcome.own, outcome.own_channel));
        }
        count += 1;
    }
    assert!(failures.is_empty(), "{} of {count} files\n{}", failures.len(), failures.join("\n"));
}

/// Runge–Kutta of order 4 at twice the reference's step: its own error must be small, or agreement means nothing.
const EXPLICIT_STEPS: f64 = 2.0;
const EXPLICIT_OWN: f64 = 1e-3;

#[test]
fn explicit_trajectories_agree_with_the_first_half_of_the_reference_files() {
    all(Method::RungeKutta4, EXPLICIT_STEPS, 0, 2, EXPLICIT_OWN);
}

#[test]
fn explicit_trajectories_agree_with_the_second_half_of_the_reference_files() {
    all(Method::RungeKutta4, EXPLICIT_STEPS, 1, 2, EXPLICIT_OWN);
}

/// Generalised-α with ρ = 0.9.
const IMPLICIT_STEPS: f64 = 8.0;
const IMPLICIT_OWN: f64 = 1e-2;

#[test]
fn implicit_trajectories_agree_with_the_first_half_of_the_reference_files() {
    all(Method::IMPLICIT, IMPLICIT_STEPS, 0, 2, IMPLICIT_OWN);
}

#[test]
fn implicit_trajectories_agree_with_the_second_half_of_the_reference_files() {
    all(Method::IMPLICIT, IMPLICIT_STEPS, 1, 2, IMPLICIT_OWN);
}

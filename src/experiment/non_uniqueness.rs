//! `non-uniqueness`: contacts with several Coulomb solutions, and how often they occur.

use crate::error::Result;
use crate::experiment::Experiment;
use crate::experiment::Kept;
use crate::experiment::Preset;
use crate::experiment::Tables;
use crate::experiment::body;
use crate::experiment::page::Presentation;
use crate::experiment::setup::OURS;
use crate::experiment::setup::PAPER;
use crate::experiment::setup::Setup;
use crate::experiment::statistics;
use crate::figure::Axis;
use crate::figure::Color;
use crate::figure::Dash;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Stroke;
use crate::figure::Table;
use crate::figure::law_stroke;
use crate::figure::percent;
use crate::figure::rounded;
use crate::figure::series_stroke;
use crate::law::ContactBlock;
use crate::law::ContactState;
use crate::law::Law;
use crate::law::coulomb;
use crate::law::max_dissipation;
use crate::law::random::ContactSampler;
use crate::law::random::Ensemble;
use crate::law::random::RandomContact;
use crate::math::Mat3;
use crate::math::Vec2;
use crate::math::Vec3;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "non-uniqueness",
    question: "Can one contact have several impulses that satisfy Coulomb's law, where maximum dissipation has one, and how \
               often does that happen?",
    simulate,
    present,
};

/// Ensembles that are counted.
const ENSEMBLES: [Ensemble; 3] = [Ensemble::Boxes, Ensemble::Ellipsoids, Ensemble::Generic];
/// Seed of the first ensemble, the boxes, of which the example is one; the others follow.
const SEED: u64 = 2;
/// Coefficients of friction: beyond 4/3 a slender rod can meet the Painlevé condition ‖e‖ > 1.
const FRICTION: std::ops::RangeInclusive<f64> = 0.0..=3.0;

/// Ends of the bins of each quantity; the last bin is open.
fn bins(by: &str) -> Vec<f64> {
    let even = |width: f64, count: u32| (0..=count).map(|k| width * f64::from(k)).collect();
    match by {
        "eccentricity" => even(0.1, 25),
        "friction" => even(0.2, 15),
        _ => vec![2.0, 3.0, 4.5, 7.0, 10.0, 14.0, 20.0, 30.0],
    }
}

/// Quantities that the contacts are sorted by.
const BY: [&str; 3] = ["eccentricity", "friction", "slenderness"];

/// A contact in which Coulomb's law has several solutions and all of them slide.
fn slides_in_several_ways(contact: &RandomContact) -> Option<f64> {
    let all = coulomb::solutions(&ContactBlock::new(&contact.a, contact.mu), &contact.b);
    let all = all.admissible();
    let sliding = all.len() >= 3 && all.iter().all(|s| s.state == ContactState::Sliding && s.certified);
    let energy = |k: usize| body::energy(&contact.a, &contact.b, &all[k].impulse);
    sliding.then(|| (energy(all.len() - 1) - energy(0)) / energy(0).abs())
}

fn simulate(preset: Preset, _: &Kept) -> Result<Tables> {
    let count = match preset {
        Preset::Quick => 50_000,
        Preset::Full => 1_000_000,
    };
    let examples = examples(count);
    let setup = Setup::new(preset)
        .with(
            "non-uniqueness of Coulomb's law in a numerically constructed single-contact problem",
            "section 4.1",
            "",
            PAPER,
        )
        .with(
            "example 1",
            "of the pairs of boxes below, all of whose solutions slide, the one whose dissipations differ most",
            "",
            OURS,
        )
        .with("example 2", "A = [1 a 0; a 1 0; 0 0 1] with a just below 1 (see examples.csv)", "1/kg", OURS)
        .with("random contacts of each ensemble", count, "", OURS)
        .with(
            "ensembles",
            "pairs of uniform ellipsoids and of uniform boxes (aspect 2 to 30), and of bodies of any inertia",
            "",
            OURS,
        )
        .with("coefficient of friction", format!("uniform in {} … {}", FRICTION.start(), FRICTION.end()), "", OURS)
        .with("velocity before", "closing, 1 m/s, uniform on the half sphere", "", OURS)
        .with("seed", SEED, "", OURS);
    let (frequency, summary) = frequency(count);
    Ok(Tables::new()
        .with("setup", setup.table())
        .with("examples", example_table(&examples))
        .with("solutions", solution_table(&examples))
        .with("border", border_table(&examples, preset))
        .with("frequency", frequency)
        .with("summary", summary))
}

/// The examples with their names: one of bodies, where the random pairs hold one, and one of a constructed block.
fn examples(count: usize) -> Vec<(&'static str, RandomContact)> {
    let mut sampler = ContactSampler::new(Ensemble::Boxes, SEED).with_friction(FRICTION);
    let mut widest = (f64::NEG_INFINITY, None);
    for _ in 0..count {
        let contact = sampler.sample();
        if let Some(spread) = slides_in_several_ways(&contact).filter(|spread| *spread > widest.0) {
            widest = (spread, Some(contact));
        }
    }
    let a = 0.997_496_867_163;
    let constructed = RandomContact {
        a: Mat3::new(1.0, a, 0.0, a, 1.0, 0.0, 0.0, 0.0, 1.0),
        b: Vec3::new(0.98, 0.977_445_876_870_785_3, 0.199_504_834_423_005_3),
        mu: 0.200_502,
        slenderness: f64::NAN,
    };
    let found = widest.1.map(|contact| ("slender boxes", contact));
    found.into_iter().chain([("nearly singular block", constructed)]).collect()
}

fn example_table(examples: &[(&'static str, RandomContact)]) -> Table {
    let column = |f: fn(&RandomContact) -> f64| examples.iter().map(|(_, contact)| f(contact)).collect::<Vec<_>>();
    Table::new()
        .with_words("example", examples.iter().map(|(name, _)| *name))
        .with_numbers("mu", "1", column(|c| c.mu))
        .with_numbers("eccentricity", "1", column(|c| ContactBlock::new(&c.a, c.mu).eccentricity().norm()))
        .with_numbers("slenderness", "1", column(|c| c.slenderness))
        .with_numbers("A_nn", "1/kg", column(|c| c.a[(0, 0)]))
        .with_numbers("A_nt", "1/kg", column(|c| c.a[(0, 1)]))
        .with_numbers("A_no", "1/kg", column(|c| c.a[(0, 2)]))
        .with_numbers("A_tt", "1/kg", column(|c| c.a[(1, 1)]))
        .with_numbers("A_to", "1/kg", column(|c| c.a[(1, 2)]))
        .with_numbers("A_oo", "1/kg", column(|c| c.a[(2, 2)]))
        .with_numbers("b_n", "m/s", column(|c| c.b.x))
        .with_numbers("b_t", "m/s", column(|c| c.b.y))
        .with_numbers("b_o", "m/s", column(|c| c.b.z))
}

fn solution_table(examples: &[(&'static str, RandomContact)]) -> Table {
    let mut words: [Vec<&str>; 3] = Default::default();
    let mut numbers: [Vec<f64>; 9] = Default::default();
    for (name, contact) in examples {
        let block = ContactBlock::new(&contact.a, contact.mu);
        let all = coulomb::solutions(&block, &contact.b);
        let best = max_dissipation::solve(&contact.a, &contact.b, contact.mu);
        let listed = all.admissible().iter().map(|s| (Law::Coulomb, s)).chain([(Law::MaxDissipation, &best)]);
        for (law, solution) in listed {
            words.iter_mut().zip([*name, law.name(), body::state(solution)]).for_each(|(c, w)| c.push(w));
            let after = contact.a * solution.impulse - contact.b;
            let row = [
                solution.impulse.z.atan2(solution.impulse.y).to_degrees(),
                solution.impulse.x,
                solution.impulse.y,
                solution.impulse.z,
                after.x,
                after.y,
                after.z,
                body::energy(&contact.a, &contact.b, &solution.impulse),
                f64::from(u8::from(solution.certified)),
            ];
            numbers.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        }
    }
    let [example, law, state] = words;
    let [angle, n, t, o, v_n, v_t, v_o, energy, certified] = numbers;
    Table::new()
        .with_words("example", example)
        .with_words("law", law)
        .with_words("state", state)
        .with_numbers("alpha", "deg", angle)
        .with_numbers("impulse_n", "N s", n)
        .with_numbers("impulse_t", "N s", t)
        .with_numbers("impulse_o", "N s", o)
        .with_numbers("velocity_n", "m/s", v_n)
        .with_numbers("velocity_t", "m/s", v_t)
        .with_numbers("velocity_o", "m/s", v_o)
        .with_numbers("energy_change", "J", energy)
        .with_numbers("certified", "1", certified)
}

/// The energy along the border of the conic section, against the direction of the tangential impulse.
fn border_table(examples: &[(&'static str, RandomContact)], preset: Preset) -> Table {
    let steps = match preset {
        Preset::Quick => 720,
        Preset::Full => 3600,
    };
    let (mut names, mut angles, mut energies) = (Vec::new(), Vec::new(), Vec::new());
    for (name, contact) in examples {
        let block = ContactBlock::new(&contact.a, contact.mu);
        let (e, rho) = (block.eccentricity(), contact.mu * contact.b.x / block.nn());
        for k in 0..=steps {
            let degrees = -180.0 + 360.0 * f64::from(k) / f64::from(steps);
            let u = Vec2::new(degrees.to_radians().cos(), degrees.to_radians().sin());
            let x = u * (rho / (1.0 + e.dot(&u)));
            let impulse = Vec3::new(x.norm() / contact.mu, x.x, x.y);
            let energy = body::energy(&contact.a, &contact.b, &impulse);
            // Beyond that the border of an open conic only rises.
            if 1.0 + e.dot(&u) > 0.0 && energy < 0.0 {
                names.push(*name);
                angles.push(degrees);
                energies.push(energy);
            }
        }
    }
    Table::new().with_words("example", names).with_numbers("alpha", "deg", angles).with_numbers(
        "energy_change",
        "J",
        energies,
    )
}

/// How often several solutions occur: by bins, and over all.
fn frequency(count: usize) -> (Table, Table) {
    let mut words: [Vec<&str>; 2] = Default::default();
    let mut numbers: [Vec<f64>; 7] = Default::default();
    let mut totals: [Vec<f64>; 5] = Default::default();
    for (k, ensemble) in ENSEMBLES.into_iter().enumerate() {
        let mut sampler = ContactSampler::new(ensemble, SEED + k as u64).with_friction(FRICTION);
        let mut seen: Vec<Vec<[usize; 2]>> = BY.iter().map(|by| vec![[0, 0]; bins(by).len()]).collect();
        let (mut several, mut sliding, mut most, mut least_e) = (0_usize, 0_usize, 0_usize, f64::INFINITY);
        for _ in 0..count {
            let contact = sampler.sample();
            let block = ContactBlock::new(&contact.a, contact.mu);
            let all = coulomb::solutions(&block, &contact.b);
            let all = all.admissible();
            let e = block.eccentricity().norm();
            let multiple = all.len() > 1;
            if multiple {
                several += 1;
                sliding += usize::from(all.iter().all(|s| s.state == ContactState::Sliding));
                least_e = least_e.min(e);
            }
            most = most.max(all.len());
            for (counts, (by, value)) in seen.iter_mut().zip(BY.into_iter().zip([e, contact.mu, contact.slenderness])) {
                let bin = bins(by).iter().rposition(|low| value >= *low).unwrap_or(0);
                counts[bin][0] += 1;
                counts[bin][1] += usize::from(multiple);
            }
        }
        let row = [count as f64, several as f64, sliding as f64, most as f64, least_e];
        totals.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        for (by, counts) in BY.into_iter().zip(&seen) {
            let ends = bins(by);
            for (bin, [all, multiple]) in counts.iter().enumerate().filter(|(_, [all, _])| *all > 0) {
                words.iter_mut().zip([ensemble.name(), by]).for_each(|(column, word)| column.push(word));
                let [low, high] = statistics::wilson(*multiple, *all);
                let end = ends.get(bin + 1).copied().unwrap_or(f64::INFINITY);
                let share = *multiple as f64 / *all as f64;
                let row = [ends[bin], end, *all as f64, *multiple as f64, share, low, high];
                numbers.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            }
        }
    }
    let [ensemble, by] = words;
    let [from, to, all, multiple, share, low, high] = numbers;
    let frequency = Table::new()
        .with_words("ensemble", ensemble)
        .with_words("by", by)
        .with_numbers("from", "1", from)
        .with_numbers("to", "1", to)
        .with_numbers("contacts", "1", all)
        .with_numbers("several", "1", multiple)
        .with_numbers("share", "1", share)
        .with_numbers("share_low_95", "1", low)
        .with_numbers("share_high_95", "1", high);
    let [count, several, sliding, most, least_e] = totals;
    let summary = Table::new()
        .with_words("ensemble", ENSEMBLES.map(Ensemble::name))
        .with_numbers("contacts", "1", count)
        .with_numbers("several", "1", several)
        .with_numbers("several_all_sliding", "1", sliding)
        .with_numbers("most_solutions", "1", most)
        .with_numbers("least_eccentricity", "1", least_e);
    (frequency, summary)
}

fn present(tables: &Tables) -> Result<Presentation> {
    let (examples, solutions) = (tables.get("examples")?, tables.get("solutions")?);
    let (border, summary) = (tables.get("border")?, tables.get("summary")?);
    let of = border.words("example")?;
    let (names, laws) = (solutions.words("example")?, solutions.words("law")?);
    let energies = solutions.numbers("energy_change")?;
    let (mus, eccentricities) = (examples.numbers("mu")?, examples.numbers("eccentricity")?);
    let mut panels = Vec::new();
    let (mut sentences, mut numbers) = (Vec::new(), Vec::new());
    for (row, name) in examples.words("example")?.iter().enumerate() {
        let of_law = |law: Law| (0..solutions.rows()).filter(move |&k| &names[k] == name && laws[k] == law.name());
        let all: Vec<f64> = of_law(Law::Coulomb).map(|k| energies[k]).collect();
        let best = of_law(Law::MaxDissipation).map(|k| energies[k]).next().unwrap_or(f64::NAN);
        let scaled = |table: &Table, chosen: &dyn Fn(usize) -> bool| -> Result<Vec<[f64; 2]>> {
            let points = table.points("alpha", "energy_change", chosen)?;
            Ok(points.into_iter().map(|[x, y]| [x, (y - best) / best.abs()]).collect())
        };
        let line = scaled(border, &|k| &of[k] == name)?;
        let marks = |law: Law| scaled(solutions, &|k| &names[k] == name && laws[k] == law.name());
        let (coulomb, least) = (marks(Law::Coulomb)?, marks(Law::MaxDissipation)?);
        // The window: the solutions and as much again on both sides.
        let ends = |c: usize| {
            let all = coulomb.iter().chain(&least);
            all.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], p| [l.min(p[c]), h.max(p[c])])
        };
        let ([left, right], [_, high]) = (ends(0), ends(1));
        let free = 1.2 * (right - left);
        let title = format!("{name}, ‖e‖ = {}, μ = {}", rounded(eccentricities[row], 3), rounded(mus[row], 3));
        let border = Stroke { color: Color::BLACK, ..Stroke::guide(Dash::Solid) }.with_width(0.3);
        panels.push(
            Panel::new(
                title,
                Axis::linear("direction of friction α", "°").from_to(left - free, right + free),
                Axis::linear("energy above the least / |least|", "").from_to(-0.1 * high, 1.8 * high),
            )
            .with(Layer::line(with_breaks(line), border, "border of the feasible set"))
            .with(Layer::points(coulomb, law_stroke(Law::Coulomb), 2.2, "coulomb, all solutions"))
            .with(Layer::points(least, law_stroke(Law::MaxDissipation), 1.6, Law::MaxDissipation.name())),
        );
        let missed: Vec<String> = all.iter().map(|e| percent(1.0 - e / best, 2)).collect();
        sentences.push(format!(
            "{name} (‖e‖ = {}): {} Coulomb solutions that miss the largest dissipation by {}",
            rounded(eccentricities[row], 3),
            all.len(),
            missed.join(", ")
        ));
        numbers.push(all.len());
    }
    let frequency = Figure::page(3, 46.0, frequency_panels(tables.get("frequency")?)?);
    let certified = solutions.numbers("certified")?;
    let sole = (0..solutions.rows()).filter(|&k| laws[k] == Law::MaxDissipation.name() && certified[k] > 0.0).count();
    let (counts, several) = (summary.numbers("contacts")?, summary.numbers("several")?);
    let (sliding, least) = (summary.numbers("several_all_sliding")?, summary.numbers("least_eccentricity")?);
    let shares: Vec<String> = summary
        .words("ensemble")?
        .iter()
        .enumerate()
        .map(|(k, name)| {
            format!(
                "{name} {} of contacts ({} of {}; none below ‖e‖ = {}; in {} all of them slide)",
                percent(several[k] / counts[k], 2),
                several[k],
                counts[k],
                rounded(least[k], 3),
                sliding[k]
            )
        })
        .collect();
    let most = summary.numbers("most_solutions")?.iter().fold(0.0_f64, |a, b| a.max(*b));
    let finding = format!(
        "{}. `max-dissipation` has one solution in each, the lowest point of the border. Over random pairs several Coulomb \
         solutions occur for: {}. Never more than {most} were found.",
        sentences.join("; "),
        shares.join("; ")
    );
    Ok(Presentation {
        method: "The examples are single contacts under impact. The shares are counted over random pairs of bodies; \
                 intervals are Wilson's for 95 %."
            .into(),
        finding,
        falsified_by: "A contact with more than one certified `max-dissipation` solution; Coulomb solutions that turn out to \
                       be one (the same impulse within round-off); a colliding contact without any Coulomb solution."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "non-uniqueness",
        "Change of kinetic energy along the border of the feasible set against the direction of the friction impulse, above its \
         least value and over its size; squares: all solutions of Coulomb's law; disc: the one of maximum dissipation.",
        Figure::page(2, 52.0, panels),
    )
    .with_drawing(
        "frequency",
        "Share of random contacts with several Coulomb solutions against (a) eccentricity, (b) friction and (c) slenderness, with \
         95 % intervals. Bins without any are left out.",
        frequency,
    )
    .with_claim(
        "A single-contact impact can have several solutions under the Coulomb friction model on impulses (sections 1, 4.1)",
        format!("{} examples with {:?} solutions: {}", numbers.len(), numbers, sentences.join("; ")),
    )
    .with_claim(
        "The model by maximum dissipation has a unique solution in the single-contact case (section 1)",
        format!("one solution, certified to round-off, in {sole} of {} examples", examples.rows()),
    ))
}

/// A line with a gap where neighbouring points are far apart, as at the ends of an open conic.
fn with_breaks(points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let mut line: Vec<[f64; 2]> = Vec::with_capacity(points.len());
    for p in points {
        if line.last().is_some_and(|last| p[0] - last[0] > 1.0) {
            line.push([f64::NAN; 2]);
        }
        line.push(p);
    }
    line
}

fn frequency_panels(frequency: &Table) -> Result<Vec<Panel>> {
    let (ensembles, by) = (frequency.words("ensemble")?, frequency.words("by")?);
    let (from, to) = (frequency.numbers("from")?, frequency.numbers("to")?);
    let share = frequency.numbers("share")?;
    let (low, high) = (frequency.numbers("share_low_95")?, frequency.numbers("share_high_95")?);
    let axis = |name: &str| match name {
        "eccentricity" => Axis::linear("eccentricity ‖e‖", "").from_to(0.0, 2.6),
        "friction" => Axis::linear("coefficient of friction μ", "").from_to(0.0, 3.0),
        _ => Axis::log("slenderness of the slenderer body", "").from_to(1.9, 40.0),
    };
    BY.into_iter()
        .map(|name| {
            let mut panel = Panel::new("", axis(name), Axis::log("share with several solutions", ""));
            for (k, ensemble) in ENSEMBLES.into_iter().enumerate() {
                let rows: Vec<usize> =
                    (0..frequency.rows()).filter(|&r| ensembles[r] == ensemble.name() && by[r] == name).collect();
                // The last, open bin is drawn as wide as the one before it.
                let middle = |r: usize| {
                    let end = if to[r].is_finite() { to[r] } else { from[r] + 0.15 };
                    if name == "slenderness" { (from[r] * end).sqrt() } else { 0.5 * (from[r] + end) }
                };
                let stroke = series_stroke(k);
                let bars = rows.iter().filter(|&&r| share[r] > 0.0).map(|&r| [middle(r), low[r], high[r]]).collect();
                let points = rows.iter().map(|&r| [middle(r), share[r]]).collect();
                panel = panel.with(Layer::ErrorBars { bars, stroke }).with(Layer::marked(
                    points,
                    stroke,
                    format!("{} (random pairs)", ensemble.name()),
                ));
            }
            Ok(panel)
        })
        .collect()
}

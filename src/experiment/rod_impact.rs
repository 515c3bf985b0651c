//! `rod-impact`: a rod strikes a plane at all inclinations, under every impulse law.

use crate::error::Result;
use crate::experiment::Experiment;
use crate::experiment::Kept;
use crate::experiment::Preset;
use crate::experiment::Tables;
use crate::experiment::body;
use crate::experiment::body::Body;
use crate::experiment::compliant_tip::PLANE;
use crate::experiment::page::Presentation;
use crate::experiment::rod_impact_compliant;
use crate::experiment::setup::OURS;
use crate::experiment::setup::PAPER;
use crate::experiment::setup::Setup;
use crate::figure::Axis;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Panel;
use crate::figure::Table;
use crate::figure::law_stroke;
use crate::figure::percent;
use crate::figure::rounded;
use crate::law::ContactBlock;
use crate::law::Law;
use crate::math::Mat3;
use crate::math::Vec3;
use std::f64::consts::PI;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "rod-impact",
    question: "How does a rod that strikes a plane leave it under each impulse law, and where do maximum dissipation and \
               Coulomb's law leave the limit of a stiff compliant contact?",
    simulate,
    present,
};

/// Distance of the end centres and radius of the capsule in m.
const LENGTH: f64 = 1.0;
pub(in crate::experiment) const RADIUS: f64 = 0.05;
/// Density in kg/m³.
const DENSITY: f64 = 1000.0;
/// Velocity of every point before the impact, (n, t, o) in m/s; the rod leans in the plane of n and t.
pub(in crate::experiment) const VELOCITY: [f64; 3] = [-1.0, 1.2, 1.6];
/// Coefficients of friction.
pub(in crate::experiment) const MU: [f64; 2] = [0.3, 0.8];

/// A uniform capsule that touches the plane with its lower end, `inclination` between axis and plane in rad.
///
/// ```text
/// m_c = ρ π R² L,  m_s = ρ 4/3 π R³                       (cylinder, and both half balls together)
/// I_axis   = m_c R²/2 + m_s 2/5 R²
/// I_across = m_c (L²/12 + R²/4) + m_s (2/5 R² + L²/4 + 3/8 L R)
/// ```
pub(in crate::experiment) fn rod(inclination: f64) -> Body {
    let (cylinder, balls) = (DENSITY * PI * RADIUS.powi(2) * LENGTH, DENSITY * 4.0 / 3.0 * PI * RADIUS.powi(3));
    let r2 = RADIUS * RADIUS;
    let along = cylinder * r2 / 2.0 + balls * 0.4 * r2;
    let across = cylinder * (LENGTH * LENGTH / 12.0 + r2 / 4.0)
        + balls * (0.4 * r2 + LENGTH * LENGTH / 4.0 + 0.375 * LENGTH * RADIUS);
    // From the lower end up.
    let axis = Vec3::new(inclination.sin(), inclination.cos(), 0.0);
    let inertia = Mat3::from_diagonal_element(across) + axis * axis.transpose() * (along - across);
    Body { mass: cylinder + balls, inertia, lever: -axis * (0.5 * LENGTH) - Vec3::new(RADIUS, 0.0, 0.0) }
}

fn simulate(preset: Preset, _: &Kept) -> Result<Tables> {
    let angle_step = match preset {
        Preset::Quick => 10,
        Preset::Full => 1,
    };
    let mut words: [Vec<&str>; 2] = Default::default();
    let mut numbers: [Vec<f64>; 16] = Default::default();
    let v = Vec3::from(VELOCITY);
    for mu in MU {
        // Lying flat, the rod touches along a line: left out.
        for degrees in (angle_step..180).step_by(angle_step as usize) {
            let body = rod(f64::from(degrees).to_radians());
            let a = body.delassus();
            let b = -body.contact_velocity(&v, &Vec3::zeros());
            let kinetic = 0.5 * body.mass * v.norm_squared();
            let limit = body::solve(Law::Incremental, &a, &b, mu).impulse;
            for law in Law::SOLVE {
                let solution = body::solve(law, &a, &b, mu);
                let (v1, w1) = body.after(&v, &Vec3::zeros(), &solution.impulse);
                let after = body.contact_velocity(&v1, &w1);
                words.iter_mut().zip([law.name(), body::state(&solution)]).for_each(|(column, word)| column.push(word));
                let row = [
                    mu,
                    f64::from(degrees),
                    ContactBlock::new(&a, mu).eccentricity().norm(),
                    solution.impulse.x,
                    solution.impulse.y,
                    solution.impulse.z,
                    after.x,
                    after.y,
                    after.z,
                    v1.x,
                    v1.y,
                    v1.z,
                    w1.y,
                    w1.z,
                    -body::energy(&a, &b, &solution.impulse) / kinetic,
                    (solution.impulse - limit).norm() / limit.norm(),
                ];
                numbers.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
            }
        }
    }
    let [law, state] = words;
    let names = [
        ("mu", "1"),
        ("inclination", "deg"),
        ("eccentricity", "1"),
        ("impulse_n", "N s"),
        ("impulse_t", "N s"),
        ("impulse_o", "N s"),
        ("contact_velocity_n", "m/s"),
        ("contact_velocity_t", "m/s"),
        ("contact_velocity_o", "m/s"),
        ("velocity_n", "m/s"),
        ("velocity_t", "m/s"),
        ("velocity_o", "m/s"),
        ("angular_velocity_t", "rad/s"),
        ("angular_velocity_o", "rad/s"),
        ("energy_lost_share", "1"),
        ("distance_from_incremental", "1"),
    ];
    let table = Table::new().with_words("law", law).with_words("state", state);
    let impacts =
        names.into_iter().zip(numbers).fold(table, |t, ((name, unit), column)| t.with_numbers(name, unit, column));
    let body = rod(PI / 2.0);
    let setup = Setup::new(preset)
        .with("purely inelastic impact (the contact does not rebound)", "section 2", "", PAPER)
        .with("body", "uniform capsule, lower end against a fixed plane, not spinning", "", OURS)
        .with("distance of the end centres", LENGTH, "m", OURS)
        .with("radius", RADIUS, "m", OURS)
        .with("density", DENSITY, "kg/m³", OURS)
        .with("mass", body.mass, "kg", OURS)
        .with(
            "velocity before (n, t, o); the rod leans in the plane of n and t",
            VELOCITY.map(|x| x.to_string()).join(", "),
            "m/s",
            OURS,
        )
        .with("coefficients of friction", MU.map(|x| x.to_string()).join(", "), "", OURS)
        .with("inclinations", format!("{angle_step} … {} in steps of {angle_step}", 180 - angle_step), "°", OURS);
    let (exponents, between) = rod_impact_compliant::design(preset);
    let setup = setup
        .with(
            "stiffnesses of the penalty item",
            format!("10^{} … 10^{}", exponents.start(), exponents.end()),
            "N/m",
            OURS,
        )
        .with("its inclinations", format!("{between} … {} in steps of {between}", 180 - between), "°", OURS)
        .with(
            "its slip speed v_reg at the lowest stiffness, falling as 1/√k",
            rod_impact_compliant::SLIP_SPEED,
            "m/s",
            OURS,
        )
        .with("its damping", 0, "N·s/m", OURS)
        .with("its plane", format!("fixed sphere of radius {PLANE}"), "m", OURS);
    let compliant = rod_impact_compliant::table(preset)?;
    Ok(Tables::new().with("setup", setup.table()).with("impacts", impacts).with("compliant", compliant))
}

fn present(tables: &Tables) -> Result<Presentation> {
    let impacts = tables.get("impacts")?;
    let (laws, mus) = (impacts.words("law")?, impacts.numbers("mu")?);
    let (inclination, distance) = (impacts.numbers("inclination")?, impacts.numbers("distance_from_incremental")?);
    let shown = [
        ("contact_velocity_t", "slip after, along t", "m/s"),
        ("contact_velocity_o", "slip after, along o", "m/s"),
        ("angular_velocity_o", "angular velocity after, ωₒ", "rad/s"),
        ("contact_velocity_n", "normal velocity after", "m/s"),
        ("energy_lost_share", "kinetic energy lost", ""),
    ];
    let mut panels = Vec::new();
    let high = MU[1];
    let of = |law: Law, mu: f64| move |r: usize| laws[r] == law.name() && (mus[r] - mu).abs() < 1e-9;
    let axis = || Axis::linear("inclination", "°").from_to(0.0, 180.0);
    for (column, label, unit) in shown {
        let mut panel = Panel::new("", axis(), Axis::linear(label, unit));
        for law in Law::SOLVE {
            let line = impacts.points("inclination", column, of(law, high))?;
            panel = panel.with(Layer::line(line, law_stroke(law), law.name()));
        }
        panels.push(panel);
    }
    let mut apart = Panel::new("", axis(), Axis::log("distance from incremental", "").from_to(1e-4, 3.0));
    for law in [Law::MaxDissipation, Law::Coulomb, Law::Cone] {
        // Where both laws stick there is no distance but round-off.
        let line = impacts
            .points("inclination", "distance_from_incremental", of(law, high))?
            .into_iter()
            .map(|[x, y]| [x, if y > 1e-9 { y } else { f64::NAN }])
            .collect();
        apart = apart.with(Layer::line(line, law_stroke(law), ""));
    }
    panels.push(apart);
    let mut sentences = Vec::new();
    for mu in MU {
        let mut parts = Vec::new();
        for law in [Law::MaxDissipation, Law::Coulomb] {
            let rows: Vec<usize> = (0..impacts.rows()).filter(|&r| of(law, mu)(r)).collect();
            let worst = rows.iter().copied().max_by(|&p, &q| distance[p].total_cmp(&distance[q]));
            let mut all: Vec<f64> = rows.iter().map(|&r| distance[r]).collect();
            all.sort_by(f64::total_cmp);
            if let Some(worst) = worst {
                parts.push(format!(
                    "`{law}` by {} in the median and at most {} (at {}°)",
                    percent(crate::experiment::statistics::quantile(&all, 0.5), 2),
                    percent(distance[worst], 2),
                    inclination[worst]
                ));
            }
        }
        sentences.push(format!("at μ = {mu} {}", parts.join(", ")));
    }
    let energies = impacts.numbers("energy_lost_share")?;
    let mut below = 0.0_f64;
    let best: Vec<usize> = (0..impacts.rows()).filter(|&r| laws[r] == Law::MaxDissipation.name()).collect();
    for &r in &best {
        for s in 0..impacts.rows() {
            let same = (mus[s] - mus[r]).abs() < 1e-9 && (inclination[s] - inclination[r]).abs() < 1e-9;
            if same
                && [Law::Coulomb.name(), Law::Incremental.name(), Law::Frictionless.name()].contains(&laws[s].as_str())
            {
                below = below.max(energies[s] - energies[r]);
            }
        }
    }
    let normal = impacts.numbers("contact_velocity_n")?;
    let cone = (0..impacts.rows()).filter(|&r| of(Law::Cone, high)(r)).map(|r| normal[r]).fold(0.0_f64, f64::max);
    let compliant = rod_impact_compliant::present(tables.get("compliant")?)?;
    let finding = format!(
        "{} No law on the plane of maximum compression loses more energy than `max-dissipation` (largest excess {} of the kinetic \
         energy). Under `cone` the end leaves the plane with up to {} m/s although the impact is inelastic.",
        compliant.finding,
        rounded(below, 1),
        rounded(cone, 3)
    );
    Ok(Presentation {
        method: "The rod translates before the impact. Inclinations above 90° lean against the motion along t, below 90° along it. \
                 The distance is ‖Λ − Λ_incremental‖/‖Λ_incremental‖. The compliant contact is the penalty item (sphere–sphere, \
                 no damping) between the ball at the lower end of the capsule and a fixed sphere that stands for the plane, by \
                 Runge–Kutta 4 in steps that resolve the period of the contact and the regularised friction, the last of \
                 which is cut by bisection to end at δvₙ = 0; distances from it are by ‖Λ_incremental‖ too."
            .into(),
        finding,
        falsified_by: "An inclination at which a law on the plane of maximum compression loses more energy than \
                       `max-dissipation`; a compliant contact of rising stiffness that does not run into `incremental`, or that does so with\
                       another order than 1/√k."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "rod-impact",
        format!(
            "State after the impact against the inclination of the rod, under every impulse law at μ = {high}: (a), (b) slip of \
             the contact, (c) angular velocity, (d) normal velocity of the contact, (e) share of kinetic energy lost; (f) \
             relative distance of the impulse from that of `incremental`, where they differ."
        ),
        Figure::page(2, 44.0, panels),
    )
    .with_drawing("rod-impact-stiffness", compliant.caption, Figure::page(3, 52.0, compliant.panels))
    .with_claim(
        "Ideally, an impact model gives the limit of a compliant contact with rising stiffness (section 1)",
        format!("distance of the impulse from that limit for a rod: {}", sentences.join("; ")),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trace_of_the_inertia_is_twice_the_polar_moment() {
        let body = rod(0.3);
        let trace = body.inertia.trace();
        let (cylinder, balls) = (DENSITY * PI * RADIUS.powi(2) * LENGTH, DENSITY * 4.0 / 3.0 * PI * RADIUS.powi(3));
        // Polar second moment ∫ρ r² dV, trace I = 2 ∫ρ r²: cylinder R²/2 + L²/12; half balls 3/5 R² + L²/4 + 3/8 L R.
        let polar = cylinder * (RADIUS * RADIUS / 2.0 + LENGTH * LENGTH / 12.0)
            + balls * (0.6 * RADIUS * RADIUS + LENGTH * LENGTH / 4.0 + 0.375 * LENGTH * RADIUS);
        assert!((trace - 2.0 * polar).abs() < 1e-12 * trace, "{trace} for {}", 2.0 * polar);
    }

    #[test]
    fn an_upright_rod_touches_below_its_centre() {
        let lever = rod(PI / 2.0).lever;
        assert!((lever - Vec3::new(-0.5 * LENGTH - RADIUS, 0.0, 0.0)).norm() < 1e-15, "{lever}");
        // There the impact is central: e = 0.
        assert!(ContactBlock::new(&rod(PI / 2.0).delassus(), 0.8).eccentricity().norm() < 1e-15);
    }
}

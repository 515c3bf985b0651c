//! `conic-sections`: the feasible set of one contact, the energy over it, and the impulse of every law.

use crate::error::Result;
use crate::experiment::Experiment;
use crate::experiment::Kept;
use crate::experiment::Preset;
use crate::experiment::Tables;
use crate::experiment::body;
use crate::experiment::body::Body;
use crate::experiment::page::Presentation;
use crate::experiment::setup::OURS;
use crate::experiment::setup::PAPER;
use crate::experiment::setup::Setup;
use crate::figure::Axis;
use crate::figure::Color;
use crate::figure::Dash;
use crate::figure::Figure;
use crate::figure::Layer;
use crate::figure::Marker;
use crate::figure::Panel;
use crate::figure::Stroke;
use crate::figure::Table;
use crate::figure::law_stroke;
use crate::figure::percent;
use crate::figure::rounded;
use crate::law::ContactBlock;
use crate::law::Law;
use crate::law::coulomb;
use crate::math::Mat3;
use crate::math::Vec2;
use crate::math::Vec3;

/// The experiment.
pub(in crate::experiment) const EXPERIMENT: Experiment = Experiment {
    name: "conic-sections",
    question: "What impulses may one contact have, and which of them does each law take, when the conic section of \
               friction cone and plane of maximum compression is an ellipse, a parabola, a hyperbola?",
    simulate,
    present,
};

/// Conic sections by the length of their eccentricity vector.
const KINDS: [(&str, f64); 3] = [("ellipse", 0.5), ("parabola", 1.0), ("hyperbola", 1.5)];
/// Edges of the box along its own axes in m.
const EDGES: [f64; 3] = [1.0, 0.3, 0.2];
/// Density in kg/m³.
const DENSITY: f64 = 1000.0;
/// Turn about t, then about n, of the box in degrees.
const TILT: f64 = 35.0;
const TURN: f64 = 25.0;
/// Velocity of the contact point before the impact, (n, t, o) in m/s.
const VELOCITY: [f64; 3] = [-1.0, -2.0, 2.5];
/// Free space around what a panel must show, as a share of its size.
const FREE: f64 = 0.15;

/// The box on its lowest vertex.
fn tilted_box() -> Body {
    let half = Vec3::from(EDGES) * 0.5;
    let mass = DENSITY * EDGES.iter().product::<f64>();
    let square = half.component_mul(&half);
    let inertia = Vec3::new(square.y + square.z, square.z + square.x, square.x + square.y) * (mass / 3.0);
    // Box axes in the contact frame: long axis along t, turned up about o, then about n.
    let axis = |x: f64, y: f64, z: f64| nalgebra::Unit::new_normalize(Vec3::new(x, y, z));
    let upright = Mat3::new(0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0);
    let tilt = nalgebra::Rotation3::from_axis_angle(&axis(0.0, 0.3, 1.0), TILT.to_radians());
    let turn = nalgebra::Rotation3::from_axis_angle(&axis(1.0, 0.0, 0.0), TURN.to_radians());
    let r = turn.matrix() * tilt.matrix() * upright;
    let down = r.transpose() * Vec3::new(-1.0, 0.0, 0.0);
    let lever = r * half.zip_map(&down, f64::copysign);
    Body { mass, inertia: r * Mat3::from_diagonal(&inertia) * r.transpose(), lever }
}

/// Directions of the slip in which a contact that opens by itself is looked at.
const DIRECTIONS: u32 = 360;

/// The contacts, opening at the speed at which they closed, for every direction of the slip: in how many Coulomb's law alone
/// would also allow an impulse (a jam, which the pressure constraint excludes), and the largest impulse of
/// `max-dissipation` in N·s.
fn pressure(a: &Mat3, b: &Vec3) -> Table {
    let (mut jams, mut largest) = (Vec::new(), Vec::new());
    for (_, eccentricity) in KINDS {
        let mu = eccentricity * a[(0, 0)] / Vec2::new(a[(0, 1)], a[(0, 2)]).norm();
        let block = ContactBlock::new(a, mu);
        let (mut count, mut impulse) = (0, 0.0_f64);
        for k in 0..DIRECTIONS {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(DIRECTIONS)).sin_cos();
            let slip = b.yz().norm();
            let opening = Vec3::new(-b.x, slip * cos, slip * sin);
            count += u32::from(!coulomb::solutions(&block, &opening).excluded().is_empty());
            impulse = impulse.max(body::solve(Law::MaxDissipation, a, &opening, mu).impulse.norm());
        }
        jams.push(f64::from(count));
        largest.push(impulse);
    }
    Table::new()
        .with_words("conic", KINDS.map(|(kind, _)| kind))
        .with_numbers("directions", "1", vec![f64::from(DIRECTIONS); KINDS.len()])
        .with_numbers("with_jams", "1", jams)
        .with_numbers("largest_impulse", "N s", largest)
}

fn simulate(preset: Preset, _: &Kept) -> Result<Tables> {
    let points = match preset {
        Preset::Quick => 181,
        Preset::Full => 721,
    };
    let body = tilted_box();
    let a = body.delassus();
    let b = -Vec3::from(VELOCITY);
    let coupling = Vec2::new(a[(0, 1)], a[(0, 2)]);
    let mut contacts: [Vec<f64>; 12] = Default::default();
    let mut border: (Vec<&str>, Vec<f64>, Vec<f64>) = Default::default();
    let mut names: (Vec<&str>, Vec<&str>, Vec<&str>) = Default::default();
    let mut numbers: [Vec<f64>; 8] = Default::default();
    for (kind, eccentricity) in KINDS {
        let mu = eccentricity * a[(0, 0)] / coupling.norm();
        let block = ContactBlock::new(&a, mu);
        let e = block.eccentricity();
        let rho = mu * b.x / block.nn();
        let row = [mu, e.x, e.y, rho, a[(0, 0)], a[(0, 1)], a[(0, 2)], a[(1, 1)], a[(1, 2)], a[(2, 2)], b.y, b.z];
        contacts.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        // The border in focus form, from one end of an open conic to the other: α runs from the direction of −e on.
        let start = e.y.atan2(e.x) + std::f64::consts::PI;
        for k in 0..points {
            let angle = start + std::f64::consts::TAU * f64::from(k) / f64::from(points - 1);
            let u = Vec2::new(angle.cos(), angle.sin());
            let x = u * (rho / (1.0 + e.dot(&u)));
            if 1.0 + e.dot(&u) > 1e-9 && x.norm() < 20.0 * rho {
                border.0.push(kind);
                border.1.push(x.x);
                border.2.push(x.y);
            }
        }
        for law in Law::SOLVE {
            let solution = body::solve(law, &a, &b, mu);
            let after = a * solution.impulse - b;
            names.0.push(kind);
            names.1.push(law.name());
            names.2.push(body::state(&solution));
            let row = [
                solution.impulse.x,
                solution.impulse.y,
                solution.impulse.z,
                after.x,
                after.y,
                after.z,
                body::energy(&a, &b, &solution.impulse),
                f64::from(u8::from(solution.certified)),
            ];
            numbers.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        }
    }
    let pressure = pressure(&a, &b);
    let [mu, e_t, e_o, rho, nn, nt, no, tt, to, oo, b_t, b_o] = contacts;
    let count = KINDS.len();
    let contact = Table::new()
        .with_words("conic", KINDS.map(|(kind, _)| kind))
        .with_numbers("mu", "1", mu)
        .with_numbers("e_t", "1", e_t)
        .with_numbers("e_o", "1", e_o)
        .with_numbers("rho", "N s", rho)
        .with_numbers("A_nn", "1/kg", nn)
        .with_numbers("A_nt", "1/kg", nt)
        .with_numbers("A_no", "1/kg", no)
        .with_numbers("A_tt", "1/kg", tt)
        .with_numbers("A_to", "1/kg", to)
        .with_numbers("A_oo", "1/kg", oo)
        .with_numbers("b_n", "m/s", vec![b.x; count])
        .with_numbers("b_t", "m/s", b_t)
        .with_numbers("b_o", "m/s", b_o);
    let [n, t, o, v_n, v_t, v_o, energy, certified] = numbers;
    let solutions = Table::new()
        .with_words("conic", names.0)
        .with_words("law", names.1)
        .with_words("state", names.2)
        .with_numbers("impulse_n", "N s", n)
        .with_numbers("impulse_t", "N s", t)
        .with_numbers("impulse_o", "N s", o)
        .with_numbers("velocity_n", "m/s", v_n)
        .with_numbers("velocity_t", "m/s", v_t)
        .with_numbers("velocity_o", "m/s", v_o)
        .with_numbers("energy_change", "J", energy)
        .with_numbers("certified", "1", certified);
    let border = Table::new().with_words("conic", border.0).with_numbers("impulse_t", "N s", border.1).with_numbers(
        "impulse_o",
        "N s",
        border.2,
    );
    let setup = Setup::new(preset)
        .with("constraints and objective", "maximum dissipation, plane of maximum compression", "", PAPER)
        .with("body", "uniform box on its lowest vertex, against a fixed plane", "", OURS)
        .with("edges", EDGES.map(|x| x.to_string()).join(" × "), "m", OURS)
        .with("density", DENSITY, "kg/m³", OURS)
        .with("tilt of the long axis against the plane", TILT, "°", OURS)
        .with("turn about the normal", TURN, "°", OURS)
        .with("velocity of the contact point before (n, t, o)", VELOCITY.map(|x| x.to_string()).join(", "), "m/s", OURS)
        .with("coefficient of friction", "such that ‖e‖ is 0.5, 1 and 1.5 (see contact.csv)", "", OURS)
        .with("points on each border", points, "", OURS);
    Ok(Tables::new()
        .with("setup", setup.table())
        .with("contact", contact)
        .with("pressure", pressure)
        .with("solutions", solutions)
        .with("border", border))
}

/// The energy over the plane of maximum compression as a function of the tangential impulse.
struct Plane {
    a: Mat3,
    b: Vec3,
}

impl Plane {
    fn of(contact: &Table, row: usize) -> Result<Self> {
        let at = |name: &str| contact.numbers(name).map(|column| column[row]);
        let (nt, no, to) = (at("A_nt")?, at("A_no")?, at("A_to")?);
        let a = Mat3::new(at("A_nn")?, nt, no, nt, at("A_tt")?, to, no, to, at("A_oo")?);
        Ok(Self { a, b: Vec3::new(at("b_n")?, at("b_t")?, at("b_o")?) })
    }

    fn impulse(&self, x: f64, y: f64) -> Vec3 {
        let n = (self.b.x - self.a[(0, 1)] * x - self.a[(0, 2)] * y) / self.a[(0, 0)];
        Vec3::new(n, x, y)
    }

    fn energy(&self, x: f64, y: f64) -> f64 {
        body::energy(&self.a, &self.b, &self.impulse(x, y))
    }
}

fn present(tables: &Tables) -> Result<Presentation> {
    let (contact, solutions, border) = (tables.get("contact")?, tables.get("solutions")?, tables.get("border")?);
    let (kinds, laws) = (solutions.words("conic")?, solutions.words("law")?);
    let energies = solutions.numbers("energy_change")?;
    let mut panels = Vec::new();
    let mut words = Vec::new();
    for (row, kind) in contact.words("conic")?.iter().enumerate() {
        let plane = Plane::of(contact, row)?;
        let (mu, rho) = (contact.numbers("mu")?[row], contact.numbers("rho")?[row]);
        let e = [contact.numbers("e_t")?[row], contact.numbers("e_o")?[row]];
        let title = format!("{kind}, ‖e‖ = {}, μ = {}", rounded(e[0].hypot(e[1]), 3), rounded(mu, 3));
        let energy_of = |law: Law| {
            let found = (0..solutions.rows()).find(|&k| &kinds[k] == kind && laws[k] == law.name());
            found.map_or(f64::NAN, |k| energies[k])
        };
        let (least, coulomb) = (energy_of(Law::MaxDissipation), energy_of(Law::Coulomb));
        panels.push(panel(&plane, title, rho, border, solutions, kind, least)?);
        words.push(format!("{} for the {kind}", percent((coulomb - least) / least.abs(), 2)));
    }
    let figure = Figure::page(3, 52.0, panels);
    let certified = solutions.numbers("certified")?.iter().all(|&c| c > 0.0);
    let states = solutions.words("state")?;
    let sliding = (0..solutions.rows()).all(|k| laws[k] != Law::MaxDissipation.name() || states[k] == "sliding");
    let open = solutions.numbers("velocity_n")?;
    let lift: Vec<String> =
        (0..solutions.rows()).filter(|&k| laws[k] == Law::Cone.name()).map(|k| rounded(open[k], 3)).collect();
    let pressure = tables.get("pressure")?;
    let all = pressure.numbers("directions")?.first().copied().unwrap_or(f64::NAN);
    let impulse = pressure.numbers("largest_impulse")?.iter().copied().fold(0.0, f64::max);
    let jams = pressure.words("conic")?.iter().zip(pressure.numbers("with_jams")?);
    let jammed: Vec<String> = jams.map(|(kind, jams)| format!("{jams} ({kind})")).collect();
    let finding = format!(
        "{} the impulse of `max-dissipation` is where a line of equal energy \
         touches the border of the conic section. `coulomb` takes another point of the same border and leaves more \
         energy: it dissipates less by {}. `cone` leaves the plane: its contact opens with {} m/s. {}",
        if sliding { "In all three cases the contact slides, and" } else { "Where the contact slides," },
        words.join(", "),
        lift.join(", "),
        if certified {
            "Every solution is certified by its law to round-off."
        } else {
            "Not every solution is certified."
        }
    );
    Ok(Presentation {
        method: "One box strikes a fixed plane with a vertex. The coefficient of friction alone changes the conic section. \
                 Energies are changes of kinetic energy."
            .into(),
        finding,
        falsified_by: "A feasible impulse with less energy after the impact than that of `max-dissipation`, or a \
                       `coulomb` impulse that dissipates more."
            .into(),
        ..Presentation::default()
    }
    .with_drawing(
        "conic-sections",
        "Tangential impulses that friction cone and plane of maximum compression allow (shaded), lines of equal energy \
         (grey; the one through the maximum-dissipation impulse dark), and the impulses of the laws. The impulse that \
         would end the slip (star) is outside. The impulse of `cone` does not lie on the plane; its tangential part is shown.",
        figure,
    )
    .with_claim(
        "For a colliding closed contact the feasible set is a conic section, and a strictly convex energy has one minimum \
         on it (section 2)",
        format!("ellipse, parabola and hyperbola, each with one certified minimum on the border: {}", if certified { "yes" } else { "no" }),
    )
    .with_claim(
        "The pressure constraint excludes impulses where a contact opens by itself, so that the solution is unique (section 2)",
        format!(
            "of {} opening contacts a conic (all directions of the slip) Coulomb's law alone would allow an impulse in {}; the largest \
             impulse of `max-dissipation` is {} N·s",
            rounded(all, 3),
            jammed.join(", "),
            rounded(impulse, 2)
        ),
    )
    .with_claim(
        "An impulse that opposes the slip after the impact does not dissipate as much as the friction cone allows (section 2)",
        format!("less by {}", words.join(", ")),
    ))
}

fn panel(
    plane: &Plane,
    title: String,
    rho: f64,
    border: &Table,
    solutions: &Table,
    kind: &str,
    least: f64,
) -> Result<Panel> {
    const GRID: usize = 81;
    // The stick impulse is the minimum over the plane without the cone.
    let stick = plane.a.lu().solve(&plane.b).unwrap_or_else(Vec3::zeros);
    let points: Vec<[f64; 2]> = {
        let of = border.words("conic")?;
        border.points("impulse_t", "impulse_o", |k| of[k] == kind)?
    };
    // The window: the focus, the end of slip, every impulse, and of the border what is near the focus.
    let (kinds, laws) = (solutions.words("conic")?, solutions.words("law")?);
    let mut shown = solutions.points("impulse_t", "impulse_o", |k| kinds[k] == kind)?;
    shown.push([stick.y, stick.z]);
    shown.extend(points.iter().filter(|p| p[0].hypot(p[1]) < 2.05 * rho));
    let ends = |c: usize| shown.iter().fold([0.0_f64, 0.0_f64], |[l, h], p| [l.min(p[c]), h.max(p[c])]);
    let ([left, right], [low, high]) = (ends(0), ends(1));
    let reach = 0.5 * (1.0 + FREE) * (right - left).max(high - low);
    let centre = [0.5 * (left + right), 0.5 * (low + high)];
    let axis =
        |c: f64| (0..GRID).map(|i| c + 1.3 * reach * (2.0 * i as f64 / (GRID - 1) as f64 - 1.0)).collect::<Vec<_>>();
    let (x, y) = (axis(centre[0]), axis(centre[1]));
    let values: Vec<f64> = y.iter().flat_map(|v| x.iter().map(|u| plane.energy(*u, *v))).collect();
    let bottom = plane.energy(stick.y, stick.z);
    let levels = [0.25, 0.5, 2.0, 3.5, 5.5, 8.0, 11.0].map(|s| bottom + s * (least - bottom)).to_vec();
    let guide = Stroke::guide(Dash::Solid);
    let contours = |levels: Vec<f64>, stroke: Stroke, name: &str| Layer::Contours {
        x: x.clone(),
        y: y.clone(),
        values: values.clone(),
        levels,
        stroke,
        name: name.into(),
    };
    let mut panel = Panel::new(
        title,
        Axis::linear("Λₜ", "N s").from_to(centre[0] - reach, centre[0] + reach),
        Axis::linear("Λₒ", "N s").from_to(centre[1] - reach, centre[1] + reach),
    )
    .equal()
    .with(Layer::Region { border: points.clone(), fill: Color([86, 180, 233]).paled(0.25), name: "feasible".into() })
    .with(contours(levels, guide.with_width(0.15), "equal energy"))
    .with(contours(vec![least], Stroke { color: Color::BLACK, ..guide.with_width(0.25) }, "energy of max-dissipation"))
    .with(Layer::line(points, Stroke { color: Color::BLACK, ..guide.with_width(0.35) }, ""))
    .with(Layer::points(
        vec![[stick.y, stick.z]],
        Stroke { color: Color::BLACK, ..guide.with_marker(Marker::Star) },
        2.0,
        "end of slip",
    ));
    for law in Law::SOLVE {
        let at = solutions.points("impulse_t", "impulse_o", |k| kinds[k] == kind && laws[k] == law.name())?;
        panel = panel.with(Layer::points(at, law_stroke(law), 2.0, law.name()));
    }
    Ok(panel)
}

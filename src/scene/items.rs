//! Reading `[[contacts]]`, `[[masses]]` and `[integrator]`.

use crate::error::Fault;
use crate::law::penalty::ImpactModel;
use crate::law::penalty::item::Coordinate;
use crate::law::penalty::item::SphereSphere;
use crate::law::penalty::item::SphereTorus;
use crate::law::penalty::item::Visualization;
use crate::math::Quat;
use crate::math::Vec3;
use crate::scene::contacts::Contact;
use crate::scene::contacts::CoordinateMarker;
use crate::scene::contacts::Item;
use crate::scene::contacts::Marker;
use crate::scene::contacts::Mass;
use crate::scene::contacts::Method;
use crate::scene::contacts::Stepping;
use crate::scene::fields::Fields;
use crate::scene::fields::Rule;
use crate::scene::fields::nearest;

/// The name under which a marker stands on no body.
pub(super) const GROUND: &str = "ground";

/// The names that markers can refer to.
pub(super) struct Known<'a> {
    pub(super) bodies: Vec<&'a str>,
    pub(super) masses: Vec<&'a str>,
}

impl Known<'_> {
    /// Checks that `name` is one of `these` (bodies, or bodies and masses).
    fn check(&self, fields: &Fields<'_, '_>, name: &str, masses_too: bool) {
        let masses = if masses_too { &self.masses[..] } else { &[] };
        if self.bodies.iter().chain(masses).any(|known| *known == name) {
            return;
        }
        let what = if self.masses.contains(&name) {
            format!("\"{name}\" is a mass with one coordinate, which has no frame")
        } else {
            format!("no body \"{name}\"")
        };
        let all = self.bodies.iter().chain(masses).copied().chain([GROUND]);
        let near = nearest(name, all).map_or_else(String::new, |near| format!("did you mean \"{near}\"? "));
        fields.fault("on", what, format!("{near}give the name of a body, or \"{GROUND}\""));
    }
}

/// Reads one entry of `[[contacts]]`; `orientation` reads the keys of an orientation.
pub(super) fn contact(
    fields: &Fields<'_, '_>,
    name: String,
    known: &Known<'_>,
    orientation: &dyn Fn(&Fields<'_, '_>) -> Quat,
) -> Option<Contact> {
    const KINDS: [&str; 3] = ["sphere-sphere", "sphere-torus", "coordinate"];
    let kind = fields.kind(&KINDS)?;
    let before = fields.source.count();
    let frames = || ["marker-0", "marker-1"].map(|key| marker(fields, key, known, orientation));
    let (item, faults) = match kind {
        0 => {
            let markers = frames();
            let parameters = sphere_sphere(fields, &name);
            let faults = parameters.validate();
            (Item::SphereSphere { parameters: Box::new(parameters), markers }, faults)
        }
        1 => {
            let markers = frames();
            let parameters = sphere_torus(fields, &name);
            let faults = parameters.validate();
            (Item::SphereTorus { parameters: Box::new(parameters), markers }, faults)
        }
        _ => {
            let markers = ["marker-0", "marker-1"].map(|key| coordinate_marker(fields, key, known));
            let parameters = coordinate(fields, &name);
            let faults = parameters.validate();
            (Item::Coordinate { parameters: Box::new(parameters), markers }, faults)
        }
    };
    // What was read wrongly has a neutral value: complaints about that would mislead.
    if fields.source.count() == before {
        tell(fields, &name, faults);
    }
    Some(Contact { name, item })
}

/// Notes the faults of an item's parameters at their keys.
fn tell(fields: &Fields<'_, '_>, name: &str, faults: Vec<Fault>) {
    for Fault { key, what, remedy, .. } in faults {
        let parameter = key.strip_prefix(name).and_then(|rest| rest.strip_prefix('.')).unwrap_or(&key);
        let parameter = parameter.split('[').next().unwrap_or(parameter).replace('_', "-");
        fields.fault(&parameter, what, remedy);
    }
}

fn marker(
    fields: &Fields<'_, '_>,
    key: &'static str,
    known: &Known<'_>,
    orientation: &dyn Fn(&Fields<'_, '_>) -> Quat,
) -> Marker {
    let Some(table) = marker_table(fields, key) else {
        return Marker { on: None, position: Vec3::zeros(), orientation: Quat::identity() };
    };
    let on = on(&table);
    if let Some(name) = &on {
        known.check(&table, name, false);
    }
    let position = table.vector("position", Rule::Finite).unwrap_or_else(Vec3::zeros);
    let marker = Marker { on, position, orientation: orientation(&table) };
    table.finish();
    marker
}

fn marker_table<'s, 't>(fields: &Fields<'s, 't>, key: &'static str) -> Option<Fields<'s, 't>> {
    let table = fields.table(key);
    if table.is_none() && !fields.has(key) {
        fields.fault(key, "missing", format!("give a table such as {{ on = \"ball\" }} or {{ on = \"{GROUND}\" }}"));
    }
    table
}

/// Reads `on`; `None` is ground.
fn on(table: &Fields<'_, '_>) -> Option<String> {
    let name = table.text("on");
    if name.is_none() && !table.has("on") {
        table.fault("on", "missing", format!("give the name of a body, or \"{GROUND}\""));
    }
    name.filter(|name| *name != GROUND).map(str::to_owned)
}

fn coordinate_marker(fields: &Fields<'_, '_>, key: &'static str, known: &Known<'_>) -> CoordinateMarker {
    let Some(table) = marker_table(fields, key) else { return CoordinateMarker::Ground };
    let read = if table.has("first") || table.has("minus") {
        let first = coordinate_marker(&table, "first", known);
        CoordinateMarker::Difference(Box::new((first, coordinate_marker(&table, "minus", known))))
    } else {
        let on = on(&table);
        let (along, about) = (table.direction("along"), table.direction("about"));
        let position = table.vector("position", Rule::Finite);
        if let Some(name) = &on {
            known.check(&table, name, true);
        }
        if position.is_some() && along.is_none() {
            table.fault(
                "position",
                "is given without `along`",
                "give the direction of the coordinate, or leave it out",
            );
        }
        match (on, along, about) {
            (Some(body), Some(along), None) => {
                CoordinateMarker::Translation { body, position: position.unwrap_or_else(Vec3::zeros), along }
            }
            (Some(body), None, Some(about)) => CoordinateMarker::Rotation { body, about },
            (Some(mass), None, None) if known.masses.contains(&mass.as_str()) => CoordinateMarker::Mass(mass),
            (Some(body), None, None) => {
                if known.bodies.contains(&body.as_str()) && !table.has("along") && !table.has("about") {
                    let remedy = "give along = [x, y, z] for a translation, or about = [x, y, z] for a rotation";
                    table.fault("on", format!("the body \"{body}\" has more than one coordinate"), remedy);
                }
                CoordinateMarker::Ground
            }
            (_, Some(_), Some(_)) => {
                table.fault("about", "is given beside `along`", "leave one of them out");
                CoordinateMarker::Ground
            }
            (None, None, None) => CoordinateMarker::Ground,
            (None, ..) => {
                table.fault("on", "ground has no directions", "leave `along` and `about` out: its coordinate is 0");
                CoordinateMarker::Ground
            }
        }
    };
    if let CoordinateMarker::Translation { body, .. } | CoordinateMarker::Rotation { body, .. } = &read
        && known.masses.contains(&body.as_str())
    {
        table.fault("on", format!("the mass \"{body}\" has one coordinate only"), "leave `along` and `about` out");
    }
    table.finish();
    read
}

fn sphere_sphere(fields: &Fields<'_, '_>, name: &str) -> SphereSphere {
    let default = SphereSphere::default();
    let number = |key, default| fields.number(key, Rule::Finite).unwrap_or(default);
    SphereSphere {
        name: name.to_owned(),
        spheres_radii: need(fields, "spheres-radii", fields.numbers("spheres-radii", Rule::Finite), "both radii in m")
            .unwrap_or([1.0; 2]),
        is_hollow_sphere_1: fields.flag("is-hollow-sphere-1").unwrap_or(default.is_hollow_sphere_1),
        dynamic_friction: number("dynamic-friction", default.dynamic_friction),
        friction_proportional_zone: number("friction-proportional-zone", default.friction_proportional_zone),
        contact_stiffness: number("contact-stiffness", default.contact_stiffness),
        contact_damping: number("contact-damping", default.contact_damping),
        contact_stiffness_exponent: number("contact-stiffness-exponent", default.contact_stiffness_exponent),
        constant_pull_off_force: number("constant-pull-off-force", default.constant_pull_off_force),
        contact_plasticity_ratio: number("contact-plasticity-ratio", default.contact_plasticity_ratio),
        adhesion_coefficient: number("adhesion-coefficient", default.adhesion_coefficient),
        adhesion_exponent: number("adhesion-exponent", default.adhesion_exponent),
        restitution_coefficient: number("restitution-coefficient", default.restitution_coefficient),
        minimum_impact_velocity: number("minimum-impact-velocity", default.minimum_impact_velocity),
        impact_model: impact_model(fields),
        active_connector: fields.flag("active-connector").unwrap_or(default.active_connector),
        data: fields.list("data", Rule::Finite).unwrap_or_default(),
        friction_compressive_only: fields
            .flag("friction-compressive-only")
            .unwrap_or(default.friction_compressive_only),
        visualization: visualization(fields, default.visualization),
    }
}

fn sphere_torus(fields: &Fields<'_, '_>, name: &str) -> SphereTorus {
    let default = SphereTorus::default();
    let number = |key, default| fields.number(key, Rule::Finite).unwrap_or(default);
    let radius = |key, what| fields.need_number(key, Rule::Finite, what);
    SphereTorus {
        name: name.to_owned(),
        sphere_radius: radius("sphere-radius", "the radius of the sphere in m"),
        torus_major_radius: radius("torus-major-radius", "the radius of the ring in m"),
        torus_minor_radius: radius("torus-minor-radius", "the radius of the tube in m"),
        torus_axis: need(fields, "torus-axis", fields.vector("torus-axis", Rule::Finite), "the axis, a unit vector")
            .unwrap_or_else(Vec3::z),
        dynamic_friction: number("dynamic-friction", default.dynamic_friction),
        friction_proportional_zone: number("friction-proportional-zone", default.friction_proportional_zone),
        contact_stiffness: number("contact-stiffness", default.contact_stiffness),
        contact_damping: number("contact-damping", default.contact_damping),
        contact_stiffness_exponent: number("contact-stiffness-exponent", default.contact_stiffness_exponent),
        restitution_coefficient: number("restitution-coefficient", default.restitution_coefficient),
        minimum_impact_velocity: number("minimum-impact-velocity", default.minimum_impact_velocity),
        impact_model: impact_model(fields),
        active_connector: fields.flag("active-connector").unwrap_or(default.active_connector),
        data: fields.list("data", Rule::Finite).unwrap_or_default(),
        friction_compressive_only: fields
            .flag("friction-compressive-only")
            .unwrap_or(default.friction_compressive_only),
        visualization: visualization(fields, default.visualization),
    }
}

fn coordinate(fields: &Fields<'_, '_>, name: &str) -> Coordinate {
    let default = Coordinate::default();
    let number = |key, default| fields.number(key, Rule::Finite).unwrap_or(default);
    Coordinate {
        name: name.to_owned(),
        contact_stiffness: number("contact-stiffness", default.contact_stiffness),
        contact_damping: number("contact-damping", default.contact_damping),
        contact_stiffness_exponent: number("contact-stiffness-exponent", default.contact_stiffness_exponent),
        restitution_coefficient: number("restitution-coefficient", default.restitution_coefficient),
        minimum_impact_velocity: number("minimum-impact-velocity", default.minimum_impact_velocity),
        impact_model: impact_model(fields),
        offset: number("offset", default.offset),
        active_connector: fields.flag("active-connector").unwrap_or(default.active_connector),
        data: fields.list("data", Rule::Finite).unwrap_or_default(),
        visualization: visualization(fields, default.visualization),
    }
}

/// Notes a fault if `key`, which was read as `value`, is not there.
fn need<T>(fields: &Fields<'_, '_>, key: &str, value: Option<T>, what: &str) -> Option<T> {
    if !fields.has(key) {
        fields.fault(key, "missing", format!("give {what}"));
    }
    value
}

fn impact_model(fields: &Fields<'_, '_>) -> ImpactModel {
    let Some(number) = fields.whole("impact-model", 0, u64::from(u32::MAX)) else { return ImpactModel::default() };
    ImpactModel::try_from(number as u32).unwrap_or_else(|what| {
        fields.fault("impact-model", what, "give 0, 1 or 2");
        ImpactModel::default()
    })
}

fn visualization(fields: &Fields<'_, '_>, default: Visualization) -> Visualization {
    let Some(table) = fields.table("visualization") else { return default };
    let visualization = Visualization {
        show: table.flag("show").unwrap_or(default.show),
        draw_size: table.number("draw-size", Rule::Finite).unwrap_or(default.draw_size),
        color: table.numbers("color", Rule::Finite).unwrap_or(default.color),
    };
    table.finish();
    visualization
}

/// Reads the rest of one entry of `[[masses]]`.
pub(super) fn mass(fields: &Fields<'_, '_>, name: String) -> Mass {
    let number = |key| fields.number(key, Rule::Finite).unwrap_or(0.0);
    Mass {
        name,
        mass: fields.need_number("mass", Rule::Positive, "the mass in kg"),
        coordinate: number("coordinate"),
        velocity: number("velocity"),
        force: number("force"),
    }
}

/// Reads `[integrator]`.
pub(super) fn stepping(fields: &Fields<'_, '_>, step: f64) -> Stepping {
    const METHODS: [(&str, Method); 4] = [
        ("semi-implicit-euler", Method::SemiImplicitEuler),
        ("velocity-verlet", Method::VelocityVerlet),
        ("runge-kutta-4", Method::RungeKutta4),
        ("generalised-alpha", Method::GeneralisedAlpha),
    ];
    let default = Stepping::new(step);
    let spectral_radius = fields.number("spectral-radius", Rule::NotNegative).unwrap_or(default.spectral_radius);
    if spectral_radius > 1.0 {
        fields.fault("spectral-radius", format!("is {spectral_radius}"), "give a number from 0 to 1; 0.9 is usual");
    }
    Stepping {
        method: fields.choice("method", &METHODS.map(|(name, _)| name)).map_or(default.method, |i| METHODS[i].1),
        step: fields.number("step", Rule::Positive).unwrap_or(step),
        spectral_radius,
        iterate_events: fields.choice("events", &["land", "iterate"]) == Some(1),
        override_stability: fields.flag("override-stability").unwrap_or(default.override_stability),
    }
}

//! From the text of a scene file to a [`Scene`], or to everything that is wrong with it.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::math::Quat;
use crate::math::Vec3;
use crate::scene::contacts::Contact;
use crate::scene::contacts::Mass;
use crate::scene::contacts::Stepping;
use crate::scene::description::Body;
use crate::scene::description::Correction;
use crate::scene::description::Initial;
use crate::scene::description::Material;
use crate::scene::description::Motion;
use crate::scene::description::Numerics;
use crate::scene::description::Origin;
use crate::scene::description::Output;
use crate::scene::description::Pair;
use crate::scene::description::Scene;
use crate::scene::events::Events;
use crate::scene::fields::Fields;
use crate::scene::fields::Rule;
use crate::scene::fields::nearest;
use crate::scene::fill::Arrangement;
use crate::scene::fill::Fill;
use crate::scene::fill::Region;
use crate::scene::fill::Size;
use crate::scene::items;
use crate::scene::items::GROUND;
use crate::scene::items::Known;
use crate::scene::motion;
use crate::scene::names::Names;
use crate::scene::overrides::Override;
use crate::scene::shapes;
use crate::scene::source::Source;
use crate::shape::Shape;
use nalgebra::Quaternion;
use std::collections::BTreeSet;
use toml::de::DeTable;

/// Most bytes of a scene file. Larger files hold particles one by one: those belong into a fill or another run.
pub const MAX_BYTES: u64 = 16 << 20;

/// Most bodies of a scene: beyond, the state alone is larger than the memory of the machines this runs on.
pub const MAX_BODIES: u64 = 5_000_000;

/// Most steps of a run: at a microsecond a step that is a month.
const MAX_STEPS: f64 = 1e12;

/// Reads the text of a scene; `file` names it in messages, `overrides` are the `KEY=VALUE` of `--set`.
///
/// # Errors
///
/// [`Error::Input`] with every fault found: syntax, types, ranges, unknown keys, names that are missing or given twice.
pub fn parse(file: &str, text: &str, overrides: &[String]) -> Result<Scene> {
    if text.len() as u64 > MAX_BYTES {
        let what = format!("{} bytes", text.len());
        let remedy = format!("a scene file has at most {MAX_BYTES} bytes; put many particles into [[fill]]");
        return Err(Error::from(Fault::new("", what, remedy).in_file(file)));
    }
    let mut source = Source::new(file, text);
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors.iter().take(1000) {
        source.fault(&error.span().unwrap_or(0..0), "", error.message().to_owned(), "mend the TOML syntax");
    }
    if !source.is_clean() {
        // What was recovered may lack keys that are there: complaints about those would mislead.
        return Err(Error::Input(source.into_faults()));
    }
    let overrides: Vec<Override> = overrides.iter().filter_map(|text| Override::new(&mut source, text)).collect();
    let mut table = table.into_inner();
    for assignment in &overrides {
        assignment.apply(&source, &mut table);
    }
    let scene = read(&source, &table, file, text.len());
    if source.is_clean() { Ok(scene) } else { Err(Error::Input(source.into_faults())) }
}

fn read(source: &Source, table: &DeTable<'_>, file: &str, length: usize) -> Scene {
    let top = Fields::new(source, String::new(), 0..length, table);
    match top.whole("version", 0, u64::MAX) {
        Some(1) => {}
        Some(version) => top.fault("version", format!("is {version}"), "this program reads version = 1"),
        None if !top.has("version") => top.fault("version", "missing", "begin the file with version = 1"),
        None => {}
    }
    let mut names = Names { materials: Vec::new(), taken: BTreeSet::new(), lines: Vec::new() };
    let name = name(&top);
    let step = top.need_number("step", Rule::Positive, "the step δt in s");
    let duration = top.need_number("duration", Rule::Positive, "the simulated time in s");
    if duration / step > MAX_STEPS {
        let what = format!("{duration} s in steps of {step} s are {:.1e} steps", duration / step);
        top.fault("duration", what, format!("at most {MAX_STEPS:.0e} steps: a shorter duration or a larger step"));
    } else if duration < 0.5 * step {
        top.fault("duration", format!("{duration} s is less than half a step"), "give at least one step");
    }
    let materials = materials(&top, &mut names);
    let pairs = pairs(&top, &names);
    let bodies = bodies(&top, "bodies", &mut names);
    let walls = bodies_of(&top, "walls", "wall", true, &mut names);
    let fill = fills(&top, &mut names);
    let events = Events::read(&top, &mut names, bodies.iter().chain(&walls));
    let masses = masses(&top, &mut names);
    let contacts = contacts(&top, &bodies, &walls, &masses, &mut names);
    if !contacts.is_empty() && !fill.is_empty() {
        top.fault("fill", "is given beside [[contacts]]", "items act between single bodies: leave one of them out");
    } else if contacts.is_empty() && !masses.is_empty() && !top.has("contacts") {
        top.fault("masses", "nothing acts on them", "add [[contacts]], or leave the masses out");
    }
    let scene = Scene {
        name,
        description: top.text("description").unwrap_or_default().to_owned(),
        gravity: top.vector("gravity", Rule::Finite).unwrap_or_else(|| Vec3::new(0.0, 0.0, -9.81)),
        duration,
        step,
        materials,
        pairs,
        periodic: periodic(&top, &walls),
        events,
        integrator: stepping(&top, step, &mut names),
        initial: initial(&top),
        numerics: numerics(&top),
        output: output(&top, step, duration, &bodies, &names),
        bodies,
        walls,
        fill,
        masses,
        contacts,
        origin: Origin { file: file.to_owned(), lines: names.lines },
    };
    let count = scene.body_count();
    if count > MAX_BODIES {
        let key = if scene.fill.is_empty() { "bodies" } else { "fill" };
        top.fault(key, format!("{count} bodies in all"), format!("at most {MAX_BODIES} bodies"));
    } else if count == 0 && scene.masses.is_empty() && source.is_clean() {
        top.fault("bodies", "nothing is in the scene", "add [[bodies]] or a [[fill]]");
    }
    top.finish();
    scene
}

/// The scene's name: it names a directory.
fn name(top: &Fields<'_, '_>) -> String {
    let name = top.text("name").unwrap_or("scene");
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || name.len() > 64 || !name.chars().all(plain) {
        let what = format!("\"{}\" cannot name a directory", name.escape_debug());
        top.fault("name", what, "give 1 to 64 letters, digits, - and _");
    }
    name.to_owned()
}

fn materials(top: &Fields<'_, '_>, names: &mut Names) -> Vec<Material> {
    let mut materials = Vec::new();
    for (name, fields) in top.named_tables("materials") {
        names.materials.push(name.to_owned());
        materials.push(Material {
            name: name.to_owned(),
            density: fields.number("density", Rule::Positive).unwrap_or(1000.0),
            friction: fields.need_number("friction", Rule::NotNegative, "the coefficient of friction"),
            restitution: fields.number("restitution", Rule::Within(0.0, 1.0)).unwrap_or(0.3),
            stiffness: fields.number("stiffness", Rule::Positive),
            damping: fields.number("damping", Rule::NotNegative),
        });
        fields.finish();
    }
    // Masses with one coordinate are made of nothing.
    let bodiless = top.has("masses") && !["bodies", "walls", "fill"].iter().any(|key| top.has(key));
    if materials.is_empty() && !top.has("materials") && !bodiless {
        top.fault("materials", "missing", "add a material: [materials.NAME] with friction and density");
    }
    materials
}

fn pairs(top: &Fields<'_, '_>, names: &Names) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for fields in top.tables("pairs") {
        let given = fields.texts("materials").unwrap_or_default();
        for name in &given {
            names.check_material(&fields, "materials", name, &names.materials);
        }
        if let [a, b] = given[..] {
            let friction = fields.need_number("friction", Rule::NotNegative, "the coefficient of friction");
            pairs.push(Pair { materials: [a.to_owned(), b.to_owned()], friction });
        } else {
            fields.fault("materials", format!("{} names", given.len()), "give the names of two materials");
            fields.number("friction", Rule::NotNegative);
        }
        fields.finish();
    }
    pairs
}

fn bodies(top: &Fields<'_, '_>, key: &'static str, names: &mut Names) -> Vec<Body> {
    bodies_of(top, key, "body", false, names)
}

fn bodies_of(top: &Fields<'_, '_>, key: &'static str, noun: &str, wall: bool, names: &mut Names) -> Vec<Body> {
    let tables = top.tables(key);
    tables.into_iter().enumerate().map(|(i, fields)| body(fields, format!("{noun}-{}", i + 1), wall, names)).collect()
}

fn body(fields: Fields<'_, '_>, default_name: String, wall: bool, names: &mut Names) -> Body {
    let zero = Vec3::zeros;
    let vector = |key| fields.vector(key, Rule::Finite).unwrap_or_else(zero);
    let name = names.take(&fields, default_name);
    let (shape, turn) = shapes::read(&fields);
    let position = vector("position");
    let motion = motion_of(&fields, position, wall);
    let (velocity, angular_velocity) = (vector("velocity"), vector("angular-velocity"));
    for (key, value) in [("velocity", velocity), ("angular-velocity", angular_velocity)] {
        if motion != Motion::Free && value != zero() {
            let remedy = "give motion = { velocity = […] } to move it at a constant rate";
            fields.fault(key, "is given for a body that does not move by forces", remedy);
        }
    }
    let mass = fields.number("mass", Rule::Positive);
    let inertia = fields.vector("inertia", Rule::Positive);
    if let Some(moments) = inertia {
        if !fields.has("mass") {
            fields.fault("inertia", "is given without `mass`", "give both");
        }
        let largest = moments.max();
        if largest > (moments.sum() - largest) * (1.0 + 1e-9) {
            let what = format!("{largest} is above the sum of the two others; no body has such moments");
            fields.fault("inertia", what, "each moment is at most the sum of the two others");
        }
    }
    let body = Body {
        name,
        shape,
        material: names.material(&fields),
        position,
        orientation: orientation(&fields) * turn,
        velocity,
        angular_velocity,
        motion,
        mass,
        inertia,
        force: vector("force"),
        torque: vector("torque"),
    };
    fields.finish();
    body
}

/// Reads `fixed` and `motion`.
fn motion_of(fields: &Fields<'_, '_>, position: Vec3, wall: bool) -> Motion {
    let fixed = fields.flag("fixed");
    let Some(table) = fields.table("motion") else {
        if wall && fixed == Some(false) {
            fields.fault("fixed", "a wall is fixed or driven", "put bodies that move freely under [[bodies]]");
        }
        return if fixed.unwrap_or(wall) { Motion::Fixed } else { Motion::Free };
    };
    if fixed == Some(true) {
        fields.fault("fixed", "is true beside `motion`", "leave one of them out");
    }
    let motion = Motion::Driven(Box::new(motion::read(&table, position)));
    table.finish();
    motion
}

/// Reads `orientation` or `rotation`.
fn orientation(fields: &Fields<'_, '_>) -> Quat {
    /// Written with three digits a unit quaternion is this far off at most; further off it is a mistake.
    const NOT_UNIT: f64 = 1e-2;
    let quaternion = fields.numbers::<4>("orientation", Rule::Finite).map(|[w, x, y, z]| Quaternion::new(w, x, y, z));
    let rotation = fields.table("rotation");
    if let Some(table) = rotation {
        if quaternion.is_some() {
            fields.fault("rotation", "is given beside `orientation`", "leave one of them out");
        }
        let axis = table.direction("axis").unwrap_or_else(|| {
            if !table.has("axis") {
                table.fault("axis", "missing", "give the axis of the rotation");
            }
            Vec3::z()
        });
        let degrees = table.need_number("degrees", Rule::Finite, "the angle in degrees");
        table.finish();
        return Quat::from_scaled_axis(axis * degrees.to_radians());
    }
    match quaternion {
        Some(q) if (q.norm() - 1.0).abs() > NOT_UNIT => {
            fields.fault("orientation", format!("has the norm {}", q.norm()), "give a unit quaternion [w, x, y, z]");
            Quat::identity()
        }
        Some(q) => Quat::new_normalize(q),
        None => Quat::identity(),
    }
}

fn fills(top: &Fields<'_, '_>, names: &mut Names) -> Vec<Fill> {
    let mut fills = Vec::new();
    for (i, fields) in top.tables("fill").into_iter().enumerate() {
        let name = names.take(&fields, format!("fill-{}", i + 1));
        let (shape, _) = shapes::read(&fields);
        if !shape.is_bounded() {
            fields.fault("shape", format!("a {} is no particle", shape.name()), "put it under [[walls]]");
        }
        fills.push(Fill {
            name,
            shape,
            size: Size::read(&fields),
            material: names.material(&fields),
            count: fields.whole("count", 1, MAX_BODIES),
            region: Region::read(&fields, "region"),
            arrangement: match fields.choice("arrangement", &["random", "grid"]) {
                Some(1) => Arrangement::Grid,
                _ => Arrangement::Random,
            },
            spacing: fields.number("spacing", Rule::NotNegative).unwrap_or(0.0),
            seed: fields.whole("seed", 0, u64::MAX).unwrap_or(1),
            random_orientation: fields.flag("random-orientation").unwrap_or(true),
            velocity: fields.vector("velocity", Rule::Finite).unwrap_or_else(Vec3::zeros),
            velocity_spread: fields.number("velocity-spread", Rule::NotNegative).unwrap_or(0.0),
            fixed: fields.flag("fixed").unwrap_or(false),
        });
        fields.finish();
    }
    fills
}

/// Reads `[periodic]`.
fn periodic(top: &Fields<'_, '_>, walls: &[Body]) -> [Option<f64>; 3] {
    let Some(fields) = top.table("periodic") else {
        return [None; 3];
    };
    let periods = ["x", "y", "z"].map(|axis| fields.number(axis, Rule::Positive));
    if periods == [None; 3] && ["x", "y", "z"].iter().all(|axis| !fields.has(axis)) {
        top.fault("periodic", "no period is given", "give the period in m along x, y or z");
    }
    for wall in walls.iter().filter(|wall| wall.shape == Shape::HalfSpace) {
        let normal = wall.orientation * Vec3::z();
        for (axis, k) in ["x", "y", "z"].into_iter().zip(0..) {
            // A typed normal is exact to round-off of its normalisation.
            if periods[k].is_some() && normal[k].abs() > 1e-9 {
                let what = format!("the half-space `{}` is not level along the periodic direction {axis}", wall.name);
                fields.fault(axis, what, "turn gravity instead of the wall, or use a wall of finite size");
            }
        }
    }
    fields.finish();
    periods
}

fn masses(top: &Fields<'_, '_>, names: &mut Names) -> Vec<Mass> {
    let mut read = Vec::new();
    for (i, fields) in top.tables("masses").into_iter().enumerate() {
        let name = names.take(&fields, format!("mass-{}", i + 1));
        read.push(items::mass(&fields, name));
        fields.finish();
    }
    read
}

fn contacts(top: &Fields<'_, '_>, bodies: &[Body], walls: &[Body], masses: &[Mass], names: &mut Names) -> Vec<Contact> {
    let known = Known {
        bodies: bodies.iter().chain(walls).map(|body| body.name.as_str()).collect(),
        masses: masses.iter().map(|mass| mass.name.as_str()).collect(),
    };
    let tables = top.tables("contacts");
    if !tables.is_empty() && names.taken.contains(GROUND) {
        top.fault("bodies", format!("one is called \"{GROUND}\""), "give it another name: markers on ground say that");
    }
    let mut read = Vec::new();
    for (i, fields) in tables.into_iter().enumerate() {
        let name = names.take(&fields, format!("contact-{}", i + 1));
        // Without a kind nobody knows the keys.
        if let Some(contact) = items::contact(&fields, name, &known, &orientation) {
            read.push(contact);
            fields.finish();
        }
    }
    read
}

fn stepping(top: &Fields<'_, '_>, step: f64, names: &mut Names) -> Stepping {
    let Some(fields) = top.table("integrator") else { return Stepping::new(step) };
    if !top.has("contacts") {
        top.fault("integrator", "there are no [[contacts]]", "leave it out: `step` and [numerics] say how others step");
    }
    if let Some(line) = fields.source.line(fields.span.start) {
        names.lines.push((fields.path.clone(), line));
    }
    let stepping = items::stepping(&fields, step);
    fields.finish();
    stepping
}

fn initial(top: &Fields<'_, '_>) -> Option<Initial> {
    let fields = top.table("initial")?;
    let from = fields.text("from").unwrap_or_else(|| {
        if !fields.has("from") {
            fields.fault("from", "missing", "give the run directory whose last state is the start");
        }
        ""
    });
    let initial = Initial { from: from.to_owned(), velocities: fields.flag("velocities").unwrap_or(true) };
    fields.finish();
    Some(initial)
}

fn numerics(top: &Fields<'_, '_>) -> Numerics {
    let default = Numerics::default();
    let Some(fields) = top.table("numerics") else {
        return default;
    };
    let share = |key, default| {
        fields.number(key, Rule::NotNegative).filter(|v| at_most_one(&fields, key, *v)).unwrap_or(default)
    };
    let numerics = Numerics {
        tolerance: fields.number("tolerance", Rule::Positive).unwrap_or(default.tolerance),
        max_sweeps: fields.whole("max-sweeps", 1, 10_000_000).map_or(default.max_sweeps, |sweeps| sweeps as u32),
        warm_start: fields.flag("warm-start").unwrap_or(default.warm_start),
        acceleration: fields.flag("acceleration").unwrap_or(default.acceleration),
        correction: match fields.choice("correction", &["baumgarte", "split"]) {
            Some(1) => Correction::Split,
            _ => Correction::Baumgarte,
        },
        erp: share("erp", default.erp),
        push_out_speed: fields.number("push-out-speed", Rule::NotNegative),
        margin: fields.number("margin", Rule::NotNegative),
        implicit_gyroscopic: fields.flag("implicit-gyroscopic").unwrap_or(default.implicit_gyroscopic),
        closed_form: fields.flag("closed-form").unwrap_or(default.closed_form),
        allowed_missed: share("allowed-missed", default.allowed_missed),
        allowed_overlap: share("allowed-overlap", default.allowed_overlap),
    };
    fields.finish();
    numerics
}

fn at_most_one(fields: &Fields<'_, '_>, key: &str, value: f64) -> bool {
    if value > 1.0 {
        fields.fault(key, format!("is {value}"), "give a share from 0 to 1");
    }
    value <= 1.0
}

fn output(top: &Fields<'_, '_>, step: f64, duration: f64, bodies: &[Body], names: &Names) -> Output {
    /// Tracks of more bodies than this are asked for by name.
    const TRACKED: usize = 16;
    let free = bodies.iter().filter(|body| body.motion == Motion::Free).map(|body| body.name.clone());
    let default =
        Output { rows: 1, frames: 0.0, checkpoint: (0.1 * duration).max(step), track: free.take(TRACKED).collect() };
    let Some(fields) = top.table("output") else {
        return default;
    };
    let interval = |key, default| {
        let value = fields.number(key, Rule::NotNegative).unwrap_or(default);
        if value > 0.0 && value < step {
            fields.fault(
                key,
                format!("{value} s is less than a step"),
                format!("give at least {step} s, or 0 for none"),
            );
        }
        value
    };
    let track = fields.texts("track").map(|given| {
        for name in &given {
            // A particle of a fill is called by the fill's name and its number.
            let filled = name
                .rsplit_once('-')
                .is_some_and(|(fill, number)| names.taken.contains(fill) && number.parse::<u64>().is_ok());
            if !names.taken.contains(*name) && !filled {
                let near = nearest(name, names.taken.iter().map(String::as_str));
                let remedy = near.map_or("give names of bodies".to_owned(), |near| format!("did you mean \"{near}\"?"));
                fields.fault("track", format!("no body \"{name}\""), remedy);
            }
        }
        given.into_iter().map(str::to_owned).collect()
    });
    let output = Output {
        rows: fields.whole("rows", 1, 1_000_000_000).unwrap_or(1),
        frames: interval("frames", default.frames),
        checkpoint: interval("checkpoint", default.checkpoint),
        track: track.unwrap_or(default.track),
    };
    fields.finish();
    output
}

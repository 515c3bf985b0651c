//! From a scene to a simulation: fills are placed, and what needs geometry is checked.

mod events;
mod fill;
mod items;
mod occupied;

use crate::collision::Detector;
use crate::collision::Geometry;
use crate::collision::Margin;
use crate::collision::narrow::Pose;
use crate::collision::unsupported_pairs;
use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::integrator::Gyroscopic;
use crate::law::Law;
use crate::material::Friction;
use crate::material::Material;
use crate::material::MaterialId;
use crate::material::Materials;
use crate::math::Quat;
use crate::math::Vec3;
use crate::scene;
use crate::scene::Scene;
use crate::shape::MassProperties;
use crate::shape::Shape;
use crate::simulation::Compliance;
use crate::simulation::Correction;
use crate::simulation::Events;
use crate::simulation::MaterialCompliance;
use crate::simulation::Settings;
use crate::simulation::Simulation;
use crate::world::Body;
use crate::world::Motion;
use crate::world::Velocity;
use crate::world::World;
use std::collections::BTreeMap;

pub use events::events;

/// Overlaps and unknown pairs told of one scene: the first ones show what is wrong.
const MOST_FAULTS: usize = 10;

/// State of a body at the end of another run.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyState {
    /// Name of the body.
    pub name: String,
    /// Centre of mass in m.
    pub position: Vec3,
    /// Orientation.
    pub orientation: Quat,
    /// Velocity in m/s and angular velocity in rad/s.
    pub velocity: Velocity,
}

/// A world built from a scene, with what the world itself does not keep.
#[derive(Clone, Debug)]
pub struct Built {
    /// The world at its start.
    pub world: World,
    /// Name of each body, by its id: bodies, then particles, then walls.
    pub names: Vec<String>,
    /// Settings of the scene under the law.
    pub settings: Settings,
    /// What is to happen.
    pub events: Events,
}

impl Built {
    /// The simulation, at its start.
    ///
    /// # Errors
    ///
    /// Every setting that is out of its range.
    pub fn simulation(self) -> Result<Simulation> {
        Ok(Simulation::new(self.world, self.settings)?.with_events(self.events))
    }
}

/// Builds the world of a scene, to be run under `law`; `initial` holds the last state of the run that `[initial]`
/// names.
///
/// # Errors
///
/// [`Error::Input`] with every fault found: fills that do not fit, bodies that overlap, pairs of shapes that no
/// contact routine knows, bodies that the other run does not have.
///
/// ```
/// use maxdiss::law::Law;
/// use maxdiss::scene::catalogue;
/// use maxdiss::simulation::build;
///
/// let scene = catalogue::scene("sliding-sphere", &[])?;
/// let mut simulation = build(&scene, Law::MaxDissipation, None)?.simulation()?;
/// let record = simulation.step();
/// assert_eq!(record.contacts, 1);
/// # Ok::<(), maxdiss::error::Error>(())
/// ```
pub fn build(scene: &Scene, law: Law, initial: Option<&[BodyState]>) -> Result<Built> {
    let materials = materials(scene)?;
    let mut parts = Parts { bodies: Vec::new(), keys: Vec::new() };
    for (i, body) in scene.bodies.iter().enumerate() {
        parts.push(single(scene, body), format!("bodies[{i}]"));
    }
    let filled = fills(scene)?;
    for (i, particles) in filled.into_iter().enumerate() {
        let fill = &scene.fill[i];
        let material = material_id(scene, &fill.material);
        for (k, particle) in particles.into_iter().enumerate() {
            let body = Body::new(particle.shape, material)
                .at(particle.pose.position_w)
                .turned(particle.pose.orientation)
                .moving(particle.velocity, Vec3::zeros())
                .named(format!("{}-{}", fill.name, k + 1));
            let body = if fill.fixed { body.moving(Vec3::zeros(), Vec3::zeros()).fixed() } else { body };
            parts.push(body, format!("fill[{i}]"));
        }
    }
    for (i, wall) in scene.walls.iter().enumerate() {
        parts.push(single(scene, wall), format!("walls[{i}]"));
    }
    if let Some(states) = initial {
        parts.start_from(scene, states)?;
    }
    let Parts { bodies, keys } = parts;
    let names: Vec<String> = bodies.iter().map(|body| body.name.clone()).collect();
    let events = events::events(scene, &names);
    // What is still to come, and masses with one coordinate, move too.
    let moving = !(events.inlets.is_empty() && scene.masses.is_empty());
    let new = if moving { World::to_be_filled } else { World::new };
    let in_file = |error: Error| error.in_file(&scene.origin.file);
    let world = new(scene.gravity, materials, bodies).and_then(|world| world.with_periods(scene.periodic));
    let world = world.map_err(in_file)?;
    let settings = settings(scene, law);
    settings.validate().map_err(in_file)?;
    if settings.items.is_some() {
        // Shapes do not touch: what is left to check are the items themselves, on these bodies.
        items::check(scene)?;
        Simulation::new(world.clone(), settings.clone()).map_err(|error| located(scene, error))?;
        return Ok(Built { world, names, settings, events });
    }
    let faults = check_pairs(scene, &world, &keys);
    if !faults.is_empty() {
        return Err(Error::Input(faults));
    }
    let faults = check_overlaps(scene, &world, &names, &keys);
    if !faults.is_empty() {
        return Err(Error::Input(faults));
    }
    let faults = events::check(scene, &world, &events);
    if !faults.is_empty() {
        return Err(Error::Input(faults));
    }
    Ok(Built { world, names, settings, events })
}

/// The same error with each fault in the scene's file, at the line of its entry.
fn located(scene: &Scene, error: Error) -> Error {
    match error {
        Error::Input(faults) => {
            let faults = faults.into_iter().map(|fault| {
                let item = scene.contacts.iter().position(|contact| contact.name == fault.key);
                let key = item.map_or(fault.key, |number| format!("contacts[{number}]"));
                scene.fault(&key, fault.what, fault.remedy)
            });
            Error::Input(faults.collect())
        }
        io @ Error::Io { .. } => io,
    }
}

/// The settings of a scene's `[numerics]` under a law.
pub fn settings(scene: &Scene, law: Law) -> Settings {
    let numerics = &scene.numerics;
    Settings {
        correction: match numerics.correction {
            scene::Correction::Baumgarte => Correction::Baumgarte,
            scene::Correction::Split => Correction::Split,
        },
        erp: numerics.erp,
        push_out_speed: numerics.push_out_speed,
        gyroscopic: if numerics.implicit_gyroscopic { Gyroscopic::Implicit } else { Gyroscopic::Explicit },
        margin: numerics.margin.map_or(Margin::Travel, Margin::Fixed),
        tolerance: numerics.tolerance,
        max_sweeps: numerics.max_sweeps as usize,
        warm_start: numerics.warm_start,
        acceleration: numerics.acceleration,
        closed_form: numerics.closed_form,
        compliance: Compliance {
            materials: scene
                .materials
                .iter()
                .map(|material| MaterialCompliance {
                    stiffness: material.stiffness,
                    damping: material.damping,
                    restitution: Some(material.restitution),
                })
                .collect(),
            ..Compliance::default()
        },
        items: items::items(scene),
        ..Settings::new(law, scene.step)
    }
}

fn materials(scene: &Scene) -> Result<Materials> {
    let list = scene.materials.iter().map(|m| Material { density: m.density, friction: m.friction }).collect();
    let pairs = scene.pairs.iter().map(|pair| Friction {
        a: material_id(scene, &pair.materials[0]),
        b: material_id(scene, &pair.materials[1]),
        friction: pair.friction,
    });
    Materials::new(list, pairs.collect()).map_err(|faults| Error::Input(faults).in_file(&scene.origin.file))
}

/// The index of a material; parsing has checked that it is there.
fn material_id(scene: &Scene, name: &str) -> MaterialId {
    let index = scene.materials.iter().position(|material| material.name == name);
    MaterialId(index.expect("a scene names only its own materials") as u32)
}

fn single(scene: &Scene, body: &scene::Body) -> Body {
    let mut built = Body::new(body.shape.clone(), material_id(scene, &body.material))
        .at(body.position)
        .turned(body.orientation)
        .loaded(body.force, body.torque)
        .named(body.name.clone());
    built.motion = match &body.motion {
        scene::Motion::Free => Motion::Free,
        scene::Motion::Fixed => Motion::Fixed,
        scene::Motion::Driven(drive) => Motion::Driven(drive.clone()),
    };
    if built.motion == Motion::Free {
        built = built.moving(body.velocity, body.angular_velocity);
        built.mass = mass(body);
    }
    built
}

/// The mass properties of a body whose mass is given.
fn mass(body: &scene::Body) -> Option<MassProperties> {
    let mass = body.mass?;
    let shape = body.shape.mass_properties(1.0)?;
    Some(match body.inertia {
        Some(inertia) => MassProperties { mass, inertia, frame: Quat::identity() },
        None => MassProperties { mass, inertia: shape.inertia * (mass / shape.mass), frame: shape.frame },
    })
}

/// The particles of each fill; each keeps clear of bodies, walls and the fills before it.
fn fills(scene: &Scene) -> Result<Vec<Vec<fill::Particle>>> {
    let singles = scene.bodies.iter().chain(&scene.walls);
    let mut there: Vec<(Shape, Pose)> = singles.map(|body| (body.shape.clone(), pose_at_start(body))).collect();
    let mut faults = Vec::new();
    let mut filled = Vec::new();
    for index in 0..scene.fill.len() {
        match fill::place(scene, index, &mut there) {
            Ok(particles) => filled.push(particles),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(filled) } else { Err(Error::Input(faults)) }
}

/// Where a body of the scene is at the start.
fn pose_at_start(body: &scene::Body) -> Pose {
    let (position_w, orientation) = match &body.motion {
        scene::Motion::Driven(drive) => drive.pose(&body.position, &body.orientation, 0.0),
        scene::Motion::Free | scene::Motion::Fixed => (body.position, body.orientation),
    };
    Pose { position_w, orientation }
}

/// The bodies of a world with the keys of the scene's entries they come from.
struct Parts {
    bodies: Vec<Body>,
    keys: Vec<String>,
}

impl Parts {
    fn push(&mut self, body: Body, key: String) {
        self.bodies.push(body);
        self.keys.push(key);
    }

    /// Gives the free bodies the state that those of the same name had at the end of another run.
    fn start_from(&mut self, scene: &Scene, states: &[BodyState]) -> Result<()> {
        let velocities = scene.initial.as_ref().is_none_or(|initial| initial.velocities);
        let by_name: BTreeMap<&str, &BodyState> = states.iter().map(|state| (state.name.as_str(), state)).collect();
        let mut faults: Vec<Fault> = Vec::new();
        for (body, key) in self.bodies.iter_mut().zip(&self.keys) {
            if body.motion != Motion::Free {
                continue;
            }
            let Some(state) = by_name.get(body.name.as_str()) else {
                if faults.len() < MOST_FAULTS {
                    let what = format!("the run of [initial] has no body \"{}\"", body.name);
                    faults.push(scene.fault(
                        key,
                        what,
                        "use the same bodies and fills, with the same names, in both scenes",
                    ));
                }
                continue;
            };
            body.position = state.position;
            body.orientation = *state.orientation.quaternion();
            body.velocity = if velocities { state.velocity } else { Velocity::default() };
        }
        if faults.is_empty() { Ok(()) } else { Err(Error::Input(faults)) }
    }
}

/// Pairs of kinds of shapes that can meet and that no routine knows.
fn check_pairs(scene: &Scene, world: &World, keys: &[String]) -> Vec<Fault> {
    // Two particles of each inlet: they meet each other too.
    let inlets = || scene.events.inlets.iter().enumerate().flat_map(|(i, inlet)| [(i, inlet), (i, inlet)]);
    let shapes: Vec<Shape> = world.shapes().iter().chain(inlets().map(|(_, inlet)| &inlet.shape)).cloned().collect();
    let movable: Vec<bool> = world.free().iter().copied().chain(inlets().map(|_| true)).collect();
    let keys: Vec<String> = keys.iter().cloned().chain(inlets().map(|(i, _)| format!("events.inlets[{i}]"))).collect();
    let faults = unsupported_pairs(&shapes, &movable).into_iter().map(|(a, b)| {
        let names = [a, b].map(|i| shapes[i].name());
        let what = format!("contacts between {} and {} are not known", names[0], names[1]);
        scene.fault(&keys[b], what, "use other shapes for one of them")
    });
    faults.collect()
}

/// Bodies that overlap at the start by more than the share that the scene allows.
fn check_overlaps(scene: &Scene, world: &World, names: &[String], keys: &[String]) -> Vec<Fault> {
    let travel = vec![0.0; world.len()];
    let geometry = Geometry::new(world.positions(), world.orientations(), world.shapes(), world.free(), &travel)
        .with_periods(*world.periods());
    let mut contacts = Vec::new();
    Detector::new().detect(geometry, Margin::Fixed(0.0), &mut contacts);
    let mut faults: Vec<Fault> = Vec::new();
    let mut last = None;
    for contact in contacts {
        let (a, b) = (contact.a as usize, contact.b as usize);
        let size = world.shapes()[a].size().min(world.shapes()[b].size());
        // The contacts of a pair stand together: it is told once.
        if -contact.gap <= scene.numerics.allowed_overlap * size || last == Some((a, b)) {
            continue;
        }
        last = Some((a, b));
        let share = -100.0 * contact.gap / size;
        let what = format!(
            "`{}` and `{}` overlap by {:.3e} m at the start, {share:.1} % of the smaller one",
            names[a], names[b], -contact.gap
        );
        let remedy = format!(
            "move them apart, or allow more than {} by numerics.allowed-overlap",
            scene.numerics.allowed_overlap
        );
        faults.push(scene.fault(&keys[a], what, remedy));
        if faults.len() >= MOST_FAULTS {
            break;
        }
    }
    faults
}

#[cfg(test)]
mod tests;

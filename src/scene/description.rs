//! What a scene file says, with units and defaults.

use crate::error::Fault;
use crate::math::Quat;
use crate::math::Vec3;
use crate::scene::contacts::Contact;
use crate::scene::contacts::Mass;
use crate::scene::contacts::Stepping;
use crate::scene::events::Events;
use crate::scene::events::Inlet;
use crate::scene::fill::Fill;
use crate::shape::Shape;
use crate::world::Drive;

/// A whole scene, with every default filled in.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Scene {
    /// Name of the scene: letters, digits, `-` and `_`; names the run directory.
    pub name: String,
    /// What the scene shows, in a line; default: empty.
    pub description: String,
    /// Gravitational acceleration in m/s²; default (0, 0, −9.81).
    pub gravity: Vec3,
    /// Simulated time in s.
    pub duration: f64,
    /// Step δt in s.
    pub step: f64,
    /// `[materials.NAME]`: what bodies are made of, in the order of their names.
    pub materials: Vec<Material>,
    /// `[[pairs]]`: friction of pairs of materials that differs from the rule "the smaller of the two".
    pub pairs: Vec<Pair>,
    /// `[[bodies]]`: single bodies.
    pub bodies: Vec<Body>,
    /// `[[walls]]`: bodies that are fixed or driven; the same keys as `[[bodies]]`.
    pub walls: Vec<Body>,
    /// `[[fill]]`: many particles at once.
    pub fill: Vec<Fill>,
    /// `[periodic]`: period in m along `x`, `y` and `z`, where space is periodic. What leaves at one end comes in at the
    /// other; positions are not wrapped in tables and in `final.csv`, and lie between 0 and the period in frames.
    pub periodic: [Option<f64>; 3],
    /// `[events]`: walls that open, bodies that leave and come.
    pub events: Events,
    /// `[[masses]]`: masses with one coordinate, for the items of `[[contacts]]`.
    pub masses: Vec<Mass>,
    /// `[[contacts]]`: compliant contact items; a scene that has some runs under `penalty` only, and nothing else
    /// touches in it.
    pub contacts: Vec<Contact>,
    /// `[integrator]`: how a scene with `[[contacts]]` is stepped.
    pub integrator: Stepping,
    /// `[initial]`: start from the last state of another run.
    pub initial: Option<Initial>,
    /// `[numerics]`: accuracy of the stepping.
    pub numerics: Numerics,
    /// `[output]`: what is written down.
    pub output: Output,
    /// Where in the file the entries stand, for faults found later.
    #[serde(skip)]
    pub origin: Origin,
}

/// Where a scene comes from.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Origin {
    /// The file, or the name of the catalogue's text.
    pub file: String,
    /// Line of each entry, by its key (such as `bodies[3]`).
    pub lines: Vec<(String, usize)>,
}

/// `[materials.NAME]`: a material.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Material {
    /// Name that bodies refer to.
    pub name: String,
    /// Density in kg/m³; default 1000.
    pub density: f64,
    /// Coefficient of friction μ against itself; between two materials the smaller one counts unless `[[pairs]]` says
    /// otherwise.
    pub friction: f64,
    /// Coefficient of restitution e in (0, 1]; only the law `penalty` uses it; default 0.3.
    pub restitution: f64,
    /// Contact stiffness in N/m for the law `penalty`; default: derived from the scene, printed and recorded.
    pub stiffness: Option<f64>,
    /// Contact damping in N·s/m for the law `penalty`; default: derived from the restitution.
    pub damping: Option<f64>,
}

/// `[[pairs]]`: friction between two materials.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Pair {
    /// The two materials, by name.
    pub materials: [String; 2],
    /// Coefficient of friction μ between them.
    pub friction: f64,
}

/// `[[bodies]]` or `[[walls]]`: one body.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Body {
    /// Name, unique in the scene; default `body-1`, `wall-1`, … in the order of the file.
    pub name: String,
    /// Shape, lengths in m:
    ///
    /// ```text
    /// { kind = "sphere", radius = r }
    /// { kind = "box", size = [x, y, z] }              whole edges
    /// { kind = "capsule", radius = r, length = l }    l between the centres of the caps
    /// { kind = "cylinder", radius = r, length = l }
    /// { kind = "clump", balls = [{ center = [x, y, z], radius = r }, …] }
    /// { kind = "half-space", normal = [x, y, z] }     a wall, as all below; outward normal, default +z
    /// { kind = "tube", radius = r, length = l, thickness = t }       open pipe; without length or thickness endless
    /// { kind = "funnel", lower-radius = r, upper-radius = R, height = h, thickness = t }
    /// { kind = "hollow-sphere", radius = r }
    /// { kind = "hollow-torus", major-radius = R, minor-radius = r }
    /// ```
    ///
    /// Round shapes take `axis = [x, y, z]`, default +z.
    pub shape: Shape,
    /// Material, by name; may be left out where the scene has only one.
    pub material: String,
    /// Centre of mass (of walls: the origin of the shape) in m; default the origin.
    pub position: Vec3,
    /// Orientation; in the file `orientation = [w, x, y, z]` or `rotation = { axis = [0, 0, 1], degrees = 45 }`;
    /// default: not turned.
    pub orientation: Quat,
    /// Velocity of the centre of mass at the start in m/s; default 0.
    pub velocity: Vec3,
    /// Angular velocity at the start in rad/s, in the inertial frame; default 0.
    pub angular_velocity: Vec3,
    /// How the body moves: free unless `fixed = true` or `motion = { … }` is given; walls are fixed by default.
    pub motion: Motion,
    /// Mass in kg, instead of density · volume; the inertia scales with it.
    pub mass: Option<f64>,
    /// Principal moments of inertia in kg·m² about the body's axes; needs `mass`; default: those of the shape.
    pub inertia: Option<Vec3>,
    /// Constant force on the centre of mass in N; default 0.
    pub force: Vec3,
    /// Constant torque in N·m; default 0.
    pub torque: Vec3,
}

/// How a body moves.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    /// By forces and contacts.
    Free,
    /// Not at all.
    Fixed,
    /// As prescribed by `motion = { … }`; its parts add up, each may be left out:
    ///
    /// ```text
    /// velocity = [x, y, z]                  constant, of the pivot, in m/s
    /// angular-velocity = [x, y, z]          constant, about the pivot, in rad/s
    /// pivot = [x, y, z]                     a point of the axes of rotation at the start, in m; default: the position
    /// oscillation = { amplitude = [x, y, z], frequency = f, phase = φ }      in m, Hz, degrees; or a list of such
    /// swing = { axis = [x, y, z], degrees = A, frequency = f, phase = φ }    a rotation that oscillates; or a list
    /// path = { times = [t, …], shifts = [[x, y, z], …] }                     piecewise linear displacement, s and m
    /// turn = { axis = [x, y, z], times = [t, …], degrees = [A, …] }          piecewise linear rotation
    /// ```
    ///
    /// Oscillations are a (sin(2π f t + φ) − sin φ): the body begins at its position.
    Driven(Box<Drive>),
}

/// `[initial]`: take the state of the bodies from another run.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Initial {
    /// Run directory whose last state is taken: bodies of the same name get its position, orientation and velocities.
    /// Relative to the scene file.
    pub from: String,
    /// Whether the velocities are taken too; default true. `false` starts the bodies at rest.
    pub velocities: bool,
}

/// How overlaps are taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// In the velocity solve, as a target velocity `erp · ξ/δt`.
    Baumgarte,
    /// In a pass of its own that moves positions only.
    Split,
}

/// `[numerics]`: accuracy of the stepping.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Numerics {
    /// Residual (relative, largest over the contacts) at which a step has converged; default 1e-4.
    pub tolerance: f64,
    /// Most sweeps a step; default 200.
    pub max_sweeps: u32,
    /// Start from the impulses of the last step; default true.
    pub warm_start: bool,
    /// Accelerate the sweeps by momentum; default true.
    pub acceleration: bool,
    /// How overlaps are taken back: `"baumgarte"` (default) or `"split"`.
    pub correction: Correction,
    /// Share of an overlap that is taken back in a step; default 0.2.
    pub erp: f64,
    /// Largest speed in m/s at which overlaps are pushed out; default: no limit.
    pub push_out_speed: Option<f64>,
    /// Gap in m below which a pair becomes a contact; default: the larger of 1 % of the smaller body's size and what
    /// the bodies can travel in a step.
    pub margin: Option<f64>,
    /// Integrate the gyroscopic term implicitly; default false (explicit, as in the paper).
    pub implicit_gyroscopic: bool,
    /// Use the closed form of the law for contacts of spheres; default true. `false` sends them through the general
    /// path, as a control.
    pub closed_form: bool,
    /// Share of the steps that may miss ten times the tolerance before the run counts as failed; default 0.05.
    pub allowed_missed: f64,
    /// Deepest overlap at the start as a share of the smaller body's size; default 0.01.
    pub allowed_overlap: f64,
}

impl Default for Numerics {
    fn default() -> Self {
        Self {
            tolerance: 1e-4,
            max_sweeps: 200,
            warm_start: true,
            acceleration: true,
            correction: Correction::Baumgarte,
            erp: 0.2,
            push_out_speed: None,
            margin: None,
            implicit_gyroscopic: false,
            closed_form: true,
            allowed_missed: 0.05,
            allowed_overlap: 0.01,
        }
    }
}

/// `[output]`: what is written down.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Output {
    /// Write a row of `steps.csv` (and of the tracks) every so many steps; default 1.
    pub rows: u64,
    /// Simulated time between frames for ParaView in s; 0 (default): none.
    pub frames: f64,
    /// Simulated time between checkpoints in s; default a tenth of the duration, at least a step. One is always written at the end.
    pub checkpoint: f64,
    /// Bodies whose path is written to `tables/tracks.csv`, by name; default: the free `[[bodies]]`, 16 at most.
    pub track: Vec<String>,
}

impl Scene {
    /// A fault at an entry of this scene (such as `fill[0]`), with its file and line.
    pub fn fault(&self, key: &str, what: impl Into<String>, remedy: impl Into<String>) -> Fault {
        let mut fault = Fault::new(key, what, remedy).in_file(&self.origin.file);
        // The longest known entry that the key begins with: `bodies[3].shape` stands at `bodies[3]`.
        let entry = self.origin.lines.iter().filter(|(entry, _)| key.starts_with(entry.as_str()));
        fault.line = entry.max_by_key(|(entry, _)| entry.len()).map(|(_, line)| *line);
        fault
    }

    /// Number of steps: the duration in steps, to the nearest.
    pub fn steps(&self) -> u64 {
        steps(self.duration, self.step)
    }

    /// Most bodies that can come, walls included, fills and inlets counted in full.
    pub fn body_count(&self) -> u64 {
        let filled: u64 = self.fill.iter().map(Fill::most).fold(0, u64::saturating_add);
        let poured = self.events.inlets.iter().map(|inlet| Inlet::most(inlet, self.duration));
        let filled = poured.fold(filled, u64::saturating_add);
        filled.saturating_add((self.bodies.len() + self.walls.len()) as u64)
    }
}

/// `time` in steps of `step`, to the nearest whole number.
pub(super) fn steps(time: f64, step: f64) -> u64 {
    // Exact: parsing bounds the ratio far below 2⁵³.
    (time / step).round() as u64
}

//! What an integrator of compliant contacts needs to know of a system.

use crate::error::Fault;

/// A mechanical system with unilateral contacts, v̇ = a(t, q, v).
///
/// Configurations need not be vectors: they change by [`System::moved`], which turns orientations by the exponential
/// map. Velocities are flat arrays of [`System::freedoms`] numbers, angular velocities in the inertial frame.
///
/// Contacts have a state, closed or open, that forces use and that is frozen within a step. [`System::examine`] finds
/// what a candidate end of the step makes of it; [`System::commit`] accepts that.
pub trait System {
    /// Positions, orientations and coordinates.
    type Configuration: Clone;

    /// Number of velocity coordinates.
    fn freedoms(&self) -> usize;

    /// Writes to `to` the configuration `from` moved by `motion`: displacements in m, rotation vectors in rad.
    fn moved(&self, from: &Self::Configuration, motion: &[f64], to: &mut Self::Configuration);

    /// Writes to `rate` the rate of the motion at `motion` and `velocity`: the velocity itself, and dexp⁻¹ of it for
    /// rotation vectors (see [`crate::integrator::rotation`]).
    fn motion_rate(&self, motion: &[f64], velocity: &[f64], rate: &mut [f64]);

    /// Writes the accelerations to `out`, with the contact states and the history in use.
    fn acceleration(&self, time: f64, at: &Self::Configuration, velocity: &[f64], out: &mut [f64]);

    /// Computes the history that a step ending here leaves, and returns the first contact to change its state since
    /// the history in use, if any does. A configuration in which a contact is undefined is a fault.
    fn examine(&mut self, at: &Self::Configuration, velocity: &[f64]) -> Result<Option<Crossing>, Fault>;

    /// Gap of contact `contact` in m.
    fn gap(&self, contact: usize, at: &Self::Configuration) -> f64;

    /// Uses the history of the last [`System::examine`] in forces, the step being repeated from its old start.
    fn adopt(&mut self);

    /// Ends the step with the history of the last [`System::examine`].
    fn commit(&mut self);

    /// Upper bounds of the oscillations and relaxations that an explicit method must resolve, from here on.
    fn modes(&self, at: &Self::Configuration, velocity: &[f64]) -> Vec<Mode>;
}

/// A contact that opens or closes within a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// The contact.
    pub contact: usize,
    /// Its gap in m at the end of the step.
    pub gap: f64,
}

/// A mode ẍ + c ẋ + ω² x = 0 of a system.
#[derive(Clone, Debug, PartialEq)]
pub struct Mode {
    /// What it belongs to, for the message.
    pub name: String,
    /// ω² in 1/s²: stiffness over mass, ≥ 0.
    pub stiffness: f64,
    /// c in 1/s: damping over mass, ≥ 0.
    pub damping: f64,
}

/// State of a system in time. Plain data: a checkpoint of it and of the system continues bit for bit.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct State<C> {
    /// Time in s.
    pub time: f64,
    /// Positions, orientations, coordinates.
    pub configuration: C,
    /// Velocities.
    pub velocity: Vec<f64>,
    /// Accelerations that the method carries to the next step; empty before the first one.
    pub acceleration: Vec<f64>,
    /// Algorithmic accelerations of the generalised-α method; empty under the others.
    pub algorithmic: Vec<f64>,
}

impl<C> State<C> {
    /// A state at `time` that no step has been made from yet.
    pub fn new(time: f64, configuration: C, velocity: Vec<f64>) -> Self {
        Self { time, configuration, velocity, acceleration: Vec::new(), algorithmic: Vec::new() }
    }
}

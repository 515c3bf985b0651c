//! A self-contained system of rigid bodies, masses with one coordinate, and contact items.

use crate::error::Error;
use crate::error::Fault;
use crate::integrator::State;
use crate::law::penalty::ContactForce;
use crate::law::penalty::History;
use crate::law::penalty::NormalForce;
use crate::law::penalty::item::Coordinate;
use crate::law::penalty::item::SphereSphere;
use crate::law::penalty::item::SphereTorus;
use crate::math::Mat3;
use crate::math::Quat;
use crate::math::Vec3;
use crate::penalty::attachment::Attachment;
use crate::penalty::attachment::BodyHandle;
use crate::penalty::attachment::CoordinateOf;
use crate::penalty::attachment::MassHandle;
use crate::penalty::sphere_torus::Tube;

/// A rigid body with its initial state and constant loads.
#[derive(Clone, Debug, PartialEq)]
pub struct RigidBody {
    /// Mass in kg, > 0.
    pub mass: f64,
    /// Inertia about the centre of mass in the body's frame in kg·m², symmetric and positive definite.
    pub inertia_b: Mat3,
    /// Initial position of the centre of mass in m.
    pub position_w: Vec3,
    /// Initial orientation.
    pub orientation: Quat,
    /// Initial velocity in m/s.
    pub velocity_w: Vec3,
    /// Initial angular velocity in rad/s, in the inertial frame.
    pub angular_velocity_w: Vec3,
    /// Acceleration of gravity on this body in m/s².
    pub gravity_w: Vec3,
    /// Constant force at the centre of mass in N.
    pub force_w: Vec3,
    /// Constant torque in N·m.
    pub torque_w: Vec3,
}

impl RigidBody {
    /// A body at rest at `position_w` (m) with these mass (kg) and principal moments of inertia (kg·m²).
    pub fn new(mass: f64, inertia_diagonal: [f64; 3], position_w: Vec3) -> Self {
        Self {
            mass,
            inertia_b: Mat3::from_diagonal(&Vec3::from(inertia_diagonal)),
            position_w,
            orientation: Quat::identity(),
            velocity_w: Vec3::zeros(),
            angular_velocity_w: Vec3::zeros(),
            gravity_w: Vec3::zeros(),
            force_w: Vec3::zeros(),
            torque_w: Vec3::zeros(),
        }
    }

    /// A homogeneous ball of this mass (kg) and radius (m), at rest at `position_w` (m).
    pub fn ball(mass: f64, radius: f64, position_w: Vec3) -> Self {
        Self::new(mass, [0.4 * mass * radius * radius; 3], position_w)
    }

    fn validate(&self, number: usize) -> Vec<Fault> {
        let key = |field: &str| format!("bodies[{number}].{field}");
        let mut faults = Vec::new();
        if !(self.mass > 0.0 && self.mass.is_finite()) {
            faults.push(Fault::new(key("mass"), format!("{} kg", self.mass), "give a mass > 0"));
        }
        let symmetric = (self.inertia_b - self.inertia_b.transpose()).amax() <= 1e-9 * self.inertia_b.amax();
        if !(self.inertia_b.iter().all(|x| x.is_finite()) && symmetric && self.inertia_b.cholesky().is_some()) {
            faults.push(Fault::new(
                key("inertia_b"),
                format!("{:?}", self.inertia_b.as_slice()),
                "give a symmetric positive definite matrix in kg·m²",
            ));
        }
        let vectors = [
            ("position_w", self.position_w),
            ("velocity_w", self.velocity_w),
            ("angular_velocity_w", self.angular_velocity_w),
            ("gravity_w", self.gravity_w),
            ("force_w", self.force_w),
            ("torque_w", self.torque_w),
            ("orientation", self.orientation.imag()),
        ];
        for (field, vector) in vectors {
            if !vector.iter().all(|x| x.is_finite()) {
                faults.push(Fault::new(key(field), format!("{:?}", vector.as_slice()), "give finite numbers"));
            }
        }
        faults
    }
}

/// A mass with one coordinate, with its initial state and a constant force.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Mass1D {
    /// Mass in kg, > 0.
    pub mass: f64,
    /// Initial coordinate in m.
    pub coordinate: f64,
    /// Initial velocity in m/s.
    pub velocity: f64,
    /// Constant force in N.
    pub force: f64,
}

/// An item of a [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct ItemHandle(pub usize);

/// Positions, orientations and coordinates of a [`System`].
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Configuration {
    /// Centres of mass of the bodies in m.
    pub positions: Vec<Vec3>,
    /// Orientations of the bodies.
    pub orientations: Vec<Quat>,
    /// Coordinates of the masses in m.
    pub coordinates: Vec<f64>,
}

/// A contact item with what it acts on.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    Spheres { item: Box<SphereSphere>, law: ContactForce, radii: [f64; 2], h1: f64, at: [Attachment; 2] },
    Torus { item: Box<SphereTorus>, law: ContactForce, tube: Tube, at: [Attachment; 2] },
    Coordinate { item: Box<Coordinate>, law: NormalForce, offset: f64, of: [CoordinateOf; 2] },
}

impl Item {
    #[inline]
    pub(crate) fn active(&self) -> bool {
        match self {
            Self::Spheres { item, .. } => item.active_connector,
            Self::Torus { item, .. } => item.active_connector,
            Self::Coordinate { item, .. } => item.active_connector,
        }
    }

    /// Whether the contact is closed for this gap: a coordinate's also at 0.
    #[inline]
    pub(crate) fn closed(&self, gap: f64) -> bool {
        match self {
            Self::Spheres { .. } | Self::Torus { .. } => gap < 0.0,
            Self::Coordinate { .. } => gap <= 0.0,
        }
    }

    pub(crate) fn name(&self, number: usize) -> String {
        let (kind, name) = match self {
            Self::Spheres { item, .. } => ("sphere_sphere", &item.name),
            Self::Torus { item, .. } => ("sphere_torus", &item.name),
            Self::Coordinate { item, .. } => ("coordinate", &item.name),
        };
        if name.is_empty() { format!("{kind} {number}") } else { name.clone() }
    }
}

/// Inverse inertia of a body, prepared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inertia {
    /// Equal principal moments: nothing turns with the body. The inverse in 1/(kg·m²).
    Isotropic(f64),
    /// In the body's frame: the inertia and its inverse.
    General(Mat3, Mat3),
}

/// Rigid bodies, masses and contact items.
///
/// ```
/// use maxdiss::integrator::{Integrator, Method, Settings};
/// use maxdiss::math::Vec3;
/// use maxdiss::penalty::{Attachment, RigidBody, SphereSphere, System};
///
/// // A ball dropped onto a large fixed sphere rests m g/k deep: 1.1 − 9.81e-5.
/// let mut system = System::default();
/// let gravity_w = Vec3::new(0.0, 0.0, -9.81);
/// let ball = system.add_body(RigidBody { gravity_w, ..RigidBody::ball(1.0, 0.1, Vec3::new(0.0, 0.0, 1.2)) });
/// let contact = SphereSphere { contact_damping: 1e3, ..SphereSphere::new([1.0, 0.1], 1e5) };
/// system.add_sphere_sphere(contact, [Attachment::ground(Vec3::zeros()), Attachment::body(ball)]).unwrap();
/// let mut state = system.initial_state().unwrap();
/// let mut integrator = Integrator::new(Settings::new(Method::RungeKutta4, 1e-3)).unwrap();
/// integrator.advance(&mut system, &mut state, 1.0).unwrap();
/// assert!((state.configuration.positions[0].z - 1.0999019).abs() < 1e-9);
/// ```
#[derive(Clone, Debug, Default)]
pub struct System {
    bodies: Vec<RigidBody>,
    masses: Vec<Mass1D>,
    pub(crate) inertias: Vec<Inertia>,
    pub(crate) items: Vec<Item>,
    /// History at the start of the step.
    pub(crate) start: Vec<History>,
    /// History that forces use.
    pub(crate) used: Vec<History>,
    /// History that the examined end of the step leaves.
    pub(crate) next: Vec<History>,
}

impl System {
    /// Adds a body.
    pub fn add_body(&mut self, body: RigidBody) -> BodyHandle {
        self.bodies.push(body);
        BodyHandle(self.bodies.len() - 1)
    }

    /// Adds a mass.
    pub fn add_mass(&mut self, mass: Mass1D) -> MassHandle {
        self.masses.push(mass);
        MassHandle(self.masses.len() - 1)
    }

    /// Adds a contact of two spheres, centred on `at` (marker 0 and 1), with its history.
    ///
    /// # Errors
    /// Everything that is wrong with the item.
    pub fn add_sphere_sphere(&mut self, item: SphereSphere, at: [Attachment; 2]) -> Result<ItemHandle, Error> {
        let mut faults = item.validate();
        self.check_attachments(&at, &mut faults);
        Self::refuse(faults)?;
        let data = item.data.clone();
        let (law, radii) = (item.law(), item.spheres_radii);
        let h1 = if item.is_hollow_sphere_1 { -1.0 } else { 1.0 };
        Ok(self.add(Item::Spheres { item: Box::new(item), law, radii, h1, at }, &data))
    }

    /// Adds a contact of a sphere (centred on `at[0]`, marker 0) in a torus (on `at[1]`, marker 1), with its history.
    ///
    /// # Errors
    /// Everything that is wrong with the item.
    pub fn add_sphere_torus(&mut self, item: SphereTorus, at: [Attachment; 2]) -> Result<ItemHandle, Error> {
        let mut faults = item.validate();
        self.check_attachments(&at, &mut faults);
        Self::refuse(faults)?;
        let data = item.data.clone();
        let law = item.law();
        let tube = Tube {
            sphere_radius: item.sphere_radius,
            major_radius: item.torus_major_radius,
            minor_radius: item.torus_minor_radius,
        };
        Ok(self.add(Item::Torus { item: Box::new(item), law, tube, at }, &data))
    }

    /// Adds a contact of two coordinates (marker 0 and 1), with its history.
    ///
    /// # Errors
    /// Everything that is wrong with the item.
    pub fn add_coordinate(&mut self, item: Coordinate, of: [CoordinateOf; 2]) -> Result<ItemHandle, Error> {
        let mut faults = item.validate();
        for (number, coordinate) in of.iter().enumerate() {
            coordinate.faults(&format!("of[{number}]"), self, &mut faults);
        }
        Self::refuse(faults)?;
        // The coordinate's history is the gap and the impact velocity; the common one has a slip speed between them.
        let data = match item.data[..] {
            [] => Vec::new(),
            [gap] => vec![gap, 0.0, 0.0, 0.0],
            [gap, impact_velocity, ..] => vec![gap, 0.0, impact_velocity, 0.0],
        };
        let (law, offset) = (item.law(), item.offset);
        Ok(self.add(Item::Coordinate { item: Box::new(item), law, offset, of }, &data))
    }

    fn check_attachments(&self, at: &[Attachment; 2], faults: &mut Vec<Fault>) {
        for (number, attachment) in at.iter().enumerate() {
            attachment.faults(&format!("at[{number}]"), self, faults);
        }
        if let (Some(first), Some(second)) = (at[0].body_handle(), at[1].body_handle())
            && first == second
        {
            faults.push(Fault::new("at", format!("both markers are on body {}", first.0), "give two bodies"));
        }
    }

    fn refuse(faults: Vec<Fault>) -> Result<(), Error> {
        if faults.is_empty() { Ok(()) } else { Err(Error::Input(faults)) }
    }

    /// Adds an item; a gap of NaN in its history stands for the one at the start (see [`System::initial_state`]).
    fn add(&mut self, item: Item, data: &[f64]) -> ItemHandle {
        let history = match *data {
            [gap, tangential_speed, impact_velocity, plastic_overlap] => {
                History { gap, tangential_speed, impact_velocity, plastic_overlap }
            }
            _ => History { gap: f64::NAN, ..History::default() },
        };
        self.items.push(item);
        self.start.push(history);
        self.used.push(history);
        self.next.push(history);
        ItemHandle(self.items.len() - 1)
    }

    /// The bodies.
    pub fn bodies(&self) -> &[RigidBody] {
        &self.bodies
    }

    /// The masses.
    pub fn masses(&self) -> &[Mass1D] {
        &self.masses
    }

    /// Index of a mass's velocity in the flat array: after those of the bodies.
    #[inline]
    pub fn slot_of_mass(&self, mass: MassHandle) -> usize {
        6 * self.bodies.len() + mass.0
    }

    /// Velocity and angular velocity of a body (m/s, rad/s, inertial frame) in a state's flat array.
    pub fn body_velocity(&self, body: BodyHandle, velocity: &[f64]) -> (Vec3, Vec3) {
        crate::penalty::attachment::rates(velocity, body)
    }

    /// Number of items.
    pub fn item_count(&self) -> usize {
        self.items.len()
    }

    /// Name of an item; its kind and number where it was given none.
    pub fn name(&self, item: ItemHandle) -> String {
        self.items[item.0].name(item.0)
    }

    /// The history coordinates of an item after the last step.
    pub fn history(&self, item: ItemHandle) -> History {
        self.start[item.0]
    }

    /// All histories, as a checkpoint saves them; see [`System::set_histories`].
    pub fn histories(&self) -> &[History] {
        &self.start
    }

    /// Puts back the histories of a checkpoint.
    ///
    /// # Errors
    /// Another number of histories than items.
    pub fn set_histories(&mut self, histories: &[History]) -> Result<(), Error> {
        if histories.len() != self.items.len() {
            return Err(Error::Input(vec![Fault::new(
                "histories",
                format!("{} histories", histories.len()),
                format!("give one for each of the {} items", self.items.len()),
            )]));
        }
        for own in [&mut self.start, &mut self.used, &mut self.next] {
            own.copy_from_slice(histories);
        }
        Ok(())
    }

    /// Turns an item on or off; off, it has no force and its history is left as it is.
    pub fn set_active(&mut self, item: ItemHandle, active: bool) {
        match &mut self.items[item.0] {
            Item::Spheres { item, .. } => item.active_connector = active,
            Item::Torus { item, .. } => item.active_connector = active,
            Item::Coordinate { item, .. } => item.active_connector = active,
        }
    }

    /// The state at time 0, with the gaps of items that were given no history filled in.
    ///
    /// # Errors
    /// Everything that is wrong with bodies and masses, and a sphere whose centre is on the axis of its torus.
    pub fn initial_state(&mut self) -> Result<State<Configuration>, Error> {
        let mut faults = Vec::new();
        for (number, body) in self.bodies.iter().enumerate() {
            faults.extend(body.validate(number));
        }
        for (number, mass) in self.masses.iter().enumerate() {
            let finite = mass.coordinate.is_finite() && mass.velocity.is_finite() && mass.force.is_finite();
            if !(mass.mass > 0.0 && mass.mass.is_finite() && finite) {
                faults.push(Fault::new(
                    format!("masses[{number}]"),
                    format!("{mass:?}"),
                    "give a mass > 0 and finite numbers",
                ));
            }
        }
        Self::refuse(faults)?;
        self.inertias = self.bodies.iter().map(prepared_inertia).collect();
        let configuration = Configuration {
            positions: self.bodies.iter().map(|b| b.position_w).collect(),
            orientations: self.bodies.iter().map(|b| b.orientation).collect(),
            coordinates: self.masses.iter().map(|m| m.coordinate).collect(),
        };
        let mut velocity = Vec::with_capacity(6 * self.bodies.len() + self.masses.len());
        for body in &self.bodies {
            velocity.extend_from_slice(body.velocity_w.as_slice());
            velocity.extend_from_slice(body.angular_velocity_w.as_slice());
        }
        velocity.extend(self.masses.iter().map(|m| m.velocity));
        let mut faults = Vec::new();
        for number in 0..self.items.len() {
            match self.measured(number, &configuration, &velocity) {
                Ok(measured) if self.start[number].gap.is_nan() => {
                    let history = History { gap: measured.gap, ..self.start[number] };
                    self.start[number] = history;
                    self.used[number] = history;
                    self.next[number] = history;
                }
                Ok(_) => {}
                Err(fault) => faults.push(fault),
            }
        }
        Self::refuse(faults)?;
        Ok(State::new(0.0, configuration, velocity))
    }

    /// An upper bound of the inverse moments of inertia of a body in 1/(kg·m²).
    pub(crate) fn largest_inverse_inertia(&self, body: &RigidBody) -> f64 {
        1.0 / body.inertia_b.symmetric_eigenvalues().min()
    }
}

#[allow(clippy::float_cmp)] // exactly a multiple of the identity
fn prepared_inertia(body: &RigidBody) -> Inertia {
    let i = &body.inertia_b;
    if *i == Mat3::identity() * i[(0, 0)] {
        Inertia::Isotropic(1.0 / i[(0, 0)])
    } else {
        Inertia::General(*i, i.try_inverse().expect("positive definite: checked"))
    }
}

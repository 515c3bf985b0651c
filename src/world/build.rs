//! From bodies to a world, or every reason why not.

use crate::error::Error;
use crate::error::Fault;
use crate::error::Result;
use crate::material::Materials;
use crate::math::Quat;
use crate::math::Vec3;
use crate::shape::MassProperties;
use crate::world::Body;
use crate::world::Drive;
use crate::world::Driven;
use crate::world::Motion;
use crate::world::Velocity;
use crate::world::World;

/// How far the norm of an orientation may be from one and still be taken for a unit quaternion: four digits typed by
/// hand are within 10⁻³; more is a mistake.
const QUATERNION_SLACK: f64 = 1e-3;

/// Relative slack of the triangle inequality: a flat body meets it with equality, up to the rounding of its file.
const TRIANGLE_SLACK: f64 = 1e-9;

impl World {
    /// A world of `bodies` under `gravity` (in m/s², inertial frame).
    ///
    /// # Errors
    ///
    /// Every fault found, by body: negative or zero mass, moments that are not positive or break the triangle
    /// inequality, NaN or infinity anywhere, an orientation that is no unit quaternion, a bad shape, an unknown
    /// material, a wall without bounds that is to be free, no body at all, no free body.
    pub fn new(gravity: Vec3, materials: Materials, bodies: Vec<Body>) -> Result<Self> {
        let mut faults = Vec::new();
        if bodies.is_empty() {
            faults.push(Fault::new("bodies", "the world is empty", "give at least one body"));
        } else if bodies.iter().all(|body| body.motion != Motion::Free) {
            let what = format!("all {} bodies are fixed or driven", bodies.len());
            faults.push(Fault::new("bodies", what, "give at least one free body: without one nothing can happen"));
        }
        Self::with_faults(gravity, materials, bodies, faults)
    }

    /// The same for a world to which bodies will be [added](World::add): it may have none that is free, or none at all.
    ///
    /// # Errors
    ///
    /// As [`World::new`], beside that.
    pub fn to_be_filled(gravity: Vec3, materials: Materials, bodies: Vec<Body>) -> Result<Self> {
        let mut faults = Vec::new();
        finite("gravity", &gravity, &mut faults);
        Self::with_faults(gravity, materials, bodies, faults)
    }

    fn with_faults(gravity: Vec3, materials: Materials, bodies: Vec<Body>, mut faults: Vec<Fault>) -> Result<Self> {
        finite("gravity", &gravity, &mut faults);
        let mut world = Self::with_capacity(gravity, materials, bodies.len());
        for body in bodies {
            world.push(body, &mut faults);
        }
        if faults.is_empty() { Ok(world) } else { Err(Error::Input(faults)) }
    }

    /// The same world in a space that is periodic along the axes with a period, in m.
    ///
    /// # Errors
    ///
    /// A period that is not finite or less than twice the size of the largest free body, which would touch a body and
    /// its image.
    pub fn with_periods(mut self, periods: [Option<f64>; 3]) -> Result<Self> {
        let sizes = self.shapes.iter().zip(&self.free).filter(|(_, free)| **free).map(|(shape, _)| shape.size());
        let least = 2.0 * sizes.fold(0.0, f64::max);
        let mut faults = Vec::new();
        for (axis, period) in ["x", "y", "z"].into_iter().zip(periods) {
            if let Some(period) = period.filter(|period| !(period.is_finite() && *period >= least)) {
                let what = format!("period {period} m along {axis}");
                faults.push(Fault::new("periodic", what, format!("a finite length of at least {least} m")));
            }
        }
        self.periods = periods;
        if faults.is_empty() { Ok(self) } else { Err(Error::Input(faults)) }
    }

    fn with_capacity(gravity: Vec3, materials: Materials, n: usize) -> Self {
        Self {
            gravity,
            materials,
            shapes: Vec::with_capacity(n),
            material: Vec::with_capacity(n),
            positions: Vec::with_capacity(n),
            orientations: Vec::with_capacity(n),
            velocities: Vec::with_capacity(n),
            masses: Vec::with_capacity(n),
            inertias: Vec::with_capacity(n),
            frames: Vec::with_capacity(n),
            forces: Vec::with_capacity(n),
            torques: Vec::with_capacity(n),
            free: Vec::with_capacity(n),
            drives: Vec::new(),
            ids: Vec::with_capacity(n),
            next_id: 0,
            periods: [None; 3],
        }
    }

    /// Appends a body; adds to `faults` what is wrong with it.
    pub(in crate::world) fn push(&mut self, body: Body, faults: &mut Vec<Fault>) {
        let i = self.len();
        let key = if body.name.is_empty() { format!("bodies[{i}]") } else { format!("bodies[{i}] ({})", body.name) };
        faults.extend(body.shape.validate(&format!("{key}.shape")));
        if body.material.0 as usize >= self.materials.list().len() {
            let what = format!("material {} of {}", body.material.0, self.materials.list().len());
            faults.push(Fault::new(format!("{key}.material"), what, "the index of a material"));
        }
        for (name, vector) in [
            ("position", &body.position),
            ("velocity.linear", &body.velocity.linear),
            ("velocity.angular", &body.velocity.angular),
            ("force", &body.force),
            ("torque", &body.torque),
        ] {
            finite(&format!("{key}.{name}"), vector, faults);
        }
        let orientation = self.unit(&key, &body, faults);
        let free = body.motion == Motion::Free;
        let mass = if free { self.mass(&key, &body, faults) } else { None };
        let (mut position, mut turned) = (body.position, orientation);
        let velocity = match &body.motion {
            Motion::Free => body.velocity,
            Motion::Fixed => Velocity::default(),
            Motion::Driven(drive) => {
                let wrong = drive.validate(&format!("{key}.drive"));
                let velocity = if wrong.is_empty() {
                    (position, turned) = drive.pose(&body.position, &orientation, 0.0);
                    drive.velocity(&body.position, 0.0)
                } else {
                    Velocity::default()
                };
                faults.extend(wrong);
                let drive = Drive::clone(drive);
                self.drives.push(Driven { body: i as u32, drive, position: body.position, orientation });
                velocity
            }
        };
        if !free && body.velocity != Velocity::default() {
            let what = format!("velocity {:?} of a body that is not free", body.velocity.linear.as_slice());
            faults.push(Fault::new(format!("{key}.velocity"), what, "leave it out, or give a drive"));
        }
        let (m, inertia, frame) = mass.map_or((0.0, Vec3::zeros(), Quat::identity()), |p| (p.mass, p.inertia, p.frame));
        self.shapes.push(body.shape);
        self.material.push(body.material);
        self.positions.push(position);
        self.orientations.push(turned);
        self.velocities.push(velocity);
        self.masses.push(m);
        self.inertias.push(inertia);
        self.frames.push(frame);
        self.forces.push(body.force);
        self.torques.push(body.torque);
        self.free.push(free);
        self.ids.push(self.next_id);
        self.next_id += 1;
    }

    /// The orientation, normalised.
    fn unit(&self, key: &str, body: &Body, faults: &mut Vec<Fault>) -> Quat {
        let norm = body.orientation.norm();
        if (norm - 1.0).abs() <= QUATERNION_SLACK {
            return Quat::new_normalize(body.orientation);
        }
        let q = &body.orientation;
        let what = format!("orientation (w, x, y, z) = ({}, {}, {}, {}) has norm {norm}", q.w, q.i, q.j, q.k);
        faults.push(Fault::new(format!("{key}.orientation"), what, "give a unit quaternion (w, x, y, z)"));
        Quat::identity()
    }

    /// Mass properties of a free body: as given, or by shape and density.
    fn mass(&self, key: &str, body: &Body, faults: &mut Vec<Fault>) -> Option<MassProperties> {
        let Some(mass) = body.mass else {
            let density = self.materials.list().get(body.material.0 as usize)?.density;
            let mass = body.shape.mass_properties(density);
            if mass.is_none() {
                let what = format!("a free {} has no mass", body.shape.name());
                faults.push(Fault::new(format!("{key}.shape"), what, "make it fixed or driven"));
            }
            // A bad shape has been named already; its mass would only be named again.
            return mass;
        };
        if !(mass.mass > 0.0 && mass.mass.is_finite()) {
            let what = format!("mass {} kg", mass.mass);
            faults.push(Fault::new(format!("{key}.mass"), what, "a finite mass above zero"));
        }
        let i = &mass.inertia;
        let [x, y, z] = [i.x, i.y, i.z];
        if i.iter().any(|moment| !(*moment > 0.0 && moment.is_finite())) {
            let what = format!("principal moments ({x}, {y}, {z}) kg·m²");
            faults.push(Fault::new(format!("{key}.inertia"), what, "three finite moments above zero"));
        } else if 2.0 * i.max() > i.sum() * (1.0 + TRIANGLE_SLACK) {
            let what = format!("principal moments ({x}, {y}, {z}) kg·m² break the triangle inequality");
            faults.push(Fault::new(format!("{key}.inertia"), what, "no moment may exceed the sum of the other two"));
        }
        let norm = mass.frame.quaternion().norm();
        if norm.is_nan() || (norm - 1.0).abs() > QUATERNION_SLACK {
            let what = format!("principal frame {:?} is no rotation", mass.frame.quaternion().coords.as_slice());
            faults.push(Fault::new(format!("{key}.frame"), what, "give a unit quaternion"));
        }
        Some(mass)
    }
}

fn finite(key: &str, v: &Vec3, faults: &mut Vec<Fault>) {
    if v.iter().any(|x| !x.is_finite()) {
        let what = format!("({}, {}, {})", v.x, v.y, v.z);
        faults.push(Fault::new(key, what, "three finite numbers"));
    }
}

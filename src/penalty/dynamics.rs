//! Forces, history and stability bounds of a [`System`]: what the integrators call.

use crate::error::Fault;
use crate::integrator;
use crate::integrator::Crossing;
use crate::integrator::Mode;
use crate::integrator::rotation::rate_of_rotation_vector;
use crate::law::penalty::ContactForce;
use crate::law::penalty::NormalForce;
use crate::law::penalty::history::History;
use crate::math::Quat;
use crate::math::Vec3;
use crate::math::quaternion::turned_slightly;
use crate::penalty::attachment::Attachment;
use crate::penalty::attachment::Frame;
use crate::penalty::sphere_sphere;
use crate::penalty::sphere_sphere::Kinematics;
use crate::penalty::sphere_torus;
use crate::penalty::system::Configuration;
use crate::penalty::system::Inertia;
use crate::penalty::system::Item;
use crate::penalty::system::System;

/// What the history needs of a contact: gap in m, gap velocity and tangential speed in m/s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) gap: f64,
    pub(crate) gap_velocity: f64,
    pub(crate) tangential_speed: f64,
}

impl Measured {
    /// Of a contact whose tangential velocity is that of `dv_w` (m/s).
    fn of(kinematics: &Kinematics, dv_w: &Vec3) -> Self {
        let gap_velocity = dv_w.dot(&kinematics.normal_w);
        let tangential_speed = (dv_w - kinematics.normal_w * gap_velocity).norm();
        Self { gap: kinematics.gap, gap_velocity, tangential_speed }
    }
}

/// The frames of both markers and the contact between them, with a torus's radial direction.
pub(crate) struct Pair {
    pub(crate) frames: [Frame; 2],
    pub(crate) contact: Kinematics,
    pub(crate) radial_w: Vec3,
}

/// The contact of two spheres.
#[inline(always)]
fn spheres(
    law: &ContactForce,
    radii: [f64; 2],
    h1: f64,
    markers: &[Attachment; 2],
    at: &Configuration,
    velocity: &[f64],
) -> Pair {
    let frames = [markers[0].frame(at, velocity), markers[1].frame(at, velocity)];
    let rotating = law.friction.coefficient > 0.0;
    let contact = sphere_sphere::kinematics(&frames[0], &frames[1], radii, h1, rotating);
    Pair { frames, contact, radial_w: Vec3::zeros() }
}

impl System {
    /// The contact of a sphere item; none where a sphere's centre is on the axis of its torus.
    pub(crate) fn pair(&self, item: &Item, at: &Configuration, velocity: &[f64]) -> Option<Pair> {
        match item {
            Item::Spheres { law, radii, h1, at: markers, .. } => Some(spheres(law, *radii, *h1, markers, at, velocity)),
            Item::Torus { item, tube, at: markers, .. } => {
                let frames = [markers[0].frame(at, velocity), markers[1].frame(at, velocity)];
                let axis_w = markers[1].rotation(at) * item.torus_axis;
                let (contact, radial_w) = sphere_torus::kinematics(&frames[0], &frames[1], &axis_w, tube)?;
                Some(Pair { frames, contact, radial_w })
            }
            Item::Coordinate { .. } => None,
        }
    }

    /// Gap and velocities of an item.
    #[inline]
    pub(crate) fn measured(&self, number: usize, at: &Configuration, velocity: &[f64]) -> Result<Measured, Fault> {
        let item = &self.items[number];
        match item {
            Item::Spheres { law, radii, h1, at: markers, .. } => {
                let Pair { contact, frames: [first, second], .. } = spheres(law, *radii, *h1, markers, at, velocity);
                // While two spheres are apart the recorded slip is that of their centres.
                let dv_w = if contact.gap > 0.0 { second.v_w - first.v_w } else { contact.dv_w };
                return Ok(Measured::of(&contact, &dv_w));
            }
            Item::Torus { .. } => {}
            Item::Coordinate { offset, of, .. } => {
                let (q0, v0) = of[0].value(self, at, velocity);
                let (q1, v1) = of[1].value(self, at, velocity);
                return Ok(Measured { gap: q1 - q0 - offset, gap_velocity: v1 - v0, tangential_speed: 0.0 });
            }
        }
        match self.pair(item, at, velocity) {
            Some(Pair { contact, .. }) => Ok(Measured::of(&contact, &contact.dv_w)),
            None => Err(Fault::new(
                item.name(number),
                "the centre of the sphere is on the axis of the torus, where no point of the tube is nearest",
                "start the sphere in the tube",
            )),
        }
    }

    /// Adds the force of one item to `loads`.
    #[inline]
    fn add_loads(&self, number: usize, at: &Configuration, velocity: &[f64], loads: &mut [f64]) {
        let (item, history) = (&self.items[number], &self.used[number]);
        if !item.active() || !item.closed(history.gap) {
            return;
        }
        match item {
            Item::Spheres { law, radii, h1, at: markers, .. } => {
                let pair = spheres(law, *radii, *h1, markers, at, velocity);
                load_pair(law, markers, &pair, false, history, loads);
            }
            Item::Torus { law, at: markers, .. } => {
                let Some(pair) = self.pair(item, at, velocity) else { return };
                load_pair(law, markers, &pair, true, history, loads);
            }
            Item::Coordinate { law, offset, of, .. } => {
                let (q0, v0) = of[0].value(self, at, velocity);
                let (q1, v1) = of[1].value(self, at, velocity);
                let force = law.force(-(q1 - q0 - offset), v1 - v0, history.impact_velocity, 0.0);
                of[0].load(self, at, -force, loads);
                of[1].load(self, at, force, loads);
            }
        }
    }

    /// Inverse mass that a marker shows at `arm_w` from it to a force along `direction_w` (any direction if none), an
    /// upper bound in 1/kg.
    fn inverse_mass(&self, marker: &Attachment, frame: &Frame, arm_w: &Vec3, direction_w: Option<&Vec3>) -> f64 {
        let Some(body) = marker.body_handle() else { return 0.0 };
        let body = &self.bodies()[body.0];
        let lever = frame.lever_w + arm_w;
        let turning = direction_w.map_or(lever.norm_squared(), |n| lever.cross(n).norm_squared());
        1.0 / body.mass + turning * self.largest_inverse_inertia(body)
    }

    /// Stiffness, damping and friction bounds of one item.
    fn bound(&self, number: usize, at: &Configuration, velocity: &[f64]) -> Option<Bound> {
        let (item, history) = (&self.items[number], &self.used[number]);
        if !item.active() {
            return None;
        }
        let measured = self.measured(number, at, velocity).ok()?;
        let closed = item.closed(history.gap);
        // The speed that the overlap still to come is estimated from.
        let speed = if closed { (-measured.gap_velocity).max(0.0) } else { -measured.gap_velocity };
        let overlap = |law: &NormalForce, inverse_mass: f64| {
            let reached =
                if speed > 0.0 && inverse_mass > 0.0 { law.impact_overlap(1.0 / inverse_mass, speed) } else { 0.0 };
            reached.max(-measured.gap)
        };
        match item {
            Item::Spheres { law, at: markers, .. } | Item::Torus { law, at: markers, .. } => {
                let pair = self.pair(item, at, velocity)?;
                let contact = &pair.contact;
                // The arms of an open contact as they will be when it closes.
                let to_come = contact.normal_w * (0.5 * contact.gap.max(0.0));
                let arms_w = [contact.arms_w[0] - to_come, contact.arms_w[1] + to_come];
                let side = |k: usize, n| self.inverse_mass(&markers[k], &pair.frames[k], &arms_w[k], n);
                let normal_sides = [side(0, Some(&contact.normal_w)), side(1, Some(&contact.normal_w))];
                let sides = [side(0, None), side(1, None)];
                let d = overlap(&law.normal, normal_sides[0] + normal_sides[1]);
                let impact_velocity = if closed { history.impact_velocity } else { speed.max(0.0) };
                let (stiffness, damping) = law.normal_bounds(d, impact_velocity);
                let f_n = law.normal.stiffness * d.max(0.0).powf(law.normal.exponent) + law.normal.damping * speed;
                let slip = law.friction.regularisation;
                let friction = if slip > 0.0 { law.friction.coefficient * f_n.max(0.0) / slip } else { 0.0 };
                let bodies = [markers[0].body_handle(), markers[1].body_handle()].map(|b| b.map(|b| b.0));
                Some(Bound { number, closed, bodies, normal_sides, sides, stiffness, damping, friction })
            }
            Item::Coordinate { law, of, .. } => {
                let sides = [of[0].inverse_mass(self), of[1].inverse_mass(self)];
                let d = overlap(law, sides[0] + sides[1]);
                let impact_velocity = if closed { history.impact_velocity } else { speed.max(0.0) };
                let law = ContactForce { normal: *law, ..Default::default() };
                let (stiffness, damping) = law.normal_bounds(d, impact_velocity);
                let normal_sides = sides;
                Some(Bound {
                    number,
                    closed,
                    bodies: [None, None],
                    normal_sides,
                    sides,
                    stiffness,
                    damping,
                    friction: 0.0,
                })
            }
        }
    }
}

impl ContactForce {
    /// Tangent stiffness (N/m) and damping (N·s/m) at overlap `d`; none of the stiffness where d ≤ 0 and the exponent
    /// is not 1, for then it is that of no overlap.
    fn normal_bounds(&self, d: f64, impact_velocity: f64) -> (f64, f64) {
        #[allow(clippy::float_cmp)] // the linear law itself
        let stiffness = if d > 0.0 || self.normal.exponent == 1.0 { self.normal.tangent_stiffness(d) } else { 0.0 };
        (stiffness, self.normal.tangent_damping(d.max(0.0), impact_velocity).max(0.0))
    }
}

/// Adds the force of a contact of two frames to `loads`; whether marker 1 is that of a torus.
#[inline(always)]
fn load_pair(
    law: &ContactForce,
    markers: &[Attachment; 2],
    pair: &Pair,
    torus: bool,
    history: &History,
    loads: &mut [f64],
) {
    let contact = &pair.contact;
    let force = law.force(contact.gap, &contact.normal_w, &contact.dv_w, history);
    let total = force.total_w(&contact.normal_w);
    // The normal force has no moment about a sphere's centre; leaving it out keeps that exact.
    let torque0 = -contact.arms_w[0].cross(&force.tangential_w);
    let torque1 = contact.arms_w[1].cross(if torus { &total } else { &force.tangential_w });
    markers[0].load(&pair.frames[0], &-total, &torque0, loads);
    markers[1].load(&pair.frames[1], &total, &torque1, loads);
}

/// What one item adds to the modes.
struct Bound {
    number: usize,
    closed: bool,
    bodies: [Option<usize>; 2],
    normal_sides: [f64; 2],
    sides: [f64; 2],
    stiffness: f64,
    damping: f64,
    friction: f64,
}

impl integrator::System for System {
    type Configuration = Configuration;

    fn freedoms(&self) -> usize {
        6 * self.bodies().len() + self.masses().len()
    }

    fn moved(&self, from: &Configuration, motion: &[f64], to: &mut Configuration) {
        let bodies = from.positions.len();
        for i in 0..bodies {
            let slot = &motion[6 * i..6 * i + 6];
            to.positions[i] = from.positions[i] + Vec3::new(slot[0], slot[1], slot[2]);
            to.orientations[i] = turned_by(&from.orientations[i], &Vec3::new(slot[3], slot[4], slot[5]));
        }
        for (i, coordinate) in to.coordinates.iter_mut().enumerate() {
            *coordinate = from.coordinates[i] + motion[6 * bodies + i];
        }
    }

    fn motion_rate(&self, motion: &[f64], velocity: &[f64], rate: &mut [f64]) {
        rate.copy_from_slice(velocity);
        for i in 0..self.bodies().len() {
            let slot = 6 * i + 3..6 * i + 6;
            let theta = Vec3::from_column_slice(&motion[slot.clone()]);
            let w = Vec3::from_column_slice(&velocity[slot.clone()]);
            rate[slot].copy_from_slice(rate_of_rotation_vector(&theta, &w).as_slice());
        }
    }

    fn acceleration(&self, _time: f64, at: &Configuration, velocity: &[f64], out: &mut [f64]) {
        for (i, body) in self.bodies().iter().enumerate() {
            let slot = &mut out[6 * i..6 * i + 6];
            for k in 0..3 {
                slot[k] = body.force_w[k] + body.mass * body.gravity_w[k];
                slot[3 + k] = body.torque_w[k];
            }
        }
        let first_mass = 6 * self.bodies().len();
        for (i, mass) in self.masses().iter().enumerate() {
            out[first_mass + i] = mass.force;
        }
        for number in 0..self.items.len() {
            self.add_loads(number, at, velocity, out);
        }
        for (i, body) in self.bodies().iter().enumerate() {
            let slot = &mut out[6 * i..6 * i + 6];
            let torque = Vec3::new(slot[3], slot[4], slot[5]);
            let turning = match &self.inertias[i] {
                Inertia::Isotropic(inverse) => torque * *inverse,
                Inertia::General(inertia, inverse) => {
                    let q = &at.orientations[i];
                    let w_b = q.inverse() * Vec3::from_column_slice(&velocity[6 * i + 3..6 * i + 6]);
                    q * (inverse * (q.inverse() * torque - w_b.cross(&(inertia * w_b))))
                }
            };
            let inverse_mass = 1.0 / body.mass;
            for k in 0..3 {
                slot[k] *= inverse_mass;
                slot[3 + k] = turning[k];
            }
        }
        for (i, mass) in self.masses().iter().enumerate() {
            out[first_mass + i] /= mass.mass;
        }
    }

    fn examine(&mut self, at: &Configuration, velocity: &[f64]) -> Result<Option<Crossing>, Fault> {
        let mut first: Option<(f64, Crossing)> = None;
        for number in 0..self.items.len() {
            let item = &self.items[number];
            if !item.active() {
                continue;
            }
            let Measured { gap, gap_velocity, tangential_speed } = self.measured(number, at, velocity)?;
            let start = &self.start[number];
            self.next[number] = match item {
                Item::Spheres { law, .. } => start.after(&law.normal, gap, gap_velocity, tangential_speed),
                // The plastic overlap is unused.
                Item::Torus { law, .. } => History {
                    plastic_overlap: start.plastic_overlap,
                    ..start.after(&law.normal, gap, gap_velocity, tangential_speed)
                },
                Item::Coordinate { law, .. } => start.after(law, gap, gap_velocity, tangential_speed),
            };
            if item.closed(self.used[number].gap) != item.closed(gap) {
                // The part of the step after which the gap, linear in time, is zero; the first of equals counts.
                let part = if start.gap * gap < 0.0 { start.gap / (start.gap - gap) } else { 0.0 };
                if first.is_none_or(|(least, _)| part < least) {
                    first = Some((part, Crossing { contact: number, gap }));
                }
            }
        }
        Ok(first.map(|(_, crossing)| crossing))
    }

    fn gap(&self, contact: usize, at: &Configuration) -> f64 {
        // Velocities do not enter the gap.
        let still = vec![0.0; integrator::System::freedoms(self)];
        self.measured(contact, at, &still).map_or(f64::NAN, |measured| measured.gap)
    }

    fn adopt(&mut self) {
        self.used.copy_from_slice(&self.next);
    }

    fn commit(&mut self) {
        self.used.copy_from_slice(&self.next);
        self.start.copy_from_slice(&self.next);
    }

    /// One normal and one friction mode an item. A contact's rate in each is at most the sum over its two bodies of
    /// (stiffness of all closed contacts of the body) × (inverse mass at this one): the row sums of J M⁻¹ Jᵀ K, which
    /// has the eigenvalues of M⁻¹ Jᵀ K J.
    fn modes(&self, at: &Configuration, velocity: &[f64]) -> Vec<Mode> {
        let bounds: Vec<_> = (0..self.items.len()).filter_map(|i| self.bound(i, at, velocity)).collect();
        // Stiffness, damping and friction of the closed contacts of each body.
        let mut sums = vec![[0.0; 3]; self.bodies().len()];
        for bound in bounds.iter().filter(|bound| bound.closed) {
            for body in bound.bodies.into_iter().flatten() {
                for (sum, own) in sums[body].iter_mut().zip([bound.stiffness, bound.damping, bound.friction]) {
                    *sum += own;
                }
            }
        }
        let mut modes = Vec::new();
        for bound in &bounds {
            let name = self.items[bound.number].name(bound.number);
            let mut rates = [0.0; 3];
            for side in 0..2 {
                let own = [bound.stiffness, bound.damping, bound.friction];
                let all = match bound.bodies[side] {
                    Some(body) if bound.closed => sums[body],
                    Some(body) => std::array::from_fn(|k| sums[body][k] + own[k]),
                    None => own,
                };
                rates[0] += all[0] * bound.normal_sides[side];
                rates[1] += all[1] * bound.normal_sides[side];
                rates[2] += all[2] * bound.sides[side];
            }
            if rates[2] > 0.0 {
                modes.push(Mode { name: format!("the friction of {name}"), stiffness: 0.0, damping: rates[2] });
            }
            modes.push(Mode { name, stiffness: rates[0], damping: rates[1] });
        }
        modes
    }
}

/// `q` turned by the rotation vector `theta`; a body that does not turn keeps its bits.
#[inline]
fn turned_by(q: &Quat, theta: &Vec3) -> Quat {
    #[allow(clippy::float_cmp)]
    if *theta == Vec3::zeros() { *q } else { turned_slightly(q, theta) }
}

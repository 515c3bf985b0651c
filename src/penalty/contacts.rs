//! The force law on the contacts that detection finds, for whole scenes.
//!
//! For each overlapping contact, with (ξ, δv, arms) of the present positions and velocities:
//!
//! ```text
//! f_n = k D − c_n v_n,              c_n = min(d_c − (k/v_i) c D, 1/(h w_n N))
//! F_t = −c_t v_t,                   c_t = min(μ max(f_n, 0)/max(v_reg, ‖v_t‖), 1/(h w_t N))
//! P   = h (f_n n + F_t)             impulse of a sub-step h on body a
//! ```
//!
//! w_n = n·A n and w_t are the inverse masses that the contact shows (A the Delassus block), N the larger number of
//! contacts of its two bodies. The bounds 1/(h w N) keep the damping of a sub-step from turning velocities round, which
//! an explicit step would otherwise let it do: friction with the regularisation v_reg alone needs steps below
//! 2 v_reg/(μ f_n Σw), far below those of the stiffness. Where they hold, v_reg is in effect μ f_n h w_t N.
//!
//! The impulses go at once to the two bodies of the contact ([`Loads`]), and bodies take them up later ([`pushed`]): what
//! a contact does to velocities and to energy is then a matter of its bodies alone.

use crate::collision::Contact;
use crate::law::ContactState;
use crate::law::penalty::ContactForce;
use crate::law::penalty::History;
use crate::law::penalty::normal::signed_power;
use crate::math::Vec3;
use crate::world::Velocity;
use crate::world::World;
use pulp::Arch;
use pulp::Simd;
use pulp::WithSimd;

/// The history of one contact, under its key.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ContactHistory {
    /// First body.
    pub a: u32,
    /// Second body.
    pub b: u32,
    /// Which contact of the pair.
    pub feature: u32,
    /// The history.
    pub history: History,
}

impl ContactHistory {
    /// Of a contact that was open, however little.
    const OPEN: Self = Self {
        a: 0,
        b: 0,
        feature: 0,
        history: History { gap: f64::INFINITY, tangential_speed: 0.0, impact_velocity: 0.0, plastic_overlap: 0.0 },
    };

    #[inline(always)]
    fn key(&self) -> (u32, u32, u32) {
        (self.a, self.b, self.feature)
    }
}

/// Impulse in N·s and its moment about the body's position in N·m·s, inertial frame.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Wrench {
    /// The impulse.
    pub linear: Vec3,
    /// The moment.
    pub angular: Vec3,
}

impl Wrench {
    /// Adds the impulse `impulse_w` (N·s) at `arm_w` (m) from the body's position.
    #[inline(always)]
    fn add(&mut self, arm_w: &Vec3, impulse_w: &Vec3) {
        self.linear += impulse_w;
        self.angular += arm_w.cross(impulse_w);
    }

    /// Work in J on a body whose velocity is `mean` in the mean.
    #[inline]
    pub fn work(&self, mean: &Velocity) -> f64 {
        self.linear.dot(&mean.linear) + self.angular.dot(&mean.angular)
    }
}

/// What all contacts of a body do to it in a sub-step.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Loads {
    /// By their normal forces.
    pub normal: Wrench,
    /// By their friction.
    pub friction: Wrench,
}

/// The velocity of a body after `loads`; a body that is not free keeps its own.
///
/// ```text
/// v⁺ = v + P/m,   ω⁺ = ω + I⁻¹ L
/// ```
#[inline]
pub fn pushed(world: &World, i: usize, velocity: Velocity, loads: &Loads) -> Velocity {
    if !world.is_free(i) {
        return velocity;
    }
    let linear = velocity.linear + (loads.normal.linear + loads.friction.linear) / world.masses()[i];
    let moment = loads.normal.angular + loads.friction.angular;
    let inertia = &world.inertias()[i];
    let turned = if world.is_isotropic(i) {
        moment / inertia.x
    } else {
        let axes = world.principal_axes(i);
        axes.transform_vector(&axes.inverse_transform_vector(&moment).component_div(inertia))
    };
    Velocity { linear, angular: velocity.angular + turned }
}

/// The force law of a pair of materials, with what does not depend on the contact.
#[derive(Clone, Copy, Debug)]
struct Prepared {
    law: ContactForce,
    /// −k c of the impact model.
    impact: f64,
}

impl Prepared {
    /// Damping −∂f_n/∂v_n at overlap `d` (m), d_c − (k/v_i) c D, in N·s/m.
    #[inline(always)]
    fn damping(&self, d: f64, impact_velocity: f64) -> f64 {
        let normal = &self.law.normal;
        let v_i = impact_velocity.max(normal.minimum_impact_velocity);
        let impact = self.impact * signed_power(d, normal.exponent);
        if impact > 0.0 && v_i > 0.0 { normal.damping + impact / v_i } else { normal.damping }
    }
}

/// What a body shows to contacts; nothing of a body that is not free.
#[derive(Clone, Copy, Debug, Default)]
struct Pliancy {
    /// 1/m in 1/kg.
    inverse_mass: f64,
    /// Largest inverse moment of inertia in 1/(kg·m²).
    turning: f64,
    /// Contacts of the body.
    contacts: u32,
}

/// Forces of contacts on bodies: buffers, and what they did in the last sub-step.
#[derive(Clone, Debug, Default)]
pub struct Forces {
    laws: Vec<Prepared>,
    bodies: Vec<Pliancy>,
    /// Loads of each body in the last sub-step.
    pub loads: Vec<Loads>,
    /// Of the sub-step before the last.
    old: Vec<ContactHistory>,
}

impl Forces {
    /// Makes ready for sub-steps of `world` under `laws`, row by row for each pair of materials.
    pub fn prepare(&mut self, world: &World, laws: &[ContactForce]) {
        self.laws.clear();
        self.laws.extend(
            laws.iter()
                .map(|law| Prepared { law: *law, impact: -law.normal.stiffness * law.normal.impact_coefficient() }),
        );
        self.bodies.clear();
        self.bodies.extend((0..world.len()).map(|i| {
            if !world.is_free(i) {
                return Pliancy::default();
            }
            Pliancy { inverse_mass: 1.0 / world.masses()[i], turning: 1.0 / world.inertias()[i].min(), contacts: 0 }
        }));
    }

    /// Computes the loads of a sub-step of `h` seconds, and for each contact the impulse in N·s on its body a (inertial
    /// frame), its state, and its new history.
    ///
    /// `histories` holds those of the last sub-step, sorted as the contacts are; a contact that had none touches now for
    /// the first time. Contacts that are gone lose theirs: the elasto-plastic overlap and the impact velocity are those
    /// of one touch.
    pub fn act(
        &mut self,
        world: &World,
        contacts: &[Contact],
        h: f64,
        histories: &mut Vec<ContactHistory>,
        impulses_w: &mut Vec<Vec3>,
        states: &mut Vec<ContactState>,
    ) {
        self.count(contacts);
        self.loads.clear();
        self.loads.resize(world.len(), Loads::default());
        std::mem::swap(histories, &mut self.old);
        // Every place is written.
        impulses_w.resize(contacts.len(), Vec3::zeros());
        states.resize(contacts.len(), ContactState::Separating);
        histories.resize(contacts.len(), ContactHistory::OPEN);
        Arch::new().dispatch(Act { forces: self, world, contacts, h, histories, impulses_w, states });
    }

    /// Contacts of each body.
    fn count(&mut self, contacts: &[Contact]) {
        self.bodies.iter_mut().for_each(|body| body.contacts = 0);
        for contact in contacts {
            self.bodies[contact.a as usize].contacts += 1;
            self.bodies[contact.b as usize].contacts += 1;
        }
    }

    /// What bounds the damping of a contact in a sub-step of `h` seconds.
    #[inline(always)]
    fn bounds(&self, contact: &Contact, arms_w: [&Vec3; 2], h: f64) -> Bounds {
        let (a, b) = (self.bodies[contact.a as usize], self.bodies[contact.b as usize]);
        let squared = arms_w.map(Vec3::norm_squared);
        let across = a.inverse_mass + b.inverse_mass + squared[0] * a.turning + squared[1] * b.turning;
        Bounds { bodies: [a, b], across, scale: h * f64::from(a.contacts.max(b.contacts)) }
    }
}

/// The bounds 1/(h w N) of a contact: of two bodies, with w_t and h N.
struct Bounds {
    bodies: [Pliancy; 2],
    across: f64,
    scale: f64,
}

impl Bounds {
    /// `damping` in N·s/m along the normal, or its bound if that is smaller. w_n is at most w_t, so mostly nothing needs
    /// to be divided.
    #[inline(always)]
    fn of_damping(&self, damping: f64, n: &Vec3, arms_w: [&Vec3; 2]) -> f64 {
        if damping * self.across * self.scale <= 1.0 {
            return damping;
        }
        let [a, b] = &self.bodies;
        let mut normal = a.inverse_mass + b.inverse_mass;
        for (body, arm_w) in [(a, arms_w[0]), (b, arms_w[1])] {
            let along = arm_w.dot(n);
            normal += (arm_w.norm_squared() - along * along).max(0.0) * body.turning;
        }
        damping.min(1.0 / (normal * self.scale))
    }

    /// `strength`/`slowest` in N·s/m across the normal, or its bound if that is smaller; 0 where nothing slips.
    #[inline(always)]
    fn of_drag(&self, strength: f64, slowest: f64) -> f64 {
        let limit = self.across * self.scale;
        if strength * limit > slowest {
            1.0 / limit
        } else if slowest > 0.0 {
            strength / slowest
        } else {
            0.0
        }
    }
}

/// The work of [`Forces::act`], once its outputs have their lengths; compiled for the widest vectors there are.
struct Act<'a> {
    forces: &'a mut Forces,
    world: &'a World,
    contacts: &'a [Contact],
    h: f64,
    histories: &'a mut [ContactHistory],
    impulses_w: &'a mut [Vec3],
    states: &'a mut [ContactState],
}

impl WithSimd for Act<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { forces, world, contacts, h, histories, impulses_w, states } = self;
        let materials = world.materials().list().len();
        let (positions, velocities, periods) = (world.positions(), world.velocities(), world.periods());
        let mut old = 0;
        let outputs = histories.iter_mut().zip(impulses_w).zip(states);
        for (contact, ((to_history, impulse_w), to_state)) in contacts.iter().zip(outputs) {
            let key = (contact.a, contact.b, contact.feature);
            while forces.old.get(old).is_some_and(|old| old.key() < key) {
                old += 1;
            }
            let past = match forces.old.get(old) {
                Some(known) if known.key() == key => known.history,
                _ => ContactHistory::OPEN.history,
            };
            let (a, b) = (contact.a as usize, contact.b as usize);
            let row = world.material()[a].0 as usize * materials + world.material()[b].0 as usize;
            let (arm_a, arm_b) = contact.arms(positions, periods);
            let dv = velocities[a].at(&arm_a) - velocities[b].at(&arm_b);
            let arms_w = [&arm_a, &arm_b];
            let bounds = forces.bounds(contact, arms_w, h);
            let Acting { normal_w, friction_w, state, history } =
                impulse(&forces.laws[row], contact, &past, (&dv, arms_w), &bounds, h);
            forces.loads[a].normal.add(&arm_a, &normal_w);
            forces.loads[a].friction.add(&arm_a, &friction_w);
            forces.loads[b].normal.add(&arm_b, &-normal_w);
            forces.loads[b].friction.add(&arm_b, &-friction_w);
            *impulse_w = normal_w + friction_w;
            *to_state = state;
            *to_history = ContactHistory { a: contact.a, b: contact.b, feature: contact.feature, history };
        }
    }
}

/// What a contact does in a sub-step: the impulses in N·s are those on body a.
struct Acting {
    normal_w: Vec3,
    friction_w: Vec3,
    state: ContactState,
    history: History,
}

/// The impulse of a contact at the relative velocity `dv`, as the module's documentation has it.
#[inline(always)]
fn impulse(
    prepared: &Prepared,
    contact: &Contact,
    past: &History,
    (dv, arms_w): (&Vec3, [&Vec3; 2]),
    bounds: &Bounds,
    h: f64,
) -> Acting {
    let (law, n) = (&prepared.law, &contact.normal_w);
    let v_n = dv.dot(n);
    let v_t = dv - n * v_n;
    let slip = v_t.norm();
    let history = past.after(&law.normal, contact.gap, v_n, slip);
    let d = -contact.gap;
    let damping = bounds.of_damping(prepared.damping(d, history.impact_velocity), n, arms_w);
    let f_n = law.normal.elastic(d, history.plastic_overlap) - damping * v_n;
    let pressure = if law.friction.compressive_only { f_n.max(0.0) } else { f_n };
    let slowest = slip.max(law.friction.regularisation);
    let drag = bounds.of_drag(law.friction.coefficient * pressure, slowest);
    let state = if f_n <= 0.0 {
        ContactState::Separating
    } else if slip < law.friction.regularisation {
        ContactState::Sticking
    } else {
        ContactState::Sliding
    };
    Acting { normal_w: n * (f_n * h), friction_w: v_t * (-drag * h), state, history }
}

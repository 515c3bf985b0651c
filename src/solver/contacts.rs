//! The prepared contacts of a step, packed by colour.

use crate::collision::Contact;
use crate::law::ContactBlock;
use crate::law::ContactState;
use crate::math::Mat3;
use crate::math::Vec3;
use crate::math::frame;
use crate::shape::Shape;
use crate::solver::acceleration::Motion;
use crate::solver::ball::Ball;
use crate::solver::bodies::CHUNK;
use crate::solver::bodies::HotArray;
use crate::solver::colouring;
use crate::solver::general::General;
use crate::solver::order::Order;
use crate::solver::rule::Isotropic;
use crate::solver::tally::Tally;
use crate::world::Velocity;
use crate::world::World;
use rayon::iter::IndexedParallelIterator;
use rayon::iter::IntoParallelRefMutIterator;
use rayon::iter::ParallelIterator;

/// The contacts of one colour: ranges of the packed arrays.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::solver) struct Group {
    pub(in crate::solver) balls: (usize, usize),
    pub(in crate::solver) generals: (usize, usize),
    /// Contacts that found no colour: one after the other.
    pub(in crate::solver) serial: bool,
}

/// Where a contact is packed.
#[derive(Clone, Copy, Debug)]
enum Slot {
    Ball(u32),
    General(u32),
}

/// Solves the contacts of a world by sweeps. It holds buffers only: a step begins with [`ContactSolver::prepare`].
#[derive(Debug, Default)]
pub struct ContactSolver {
    pub(in crate::solver) balls: Vec<Ball>,
    pub(in crate::solver) generals: Vec<General>,
    pub(in crate::solver) groups: Vec<Group>,
    pub(in crate::solver) hot: HotArray,
    /// Inverse inertia tensors in the inertial frame, by rank; empty where all contacts are between balls.
    pub(in crate::solver) inverse: Vec<Mat3>,
    pub(in crate::solver) tallies: Vec<Tally>,
    /// Motion of each body from sweep to sweep, where sweeps are accelerated.
    pub(in crate::solver) motions: Vec<Motion>,
    /// State of each packed contact as last measured: balls, then the others.
    pub(in crate::solver) states: Vec<ContactState>,
    /// Where each contact is packed, in the order of the contact list.
    slots: Vec<Slot>,
    /// The contact of each packed one.
    ball_contacts: Vec<u32>,
    general_contacts: Vec<u32>,
    colours: Vec<u8>,
    used: Vec<u64>,
    order: Order,
}

impl ContactSolver {
    /// A solver with empty buffers; they grow in the first steps.
    pub fn new() -> Self {
        Self::default()
    }

    /// Colours and packs the contacts of a step; `closed_form` says whether contacts between balls take the closed
    /// form or the way of all others.
    pub fn prepare(&mut self, world: &World, contacts: &[Contact], closed_form: bool) {
        self.order.arrange(world, contacts);
        colouring::colour(contacts, &self.order.contacts, world.free(), &mut self.used, &mut self.colours);
        self.pack(world, contacts, closed_form);
        self.inverse.clear();
        if !self.generals.is_empty() {
            self.inverse.resize(world.len(), Mat3::zeros());
            let bodies = &self.order.bodies;
            let each = |(i, to): (usize, &mut Mat3)| *to = world.inverse_inertia(bodies[i] as usize);
            self.inverse.par_iter_mut().with_min_len(CHUNK).enumerate().for_each(each);
        }
        let (inverse, rank) = (&self.inverse, self.order.rank.as_slice());
        let balls = self.balls.par_iter_mut().zip(&self.ball_contacts).with_min_len(CHUNK);
        balls.for_each(|(to, contact)| *to = ball(world, &contacts[*contact as usize], rank));
        let generals = self.generals.par_iter_mut().zip(&self.general_contacts).with_min_len(CHUNK);
        generals
            .for_each(|(to, contact)| *to = general(world, &contacts[*contact as usize], rank, inverse, closed_form));
    }

    /// Gives each contact its place: by colour, balls before others, then in the order of visits.
    fn pack(&mut self, world: &World, contacts: &[Contact], closed_form: bool) {
        let colours = usize::from(self.colours.iter().max().map_or(0, |colour| colour + 1));
        self.groups.clear();
        self.groups.resize(colours, Group::default());
        self.slots.clear();
        // Counting sort: first how many, then where.
        for (contact, colour) in contacts.iter().zip(&self.colours) {
            let group = &mut self.groups[usize::from(*colour)];
            let ball = closed_form && is_between_balls(world, contact);
            let count = if ball { &mut group.balls.1 } else { &mut group.generals.1 };
            *count += 1;
            self.slots.push(if ball { Slot::Ball(0) } else { Slot::General(0) });
        }
        let (mut balls, mut generals) = (0, 0);
        for (colour, group) in self.groups.iter_mut().enumerate() {
            group.serial = colour == usize::from(colouring::SERIAL);
            let (b, g) = (group.balls.1, group.generals.1);
            group.balls = (balls, balls);
            group.generals = (generals, generals);
            balls += b;
            generals += g;
        }
        self.ball_contacts.resize(balls, 0);
        self.general_contacts.resize(generals, 0);
        for i in self.order.contacts.iter().map(|i| *i as usize) {
            let group = &mut self.groups[usize::from(self.colours[i])];
            match &mut self.slots[i] {
                Slot::Ball(to) => {
                    *to = group.balls.1 as u32;
                    self.ball_contacts[group.balls.1] = i as u32;
                    group.balls.1 += 1;
                }
                Slot::General(to) => {
                    *to = group.generals.1 as u32;
                    self.general_contacts[group.generals.1] = i as u32;
                    group.generals.1 += 1;
                }
            }
        }
        self.balls.resize(balls, Ball::EMPTY);
        self.generals.resize_with(generals, General::empty);
        self.states.resize(balls + generals, ContactState::Separating);
        let chunks = |(from, to): (usize, usize)| (to - from).div_ceil(CHUNK);
        let count: usize = self.groups.iter().map(|group| chunks(group.balls) + chunks(group.generals)).sum();
        self.tallies.resize(count.max(balls.div_ceil(CHUNK) + generals.div_ceil(CHUNK)), Tally::default());
    }

    /// Loads the velocities before the contacts act, the correction c of each contact in m/s, and the impulse that it
    /// starts from (inertial frame, in N·s; none: zero); all in the order of bodies and contacts.
    pub fn load(&mut self, world: &World, velocities: &[Velocity], corrections: &[f64], start_w: Option<&[Vec3]>) {
        self.hot.load(world, &self.order.bodies, velocities);
        for (to, contact) in self.balls.iter_mut().zip(&self.ball_contacts) {
            let contact = *contact as usize;
            to.c = corrections[contact];
            to.start(&start_w.map_or(Vec3::zeros(), |start| start[contact]));
        }
        for (to, contact) in self.generals.iter_mut().zip(&self.general_contacts) {
            let contact = *contact as usize;
            to.c = corrections[contact];
            to.start(&start_w.map_or(Vec3::zeros(), |start| start[contact]));
        }
    }

    /// Stores the velocities.
    pub fn store_velocities(&self, velocities: &mut [Velocity]) {
        self.hot.store(&self.order.bodies, velocities);
    }

    /// Stores impulses (inertial frame, on body a, in N·s) and states, in the order of the contact list.
    pub fn store_impulses(&self, impulses_w: &mut Vec<Vec3>, states: &mut Vec<ContactState>) {
        impulses_w.clear();
        states.clear();
        for slot in &self.slots {
            let (impulse_w, state) = match slot {
                Slot::Ball(i) => (self.balls[*i as usize].impulse_w(), self.states[*i as usize]),
                Slot::General(i) => {
                    let i = *i as usize;
                    (self.generals[i].impulse_w(), self.states[self.balls.len() + i])
                }
            };
            impulses_w.push(impulse_w);
            states.push(state);
        }
    }
}

/// Whether the closed form holds: every movable body is a ball of isotropic inertia, and a body that is not movable
/// has one velocity at all points of the contact normal.
fn is_between_balls(world: &World, contact: &Contact) -> bool {
    [contact.a, contact.b].into_iter().all(|i| {
        let i = i as usize;
        let sphere = matches!(world.shapes()[i], Shape::Sphere { .. });
        if world.is_free(i) {
            sphere && world.is_isotropic(i)
        } else {
            sphere || world.velocities()[i].angular == Vec3::zeros()
        }
    })
}

/// Masses and arms of a contact between balls. The arms are along the normal to round-off; here they are so exactly.
fn ball(world: &World, contact: &Contact, rank: &[u32]) -> Ball {
    let (arm_a, arm_b) = contact.arms(world.positions(), world.periods());
    let along = |i: u32, arm: Vec3| match world.shapes()[i as usize] {
        Shape::Sphere { .. } => arm.dot(&contact.normal_w),
        _ => 0.0,
    };
    let (arm_a, arm_b) = (along(contact.a, arm_a), along(contact.b, arm_b));
    let (mut nn, mut tt) = (0.0, 0.0);
    for (i, arm) in [(contact.a as usize, arm_a), (contact.b as usize, arm_b)] {
        if world.is_free(i) {
            nn += 1.0 / world.masses()[i];
            tt += arm * arm / world.inertias()[i].x;
        }
    }
    let mu = world.friction(contact.a as usize, contact.b as usize);
    let block = Isotropic::new(nn, nn + tt, mu);
    let (a, b) = (rank[contact.a as usize], rank[contact.b as usize]);
    Ball { a, b, normal: contact.normal_w, arm_a, arm_b, block, ..Ball::EMPTY }
}

/// Frame, arms and Delassus block of any contact.
fn general(world: &World, contact: &Contact, rank: &[u32], inverse: &[Mat3], closed_form: bool) -> General {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let frame = frame::rotation(&contact.normal_w);
    let (arm_a, arm_b) = contact.arms(world.positions(), world.periods());
    let mut delassus = Mat3::zeros();
    for (i, arm) in [(a, &arm_a), (b, &arm_b)] {
        if !world.is_free(i) {
            continue;
        }
        let moments = Mat3::from_fn(|row, column| arm.cross(&frame.column(column).into_owned())[row]);
        delassus += moments.transpose() * inverse[rank[i] as usize] * moments + Mat3::identity() / world.masses()[i];
    }
    // Symmetric to the last bit: the product is so to round-off only.
    delassus.fill_lower_triangle_with_upper_triangle();
    let mut block = ContactBlock::new(&delassus, world.friction(a, b));
    if !closed_form {
        block = block.without_closed_form();
    }
    General { a: rank[a], b: rank[b], frame, arm_a, arm_b, delassus, block, ..General::empty() }
}

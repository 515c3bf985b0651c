//! The bodies as the sweeps see them: velocity and inverse mass, one cache line each.
//!
//! The contacts of one colour share no movable body, so they may read and write the bodies at the same time. Without
//! `unsafe` that is said by relaxed atomics, which are plain moves on the machines this runs on; a single thread uses
//! cells, which the compiler can keep in registers. Both give the same bits.

use crate::law::ContactState;
use crate::math::Vec3;
use crate::solver::tally::Tally;
use crate::world::Velocity;
use crate::world::World;
use rayon::iter::IndexedParallelIterator;
use rayon::iter::IntoParallelRefMutIterator;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use rayon::slice::ParallelSliceMut;
use std::cell::Cell;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Contacts a task takes at a time: enough to outweigh the hand-over, few enough to share a colour of a small pile.
/// A constant, because sums are kept by chunk.
pub(in crate::solver) const CHUNK: usize = 256;

/// Velocity and inverse mass of one body.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(in crate::solver) struct Hot {
    /// Linear velocity in m/s.
    pub(in crate::solver) linear: Vec3,
    /// 1/m in 1/kg; zero for fixed and driven bodies.
    pub(in crate::solver) inv_mass: f64,
    /// Angular velocity in rad/s.
    pub(in crate::solver) angular: Vec3,
    /// 1/I in 1/(kg·m²) where the inertia is isotropic; zero for fixed and driven bodies.
    pub(in crate::solver) inv_inertia: f64,
}

/// The same eight numbers, shared between threads.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(in crate::solver) struct SharedHot([AtomicU64; 8]);

/// How a sweep reads and writes bodies, and how it goes through the contacts of a group.
pub(in crate::solver) trait Bodies: Sized {
    /// How many bodies there are.
    fn len(&self) -> usize;
    /// The body i.
    fn get(&self, i: u32) -> Hot;
    /// Gives body i new velocities.
    fn set(&self, i: u32, linear: &Vec3, angular: &Vec3);
    /// Calls `f` for each chunk of a group whose contacts share no movable body; each chunk adds to its own tally.
    fn each<C: Send>(
        &self,
        contacts: &mut [C],
        tallies: &mut [Tally],
        f: impl Fn(&mut [C], &Self, &mut Tally) + Sync + Send,
    );
    /// Calls `f` for each body with its entry of `with`.
    fn all<M: Send>(&self, with: &mut [M], f: impl Fn(u32, &mut M, &Self) + Sync + Send);
    /// Calls `f` for each contact, all colours at once: it only reads, and says the state of the contact.
    fn inspect<C: Sync>(
        &self,
        contacts: &[C],
        states: &mut [ContactState],
        tallies: &mut [Tally],
        f: impl Fn(&C, &Self, &mut Tally) -> ContactState + Sync + Send,
    );
}

/// Bodies in one thread.
pub(in crate::solver) struct Single<'a>(pub(in crate::solver) &'a [Cell<Hot>]);

/// Bodies shared between threads.
pub(in crate::solver) struct Shared<'a>(pub(in crate::solver) &'a [SharedHot]);

impl Bodies for Single<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn get(&self, i: u32) -> Hot {
        self.0[i as usize].get()
    }

    #[inline(always)]
    fn set(&self, i: u32, linear: &Vec3, angular: &Vec3) {
        let cell = &self.0[i as usize];
        cell.set(Hot { linear: *linear, angular: *angular, ..cell.get() });
    }

    #[inline(always)]
    fn each<C: Send>(
        &self,
        contacts: &mut [C],
        tallies: &mut [Tally],
        f: impl Fn(&mut [C], &Self, &mut Tally) + Sync + Send,
    ) {
        for (contacts, tally) in contacts.chunks_mut(CHUNK).zip(tallies) {
            f(contacts, self, tally);
        }
    }

    fn all<M: Send>(&self, with: &mut [M], f: impl Fn(u32, &mut M, &Self) + Sync + Send) {
        for (i, m) in with.iter_mut().enumerate() {
            f(i as u32, m, self);
        }
    }

    fn inspect<C: Sync>(
        &self,
        contacts: &[C],
        states: &mut [ContactState],
        tallies: &mut [Tally],
        f: impl Fn(&C, &Self, &mut Tally) -> ContactState + Sync + Send,
    ) {
        let chunks = contacts.chunks(CHUNK).zip(states.chunks_mut(CHUNK)).zip(tallies);
        for ((contacts, states), tally) in chunks {
            for (contact, state) in contacts.iter().zip(states) {
                *state = f(contact, self, tally);
            }
        }
    }
}

impl Bodies for Shared<'_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn get(&self, i: u32) -> Hot {
        let load = |k: usize| f64::from_bits(self.0[i as usize].0[k].load(Relaxed));
        Hot {
            linear: Vec3::new(load(0), load(1), load(2)),
            inv_mass: load(3),
            angular: Vec3::new(load(4), load(5), load(6)),
            inv_inertia: load(7),
        }
    }

    #[inline(always)]
    fn set(&self, i: u32, linear: &Vec3, angular: &Vec3) {
        let to = &self.0[i as usize].0;
        for k in 0..3 {
            to[k].store(linear[k].to_bits(), Relaxed);
            to[4 + k].store(angular[k].to_bits(), Relaxed);
        }
    }

    #[inline(always)]
    fn each<C: Send>(
        &self,
        contacts: &mut [C],
        tallies: &mut [Tally],
        f: impl Fn(&mut [C], &Self, &mut Tally) + Sync + Send,
    ) {
        match tallies {
            // One chunk is not worth waking a thread.
            [tally] => f(contacts, self, tally),
            _ => contacts
                .par_chunks_mut(CHUNK)
                .zip(tallies.par_iter_mut())
                .for_each(|(contacts, tally)| f(contacts, self, tally)),
        }
    }

    fn all<M: Send>(&self, with: &mut [M], f: impl Fn(u32, &mut M, &Self) + Sync + Send) {
        with.par_iter_mut().with_min_len(CHUNK).enumerate().for_each(|(i, m)| f(i as u32, m, self));
    }

    fn inspect<C: Sync>(
        &self,
        contacts: &[C],
        states: &mut [ContactState],
        tallies: &mut [Tally],
        f: impl Fn(&C, &Self, &mut Tally) -> ContactState + Sync + Send,
    ) {
        let chunks = contacts.par_chunks(CHUNK).zip(states.par_chunks_mut(CHUNK)).zip(tallies);
        chunks.for_each(|((contacts, states), tally)| {
            for (contact, state) in contacts.iter().zip(states) {
                *state = f(contact, self, tally);
            }
        });
    }
}

/// The two forms of the array; only the one in use is filled.
#[derive(Debug, Default)]
pub(in crate::solver) struct HotArray {
    single: Vec<Hot>,
    shared: Vec<SharedHot>,
}

impl HotArray {
    /// Loads velocities, and the masses of `world`, in the order of `bodies`.
    pub(in crate::solver) fn load(&mut self, world: &World, bodies: &[u32], velocities: &[Velocity]) {
        let hot = |i: &u32| {
            let i = *i as usize;
            let Velocity { linear, angular } = velocities[i];
            let (inv_mass, inv_inertia) =
                if world.is_free(i) { (1.0 / world.masses()[i], 1.0 / world.inertias()[i].x) } else { (0.0, 0.0) };
            Hot { linear, inv_mass, angular, inv_inertia }
        };
        self.single.clear();
        self.single.extend(bodies.iter().map(hot));
    }

    /// Stores the velocities of the bodies, loaded in the order of `bodies`.
    pub(in crate::solver) fn store(&self, bodies: &[u32], velocities: &mut [Velocity]) {
        for (i, from) in bodies.iter().zip(&self.single) {
            velocities[*i as usize] = Velocity { linear: from.linear, angular: from.angular };
        }
    }

    /// The bodies for one thread.
    pub(in crate::solver) fn single(&mut self) -> Single<'_> {
        Single(Cell::from_mut(self.single.as_mut_slice()).as_slice_of_cells())
    }

    /// The bodies for several threads; [`HotArray::join`] brings their velocities back.
    pub(in crate::solver) fn share(&mut self) {
        self.shared.resize_with(self.single.len(), SharedHot::default);
        for (to, from) in self.shared.iter_mut().zip(&self.single) {
            let numbers = [from.linear.as_slice(), &[from.inv_mass], from.angular.as_slice(), &[from.inv_inertia]];
            for (to, from) in to.0.iter_mut().zip(numbers.into_iter().flatten()) {
                *to.get_mut() = from.to_bits();
            }
        }
    }

    /// The shared form of the array.
    pub(in crate::solver) fn shared(&self) -> Shared<'_> {
        Shared(&self.shared)
    }

    /// Takes the velocities back from the shared form.
    pub(in crate::solver) fn join(&mut self) {
        let shared = Shared(&self.shared);
        for (i, to) in self.single.iter_mut().enumerate() {
            let from = shared.get(i as u32);
            to.linear = from.linear;
            to.angular = from.angular;
        }
    }
}

//! The order in which sweeps see bodies and contacts: by place, so that what is near in space is near in memory.
//!
//! Bodies are ranked along a Z curve through cells of about the smallest body's size, contacts by the rank of their
//! first body. Both are functions of the present positions and of the contact list alone: of no history and of no
//! thread. Walls come after all free bodies: they are in few contacts each, or in very many and then always at hand.
//!
//! Few bodies stay in the cache in any order and keep their own: sweeps of a small scene do not change when it is
//! shifted.

use crate::collision::Contact;
use crate::world::World;
use rayon::iter::IndexedParallelIterator;
use rayon::iter::IntoParallelRefMutIterator;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSliceMut;

/// Bodies from which on the order is that of space.
const MANY: usize = 20_000;

/// Bits of a cell's number along each axis; cells repeat beyond, which costs nothing but nearness.
const BITS: u32 = 10;

/// Order of bodies and contacts. It holds buffers only.
#[derive(Debug, Default)]
pub(in crate::solver) struct Order {
    /// The bodies by rank.
    pub(in crate::solver) bodies: Vec<u32>,
    /// The rank of each body.
    pub(in crate::solver) rank: Vec<u32>,
    /// The contacts in the order of their visits, colour by colour still to come.
    pub(in crate::solver) contacts: Vec<u32>,
    keys: Vec<u64>,
    starts: Vec<u32>,
}

impl Order {
    /// Orders the bodies of `world` and its `contacts`.
    pub(in crate::solver) fn arrange(&mut self, world: &World, contacts: &[Contact]) {
        if world.len() < MANY {
            self.bodies.clear();
            self.bodies.extend(0..world.len() as u32);
            self.rank.clone_from(&self.bodies);
            self.contacts.clear();
            self.contacts.extend(0..contacts.len() as u32);
        } else {
            self.rank_bodies(world);
            self.order_contacts(contacts);
        }
    }

    fn rank_bodies(&mut self, world: &World) {
        let sizes = world.shapes().iter().zip(world.free()).filter(|(_, free)| **free).map(|(shape, _)| shape.size());
        let inverse = 1.0 / sizes.fold(f64::INFINITY, f64::min);
        self.keys.resize(world.len(), 0);
        self.keys.par_iter_mut().with_min_len(1024).enumerate().for_each(|(i, key)| {
            let cell = world.positions()[i] * inverse;
            // Cast from floor: what is no number or out of range goes to some cell, which is all that is asked.
            let along = |x: f64| spread(x.floor() as i64 as u64 & ((1 << BITS) - 1));
            let place = along(cell.x) | along(cell.y) << 1 | along(cell.z) << 2;
            *key = u64::from(!world.is_free(i)) << 63 | place << 32 | i as u64;
        });
        // The index is part of the key, so there is one order.
        self.keys.par_sort_unstable();
        self.bodies.clear();
        self.bodies.extend(self.keys.iter().map(|key| *key as u32));
        self.rank.resize(world.len(), 0);
        for (rank, body) in self.bodies.iter().enumerate() {
            self.rank[*body as usize] = rank as u32;
        }
    }

    /// Counting sort by the lesser rank of the two bodies; contacts of one rank keep the order of the list.
    fn order_contacts(&mut self, contacts: &[Contact]) {
        let Self { rank, starts, .. } = self;
        let first = |contact: &Contact| rank[contact.a as usize].min(rank[contact.b as usize]) as usize;
        starts.clear();
        starts.resize(rank.len() + 1, 0);
        for contact in contacts {
            starts[first(contact) + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        self.contacts.resize(contacts.len(), 0);
        for (i, contact) in contacts.iter().enumerate() {
            let place = &mut starts[first(contact)];
            self.contacts[*place as usize] = i as u32;
            *place += 1;
        }
    }
}

/// The bits of `x` at every third place.
fn spread(x: u64) -> u64 {
    let x = (x | x << 16) & 0x0300_00FF;
    let x = (x | x << 8) & 0x0300_F00F;
    let x = (x | x << 4) & 0x030C_30C3;
    (x | x << 2) & 0x0924_9249
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::MaterialId;
    use crate::material::Materials;
    use crate::math::Vec3;
    use crate::shape::Shape;
    use crate::world::Body;

    #[test]
    fn bits_are_spread_to_every_third_place() {
        for x in [0, 1, 2, 5, 0b11_0101_1001, 1023_u64] {
            let slow = (0..BITS).fold(0, |sum, k| sum | (x >> k & 1) << (3 * k));
            assert_eq!(spread(x), slow, "{x:b}");
        }
    }

    #[test]
    fn neighbours_in_space_get_near_ranks_whatever_their_number_and_walls_come_last() {
        // A grid of 8 × 8 × 8 balls in a scrambled order; 37 has no factor in common with 512.
        let at = |k: usize| Vec3::new((k % 8) as f64, (k / 8 % 8) as f64, (k / 64) as f64);
        let mut bodies = vec![Body::new(Shape::HalfSpace, MaterialId(0)).fixed()];
        bodies.extend((0..512).map(|k| Body::new(Shape::sphere(0.5), MaterialId(0)).at(at(k * 37 % 512))));
        let world = World::new(Vec3::zeros(), Materials::single(1.0, 0.5).expect("valid"), bodies).expect("valid");
        let mut order = Order::default();
        order.rank_bodies(&world);
        assert_eq!(order.rank[0], 512, "the wall");
        let near = |i: usize, j: usize| (world.positions()[i] - world.positions()[j]).norm() < 1.1;
        let mut apart = 0.0;
        let mut pairs = 0.0;
        for i in 1..=512 {
            for j in (1..i).filter(|j| near(i, *j)) {
                apart += f64::from(order.rank[i].abs_diff(order.rank[j]));
                pairs += 1.0;
            }
        }
        // In a random order neighbours are 171 ranks apart on average, a third of all.
        assert!(apart / pairs < 40.0, "neighbours are {} ranks apart", apart / pairs);
    }

    #[test]
    fn contacts_follow_the_rank_of_their_first_body() {
        let mut order = Order { rank: vec![2, 0, 1, 3], ..Order::default() };
        let contact = |a, b| Contact { a, b, feature: 0, point_w: Vec3::zeros(), normal_w: Vec3::x(), gap: 0.0 };
        order.order_contacts(&[contact(0, 3), contact(0, 1), contact(0, 2), contact(2, 3)]);
        assert_eq!(order.contacts, [1, 2, 3, 0]);
    }
}

//! Bodies that come and go.
//!
//! A removed body leaves the arrays, so it costs nothing from then on. The bodies behind it move up and keep their
//! order: what was sorted by index stays sorted when indices are replaced by the new ones.

use crate::world::Body;
use crate::world::Driven;
use crate::world::World;

/// The new index of a body that was removed.
pub const REMOVED: u32 = u32::MAX;

impl World {
    /// Adds a body behind all others and gives it a new id; returns its index.
    ///
    /// # Panics
    ///
    /// If something is wrong with the body, as [`World::new`] would say. It must not be driven: drives are functions of
    /// a time that begins with the world.
    pub fn add(&mut self, body: Body) -> usize {
        let mut faults = Vec::new();
        self.push(body, &mut faults);
        assert!(faults.is_empty(), "a body that was checked before: {faults:?}");
        self.len() - 1
    }

    /// Removes the bodies that `gone` names by their index. Writes the new index of each body, or [`REMOVED`], to
    /// `map`; returns how many are gone.
    pub fn remove(&mut self, gone: impl Fn(&Self, usize) -> bool, map: &mut Vec<u32>) -> usize {
        map.clear();
        let mut next = 0;
        for i in 0..self.len() {
            if gone(self, i) {
                map.push(REMOVED);
            } else {
                map.push(next);
                next += 1;
            }
        }
        let removed = self.len() - next as usize;
        if removed == 0 {
            return 0;
        }
        keep(&mut self.shapes, map);
        keep(&mut self.material, map);
        keep(&mut self.positions, map);
        keep(&mut self.orientations, map);
        keep(&mut self.velocities, map);
        keep(&mut self.masses, map);
        keep(&mut self.inertias, map);
        keep(&mut self.frames, map);
        keep(&mut self.forces, map);
        keep(&mut self.torques, map);
        keep(&mut self.free, map);
        keep(&mut self.ids, map);
        self.drives.retain_mut(|Driven { body, .. }| {
            *body = map[*body as usize];
            *body != REMOVED
        });
        removed
    }

    /// The index of the body with the id `id`, if it is there.
    pub fn index_of(&self, id: u32) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }
}

/// Keeps the entries that have a new index, in their order.
fn keep<T>(array: &mut Vec<T>, map: &[u32]) {
    let mut place = map.iter();
    array.retain(|_| place.next().is_some_and(|new| *new != REMOVED));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::material::MaterialId;
    use crate::material::Materials;
    use crate::math::Vec3;
    use crate::shape::Shape;
    use crate::world::Drive;

    #[test]
    fn the_others_keep_their_order_their_ids_and_their_drives() {
        let ball = |x: f64| Body::new(Shape::sphere(0.1 + x), MaterialId(0)).at(Vec3::new(x, 0.0, 0.0));
        let drive = Drive { linear: Vec3::x(), ..Drive::default() };
        let bodies = vec![ball(0.0), ball(1.0), ball(2.0).driven(drive.clone()), ball(3.0), ball(4.0).driven(drive)];
        let mut world = World::new(Vec3::zeros(), Materials::single(1.0, 0.3).expect("valid"), bodies).expect("valid");
        let mut map = Vec::new();
        assert_eq!(world.remove(|_, _| false, &mut map), 0);
        let removed = world.remove(|world, i| [0, 2].contains(&world.ids()[i]), &mut map);
        assert_eq!((removed, map.as_slice()), (2, &[REMOVED, 0, REMOVED, 1, 2][..]));
        let x: Vec<_> = world.positions().iter().map(|x| x.x as u32).collect();
        assert_eq!((world.ids(), x.as_slice()), (&[1, 3, 4][..], &[1, 3, 4][..]));
        assert_eq!(world.drives().iter().map(|driven| driven.body).collect::<Vec<_>>(), [2]);
        assert_eq!((world.index_of(3), world.index_of(2)), (Some(1), None));
        assert_eq!(world.add(ball(7.0)), 3);
        assert_eq!((world.ids()[3], world.ever()), (5, 6));
    }
}

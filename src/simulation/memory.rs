//! What a simulation remembers from step to step, beside its world.

use crate::collision::Contact;
use crate::math::Vec3;
use crate::penalty::ContactHistory;
use crate::simulation::CompliantLaw;
use crate::simulation::Flow;
use crate::simulation::ItemsState;
use crate::simulation::Ledger;
use crate::world::REMOVED;

/// The impulse of a contact in the last step.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Remembered {
    /// First body.
    pub a: u32,
    /// Second body.
    pub b: u32,
    /// Which contact of the pair.
    pub feature: u32,
    /// Impulse on a in N·s, in the inertial frame: the tangents of a contact frame jump when the normal turns.
    pub impulse_w: Vec3,
}

impl Remembered {
    fn key(&self) -> (u32, u32, u32) {
        (self.a, self.b, self.feature)
    }
}

/// Everything beside the world that the next step depends on: a checkpoint saves both.
#[derive(Clone, Debug, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub struct Memory {
    /// Steps made.
    pub step: u64,
    /// Simulated time in s.
    pub time: f64,
    /// Impulses to start from, sorted by (a, b, feature).
    pub impulses: Vec<Remembered>,
    /// Energy at the beginning and the work since.
    pub ledger: Ledger,
    /// Histories of the overlapping contacts under `penalty`, sorted by (a, b, feature).
    pub histories: Vec<ContactHistory>,
    /// The force law under `penalty`, derived at the first step.
    pub compliant: Option<CompliantLaw>,
    /// What has come and gone.
    pub flow: Flow,
    /// State of contact items and masses, where the settings have some.
    pub items: Option<ItemsState>,
}

impl Memory {
    /// Finds the impulse of each contact in the last step (zero: it had none); both lists are sorted, so one pass
    /// does it.
    pub(in crate::simulation) fn recall(&self, contacts: &[Contact], starts: &mut Vec<Vec3>) {
        starts.clear();
        let mut old = self.impulses.iter().peekable();
        for contact in contacts {
            let key = (contact.a, contact.b, contact.feature);
            while old.next_if(|old| old.key() < key).is_some() {}
            starts.push(old.next_if(|old| old.key() == key).map_or(Vec3::zeros(), |old| old.impulse_w));
        }
    }

    /// Remembers the impulses of this step; those of zero are not kept.
    pub(in crate::simulation) fn remember(&mut self, contacts: &[Contact], impulses_w: &[Vec3]) {
        self.impulses.clear();
        for (contact, impulse_w) in contacts.iter().zip(impulses_w) {
            if *impulse_w != Vec3::zeros() {
                let Contact { a, b, feature, .. } = *contact;
                self.impulses.push(Remembered { a, b, feature, impulse_w: *impulse_w });
            }
        }
    }

    /// Goes over to the new indices in `map`; what belonged to a removed body is forgotten. The bodies keep their order,
    /// so both lists stay sorted.
    pub(in crate::simulation) fn renumber(&mut self, map: &[u32]) {
        let renamed = |a: &mut u32, b: &mut u32| {
            (*a, *b) = (map[*a as usize], map[*b as usize]);
            *a != REMOVED && *b != REMOVED
        };
        self.impulses.retain_mut(|old| renamed(&mut old.a, &mut old.b));
        self.histories.retain_mut(|old| renamed(&mut old.a, &mut old.b));
    }

    /// Largest remembered impulse in N·s.
    pub(in crate::simulation) fn largest_impulse(&self) -> f64 {
        self.impulses.iter().map(|old| old.impulse_w.norm()).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(a: u32, b: u32, feature: u32) -> Contact {
        Contact { a, b, feature, point_w: Vec3::zeros(), normal_w: Vec3::x(), gap: 0.0 }
    }

    #[test]
    fn an_impulse_finds_its_contact_again_and_no_other() {
        let before = [contact(0, 1, 0), contact(0, 1, 2), contact(3, 4, 0), contact(5, 9, 1)];
        let impulses: Vec<_> = (1..=4).map(|k| Vec3::repeat(f64::from(k))).collect();
        let mut memory = Memory::default();
        memory.remember(&before, &impulses);
        let now = [contact(0, 1, 1), contact(0, 1, 2), contact(2, 4, 0), contact(3, 4, 0), contact(7, 8, 0)];
        let mut starts = Vec::new();
        memory.recall(&now, &mut starts);
        let found: Vec<_> = starts.iter().map(|impulse| impulse.x as u32).collect();
        assert_eq!(found, [0, 2, 0, 3, 0]);
        // Bodies 0 and 5 go: the contact of 3 and 4, now 2 and 3, keeps its impulse.
        memory.renumber(&[REMOVED, 0, 1, 2, 3, REMOVED, 4, 5, 6, 7]);
        memory.recall(&[contact(0, 1, 0), contact(2, 3, 0), contact(4, 7, 1)], &mut starts);
        let found: Vec<_> = starts.iter().map(|impulse| impulse.x as u32).collect();
        assert_eq!((found.as_slice(), memory.impulses.len()), (&[0, 3, 0][..], 1));
    }
}

//! Greedy colouring of the contacts, so that those of one colour can be visited at the same time.
//!
//! Two contacts of one colour share no movable body. Contacts are taken in the order of visits and each gets the lowest
//! colour that neither of its bodies has, so the colouring is a function of the contact list and that order alone. Fixed and driven bodies
//! are only read and bind no colour: all contacts with the floor may have the same.

use crate::collision::Contact;

/// Colours a body can have: the bits of a word. A body with more contacts than that (a large one among small ones)
/// leaves the rest to a serial group.
const COLOURS: u32 = u64::BITS;

/// Colour of a contact that found none free: visited alone, after all colours.
pub(in crate::solver) const SERIAL: u8 = COLOURS as u8;

/// Colours the contacts in the order `order`: one entry each in `colours`. `used` is a buffer with a word a body.
pub(in crate::solver) fn colour(
    contacts: &[Contact],
    order: &[u32],
    movable: &[bool],
    used: &mut Vec<u64>,
    colours: &mut Vec<u8>,
) {
    used.clear();
    used.resize(movable.len(), 0);
    colours.clear();
    colours.resize(contacts.len(), SERIAL);
    for i in order.iter().map(|i| *i as usize) {
        let contact = &contacts[i];
        let (a, b) = (contact.a as usize, contact.b as usize);
        let taken = used[a] | used[b];
        let colour = taken.trailing_ones();
        if colour == COLOURS {
            continue;
        }
        for i in [a, b] {
            if movable[i] {
                used[i] |= 1 << colour;
            }
        }
        colours[i] = colour as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    fn contact(a: u32, b: u32) -> Contact {
        Contact { a, b, feature: 0, point_w: Vec3::zeros(), normal_w: Vec3::x(), gap: 0.0 }
    }

    fn in_order(n: usize) -> Vec<u32> {
        (0..n as u32).collect()
    }

    #[test]
    fn no_two_contacts_of_a_colour_share_a_movable_body() {
        // A grid of 12 × 12 balls on a floor (body 144), each touching its neighbours, diagonals too.
        let mut contacts = Vec::new();
        let n = 12;
        for i in 0..n * n {
            for j in [i + 1, i + n, i + n + 1] {
                if j < n * n {
                    contacts.push(contact(i, j));
                }
            }
            contacts.push(contact(i, n * n));
        }
        let mut movable = vec![true; 145];
        movable[144] = false;
        let (mut used, mut colours) = (Vec::new(), Vec::new());
        colour(&contacts, &in_order(contacts.len()), &movable, &mut used, &mut colours);
        assert!(colours.iter().all(|c| *c < 8), "at most 7 contacts a ball, but {:?}", colours.iter().max());
        for (i, p) in contacts.iter().enumerate() {
            for (j, q) in contacts.iter().enumerate().skip(i + 1) {
                let shared = [p.a, p.b].iter().any(|k| *k != 144 && (*k == q.a || *k == q.b));
                assert!(!(shared && colours[i] == colours[j]), "{p:?} and {q:?} have colour {}", colours[i]);
            }
        }
    }

    #[test]
    fn a_body_with_more_contacts_than_colours_leaves_the_rest_to_the_serial_group() {
        let contacts: Vec<_> = (1..=100).map(|b| contact(0, b)).collect();
        let (mut used, mut colours) = (Vec::new(), Vec::new());
        colour(&contacts, &in_order(100), &[true; 101], &mut used, &mut colours);
        assert_eq!(colours.iter().filter(|c| **c == SERIAL).count(), 36);
        assert_eq!(colours[..64], (0..64).collect::<Vec<u8>>());
    }
}

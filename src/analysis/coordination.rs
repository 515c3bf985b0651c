//! Coordination number, with and without rattlers.

/// Mean number of contacts a body that carries force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordination {
    /// Over all members; a contact with a body that is no member (a wall) counts for the member alone.
    pub all: f64,
    /// Over members that are no rattlers, contacts with rattlers left out.
    pub without_rattlers: f64,
    /// Share of the members that are rattlers.
    pub rattlers: f64,
}

/// Coordination of the bodies that are `member`, from the pairs of bodies that press on each other, a pair a contact.
///
/// A rattler is a member with fewer than `least` contacts (4 for frictionless bodies in space, 2 where friction holds, as
/// a ball on the ground needs one); taking it away may leave others with too few: they are rattlers too.
pub fn coordination(member: &[bool], pairs: &[(usize, usize)], least: usize) -> Coordination {
    let mut held = member.to_vec();
    let count = |held: &[bool]| {
        let mut count = vec![0_usize; member.len()];
        for &(a, b) in pairs {
            // Both ends hold: as a member that is left, or as a wall.
            let holds = |i: usize| held[i] || !member[i];
            if holds(a) && holds(b) {
                count[a] += 1;
                count[b] += 1;
            }
        }
        count
    };
    let mean = |held: &[bool], count: &[usize]| {
        let bodies = held.iter().filter(|h| **h).count();
        let contacts: usize = held.iter().zip(count).filter(|(h, _)| **h).map(|(_, c)| c).sum();
        if bodies == 0 { 0.0 } else { contacts as f64 / bodies as f64 }
    };
    let members = member.iter().filter(|m| **m).count();
    let mut counts = count(&held);
    let all = mean(&held, &counts);
    loop {
        let loose: Vec<usize> = (0..held.len()).filter(|i| held[*i] && counts[*i] < least).collect();
        if loose.is_empty() {
            break;
        }
        loose.into_iter().for_each(|i| held[i] = false);
        counts = count(&held);
    }
    let left = held.iter().filter(|h| **h).count();
    Coordination {
        all,
        without_rattlers: mean(&held, &counts),
        rattlers: if members == 0 { 0.0 } else { (members - left) as f64 / members as f64 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_with_a_tail_loses_the_tail_link_by_link() {
        // A square 0-1-2-3 with both diagonals, a tail 3-4-5, a loner 6, and a wall 7 under 0.
        let member = [true, true, true, true, true, true, true, false];
        let pairs = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3), (3, 4), (4, 5), (0, 7)];
        let z = coordination(&member, &pairs, 2);
        assert!((z.all - 17.0 / 7.0).abs() < 1e-12, "{z:?}");
        assert!((z.without_rattlers - 13.0 / 4.0).abs() < 1e-12, "{z:?}");
        assert!((z.rattlers - 3.0 / 7.0).abs() < 1e-12, "{z:?}");
    }

    #[test]
    fn with_a_higher_bar_everything_rattles() {
        let z = coordination(&[true, true], &[(0, 1)], 4);
        assert!((z.all - 1.0).abs() < 1e-12 && z.without_rattlers.abs() < 1e-12 && (z.rattlers - 1.0).abs() < 1e-12);
    }
}

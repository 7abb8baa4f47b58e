//! A tour as an array, changed by reversals that can be taken back.

use pfss_core::JobId;

/// A tour and where each city stands in it.
///
/// Every change is a reversal of a path, written down in a journal: the same reversals backwards undo it. The
/// shorter side is turned around, which gives the same closed tour, so a change costs at most half the cities.
pub(super) struct Tour {
    order: Vec<JobId>,
    places: Vec<u32>,
    journal: Vec<(u32, u32)>,
}

impl Tour {
    pub(super) fn new(order: Vec<JobId>) -> Self {
        let mut places = vec![0; order.len()];
        for (place, &city) in order.iter().enumerate() {
            places[city as usize] = place as u32;
        }
        Self { order, places, journal: Vec::new() }
    }

    pub(super) fn order(&self) -> &[JobId] {
        &self.order
    }

    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The city at a place, counted around the tour.
    #[inline]
    pub(super) fn at(&self, place: usize) -> JobId {
        let place = if place >= self.order.len() { place - self.order.len() } else { place };
        self.order[place]
    }

    #[inline]
    pub(super) fn next(&self, city: JobId) -> JobId {
        self.at(self.places[city as usize] as usize + 1)
    }

    #[inline]
    pub(super) fn previous(&self, city: JobId) -> JobId {
        let place = self.places[city as usize] as usize;
        self.order[if place == 0 { self.order.len() - 1 } else { place - 1 }]
    }

    /// Replaces the ways `a-b` and `c-d` by `a-c` and `b-d`. One of the two directions of the tour must read
    /// `a b ... c d`.
    #[inline]
    pub(super) fn exchange(&mut self, [a, b, c, d]: [JobId; 4]) {
        debug_assert!(
            (self.next(a) == b && self.next(c) == d) || (self.previous(a) == b && self.previous(c) == d)
        );
        let (first, last) = if self.next(a) == b && self.next(c) == d { (b, c) } else { (c, b) };
        self.reverse_places(self.places[first as usize], self.places[last as usize]);
    }

    /// Turns the path from one place to another around, or what lies outside of it where that is shorter.
    pub(super) fn reverse_places(&mut self, first: u32, last: u32) {
        self.journal.push((first, last));
        self.turn(first as usize, last as usize);
    }

    fn turn(&mut self, first: usize, last: usize) {
        let len = self.order.len();
        let inside = if last >= first { last - first + 1 } else { last + len - first + 1 };
        let (mut left, mut right, count) = if 2 * inside <= len {
            (first, last, inside)
        } else {
            let (after, before) = (last + 1, if first == 0 { len - 1 } else { first - 1 });
            (if after == len { 0 } else { after }, before, len - inside)
        };
        for _ in 0..count / 2 {
            self.order.swap(left, right);
            self.places[self.order[left] as usize] = left as u32;
            self.places[self.order[right] as usize] = right as u32;
            left = if left + 1 == len { 0 } else { left + 1 };
            right = if right == 0 { len - 1 } else { right - 1 };
        }
    }

    /// Forgets how the tour came about: [`Tour::undo`] comes back to here.
    pub(super) fn keep(&mut self) {
        self.journal.clear();
    }

    /// Takes back everything since [`Tour::keep`].
    pub(super) fn undo(&mut self) {
        while let Some((first, last)) = self.journal.pop() {
            self.turn(first as usize, last as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn exchanges_replace_two_ways_and_can_be_taken_back(
            len in 4usize..30,
            moves in prop::collection::vec((0usize..100, 0usize..100), 0..8),
        ) {
            let start: Vec<JobId> = (0..len as JobId).collect();
            let mut tour = Tour::new(start.clone());
            for (a, c) in moves {
                let (a, c) = (tour.at(a % len), tour.at(c % len));
                let (b, d) = (tour.next(a), tour.next(c));
                if a == c || b == c {
                    continue;
                }
                tour.exchange([a, b, c, d]);
                prop_assert!(tour.next(a) == c || tour.previous(a) == c);
                prop_assert!(d == a || tour.next(b) == d || tour.previous(b) == d);
                let mut seen = tour.order().to_vec();
                seen.sort_unstable();
                prop_assert_eq!(&seen, &start);
            }
            tour.undo();
            prop_assert_eq!(tour.order(), start);
        }
    }
}

//! The best orders of the islands, for children of two of them.

use std::sync::{Mutex, PoisonError};

use pfss_core::{JobId, Rng, Time};
use rand::RngExt;

/// When islands exchange orders: after these shares of the time.
pub const EXCHANGES: [f64; 4] = [0.25, 0.5, 0.7, 0.85];

/// An order and its cost.
type Elite<T> = (T, Vec<JobId>);

/// At most so many orders are kept that no island found.
const GUESTS: usize = 8;

/// One order per island: the best that it found itself; and a few from elsewhere, such as leaves of beams.
pub struct Elites<T> {
    known: Mutex<Known<T>>,
}

struct Known<T> {
    best: Vec<Option<Elite<T>>>,
    /// The best first, of different costs.
    guests: Vec<Elite<T>>,
}

impl<T: Time> Elites<T> {
    /// For so many islands.
    pub fn new(islands: usize) -> Self {
        Self { known: Mutex::new(Known { best: vec![None; islands], guests: Vec::new() }) }
    }

    /// Takes an order that no island found, as a parent for others.
    pub fn add_guest(&self, cost: T, order: &[JobId]) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let place = known.guests.partition_point(|(other, _)| *other < cost);
        if place < GUESTS && known.guests.get(place).is_none_or(|(other, _)| *other > cost) {
            known.guests.insert(place, (cost, order.to_vec()));
            known.guests.truncate(GUESTS);
        }
    }

    /// Notes the best order of an island elsewhere.
    pub fn hear(&self, island: usize, cost: T, order: Vec<JobId>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = known.best.get_mut(island) {
            *place = Some((cost, order));
        }
    }

    /// Tells of the best order of an island. Where at least half of the others are better, returns two parents for a new start:
    /// one of the better half of the islands, and any other order.
    pub fn exchange(
        &self,
        island: usize,
        cost: T,
        order: &[JobId],
        rng: &mut Rng,
    ) -> Option<[Vec<JobId>; 2]> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Known { best, guests } = &mut *known;
        *best.get_mut(island)? = Some((cost, order.to_vec()));
        let mut ranked: Vec<(u64, usize)> = Vec::new();
        for (number, elite) in best.iter().enumerate() {
            ranked.extend(elite.iter().map(|(cost, _)| (cost.to_bits(), number)));
        }
        ranked.sort_unstable();
        let rank = ranked.iter().position(|&(_, number)| number == island)?;
        let better = ranked.len() / 2;
        if rank < ranked.len().div_ceil(2) || better == 0 {
            return None;
        }
        let of_island = |place: usize| best[ranked[place].1].as_ref().map(|(_, order)| order.clone());
        let one = of_island(rng.random_range(0..better))?;
        let other = rng.random_range(0..ranked.len() + guests.len());
        let other = match guests.get(other.wrapping_sub(ranked.len())) {
            Some((_, guest)) => guest.clone(),
            None => of_island(other)?,
        };
        Some([one, other])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Seed;

    #[test]
    fn the_worse_half_gets_parents() {
        let elites = Elites::new(4);
        let mut rng = Seed::new(1).rng();
        assert_eq!(elites.exchange(0, 10u32, &[0], &mut rng), None);
        // Alone with a better one, the second of two starts anew.
        assert_eq!(elites.exchange(1, 11, &[1], &mut rng).map(|parents| parents[0].clone()), Some(vec![0]));
        assert_eq!(elites.exchange(2, 9, &[2], &mut rng), None);
        assert!(elites.exchange(3, 12, &[3], &mut rng).is_some());
        for _ in 0..50 {
            let [one, other] = elites.exchange(3, 12, &[3], &mut rng).unwrap();
            assert!([0, 2].contains(&one[0]) && other[0] < 4);
        }
        assert_eq!(elites.exchange(9, 1, &[0], &mut rng), None);
    }

    #[test]
    fn guests_are_parents_and_few() {
        let elites = Elites::new(2);
        let mut rng = Seed::new(1).rng();
        for cost in (0..20u32).rev() {
            elites.add_guest(100 + cost, &[cost]);
            elites.add_guest(100 + cost, &[99]);
        }
        elites.exchange(0, 10u32, &[50], &mut rng);
        let mut guests = std::collections::BTreeSet::new();
        for _ in 0..200 {
            let [one, other] = elites.exchange(1, 11, &[51], &mut rng).unwrap();
            assert_eq!(one, [50]);
            guests.extend(other.into_iter().filter(|&job| job < 50));
        }
        assert_eq!(guests.into_iter().collect::<Vec<_>>(), (0..GUESTS as u32).collect::<Vec<_>>());
    }
}

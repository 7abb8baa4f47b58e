//! The best orders of the islands, for children of two of them.

use std::sync::{Mutex, PoisonError};

use pfss_core::{JobId, Rng, Time};
use rand::RngExt;

/// An order and its cost.
type Elite<T> = (T, Vec<JobId>);

/// One order per island: the best that it found itself.
pub(crate) struct Elites<T> {
    best: Mutex<Vec<Option<Elite<T>>>>,
}

impl<T: Time> Elites<T> {
    /// For so many islands.
    pub(crate) fn new(islands: usize) -> Self {
        Self { best: Mutex::new(vec![None; islands]) }
    }

    /// Tells of the best order of an island. Where at least half of the others are better, returns two parents for a new start:
    /// one of the better half and any other.
    pub(super) fn exchange(
        &self,
        island: usize,
        cost: T,
        order: &[JobId],
        rng: &mut Rng,
    ) -> Option<[Vec<JobId>; 2]> {
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        *best.get_mut(island)? = Some((cost, order.to_vec()));
        let mut known: Vec<(u64, usize)> = Vec::new();
        for (number, elite) in best.iter().enumerate() {
            known.extend(elite.iter().map(|(cost, _)| (cost.to_bits(), number)));
        }
        known.sort_unstable();
        let rank = known.iter().position(|&(_, number)| number == island)?;
        let better = known.len() / 2;
        if rank < known.len().div_ceil(2) || better == 0 {
            return None;
        }
        let one = known[rng.random_range(0..better)].1;
        let other = known[rng.random_range(0..known.len())].1;
        let order = |number: usize| best[number].as_ref().map(|(_, order)| order.clone());
        Some([order(one)?, order(other)?])
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
}

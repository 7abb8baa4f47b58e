//! Islands with much time: searches from different starts one after the other, then searches from orders between two of
//! the best that were found.

use std::sync::{Mutex, PoisonError};

use pfss_core::{JobId, Rng, Time};
use rand::RngExt;

/// Iterations of one search. With fewer, one long search is better: on 100 x 40 with 220,000 iterations in all by 0.1 %. On Taillard's
/// 50 x 20 eight searches of 110,000 end at 0.18 % above the best known, one of 900,000 at 0.26 %.
const ITERATIONS: f64 = 7.5e4;
/// All islands together make at least so many searches; one island at most so many.
const LEAST_SEARCHES: usize = 8;
const MOST_SEARCHES: usize = 12;

/// So many of the best orders are kept.
const KEPT: usize = 8;

/// The best orders of all searches, of islands and beams, that are different.
pub(super) struct Best<T> {
    /// The best first.
    orders: Mutex<Vec<(T, Vec<JobId>)>>,
}

impl<T: Time> Best<T> {
    /// None yet.
    pub(super) fn new() -> Self {
        Self { orders: Mutex::new(Vec::new()) }
    }

    /// Takes an order that may be one of the best.
    pub(super) fn keep(&self, cost: T, order: &[JobId]) {
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        if orders.iter().any(|(_, other)| other == order) {
            return;
        }
        let place = orders.partition_point(|(other, _)| *other <= cost);
        if place < KEPT {
            orders.insert(place, (cost, order.to_vec()));
            orders.truncate(KEPT);
        }
    }

    /// Any two of them.
    fn two(&self, rng: &mut Rng) -> Option<[Vec<JobId>; 2]> {
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let len = orders.len();
        if len < 2 {
            return None;
        }
        let one = rng.random_range(0..len);
        let other = (one + rng.random_range(1..len)) % len;
        Some([one, other].map(|number| orders[number].1.clone()))
    }
}

/// Where the next search begins.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    /// Anywhere.
    Random,
    /// Between two orders.
    Between([Vec<JobId>; 2]),
}

/// The searches of one island, all of the same length.
pub(super) struct Generations {
    searches: usize,
    /// Those with starts of their own; the others begin between two orders.
    starts: usize,
    done: usize,
}

impl Generations {
    /// What so many iterations on each of some islands are enough for, if for several searches at all.
    pub(super) fn new(iterations: f64, islands: usize) -> Option<Self> {
        let searches = ((iterations / ITERATIONS) as usize).min(MOST_SEARCHES);
        let all = searches * islands;
        let starts = (all / 2).min(KEPT).div_ceil(islands.max(1));
        let pays = all >= LEAST_SEARCHES && searches >= LEAST_SEARCHES / 2;
        pays.then_some(Self { searches, starts, done: 0 })
    }

    /// How much of the search that goes on now is over, when this much of all is.
    pub(super) fn progress(&self, of_all: f64) -> f64 {
        (of_all * self.searches as f64 - self.done as f64).clamp(0.0, 1.0)
    }

    /// Whether the search that goes on now is over, and another one comes after it.
    pub(super) fn is_over(&self, of_all: f64) -> bool {
        self.progress(of_all) >= 1.0 && self.done + 1 < self.searches
    }

    /// Ends a search, whose best order is among the `best`, and says how the next one begins.
    pub(super) fn end_search<T: Time>(&mut self, best: &Best<T>, rng: &mut Rng) -> Beginning {
        self.done += 1;
        match best.two(rng) {
            Some(two) if self.done >= self.starts => Beginning::Between(two),
            _ => Beginning::Random,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Seed;

    #[test]
    fn short_runs_have_one_search() {
        let of = |iterations: f64, islands: usize| {
            Generations::new(iterations, islands)
                .map(|generations| (generations.searches, generations.starts))
        };
        assert_eq!([of(5e5, 1), of(2e5, 4), of(2e5, 16)], [None; 3]);
        assert_eq!([of(6e5, 1), of(1e9, 1)], [(8, 4), (12, 6)].map(Some));
        assert_eq!([of(3e5, 2), of(6e5, 2), of(3e5, 4)], [(4, 2), (8, 4), (4, 2)].map(Some));
        assert_eq!(of(6e5, 16), Some((8, 1)));
    }

    #[test]
    fn starts_come_first_and_then_what_lies_between_the_best() {
        let mut generations = Generations::new(6e5, 1).unwrap();
        let best = Best::new();
        let mut rng = Seed::new(1).rng();
        assert_eq!([0.0, 0.0625, 0.3].map(|all| generations.progress(all)), [0.0, 0.5, 1.0]);
        for number in 0..3u32 {
            best.keep(20 - number, &[number]);
            assert_eq!(generations.end_search(&best, &mut rng), Beginning::Random);
        }
        assert_eq!(generations.progress(0.375), 0.0);
        for number in 3..7u32 {
            assert!(generations.is_over(f64::from(number + 1) / 8.0));
            best.keep(20 - number, &[number]);
            let beginning = generations.end_search(&best, &mut rng);
            let Beginning::Between([one, other]) = beginning else { panic!("{beginning:?}") };
            assert_ne!(one, other);
        }
        assert!(!generations.is_over(1.0));
    }

    #[test]
    fn the_best_are_few_and_different() {
        let best = Best::new();
        for number in 0..20u32 {
            best.keep(100 - number, &[number]);
            best.keep(100 - number, &[number]);
        }
        let orders = best.orders.into_inner().unwrap();
        assert_eq!(orders.len(), KEPT);
        assert!(
            orders
                .iter()
                .zip(81..)
                .all(|((cost, order), expected)| *cost == expected && order[0] == 100 - expected)
        );
    }
}

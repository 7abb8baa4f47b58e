//! What a search learns of the two-machine test: at which depths it pays with how many pairs, and which pairs of machines exclude most.

use std::sync::{Mutex, TryLockError};

/// Thorough tests at a depth before it is judged, and at all depths before pairs are ranked.
const SAMPLE: u64 = 64;

/// What the test of one child with one group costs, in branched nodes (by instructions on 20x10).
const COST: f64 = 0.25;

/// Groups of pairs that a child may be tested with, one after the other.
pub(super) const GROUPS: usize = 12;

/// Children that only the second test excludes have small subtrees: this part of the mean.
const DISCOUNT: f64 = 0.3;

/// Subtrees of so many branched nodes, in the mean, are large; told only after so many nodes.
const LARGE: f64 = 64.0;
const ENOUGH: u64 = 1 << 14;

/// What is known of one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Advice {
    /// With how many groups of pairs the children that come to this depth are best tested.
    pub(super) groups: u8,
    /// Whether much is spared with a node of this depth.
    pub(super) has_large_subtrees: bool,
}

/// What was seen at one depth.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Record {
    /// Branched nodes.
    pub(super) visits: u64,
    /// Children that were tested thoroughly, and those that each group of the best pairs was the first to exclude.
    pub(super) tests: u64,
    pub(super) hits: [u64; GROUPS],
}

/// What was seen of the test.
#[derive(Clone, Debug)]
pub(super) struct Experience {
    /// By the number of jobs that are placed.
    pub(super) records: Vec<Record>,
    /// How many children each pair excluded in thorough tests.
    pub(super) hits: Vec<u32>,
    /// How many thorough tests there were.
    pub(super) thorough: u64,
}

impl Experience {
    /// None at all.
    pub(super) fn new(num_jobs: usize, num_pairs: usize) -> Self {
        Self { records: vec![Record::default(); num_jobs + 1], hits: vec![0; num_pairs], thorough: 0 }
    }

    /// Adds another one's, which is forgotten there.
    fn absorb(&mut self, other: &mut Self) {
        for (sum, record) in self.records.iter_mut().zip(&mut other.records) {
            sum.visits += record.visits;
            sum.tests += record.tests;
            for (sum, hits) in sum.hits.iter_mut().zip(record.hits) {
                *sum += hits;
            }
            *record = Record::default();
        }
        if other.thorough > 0 {
            for (sum, hits) in self.hits.iter_mut().zip(&mut other.hits) {
                *sum += std::mem::take(hits);
            }
            self.thorough += std::mem::take(&mut other.thorough);
        }
    }

    /// What is to be done at each depth. Groups pay where what they spare, in branched nodes, exceeds what they cost.
    fn judge(&self, advice: &mut [Advice]) {
        let mut below = 0;
        for (record, Advice { groups, has_large_subtrees }) in self.records.iter().zip(advice).rev() {
            below += record.visits;
            if record.visits == 0 {
                continue;
            }
            let subtree = below as f64 / record.visits as f64;
            *has_large_subtrees = subtree >= LARGE && below >= ENOUGH;
            if record.tests >= SAMPLE {
                let (mut left, mut gain, mut best) = (record.tests as f64, 0.0, 0.0);
                *groups = 0;
                for (group, &hits) in record.hits.iter().enumerate() {
                    gain += hits as f64 * subtree * DISCOUNT - left * COST;
                    left -= hits as f64;
                    if gain > best {
                        best = gain;
                        *groups = group as u8 + 1;
                    }
                }
            }
        }
    }
}

/// What all threads of a search have learnt together, for the whole search.
pub(super) struct Lessons {
    state: Mutex<State>,
}

struct State {
    all: Experience,
    /// The pairs by how much they exclude, as they were when so many thorough tests had been made.
    ranking: Vec<u32>,
    /// How often the ranking was renewed, and after how many thorough tests it is renewed again.
    version: u64,
    renew_at: u64,
}

impl Lessons {
    /// Nothing learnt yet.
    pub(super) fn new(num_jobs: usize, num_pairs: usize) -> Self {
        let all = Experience::new(num_jobs, num_pairs);
        Self { state: Mutex::new(State { all, ranking: Vec::new(), version: 0, renew_at: SAMPLE }) }
    }

    /// Adds what one thread saw since the last time, and tells what all of them know. Returns the best pairs where they
    /// changed since `version`. Where another thread is doing the same, nothing happens: next time will do.
    pub(super) fn exchange(
        &self,
        news: &mut Experience,
        advice: &mut [Advice],
        version: &mut u64,
        best: usize,
    ) -> Option<Vec<u32>> {
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return None,
        };
        let state = &mut *state;
        state.all.absorb(news);
        state.all.judge(advice);
        if state.all.thorough >= state.renew_at {
            state.renew_at = 2 * state.all.thorough;
            let hits = &state.all.hits;
            state.ranking = (0..hits.len() as u32).collect();
            state.ranking.sort_by_key(|&pair| std::cmp::Reverse(hits[pair as usize]));
            state.version += 1;
        }
        if *version == state.version {
            return None;
        }
        *version = state.version;
        Some(state.ranking.iter().take(best).copied().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(advice: &[Advice]) -> Vec<u8> {
        advice.iter().map(|advice| advice.groups).collect()
    }

    fn hits(first: u64, second: u64) -> [u64; GROUPS] {
        std::array::from_fn(|group| [first, second].get(group).copied().unwrap_or(0))
    }

    #[test]
    fn threads_know_what_others_saw() {
        let lessons = Lessons::new(2, 3);
        let (mut one, mut two) = (Experience::new(2, 3), Experience::new(2, 3));
        // Of the children at depth one, half are excluded, and each has a large subtree.
        one.records[1] = Record { visits: 10, tests: 40, hits: hits(20, 8) };
        one.records[2].visits = 1000;
        two.records[1] = Record { visits: 10, tests: 40, hits: hits(20, 8) };
        (two.hits, two.thorough) = (vec![1, 5, 3], 80);
        let (mut advice, mut version) = (vec![Advice::default(); 3], 0);
        assert_eq!(lessons.exchange(&mut one, &mut advice, &mut version, 2), None);
        assert_eq!(groups(&advice), [0; 3]);
        assert_eq!(lessons.exchange(&mut two, &mut advice, &mut version, 2), Some(vec![1, 2]));
        assert_eq!(groups(&advice), [0, 2, 0]);
        // The first one learns it at its next call, and nothing is counted twice.
        let (mut advice, mut version) = (vec![Advice::default(); 3], 0);
        assert_eq!(lessons.exchange(&mut one, &mut advice, &mut version, 1), Some(vec![1]));
        assert_eq!(groups(&advice), [0, 2, 0]);
        assert_eq!(lessons.state.lock().unwrap().all.records[1].tests, 80);
    }
}

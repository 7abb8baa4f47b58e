//! Which beginnings need no look, because others with the same jobs are at least as good in everything.

use std::collections::HashMap;

/// The most beginnings that are kept for one set of jobs.
const MOST_PER_SET: usize = 6;

/// A beginning: its jobs as bits, and the family of the last one.
type Key = (u128, u32);

/// Beginnings that were searched. Whoever is free no earlier on every machine, and costs no less, ends no better: nothing in
/// the timing of a line gets earlier when something before it gets later.
#[derive(Debug, Default)]
pub(super) struct Dominance {
    width: usize,
    room: usize,
    known: HashMap<Key, Vec<u32>>,
}

impl Dominance {
    /// For states of `width` numbers, with room for about so many bytes.
    pub(super) fn new(width: usize, bytes: usize) -> Self {
        // Cost in two halves and lateness stand before the state.
        Self { width: width + 3, room: bytes / (4 * (width + 3) + 64), known: HashMap::new() }
    }

    /// Whether a known beginning dominates this one, which is kept otherwise.
    pub(super) fn excludes(&mut self, key: Key, cost: u64, lateness: u32, state: &[u32]) -> bool {
        let width = self.width;
        let entries = match self.known.entry(key) {
            std::collections::hash_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::hash_map::Entry::Vacant(_) if self.room == 0 => return false,
            std::collections::hash_map::Entry::Vacant(entry) => entry.insert(Vec::new()),
        };
        let dominates = |entry: &[u32]| {
            let known = u64::from(entry[0]) << 32 | u64::from(entry[1]);
            known <= cost && entry[2] <= lateness && entry[3..].iter().zip(state).all(|(a, b)| a <= b)
        };
        if entries.chunks_exact(width).any(dominates) {
            return true;
        }
        if entries.len() < MOST_PER_SET * width && self.room > 0 {
            self.room -= 1;
            entries.extend([(cost >> 32) as u32, cost as u32, lateness]);
            entries.extend_from_slice(state);
        }
        false
    }
}

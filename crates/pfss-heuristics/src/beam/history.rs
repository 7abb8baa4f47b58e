//! How each node of a beam came about.

use pfss_core::JobId;
use pfss_core::tree::End;

/// The root has no entry.
pub(super) const ROOT: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Entry {
    parent: u32,
    job: JobId,
    end: End,
}

/// All placements of a pass; each points to the one before. Parents stand before children.
#[derive(Default)]
pub(super) struct History {
    entries: Vec<Entry>,
    moved: Vec<u32>,
    collect_at: usize,
}

impl History {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.collect_at = 1 << 16;
    }

    /// Adds a placement; returns its number.
    pub(super) fn push(&mut self, parent: u32, job: JobId, end: End) -> u32 {
        self.entries.push(Entry { parent, job, end });
        (self.entries.len() - 1) as u32
    }

    /// The order that ends in entry `last`.
    pub(super) fn order(&self, last: u32) -> Vec<JobId> {
        let (mut front, mut back) = (Vec::new(), Vec::new());
        let mut entry = last;
        while let Some(&Entry { parent, job, end }) = self.entries.get(entry as usize) {
            match end {
                End::Front => front.push(job),
                End::Back => back.push(job),
            }
            entry = parent;
        }
        front.reverse();
        front.extend(back);
        front
    }

    /// Forgets what no entry of `alive` descends from, when enough has come together or `memory` bytes are used up; numbers
    /// change. Tells whether what is left still takes more than half of the memory.
    pub(super) fn collect(&mut self, alive: &mut [u32], memory: usize) -> bool {
        // A list that grows may have twice the room that it needs.
        let most = memory / (2 * (size_of::<Entry>() + size_of::<u32>()));
        if self.entries.len() < self.collect_at.min(most) {
            return false;
        }
        const DEAD: u32 = u32::MAX;
        self.moved.clear();
        self.moved.resize(self.entries.len(), DEAD);
        for &entry in alive.iter().filter(|&&entry| entry != ROOT) {
            self.moved[entry as usize] = 0;
        }
        for index in (0..self.entries.len()).rev() {
            let parent = self.entries[index].parent;
            if self.moved[index] != DEAD && parent != ROOT {
                self.moved[parent as usize] = 0;
            }
        }
        let mut kept = 0;
        for index in 0..self.entries.len() {
            if self.moved[index] != DEAD {
                let mut entry = self.entries[index];
                if entry.parent != ROOT {
                    entry.parent = self.moved[entry.parent as usize];
                }
                self.entries[kept] = entry;
                self.moved[index] = kept as u32;
                kept += 1;
            }
        }
        self.entries.truncate(kept);
        for entry in alive.iter_mut().filter(|entry| **entry != ROOT) {
            *entry = self.moved[*entry as usize];
        }
        self.collect_at = (4 * kept).max(1 << 16);
        kept > most / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collecting_keeps_the_orders_of_the_living() {
        let mut history = History::default();
        history.clear();
        let mut alive = vec![ROOT; 4];
        let mut expected: Vec<Vec<JobId>> = vec![Vec::new(); 4];
        for job in 0..20_000u32 {
            for (line, entry) in alive.iter_mut().enumerate() {
                let end = if (job + line as u32).is_multiple_of(3) { End::Back } else { End::Front };
                *entry = history.push(*entry, job, end);
                match end {
                    End::Front => expected[line].push(job),
                    End::Back => expected[line].insert(0, job | 1 << 31),
                }
            }
            if job == 9_999 {
                // Two lines die.
                alive[1] = alive[0];
                expected[1] = expected[0].clone();
                alive[3] = alive[2];
                expected[3] = expected[2].clone();
            }
            history.collect(&mut alive, usize::MAX);
        }
        assert!(history.entries.len() < 80_000);
        for (line, &entry) in alive.iter().enumerate() {
            let (back, front): (Vec<JobId>, Vec<JobId>) =
                expected[line].iter().partition(|&&job| job >> 31 == 1);
            let order: Vec<JobId> =
                front.into_iter().chain(back.into_iter().map(|job| job & !(1 << 31))).collect();
            assert_eq!(history.order(entry), order);
        }
    }
}

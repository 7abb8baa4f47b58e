//! How each node of a beam came about.

use std::ops::Range;

use pfss_core::JobId;
use pfss_core::tree::End;

/// The root has no entry.
pub(super) const ROOT: u32 = u32::MAX;

/// A placement.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// The entry of the placement before.
    pub(super) parent: u32,
    pub(super) job: JobId,
    pub(super) end: End,
}

/// All placements of a pass, level by level; each points to one of the level before.
#[derive(Default)]
pub(super) struct History {
    entries: Vec<Entry>,
    /// Where each level begins.
    levels: Vec<usize>,
    /// How many levels there were when entries were collected last: those have descendants in the last of them.
    collected: usize,
    moved: Vec<u32>,
    collect_at: usize,
}

const DEAD: u32 = u32::MAX;

impl History {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.levels.clear();
        self.collected = 0;
        self.collect_at = 1 << 16;
    }

    /// Begins a level.
    pub(super) fn begin_level(&mut self) {
        self.levels.push(self.entries.len());
    }

    /// Moves placements into the last level, list by list.
    pub(super) fn absorb(&mut self, lists: &mut [Vec<Entry>]) {
        for list in lists {
            self.entries.append(list);
        }
    }

    /// The first entry of the last level.
    pub(super) fn first_of_level(&self) -> u32 {
        self.levels.last().map_or(ROOT, |&first| first as u32)
    }

    /// The order that ends in entry `last`, followed by one more job.
    pub(super) fn order(&self, last: u32, job: JobId) -> Vec<JobId> {
        let (mut front, mut back) = (vec![job], Vec::new());
        let mut entry = last;
        while let Some(&Entry { parent, job, end }) = self.entries.get(entry as usize) {
            match end {
                End::Front => front.push(job),
                End::Back => back.push(job),
            }
            entry = parent;
        }
        // What was placed last at the front was met first.
        front[1..].reverse();
        front.rotate_left(1);
        front.extend(back);
        front
    }

    fn level(&self, level: usize) -> Range<usize> {
        self.levels[level]..self.levels.get(level + 1).copied().unwrap_or(self.entries.len())
    }

    /// Forgets what no entry of the last level descends from, when enough has come together or `memory` bytes are used up;
    /// numbers change. Tells whether what is left still takes more than half of the memory.
    pub(super) fn collect(&mut self, memory: usize) -> bool {
        // A list that grows may have twice the room that it needs.
        let most = memory / (2 * (size_of::<Entry>() + size_of::<u32>()));
        if self.entries.len() < self.collect_at.min(most) || self.levels.is_empty() {
            return false;
        }
        let unchanged = self.mark_living();
        self.drop_dead(unchanged);
        self.collected = self.levels.len();
        self.collect_at = (4 * self.entries.len()).max(1 << 16);
        self.entries.len() > most / 2
    }

    /// Marks entries with descendants in the last level. Returns how many levels are alive as a whole from the
    /// beginning on; they are not marked.
    fn mark_living(&mut self) -> usize {
        self.moved.resize(self.entries.len(), DEAD);
        let mut level = self.levels.len() - 1;
        let range = self.level(level);
        self.moved[range].fill(0);
        while level > 0 {
            let (before, range) = (self.level(level - 1), self.level(level));
            self.moved[before.clone()].fill(DEAD);
            for index in range {
                if self.moved[index] != DEAD {
                    self.moved[self.entries[index].parent as usize] = 0;
                }
            }
            // Where all of a level live that was collected before, so do their ancestors, and there is nobody else above.
            if level <= self.collected && self.moved[before].iter().all(|&moved| moved != DEAD) {
                return level;
            }
            level -= 1;
        }
        0
    }

    /// Moves the living together; the first `unchanged` levels stay where they are.
    fn drop_dead(&mut self, unchanged: usize) {
        let Some(&first) = self.levels.get(unchanged) else { return };
        let mut kept = first;
        for level in unchanged..self.levels.len() {
            let range = self.level(level);
            self.levels[level] = kept;
            for index in range {
                if self.moved[index] != DEAD {
                    let mut entry = self.entries[index];
                    if entry.parent != ROOT && entry.parent as usize >= first {
                        entry.parent = self.moved[entry.parent as usize];
                    }
                    self.entries[kept] = entry;
                    self.moved[index] = kept as u32;
                    kept += 1;
                }
            }
        }
        self.entries.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collecting_keeps_the_orders_of_the_living() {
        let mut history = History::default();
        history.clear();
        // Four lines of descent, each with its placements.
        let mut alive = [ROOT; 4];
        let mut expected: Vec<(Vec<JobId>, Vec<JobId>)> = vec![Default::default(); 4];
        for job in 0..20_000u32 {
            let first = history.first_of_level();
            history.begin_level();
            let mut level = Vec::new();
            for (line, entry) in alive.iter_mut().enumerate() {
                let end = if (job + line as u32).is_multiple_of(3) { End::Back } else { End::Front };
                level.push(Entry { parent: if first == ROOT { ROOT } else { first + *entry }, job, end });
                *entry = line as u32;
                match end {
                    End::Front => expected[line].0.push(job),
                    End::Back => expected[line].1.insert(0, job),
                }
            }
            history.absorb(&mut [level]);
            history.collect(usize::MAX);
            if job % 5000 == 4999 {
                // Two lines die, in favour of the other two or of one.
                for (line, from) in [(1, 0), (3, if job == 9999 { 2 } else { 0 })] {
                    alive[line] = alive[from];
                    expected[line] = expected[from].clone();
                }
            }
            if job % 1000 == 0 {
                let first = history.first_of_level();
                for (line, entry) in alive.iter().enumerate() {
                    let (front, back) = &expected[line];
                    let order: Vec<JobId> = front.iter().chain([&77_777]).chain(back).copied().collect();
                    assert_eq!(history.order(first + entry, 77_777), order);
                }
            }
        }
        assert!(history.entries.len() < 70_000);
    }
}

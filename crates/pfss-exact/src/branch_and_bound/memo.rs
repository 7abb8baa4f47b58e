//! Nodes that were branched before, to prune those that cannot be better.
//!
//! Two nodes with the same jobs at the front and the same jobs at the back have the same orders in between. Where neither
//! front nor back of the one is later than the other's on any machine, it is at least as good, and the other one need not
//! be searched. It does not matter whether the better one is searched already or still open somewhere.

use std::sync::{Mutex, PoisonError};

use pfss_core::simd::{InstructionSet, Instructions, Kernel};
use pfss_core::tree::{Element, NodeRef};

use super::task::Placement;

/// Larger instances do without.
pub(super) const MAX_JOBS: usize = 128;

/// Nodes with the same place in the table, such places of a part, and parts.
const WAYS: usize = 4;
const PLACES: usize = 1 << 7;
const PARTS: usize = 1 << 6;

/// Rows are padded to a multiple of this.
const CHUNK: usize = 16;

/// The jobs at the front and at the back, one bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sets([u128; 2]);

impl Sets {
    /// No node has a job at both ends.
    const NONE: Self = Self([u128::MAX; 2]);

    /// With one more job. Of more than [`MAX_JOBS`] jobs the sets mean nothing.
    #[inline(always)]
    #[must_use]
    pub(super) fn with(mut self, placed: Placement) -> Self {
        self.0[placed.end as usize] |= 1 << (placed.job as usize % MAX_JOBS);
        self
    }

    /// Mixes all bits; the upper half of a product depends on all of them.
    fn hash(self) -> usize {
        let [front, back] = self.0.map(|set| (set as u64) ^ ((set >> 64) as u64).rotate_left(32));
        let back = back.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(31);
        let mixed = front.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ back;
        (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32) as usize
    }
}

/// A table of nodes that all threads share; the newest replaces the oldest of its place.
///
/// Only nodes with large subtrees are looked up, so that threads hardly ever meet in one of its parts.
pub(super) struct Memo<E> {
    instructions: Instructions,
    num_machines: usize,
    parts: Vec<Mutex<Part<E>>>,
}

/// A part of the table with a lock of its own. Empty before its first node, so that searches that need none hold none.
struct Part<E> {
    keys: Vec<Key>,
    /// Front and back of each, in padded rows.
    rows: Vec<E>,
    oldest: Vec<u8>,
    own: Vec<E>,
}

/// The placed jobs of a node, and the epoch of its tree: what was branched below another ceiling is branched again.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    sets: Sets,
    epoch: u64,
}

impl<E: Element> Memo<E> {
    pub(super) fn new(num_machines: usize, instructions: Instructions) -> Self {
        let part = || {
            let own = vec![E::default(); row(num_machines)];
            Mutex::new(Part { keys: Vec::new(), rows: Vec::new(), oldest: Vec::new(), own })
        };
        Self { instructions, num_machines, parts: std::iter::repeat_with(part).take(PARTS).collect() }
    }

    /// Whether a node that was seen before, in the same epoch, is at least as good as this one, which is noted where not.
    pub(super) fn knows_better(&self, sets: Sets, epoch: u64, node: NodeRef<'_, E>) -> bool {
        let (m, hash) = (self.num_machines, sets.hash());
        // A panic elsewhere leaves a key with another node's row at worst, and ends the run.
        let mut part = self.parts[hash % PARTS].lock().unwrap_or_else(PoisonError::into_inner);
        let Part { keys, rows, oldest, own } = &mut *part;
        let row = own.len();
        let key = Key { sets, epoch };
        if keys.is_empty() {
            keys.resize(PLACES * WAYS, Key { sets: Sets::NONE, epoch });
            rows.resize(PLACES * WAYS * row, E::default());
            oldest.resize(PLACES, 0);
        }
        own[..m].copy_from_slice(node.front);
        own[m..2 * m].copy_from_slice(node.back);
        let place = hash / PARTS % PLACES;
        for at in place * WAYS..(place + 1) * WAYS {
            if keys[at] == key {
                let known = &rows[at * row..(at + 1) * row];
                if self.instructions.run(NowhereLater { known, own }) {
                    return true;
                }
            }
        }
        let way = usize::from(oldest[place]);
        oldest[place] = ((way + 1) % WAYS) as u8;
        let at = place * WAYS + way;
        keys[at] = key;
        rows[at * row..(at + 1) * row].copy_from_slice(own);
        false
    }
}

/// The length of a padded row: a front and a back.
fn row(num_machines: usize) -> usize {
    (2 * num_machines).next_multiple_of(CHUNK)
}

/// Whether no element of one row exceeds that of the other.
struct NowhereLater<'a, E> {
    known: &'a [E],
    own: &'a [E],
}

impl<E: Element> Kernel for NowhereLater<'_, E> {
    type Output = bool;

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) -> bool {
        let mut later = [0u16; CHUNK];
        let chunks = self.known.as_chunks::<CHUNK>().0.iter().zip(self.own.as_chunks::<CHUNK>().0);
        for (known, own) in chunks {
            for lane in 0..CHUNK {
                later[lane] |= if known[lane] > own[lane] { u16::MAX } else { 0 };
            }
        }
        later.iter().fold(0, |any, &later| any | later) == 0
    }
}

#[cfg(test)]
mod tests {
    use pfss_core::tree::{End, Nodes, Tree};
    use pfss_core::{Instance, JobId};
    use proptest::prelude::*;

    use super::*;

    /// The node that places jobs at the front, and its jobs.
    fn node(tree: &Tree<u16>, jobs: &[JobId]) -> (Sets, Nodes<u16>) {
        let mut nodes = Nodes::new(tree.num_machines());
        nodes.clear(1);
        nodes.push_root(tree);
        let mut sets = Sets::default();
        for &job in jobs {
            nodes.push_child_of(tree, nodes.len() - 1, job, job as usize, End::Front);
            sets = sets.with(Placement { job, end: End::Front });
        }
        (sets, nodes)
    }

    proptest! {
        #[test]
        fn it_knows_what_is_nowhere_later(
            times in prop::collection::vec(0u32..9, 8 * 3), x in 0usize..6, y in 0usize..6
        ) {
            let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            let instance = Instance::new("", 3, times).unwrap();
            let tree = Tree::<u16>::new(&instance);
            let ((sets, first), (same, second)) = (node(&tree, &orders[x]), node(&tree, &orders[y]));
            prop_assert_eq!(sets, same);
            let (first, second) = (first.get(3), second.get(3));
            let is_better = first.front.iter().zip(second.front).all(|(x, y)| x <= y);
            for instructions in Instructions::available() {
                let memo = Memo::new(3, instructions);
                prop_assert!(!memo.knows_better(sets, 1, first));
                prop_assert_eq!(memo.knows_better(sets, 1, second), is_better);
                // Of other jobs at an end nothing is known.
                let other = sets.with(Placement { job: 7, end: End::Back });
                prop_assert!(!memo.knows_better(other, 1, second));
                prop_assert!(!memo.knows_better(sets, 2, second));
            }
        }
    }
}

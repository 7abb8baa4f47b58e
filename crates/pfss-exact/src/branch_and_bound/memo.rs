//! Nodes that were branched before, to prune those that cannot be better.
//!
//! Two nodes with the same jobs at the front and the same jobs at the back have the same orders in between. Where neither
//! front nor back of the one is later than the other's on any machine, it is at least as good, and the other one need not
//! be searched. It does not matter whether the better one is searched already or still open somewhere.

use pfss_core::simd::{InstructionSet, Instructions, Kernel};
use pfss_core::tree::{Element, NodeRef};

use super::task::Placement;

/// Larger instances do without.
pub(super) const MAX_JOBS: usize = 128;

/// Nodes with the same place in the table, and such places.
const WAYS: usize = 4;
const PLACES: usize = 1 << 13;

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

/// A table of nodes; the newest replaces the oldest of its place.
pub(super) struct Memo<E> {
    instructions: Instructions,
    num_machines: usize,
    /// Empty before the first node, so that searches that need none hold none.
    keys: Vec<Sets>,
    /// Front and back of each, in padded rows.
    rows: Vec<E>,
    oldest: Vec<u8>,
    own: Vec<E>,
}

impl<E: Element> Memo<E> {
    pub(super) fn new(num_machines: usize, instructions: Instructions) -> Self {
        let own = vec![E::default(); row(num_machines)];
        Self { instructions, num_machines, keys: Vec::new(), rows: Vec::new(), oldest: Vec::new(), own }
    }

    /// About how many bytes it takes.
    pub(super) fn bytes(num_machines: usize) -> usize {
        PLACES * WAYS * (size_of::<Sets>() + row(num_machines) * size_of::<E>())
    }

    /// Forgets all nodes.
    pub(super) fn forget(&mut self) {
        self.keys.fill(Sets::NONE);
    }

    /// Whether a node that was seen before is at least as good as this one, which is noted where not.
    pub(super) fn knows_better(&mut self, sets: Sets, node: NodeRef<'_, E>) -> bool {
        let (m, row) = (self.num_machines, self.own.len());
        if self.keys.is_empty() {
            self.keys.resize(PLACES * WAYS, Sets::NONE);
            self.rows.resize(PLACES * WAYS * row, E::default());
            self.oldest.resize(PLACES, 0);
        }
        self.own[..m].copy_from_slice(node.front);
        self.own[m..2 * m].copy_from_slice(node.back);
        let place = sets.hash() % PLACES;
        for at in place * WAYS..(place + 1) * WAYS {
            if self.keys[at] == sets {
                let known = &self.rows[at * row..(at + 1) * row];
                if self.instructions.run(NowhereLater { known, own: &self.own }) {
                    return true;
                }
            }
        }
        let way = usize::from(self.oldest[place]);
        self.oldest[place] = ((way + 1) % WAYS) as u8;
        let at = place * WAYS + way;
        self.keys[at] = sets;
        self.rows[at * row..(at + 1) * row].copy_from_slice(&self.own);
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
                let mut memo = Memo::new(3, instructions);
                prop_assert!(!memo.knows_better(sets, first));
                prop_assert_eq!(memo.knows_better(sets, second), is_better);
                // Of other jobs at an end nothing is known.
                let other = sets.with(Placement { job: 7, end: End::Back });
                prop_assert!(!memo.knows_better(other, second));
                memo.forget();
                prop_assert!(!memo.knows_better(sets, second));
            }
        }
    }
}

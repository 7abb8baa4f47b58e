//! All pairs of machines that the two-machine test looks at.

use pfss_core::tree::{Element, Tree};

use super::pair::Pair;

/// Larger instances do without the test: their trees are not searched to an end anyway.
const MAX_JOBS: usize = 128;

/// No more entries than this are kept, and so no more pairs than fit in.
const MAX_ENTRIES: usize = 1 << 16;

/// Of more machines than this, those with the most work are paired: all pairs of thousands take seconds to make.
const MAX_MACHINES: usize = 256;

/// The pairs of machines of one instance.
pub(super) struct Pairs<E> {
    pub(super) pairs: Vec<Pair<E>>,
}

impl<E: Element> Pairs<E> {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// All pairs, or those of the machines with the most work where there are too many.
    pub(super) fn new(tree: &Tree<E>) -> Self {
        if tree.num_jobs() > MAX_JOBS {
            return Self { pairs: Vec::new() };
        }
        let work = |machine: usize| tree.totals()[machine].to_time::<f64>();
        let mut machines: Vec<usize> = (0..tree.num_machines()).collect();
        if machines.len() > MAX_MACHINES {
            machines.sort_by(|&x, &y| work(y).total_cmp(&work(x)));
            machines.truncate(MAX_MACHINES);
            machines.sort_unstable();
        }
        let after = |index: usize| machines[index + 1..].iter().copied();
        let mut pairs: Vec<[usize; 2]> =
            machines.iter().enumerate().flat_map(|(index, &a)| after(index).map(move |b| [a, b])).collect();
        let work = |[a, b]: [usize; 2]| work(a) + work(b);
        pairs.sort_by(|&x, &y| work(y).total_cmp(&work(x)));
        pairs.truncate(MAX_ENTRIES / tree.num_jobs());
        Self { pairs: pairs.into_iter().map(|[a, b]| Pair::new(tree, a, b)).collect() }
    }
}

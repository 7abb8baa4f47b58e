//! The two-machine bound as a second test of children that the one-machine bound keeps.
//!
//! Johnson's rule with the work in between as lags gives the least makespan of two machines alone (Lenstra,
//! Lageweg & Rinnooy Kan 1978). It excludes a part of the children that pass the first test, but takes much
//! longer. So it is used at those depths where subtrees are large enough for it to pay, which is measured.

use pfss_core::JobId;
use pfss_core::simd::Instructions;
use pfss_core::tree::{Element, End, NodeRef, Tree};

use super::lessons::{Experience, Lessons};
use super::pair::{Pair, pair_bound};
use super::pair_lanes::{LANES, PairLanes};

/// Larger instances do without the test: their trees are not searched to an end anyway.
const MAX_JOBS: usize = 128;

/// No more entries than this are kept, and so no more pairs than fit in.
const MAX_ENTRIES: usize = 1 << 16;

/// Of more machines than this, those with the most work are paired: all pairs of thousands take seconds to make.
const MAX_MACHINES: usize = 256;

/// The pairs of machines of one instance.
pub(super) struct Pairs<E> {
    pairs: Vec<Pair<E>>,
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

/// One node in so many is tested in any case, with all pairs.
const SAMPLE_EVERY: u64 = 1024;

/// How the children of a node are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thoroughness {
    /// Not at all.
    None,
    /// With the pairs that excluded most so far.
    Best,
    /// With all pairs, to learn which are best.
    All,
}

/// One thread's part in the test: which pairs exclude most, and where it pays, as all threads have learnt it.
pub(super) struct PairTest<E> {
    /// The best pairs.
    best: PairLanes<E>,
    version: u64,
    /// By the number of jobs that a child has placed.
    pays: Vec<bool>,
    /// What was seen since the last exchange with the others.
    news: Experience,
    front: Vec<E>,
    counter: u64,
}

impl<E: Element> PairTest<E> {
    pub(super) fn new(pairs: &Pairs<E>, num_jobs: usize, instructions: Instructions) -> Self {
        let chosen: Vec<&Pair<E>> = pairs.pairs.iter().take(LANES).collect();
        Self {
            best: PairLanes::new(&chosen, num_jobs, instructions),
            version: 0,
            pays: vec![false; num_jobs + 1],
            news: Experience::new(num_jobs, pairs.pairs.len()),
            front: Vec::new(),
            counter: 0,
        }
    }

    /// Notes that a node with `depth` jobs placed was branched; tells how its children are to be tested.
    #[inline(always)]
    pub(super) fn visit(&mut self, depth: usize) -> Thoroughness {
        self.news.records[depth].visits += 1;
        self.counter += 1;
        if self.counter.is_multiple_of(SAMPLE_EVERY) && !self.news.hits.is_empty() {
            Thoroughness::All
        } else if self.pays[depth + 1] {
            Thoroughness::Best
        } else {
            Thoroughness::None
        }
    }

    /// Judges anew which pairs are best and where the test pays, together with the other threads.
    pub(super) fn judge(&mut self, pairs: &Pairs<E>, lessons: &Lessons) {
        let best = lessons.exchange(&mut self.news, &mut self.pays, &mut self.version, LANES);
        if let Some(best) = best {
            let chosen: Vec<&Pair<E>> = best.into_iter().map(|pair| &pairs.pairs[pair as usize]).collect();
            self.best.set(&chosen);
        }
    }

    /// Whether the child of `node` that places `job` at `end`, with `depth` jobs placed, has no order below `limit`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn excludes(
        &mut self,
        how: Thoroughness,
        pairs: &Pairs<E>,
        tree: &Tree<E>,
        node: NodeRef<'_, E>,
        job: JobId,
        end: End,
        depth: usize,
        limit: E,
    ) -> bool {
        self.front.clear();
        self.front.extend_from_slice(if end == End::Front { node.front } else { node.back });
        place(&mut self.front, tree.job(job), end);
        let (front, back) =
            if end == End::Front { (&self.front[..], node.back) } else { (node.front, &self.front[..]) };
        let is_open = |other: JobId| other != job && node.is_open(other as usize);
        let mut excluded = self.best.exclude(front, back, node.open, job, limit);
        if how == Thoroughness::All {
            self.news.thorough += 1;
            // Only what the best pairs do can be hoped for.
            let record = &mut self.news.records[depth];
            record.tests += 1;
            record.hits += u64::from(excluded);
            for (pair, hits) in pairs.pairs.iter().zip(&mut self.news.hits) {
                if pair_bound(pair, front, back, is_open) >= limit {
                    *hits += 1;
                    excluded = true;
                }
            }
        }
        excluded
    }
}

/// The front after one more job at `end`.
#[inline(always)]
fn place<E: Element>(front: &mut [E], times: &[E], end: End) {
    let mut free = E::default();
    let mut step = |front: &mut E, time: E| {
        free = free.larger(*front).plus(time);
        *front = free;
    };
    match end {
        End::Front => front.iter_mut().zip(times).for_each(|(front, &time)| step(front, time)),
        End::Back => front.iter_mut().zip(times).rev().for_each(|(front, &time)| step(front, time)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::tree::Nodes;
    use pfss_core::{Instance, makespan};
    use proptest::prelude::*;

    fn orders(open: &mut Vec<JobId>, fixed: usize, each: &mut impl FnMut(&[JobId])) {
        if fixed == open.len() {
            return each(open);
        }
        for next in fixed..open.len() {
            open.swap(fixed, next);
            orders(open, fixed + 1, each);
            open.swap(fixed, next);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        /// No order below a child undercuts the bound of any pair.
        #[test]
        fn the_bound_of_every_pair_holds(
            (m, times) in (2usize..6).prop_flat_map(|m| (Just(m), prop::collection::vec(0u32..30, 6 * m))),
            at_back in any::<bool>(),
        ) {
            let instance = Instance::new("", m, times).unwrap();
            let tree = Tree::<u32>::new(&instance);
            let mut nodes = Nodes::new(m);
            nodes.clear(1);
            nodes.push_root(&tree);
            nodes.push_child_of(&tree, 0, 4, 4, End::Back);
            let end = if at_back { End::Back } else { End::Front };
            let node = nodes.get(1);
            let mut least = u32::MAX;
            orders(&mut vec![0, 1, 2, 3], 0, &mut |middle| {
                let mut order = middle.to_vec();
                order.insert(if at_back { 4 } else { 0 }, 5);
                order.push(4);
                least = least.min(makespan(&instance, &order));
            });
            let pairs = Pairs::new(&tree);
            prop_assert_eq!(pairs.pairs.len(), m * (m - 1) / 2);
            let mut moved = if at_back { node.back.to_vec() } else { node.front.to_vec() };
            place(&mut moved, tree.job(5), end);
            let (front, back) = if at_back { (node.front, &moved[..]) } else { (&moved[..], node.back) };
            let bound = |pair| pair_bound(pair, front, back, |job| job < 4);
            let best = pairs.pairs.iter().map(bound).max().unwrap();
            prop_assert!(best <= least);
            for instructions in Instructions::available() {
                let mut test = PairTest::new(&pairs, 6, instructions);
                for how in [Thoroughness::Best, Thoroughness::All] {
                    prop_assert!(!test.excludes(how, &pairs, &tree, node, 5, end, 2, best + 1));
                    prop_assert!(test.excludes(how, &pairs, &tree, node, 5, end, 2, best));
                }
            }
        }
    }
}

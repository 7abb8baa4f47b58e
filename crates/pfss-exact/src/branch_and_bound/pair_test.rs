//! The two-machine bound as a second test of children that the one-machine bound keeps.
//!
//! Johnson's rule with the work in between as lags gives the least makespan of two machines alone (Lenstra,
//! Lageweg & Rinnooy Kan 1978). It excludes a part of the children that pass the first test, but takes much
//! longer. So it is used at those depths where subtrees are large enough for it to pay, which is measured.

use pfss_core::JobId;
use pfss_core::simd::Instructions;
use pfss_core::tree::{Element, End, NodeRef, Tree};

use super::lessons::{Advice, Experience, GROUPS, Lessons};
use super::pair::{Pair, pair_bound};
use super::pair_lanes::{LANES, PairLanes};
use super::pairs::Pairs;
use super::samples::Samples;

/// A child that may be excluded: that of `node` which places `job` at `end` and has `depth` jobs placed.
#[derive(Clone, Copy)]
pub(super) struct Suspect<'a, E> {
    pub(super) node: NodeRef<'a, E>,
    pub(super) job: JobId,
    pub(super) end: End,
    pub(super) depth: usize,
}

/// How the children of a node are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Thoroughness {
    /// Not at all.
    None,
    /// With so many groups of those pairs that excluded most so far.
    Best(u8),
    /// With all pairs, to learn which are best.
    All,
}

/// One thread's part in the test: which pairs exclude most, and where it pays, as all threads have learnt it.
pub(super) struct PairTest<E> {
    /// The best pairs, in groups.
    best: Vec<PairLanes<E>>,
    version: u64,
    /// By the number of jobs that a child has placed.
    advice: Vec<Advice>,
    /// What was seen since the last exchange with the others.
    news: Experience,
    samples: Samples,
    front: Vec<E>,
}

impl<E: Element> PairTest<E> {
    pub(super) fn new(pairs: &Pairs<E>, num_jobs: usize, instructions: Instructions) -> Self {
        let chosen: Vec<&Pair<E>> = pairs.pairs.iter().take(GROUPS * LANES).collect();
        let lanes = |chosen: &[&Pair<E>]| PairLanes::new(chosen, num_jobs, instructions);
        Self {
            best: chosen.chunks(LANES).map(lanes).collect(),
            version: 0,
            advice: vec![Advice::default(); num_jobs + 1],
            news: Experience::new(num_jobs, pairs.pairs.len()),
            samples: Samples::new(num_jobs, pairs.len()),
            front: Vec::new(),
        }
    }

    /// Notes that a node with `depth` jobs placed was branched; tells how its children are to be tested.
    #[inline(always)]
    pub(super) fn visit(&mut self, depth: usize) -> Thoroughness {
        self.news.records[depth].visits += 1;
        if self.samples.is_next(depth) && !self.news.hits.is_empty() {
            return Thoroughness::All;
        }
        self.usual(depth)
    }

    /// How children are tested where the node is no sample.
    #[inline(always)]
    fn usual(&self, depth: usize) -> Thoroughness {
        match self.advice[depth + 1].groups {
            0 => Thoroughness::None,
            groups => Thoroughness::Best(groups),
        }
    }

    /// How the next child of a node is tested, after one that was tested as `how`.
    #[inline(always)]
    pub(super) fn next(&mut self, how: Thoroughness, depth: usize) -> Thoroughness {
        if how == Thoroughness::All && self.samples.is_full() { self.usual(depth) } else { how }
    }

    /// Whether nodes with `depth` jobs placed have large subtrees.
    #[inline(always)]
    pub(super) fn has_large_subtrees(&self, depth: usize) -> bool {
        self.advice[depth].has_large_subtrees
    }

    /// Judges anew which pairs are best and where the test pays, together with the other threads.
    pub(super) fn judge(&mut self, pairs: &Pairs<E>, lessons: &Lessons) {
        let best = lessons.exchange(&mut self.news, &mut self.advice, &mut self.version, GROUPS * LANES);
        if let Some(best) = best {
            let chosen: Vec<&Pair<E>> = best.into_iter().map(|pair| &pairs.pairs[pair as usize]).collect();
            for (lanes, chosen) in self.best.iter_mut().zip(chosen.chunks(LANES)) {
                lanes.set(chosen);
            }
        }
    }

    /// Whether a child has no order below `limit`.
    pub(super) fn excludes(
        &mut self,
        how: Thoroughness,
        pairs: &Pairs<E>,
        tree: &Tree<E>,
        suspect: Suspect<'_, E>,
        limit: E,
    ) -> bool {
        let Suspect { node, job, end, depth } = suspect;
        self.front.clear();
        self.front.extend_from_slice(if end == End::Front { node.front } else { node.back });
        place(&mut self.front, tree.job(job), end);
        let (front, back) =
            if end == End::Front { (&self.front[..], node.back) } else { (node.front, &self.front[..]) };
        let is_open = |other: JobId| other != job && node.is_open(other as usize);
        let groups = if let Thoroughness::Best(groups) = how { usize::from(groups) } else { GROUPS };
        let mut groups = self.best.iter().take(groups);
        let group = groups.position(|group| group.exclude(front, back, node.open, job, limit));
        let mut excluded = group.is_some();
        if how == Thoroughness::All {
            self.news.thorough += 1;
            // Only what the best pairs do can be hoped for.
            let record = &mut self.news.records[depth];
            record.tests += 1;
            if let Some(group) = group {
                record.hits[group] += 1;
            }
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
                let suspect = Suspect { node, job: 5, end, depth: 2 };
                for how in [Thoroughness::Best(GROUPS as u8), Thoroughness::All] {
                    prop_assert!(!test.excludes(how, &pairs, &tree, suspect, best + 1));
                    prop_assert!(test.excludes(how, &pairs, &tree, suspect, best));
                }
            }
        }
    }
}

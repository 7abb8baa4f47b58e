//! The two-machine bound as a second test of children that the one-machine bound keeps.
//!
//! Johnson's rule with the work in between as lags gives the least makespan of two machines alone (Lenstra,
//! Lageweg & Rinnooy Kan 1978). It excludes a part of the children that pass the first test, but takes much
//! longer. So it is used at those depths where subtrees are large enough for it to pay, which is measured.

use pfss_core::JobId;
use pfss_core::tree::{Element, End, NodeRef, Path, Tree};

use super::lanes::{LANES, Lanes};

/// Larger instances do without the test: their trees are not searched to an end anyway.
const MAX_JOBS: usize = 128;

/// No more entries than this are kept, and so no more pairs than fit in.
const MAX_ENTRIES: usize = 1 << 16;

/// Of more machines than this, those with the most work are paired: all pairs of thousands take seconds to make.
const MAX_MACHINES: usize = 256;

/// A job in Johnson's order of one pair of machines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<E> {
    pub(super) job: JobId,
    pub(super) first: E,
    pub(super) lag: E,
    pub(super) second: E,
}

/// Two machines and Johnson's order of all jobs on them.
pub(super) struct Pair<E> {
    pub(super) machines: [usize; 2],
    pub(super) entries: Vec<Entry<E>>,
}

impl<E: Element> Pair<E> {
    fn new(tree: &Tree<E>, a: usize, b: usize) -> Self {
        let entry = |job: JobId| {
            let times = tree.job(job);
            let lag = times[a + 1..b].iter().fold(E::default(), |sum, &time| sum.plus(time));
            Entry { job, first: times[a], lag, second: times[b] }
        };
        let mut entries: Vec<Entry<E>> = (0..tree.num_jobs() as JobId).map(entry).collect();
        // Jobs that are shorter on the first machine go first, by rising value; the others by falling value.
        let key = |entry: &Entry<E>| {
            let [first, lag, second] = [entry.first, entry.lag, entry.second].map(Element::to_time::<f64>);
            if first < second { (false, first + lag) } else { (true, -(second + lag)) }
        };
        entries.sort_by(|x, y| {
            let ((late_x, key_x), (late_y, key_y)) = (key(x), key(y));
            late_x.cmp(&late_y).then(key_x.total_cmp(&key_y))
        });
        Self { machines: [a, b], entries }
    }
}

/// The pairs of machines of one instance.
pub(super) struct Pairs<E> {
    pairs: Vec<Pair<E>>,
}

impl<E: Element> Pairs<E> {
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

/// Tests at a depth before it is judged. One node in so many is tested anyway, with all pairs.
const SAMPLE: u64 = 64;
const SAMPLE_EVERY: u64 = 1024;

/// What the test of one child costs, in branched nodes (by instructions on 20x10).
const COST: f64 = 0.25;

/// Children that only the second test excludes have small subtrees: this part of the mean.
const DISCOUNT: f64 = 0.3;

/// What is known of the test at one depth.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    visits: u64,
    tests: u64,
    hits: u64,
    pays: bool,
}

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

/// The test with what one search learned of it: which pairs exclude most, and where it pays.
pub(super) struct PairTest<'t, E> {
    pairs: &'t Pairs<E>,
    /// How many children each pair excluded in thorough tests.
    hits: Vec<u32>,
    /// The best pairs, as they were when so many thorough tests had been made.
    best: Lanes<E>,
    thorough: u64,
    renew_at: u64,
    /// By the number of jobs that a child has placed.
    records: Vec<Record>,
    front: Vec<E>,
    counter: u64,
}

impl<'t, E: Element> PairTest<'t, E> {
    pub(super) fn new(pairs: &'t Pairs<E>, num_jobs: usize, path: Path) -> Self {
        let chosen: Vec<&Pair<E>> = pairs.pairs.iter().take(LANES).collect();
        Self {
            pairs,
            hits: vec![0; pairs.pairs.len()],
            best: Lanes::new(&chosen, num_jobs, path),
            thorough: 0,
            renew_at: SAMPLE,
            records: vec![Record::default(); num_jobs + 1],
            front: Vec::new(),
            counter: 0,
        }
    }

    /// Notes that a node with `depth` jobs placed was branched; tells how its children are to be tested.
    #[inline(always)]
    pub(super) fn visit(&mut self, depth: usize) -> Thoroughness {
        self.records[depth].visits += 1;
        self.counter += 1;
        if self.counter.is_multiple_of(SAMPLE_EVERY) && !self.hits.is_empty() {
            Thoroughness::All
        } else if self.records[depth + 1].pays {
            Thoroughness::Best
        } else {
            Thoroughness::None
        }
    }

    /// Judges anew which pairs are best and where the test pays.
    pub(super) fn judge(&mut self) {
        let mut below = 0;
        for record in self.records.iter_mut().rev() {
            below += record.visits;
            if record.tests >= SAMPLE && record.visits > 0 {
                let subtree = below as f64 / record.visits as f64;
                record.pays = record.hits as f64 * subtree * DISCOUNT > record.tests as f64 * COST;
            }
        }
        if self.thorough >= self.renew_at {
            self.renew_at = 2 * self.thorough;
            let mut ranking: Vec<usize> = (0..self.hits.len()).collect();
            ranking.sort_by_key(|&pair| std::cmp::Reverse(self.hits[pair]));
            let chosen: Vec<&Pair<E>> =
                ranking.into_iter().take(LANES).map(|pair| &self.pairs.pairs[pair]).collect();
            self.best.set(&chosen);
        }
    }

    /// Whether the child of `node` that places `job` at `end`, with `depth` jobs placed, has no order below `limit`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn excludes(
        &mut self,
        how: Thoroughness,
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
            self.thorough += 1;
            // Only what the best pairs do can be hoped for.
            let record = &mut self.records[depth];
            record.tests += 1;
            record.hits += u64::from(excluded);
            for (pair, hits) in self.pairs.pairs.iter().zip(&mut self.hits) {
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

/// The least makespan on the two machines alone, of the open jobs, between both fronts: the plain twin of [`Lanes`].
pub(super) fn pair_bound<E: Element>(
    pair: &Pair<E>,
    front: &[E],
    back: &[E],
    is_open: impl Fn(JobId) -> bool,
) -> E {
    let [a, b] = pair.machines;
    let (mut on_first, mut on_second) = (front[a], front[b]);
    for entry in pair.entries.iter().filter(|entry| is_open(entry.job)) {
        on_first = on_first.plus(entry.first);
        on_second = on_second.larger(on_first.plus(entry.lag)).plus(entry.second);
    }
    on_second.plus(back[b])
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
            for &path in Path::available() {
                let mut test = PairTest::new(&pairs, 6, path);
                for how in [Thoroughness::Best, Thoroughness::All] {
                    prop_assert!(!test.excludes(how, &tree, node, 5, end, 2, best + 1));
                    prop_assert!(test.excludes(how, &tree, node, 5, end, 2, best));
                }
            }
        }
    }
}

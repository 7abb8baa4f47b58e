//! One pass of beam search over one storage type.

use pfss_core::simd::Instructions;
use pfss_core::tree::{BLOCK, Columns, Element, End, NodeRef, Nodes, Pricer, Scoring, Tree};
use pfss_core::{Instance, JobId, Run, Time};

use super::candidates::Candidates;
use super::history::{History, ROOT};
use super::meter::Meter;
use super::outside::Outside;
use super::pass::{PassResult, PassSettings};

/// The idle weight of an end where nothing is placed, when one-sided nodes are penalised.
const ONE_SIDED: f32 = 1e3;

/// A level: nodes, the idle weights of their ends, their scores, and their last placements.
struct Level<E> {
    nodes: Nodes<E>,
    weights: Vec<[f32; 2]>,
    scores: Vec<f32>,
    trail: Vec<u32>,
}

impl<E: Element> Level<E> {
    fn new(num_machines: usize) -> Self {
        Self { nodes: Nodes::new(num_machines), weights: Vec::new(), scores: Vec::new(), trail: Vec::new() }
    }

    fn clear(&mut self, num_blocks: usize) {
        self.nodes.clear(num_blocks);
        self.weights.clear();
        self.scores.clear();
        self.trail.clear();
    }
}

/// The memory of a beam search, kept from pass to pass.
pub(super) struct Engine<E: Element> {
    tree: Tree<E>,
    columns: Columns<E>,
    pricer: Pricer<E>,
    level: Level<E>,
    next: Level<E>,
    /// Where each node of the level branches.
    ends: Vec<End>,
    candidates: Candidates,
    history: History,
    union: Vec<u32>,
}

impl<E: Element> Engine<E> {
    pub(super) fn new<T: Time>(instance: &Instance<T>, instructions: Instructions) -> Self {
        let tree = Tree::new(instance);
        Self {
            columns: Columns::all(&tree),
            pricer: Pricer::new(instructions),
            level: Level::new(tree.num_machines()),
            next: Level::new(tree.num_machines()),
            tree,
            ends: Vec::new(),
            candidates: Candidates::default(),
            history: History::default(),
            union: Vec::new(),
        }
    }

    pub(super) fn pass<T: Time>(
        &mut self,
        settings: &PassSettings<T>,
        outside: Option<&mut Outside<'_>>,
        run: &Run<'_, T>,
    ) -> PassResult<T> {
        let mut meter = Meter::new(run, self.tree.num_machines(), outside.is_some());
        let found = self.descend(settings, outside, &mut meter);
        meter.flush();
        let children = meter.children;
        match found {
            Some((best, exhaustive)) => {
                let best = best.map(|(order, cost)| (order, cost.to_time()));
                PassResult { best, completed: true, exhaustive, children }
            }
            None => PassResult { best: None, completed: false, exhaustive: false, children },
        }
    }

    /// Goes down level by level. `None`: a limit was met.
    #[allow(clippy::type_complexity)]
    fn descend<T: Time>(
        &mut self,
        settings: &PassSettings<T>,
        mut outside: Option<&mut Outside<'_>>,
        meter: &mut Meter<'_, '_, T>,
    ) -> Option<(Option<(Vec<JobId>, E)>, bool)> {
        let num_jobs = self.tree.num_jobs();
        let limit = if settings.prune_at < T::MAX { E::from_time(settings.prune_at) } else { E::MAX };
        self.weigh_machines(settings.upper);
        self.plant_root(settings);
        let mut exhaustive = true;
        let mut width = settings.width;
        for depth in 1..num_jobs {
            self.drop_columns(depth);
            if self.history.collect(&mut self.level.trail, settings.memory / 2) {
                width = (width / 2).max(1);
            }
            // A child's number is its node's times the lanes, plus its lane.
            let width = width.clamp(1, u32::MAX as usize / self.columns.num_lanes().max(1));
            self.candidates.clear(width);
            let met = match &mut outside {
                Some(outside) => self.judge_level(outside, depth, limit, meter),
                None => self.price_level(settings, depth, limit, meter),
            };
            if met {
                return None;
            }
            exhaustive &= !self.grow(settings, meter)?;
            if self.level.nodes.is_empty() {
                return Some((None, exhaustive));
            }
        }
        let (best, whole) = self.last_level(limit, meter);
        Some((best, exhaustive && whole))
    }

    /// Idle time counts more on machines that can afford little of it: those whose work alone comes close to
    /// the best known cost. Weights are one on average, and all one while no order is known.
    fn weigh_machines<T: Time>(&mut self, upper: T) {
        let urgency = |work: E| {
            let slack = upper.to_f64() - work.to_time::<T>().to_f64();
            1.0 / slack.max(upper.to_f64() * 1e-4).max(f64::MIN_POSITIVE)
        };
        let urgencies: Vec<f64> = self.tree.totals().iter().map(|&work| urgency(work)).collect();
        let mean = urgencies.iter().sum::<f64>() / urgencies.len() as f64;
        let weight = |urgency: f64| if upper < T::MAX { (urgency / mean) as f32 } else { 1.0 };
        self.tree.set_weights(urgencies.into_iter().map(weight));
    }

    fn plant_root<T>(&mut self, settings: &PassSettings<T>) {
        self.columns.set(&self.tree, 0..self.tree.num_jobs() as JobId);
        self.history.clear();
        self.level.clear(self.columns.num_blocks());
        self.level.nodes.push_root(&self.tree);
        let weight = if settings.penalise_one_sided { ONE_SIDED } else { 0.0 };
        self.level.weights.push([weight; 2]);
        self.level.scores.push(0.0);
        self.level.trail.push(ROOT);
    }

    /// Drops the columns of jobs that every node has placed, once that saves a block.
    fn drop_columns(&mut self, depth: usize) {
        let least = (self.tree.num_jobs() + 1 - depth).div_ceil(BLOCK);
        if least >= self.columns.num_blocks() || !depth.is_multiple_of(4) {
            return;
        }
        self.level.nodes.open_in_any(&mut self.union);
        let open: u32 = self.union.iter().map(|bits| bits.count_ones()).sum();
        if (open as usize).div_ceil(BLOCK) < self.columns.num_blocks() {
            self.level.nodes.keep_lanes(&self.union);
            let union = &self.union;
            let kept = |lane: usize| union[lane / BLOCK] >> (lane % BLOCK) & 1 == 1;
            let jobs: Vec<JobId> = self
                .columns
                .jobs()
                .iter()
                .enumerate()
                .filter(|&(lane, _)| kept(lane))
                .map(|(_, &job)| job)
                .collect();
            self.columns.set(&self.tree, jobs);
        }
    }

    /// Prices the children of all nodes, which get `depth` jobs; returns whether a limit was met.
    fn price_level<T: Time>(
        &mut self,
        settings: &PassSettings<T>,
        depth: usize,
        limit: E,
        meter: &mut Meter<'_, '_, T>,
    ) -> bool {
        let num_jobs = self.tree.num_jobs();
        let weighting = settings.guide.weighting();
        // Finite, so that the gap of an unknown cost is one.
        let upper = ((settings.upper.to_f64() * self.tree.scale()) as f32).min(f32::MAX);
        let score_by = settings.guide.score(depth, num_jobs, self.tree.num_machines(), upper);
        let lanes = self.columns.num_lanes() as u32;
        let open = (num_jobs + 1 - depth) as u64;
        self.ends.clear();
        for index in 0..self.level.nodes.len() {
            let node = self.level.nodes.get(index);
            self.pricer.price(&self.columns, node, limit);
            let end = self.pricer.narrower_end();
            self.ends.push(end);
            if self.pricer.count(end) > 0 {
                let other = self.level.weights[index][end.other() as usize];
                let threshold = self.candidates.threshold();
                let scoring = Scoring { weighting, score: score_by, threshold };
                let (kept, before) = (self.pricer.count(end) as usize, self.candidates.len());
                let (selected, scores) =
                    self.pricer.score(&self.tree, &self.columns, node, end, scoring, other);
                for (block, &selected) in selected.iter().enumerate() {
                    let mut bits = selected;
                    while bits != 0 {
                        let lane = block * BLOCK + bits.trailing_zeros() as usize;
                        self.candidates.push(scores[lane], index as u32 * lanes + lane as u32);
                        bits &= bits - 1;
                    }
                }
                // A score that is no number, or infinite, drops a child that only a bound may exclude.
                if self.candidates.len() - before < kept {
                    self.candidates.note_dropped();
                }
                self.candidates.trim();
            }
            if meter.count(open) {
                return true;
            }
        }
        false
    }

    /// As [`Engine::price_level`], but scores are those of a guide from outside along the path.
    fn judge_level<T: Time>(
        &mut self,
        outside: &mut Outside<'_>,
        depth: usize,
        limit: E,
        meter: &mut Meter<'_, '_, T>,
    ) -> bool {
        let lanes = self.columns.num_lanes() as u32;
        let open = (self.tree.num_jobs() + 1 - depth) as u64;
        self.ends.clear();
        for index in 0..self.level.nodes.len() {
            let node = self.level.nodes.get(index);
            self.pricer.price(&self.columns, node, limit);
            let (end, surprises) = outside.look(node, self.columns.jobs(), &self.pricer);
            self.ends.push(end);
            for &(lane, surprise) in surprises {
                let score = self.level.scores[index] + surprise;
                if score < self.candidates.threshold() {
                    self.candidates.push(score, index as u32 * lanes + lane as u32);
                } else {
                    self.candidates.note_dropped();
                }
            }
            self.candidates.trim();
            if meter.count(open) {
                return true;
            }
        }
        false
    }

    /// Makes nodes of the best children; tells whether others were dropped, or `None` when a limit was met.
    fn grow<T: Time>(&mut self, settings: &PassSettings<T>, meter: &mut Meter<'_, '_, T>) -> Option<bool> {
        let weighting = settings.guide.weighting();
        let lanes = self.columns.num_lanes() as u32;
        self.next.clear(self.columns.num_blocks());
        let (best, cut) = self.candidates.finish();
        for (count, (score, child)) in best.enumerate() {
            let (index, lane) = ((child / lanes) as usize, (child % lanes) as usize);
            let end = self.ends[index];
            let job = self.columns.jobs()[lane];
            let parent: NodeRef<'_, E> = self.level.nodes.get(index);
            self.next.nodes.push_child(&self.tree, parent, job, lane, end);
            let mut weights = self.level.weights[index];
            let node = self.next.nodes.get(count);
            weights[end as usize] = self.tree.idle_weight(node, end, weighting);
            self.next.weights.push(weights);
            self.next.scores.push(score);
            self.next.trail.push(self.history.push(self.level.trail[index], job, end));
            if count % 4096 == 4095 && meter.flush() {
                return None;
            }
        }
        std::mem::swap(&mut self.level, &mut self.next);
        Some(cut)
    }

    /// Every node has one job left: its bound is the makespan. The best of them, and whether all were looked at: when a
    /// limit is met, those with the best scores were.
    fn last_level<T: Time>(
        &mut self,
        limit: E,
        meter: &mut Meter<'_, '_, T>,
    ) -> (Option<(Vec<JobId>, E)>, bool) {
        let mut best: Option<(usize, usize, E)> = None;
        let mut whole = true;
        for index in 0..self.level.nodes.len() {
            let node = self.level.nodes.get(index);
            let below = best.map_or(limit, |(_, _, cost)| cost);
            self.pricer.price(&self.columns, node, below);
            let met = meter.count(1);
            for (block, &kept) in self.pricer.kept(End::Front).iter().enumerate() {
                if kept != 0 {
                    let lane = block * BLOCK + kept.trailing_zeros() as usize;
                    best = Some((index, lane, self.pricer.bounds(End::Front)[lane]));
                }
            }
            if met && index + 1 < self.level.nodes.len() {
                whole = false;
                break;
            }
        }
        let best = best.map(|(index, lane, cost)| {
            let last = self.history.push(self.level.trail[index], self.columns.jobs()[lane], End::Front);
            (self.history.order(last), cost)
        });
        (best, whole)
    }
}

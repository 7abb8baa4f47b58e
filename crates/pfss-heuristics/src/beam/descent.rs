//! The way of one pass down the tree, level by level.

use pfss_core::tree::{BLOCK, Element, End};
use pfss_core::{JobId, Time};

use super::crew::{Crew, Task};
use super::history::{Entry, History};
use super::meter::Meter;
use super::pace::Pace;
use super::part::NODES_PER_LOOK;
use super::pass::PassSettings;
use super::weighing::{Weighing, urgencies};

/// The idle weight of an end where nothing is placed, when one-sided nodes are penalised.
const ONE_SIDED: f32 = 1e3;

/// A further thread takes part in a level when there are so many times more to look at, one for each lane and machine of
/// each node: some microseconds, more than it takes to give out the tasks of a level. Tests share narrow levels too.
const TIMES_PER_THREAD: usize = if cfg!(test) { 1 << 10 } else { 1 << 16 };

/// Complete orders and their costs, best first; and whether nothing was dropped but what the bounds exclude.
type Found<E> = (Vec<(Vec<JobId>, E)>, bool);

/// One pass.
pub(super) struct Descent<'d, 'c, 'p, 'r, 'a, T: Time, E: Element> {
    settings: &'d PassSettings<T>,
    weighing: &'d Weighing,
    /// Of each machine.
    urgencies: Vec<f64>,
    crew: &'d Crew<'c, 'p, E>,
    history: &'d mut History,
    meter: Meter<'r, 'a, T>,
    pace: Pace,
    /// What each thread added to the level, before the history has it.
    fresh: Vec<Vec<Entry>>,
    /// How many threads there are, and whether each node alone is worth one.
    threads: usize,
    nodes_are_slow: bool,
}

impl<'d, 'c, 'p, 'r, 'a, T: Time, E: Element> Descent<'d, 'c, 'p, 'r, 'a, T, E> {
    pub(super) fn new(
        settings: &'d PassSettings<T>,
        weighing: &'d Weighing,
        crew: &'d Crew<'c, 'p, E>,
        history: &'d mut History,
        meter: Meter<'r, 'a, T>,
        nodes_are_slow: bool,
    ) -> Self {
        let pace = Pace::new(settings.children, settings.until, meter.now());
        let urgencies = urgencies(settings.upper, crew.stage().tree.totals());
        let fresh = Vec::new();
        Self { settings, weighing, urgencies, crew, history, meter, pace, fresh, threads: 1, nodes_are_slow }
    }

    /// Counts what was held back; returns how many children were priced.
    pub(super) fn count(&mut self) -> u64 {
        self.meter.flush();
        self.meter.children
    }

    /// How many threads, of so many, the widest level can use.
    pub(super) fn threads_wanted(&self, most: usize) -> usize {
        let stage = self.crew.stage();
        let lanes = stage.tree.num_jobs().next_multiple_of(BLOCK);
        self.threads_for(self.settings.width, lanes * stage.tree.num_machines(), most)
    }

    /// How many threads, of `most`, a level of `nodes` nodes is worth.
    fn threads_for(&self, nodes: usize, times: usize, most: usize) -> usize {
        let worth = if self.nodes_are_slow { nodes } else { nodes.saturating_mul(times) / TIMES_PER_THREAD };
        worth.clamp(1, most)
    }

    /// Goes down on so many threads. `None`: a limit was met.
    pub(super) fn go(&mut self, threads: usize) -> Option<Found<E>> {
        self.threads = threads;
        self.fresh.resize_with(threads, Vec::new);
        self.begin();
        let num_jobs = self.crew.stage().tree.num_jobs();
        let mut exhaustive = true;
        let mut width = self.settings.width;
        for depth in 1..num_jobs {
            width = self.price(depth, width)?;
            exhaustive &= !self.choose(width.min(self.pace.width(num_jobs - depth, self.meter.children)));
            if self.crew.stage().survivors == 0 {
                return Some((Vec::new(), exhaustive));
            }
            self.grow()?;
        }
        let (leaves, whole) = self.finish();
        Some((leaves, exhaustive && whole))
    }

    /// Plants the root.
    fn begin(&mut self) {
        self.history.clear();
        let mut stage = self.crew.stage();
        let prune_at = self.settings.prune_at;
        stage.limit = if prune_at < T::MAX { E::from_time(prune_at) } else { E::MAX };
        stage.leaves = self.settings.leaves;
        stage.children_per_look = self.meter.children_per_look();
        stage.plant_root(if self.settings.penalise_one_sided { ONE_SIDED } else { 0.0 });
    }

    /// Prices the children of the level, which get `depth` jobs. Meanwhile the history is put in order: returns the width, or
    /// half of it where memory is short. `None`: a limit was met.
    fn price(&mut self, depth: usize, width: usize) -> Option<usize> {
        let (threads, nodes, open) = {
            let mut stage = self.crew.stage();
            stage.depth = depth;
            let guide = self.settings.guide;
            let (n, m) = (stage.tree.num_jobs(), stage.tree.num_machines());
            // Finite, so that the gap of an unknown cost is one.
            let upper = ((self.settings.upper.to_f64() * stage.tree.scale()) as f32).min(f32::MAX);
            stage.scoring = (guide.weighting(), guide.score(self.weighing, depth, n, m, upper));
            if depth == 1 || !self.weighing.is_constant() {
                for end in End::BOTH {
                    let weights = self.weighing.weights(&self.urgencies, end, depth as f64 / n as f64);
                    stage.tree.set_weights(end, weights);
                }
            }
            let lanes = stage.columns.num_lanes();
            // A child's number is its node's times the lanes, plus its lane.
            stage.width = width.clamp(1, u32::MAX as usize / lanes.max(1));
            let nodes = stage.level.len();
            let threads = self.threads_for(nodes, lanes * m, self.threads);
            stage.open_nodes(nodes, threads);
            (threads, nodes, stage.num_open())
        };
        if let Some(met) = self.meter.met_after(nodes, open) {
            // What would be found is lost.
            self.meter.count(met, open);
            return None;
        }
        let mut is_short = false;
        let (crew, history, fresh) = (self.crew, &mut *self.history, &mut self.fresh);
        crew.all_beside(Task::Price, threads, || {
            history.absorb(fresh);
            is_short = history.collect(self.settings.memory / 2);
        });
        let (taken, is_stopped) = {
            let stage = self.crew.stage();
            (stage.taken(), stage.is_stopped())
        };
        if self.meter.count(taken, open) || is_stopped {
            return None;
        }
        if self.pace.has_clock() {
            self.pace.level_done(nodes, open, self.meter.now());
        }
        Some(if is_short { (width / 2).max(1) } else { width })
    }

    /// Decides how many children survive; tells whether others are dropped.
    fn choose(&mut self, width: usize) -> bool {
        let mut stage = self.crew.stage();
        let mut cut = false;
        let mut total = 0;
        for number in 0..stage.threads {
            let mut part = self.crew.part(number);
            cut |= part.candidates.is_cut();
            total += part.candidates.len();
            part.candidates.swap(&mut stage.keys[number]);
        }
        stage.survivors = total.min(width).min(stage.width);
        cut || stage.survivors < total
    }

    /// Makes nodes of the survivors, which are the level then. `None`: a limit was met.
    fn grow(&mut self) -> Option<()> {
        let threads = {
            let mut stage = self.crew.stage();
            stage.piece = stage.survivors.div_ceil(stage.threads);
            stage.first_entry = self.history.first_of_level();
            // Columns of jobs that every node has placed are dropped, once that saves a block.
            let next = stage.depth + 1;
            let least = (stage.tree.num_jobs() + 1 - next).div_ceil(BLOCK);
            stage.wants_open = least < stage.columns.num_blocks() && next.is_multiple_of(4);
            stage.threads
        };
        if self.crew.stage().survivors >= NODES_PER_LOOK && self.meter.flush() {
            return None;
        }
        self.crew.all(Task::Grow, threads);
        if self.crew.stage().wants_open && self.find_closed(threads) {
            self.crew.all(Task::Pack, threads);
            self.drop_columns();
        }
        self.history.begin_level();
        let mut stage = self.crew.stage();
        for number in 0..threads {
            let mut part = self.crew.part(number);
            std::mem::swap(&mut part.segment, &mut stage.level.segments[number]);
            std::mem::swap(&mut part.entries, &mut self.fresh[number]);
        }
        let (survivors, piece) = (stage.survivors, stage.piece);
        stage.level.set_len(survivors, piece);
        (!stage.is_stopped()).then_some(())
    }

    /// Finds the lanes that are open in some node; tells whether the others make up a block.
    fn find_closed(&mut self, threads: usize) -> bool {
        let mut stage = self.crew.stage();
        stage.open.clear();
        let num_blocks = stage.columns.num_blocks();
        stage.open.resize(num_blocks, 0);
        for number in 0..threads {
            for (to, open) in stage.open.iter_mut().zip(&self.crew.part(number).open) {
                *to |= open;
            }
        }
        let open: u32 = stage.open.iter().map(|bits| bits.count_ones()).sum();
        (open as usize).div_ceil(BLOCK) < num_blocks
    }

    /// Keeps the columns of the lanes that are open in some node.
    fn drop_columns(&mut self) {
        let stage = &mut *self.crew.stage();
        let is_open = |lane: usize| stage.open[lane / BLOCK] >> (lane % BLOCK) & 1 == 1;
        let jobs = stage.columns.jobs().iter().enumerate();
        let jobs: Vec<JobId> = jobs.filter(|&(lane, _)| is_open(lane)).map(|(_, &job)| job).collect();
        stage.columns.set(&stage.tree, jobs);
    }

    /// Every node has one job left. The best leaves, and whether all were looked at: when a limit is met, those with the best
    /// scores were.
    fn finish(&mut self) -> Found<E> {
        self.history.absorb(&mut self.fresh);
        let (threads, len, nodes) = {
            let mut stage = self.crew.stage();
            let len = stage.level.len();
            let nodes = self.meter.met_after(len, 1).unwrap_or(len);
            stage.depth = stage.tree.num_jobs();
            let times = stage.columns.num_lanes() * stage.tree.num_machines();
            let threads = self.threads_for(nodes, times, self.threads);
            stage.open_nodes(nodes, threads);
            (threads, len, nodes)
        };
        self.crew.all(Task::Finish, threads);
        let stage = self.crew.stage();
        self.meter.count(stage.taken(), 1);
        let whole = nodes == len && !stage.is_stopped();
        let mut first = self.crew.part(0);
        for number in 1..threads {
            first.leaves.absorb(&mut self.crew.part(number).leaves);
        }
        let entry = self.history.first_of_level();
        let leaves = first.leaves.finish().iter().map(|leaf| {
            let last = stage.columns.jobs()[leaf.lane];
            (self.history.order(entry.wrapping_add(leaf.node as u32), last), leaf.cost)
        });
        (leaves.collect(), whole)
    }
}

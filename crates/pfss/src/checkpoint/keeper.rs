//! Writes checkpoints of one process while it searches.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pfss_core::tree::OpenNode;
use pfss_core::{Elite, Incumbents, SharedTree, Team, Time};

use super::file::{Checkpoint, CheckpointError, CheckpointFile};
use crate::piece::Solvable;

/// How long the keeper sleeps before it looks whether the run has ended.
const NAP: Duration = Duration::from_millis(5);

/// How long dives may take to pause. They look about once a millisecond; a process may be stopped for a while.
const PATIENCE: Duration = Duration::from_millis(500);

/// Keeps the open nodes of a run in a file, and lets a run go on from there: a [`Team`] of one process.
pub struct Keeper {
    file: CheckpointFile,
    every: Duration,
    state: Mutex<State>,
}

struct State {
    /// What the file held at first, until a tree goes on from it.
    loaded: Option<Loaded>,
    saved: Instant,
    is_begun: bool,
    /// Why the last one could not be written.
    error: Option<CheckpointError>,
}

/// What a file held.
struct Loaded {
    checkpoint: Checkpoint,
    /// The cost of its best order, exactly: scores of plans have more digits than reals.
    cost: Option<u64>,
}

impl Keeper {
    /// Keeps the open nodes of an instance in this file, about so often; goes on from what it holds.
    ///
    /// # Errors
    /// [`CheckpointError`] when the file is there but is none of this instance.
    pub fn new<P: Solvable>(
        file: CheckpointFile,
        problem: &P,
        every: Duration,
    ) -> Result<Self, CheckpointError> {
        let loaded = file.load(problem)?.map(|checkpoint| {
            let cost = checkpoint.best.as_ref().and_then(|(order, _)| problem.check(order, None).ok());
            Loaded { cost: cost.map(Time::to_bits), checkpoint }
        });
        let state = State { loaded, saved: Instant::now(), is_begun: false, error: None };
        Ok(Self { file, every, state: Mutex::new(state) })
    }

    /// Where the checkpoints are.
    pub fn file(&self) -> &CheckpointFile {
        &self.file
    }

    /// How many open nodes it goes on from, before a search begins; `None` where it begins anew.
    pub fn goes_on_from(&self) -> Option<usize> {
        self.lock().loaded.as_ref().map(|loaded| loaded.checkpoint.nodes.len())
    }

    /// Lets a tree go on from what the file held.
    pub fn restore<C: Time>(&self, tree: &dyn SharedTree, run: &dyn Incumbents<C>) {
        let mut state = self.lock();
        state.is_begun = true;
        let Some(Loaded { checkpoint, cost }) = state.loaded.take() else { return };
        if let (Some((order, _)), Some(cost)) = (checkpoint.best, cost) {
            run.offer(&order, C::from_bits(cost));
        }
        let refused = tree.replace_open(checkpoint.nodes);
        if refused.is_empty() {
            run.raise_bound(C::from_f64_floor(checkpoint.bound));
        } else {
            // Not of this tree: what was searched is unknown then, so all of it is searched.
            tree.replace_open(vec![OpenNode { placements: Vec::new(), bound: 0.0, share: 1.0 }]);
        }
    }

    /// Whether a tree was searched: before that, nothing that the file holds is outdated.
    pub fn is_begun(&self) -> bool {
        self.lock().is_begun
    }

    /// Whether it is time for the next one.
    pub fn is_due(&self) -> bool {
        self.lock().saved.elapsed() >= self.every
    }

    /// Waits for the next time: nothing could be copied, and the file is whole as it is.
    pub fn postpone(&self) {
        self.lock().saved = Instant::now();
    }

    /// Writes a checkpoint of these open nodes, which hold every order that is better than the run's best one.
    pub fn save<C: Time>(&self, nodes: Vec<OpenNode>, run: &dyn Incumbents<C>) {
        let best = run.best().map(|(order, cost)| (order, cost.to_f64()));
        let bound = at_most(run.bound());
        let saved = self.file.save(&Checkpoint { bound, best, nodes });
        let mut state = self.lock();
        state.saved = Instant::now();
        state.error = saved.err();
    }

    /// The end of a run: where no tree was searched because the best order was proven before, says so in the file.
    pub fn conclude<C: Time>(&self, run: &dyn Incumbents<C>) {
        if !self.is_begun() && run.best_cost().meets(run.bound()) {
            self.save(Vec::new(), run);
        }
    }

    /// Whether the last checkpoint was written.
    ///
    /// # Errors
    /// Why it was not.
    pub fn written(&self) -> Result<(), CheckpointError> {
        self.lock().error.take().map_or(Ok(()), Err)
    }

    /// Copies all open nodes of a tree and writes them.
    fn save_tree<C: Time>(&self, tree: &dyn SharedTree, run: &dyn Incumbents<C>) {
        // First what is open, then the best order: what is pruned in between is no better.
        match tree.copy_open(PATIENCE) {
            Some(nodes) => self.save(nodes, run),
            None => self.postpone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A bound as a real number, which may have fewer digits: then the next smaller one, so that it stays a bound.
fn at_most<C: Time>(bound: C) -> f64 {
    let real = bound.to_f64();
    if C::from_f64_floor(real) > bound { real.next_down() } else { real }
}

impl<C: Time> Team<C> for Keeper {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        1
    }

    fn begin(&self, tree: &dyn SharedTree, run: &dyn Incumbents<C>) {
        self.restore(tree, run);
    }

    fn tend(&self, tree: &dyn SharedTree, run: &dyn Incumbents<C>) {
        while !run.must_end() {
            if self.is_due() {
                self.save_tree(tree, run);
            }
            thread::sleep(NAP);
        }
        self.save_tree(tree, run);
    }

    fn tell_elite(&self, _: Elite<C>) {}

    fn elites(&self) -> Vec<Elite<C>> {
        Vec::new()
    }

    fn call_for_help(&self, _: bool) {}

    fn is_help_wanted(&self) -> bool {
        false
    }

    fn searched_elsewhere(&self) -> f64 {
        0.0
    }
}

//! A process among others that work on the same run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pfss::Keeper;
use pfss_core::{CancelFlag, Elite, Incumbents, Run, Seed, SharedTree, Team, Time};
use rand::RngExt;

use crate::board::Board;
use crate::desk::{Desk, Farewell, Scene};
use crate::line::Line;
use crate::message::News;

/// An order of an island is told to so many others, drawn at random: all hear of most, and nobody sends to thousands.
const LISTENERS: usize = 8;

/// How long the clerk sleeps while the tree's own thread reads the messages.
const NAP: Duration = Duration::from_millis(1);

/// A process among others: a [`Team`] over an [`Exchange`](crate::Exchange).
pub(crate) struct Colleague<'a, C> {
    line: Line<'a>,
    board: Board<C>,
    desk: Mutex<Desk>,
    seed: Seed,
    /// Rank 0: where checkpoints are kept. Elsewhere: whether they are.
    keeper: Option<&'a Keeper>,
    keeps_nodes: bool,
    is_tended: AtomicBool,
}

impl<'a, C: Time> Colleague<'a, C> {
    /// This process; `cancel` ends its search.
    pub(crate) fn new(line: Line<'a>, cancel: CancelFlag, seed: Seed) -> Self {
        let (rank, ranks) = (line.rank(), line.ranks());
        let seed = seed.child("team").nth(rank as u64);
        let desk = Desk::new::<C>(rank, ranks, seed.stream("victims"));
        let (board, desk) = (Board::new(cancel), Mutex::new(desk));
        Self { line, board, desk, seed, keeper: None, keeps_nodes: false, is_tended: AtomicBool::new(false) }
    }

    /// Rank 0: keeps checkpoints.
    pub(crate) fn with_keeper(self, keeper: Option<&'a Keeper>) -> Self {
        Self { keeper, keeps_nodes: keeper.is_some(), ..self }
    }

    /// What is left open is wanted at the end.
    pub(crate) fn keeping_nodes(self, keeps_nodes: bool) -> Self {
        Self { keeps_nodes, ..self }
    }

    /// Reads messages of the run while its solver works, until `is_done`. Where a tree is searched, the thread that tends it does
    /// that meanwhile.
    pub(crate) fn serve(&self, run: &Run<'_, C>, is_done: &dyn Fn() -> bool) {
        while !is_done() {
            if self.is_tended.load(Ordering::Relaxed) {
                thread::sleep(NAP);
            } else {
                self.lock().step(&self.scene(run, None));
            }
        }
    }

    /// Whether rank 0 has ended the run.
    pub(crate) fn is_over(&self) -> bool {
        self.board.is_over()
    }

    /// A signal reached this process: all end.
    pub(crate) fn ask_to_stop(&self) {
        self.line.send(0, News::Stop);
    }

    /// The search of this process failed: all end.
    pub(crate) fn tell_failure(&self, message: String) {
        self.line.send(0, News::Failed(message));
    }

    /// What failed in another process.
    pub(crate) fn take_failure(&self) -> Option<String> {
        self.board.take_failure()
    }

    /// The last word to rank 0.
    pub(crate) fn say_farewell(&self, run: &Run<'_, C>) {
        let best = run.best().map(|(order, cost)| (cost.to_bits(), order));
        let nodes = self.lock().left_open();
        self.line.send(0, News::Farewell { best, evaluations: run.evaluations(), nodes });
    }

    /// Rank 0: ends the run everywhere and collects the last words, which may take so long. Those who said none are lost.
    pub(crate) fn dismiss(&self, run: &Run<'_, C>, patience: Duration) -> Vec<Option<Farewell>> {
        self.line.tell_all(News::Stop);
        let begun = Instant::now();
        let mut desk = self.lock();
        let is_complete = |desk: &Desk| desk.farewells.iter().skip(1).all(Option::is_some);
        while !is_complete(&desk) && begun.elapsed() < patience {
            desk.step(&self.scene(run, None));
        }
        desk.farewells.drain(..).collect()
    }

    /// Rank 0: what it has left open itself.
    pub(crate) fn left_open(&self) -> Option<Vec<String>> {
        self.lock().left_open()
    }

    fn scene<'s>(&'s self, run: &'s dyn Incumbents<C>, tree: Option<&'s dyn SharedTree>) -> Scene<'s, C> {
        Scene { line: self.line, run, board: &self.board, tree, keeper: self.keeper }
    }

    fn lock(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Time> Team<C> for Colleague<'_, C> {
    fn rank(&self) -> usize {
        self.line.rank()
    }

    fn ranks(&self) -> usize {
        self.line.ranks()
    }

    fn begin(&self, tree: &dyn SharedTree, run: &dyn Incumbents<C>) {
        tree.become_part(self.line.rank() == 0);
        if let Some(keeper) = self.keeper {
            keeper.restore(tree, run);
        }
    }

    fn tend(&self, tree: &dyn SharedTree, run: &dyn Incumbents<C>) {
        self.is_tended.store(true, Ordering::Relaxed);
        let mut desk = self.lock();
        let scene = self.scene(run, Some(tree));
        while !run.must_end() {
            desk.step(&scene);
        }
        desk.tell_now(&scene);
        desk.give_back(tree, self.keeps_nodes, &scene);
        drop(desk);
        self.is_tended.store(false, Ordering::Relaxed);
    }

    fn tell_elite(&self, elite: Elite<C>) {
        let (rank, ranks) = (self.line.rank(), self.line.ranks());
        let mut rng = self.seed.nth(elite.cost.to_bits()).nth(elite.island as u64).rng();
        let listeners: Vec<usize> = match ranks - 1 <= LISTENERS {
            true => (0..ranks).filter(|&other| other != rank).collect(),
            false => (0..LISTENERS).map(|_| (rank + rng.random_range(1..ranks)) % ranks).collect(),
        };
        let Elite { island, cost, order } = elite;
        self.line.tell(listeners, News::Elite { island, cost: cost.to_bits(), order });
    }

    fn elites(&self) -> Vec<Elite<C>> {
        self.board.take_elites()
    }

    fn call_for_help(&self, is_wanted: bool) {
        if self.board.set_help(is_wanted) != is_wanted {
            self.line.tell_all(News::Help(is_wanted));
        }
    }

    fn is_help_wanted(&self) -> bool {
        self.board.is_help_wanted()
    }

    fn searched_elsewhere(&self) -> f64 {
        self.board.searched_elsewhere()
    }
}

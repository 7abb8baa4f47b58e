//! What the threads of one run share, besides the best order and bound.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use pfss_core::{Instance, Run, Team, Time};
use pfss_exact::branch_and_bound::TreeSearch;
use pfss_heuristics::iterated_greedy::Elites;

/// How often threads without work of their own look for some: open nodes of another process, or a proof to help with.
pub(super) const NAP: Duration = Duration::from_millis(2);

/// Orders of islands, and one tree that all may search.
pub(crate) struct Shared<'p, T> {
    pub(super) elites: Elites<T>,
    team: Option<&'p dyn Team<T>>,
    workers: usize,
    /// Made when a proof begins.
    tree: OnceLock<TreeSearch<'p, T>>,
    will_end: AtomicBool,
}

impl<'p, T: Time> Shared<'p, T> {
    /// For so many threads of this process, and its team.
    pub(crate) fn new(workers: usize, team: Option<&'p dyn Team<T>>) -> Self {
        let islands = workers * team.map_or(1, Team::ranks);
        let will_end = AtomicBool::new(false);
        Self { elites: Elites::new(islands), team, workers, tree: OnceLock::new(), will_end }
    }

    /// How many threads there are, those of other processes included.
    pub(super) fn workers(&self) -> usize {
        self.workers * self.team.map_or(1, Team::ranks)
    }

    /// The tree, made now where nobody made it before.
    pub(super) fn plant(&self, instance: &'p Instance<T>, run: &Run<'_, T>) -> &TreeSearch<'p, T> {
        self.tree.get_or_init(|| {
            let tree = TreeSearch::new(instance, self.workers);
            if let Some(team) = self.team {
                team.begin(&tree, run);
            }
            tree
        })
    }

    /// The tree where a proof is likely to end in time, so that all threads should help.
    pub(super) fn promising_tree(
        &self,
        instance: &'p Instance<T>,
        run: &Run<'_, T>,
    ) -> Option<&TreeSearch<'p, T>> {
        let is_called = self.team.is_some_and(Team::is_help_wanted);
        let tree = if is_called { Some(self.plant(instance, run)) } else { self.tree.get() };
        let will_end = is_called || self.will_end.load(Ordering::Relaxed);
        tree.filter(|tree| will_end && !tree.is_finished())
    }

    /// Says whether a proof is likely to end in time.
    pub(super) fn set_will_end(&self, will_end: bool) {
        self.will_end.store(will_end, Ordering::Relaxed);
        if let Some(team) = self.team {
            team.call_for_help(will_end);
        }
    }

    /// How much of the tree is searched, here and elsewhere.
    pub(super) fn searched(&self) -> f64 {
        let here = self.tree.get().map_or(0.0, TreeSearch::searched);
        here + self.team.map_or(0.0, Team::searched_elsewhere)
    }

    /// Moves open nodes between processes, once there is a tree.
    pub(super) fn tend(&self, run: &Run<'_, T>) {
        let Some(team) = self.team else { return };
        while !run.must_end() {
            match self.tree.get() {
                Some(tree) => return team.tend(tree, run),
                None => thread::sleep(NAP),
            }
        }
    }
}

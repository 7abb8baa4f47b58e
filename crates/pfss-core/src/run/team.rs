//! Other processes that work on the same run, and files that keep what is open.

use std::time::Duration;

use crate::JobId;
use crate::tree::OpenNode;

/// The best order that an island of another process told.
#[derive(Clone, Debug, PartialEq)]
pub struct Elite<C> {
    /// The number of the island among all.
    pub island: usize,
    /// The cost of its order.
    pub cost: C,
    /// Its order.
    pub order: Vec<JobId>,
}

/// What a team may know of a run, and tell it.
pub trait Incumbents<C>: Sync {
    /// The best order so far and its cost.
    fn best(&self) -> Option<(Vec<JobId>, C)>;

    /// The cost of the best order so far.
    fn best_cost(&self) -> C;

    /// The best proven bound so far.
    fn bound(&self) -> C;

    /// Offers an order whose cost is `cost`; returns whether it is the new best.
    fn offer(&self, order: &[JobId], cost: C) -> bool;

    /// Reports that no order costs less than `bound`.
    fn raise_bound(&self, bound: C);

    /// Whether the run must end.
    fn must_end(&self) -> bool;
}

/// A search tree whose open nodes may move: to other processes, and into files.
pub trait SharedTree: Sync {
    /// Makes it a part of a larger tree, before the search begins: when nothing is open here any more, the whole may be
    /// unfinished. The first part has the root and raises the bound; the others begin with nothing.
    fn become_part(&self, is_first: bool);

    /// Replaces all open nodes, before the search begins. Returns those that are no nodes of this tree.
    fn replace_open(&self, nodes: Vec<OpenNode>) -> Vec<OpenNode>;

    /// Adds open nodes. Returns those that are no nodes of this tree.
    fn put_open(&self, nodes: Vec<OpenNode>) -> Vec<OpenNode>;

    /// Takes out half of the open nodes that wait, at most so many, those nearest to the root; none where no thread of this
    /// process is at work, so that what has just come is not taken away again.
    fn take_half(&self, most: usize) -> Vec<OpenNode>;

    /// A copy of all open nodes. Threads that are at work pause meanwhile; `None` when one does not in time.
    fn copy_open(&self, patience: Duration) -> Option<Vec<OpenNode>>;

    /// The least bound of all that is open here, what threads are at work on included.
    fn least_open(&self) -> Option<f64>;

    /// Whether a thread looked for an open node and found none, since nodes were last put in.
    fn is_hungry(&self) -> bool;

    /// How much of the whole tree was searched here, as a share.
    fn searched_here(&self) -> f64;
}

/// Other processes that work on the same run, numbered by their rank, or a file that keeps the open nodes.
///
/// Best orders and bounds need nothing of this: they come through [`Run::offer`](crate::Run::offer) and [`Run::raise_bound`](crate::Run::raise_bound). A team is for what
/// solvers share besides, and a solver that does not ask for it works as if it were alone.
pub trait Team<C>: Sync {
    /// The number of this process.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn ranks(&self) -> usize;

    /// Prepares a tree that is about to be searched: it becomes a part, or goes on where a file ends.
    fn begin(&self, tree: &dyn SharedTree, run: &dyn Incumbents<C>);

    /// Moves open nodes of a tree until the run must end. Called on a thread of its own.
    fn tend(&self, tree: &dyn SharedTree, run: &dyn Incumbents<C>);

    /// Tells other processes the best order of an island of this one.
    fn tell_elite(&self, elite: Elite<C>);

    /// What islands of other processes told since the last call.
    fn elites(&self) -> Vec<Elite<C>>;

    /// Tells other processes whether all should help to search the tree.
    fn call_for_help(&self, is_wanted: bool);

    /// Whether all should help to search the tree.
    fn is_help_wanted(&self) -> bool;

    /// How much of the tree other processes have searched, as a share.
    fn searched_elsewhere(&self) -> f64;
}

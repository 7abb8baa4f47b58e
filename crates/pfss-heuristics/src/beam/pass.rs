//! What a pass does, and what it found.

use std::time::Duration;

use pfss_core::{JobId, Time};

use super::hand_made::HandMade;

/// What a pass does.
#[derive(Clone, Copy, Debug)]
pub struct PassSettings<T> {
    /// How many nodes of a level survive.
    pub width: usize,
    /// Which nodes survive, where no guide from outside tells.
    pub guide: HandMade,
    /// Whether nodes with nothing placed at one end are put last; a guide from outside knows for itself.
    pub penalise_one_sided: bool,
    /// Children whose bound is not below are dropped ([`Time::MAX`]: none is). It may lie above `upper`, for leaves near
    /// the best known order.
    pub prune_at: T,
    /// The cost of the best known order ([`Time::MAX`]: none), for [`HandMade::Gap`] and for what idle time weighs.
    pub upper: T,
    /// How many bytes the pass may hold. Where the history of its nodes takes more than half of that, it gets narrower.
    pub memory: usize,
    /// How many leaves are wanted besides the best one, which is the first of them; 0: none.
    pub leaves: usize,
    /// How many children the pass may price ([`u64::MAX`]: any number). Where the levels below would take more, they get narrower,
    /// down to one node.
    pub children: u64,
    /// When the pass should have ended, on the clock of the run; levels get narrower for that too. Then the result depends on
    /// the clock.
    pub until: Option<Duration>,
}

impl<T: Time> PassSettings<T> {
    /// A pass of this width while nothing is known, without leaves and without a limit of memory.
    pub fn new(width: usize) -> Self {
        Self {
            width,
            guide: HandMade::Walpha,
            penalise_one_sided: true,
            prune_at: T::MAX,
            upper: T::MAX,
            memory: usize::MAX,
            leaves: 0,
            children: u64::MAX,
            until: None,
        }
    }
}

/// What a pass found.
#[derive(Clone, Debug)]
pub struct PassResult<T> {
    /// The best order below `prune_at`, and its cost.
    pub best: Option<(Vec<JobId>, T)>,
    /// The best orders below `prune_at` with their costs, best first and all different: as many as were wanted, or as the last
    /// level has.
    pub leaves: Vec<(Vec<JobId>, T)>,
    /// Whether the pass went through to the end: no limit stopped it.
    pub completed: bool,
    /// Whether nothing was dropped but what the bounds exclude. Then no order costs less than the smaller of
    /// `prune_at` and the best order's cost.
    pub exhaustive: bool,
    /// How many children were priced (at both ends).
    pub children: u64,
}

//! How a beam search is made, with what suits the shape of the instance.

use pfss_core::Time;

use super::hand_made::HandMade;
use super::search::BeamSearch;

/// No pass is wider than this, however much memory there is.
const MAX_WIDTH: usize = 1 << 24;

/// On so many machines bounds no longer prune well, and aiming below the best known cost does not pay.
const MANY_MACHINES: usize = 30;

/// How a [`Schedule`](super::Schedule) searches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Which nodes survive, where no guide from outside tells.
    pub guide: HandMade,
    /// Whether passes aim below the best known cost by more than the least step.
    pub aspiration: bool,
    /// Whether nodes with nothing placed at one end are put last.
    pub penalise_one_sided: bool,
    /// The width of the first pass.
    pub initial_width: usize,
    /// No pass is wider.
    pub max_width: usize,
    /// How many bytes a pass may hold.
    pub memory: usize,
    /// How many leaves are wanted of each pass.
    pub leaves: usize,
}

impl Plan {
    /// What suits the instance's shape, for a search that may hold `memory` bytes.
    pub fn new<T: Time>(search: &BeamSearch<'_, T>, memory: usize) -> Self {
        Self {
            guide: HandMade::Walpha,
            aspiration: search.instance().num_machines() < MANY_MACHINES,
            // It never cost anything in tests, and saved much where few jobs meet many machines.
            penalise_one_sided: true,
            initial_width: 1,
            // Half of the memory for the levels; the other half is for the history of their nodes.
            max_width: (memory / 2 / search.bytes_per_width()).clamp(1, MAX_WIDTH),
            memory,
            leaves: 0,
        }
    }
}

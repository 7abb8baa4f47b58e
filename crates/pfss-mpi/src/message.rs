//! What processes tell each other, as JSON.

use pfss::{Made, Piece};
use pfss_core::JobId;
use serde::{Deserialize, Serialize};

use crate::assignment::Assignment;

/// A message between processes.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// Rank 0: work on this, together with all others.
    Solve(Box<Assignment>),
    /// About the run of this number.
    Run(u64, News),
    /// Rank 0: how many threads are there?
    Hire,
    /// So many.
    Hired(usize),
    /// Rank 0: a model that pieces to come need.
    Model { key: String, content: Vec<u8> },
    /// Rank 0: solve this instance.
    Make { number: u64, piece: Box<Piece> },
    /// What came of it.
    Made { number: u64, result: Result<Made, String> },
    /// Rank 0: give up what is under way. From others: a signal asks for that.
    Cancel,
    /// Rank 0: there is nothing more to do.
    Quit,
}

/// What happens in a run. Costs and bounds are the bits of their type, in which order is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum News {
    /// A better order.
    Order { cost: u64, order: Vec<JobId> },
    /// A better bound.
    Bound(u64),
    /// The best order of an island.
    Elite { island: usize, cost: u64, order: Vec<JobId> },
    /// Whether all should search the tree.
    Help(bool),
    /// A part of the search failed.
    Failed(String),
    /// Rank 0: the run is over.
    Stop,
    /// The last word on a run.
    Farewell { best: Option<(u64, Vec<JobId>)>, evaluations: u64, nodes: Option<Vec<String>> },
    /// Asks for open nodes.
    Steal,
    /// Open nodes; none where there are none to give. `copy` is the last copy that the giver took part in.
    Gift { number: u64, copy: u64, nodes: Vec<String> },
    /// A gift is in the receiver's tree.
    Received(u64),
    /// Rank 0: tell the least bound of what is open, in this round.
    Count(u64),
    /// The answer of a process and of all below it; `least` is `None` where nothing is open.
    Report { round: u64, least: Option<f64>, best: u64, searched: f64 },
    /// Rank 0: copy all open nodes.
    Copy(u64),
    /// All that was open; `None` where a thread did not pause in time.
    Copied { copy: u64, best: Option<(u64, Vec<JobId>)>, nodes: Option<Vec<String>> },
    /// Rank 0: the copy is complete.
    Go(u64),
}

impl Message {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        // No message holds what has no JSON form: reals are finite and keys are texts.
        serde_json::to_vec(self).unwrap_or_default()
    }

    pub(crate) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

//! Copies of all open nodes, for checkpoints, while nodes keep moving.
//!
//! Rank 0 asks all for a copy and collects the answers. Each holds what its process answers for, gifts on their way included. A
//! process that has answered keeps gifts of those who have not waiting until all have: the giver's copy holds them
//! then, for it has no receipt. So every open node is in some copy (a cut in the manner of Chandy & Lamport, "Distributed
//! snapshots", ACM Transactions on Computer Systems 3 (1985)); some are in two, which costs time but nothing else.

use crate::line::Line;
use crate::message::News;

/// A gift that waits.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) from: usize,
    pub(crate) number: u64,
    pub(crate) nodes: Vec<String>,
}

/// The copy under way, as one process sees it.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// The last copy that this process took part in, and whether others are still to answer.
    number: u64,
    is_open: bool,
    waiting: Vec<Waiting>,
    /// Rank 0: all nodes so far, and how many answers are missing.
    nodes: Option<Vec<String>>,
    missing: usize,
}

impl Copies {
    /// The last copy that this process took part in.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Whether a copy is under way.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// This process has answered.
    pub(crate) fn answered(&mut self, number: u64) {
        (self.number, self.is_open) = (number, true);
    }

    /// Whether a gift of somebody who took part in copy number `copy` last must wait.
    pub(crate) fn must_wait(&self, copy: u64) -> bool {
        self.is_open && copy < self.number
    }

    /// Keeps a gift until the copy is complete.
    pub(crate) fn keep(&mut self, gift: Waiting) {
        self.waiting.push(gift);
    }

    /// The copy is complete: the gifts that waited.
    pub(crate) fn close(&mut self, number: u64) -> Vec<Waiting> {
        if number == self.number {
            self.is_open = false;
        }
        std::mem::take(&mut self.waiting)
    }

    /// Rank 0: begins a copy with its own nodes.
    pub(crate) fn begin(&mut self, nodes: Vec<String>, line: Line<'_>) {
        self.answered(self.number + 1);
        (self.nodes, self.missing) = (Some(nodes), line.ranks() - 1);
        line.tell_all(News::Copy(self.number));
    }

    /// Rank 0: an answer. A copy without it is none.
    pub(crate) fn add(&mut self, number: u64, nodes: Option<Vec<String>>) {
        if number != self.number || self.missing == 0 {
            return;
        }
        self.missing -= 1;
        self.nodes = match (self.nodes.take(), nodes) {
            (Some(mut all), Some(more)) => {
                all.extend(more);
                Some(all)
            }
            _ => None,
        };
    }

    /// Rank 0: all nodes, once everybody has answered; `None` inside where somebody could not. All may go on then.
    pub(crate) fn complete(&mut self, line: Line<'_>) -> Option<Option<Vec<String>>> {
        if !self.is_open || self.missing > 0 {
            return None;
        }
        line.tell_all(News::Go(self.number));
        Some(self.nodes.take())
    }
}

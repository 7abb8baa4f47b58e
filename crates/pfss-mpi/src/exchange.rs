//! How processes reach each other.

use std::ops::Range;
use std::time::Duration;

/// Messages between processes, numbered by their rank. Between two of them, messages arrive in the order in which they were sent.
///
/// Everything that runs over many machines goes through this; nothing else knows what carries the messages.
pub trait Exchange: Sync {
    /// The number of this process.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn ranks(&self) -> usize;

    /// How many of them share this machine, this one included.
    fn neighbours(&self) -> usize {
        1
    }

    /// The processes that this one depends on and that have died: rank 0 depends on all others, and they on rank 0.
    fn lost(&self) -> Vec<usize> {
        Vec::new()
    }

    /// A process no longer answers, so that an orderly end would wait for it.
    fn note_loss(&self) {}

    /// Sends a message, without waiting until it arrives.
    fn send(&self, to: usize, message: Vec<u8>);

    /// The next message and who sent it; waits for one so long at most.
    fn receive(&self, patience: Duration) -> Option<(usize, Vec<u8>)>;
}

/// The processes that one depends on: rank 0 on all others, and they on rank 0.
pub(crate) fn partners(rank: usize, ranks: usize) -> Range<usize> {
    if rank == 0 { 1..ranks } else { 0..1 }
}

//! Counts what a pass does.

use pfss_core::{Run, Time};

/// Children priced between two looks at the limits, on up to 64 machines: some milliseconds at most. More machines take longer, and
/// are looked at more often.
const CHECK_EVERY: u64 = 1 << 15;
const FEW_MACHINES: u64 = 64;

/// Counts children and looks at the limits now and then.
pub(super) struct Meter<'r, 'a, T: Time> {
    run: &'r Run<'a, T>,
    pub(super) children: u64,
    pending: u64,
    check_every: u64,
}

impl<'r, 'a, T: Time> Meter<'r, 'a, T> {
    /// Nothing counted yet. Where nodes are slow, it looks at the limits after each of them.
    pub(super) fn new(run: &'r Run<'a, T>, num_machines: usize, nodes_are_slow: bool) -> Self {
        let by_machines = CHECK_EVERY * FEW_MACHINES / FEW_MACHINES.max(num_machines as u64);
        let check_every = if nodes_are_slow { 1 } else { by_machines };
        Self { run, children: 0, pending: 0, check_every }
    }

    /// Counts, and tells whether the run must end.
    pub(super) fn count(&mut self, children: u64) -> bool {
        self.children += children;
        self.pending += children;
        self.pending >= self.check_every && self.flush()
    }

    /// Counts what was held back, and tells whether the run must end.
    pub(super) fn flush(&mut self) -> bool {
        self.run.count(self.pending);
        self.pending = 0;
        self.run.must_end()
    }
}

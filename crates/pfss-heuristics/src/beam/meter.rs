//! Counts what a pass does.

use pfss_core::{Run, Time, evaluations_per_look};

/// Children priced between two looks at the limits on few machines: some milliseconds at most.
const CHILDREN_PER_LOOK: u64 = 1 << 15;

/// Counts children and looks at the limits now and then.
pub(super) struct Meter<'r, 'a, T: Time> {
    run: &'r Run<'a, T>,
    pub(super) children: u64,
    pending: u64,
    children_per_look: u64,
}

impl<'r, 'a, T: Time> Meter<'r, 'a, T> {
    /// Nothing counted yet. Where nodes are slow, it looks at the limits after each of them.
    pub(super) fn new(run: &'r Run<'a, T>, num_machines: usize, nodes_are_slow: bool) -> Self {
        let children_per_look =
            if nodes_are_slow { 1 } else { evaluations_per_look(CHILDREN_PER_LOOK, num_machines) };
        Self { run, children: 0, pending: 0, children_per_look }
    }

    /// Counts, and tells whether the run must end.
    pub(super) fn count(&mut self, children: u64) -> bool {
        self.children += children;
        self.pending += children;
        self.pending >= self.children_per_look && self.flush()
    }

    /// Counts what was held back, and tells whether the run must end.
    pub(super) fn flush(&mut self) -> bool {
        self.run.count(self.pending);
        self.pending = 0;
        self.run.must_end()
    }
}

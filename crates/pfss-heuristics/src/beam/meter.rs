//! Counts what a pass does.

use std::time::Duration;

use pfss_core::{Run, Time, evaluations_per_look};

/// Children priced between two looks at the limits on few machines: some milliseconds at most.
const CHILDREN_PER_LOOK: u64 = 1 << 15;

/// Counts children, and looks at the limits now and then: node by node, whether nodes are worked on one after the other or
/// by several threads at once.
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
            if nodes_are_slow { 1 } else { evaluations_per_look(CHILDREN_PER_LOOK, num_machines).max(1) };
        Self { run, children: 0, pending: 0, children_per_look }
    }

    /// The time of the run.
    pub(super) fn now(&self) -> Duration {
        self.run.elapsed()
    }

    /// How many children there are between two looks.
    pub(super) fn children_per_look(&self) -> u64 {
        self.children_per_look
    }

    /// After how many nodes with so many children each the first look comes, and each further one.
    fn looks(&self, children: u64) -> (u64, u64) {
        let first = (self.children_per_look - self.pending).div_ceil(children);
        (first, self.children_per_look.div_ceil(children))
    }

    /// Where a look finds a limit of evaluations met among the next `nodes` nodes with so many children each: after how many.
    pub(super) fn met_after(&self, nodes: usize, children: u64) -> Option<usize> {
        let left = self.run.evaluations_left()?;
        let (first, further) = self.looks(children);
        let missing = left.saturating_sub(self.pending.saturating_add(first.saturating_mul(children)));
        let looks = missing.div_ceil(further.saturating_mul(children));
        let met = first.saturating_add(looks.saturating_mul(further));
        (met <= nodes as u64).then_some(met as usize)
    }

    /// Counts `nodes` nodes with so many children each. When there was a look among them, tells whether the run must end.
    pub(super) fn count(&mut self, nodes: usize, children: u64) -> bool {
        let nodes = nodes as u64;
        self.children += nodes * children;
        let (first, further) = self.looks(children);
        if nodes < first {
            self.pending += nodes * children;
            return false;
        }
        let after_last_look = (nodes - first) % further;
        self.pending += (nodes - after_last_look) * children;
        let must_end = self.flush();
        self.pending = after_last_look * children;
        must_end
    }

    /// Counts what was held back, and tells whether the run must end.
    pub(super) fn flush(&mut self) -> bool {
        self.run.count(self.pending);
        self.pending = 0;
        self.run.must_end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::{Limits, Seed};

    fn run(limit: u64) -> Run<'static, u32> {
        Run::new(Seed::new(1), Limits { evaluations: Some(limit), ..Limits::default() })
    }

    /// One node at a time.
    #[test]
    fn levels_are_counted_as_their_nodes_are() {
        for (limit, is_slow) in [(100_000, false), (1 << 15, false), (77_777, true), (u64::MAX, false)] {
            let (one, other) = (run(limit), run(limit));
            let (mut one_by_one, mut at_once) =
                (Meter::new(&one, 20, is_slow), Meter::new(&other, 20, is_slow));
            for (nodes, children) in [(1, 50), (50, 49), (900, 48), (0, 3), (41, 47), (3000, 46), (70_000, 1)]
            {
                let met = (1..=nodes).find(|_| one_by_one.count(1, children));
                assert_eq!(at_once.met_after(nodes, children), met);
                assert_eq!(at_once.count(met.unwrap_or(nodes), children), met.is_some());
                assert_eq!((one.evaluations(), one_by_one.children), (other.evaluations(), at_once.children));
                if met.is_some() {
                    break;
                }
            }
            assert_eq!((one_by_one.flush(), one.evaluations()), (at_once.flush(), other.evaluations()));
        }
    }
}

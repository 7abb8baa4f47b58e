//! Which nodes are samples, whose children are tested with all pairs of machines.

/// Nodes that a thread branches before samples are taken by depth: small trees need hardly any.
const START: u64 = 1 << 14;

/// Nodes of a depth before its first sample, which takes as long as branching dozens of nodes. Samples become rarer with
/// their number, down to one node in so many.
const FIRST: u64 = 64;
const RAREST: u64 = 1024;

/// Places of jobs in pairs that a sample looks at: no more of its children are tested than fit in, but one.
const PLACES: usize = 1 << 15;

/// When samples are taken.
pub(super) struct Samples {
    counter: u64,
    /// By depth.
    due: Vec<Due>,
    /// Children of a sample that are tested, and how many are left of this one.
    children: usize,
    left: usize,
}

/// When the next node of a depth is a sample, and how many there were.
#[derive(Clone, Copy)]
struct Due {
    nodes: u64,
    samples: u64,
}

impl Samples {
    pub(super) fn new(num_jobs: usize, num_pairs: usize) -> Self {
        let children = (PLACES / (num_pairs * num_jobs).max(1)).max(1);
        let due = vec![Due { nodes: FIRST, samples: 0 }; num_jobs + 1];
        Self { counter: 0, due, children, left: 0 }
    }

    /// Whether this node, the next one of its depth, is a sample.
    #[inline(always)]
    pub(super) fn is_next(&mut self, depth: usize) -> bool {
        self.counter += 1;
        if self.counter < START {
            self.left = usize::MAX;
            return self.counter.is_multiple_of(RAREST);
        }
        let due = &mut self.due[depth];
        due.nodes -= 1;
        if due.nodes > 0 {
            return false;
        }
        due.samples += 1;
        // Often at first, so that depths with few nodes are judged too.
        due.nodes = (due.samples.min(RAREST).pow(2) / 16).clamp(1, RAREST);
        self.left = self.children;
        true
    }

    /// Notes that a child of the sample was tested; whether it is the last one.
    #[inline(always)]
    pub(super) fn is_full(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_depth_has_samples_that_become_rarer() {
        let mut samples = Samples::new(20, 45);
        let early = (1..START).filter(|_| samples.is_next(9)).count();
        assert_eq!(early as u64, START / RAREST - 1);
        // A depth with a thousand nodes, and one with a million.
        let rare = (0..1000).filter(|_| samples.is_next(3)).count();
        let common = (0..1_000_000).filter(|_| samples.is_next(9)).count();
        assert!((20..100).contains(&rare) && (900..1500).contains(&common), "{rare} {common}");
        assert!((0..35).all(|_| !samples.is_full()) && samples.is_full());
    }
}

//! The batches of an epoch.

use std::ops::Range;

/// How the instances of an epoch are divided into batches of one size. What is left over after the last whole batch waits
/// for another epoch.
pub(super) struct Batches {
    instances: usize,
    size: usize,
}

impl Batches {
    /// Of so many instances, which are at least one.
    pub(super) fn new(instances: usize, size: usize) -> Self {
        Self { instances, size: size.min(instances).max(1) }
    }

    pub(super) fn count(&self) -> usize {
        (self.instances / self.size).max(1)
    }

    /// Which of the epoch's instances are in a batch.
    pub(super) fn range(&self, batch: usize) -> Range<usize> {
        batch * self.size..(batch + 1) * self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_batches_are_taken() {
        let of = |instances, size| {
            let batches = Batches::new(instances, size);
            (batches.count(), batches.range(batches.count() - 1))
        };
        assert_eq!(of(40, 8), (5, 32..40));
        assert_eq!(of(47, 8), (5, 32..40));
        assert_eq!(of(5, 8), (1, 0..5));
    }
}

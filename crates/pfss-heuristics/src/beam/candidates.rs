//! The best children of a level, found without sorting all of them.

/// Keeps the `width` least keys of a stream, in a buffer of about twice that size.
///
/// A key is a score (its bits order as its value does, for it is not negative) above a child's number, so
/// that keys are distinct and the result never depends on how it was found.
#[derive(Default)]
pub(super) struct Candidates {
    keys: Vec<u64>,
    width: usize,
    capacity: usize,
    threshold: f32,
    cut: bool,
}

impl Candidates {
    /// Starts a level.
    pub(super) fn clear(&mut self, width: usize) {
        self.keys.clear();
        self.width = width;
        self.capacity = 2 * width + 1024;
        self.threshold = f32::INFINITY;
        self.cut = false;
    }

    /// Only scores below can still matter: later children lose ties.
    #[inline]
    pub(super) fn threshold(&self) -> f32 {
        self.threshold
    }

    /// Adds a child.
    #[inline]
    pub(super) fn push(&mut self, score: f32, child: u32) {
        self.keys.push(u64::from(score.to_bits()) << 32 | u64::from(child));
    }

    /// How many children are held.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// Notes that children which no bound excludes were left out, whatever their scores: the pass proves nothing then.
    #[inline]
    pub(super) fn note_dropped(&mut self) {
        self.cut = true;
    }

    /// Drops what cannot be among the best, once the buffer is full.
    #[inline]
    pub(super) fn trim(&mut self) {
        if self.keys.len() >= self.capacity {
            self.select();
        }
    }

    fn select(&mut self) {
        if self.keys.len() > self.width {
            let (_, &mut last, _) = self.keys.select_nth_unstable(self.width - 1);
            self.keys.truncate(self.width);
            self.threshold = f32::from_bits((last >> 32) as u32);
            self.cut = true;
        }
    }

    /// The scores and numbers of the best children, best first, and whether others were dropped.
    pub(super) fn finish(&mut self) -> (impl ExactSizeIterator<Item = (f32, u32)>, bool) {
        self.select();
        self.keys.sort_unstable();
        (self.keys.iter().map(|&key| (f32::from_bits((key >> 32) as u32), key as u32)), self.cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_keys_survive_in_order() {
        let score = |child: u32| (child.wrapping_mul(2_654_435_761) >> 20) as f32;
        let mut expected: Vec<(u64, u32)> = (0..20_000).map(|c| (u64::from(score(c).to_bits()), c)).collect();
        expected.sort_unstable();
        for width in [1, 7, 1000, 20_000] {
            let mut candidates = Candidates::default();
            candidates.clear(width);
            for child in 0..20_000 {
                if score(child) < candidates.threshold() {
                    candidates.push(score(child), child);
                    candidates.trim();
                }
            }
            let (best, cut) = candidates.finish();
            let best: Vec<(f32, u32)> = best.collect();
            assert_eq!(best, expected[..width].iter().map(|&(_, c)| (score(c), c)).collect::<Vec<_>>());
            assert_eq!(cut, width < 20_000);
        }
    }
}

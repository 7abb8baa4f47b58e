//! The best children of a level, found without sorting all of them.

use super::marks::Marks;

/// How many keys a buffer holds beyond twice its share.
const ROOM: usize = 1024;

/// A child as a number: its score above its place in the level. Scores are not negative, so that their bits order as they do;
/// rounding may take one below zero, which then counts as zero.
#[inline]
fn key(score: f32, child: u32) -> u64 {
    let score = if score > 0.0 { score } else { 0.0 };
    u64::from(score.to_bits()) << 32 | u64::from(child)
}

/// The score and the number of a child.
#[inline]
pub(super) fn child_of(key: u64) -> (f32, u32) {
    (f32::from_bits(score_bits(key)), key as u32)
}

#[inline]
fn score_bits(key: u64) -> u32 {
    (key >> 32) as u32
}

/// One thread's part of the `width` least keys of a level, in a buffer of about twice its share.
///
/// A thread sees children in the order of their numbers, so that later ones lose ties against its own. Keys are
/// distinct, so the result never depends on how it was found.
#[derive(Default)]
pub(super) struct Candidates {
    keys: Vec<u64>,
    width: usize,
    /// What one of the threads has to contribute if all contribute alike.
    share: usize,
    capacity: usize,
    threshold: f32,
    cut: bool,
}

impl Candidates {
    /// Starts a level that `threads` threads work on.
    pub(super) fn clear(&mut self, width: usize, threads: usize) {
        self.keys.clear();
        self.width = width;
        self.share = width.div_ceil(threads);
        self.capacity = 2 * self.share + ROOM;
        self.threshold = f32::INFINITY;
        self.cut = false;
    }

    /// Only scores below can still matter.
    #[inline]
    pub(super) fn threshold(&self) -> f32 {
        self.threshold
    }

    /// Looks at what the other threads found.
    #[inline]
    pub(super) fn heed(&mut self, marks: &Marks) {
        // The numbers of their children may be larger: a tie is not lost.
        let above = marks.worst().saturating_add(1);
        if above < self.threshold.to_bits() {
            self.threshold = f32::from_bits(above);
        }
    }

    /// Adds a child.
    #[inline]
    pub(super) fn push(&mut self, score: f32, child: u32) {
        self.keys.push(key(score, child));
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

    /// Whether children were left out.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Drops what cannot be among the best, once the buffer is full.
    #[inline]
    pub(super) fn trim(&mut self, thread: usize, marks: &Marks) {
        if self.keys.len() >= self.capacity {
            self.select(thread, marks);
        }
    }

    fn select(&mut self, thread: usize, marks: &Marks) {
        let before = self.keys.len();
        if self.share < self.width && before >= self.share {
            let (_, &mut last, _) = self.keys.select_nth_unstable(self.share - 1);
            marks.set(thread, score_bits(last));
            let worst = marks.worst();
            self.keys.retain(|&key| score_bits(key) <= worst);
            self.heed(marks);
        }
        if self.keys.len() > self.width {
            let (_, &mut last, _) = self.keys.select_nth_unstable(self.width - 1);
            self.keys.truncate(self.width);
            self.threshold = self.threshold.min(f32::from_bits(score_bits(last)));
        }
        self.cut |= self.keys.len() < before;
        // Where one thread has more than its share, it must not come here with each child.
        self.capacity = (2 * self.share + ROOM).max(2 * self.keys.len());
    }

    /// What is left at the end of a level, sorted: all of this thread's children that are among the best, and perhaps more.
    pub(super) fn finish(&mut self, thread: usize, marks: &Marks) {
        self.select(thread, marks);
        self.keys.sort_unstable();
    }

    /// Hands over what is left, for a list whose memory is used next.
    pub(super) fn swap(&mut self, keys: &mut Vec<u64>) {
        std::mem::swap(&mut self.keys, keys);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores with many ties, and two that are no scores.
    fn score(child: u32) -> f32 {
        match child {
            77 => -0.0,
            78 => -1e-9,
            _ => (child.wrapping_mul(2_654_435_761) >> 22) as f32,
        }
    }

    #[test]
    fn the_least_keys_survive_on_any_number_of_threads() {
        let mut expected: Vec<u64> = (0..20_000).map(|child| key(score(child), child)).collect();
        expected.sort_unstable();
        for (width, threads) in [1, 7, 1000, 5000, 20_000]
            .into_iter()
            .flat_map(|width| [1, 2, 3, 7].map(|threads| (width, threads)))
        {
            let mut marks = Marks::default();
            marks.clear(threads);
            let mut candidates: Vec<Candidates> = (0..threads).map(|_| Candidates::default()).collect();
            candidates.iter_mut().for_each(|candidates| candidates.clear(width, threads));
            for child in 0..20_000u32 {
                // Chunks of children, given to the threads unevenly.
                let chunk = child as usize / 100;
                let thread = chunk * chunk % threads;
                let candidates = &mut candidates[thread];
                candidates.heed(&marks);
                if score(child) < candidates.threshold() {
                    candidates.push(score(child), child);
                    candidates.trim(thread, &marks);
                } else {
                    candidates.note_dropped();
                }
            }
            let mut found = Vec::new();
            for (thread, candidates) in candidates.iter_mut().enumerate() {
                candidates.finish(thread, &marks);
                assert!(candidates.keys.is_sorted() && candidates.len() <= width);
                found.extend_from_slice(&candidates.keys);
            }
            found.sort_unstable();
            assert_eq!(found[..width], expected[..width]);
            let cut = found.len() > width || candidates.iter().any(Candidates::is_cut);
            assert_eq!(cut, width < 20_000);
        }
    }
}

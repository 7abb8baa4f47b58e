//! How many candidates the steps of a greedy order score.

/// How many candidates of each end the steps of a greedy order score, where more are left. From time to time a step scores
/// all; in the steps between, a guide proposes some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shortlist {
    /// At least so many; `usize::MAX` where all are scored in every step.
    pub least: usize,
    /// At most so many.
    pub most: usize,
}

/// The last candidates of a list, which stand for those that are not scored.
pub(super) const PROBES: usize = 8;

impl Shortlist {
    /// All candidates are scored in every step.
    pub const NONE: Self = Self { least: usize::MAX, most: usize::MAX };

    /// How many are scored of so many, probes included; none where that is all.
    pub(super) fn of(self, num_left: usize) -> Option<usize> {
        // Whole units of lanes: a quarter of all, within limits.
        let count = (num_left / 4).min(self.most).max(self.least).max(2 * PROBES);
        let count = count.checked_next_multiple_of(8)?;
        // Guessing has its cost too: what is not much shorter is not worth it.
        (count.saturating_mul(3) <= num_left).then_some(count)
    }

    /// After how many steps all are scored again.
    pub(super) fn steps(num_left: usize) -> usize {
        (num_left / 24).max(3)
    }

    /// How many jobs are scored for an order, up to where so many are left over.
    pub(super) fn total(self, num_jobs: usize, left_over: usize) -> usize {
        let (mut total, mut steps) = (0, 0);
        for left in (left_over + 1..=num_jobs).rev() {
            total += match self.of(left) {
                Some(count) if steps > 0 => {
                    steps -= 1;
                    count
                }
                Some(_) => {
                    steps = Self::steps(left);
                    left
                }
                None => left,
            };
        }
        total
    }
}

impl Default for Shortlist {
    fn default() -> Self {
        Self { least: 32, most: 64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_whole_units_and_shorter_than_what_is_left() {
        let usual = Shortlist::default();
        for left in 1..2000 {
            if let Some(count) = usual.of(left) {
                assert!(
                    count % 8 == 0 && (32..=64).contains(&count) && 3 * count <= left,
                    "{count} of {left}"
                );
            }
            assert_eq!(Shortlist::NONE.of(left), None);
        }
        assert_eq!([95, 96, 160, 300].map(|left| usual.of(left)), [None, Some(32), Some(40), Some(64)]);
        assert_eq!(Shortlist::NONE.total(10, 2), (3..=10).sum::<usize>());
        let total = usual.total(800, 12);
        assert!((788 * 64..788 * 64 * 3 / 2).contains(&total), "{total}");
    }
}

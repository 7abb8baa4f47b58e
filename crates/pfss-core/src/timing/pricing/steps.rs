//! Changes of a sequence, and in which order their jobs then stand.

use std::ops::Range;

/// A change that moves jobs over a distance of at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The job at a position moves back, behind the one that stands so far behind it.
    Forward,
    /// The job that stands so far behind a position moves before the one there.
    Backward,
    /// Both change places.
    Swap,
}

impl Change {
    /// All changes.
    pub const ALL: [Self; 3] = [Self::Forward, Self::Backward, Self::Swap];

    /// The positions in the order in which their jobs stand after the change of the jobs at `position` and `distance` behind
    /// it, from `position` to the end of a sequence of `len` jobs.
    pub(super) fn runs(self, position: usize, distance: usize, len: usize) -> [Range<usize>; 4] {
        let (a, b) = (position, position + distance);
        let rest = b + 1..len.max(b + 1);
        match self {
            Self::Forward => [a + 1..b + 1, a..a + 1, 0..0, rest],
            Self::Backward => [b..b + 1, a..b, 0..0, rest],
            Self::Swap => [b..b + 1, a + 1..b, a..a + 1, rest],
        }
    }

    /// Makes the change.
    pub fn apply<T>(self, order: &mut [T], position: usize, distance: usize) {
        let part = &mut order[position..=position + distance];
        match self {
            Self::Forward => part.rotate_left(1),
            Self::Backward => part.rotate_right(1),
            Self::Swap => part.swap(0, distance),
        }
    }
}

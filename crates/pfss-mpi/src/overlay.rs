//! Who tells whom: a binary tree over the ranks, so that news reach all in few steps and nobody sends to many.

/// The rank above, of which there is none for rank 0.
pub(crate) fn parent(rank: usize) -> Option<usize> {
    rank.checked_sub(1).map(|above| above / 2)
}

/// The ranks below.
pub(crate) fn children(rank: usize, ranks: usize) -> impl Iterator<Item = usize> {
    (2 * rank + 1..=2 * rank + 2).filter(move |&child| child < ranks)
}

/// All ranks that a rank tells.
pub(crate) fn neighbours(rank: usize, ranks: usize) -> impl Iterator<Item = usize> {
    parent(rank).into_iter().chain(children(rank, ranks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_is_the_child_of_its_parent() {
        for ranks in 1..40 {
            for rank in 1..ranks {
                let parent = parent(rank).unwrap();
                assert!(children(parent, ranks).any(|child| child == rank));
                assert!(neighbours(rank, ranks).any(|other| other == parent));
            }
            assert_eq!((0..ranks).map(|rank| children(rank, ranks).count()).sum::<usize>(), ranks - 1);
        }
    }
}

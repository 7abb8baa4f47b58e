//! What two orders agree on.

use pfss_core::JobId;

/// A longest sequence of jobs that stand in the same order in both; both hold the same jobs, numbered from zero.
///
/// As a longest increasing run of places (Schensted 1961): O(n log n).
pub(super) fn longest_common_subsequence(one: &[JobId], other: &[JobId]) -> Vec<JobId> {
    let mut places = vec![0; other.len()];
    for (place, &job) in other.iter().enumerate() {
        places[job as usize] = place;
    }
    let place = |index: usize| places[one[index] as usize];
    // The last index of the best run of each length so far, and the index before each one in its run.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; one.len()];
    for (index, before) in before.iter_mut().enumerate() {
        let length = ends.partition_point(|&end| place(end) < place(index));
        *before = length.checked_sub(1).map(|last| ends[last]);
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut jobs = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        jobs.push(one[index]);
        next = before[index];
    }
    jobs.reverse();
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By the textbook table.
    fn length(one: &[JobId], other: &[JobId]) -> usize {
        let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
        for (i, a) in one.iter().enumerate() {
            for (j, b) in other.iter().enumerate() {
                table[i + 1][j + 1] =
                    if a == b { table[i][j] + 1 } else { table[i][j + 1].max(table[i + 1][j]) };
            }
        }
        table[one.len()][other.len()]
    }

    fn is_within(jobs: &[JobId], order: &[JobId]) -> bool {
        let mut rest = order.iter();
        jobs.iter().all(|job| rest.any(|other| other == job))
    }

    proptest! {
        #[test]
        fn it_is_in_both_and_as_long_as_the_table_says(
            (one, other) in (1usize..12).prop_flat_map(|n| {
                let jobs: Vec<JobId> = (0..n as JobId).collect();
                (Just(jobs.clone()).prop_shuffle(), Just(jobs).prop_shuffle())
            }),
        ) {
            let common = longest_common_subsequence(&one, &other);
            prop_assert!(is_within(&common, &one) && is_within(&common, &other));
            prop_assert_eq!(common.len(), length(&one, &other));
        }
    }

    #[test]
    fn extremes() {
        assert_eq!(longest_common_subsequence(&[2, 0, 1], &[2, 0, 1]), [2, 0, 1]);
        assert_eq!(longest_common_subsequence(&[0, 1, 2], &[2, 1, 0]).len(), 1);
        assert!(longest_common_subsequence(&[], &[]).is_empty());
    }
}

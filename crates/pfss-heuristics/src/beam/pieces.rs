//! Several sorted lists, merged in pieces that threads make at the same time.

/// The keys with the ranks from `from` to `to` in the union of some sorted lists of distinct keys, in order. There
/// must be as many.
pub(super) fn piece(lists: &[Vec<u64>], from: usize, to: usize, piece: &mut Vec<u64>) {
    piece.clear();
    let (from, to) = (cuts(lists, from), cuts(lists, to));
    for (list, (from, to)) in lists.iter().zip(from.into_iter().zip(to)) {
        piece.extend_from_slice(&list[from..to]);
    }
    // This sort merges what is sorted already.
    piece.sort();
}

/// How many keys of each list are among the `rank` least.
fn cuts(lists: &[Vec<u64>], rank: usize) -> Vec<usize> {
    // The cuts lie between these, whose sums are at most and at least the rank.
    let mut low = vec![0; lists.len()];
    let mut high: Vec<usize> = lists.iter().map(|list| list.len().min(rank)).collect();
    let mut up_to_pivot = low.clone();
    loop {
        let widest = (0..lists.len()).max_by_key(|&list| high[list] - low[list]);
        let Some(widest) = widest.filter(|&list| low[list] < high[list] && low.iter().sum::<usize>() < rank)
        else {
            return low;
        };
        let middle = (low[widest] + high[widest]) / 2;
        let pivot = lists[widest][middle];
        for (at, list) in lists.iter().enumerate() {
            up_to_pivot[at] = low[at] + list[low[at]..high[at]].partition_point(|&key| key <= pivot);
        }
        if up_to_pivot.iter().sum::<usize>() <= rank {
            std::mem::swap(&mut low, &mut up_to_pivot);
        } else {
            std::mem::swap(&mut high, &mut up_to_pivot);
            high[widest] = middle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pieces_are_those_of_the_sorted_union(
            keys in prop::collection::hash_map(any::<u64>(), 0usize..5, 0..300), cuts in prop::collection::vec(0usize..300, 2),
        ) {
            let mut lists = vec![Vec::new(); 5];
            for (&key, &list) in &keys {
                // Most keys are in a few lists.
                lists[list * list / 4].push(key);
            }
            lists.iter_mut().for_each(|list: &mut Vec<u64>| list.sort_unstable());
            let mut all: Vec<u64> = keys.into_keys().collect();
            all.sort_unstable();
            let (from, to) = (cuts[0].min(cuts[1]).min(all.len()), cuts[0].max(cuts[1]).min(all.len()));
            let mut found = vec![7];
            piece(&lists, from, to, &mut found);
            prop_assert_eq!(&found, &all[from..to]);
        }
    }
}

//! Ranks with ties.

/// The rank of each value, from 1; equal values share the mean of their ranks.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut start = 0;
    while start < order.len() {
        let value = values[order[start]];
        let end = start + order[start..].iter().take_while(|&&at| values[at] == value).count().max(1);
        // The ranks start + 1 to end have this mean.
        let rank = (start + 1 + end) as f64 / 2.0;
        for &at in &order[start..end] {
            ranks[at] = rank;
        }
        start = end;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_mean() {
        // scipy.stats.rankdata([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5])
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0, 5.0];
        assert_eq!(mid_ranks(&values), [4.5, 1.5, 6.0, 1.5, 8.0, 11.0, 3.0, 10.0, 8.0, 4.5, 8.0]);
        assert_eq!(mid_ranks(&[]), Vec::<f64>::new());
        assert_eq!(mid_ranks(&[0.0, -0.0]), [1.5, 1.5]);
        assert_eq!(mid_ranks(&[f64::NAN, 1.0]), [2.0, 1.0]);
    }
}

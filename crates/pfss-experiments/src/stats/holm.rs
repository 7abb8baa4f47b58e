//! Holm's correction for several tests.

/// The p-values adjusted by Holm's step-down rule (Holm 1979), in the given order: a hypothesis is rejected
/// at level alpha, with the chance of any false rejection at most alpha, when its adjusted value is at most
/// alpha.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut largest: f64 = 0.0;
    for (step, &at) in order.iter().enumerate() {
        largest = largest.max(p_values[at] * (p_values.len() - step) as f64).min(1.0);
        adjusted[at] = largest;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjusted_values_never_fall() {
        // By hand, sorted: 5 * 0.005, 4 * 0.01, 3 * 0.03, the larger of 2 * 0.04 and the one before, 1 * 0.5.
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005, 0.5]);
        for (found, expected) in adjusted.iter().zip([0.04, 0.09, 0.09, 0.025, 0.5]) {
            assert!((found - expected).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(holm(&[0.6, 0.7]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}

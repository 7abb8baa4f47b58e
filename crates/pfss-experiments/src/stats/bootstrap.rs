//! Percentile intervals by resampling.

use pfss_core::Seed;
use rand::RngExt;

/// How often a sample is drawn anew.
pub const RESAMPLES: usize = 2_000;

/// The share of the resampled means that an interval holds.
const LEVEL: f64 = 0.95;

/// The 95 % percentile interval of the mean (Efron 1979): the sample is drawn anew with replacement
/// [`RESAMPLES`] times. The same seed gives the same interval. `None` without values.
pub fn bootstrap_mean(values: &[f64], seed: Seed) -> Option<(f64, f64)> {
    if values.is_empty() {
        return None;
    }
    let mut rng = seed.stream("bootstrap");
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let sum: f64 = (0..values.len()).map(|_| values[rng.random_range(0..values.len())]).sum();
            sum / values.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let tail = (1.0 - LEVEL) / 2.0;
    Some((quantile(&means, tail), quantile(&means, 1.0 - tail)))
}

/// The quantile of sorted values, linear between neighbours (Hyndman and Fan's type 7).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    low + (high - low) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_linear_between_neighbours() {
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.5), 3.0);
        assert!((quantile(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.1) - 1.4).abs() < 1e-12);
        assert_eq!(quantile(&[7.0], 0.975), 7.0);
    }

    #[test]
    fn the_interval_is_that_of_the_normal_distribution_for_large_samples() {
        // 400 values of mean 0.5 and standard deviation 0.5: the mean's own deviation is 0.025.
        let values: Vec<f64> = (0..400).map(|i| f64::from(i % 2)).collect();
        let (low, high) = bootstrap_mean(&values, Seed::new(1)).unwrap();
        assert!((low - (0.5 - 1.96 * 0.025)).abs() < 0.005, "{low}");
        assert!((high - (0.5 + 1.96 * 0.025)).abs() < 0.005, "{high}");
        assert_eq!(bootstrap_mean(&values, Seed::new(1)), Some((low, high)));
        assert_ne!(bootstrap_mean(&values, Seed::new(2)), Some((low, high)));
    }

    #[test]
    fn degenerate_samples() {
        assert_eq!(bootstrap_mean(&[], Seed::new(1)), None);
        assert_eq!(bootstrap_mean(&[3.0, 3.0], Seed::new(1)), Some((3.0, 3.0)));
    }
}

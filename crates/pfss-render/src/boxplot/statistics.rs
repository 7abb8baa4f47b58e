//! The numbers of one box.

/// Quartiles, whiskers and outliers of a sample (Tukey 1977).
#[derive(Clone, Debug, PartialEq)]
pub struct BoxStatistics {
    /// The smallest value within 1.5 interquartile ranges below the box.
    pub lower_whisker: f64,
    /// The first quartile.
    pub lower_quartile: f64,
    /// The second quartile.
    pub median: f64,
    /// The third quartile.
    pub upper_quartile: f64,
    /// The largest value within 1.5 interquartile ranges above the box.
    pub upper_whisker: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The values beyond the whiskers, in ascending order.
    pub outliers: Vec<f64>,
}

impl BoxStatistics {
    /// The numbers of a sample, or `None` when it is empty or holds values that are not finite.
    pub fn new(values: &[f64]) -> Option<Self> {
        if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (lower_quartile, median, upper_quartile) =
            (quantile(&sorted, 0.25), quantile(&sorted, 0.5), quantile(&sorted, 0.75));
        let reach = 1.5 * (upper_quartile - lower_quartile);
        let inside = |value: &f64| (lower_quartile - reach..=upper_quartile + reach).contains(value);
        let count = sorted.len() as f64;
        Some(Self {
            // A whisker never ends inside the box, also when interpolation puts a quartile beyond it.
            lower_whisker: sorted.iter().copied().find(inside).unwrap_or(lower_quartile).min(lower_quartile),
            lower_quartile,
            median,
            upper_quartile,
            upper_whisker: sorted.iter().copied().rfind(inside).unwrap_or(upper_quartile).max(upper_quartile),
            mean: sorted.iter().map(|value| value / count).sum(),
            outliers: sorted.iter().copied().filter(|value| !inside(value)).collect(),
        })
    }
}

/// The quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996).
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = place.floor();
    let (low, high) = (sorted[below as usize], sorted[place.ceil() as usize]);
    low + (high - low) * (place - below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_and_outliers_are_those_of_the_textbook() {
        let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 30.0];
        let numbers = BoxStatistics::new(&values).unwrap();
        assert_eq!(
            (numbers.lower_quartile, numbers.median, numbers.upper_quartile),
            (2.75, 4.5, 6.25),
            "as numpy.percentile gives them"
        );
        assert_eq!((numbers.lower_whisker, numbers.upper_whisker), (1.0, 7.0));
        assert_eq!(numbers.outliers, [30.0]);
        assert_eq!(numbers.mean, 7.25);
    }

    #[test]
    fn small_samples_have_boxes_too() {
        let one = BoxStatistics::new(&[3.0]).unwrap();
        assert_eq!((one.lower_whisker, one.median, one.upper_whisker), (3.0, 3.0, 3.0));
        assert_eq!(BoxStatistics::new(&[]), None);
        assert_eq!(BoxStatistics::new(&[f64::NAN]), None);
    }
}

//! Wilcoxon's signed-rank test for paired samples.

use super::mid_ranks;

/// The largest number of differences for which the exact distribution is used.
const LARGEST_EXACT: usize = 50;

/// Values that differ by less than this share of the larger one are equal: sums of reals depend on their order.
const EQUAL: f64 = 1e-9;

/// What is tested against "the differences are symmetric around zero".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// They tend to be positive or negative.
    TwoSided,
    /// They tend to be positive.
    Greater,
    /// They tend to be negative.
    Less,
}

/// How a p-value was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// From the distribution of the rank sum.
    Exact,
    /// From the normal distribution, corrected for ties and for continuity.
    Normal,
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wilcoxon {
    /// The number of differences, with the zeros.
    pub num_pairs: usize,
    /// How many differences are zero.
    pub num_zeros: usize,
    /// The sum of the ranks of positive differences.
    pub positive_rank_sum: f64,
    /// The sum of the ranks of negative differences.
    pub negative_rank_sum: f64,
    /// How the p-value was computed.
    pub method: Method,
    /// The p-value.
    pub p_value: f64,
}

/// Wilcoxon's signed-rank test (Wilcoxon 1945). Zeros are ranked and then left out (Pratt 1959). The
/// distribution is exact for at most 50 differences without ties and zeros, otherwise normal.
///
/// `None` without differences, or when one is not a number.
pub fn wilcoxon(differences: &[f64], alternative: Alternative) -> Option<Wilcoxon> {
    if differences.is_empty() || differences.iter().any(|d| d.is_nan()) {
        return None;
    }
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let ranks = mid_ranks(&sizes);
    let sum = |wanted: fn(f64) -> bool| -> f64 {
        differences.iter().zip(&ranks).filter(|(d, _)| wanted(**d)).map(|(_, rank)| rank).sum()
    };
    let (positive, negative) = (sum(|d| d > 0.0), sum(|d| d < 0.0));
    let num_zeros = sizes.iter().filter(|&&size| size == 0.0).count();
    let tied = tie_sizes(&sizes);
    let num_pairs = differences.len();
    let is_exact = num_pairs <= LARGEST_EXACT && num_zeros == 0 && tied.is_empty();
    let (method, p_value) = if is_exact {
        (Method::Exact, exact(num_pairs, positive as usize, alternative))
    } else {
        (Method::Normal, normal(num_pairs, num_zeros, &tied, positive, alternative))
    };
    Some(Wilcoxon {
        num_pairs,
        num_zeros,
        positive_rank_sum: positive,
        negative_rank_sum: negative,
        method,
        p_value,
    })
}

/// `a - b` for each pair; zero where both are the same up to rounding.
pub fn paired_differences(a: &[f64], b: &[f64]) -> Vec<f64> {
    let difference = |(&a, &b): (&f64, &f64)| {
        if (a - b).abs() <= EQUAL * a.abs().max(b.abs()) { 0.0 } else { a - b }
    };
    a.iter().zip(b).map(difference).collect()
}

/// How many values share each size that is not zero, where it is more than one.
fn tie_sizes(sizes: &[f64]) -> Vec<usize> {
    let mut sorted: Vec<f64> = sizes.iter().copied().filter(|&size| size != 0.0).collect();
    sorted.sort_by(f64::total_cmp);
    sorted.chunk_by(|a, b| a == b).map(<[f64]>::len).filter(|&count| count > 1).collect()
}

/// The share of the sign patterns whose positive ranks have a sum at least as extreme.
fn exact(num_pairs: usize, positive: usize, alternative: Alternative) -> f64 {
    // counts[s]: subsets of the ranks 1..=num_pairs with sum s. At most 2^50 in all: exact in a f64 too.
    let largest = num_pairs * (num_pairs + 1) / 2;
    let mut counts = vec![0u64; largest + 1];
    counts[0] = 1;
    for rank in 1..=num_pairs {
        for sum in (rank..=largest).rev() {
            counts[sum] += counts[sum - rank];
        }
    }
    let all = (1u64 << num_pairs) as f64;
    let positive = positive.min(largest);
    let less = counts[..=positive].iter().sum::<u64>() as f64 / all;
    let greater = counts[positive..].iter().sum::<u64>() as f64 / all;
    match alternative {
        Alternative::Greater => greater,
        Alternative::Less => less,
        Alternative::TwoSided => (2.0 * less.min(greater)).min(1.0),
    }
}

/// The normal approximation with the variance reduced by zeros and ties and half a unit of continuity.
fn normal(
    num_pairs: usize,
    num_zeros: usize,
    tied: &[usize],
    positive: f64,
    alternative: Alternative,
) -> f64 {
    let (n, zeros) = (num_pairs as f64, num_zeros as f64);
    let mean = (n * (n + 1.0) - zeros * (zeros + 1.0)) / 4.0;
    let cubes = |n: f64| n * (n + 1.0) * (2.0 * n + 1.0);
    let ties: f64 = tied.iter().map(|&count| (count as f64).powi(3) - count as f64).sum();
    let variance = (cubes(n) - cubes(zeros) - ties / 2.0) / 24.0;
    if variance <= 0.0 {
        return 1.0;
    }
    let distance = positive - mean;
    let z = |continuity: f64| (distance - continuity) / variance.sqrt();
    match alternative {
        Alternative::Greater => upper_tail(z(0.5)),
        Alternative::Less => upper_tail(-z(-0.5)),
        Alternative::TwoSided if distance == 0.0 => 1.0,
        Alternative::TwoSided => (2.0 * upper_tail(z(0.5 * distance.signum()).abs())).min(1.0),
    }
}

/// The chance that a standard normal variable exceeds `z`; `libm` gives erfc to less than one unit in the
/// last place.
fn upper_tail(z: f64) -> f64 {
    0.5 * libm::erfc(z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Alternative::{Greater, Less, TwoSided};

    /// The p-values that SciPy 1.17.1 gives as `wilcoxon(differences, zero_method="pratt", correction=True,
    /// alternative=..., method="exact" or "asymptotic")` for two-sided, greater and less.
    fn assert_scipy(differences: &[f64], method: Method, rank_sums: (f64, f64), p_values: [f64; 3]) {
        for (alternative, p_value) in [TwoSided, Greater, Less].into_iter().zip(p_values) {
            let test = wilcoxon(differences, alternative).unwrap();
            assert_eq!(test.method, method);
            assert_eq!((test.positive_rank_sum, test.negative_rank_sum), rank_sums);
            assert!((test.p_value / p_value - 1.0).abs() < 1e-12, "{alternative:?}: {}", test.p_value);
        }
    }

    #[test]
    fn small_samples_are_exact() {
        let differences = [1.5, -0.3, 2.2, 0.9, -1.1, 3.4, 0.2, -0.7, 1.9];
        assert_scipy(&differences, Method::Exact, (35.0, 10.0), [0.1640625, 0.08203125, 0.935546875]);
        let sign = |i: u32| if i.is_multiple_of(4) { -1.0 } else { 1.0 };
        let fifty: Vec<f64> = (1..=50).map(|i| sign(i) * (f64::from(i) + 0.25)).collect();
        let p_values = [0.0013303578723942167, 0.0006651789361971083, 0.9993588790824521];
        assert_scipy(&fifty, Method::Exact, (963.0, 312.0), p_values);
    }

    #[test]
    fn zeros_and_ties_make_it_normal() {
        let a = [125.0, 115.0, 130.0, 140.0, 140.0, 115.0, 140.0, 125.0, 140.0, 135.0];
        let b = [110.0, 122.0, 125.0, 120.0, 140.0, 124.0, 123.0, 137.0, 135.0, 145.0];
        let differences: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        let p_values = [0.645818701677725, 0.3229093508388625, 0.7128422405444547];
        assert_scipy(&differences, Method::Normal, (32.0, 22.0), p_values);
        assert_eq!(wilcoxon(&differences, TwoSided).unwrap().num_zeros, 1);
        let forty: Vec<f64> = (1..=40).map(|i| f64::from((i * 37) % 23 - 9)).collect();
        let p_values = [0.07916410707408814, 0.03958205353704407, 0.9615538456892463];
        assert_scipy(&forty, Method::Normal, (540.5, 278.5), p_values);
    }

    #[test]
    fn large_samples_are_normal() {
        let sign = |i: u32| if i.is_multiple_of(3) { -1.0 } else { 1.0 };
        let sixty: Vec<f64> =
            (1..=60).map(|i| sign(i) * (f64::from(i) * 0.5 + 0.1 * f64::from(i % 7))).collect();
        let p_values = [0.03688682828404985, 0.018443414142024925, 0.9818867529106067];
        assert_scipy(&sixty, Method::Normal, (1199.0, 631.0), p_values);
    }

    #[test]
    fn rounding_makes_no_difference() {
        let a = [1000.0, 0.1 + 0.2, 5.0, 0.0];
        let b = [1_000.000_000_5, 0.3, 4.0, 0.0];
        assert_eq!(paired_differences(&a, &b), [0.0, 0.0, 1.0, 0.0]);
        assert!(paired_differences(&[1_000.000_01], &[1000.0])[0] > 0.0);
    }

    #[test]
    fn degenerate_samples() {
        assert_eq!(wilcoxon(&[], TwoSided), None);
        assert_eq!(wilcoxon(&[1.0, f64::NAN], TwoSided), None);
        let zeros = wilcoxon(&[0.0, 0.0, -0.0], TwoSided).unwrap();
        assert_eq!((zeros.num_zeros, zeros.p_value), (3, 1.0));
        assert_eq!(wilcoxon(&[2.0], TwoSided).unwrap().p_value, 1.0);
        assert_eq!(wilcoxon(&[2.0], Greater).unwrap().p_value, 0.5);
    }
}

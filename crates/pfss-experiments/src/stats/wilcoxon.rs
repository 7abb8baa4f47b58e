//! Wilcoxon's signed-rank test for paired samples.

use super::mid_ranks;

/// The largest number of differences, without the zeros, for which the distribution is counted out: 60 million additions.
/// The normal one is off by less than a fortieth of the p-value there, where that is above 0.001.
const LARGEST_EXACT: usize = 500;

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
    /// From the distribution of the rank sum over all ways to give the differences signs.
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

/// Wilcoxon's signed-rank test (Wilcoxon 1945). Zeros are dropped, as he does; equal sizes share the mean of their ranks. The
/// p-value is that of the permutation test over the signs, exact with zeros and ties too, for at most 500 differences that
/// are not zero; beyond that it is that of the normal distribution.
///
/// `None` without differences, or when one is not a number.
pub fn wilcoxon(differences: &[f64], alternative: Alternative) -> Option<Wilcoxon> {
    if differences.is_empty() || differences.iter().any(|d| d.is_nan()) {
        return None;
    }
    let signed: Vec<f64> = differences.iter().copied().filter(|&d| d != 0.0).collect();
    let ranks = doubled_ranks(&signed);
    let positive: usize = signed.iter().zip(&ranks).filter(|(d, _)| **d > 0.0).map(|(_, rank)| rank).sum();
    let all: usize = ranks.iter().sum();
    let (method, p_value) = if signed.len() <= LARGEST_EXACT {
        (Method::Exact, exact(&ranks, positive, alternative))
    } else {
        (Method::Normal, normal(&ranks, positive, alternative))
    };
    Some(Wilcoxon {
        num_pairs: differences.len(),
        num_zeros: differences.len() - signed.len(),
        positive_rank_sum: positive as f64 / 2.0,
        negative_rank_sum: (all - positive) as f64 / 2.0,
        method,
        p_value,
    })
}

/// Twice the rank of each size: ranks that are shared end in a half.
fn doubled_ranks(differences: &[f64]) -> Vec<usize> {
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    mid_ranks(&sizes).into_iter().map(|rank| (2.0 * rank) as usize).collect()
}

/// `a - b` for each pair; zero where both are the same up to rounding.
pub fn paired_differences(a: &[f64], b: &[f64]) -> Vec<f64> {
    let difference = |(&a, &b): (&f64, &f64)| {
        if (a - b).abs() <= EQUAL * a.abs().max(b.abs()) { 0.0 } else { a - b }
    };
    a.iter().zip(b).map(difference).collect()
}

/// The share of the sign patterns whose positive ranks have a sum at least as extreme.
fn exact(ranks: &[usize], positive: usize, alternative: Alternative) -> f64 {
    // counts[s]: subsets of the ranks with sum s. At most 2^500 in all, which a f64 holds, and up to 2^53 without rounding.
    let mut counts = vec![1.0];
    for &rank in ranks {
        let without = counts.clone();
        counts.resize(without.len() + rank, 0.0);
        counts[rank..].iter_mut().zip(without).for_each(|(count, more)| *count += more);
    }
    let share = |counts: &[f64]| counts.iter().sum::<f64>() / 2f64.powi(ranks.len() as i32);
    let (less, greater) = (share(&counts[..=positive]), share(&counts[positive..]));
    match alternative {
        Alternative::Greater => greater,
        Alternative::Less => less,
        Alternative::TwoSided => (2.0 * less.min(greater)).min(1.0),
    }
}

/// The normal approximation with half a unit of continuity. The variance is that of the ranks, and so reduced by ties.
fn normal(ranks: &[usize], positive: usize, alternative: Alternative) -> f64 {
    let ranks = ranks.iter().map(|&rank| rank as f64 / 2.0);
    let (mean, variance) =
        (ranks.clone().sum::<f64>() / 2.0, ranks.map(|rank| rank * rank).sum::<f64>() / 4.0);
    let distance = positive as f64 / 2.0 - mean;
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
mod tests;

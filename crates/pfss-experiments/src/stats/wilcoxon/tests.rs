use super::*;
use Alternative::{Greater, Less, TwoSided};
use pfss_core::Seed;
use rand::RngExt;

const ALTERNATIVES: [Alternative; 3] = [TwoSided, Greater, Less];

/// Samples with zeros and ties, and what SciPy makes of them: see `signed_rank.py` beside the file.
#[test]
fn p_values_are_those_of_scipy() {
    let text = include_str!("../../../tests/data/signed_rank.csv");
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let differences: Vec<f64> = fields[0].split(' ').map(|d| d.parse().unwrap()).collect();
        let method = if fields[1] == "asymptotic" { Method::Normal } else { Method::Exact };
        for (alternative, expected) in ALTERNATIVES.into_iter().zip(&fields[2..]) {
            let test = wilcoxon(&differences, alternative).unwrap();
            let expected: f64 = expected.parse().unwrap();
            assert_eq!(test.method, method, "{line}");
            assert!(
                (test.p_value / expected - 1.0).abs() < 1e-11,
                "{alternative:?} {}: {line}",
                test.p_value
            );
        }
    }
}

/// The slow twin of [`exact`]: every way to give the differences signs.
fn by_all_signs(differences: &[f64], alternative: Alternative) -> f64 {
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).filter(|&size| size != 0.0).collect();
    let ranks = mid_ranks(&sizes);
    let found = wilcoxon(differences, alternative).unwrap().positive_rank_sum;
    let patterns = 1usize << ranks.len();
    let share = |is_as_extreme: &dyn Fn(f64) -> bool| {
        let sum = |signs: usize| -> f64 {
            ranks.iter().enumerate().filter(|(at, _)| signs >> at & 1 == 1).map(|(_, rank)| rank).sum()
        };
        (0..patterns).filter(|&signs| is_as_extreme(sum(signs))).count() as f64 / patterns as f64
    };
    let (less, greater) = (share(&|sum| sum <= found), share(&|sum| sum >= found));
    match alternative {
        Greater => greater,
        Less => less,
        TwoSided => (2.0 * less.min(greater)).min(1.0),
    }
}

#[test]
fn small_samples_are_counted_out() {
    let mut rng = Seed::new(1).stream("signs");
    for _ in 0..300 {
        let (size, widest) = (rng.random_range(1..=12), rng.random_range(1..=9));
        let differences: Vec<f64> =
            (0..size).map(|_| f64::from(rng.random_range(-widest..=widest)) * 0.25).collect();
        for alternative in ALTERNATIVES {
            let test = wilcoxon(&differences, alternative).unwrap();
            assert_eq!(
                test.p_value,
                by_all_signs(&differences, alternative),
                "{alternative:?} {differences:?}"
            );
        }
    }
}

/// The first zero or tie once gave p = 0.0489, 0.0275 and 0.0157 here.
#[test]
fn zeros_among_twenty_pairs_do_not_make_chance_look_small() {
    for (different, expected) in [(4, 0.125), (5, 0.0625), (6, 0.03125)] {
        let differences: Vec<f64> =
            (0..20).map(|at| f64::from((at + 1) * i32::from(at < different))).collect();
        let test = wilcoxon(&differences, TwoSided).unwrap();
        assert_eq!((test.p_value, test.method), (expected, Method::Exact));
        assert_eq!((test.num_pairs, test.num_zeros), (20, 20 - different as usize));
    }
}

#[test]
fn the_normal_distribution_goes_on_where_the_exact_one_ends() {
    let sign = |i: usize| if i.is_multiple_of(5) || i.is_multiple_of(3) { -1.0 } else { 1.0 };
    let differences: Vec<f64> = (1..=LARGEST_EXACT).map(|i| sign(i) * (i % 40 + 1) as f64).collect();
    let ranks = doubled_ranks(&differences);
    for shift in [0, 400, 4_000, 20_000] {
        let positive = ranks.iter().sum::<usize>() / 2 + shift;
        for alternative in ALTERNATIVES {
            let (counted, close) =
                (exact(&ranks, positive, alternative), normal(&ranks, positive, alternative));
            assert!((close / counted - 1.0).abs() < 0.025, "{alternative:?} {shift}: {counted} {close}");
        }
    }
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

//! Draws: their values, moments, correlations and ranges, and what is refused.

use super::{
    Correlated, CorrelatedBy, Distribution, GenerateError, Generated, Parameter, gamma, lehmer, lognormal,
    normal, uniform,
};
use crate::instance::MAX_JOBS;
use crate::{Instance, InstanceError, Seed};

const SEED: u64 = 1;

#[test]
fn draws_are_pinned() {
    // Golden values: a change here changes every generated instance of every user.
    let size = (3, 2);
    let whole = uniform(size, 1, 99, Seed::new(SEED)).unwrap();
    assert_eq!(whole.times(), &GOLDEN_UNIFORM);
    let close = |found: &[f64], golden: &[f64]| {
        assert!(found.iter().zip(golden).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    };
    close(gamma(size, 0.5, 2.0, Seed::new(SEED)).unwrap().times(), &GOLDEN_GAMMA);
    close(normal(size, 6.0, 6.0, Seed::new(SEED)).unwrap().times(), &GOLDEN_NORMAL);
    close(lognormal(size, 1.0, 1.0, Seed::new(SEED)).unwrap().times(), &GOLDEN_LOGNORMAL);
    for (by, golden) in GOLDEN_CORRELATED {
        assert_eq!(Correlated::new(by).generate(size, Seed::new(SEED)).unwrap().times(), &golden, "{by:?}");
    }
}

const GOLDEN_UNIFORM: [u32; 6] = [21, 92, 87, 33, 31, 42];
const GOLDEN_GAMMA: [f64; 6] = [
    0.14635184067790394,
    0.09490672586195614,
    0.2100434493257262,
    1.2023217239639516,
    1.0191085070189434,
    0.3399231584267982,
];
const GOLDEN_NORMAL: [f64; 6] =
    [0.16862532482814974, 8.797817015756266, 0.5133804504304651, 5.432322754337143, 0.1084679928187402, 0.0];

const GOLDEN_LOGNORMAL: [f64; 6] = [
    0.31482765942505553,
    1.0425284724222885,
    0.3302544070029893,
    0.6535449433177904,
    0.3122106120853805,
    0.1561348176384846,
];
const GOLDEN_CORRELATED: [(CorrelatedBy, [u32; 6]); 3] = [
    (CorrelatedBy::Job, [10, 18, 31, 25, 28, 28]),
    (CorrelatedBy::Machine, [10, 32, 17, 25, 11, 26]),
    (CorrelatedBy::Both, [9, 23, 14, 28, 14, 28]),
];

fn moments(times: &[f64]) -> (f64, f64) {
    let n = times.len() as f64;
    let mean = times.iter().sum::<f64>() / n;
    (mean, times.iter().map(|t| (t - mean).powi(2)).sum::<f64>() / (n - 1.0))
}

#[test]
fn means_and_variances_are_right() {
    let size = (40_000, 5);
    let near = |found: (f64, f64), expected: (f64, f64)| {
        assert!((found.0 / expected.0 - 1.0).abs() < 0.01, "mean {} of {}", found.0, expected.0);
        assert!((found.1 / expected.1 - 1.0).abs() < 0.03, "variance {} of {}", found.1, expected.1);
    };
    let chi = gamma(size, 0.5, 2.0, Seed::new(2)).unwrap();
    near(moments(chi.times()), (1.0, 2.0));
    let wide = gamma(size, 1.0, 2.0, Seed::new(2)).unwrap();
    near(moments(wide.times()), (2.0, 4.0));
    // A normal clipped at zero, one standard deviation below its mean: mean 6 (cdf(1) + pdf(1)).
    let clipped = normal(size, 6.0, 6.0, Seed::new(2)).unwrap();
    let (cdf, pdf) = (0.841_344_746, 0.241_970_725);
    let mean = 6.0 * (cdf + pdf);
    near(moments(clipped.times()), (mean, 36.0 * (2.0 * cdf + pdf) - mean * mean));
    let long = lognormal(size, 3.0, 1.5, Seed::new(2)).unwrap();
    near(moments(long.times()), (3.0, 2.25));
    let whole = uniform(size, 1, 99, Seed::new(2)).unwrap();
    let whole: Vec<f64> = whole.times().iter().map(|&t| f64::from(t)).collect();
    near(moments(&whole), (50.0, (99.0 * 99.0 - 1.0) / 12.0));
}

#[test]
fn a_batch_is_made_of_independent_seeds() {
    let distribution = Distribution::gamma();
    let third = distribution.nth(4, 3, Seed::new(9), 2).unwrap();
    let alone = distribution.generate(4, 3, Seed::new(9).nth(2)).unwrap();
    assert_eq!(third, alone.with_name("gamma_4x3_3"));
    assert_ne!(third, distribution.nth(4, 3, Seed::new(9), 1).unwrap().with_name("gamma_4x3_3"));
}

#[test]
fn taillard_takes_published_seeds() {
    let published = lehmer::taillard(20, 5, 873_654_221).unwrap();
    let first = Distribution::Taillard.nth(20, 5, Seed::new(873_654_221), 0).unwrap();
    assert_eq!(first, Generated::Integer(published.with_name("taillard_20x5_1")));
    assert!(Distribution::Taillard.generate(20, 5, Seed::new(0)).is_ok());
    assert!(Distribution::Taillard.generate(20, 5, Seed::new(u64::MAX)).is_ok());
}

#[test]
fn bad_parameters_are_typed_errors() {
    let name = |distribution: Distribution| match distribution.generate(2, 2, Seed::new(1)) {
        Err(GenerateError::Parameter { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    assert_eq!(name(Distribution::Uniform { low: 2, high: 1 }), "low");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(name(Distribution::Gamma { shape: bad, scale: 1.0 }), "shape");
        assert_eq!(name(Distribution::Gamma { shape: 1.0, scale: bad }), "scale");
    }
    assert_eq!(name(Distribution::Normal { mean: f64::NAN, std: 1.0 }), "mean");
    assert_eq!(name(Distribution::Normal { mean: 1.0, std: -1.0 }), "std");
    assert_eq!(name(Distribution::LogNormal { mean: 0.0, std: 1.0 }), "mean");
    assert_eq!(name(Distribution::LogNormal { mean: 1.0, std: f64::INFINITY }), "std");
    let correlated = Correlated::new(CorrelatedBy::Job);
    assert_eq!(name(Distribution::Correlated(Correlated { low: 100, ..correlated })), "low");
    assert_eq!(name(Distribution::Correlated(Correlated { alpha: 1.1, ..correlated })), "alpha");
    assert_eq!(name(Distribution::Correlated(Correlated { alpha: f64::NAN, ..correlated })), "alpha");
    assert_eq!(name(Distribution::Correlated(Correlated { half_width: 0, ..correlated })), "half-width");
    let empty = Distribution::uniform().generate(0, 5, Seed::new(1));
    assert_eq!(empty, Err(GenerateError::Instance(InstanceError::NoJobs)));
    let huge = Distribution::gamma().generate(usize::MAX, 2, Seed::new(1));
    assert!(matches!(huge, Err(GenerateError::TooLarge { .. })));
}

#[test]
fn more_jobs_than_can_be_numbered_are_not_drawn_first() {
    // Reserved, where the system promises memory that it does not have, but never filled.
    for machines in [1, 2] {
        let error = Distribution::uniform().generate(MAX_JOBS + 1, machines, Seed::new(1)).unwrap_err();
        let is_typed = matches!(
            error,
            GenerateError::TooLarge { .. } | GenerateError::Instance(InstanceError::TooManyJobs { .. })
        );
        assert!(is_typed, "{error}");
    }
}

#[test]
fn the_last_instance_of_a_batch_has_a_name() {
    let Generated::Real(last) = Distribution::gamma().nth(2, 2, Seed::new(1), u64::MAX).unwrap() else {
        panic!("gamma times are real")
    };
    assert_eq!(last.name(), "gamma_2x2_18446744073709551616");
}

/// The variance of the means of groups of times, and the mean of the variances within them; by jobs, then by machines.
fn between_and_within(instance: &Instance<u32>) -> [(f64, f64); 2] {
    let (n, m) = (instance.num_jobs(), instance.num_machines());
    let time = |job: usize, machine: usize| f64::from(instance.times()[job * m + machine]);
    let of = |groups: Vec<Vec<f64>>| {
        let (means, within): (Vec<f64>, Vec<f64>) = groups.iter().map(|group| moments(group)).unzip();
        (moments(&means).1, within.iter().sum::<f64>() / within.len() as f64)
    };
    [
        of((0..n).map(|job| (0..m).map(|machine| time(job, machine)).collect()).collect()),
        of((0..m).map(|machine| (0..n).map(|job| time(job, machine)).collect()).collect()),
    ]
}

#[test]
fn correlated_times_go_with_their_job_or_machine() {
    let size = (200, 200);
    // Middles over half of 98: variance 49 * 51 / 12; halves of 1 to 5: the mean of h (h + 1) / 3.
    let (middles, halves) = (49.0 * 51.0 / 12.0, 70.0 / 15.0);
    let near =
        |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 0.25, "{found} of {expected}");
    for seed in 0..4 {
        let draw = |by| Correlated::new(by).generate(size, Seed::new(seed)).unwrap();
        let [jobs, machines] = between_and_within(&draw(CorrelatedBy::Job));
        near(jobs.0, middles);
        near(jobs.1, halves);
        assert!(machines.0 < 10.0 && machines.1 > 100.0, "{machines:?}");
        let [jobs, machines] = between_and_within(&draw(CorrelatedBy::Machine));
        near(machines.0, middles);
        near(machines.1, halves);
        assert!(jobs.0 < 10.0 && jobs.1 > 100.0, "{jobs:?}");
        // On top of that, the jobs' means differ by their ranks: the square of the mean width over 12.
        let both = draw(CorrelatedBy::Both);
        let [jobs, machines] = between_and_within(&both);
        near(machines.0, middles);
        near(jobs.0, 3.0);
        // No job is shorter than another on one machine and longer on a second one.
        let times: Vec<&[u32]> = both.times().chunks(size.1).collect();
        let orders = |a: &[u32], b: &[u32]| a.iter().zip(b).all(|(a, b)| a <= b);
        assert!(times.iter().all(|a| times.iter().all(|b| orders(a, b) || orders(b, a))));
    }
}

#[test]
fn parameters_of_correlated_times_are_kept_to() {
    for by in [CorrelatedBy::Job, CorrelatedBy::Machine, CorrelatedBy::Both] {
        let narrow = Correlated { by, low: 20, high: 30, alpha: 1.0, half_width: 50, noise: 7 };
        let times = narrow.generate((50, 20), Seed::new(3)).unwrap();
        let (least, most) = (times.times().iter().min(), times.times().iter().max());
        assert_eq!((least, most), (Some(&20), Some(&30)), "{by:?}");
        // Without a spread of the middles nothing tells groups apart but their widths.
        let same = Correlated { alpha: 0.0, half_width: 1, ..Correlated::new(by) };
        let same = same.generate((50, 20), Seed::new(3)).unwrap();
        let (least, most) = (same.times().iter().min().unwrap(), same.times().iter().max().unwrap());
        assert!(most - least <= 2, "{by:?}: {least} to {most}");
        let widest = Correlated { low: 0, high: u32::MAX, half_width: u32::MAX, noise: u32::MAX, ..narrow };
        // Too large to be added up, but drawn.
        let error = widest.generate((3, 3), Seed::new(3)).unwrap_err();
        assert!(matches!(error, GenerateError::Instance(_)), "{error}");
    }
}

#[test]
fn every_parameter_can_be_read_back() {
    for distribution in Distribution::all() {
        for parameter in Parameter::ALL {
            match distribution.get(parameter) {
                Some(old) => {
                    let changed = distribution.with(parameter, 1.0).unwrap();
                    assert_eq!(changed.get(parameter), Some(1.0));
                    assert_eq!(changed.with(parameter, old), Ok(distribution));
                    assert!(Distribution::owners(parameter).contains(&distribution.as_str()));
                }
                None => assert!(distribution.with(parameter, 1.0).is_err()),
            }
        }
    }
}

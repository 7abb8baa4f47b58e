//! Policies as solvers: what they build, improve and refuse.

use super::*;
use pfss_core::generate::{taillard, taillard_benchmark};
use pfss_core::{Limits, Seed, check};
use std::time::Duration;

const GAMMA_M5: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/gamma-m5");

fn solve_number(number: usize, config: PolicyConfig, seed: u64, threads: usize) -> Outcome<u32> {
    let instance = taillard_benchmark(number).unwrap();
    let run = Run::new(Seed::new(seed), Limits::default()).with_threads(threads);
    let outcome = LearnedPolicy::new(config).solve(&instance, &run).unwrap();
    check(&instance, &outcome.order, Some(outcome.cost)).unwrap();
    outcome
}

fn solve(config: PolicyConfig, threads: usize) -> Outcome<u32> {
    solve_number(31, config, 1, threads)
}

fn of(model: &str) -> PolicyConfig {
    PolicyConfig { model: model.to_string(), ..PolicyConfig::default() }
}

#[test]
fn the_papers_models_solve_taillards_instances() {
    let usual = || of(GAMMA_M5);
    let greedy = solve(usual(), 1);
    assert_eq!(solve(usual(), 2).order, greedy.order);
    // 2724 is the optimum; a random order is far above 3000.
    assert!(greedy.cost < 2950, "{}", greedy.cost);
    let both = solve(PolicyConfig { reverse: true, ..usual() }, 1);
    let sampled = PolicyConfig { decoding: PolicyDecoding::Sample, ..usual() };
    let beam = PolicyConfig { decoding: PolicyDecoding::Beam, width: 4, ..usual() };
    assert!(both.cost <= greedy.cost && solve(sampled, 2).cost <= greedy.cost);
    assert_eq!(solve(beam, 1).evaluations, 4);
}

#[test]
fn the_default_serves_any_number_of_machines() {
    assert_eq!(solve(PolicyConfig::default(), 1).order, solve(of("front"), 2).order);
    assert_ne!(solve(PolicyConfig::default(), 1).order, solve(of(GAMMA_M5), 1).order);
    for machines in [1, 3, 60] {
        let times = (0..9 * machines as u32).map(|k| k * 37 % 23).collect();
        let instance = Instance::new("", machines, times).unwrap();
        let run = Run::new(Seed::new(1), Limits::default());
        let outcome = LearnedPolicy::new(PolicyConfig::default()).solve(&instance, &run).unwrap();
        check(&instance, &outcome.order, Some(outcome.cost)).unwrap();
    }
}

#[test]
fn shortlists_cost_next_to_nothing() {
    let Ok(LoadedPolicy::Front(policy)) = models::load("front") else { panic!("the built-in model") };
    let all = (*policy).clone().with_shortlist(pfss_neural::Shortlist::NONE);
    let mut ratio = 0.0;
    for number in 71..77 {
        let instance = taillard_benchmark(number).unwrap();
        let of =
            |policy: &pfss_neural::FrontPolicy| f64::from(makespan(&instance, &policy.greedy(&instance)));
        ratio += of(&policy) / of(&all) / 6.0;
    }
    assert!(ratio < 1.005, "{ratio}");
}

#[test]
fn insertion_improves_what_every_kind_of_policy_builds() {
    for (model, number) in [("front", 51), (GAMMA_M5, 31)] {
        // Some orders may be local optima at once, but not all.
        let mut gained = 0;
        for decoding in [PolicyDecoding::Greedy, PolicyDecoding::Sample, PolicyDecoding::Beam] {
            let plain = PolicyConfig { decoding, samples: 4, width: 4, ..of(model) };
            let improved = PolicyConfig { improve: PolicyImprovement::Insertion, ..plain.clone() };
            let (before, after) =
                (solve_number(number, plain, 1, 1), solve_number(number, improved.clone(), 1, 1));
            assert!(after.cost <= before.cost, "{model} {decoding:?}: {} {}", before.cost, after.cost);
            gained += before.cost - after.cost;
            // A local optimum: no job has a better place.
            let instance = taillard_benchmark(number).unwrap();
            let mut pricer = instance.pricer();
            pricer.load(&after.order);
            assert!((0..50).all(|position| pricer.price_removed(position) >= after.cost));
            let again = solve_number(number, improved, 1, 2);
            assert_eq!((again.order, again.evaluations), (after.order, after.evaluations));
        }
        assert!(gained > 0, "{model}");
    }
}

#[test]
fn an_improvement_depends_on_the_seed_and_ends_with_the_limit() {
    let config = PolicyConfig { improve: PolicyImprovement::Insertion, ..PolicyConfig::default() };
    let of_seed = |seed| solve_number(51, config.clone(), seed, 1).order;
    assert_ne!(of_seed(1), of_seed(2));
    let instance = taillard_benchmark(51).unwrap();
    let run = Run::new(Seed::new(1), Limits { evaluations: Some(200), ..Limits::default() });
    let outcome = LearnedPolicy::new(config).solve(&instance, &run).unwrap();
    assert!(outcome.evaluations < 300, "{}", outcome.evaluations);
}

#[test]
fn what_does_not_fit_is_refused() {
    let instance = Instance::new("", 3, vec![1u32; 12]).unwrap();
    let refuse = |model: &str| {
        let run = Run::new(Seed::new(1), Limits::default());
        LearnedPolicy::new(of(model)).solve(&instance, &run).unwrap_err().to_string()
    };
    assert!(refuse(GAMMA_M5).contains("trained for 5 machines"), "{}", refuse(GAMMA_M5));
    assert!(refuse("no/such/file").contains("no/such/file"), "{}", refuse("no/such/file"));
    let finish = |model: &str| PolicyConfig { finish: 3, ..of(model) };
    let five = taillard_benchmark(1).unwrap();
    let run = Run::new(Seed::new(1), Limits::default());
    let error = LearnedPolicy::new(finish(GAMMA_M5)).solve(&five, &run).unwrap_err().to_string();
    assert!(error.contains("`finish`") && error.contains(GAMMA_M5), "{error}");
    LearnedPolicy::new(finish("front")).solve(&five, &run).unwrap();
}

#[test]
fn a_time_limit_of_nothing_still_gives_an_order() {
    let instance = taillard(500, 5, 1).unwrap();
    let limits = Limits { time: Some(Duration::ZERO), ..Limits::default() };
    for model in ["front", GAMMA_M5] {
        let run = Run::new(Seed::new(1), limits);
        let config = PolicyConfig { improve: PolicyImprovement::Insertion, ..of(model) };
        let outcome = LearnedPolicy::new(config).solve(&instance, &run).unwrap();
        check(&instance, &outcome.order, Some(outcome.cost)).unwrap();
    }
}

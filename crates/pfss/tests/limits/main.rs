//! Every search keeps its limit of time, and ends soon after somebody cancels it.

// Helpers of tests fail as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod shapes;
mod watch;

use std::time::Duration;

use pfss::core::timing::{Line, Score, check};
use pfss::core::{Instance, Run, SolveError};
use pfss::planner::{PlannerAlgorithm, algorithms};
use pfss::{Algorithm, Settings};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;

use shapes::{OBJECTIVES, SHAPES};
use watch::{Delay, End, delay, is_in_time};

/// How many cases, times `PFSS_CASES` where that is set.
fn cases(usual: u32) -> ProptestConfig {
    let times = std::env::var("PFSS_CASES").map_or(1, |times| times.parse().expect("a number of times"));
    let cases = usual * times;
    // Smaller cases would take as long to find as the fault itself.
    ProptestConfig { cases, max_shrink_iters: 0, failure_persistence: None, ..ProptestConfig::default() }
}

fn ends() -> impl Strategy<Value = End> {
    let limits = select(vec![0, 20, 50, 200, 300]).prop_map(|limit| End::Limit(Duration::from_millis(limit)));
    let cancels = select(vec![0, 5, 50, 200]).prop_map(|after| End::Cancel(Duration::from_millis(after)));
    prop_oneof![2 => limits, 1 => cancels]
}

fn delay_of_planner(algorithm: &PlannerAlgorithm, line: &Line, end: End, threads: usize) -> Option<Delay> {
    let solver = algorithm.build(&Settings::new()).unwrap();
    let (outcome, delay) = delay(end, threads, |run: &Run<'_, Score>| solver.solve(line, run).unwrap());
    check(line, &outcome.order, Some(outcome.cost)).unwrap();
    delay
}

#[test]
fn planned_searches_keep_limits_and_heed_cancels() {
    let strategy = (0..SHAPES.len(), select(OBJECTIVES), 0..algorithms().len(), ends(), 1..=2usize);
    TestRunner::new(cases(90))
        .run(&strategy, |(shape, objectives, algorithm, end, threads)| {
            let (shape, algorithm) = (&SHAPES[shape], &algorithms()[algorithm]);
            let line = shape.line(objectives);
            let late = is_in_time(end, threads, || delay_of_planner(algorithm, &line, end, threads));
            let (shape, algorithm) = (shape.name, algorithm.name);
            prop_assert!(
                late.is_ok(),
                "{shape}, {objectives:?}, {algorithm} on {threads} threads, {end:?}: {late:?}"
            );
            Ok(())
        })
        .unwrap();
}

fn delay_of_plain(algorithm: &Algorithm, shop: &Instance<u32>, end: End, threads: usize) -> Option<Delay> {
    let solver = algorithm.integer(&Settings::new()).unwrap();
    let (outcome, delay) = delay(end, threads, |run: &Run<'_, u32>| solver.solve(shop, run));
    match outcome {
        Ok(outcome) => _ = pfss::core::check(shop, &outcome.order, Some(outcome.cost)).unwrap(),
        // Some algorithms refuse what is too large for them.
        Err(error) => assert!(matches!(error, SolveError::Unsupported { .. }), "{error}"),
    }
    delay
}

/// Iterated greedy on two threads took four times its limit on very many jobs.
#[test]
fn plain_searches_keep_limits_and_heed_cancels() {
    const SIZES: [(usize, usize); 4] = [(100_000, 5), (5_000, 20), (300, 300), (60, 10)];
    // HiGHS looks at the clock when it likes, and a policy after each step, which takes long on many jobs.
    let is_own = |algorithm: &&Algorithm| !["mip", "policy"].contains(&algorithm.name);
    let algorithms: Vec<_> = pfss::algorithms().iter().filter(is_own).collect();
    let strategy = (select(SIZES.to_vec()), 0..algorithms.len(), ends(), 1..=2usize);
    TestRunner::new(cases(40))
        .run(&strategy, |((jobs, machines), algorithm, end, threads)| {
            let (algorithm, shop) = (algorithms[algorithm], shapes::instance(jobs, machines));
            let late = is_in_time(end, threads, || delay_of_plain(algorithm, &shop, end, threads));
            let algorithm = algorithm.name;
            prop_assert!(
                late.is_ok(),
                "{jobs} x {machines}, {algorithm} on {threads} threads, {end:?}: {late:?}"
            );
            Ok(())
        })
        .unwrap();
}

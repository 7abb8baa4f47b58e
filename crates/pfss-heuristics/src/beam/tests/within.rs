//! Passes that keep within what they may spend.

use super::*;

#[test]
fn a_pass_gets_narrower_where_children_run_short() {
    let instance = generate::taillard_benchmark(51).unwrap();
    let whole = BeamSearch::new(&instance).pass(&PassSettings::new(500), &free_run());
    for share in [0.9, 0.5, 0.1] {
        let children = (whole.children as f64 * share) as u64;
        let settings = PassSettings { children, ..PassSettings::new(500) };
        let passes = [1, 3]
            .map(|threads| BeamSearch::new(&instance).with_threads(threads).pass(&settings, &free_run()));
        let [one, more] = &passes;
        assert!(one.completed && !one.exhaustive && one.best.is_some());
        assert!(one.children <= children && 2 * one.children > children, "{} of {children}", one.children);
        assert_eq!((&one.best, one.children), (&more.best, more.children));
    }
    // Enough changes nothing, and there is no pass with fewer nodes than one.
    let enough = PassSettings { children: 500 * 51 * 50 / 2, ..PassSettings::new(500) };
    assert_eq!(BeamSearch::new(&instance).pass(&enough, &free_run()).best, whole.best);
    let least = PassSettings { children: 1, ..PassSettings::new(500) };
    assert!(BeamSearch::new(&instance).pass(&least, &free_run()).best.is_some());
}

#[test]
fn a_pass_that_is_late_gets_narrower() {
    let instance = generate::taillard_benchmark(101).unwrap();
    let until = Some(Duration::from_millis(200));
    let settings = PassSettings { until, ..PassSettings::new(1 << 20) };
    let run = free_run();
    let result = BeamSearch::new(&instance).pass(&settings, &run);
    assert!(result.completed && result.best.is_some());
    assert!(run.elapsed() < Duration::from_secs(20), "{:?}", run.elapsed());
}

#[test]
fn the_last_pass_of_a_budget_is_not_lost() {
    let instance = generate::taillard_benchmark(41).unwrap();
    for (evaluations, aspiration) in [(20_000, false), (300_000, false), (300_000, true)] {
        let limits = Limits { evaluations: Some(evaluations), ..Limits::default() };
        let solve = |threads: usize| {
            let mut search = BeamSearch::new(&instance).with_threads(threads);
            let run = Run::new(Seed::new(1), limits);
            let plan = Plan { aspiration, ..Plan::new(&search, run.memory()) };
            let mut schedule = Schedule::new(plan, &search);
            let mut lost = 0;
            while let Some(result) = schedule.step_within(u64::MAX, &mut search, &run) {
                lost += usize::from(!result.completed);
            }
            assert_eq!(lost, 0);
            // What is left is too little for half of the next width.
            let next = schedule.expected_children(schedule.width().div_ceil(2));
            assert!(run.evaluations() < evaluations && (evaluations - run.evaluations()) as f64 <= next);
            (run.best(), run.evaluations())
        };
        assert_eq!(solve(1), solve(3));
    }
}

#[test]
fn a_pass_above_the_best_known_cost_proves_nothing_wrong() {
    let times = (0..6 * 4u32).map(|k| (k * k + 3) * 31 % 41).collect();
    let instance = Instance::new("", 4, times).unwrap();
    let optimum = brute_force(&instance);
    let run = free_run();
    let mut search = BeamSearch::new(&instance);
    let mut schedule = Schedule::new(Plan::new(&search, run.memory()), &search);
    let settings =
        PassSettings { width: 1 << 16, prune_at: optimum + 10, leaves: 20, ..schedule.settings(&run) };
    // The best order is known before: the bound must not exceed it.
    let (order, _) = search.pass(&PassSettings::new(1 << 16), &run).best.unwrap();
    run.offer(&order, optimum);
    let result = schedule.pass(&settings, &mut search, &run);
    assert!(result.exhaustive && result.leaves.len() > 1);
    assert_eq!((run.bound(), run.best_cost()), (optimum, optimum));
    assert!(schedule.is_finished());
}

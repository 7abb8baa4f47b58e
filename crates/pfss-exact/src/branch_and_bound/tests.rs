//! Branch and bound against brute force, and its own other code paths.

use pfss_core::generate::taillard_benchmark;
use pfss_core::simd::Instructions;
use pfss_core::tree::ElementKind;
use pfss_core::{Instance, Limits, Outcome, Permutation, Run, Seed, Solver, Status, Time, check, makespan};
use proptest::prelude::*;

use super::*;
use crate::{BruteForce, BruteForceConfig};

fn run<T: Time>(limits: Limits<T>) -> Run<'static, T> {
    Run::new(Seed::new(1), limits)
}

/// Searches from the order of the jobs' numbers.
fn exact<T: Time>(instance: &Instance<T>, threads: usize, limits: Limits<T>) -> Outcome<T> {
    let run = run(limits);
    let order = Permutation::identity(instance.num_jobs());
    run.offer(&order, makespan(instance, &order));
    let search = TreeSearch::new(instance, threads);
    search.search_with(&run, || search.search(&run));
    run.outcome().unwrap()
}

fn compare<T: Time>(instance: &Instance<T>) {
    let expected =
        BruteForce::new(BruteForceConfig::default()).solve(instance, &run(Limits::default())).unwrap();
    for threads in [1, 3] {
        let outcome = exact(instance, threads, Limits::default());
        assert_eq!(outcome.status, Status::Optimal);
        assert!(outcome.cost.agrees(expected.cost), "{} {}", outcome.cost, expected.cost);
        assert_eq!(check(instance, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
    }
}

fn matrix<S: Strategy + Clone>(time: S) -> impl Strategy<Value = (usize, Vec<S::Value>)>
where
    S::Value: Clone,
{
    (1usize..=8, 1usize..=6)
        .prop_flat_map(move |(n, m)| (Just(m), prop::collection::vec(time.clone(), n * m)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn integers_equal_brute_force((m, times) in matrix(prop_oneof![0u32..20, Just(0), 0u32..4])) {
        compare(&Instance::new("", m, times).unwrap());
    }

    #[test]
    fn large_integers_equal_brute_force((m, times) in matrix(0u32..200_000)) {
        compare(&Instance::new("", m, times).unwrap());
    }

    #[test]
    fn reals_equal_brute_force((m, times) in matrix(prop_oneof![0.0f64..3.0, Just(0.0)])) {
        compare(&Instance::new("", m, times).unwrap());
    }
}

/// Solves from a cost that is one above the optimum, so that it must be found and proven.
fn nodes(instance: &Instance<u32>, instructions: Instructions, kind: ElementKind) -> (u64, u32) {
    let run = run(Limits::default());
    run.offer(&Permutation::identity(instance.num_jobs()), 1378);
    let search = TreeSearch::with(instance, 1, instructions, kind);
    search.run_for(u64::MAX, &run);
    (search.nodes(), run.best_cost())
}

#[test]
fn every_path_and_width_branches_the_same_nodes() {
    let instance = taillard_benchmark(14).unwrap();
    let expected = nodes(&instance, Instructions::Portable, ElementKind::F64);
    assert!(expected.0 > 10_000 && expected.1 == 1377, "{expected:?}");
    for instructions in Instructions::available() {
        for kind in [ElementKind::U16, ElementKind::U32, ElementKind::F64] {
            assert_eq!(nodes(&instance, instructions, kind), expected);
        }
    }
}

#[test]
fn an_interrupted_search_reports_the_least_open_bound() {
    let instance = taillard_benchmark(21).unwrap();
    for threads in [1, 2] {
        let limits = Limits { evaluations: Some(3_000_000), ..Limits::default() };
        let outcome = exact(&instance, threads, limits);
        assert!(matches!(outcome.status, Status::Feasible(_)));
        // The optimum is 2297.
        assert!(outcome.bound >= 1911 && outcome.bound <= 2297 && outcome.cost >= 2297, "{}", outcome.bound);
    }
}

#[test]
fn pausing_and_going_on_loses_nothing() {
    let instance = taillard_benchmark(14).unwrap();
    let run = run(Limits::default());
    run.offer(&Permutation::identity(20), 1379);
    let search = TreeSearch::new(&instance, 1);
    let mut slices = 0;
    while !search.is_finished() {
        search.run_for(100_000, &run);
        slices += 1;
        assert!(run.bound() <= 1377 && search.searched() <= 1.0 + 1e-9);
    }
    assert!(slices > 1);
    assert_eq!((run.best_cost(), run.bound()), (1377, 1377));
    assert!((search.searched() - 1.0).abs() < 1e-6, "{}", search.searched());
}

/// Of many jobs a pause leaves whole levels open; what stands above them is stored once a level.
#[test]
fn what_a_pause_leaves_open_shares_its_placements() {
    let times = (0..400 * 5u64).map(|k| (k * k % 7919 * (k + 11) % 97) as u32 + 1).collect();
    let instance = Instance::new("", 5, times).unwrap();
    let run = run(Limits { evaluations: Some(100_000), ..Limits::default() });
    let order = Permutation::identity(instance.num_jobs());
    run.offer(&order, makespan(&instance, &order));
    let forest = forest::Forest::<u32, u32>::new(&instance, 1, Instructions::detect());
    forest.run_for(90_000, &run);
    let open = forest.find.pool.take_out(usize::MAX);
    let mut levels: Vec<_> = open.iter().map(|task| task.above.as_ptr()).collect();
    levels.dedup();
    assert!(open.len() > 10_000 && levels.len() <= 400, "{} in {} levels", open.len(), levels.len());
}

/// Threads come and go in turns of their own, as in a portfolio.
#[test]
fn threads_share_one_tree_in_turns() {
    let instance = taillard_benchmark(14).unwrap();
    let run = run(Limits::default());
    run.offer(&Permutation::identity(20), 1379);
    let search = TreeSearch::new(&instance, 3);
    std::thread::scope(|scope| {
        for turn in [10_000, 70_000, 200_000] {
            let (search, run) = (&search, &run);
            scope.spawn(move || {
                while !search.is_finished() {
                    search.run_for(turn, run);
                    assert!(run.bound() <= 1377 && search.num_open() <= 3 * 20 * 20);
                }
            });
        }
    });
    assert_eq!((run.best_cost(), run.bound()), (1377, 1377));
    assert!((search.searched() - 1.0).abs() < 1e-6, "{}", search.searched());
    // More callers than threads do nothing, and nothing is left to do.
    assert_eq!(search.run_for(1, &run), 0);
}

/// Nodes move from one search to another, on another number of threads, and nothing is lost.
#[test]
fn open_nodes_move_to_another_search() {
    let instance = taillard_benchmark(14).unwrap();
    let run = run(Limits::default());
    run.offer(&Permutation::identity(20), 1378);
    let (one, two) = (TreeSearch::new(&instance, 1), TreeSearch::new(&instance, 2));
    assert_eq!(two.take_open(9).len(), 1);
    assert!(two.is_finished());
    one.run_for(100_000, &run);
    let half = one.take_open(one.num_open() / 2);
    let depth = half.iter().map(|node| node.placements.len()).max().unwrap();
    assert!(one.take_open(0).is_empty() && !one.is_finished());
    assert!(two.put_open(half).is_empty() && !two.is_finished());
    let deeper = one.take_open(usize::MAX);
    assert!(deeper.iter().all(|node| node.placements.len() >= depth));
    assert!(one.put_open(deeper).is_empty());
    one.search(&run);
    // The bound of a part of the tree is no bound of the whole: another run has that.
    let other = Run::new(Seed::new(1), Limits::default());
    other.offer(&Permutation::identity(20), run.best_cost() + 1);
    two.search(&other);
    assert_eq!(run.best_cost().min(other.best_cost()), 1377);
    assert!(one.is_finished() && two.is_finished());
}

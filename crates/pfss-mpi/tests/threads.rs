//! The protocol among threads, with messages that come late.
#![allow(clippy::unwrap_used)]

use std::thread;
use std::time::Duration;

use pfss::{CheckpointFile, Keeper, Piece, PortableProblem, Settings, ShopTime};
use pfss_core::generate::{Distribution, Generated, taillard_benchmark};
use pfss_core::timing::{self, Attributes, JobAttributes, Line, Objective};
use pfss_core::{CancelFlag, Instance, Limits, Outcome, Run, Seed, Status, StopReason, check};
use pfss_mpi::{Answer, Exchange, Leader, Task, ThreadExchange, Workplace, work};

/// So many processes, as threads, whose messages take up to `delay`.
fn on_ranks<R>(ranks: usize, delay: Duration, program: impl FnOnce(&Leader<'_>) -> R) -> R {
    let mut exchanges = ThreadExchange::ranks_of(ranks, delay, Seed::new(7));
    let first = exchanges.remove(0);
    thread::scope(|scope| {
        for exchange in exchanges {
            scope.spawn(move || {
                let interrupted = CancelFlag::new();
                let crafts = Vec::new();
                work(&exchange, &Workplace { threads: 1, memory: 256 << 20, interrupted, crafts });
            });
        }
        let leader = Leader::new(&first);
        program(&leader)
    })
}

fn solve<T: ShopTime>(
    leader: &Leader<'_>,
    algorithm: &str,
    instance: &Instance<T>,
    limits: Limits<T>,
    keeper: Option<&Keeper>,
) -> Answer<T> {
    let settings = Settings::new();
    let solver = T::build(pfss::algorithm(algorithm).unwrap(), &settings).unwrap();
    let portable = instance.into();
    let task =
        Task { instance, portable, solver, settings: &settings, threads: Some(1), memory: None, keeper };
    leader.solve(task, Run::new(Seed::new(1), limits))
}

fn proven<T: ShopTime>(leader: &Leader<'_>, algorithm: &str, instance: &Instance<T>) -> Outcome<T> {
    let limits = Limits { time: Some(Duration::from_secs(100)), ..Limits::default() };
    let answer = solve(leader, algorithm, instance, limits, None);
    assert!(answer.lost.is_empty(), "{:?}", answer.lost);
    let outcome = answer.outcome.unwrap();
    assert_eq!(check(instance, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
    assert_eq!(outcome.status, Status::Optimal, "{}", instance.name());
    outcome
}

fn alone<T: ShopTime>(instance: &Instance<T>) -> T {
    let solver = T::build(pfss::algorithm("branch-and-bound").unwrap(), &Settings::new()).unwrap();
    let outcome = solver.solve(instance, &Run::new(Seed::new(1), Limits::default())).unwrap();
    assert_eq!(outcome.status, Status::Optimal);
    outcome.cost
}

/// However late messages come, the search does not end before all is searched: the optimum is that of one process.
#[test]
fn the_optimum_is_that_of_one_process() {
    for (ranks, delay) in [(2, 0), (3, 1), (5, 4)] {
        on_ranks(ranks, Duration::from_millis(delay), |leader| {
            for index in 0..30 {
                let size = 8 + index as usize % 5;
                let drawn =
                    Distribution::gamma().nth(size, 4 + index as usize % 4, Seed::new(index), 0).unwrap();
                match drawn {
                    Generated::Real(instance) => {
                        let (one, all) = (alone(&instance), proven(leader, "branch-and-bound", &instance));
                        assert!((one - all.cost).abs() < 1e-9 * one, "{one} {}", all.cost);
                    }
                    Generated::Integer(instance) => {
                        assert_eq!(alone(&instance), proven(leader, "branch-and-bound", &instance).cost);
                    }
                }
            }
        });
    }
}

#[test]
fn taillards_instances_are_proven_together() {
    for (ranks, delay) in [(2, 0), (4, 3)] {
        on_ranks(ranks, Duration::from_millis(delay), |leader| {
            for (number, optimum) in [(11, 1582), (14, 1377), (16, 1397)] {
                let instance = taillard_benchmark(number).unwrap();
                assert_eq!(proven(leader, "branch-and-bound", &instance).cost, optimum);
            }
            assert_eq!(proven(leader, "auto", &taillard_benchmark(61).unwrap()).cost, 5493);
        });
    }
}

#[test]
fn limits_end_all_ranks_at_once() {
    on_ranks(3, Duration::from_millis(1), |leader| {
        for algorithm in ["auto", "iterated-greedy", "branch-and-bound"] {
            let instance = taillard_benchmark(51).unwrap();
            let limits = Limits { time: Some(Duration::from_millis(400)), ..Limits::default() };
            let begun = std::time::Instant::now();
            let answer = solve(leader, algorithm, &instance, limits, None);
            assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
            assert!(answer.lost.is_empty());
            let outcome = answer.outcome.unwrap();
            assert_eq!(check(&instance, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
            assert_eq!(outcome.status, Status::Feasible(StopReason::TimeLimit));
        }
    });
}

#[test]
fn a_limit_of_evaluations_gives_what_one_process_gives() {
    let instance = taillard_benchmark(31).unwrap();
    let limits = Limits { evaluations: Some(200_000), ..Limits::default() };
    let results = [1, 3].map(|ranks| {
        on_ranks(ranks, Duration::ZERO, |leader| {
            solve(leader, "auto", &instance, limits, None).outcome.unwrap()
        })
    });
    assert_eq!(results[0].order, results[1].order);
    assert_eq!(results[0].evaluations, results[1].evaluations);
}

/// Instances whose jobs and machines carry more: all are islands of the planner's `auto`, and one of them proves.
#[test]
fn lines_have_the_optimum_of_one_process() {
    let settings = Settings::new();
    let auto = || pfss::planner::algorithm("auto").unwrap().build(&settings).unwrap();
    on_ranks(3, Duration::from_millis(2), |leader| {
        for index in 0..12 {
            let jobs = 7 + index as usize % 5;
            let shop: Instance<u32> = match Distribution::uniform().nth(jobs, 3, Seed::new(index), 0).unwrap()
            {
                Generated::Integer(instance) => instance,
                Generated::Real(_) => unreachable!(),
            };
            let due = |job: usize| JobAttributes {
                due: Some((100 + job * 97 % 300) as f64),
                release: (job * 31 % 90) as f64,
                ..JobAttributes::default()
            };
            let attributes = Attributes {
                jobs: (0..jobs).map(due).collect(),
                objectives: vec![Objective::TotalTardiness, Objective::Makespan],
                ..Attributes::default()
            };
            let line = Line::new(&shop, &attributes).unwrap();
            let limits = Limits { time: Some(Duration::from_secs(100)), ..Limits::default() };
            let one = auto().solve(&line, &Run::new(Seed::new(1), limits)).unwrap();
            let portable = PortableProblem::line(&shop.into(), &attributes);
            let task = Task {
                instance: &line,
                portable,
                solver: auto(),
                settings: &settings,
                threads: Some(1),
                memory: None,
                keeper: None,
            };
            let answer = leader.solve(task, Run::new(Seed::new(1), limits));
            assert!(answer.lost.is_empty());
            let all = answer.outcome.unwrap();
            assert_eq!(timing::check(&line, &all.order, Some(all.cost)), Ok(all.cost));
            assert_eq!((all.cost, all.status), (one.cost, Status::Optimal));
        }
    });
}

/// A process that cannot do what it is asked for says so, and nobody waits for it.
#[test]
fn an_assignment_that_cannot_be_done_is_a_failure() {
    on_ranks(2, Duration::from_millis(1), |leader| {
        let (instance, settings) = (taillard_benchmark(1).unwrap(), Settings::new());
        let solver = u32::build(pfss::algorithm("auto").unwrap(), &settings).unwrap();
        let portable = PortableProblem::Other { problem: "knapsack".to_string(), text: String::new() };
        let task = Task {
            instance: &instance,
            portable,
            solver,
            settings: &settings,
            threads: Some(1),
            memory: None,
            keeper: None,
        };
        let limits = Limits { time: Some(Duration::from_secs(60)), ..Limits::default() };
        let begun = std::time::Instant::now();
        let answer = leader.solve(task, Run::new(Seed::new(1), limits));
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        assert!(answer.lost.is_empty() && answer.best.is_some());
        assert!(answer.outcome.unwrap_err().to_string().contains("knapsack"));
    });
}

/// A proof without a tree was not noted where a limit of evaluations kept it to one process.
#[test]
fn a_proof_before_the_tree_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let instance = Instance::from_job_rows("two", &[[3u32, 2], [1, 5]]).unwrap();
    for limits in [Limits { evaluations: Some(1000), ..Limits::default() }, Limits::default()] {
        let file = CheckpointFile::new(folder.path(), &instance).unwrap();
        let keeper = Keeper::new(file, &instance, Duration::from_secs(60)).unwrap();
        on_ranks(2, Duration::ZERO, |leader| {
            solve(leader, "branch-and-bound", &instance, limits, Some(&keeper))
        });
        let kept = keeper.file().load(&instance).unwrap().unwrap();
        assert!(kept.nodes.is_empty() && kept.bound == 8.0);
        std::fs::remove_file(keeper.file().path()).unwrap();
    }
}

/// A proof in pieces: each with another number of processes, each cut short, each from the file of the one before.
#[test]
fn a_checkpoint_goes_on_with_any_number_of_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let instance = taillard_benchmark(17).unwrap();
    let mut pieces = 0;
    for ranks in [3, 2, 1, 4].into_iter().cycle() {
        pieces += 1;
        assert!(pieces < 100, "it does not come to an end");
        let file = CheckpointFile::new(folder.path(), &instance).unwrap();
        let keeper = Keeper::new(file, &instance, Duration::from_millis(40)).unwrap();
        assert_eq!(keeper.goes_on_from().is_some(), pieces > 1);
        let limits = Limits { time: Some(Duration::from_millis(1500)), ..Limits::default() };
        let answer = on_ranks(ranks, Duration::from_millis(2), |leader| {
            solve(leader, "branch-and-bound", &instance, limits, Some(&keeper))
        });
        let outcome = answer.outcome.unwrap();
        assert!(answer.lost.is_empty() && outcome.cost >= 1484 && outcome.bound <= 1484);
        let kept = keeper.file().load(&instance).unwrap().unwrap();
        assert!(kept.bound <= 1484.0);
        if outcome.status == Status::Optimal {
            assert_eq!((outcome.cost, kept.nodes.len()), (1484, 0));
            break;
        }
        assert!(!kept.nodes.is_empty());
    }
}

/// A farm waited for ever for a rank that had died.
#[test]
fn a_farm_ends_where_a_rank_dies() {
    let mut exchanges = ThreadExchange::ranks_of(3, Duration::from_millis(1), Seed::new(7));
    let first = exchanges.remove(0);
    let victim = exchanges.remove(0);
    let instance = taillard_benchmark(1).unwrap();
    let cancel = CancelFlag::new();
    thread::scope(|scope| {
        scope.spawn(move || while victim.receive(Duration::from_secs(60)).is_none() {});
        let survivor = exchanges.remove(0);
        scope.spawn(move || {
            let (interrupted, crafts) = (CancelFlag::new(), Vec::new());
            work(&survivor, &Workplace { threads: 1, memory: 256 << 20, interrupted, crafts });
        });
        let leader = Leader::new(&first);
        // Rank 1 dies as soon as it hears of its piece.
        leader.farm(Some(1), &cancel, |hands| {
            let piece = Piece::new(PortableProblem::from(&instance), "neh", &Settings::new(), Seed::new(1));
            assert!(hands.make(1, &piece).is_ok());
            let error = hands.make(0, &piece).unwrap_err().to_string();
            assert_eq!(error, "rank 1 no longer answers");
        });
        assert!(cancel.is_cancelled());
        assert_eq!(leader.lost(), [1]);
    });
}

/// Without a limit, a search waited for ever for a rank that had died.
#[test]
fn a_search_without_a_limit_ends_where_a_rank_dies() {
    for algorithm in ["auto", "branch-and-bound"] {
        let mut exchanges = ThreadExchange::ranks_of(2, Duration::from_millis(1), Seed::new(7));
        let (victim, first) = (exchanges.remove(1), exchanges.remove(0));
        let instance = taillard_benchmark(51).unwrap();
        thread::scope(|scope| {
            scope.spawn(move || while victim.receive(Duration::from_secs(60)).is_none() {});
            let leader = Leader::new(&first);
            let answer = solve(&leader, algorithm, &instance, Limits::default(), None);
            assert_eq!(answer.lost, [1]);
            let outcome = answer.outcome.unwrap();
            assert_eq!(check(&instance, &outcome.order, Some(outcome.cost)), Ok(outcome.cost));
        });
    }
}

/// All others waited for ever where rank 0 had died.
#[test]
fn the_others_end_where_rank_0_dies() {
    let mut exchanges = ThreadExchange::ranks_of(2, Duration::ZERO, Seed::new(7));
    let (other, first) = (exchanges.remove(1), exchanges.remove(0));
    drop(first);
    let (interrupted, crafts) = (CancelFlag::new(), Vec::new());
    work(&other, &Workplace { threads: 1, memory: 256 << 20, interrupted, crafts });
}

//! Runs: limits, incumbents, observers, failures.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::*;

#[test]
fn only_better_offers_count() {
    let run = Run::<u32>::new(Seed::new(1), Limits::default());
    assert!(run.offer(&[0, 1], 10));
    assert!(!run.offer(&[1, 0], 10));
    assert!(run.offer(&[1, 0], 9));
    run.raise_bound(9);
    assert!(run.is_optimal());
    let outcome = run.outcome().unwrap();
    assert_eq!(outcome.order.as_slice(), &[1, 0]);
    assert_eq!(outcome.status, Status::Optimal);
    assert_eq!(outcome.gap(), 0.0);
}

#[test]
fn every_limit_stops() {
    let limits = |change: fn(&mut Limits<u32>)| {
        let mut limits = Limits::default();
        change(&mut limits);
        Run::new(Seed::new(1), limits)
    };
    let run = limits(|l| l.evaluations = Some(5));
    run.count(4);
    assert_eq!(run.stop(), None);
    run.count(1);
    assert_eq!(run.stop(), Some(StopReason::EvaluationLimit));

    let run = limits(|l| l.stall = Some(3));
    run.count(2);
    run.offer(&[0], 5);
    run.count(2);
    assert_eq!(run.stop(), None);
    run.count(1);
    assert_eq!(run.stop(), Some(StopReason::Stalled));

    let run = limits(|l| l.target = Some(5));
    assert_eq!(run.stop(), None);
    run.offer(&[0], 5);
    assert_eq!(run.stop(), Some(StopReason::Target));

    let run = limits(|l| l.time = Some(Duration::ZERO));
    assert_eq!(run.stop(), Some(StopReason::TimeLimit));

    let run = limits(|_| ());
    run.cancel_flag().clone().cancel();
    assert_eq!(run.stop(), Some(StopReason::Cancelled));
}

#[test]
fn the_evaluations_that_are_left_meet_a_limit() {
    assert_eq!(Run::<u32>::new(Seed::new(1), Limits::default()).evaluations_left(), None);
    let limits = Limits { evaluations: Some(10), stall: Some(4), ..Limits::default() };
    let run = Run::<u32>::new(Seed::new(1), limits);
    let mut counted = Vec::new();
    while run.stop().is_none() {
        let left = run.evaluations_left().unwrap();
        counted.push(left);
        run.count(left - 1);
        assert_eq!((run.stop(), run.evaluations_left()), (None, Some(1)));
        // A better order is worth three more, as long as there are any.
        run.offer(&[0], 9 - counted.len() as u32);
        run.count(u64::from(counted.len() == 4));
    }
    assert_eq!(counted, [4, 4, 4, 1]);
}

#[test]
fn a_run_without_an_order_is_an_error() {
    let run = Run::<u32>::new(Seed::new(1), Limits::default());
    assert!(matches!(run.outcome(), Err(SolveError::NoOrder)));
}

/// Calls everything on the run that told it, and offers a better order itself.
struct Caller<'r> {
    run: std::sync::OnceLock<&'r Run<'r, u32>>,
    costs: Mutex<Vec<u32>>,
    calls: AtomicUsize,
}

impl Observer<u32> for Caller<'_> {
    fn on_improvement(&self, improvement: &Improvement<'_, u32>) {
        assert_eq!(self.calls.fetch_add(1, Ordering::SeqCst), 0, "one call at a time");
        self.costs.lock().unwrap().push(improvement.cost);
        if let Some(run) = self.run.get() {
            assert!(run.best().is_some_and(|(_, cost)| cost <= improvement.cost));
            assert!(run.best_found_at().is_some());
            run.raise_bound(1);
            run.count(1);
            assert!(run.outcome().is_ok());
            if improvement.cost.is_multiple_of(10) {
                run.offer(&[1, 0], improvement.cost - 1);
            }
        }
        self.calls.fetch_sub(1, Ordering::SeqCst);
    }
}

#[test]
fn observers_may_call_everything_on_a_run() {
    let caller =
        Caller { run: std::sync::OnceLock::new(), costs: Mutex::new(Vec::new()), calls: AtomicUsize::new(0) };
    // The observer knows the run that it observes: as long-lived as the test.
    let caller: &'static Caller<'static> = Box::leak(Box::new(caller));
    let run: &'static Run<'static, u32> =
        Box::leak(Box::new(Run::new(Seed::new(1), Limits::default()).with_observer(caller)));
    assert!(caller.run.set(run).is_ok());
    std::thread::scope(|scope| {
        for thread in 0..4u32 {
            scope.spawn(move || {
                for cost in (100..1000).rev() {
                    run.offer(&[0, 1], cost * 10 + thread);
                }
            });
        }
    });
    let costs = caller.costs.lock().unwrap();
    assert!(costs.windows(2).all(|pair| pair[1] < pair[0]), "{costs:?}");
    assert_eq!(costs.last(), Some(&999));
    assert_eq!(run.best_cost(), 999);
}

#[test]
fn bounds_are_told_in_one_sequence_with_improvements() {
    struct Diary(Mutex<Vec<String>>);
    impl Observer<u32> for Diary {
        fn on_improvement(&self, improvement: &Improvement<'_, u32>) {
            self.0.lock().unwrap().push(format!("{} above {}", improvement.cost, improvement.bound));
        }
        fn on_bound(&self, raised: &RaisedBound<u32>) {
            self.0.lock().unwrap().push(format!("bound {} below {:?}", raised.bound, raised.best));
        }
    }
    let diary = Diary(Mutex::new(Vec::new()));
    let run = Run::new(Seed::new(1), Limits::default()).with_observer(&diary);
    run.raise_bound(3);
    run.offer(&[0], 9);
    run.raise_bound(3);
    run.raise_bound(2);
    run.raise_bound(5);
    run.offer(&[0], 7);
    let told = diary.0.lock().unwrap().join("; ");
    assert_eq!(told, "bound 3 below None; 9 above 3; bound 5 below Some(9); 7 above 5");
}

/// F2: whether the best order is optimal is said by the run, to everybody, at every moment.
#[test]
fn observers_are_told_whether_it_is_a_proof() {
    struct Told(Mutex<Vec<bool>>);
    impl Observer<u32> for Told {
        fn on_improvement(&self, improvement: &Improvement<'_, u32>) {
            self.0.lock().unwrap().push(improvement.is_optimal);
        }
        fn on_bound(&self, raised: &RaisedBound<u32>) {
            self.0.lock().unwrap().push(raised.is_optimal);
        }
    }
    let told = Told(Mutex::new(Vec::new()));
    let run = Run::new(Seed::new(1), Limits::default()).with_observer(&told).with_bound(3);
    run.offer(&[0], 9);
    run.raise_bound(7);
    run.offer(&[0], 8);
    run.raise_bound(8);
    assert_eq!(*told.0.lock().unwrap(), [false, false, false, false, true]);
    assert_eq!(run.outcome().unwrap().status, Status::Optimal);
    let run = Run::new(Seed::new(1), Limits::default()).with_bound(4).with_observer(&told);
    run.offer(&[0], 4);
    assert_eq!(told.0.lock().unwrap().last(), Some(&true));
}

#[test]
fn a_panicking_observer_does_not_silence_the_next_one() {
    struct Once(AtomicUsize);
    impl Observer<u32> for Once {
        fn on_improvement(&self, _: &Improvement<'_, u32>) {
            assert!(self.0.fetch_add(1, Ordering::SeqCst) > 0, "the first call fails");
        }
    }
    let observer = Once(AtomicUsize::new(0));
    let run = Run::new(Seed::new(1), Limits::default()).with_observer(&observer);
    assert!(catch_unwind(AssertUnwindSafe(|| run.offer(&[0], 5))).is_err());
    assert!(run.offer(&[0], 4));
    assert_eq!(observer.0.load(Ordering::SeqCst), 2);
}

#[test]
fn a_panicking_part_ends_the_run_and_keeps_the_best() {
    let run = Run::<u32>::new(Seed::new(1), Limits::default());
    run.offer(&[1, 0], 7);
    std::thread::scope(|scope| {
        // Without a limit this one would never end.
        let other = scope.spawn(|| {
            while !run.must_end() {
                std::thread::yield_now();
            }
        });
        scope.spawn(|| run.guard(|| panic!("a wheel came off")));
        other.join().unwrap();
    });
    assert_eq!(run.stop(), Some(StopReason::Failed));
    assert!(matches!(run.outcome(), Err(SolveError::Failed { message }) if message == "a wheel came off"));
    let answer = run.answer().unwrap();
    assert_eq!((answer.cost, answer.status), (7, Status::Feasible(StopReason::Failed)));
}

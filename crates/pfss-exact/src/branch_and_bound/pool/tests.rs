//! Taking, stealing and putting back.

use std::sync::Arc;

use pfss_core::tree::End;

use super::super::task::Placement;
use super::*;

fn task(depth: usize, bound: u32) -> Task<u32> {
    let placement = Placement { job: 0, end: End::Front };
    let above: Arc<[Placement]> = vec![placement; depth.saturating_sub(1)].into();
    Task { above, last: (depth > 0).then_some(placement), bound, share: 0.0 }
}

fn bounds(tasks: &[Task<u32>]) -> Vec<u32> {
    tasks.iter().map(|task| task.bound).collect()
}

#[test]
fn a_thread_takes_its_deepest_and_steals_the_shallow_half() {
    let pool = TaskPool::new(2);
    pool.restart(0, vec![task(1, 7), task(1, 8), task(2, 9), task(3, 10)]);
    let deepest = pool.take(0).unwrap();
    assert_eq!((deepest.task.bound, pool.len()), (10, 3));
    // Of three that wait, two are stolen, and the deeper one of these is taken.
    let stolen = pool.take(1).unwrap();
    assert_eq!(stolen.task.bound, 8);
    assert!(pool.holds_tasks(1));
    assert_eq!(pool.take(0).map(|taken| taken.task.bound), Some(9));
    // Its own are gone: it steals back what waits.
    assert_eq!(pool.take(0).map(|taken| taken.task.bound), Some(7));
    assert!(pool.take(0).is_none() && pool.len() == 0);
    // Both are still at work.
    assert!(!pool.is_exhausted());
    pool.finish(0, &deepest, vec![]);
    pool.finish(1, &stolen, vec![]);
    assert!(pool.is_exhausted());
}

#[test]
fn the_least_bound_counts_what_is_at_work() {
    let pool = TaskPool::new(2);
    assert_eq!(pool.least_bound(), None);
    pool.restart(0, vec![task(1, 9), task(1, 5)]);
    let taken = pool.take(0).unwrap();
    assert_eq!(pool.least_bound(), Some(5));
    pool.note(0, Some(7));
    assert_eq!(pool.least_bound(), Some(7));
    pool.finish(0, &taken, vec![task(2, 8)]);
    assert_eq!(pool.least_bound(), Some(8));
}

#[test]
fn what_was_taken_before_a_restart_does_not_come_back() {
    let pool = TaskPool::new(1);
    pool.restart(0, vec![task(0, 1)]);
    let old = pool.take(0).unwrap();
    pool.restart(0, vec![task(0, 2)]);
    assert!(!pool.wants(&old));
    pool.add(0, &old, vec![task(1, 3)]);
    pool.finish(0, &old, vec![task(1, 4)]);
    assert_eq!(bounds(&pool.take_out(9)), [2]);
}

#[test]
fn tasks_leave_and_come_back_by_depth() {
    let pool = TaskPool::new(2);
    pool.put_in(vec![task(3, 1), task(1, 2), task(2, 3), task(5, 4)]);
    assert_eq!(bounds(&pool.take_out(2)), [2, 3]);
    pool.put_in(vec![task(4, 6)]);
    assert_eq!(bounds(&pool.take_out(usize::MAX)), [1, 6, 4]);
    assert!(pool.is_exhausted());
}

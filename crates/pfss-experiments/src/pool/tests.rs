use std::path::Path;
use std::sync::Barrier;

use serde::{Deserialize, Serialize};

use super::*;
use crate::{Mistake, unknown_hash};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Square {
    number: u64,
    square: u64,
    instance_hash: String,
}

impl JournalRow for Square {
    type Key = u64;
    const COLUMNS: &'static [&'static str] = &["number", "square", "instance_hash"];

    fn key(&self) -> u64 {
        self.number
    }

    fn instance(&self) -> &str {
        ""
    }

    fn instance_hash(&self) -> &str {
        &self.instance_hash
    }

    fn mistake(&self) -> Option<Mistake> {
        None
    }
}

#[derive(Debug, Error)]
enum Failure {
    #[error("{0} has no square")]
    Refused(u64),
    #[error(transparent)]
    Panicked(#[from] Panicked),
}

fn square(number: &u64) -> Result<Square, Failure> {
    Ok(Square { number: *number, square: number * number, instance_hash: unknown_hash() })
}

/// Stops at the first failure.
fn strict(event: Event<'_, u64, Square, Failure>) -> ControlFlow<Failure> {
    match event {
        Event::Failed(_, failure) => ControlFlow::Break(failure),
        Event::Started(_) | Event::Written(..) => ControlFlow::Continue(()),
    }
}

fn sorted(journal: &Journal<Square>) -> Vec<Square> {
    let mut rows = journal.rows().to_vec();
    rows.sort();
    rows
}

/// What the file holds, read again.
fn kept(path: &Path) -> Vec<u64> {
    sorted(&Journal::open(path).unwrap()).iter().map(|row| row.number).collect()
}

#[test]
fn killed_and_resumed_gives_the_rows_of_an_uninterrupted_run() {
    let folder = tempfile::tempdir().unwrap();
    let numbers: Vec<u64> = (0..40).collect();
    let mut whole = Journal::open(&folder.path().join("whole.csv")).unwrap();
    let ended =
        Pool::new(3).unwrap().run(&numbers, &mut whole, &CancelFlag::new(), &square, None, strict).unwrap();
    assert!(ended.is_continue());
    assert_eq!(sorted(&whole).len(), 40);

    for workers in [1, 3] {
        let path = folder.path().join(format!("{workers}.csv"));
        let cancel = CancelFlag::new();
        let make = |number: &u64| {
            if *number == 17 {
                cancel.cancel();
            }
            square(number)
        };
        let mut journal = Journal::open(&path).unwrap();
        let ended =
            Pool::new(workers).unwrap().run(&numbers, &mut journal, &cancel, &make, None, strict).unwrap();
        assert!(ended.is_continue());
        assert!(journal.rows().len() <= 17 && journal.rows().iter().all(|row| row.number != 17));
        drop(journal);
        // A kill in the middle of a line.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, &text[..text.len() - 1]).unwrap();

        let mut journal = Journal::open(&path).unwrap();
        let (done, open) = journal.split(&numbers, |number| *number);
        assert_eq!(done.len() + open.len(), 40);
        assert!(!done.is_empty() && open.is_sorted());
        let again = |number: &&u64| square(number);
        let watch = |_: Event<'_, &u64, Square, Failure>| ControlFlow::Continue(());
        let pool = Pool::new(workers).unwrap();
        assert!(
            pool.run(&open, &mut journal, &CancelFlag::new(), &again, None, watch).unwrap().is_continue()
        );
        assert_eq!(sorted(&journal), sorted(&whole));
        drop(journal);
        assert_eq!(kept(&path), numbers);
    }
}

#[test]
fn the_first_error_wins_and_the_rows_of_the_others_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.csv");
    // 2 fails while 3 is under way, which ends later and still has its row; 4 is not begun.
    let (both, failed) = (Barrier::new(2), Barrier::new(2));
    let make = |number: &u64| match number {
        2 => {
            both.wait();
            Err(Failure::Refused(2))
        }
        3 => {
            both.wait();
            failed.wait();
            square(number)
        }
        _ => square(number),
    };
    let mut journal = Journal::open(&path).unwrap();
    let watch = |event: Event<'_, u64, Square, Failure>| match event {
        Event::Failed(_, failure) => {
            failed.wait();
            ControlFlow::Break(failure)
        }
        _ => ControlFlow::Continue(()),
    };
    let numbers = [0, 1, 2, 3, 4, 5, 6, 7];
    let ended =
        Pool::new(2).unwrap().run(&numbers, &mut journal, &CancelFlag::new(), &make, None, watch).unwrap();
    assert_eq!(ended.break_value().unwrap().to_string(), "2 has no square");
    drop(journal);
    assert_eq!(kept(&path), [0, 1, 3]);
}

#[test]
fn a_failure_that_the_watcher_lets_pass_stops_nothing() {
    let make = |number: &u64| if *number == 2 { Err(Failure::Refused(2)) } else { square(number) };
    let mut failures = Vec::new();
    let mut journal = Journal::in_memory();
    let watch = |event: Event<'_, u64, Square, Failure>| {
        if let Event::Failed(item, failure) = event {
            failures.push((*item, failure.to_string()));
        }
        ControlFlow::Continue(())
    };
    let numbers = [0, 1, 2, 3, 4];
    let ended =
        Pool::new(2).unwrap().run(&numbers, &mut journal, &CancelFlag::new(), &make, None, watch).unwrap();
    assert!(ended.is_continue());
    assert_eq!(failures, [(2, "2 has no square".to_string())]);
    assert_eq!(sorted(&journal).iter().map(|row| row.number).collect::<Vec<_>>(), [0, 1, 3, 4]);
}

#[test]
fn a_panic_is_an_error_and_no_worker_waits_for_it() {
    for workers in [1, 4] {
        let make = |number: &u64| {
            assert!(*number != 2, "two is too many");
            square(number)
        };
        let mut journal = Journal::in_memory();
        let pool = Pool::new(workers).unwrap();
        let ended = pool.run(&[0, 1, 2], &mut journal, &CancelFlag::new(), &make, None, strict).unwrap();
        let reason = ended.break_value().unwrap().to_string();
        assert!(reason.contains("two is too many") && reason.contains("report"), "{reason}");
        assert_eq!(sorted(&journal).len(), 2);
        // The threads are still good for other work.
        let ended = pool.run(&[7, 8], &mut journal, &CancelFlag::new(), &square, None, strict).unwrap();
        assert!(ended.is_continue() && sorted(&journal).len() == 4);
    }
}

#[test]
fn nothing_to_do_and_a_raised_flag_make_no_rows() {
    let mut journal = Journal::in_memory();
    let pool = Pool::new(0).unwrap();
    assert!(pool.run(&[], &mut journal, &CancelFlag::new(), &square, None, strict).unwrap().is_continue());
    let cancel = CancelFlag::new();
    cancel.cancel();
    assert!(pool.run(&[1], &mut journal, &cancel, &square, None, strict).unwrap().is_continue());
    assert!(journal.rows().is_empty());
}

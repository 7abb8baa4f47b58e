use super::*;
use crate::job::{Known, Status};

fn new_job(id: &str) -> NewJob<'_> {
    NewJob {
        id,
        name: "x",
        num_jobs: 2,
        num_machines: 2,
        created_at: 1,
        objective: "makespan",
        options: "{}",
        time_limit_s: Some(1.0),
        instance: "{}",
        start: None,
    }
}

fn progress(number: i64, value: f64) -> Progress {
    let status = Some(Status::Feasible);
    let known = Known { value: Some(value), makespan: Some(value), bound: Some(5.0), status, runtime_s: 0.5 };
    Progress { number, round: 0, known, history: "[]".into(), record: Some(format!("{{\"v\":{value}}}")) }
}

#[test]
fn what_was_kept_is_there_after_opening_again() {
    let folder = tempfile::tempdir().unwrap();
    {
        let store = Store::open(folder.path()).unwrap();
        let (a, b) = (store.insert(&new_job("a")).unwrap(), store.insert(&new_job("b")).unwrap());
        assert!(store.begin(b, 0).unwrap() && !store.begin(b, 0).unwrap());
        assert_eq!(store.save(&[progress(a, 9.0), progress(b, 8.0)]).unwrap(), [false, true]);
        assert!(matches!(Store::open(folder.path()), Err(StoreError::Locked { .. })));
    }
    let store = Store::open(folder.path()).unwrap();
    let open: Vec<String> = store.take_up().unwrap().into_iter().map(|row| row.id).collect();
    assert_eq!(open, ["b", "a"]);
    let row = store.find("b").unwrap().unwrap();
    assert_eq!(
        (row.known.value, store.result(row.number).unwrap().unwrap().as_str()),
        (Some(8.0), "{\"v\":8}")
    );
    let finished = Finished { progress: progress(row.number, 7.0), state: State::Done, message: None };
    assert!(!store.finish(&finished).unwrap(), "nobody searches for it since the store was opened again");
    assert!(!store.requeue(row.number, "{}", None).unwrap() && store.begin(row.number, 0).unwrap());
    assert!(store.finish(&finished).unwrap());
    assert_eq!(store.save(&[progress(row.number, 8.0)]).unwrap(), [false], "nothing old follows the end");
    assert!(
        store.requeue(row.number, "{}", None).unwrap() && !store.requeue(row.number, "{}", None).unwrap()
    );
    let again = store.find("b").unwrap().unwrap();
    assert_eq!((again.state, again.round, again.round_base_s), (State::Queued, 1, 0.5));
    // The end of a round that is over changes nothing of the next one.
    assert!(!store.finish(&finished).unwrap() && !store.begin(row.number, 0).unwrap());
    assert_eq!(store.find("b").unwrap().unwrap().state, State::Queued);
    assert!(store.begin(row.number, 1).unwrap() && !store.stop(row.number).unwrap());
    store.delete(row.number).unwrap();
    let late = Finished { progress: Progress { round: 1, ..finished.progress }, ..finished };
    assert!(!store.finish(&late).unwrap());
    assert_eq!(store.place("b").unwrap(), Some(row.number), "its place in the list is known");
    assert_eq!(store.place("nobody").unwrap(), None);
    assert!(store.find("b").unwrap().is_none() && store.instance(row.number).unwrap().is_none());
    assert_eq!(store.list(None, 10).unwrap().len(), 1);
}

/// Stores of version 1 knew of proofs in records only.
#[test]
fn a_store_of_before_keeps_its_proofs() {
    let folder = tempfile::tempdir().unwrap();
    {
        let store = Store::open(folder.path()).unwrap();
        for (id, status) in [("a", "optimal"), ("b", "feasible"), ("c", "")] {
            let number = store.insert(&new_job(id)).unwrap();
            if !status.is_empty() {
                let record = Some(format!("{{\"status\":\"{status}\"}}"));
                let finished = Finished {
                    progress: Progress { record, ..progress(number, 5.0) },
                    state: State::Done,
                    message: None,
                };
                assert!(store.begin(number, 0).unwrap() && store.finish(&finished).unwrap());
            }
        }
        let before = "ALTER TABLE jobs DROP COLUMN status; PRAGMA user_version = 1";
        store.writer().execute_batch(before).unwrap();
    }
    for _ in 0..2 {
        let store = Store::open(folder.path()).unwrap();
        let status = |id| store.find(id).unwrap().unwrap().known.status;
        assert_eq!(["a", "b", "c"].map(status), [Some(Status::Optimal), Some(Status::Feasible), None]);
    }
}

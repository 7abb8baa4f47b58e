//! What is large takes longer in step with its size. Where it took a step for each pair, these tests took half a minute.

use std::time::{Duration, Instant};

use crate::timing::{AttributeError, Attributes, Line, MachineAttributes, Timetable};
use crate::{Instance, JobId};

/// What `work` returns, if that is soon.
fn soon<T>(work: impl FnOnce() -> T) -> T {
    let clock = Instant::now();
    let made = work();
    assert!(clock.elapsed() < Duration::from_secs(5), "it took {:?}", clock.elapsed());
    made
}

fn instance(num_jobs: JobId) -> Instance<u32> {
    Instance::new("", 1, vec![1; num_jobs as usize]).unwrap()
}

#[test]
fn a_circle_of_half_a_million_jobs_is_told_soon() {
    const JOBS: JobId = 500_000;
    let precedence = (0..JOBS).map(|job| (job, (job + 1) % JOBS)).collect();
    let attributes = Attributes { precedence, ..Attributes::default() };
    let error = soon(|| Line::new(&instance(JOBS), &attributes)).unwrap_err();
    let AttributeError::Circle { jobs } = error else { panic!("{error}") };
    assert_eq!((jobs.len(), jobs.first()), (JOBS as usize + 1, jobs.last()));
}

#[test]
fn a_hundred_thousand_breaks_are_passed_soon() {
    const JOBS: JobId = 100_000;
    let breaks: Vec<_> = (0..JOBS).map(|at| (f64::from(3 * at), f64::from(3 * at + 1))).collect();
    for resume in [false, true] {
        let machines =
            vec![MachineAttributes { breaks: breaks.clone(), resume, ..MachineAttributes::default() }];
        let line = Line::new(&instance(JOBS), &Attributes { machines, ..Attributes::default() }).unwrap();
        let order: Vec<JobId> = (0..JOBS).collect();
        let table = soon(|| Timetable::new(&line, &order)).unwrap();
        // Two jobs behind each break.
        assert_eq!(table.makespan(), 3 * JOBS / 2);
    }
}

/// A state has a number for each place: with these it would have asked for 20 GB.
#[test]
fn buffers_of_a_hundred_thousand_jobs_are_refused_where_no_search_can_hold_them() {
    let instance = Instance::new("", 2, vec![1u32; 200_000]).unwrap();
    let line = |buffer| {
        let mut machines = vec![MachineAttributes::default(); 2];
        machines[0].buffer = Some(buffer);
        Line::new(&instance, &Attributes { machines, ..Attributes::default() })
    };
    let message = line(50_000).unwrap_err().to_string();
    assert!(message.contains("50000 places for 100000 jobs") && message.contains("2684 places"), "{message}");
    line(2_684).unwrap();
    // Nobody ever waits for it.
    line(100_000).unwrap();
}

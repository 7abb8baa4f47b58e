//! How long after its limit, or after somebody cancelled it, a search returns.
//!
//! Wall time alone would blame a search for whatever else the machine does: continuous integration has two noisy cores. So a
//! second thread that only sleeps says when the moment has come: where the system lets it oversleep, the search gets that time,
//! too. And where the search was late by the clock, it is still in time if the process worked no longer than allowed: while
//! others have the processor, its own time stands still. A search that does not look at its limits works on, and has neither
//! excuse.

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use pfss::core::{CancelFlag, Limits, Run, Seed, Time};

/// What ends a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum End {
    /// Its own limit of time.
    Limit(Duration),
    /// Somebody who cancels it after this time, long before its limit.
    Cancel(Duration),
}

/// How much later a search may return than it should: a fifth of its limit and 50 ms, or a second after it was cancelled.
fn allowance(end: End) -> Duration {
    match end {
        End::Limit(limit) => limit / 5 + Duration::from_millis(50),
        End::Cancel(_) => Duration::from_secs(1),
    }
}

/// How late a search came home: by the clock, and by the work of the process since then, where the system tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delay {
    pub(crate) wall: Duration,
    pub(crate) work: Option<Duration>,
}

/// The processor time of this process: user and system, in hundredths of a second.
fn work() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |place: usize| fields.get(place)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(11)? + ticks(12)?)))
}

/// Lets `solve` work on a run that ends like this; what it returns, and how late, where it was not done before.
pub(crate) fn delay<C: Time, R>(
    end: End,
    threads: usize,
    solve: impl FnOnce(&Run<'_, C>) -> R,
) -> (R, Option<Delay>) {
    let flag = CancelFlag::new();
    let (limit, after) = match end {
        End::Limit(limit) => (limit, limit),
        End::Cancel(after) => (Duration::from_secs(3_600), after),
    };
    thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        let watch = scope.spawn({
            let flag = flag.clone();
            move || {
                let is_over = is_done.recv_timeout(after).is_err();
                if end == End::Cancel(after) {
                    flag.cancel();
                }
                is_over.then(|| (Instant::now(), work()))
            }
        });
        let limits = Limits { time: Some(limit), ..Limits::default() };
        let run = Run::new(Seed::new(1), limits).with_threads(threads).with_cancel(flag);
        let answer = solve(&run);
        let (returned, worked) = (Instant::now(), work());
        // Where the watch has its moment already, nobody listens.
        let _ = done.send(());
        let late = watch.join().unwrap().map(|(moment, before): (Instant, Option<Duration>)| {
            let work = worked.zip(before).map(|(now, before)| now.saturating_sub(before));
            Delay { wall: returned.saturating_duration_since(moment), work }
        });
        (answer, late)
    })
}

/// Whether a search that is made by `attempt` is in time. A machine may be busy once; a search that does not look at its limits is
/// late each time.
pub(crate) fn is_in_time(end: End, threads: usize, attempt: impl Fn() -> Option<Delay>) -> Result<(), Delay> {
    const ATTEMPTS: usize = 3;
    let allowed = allowance(end);
    let is_fine = |delay: &Delay| {
        delay.wall <= allowed || delay.work.is_some_and(|work| work <= allowed * threads as u32)
    };
    let mut late = None;
    for _ in 0..ATTEMPTS {
        match attempt() {
            Some(delay) if !is_fine(&delay) => late = Some(delay),
            _ => return Ok(()),
        }
    }
    late.map_or(Ok(()), Err)
}

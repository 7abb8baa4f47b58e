//! Which jobs wait and which run: first come, first served, and no more than there is room for.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use pfss_core::CancelFlag;

/// Why a running job is to end before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Why {
    /// Nobody asked for it.
    Nothing = 0,
    /// Somebody wants the best so far.
    Stopped = 1,
    /// Somebody forgot the job.
    Deleted = 2,
    /// The server ends; the job goes on when it is back.
    Shutdown = 3,
}

/// How far a running job is.
#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Its instance is being read; nothing has been searched for yet.
    Preparing,
    /// It is being searched for a better order, until then at the latest.
    Searching(Instant),
    /// The search has ended; its answer is being kept.
    Ended,
    /// The search did not end in time: nobody waits for its answer any more.
    GivenUp,
}

/// The way to end a running job.
#[derive(Clone, Debug)]
pub(crate) struct Control {
    /// Raised when the job is to end.
    pub(crate) cancel: CancelFlag,
    why: Arc<AtomicU8>,
    phase: Arc<Mutex<Phase>>,
}

impl Default for Control {
    fn default() -> Self {
        let phase = Arc::new(Mutex::new(Phase::Preparing));
        Self { cancel: CancelFlag::default(), why: Arc::default(), phase }
    }
}

impl Control {
    fn end(&self, why: Why) {
        self.why.store(why as u8, Ordering::SeqCst);
        self.cancel.cancel();
        let mut phase = self.phase();
        if let Phase::Searching(until) = *phase {
            *phase = Phase::Searching(until.min(Instant::now()));
        }
    }

    /// Why the job is to end.
    pub(crate) fn why(&self) -> Why {
        match self.why.load(Ordering::SeqCst) {
            1 => Why::Stopped,
            2 => Why::Deleted,
            3 => Why::Shutdown,
            _ => Why::Nothing,
        }
    }

    /// A search begins that has a limit of this time.
    pub(crate) fn search_begins(&self, limit: Duration) {
        let limit = if self.cancel.is_cancelled() { Duration::ZERO } else { limit };
        *self.phase() = Phase::Searching(Instant::now() + limit);
    }

    /// The search has ended. False where it was given up before, so that its answer no longer counts.
    #[must_use]
    pub(crate) fn search_ended(&self) -> bool {
        let mut phase = self.phase();
        if matches!(*phase, Phase::GivenUp) {
            return false;
        }
        *phase = Phase::Ended;
        true
    }

    /// Gives the search up where it should have ended `grace` ago.
    #[must_use]
    fn give_up(&self, grace: Duration) -> bool {
        let mut phase = self.phase();
        let is_overdue = matches!(*phase, Phase::Searching(until) if until + grace < Instant::now());
        if is_overdue {
            *phase = Phase::GivenUp;
            self.cancel.cancel();
        }
        is_overdue
    }

    fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A round of a job that waits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Waiting {
    pub(crate) number: i64,
    pub(crate) round: i64,
    pub(crate) id: String,
}

/// All jobs that wait or run.
pub(crate) struct Board {
    places: Mutex<Places>,
    changed: Condvar,
    capacity: usize,
}

#[derive(Default)]
struct Places {
    waiting: VecDeque<Waiting>,
    /// Places for jobs that are being written to the store.
    reserved: usize,
    running: HashMap<Waiting, Control>,
    is_closed: bool,
}

/// A place in the queue, for a job that the store does not know yet.
pub(crate) struct Reservation<'a>(&'a Board);

impl Reservation<'_> {
    /// The job takes its place.
    pub(crate) fn take(self, job: Waiting) {
        self.0.push(job);
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.0.lock().reserved -= 1;
    }
}

impl Board {
    /// A board on which so many jobs may wait.
    pub(crate) fn new(capacity: usize) -> Self {
        Self { places: Mutex::default(), changed: Condvar::new(), capacity }
    }

    /// A place in the queue, or `None` when it is full.
    pub(crate) fn reserve(&self) -> Option<Reservation<'_>> {
        let mut places = self.lock();
        if places.waiting.len() + places.reserved >= self.capacity {
            return None;
        }
        places.reserved += 1;
        Some(Reservation(self))
    }

    /// Puts a job at the end of the queue, also where it is full.
    pub(crate) fn push(&self, job: Waiting) {
        self.lock().waiting.push_back(job);
        self.changed.notify_one();
    }

    /// Waits for the next job; `None` when the board is closed.
    pub(crate) fn next(&self) -> Option<(Waiting, Control)> {
        let mut places = self.lock();
        loop {
            if places.is_closed {
                return None;
            }
            if let Some(job) = places.waiting.pop_front() {
                let control = Control::default();
                places.running.insert(job.clone(), control.clone());
                return Some((job, control));
            }
            places = self.changed.wait(places).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The job no longer runs.
    pub(crate) fn finished(&self, job: &Waiting) {
        self.lock().running.remove(job);
    }

    /// A job that waited no longer does.
    pub(crate) fn withdraw(&self, number: i64) {
        self.lock().waiting.retain(|job| job.number != number);
    }

    /// Ends the search of a job.
    pub(crate) fn end(&self, number: i64, why: Why) {
        let places = self.lock();
        let its = places.running.iter().filter(|(job, _)| job.number == number);
        its.for_each(|(_, control)| control.end(why));
    }

    /// The jobs whose search should have ended `grace` ago; nobody waits for them any more.
    pub(crate) fn give_up(&self, grace: Duration) -> Vec<Waiting> {
        let places = self.lock();
        let overdue = places.running.iter().filter(|(_, control)| control.give_up(grace));
        overdue.map(|(job, _)| job.clone()).collect()
    }

    /// How many jobs wait and run.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let places = self.lock();
        (places.waiting.len() + places.reserved, places.running.len())
    }

    /// Whether the server ends.
    pub(crate) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    /// Ends everything that runs; nothing new is handed out.
    pub(crate) fn close(&self) {
        let mut places = self.lock();
        places.is_closed = true;
        for control in places.running.values() {
            control.end(Why::Shutdown);
        }
        drop(places);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(number: i64) -> Waiting {
        Waiting { number, round: 0, id: number.to_string() }
    }

    #[test]
    fn first_come_first_served_within_the_capacity() {
        let board = Board::new(2);
        board.reserve().unwrap().take(job(1));
        let place = board.reserve().unwrap();
        assert!(board.reserve().is_none());
        drop(place);
        board.reserve().unwrap().take(job(2));
        assert!(board.reserve().is_none());
        let (first, control) = board.next().unwrap();
        assert_eq!(first, job(1));
        board.end(1, Why::Stopped);
        assert!(control.cancel.is_cancelled() && control.why() == Why::Stopped);
        board.withdraw(2);
        assert_eq!(board.counts(), (0, 1));
        board.finished(&job(1));
        assert_eq!(board.counts(), (0, 0));
        board.close();
        assert!(board.next().is_none());
    }

    /// An entry of an earlier round, which no longer counts, must not take the present one's control away.
    #[test]
    fn rounds_of_one_job_are_told_apart() {
        let board = Board::new(2);
        board.push(job(1));
        board.push(Waiting { round: 1, ..job(1) });
        let ((old, _), (_, control)) = (board.next().unwrap(), board.next().unwrap());
        board.finished(&old);
        board.end(1, Why::Stopped);
        assert!(control.cancel.is_cancelled() && board.counts() == (0, 1));
    }

    #[test]
    fn searches_are_given_up_when_they_do_not_end() {
        const GRACE: Duration = Duration::from_secs(3600);
        let board = Board::new(4);
        for number in 1..=4 {
            board.push(job(number));
        }
        let runs = [(); 4].map(|()| board.next().unwrap());
        let limit = GRACE * 2;
        runs[1].1.search_begins(limit);
        runs[2].1.search_begins(limit);
        runs[3].1.search_begins(Duration::ZERO);
        assert!(runs[3].1.search_ended());
        assert_eq!(board.give_up(GRACE), [], "within the limit");
        board.end(3, Why::Stopped);
        assert_eq!(board.give_up(GRACE), [], "it was just asked to end");
        let given_up = board.give_up(Duration::ZERO);
        assert_eq!(given_up, [job(3)], "1 is being prepared, 2 has time, 4 has ended");
        assert!(!runs[2].1.search_ended(), "its answer no longer counts");
        assert_eq!(board.give_up(Duration::ZERO), [], "once");
    }
}

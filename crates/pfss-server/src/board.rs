//! Which jobs wait and which run: first come, first served, and no more than there is room for.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

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

/// The way to end a running job.
#[derive(Clone, Debug, Default)]
pub(crate) struct Control {
    /// Raised when the job is to end.
    pub(crate) cancel: CancelFlag,
    why: Arc<AtomicU8>,
}

impl Control {
    fn end(&self, why: Why) {
        self.why.store(why as u8, Ordering::SeqCst);
        self.cancel.cancel();
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
}

/// A job that waits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Waiting {
    pub(crate) number: i64,
    pub(crate) id: String,
}

/// Where a job was found that is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// It waited, and no longer does.
    Waiting,
    /// It runs, and was told to end.
    Running,
    /// It does neither.
    Neither,
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
    running: HashMap<i64, Control>,
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
                places.running.insert(job.number, control.clone());
                return Some((job, control));
            }
            places = self.changed.wait(places).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The job no longer runs.
    pub(crate) fn finished(&self, number: i64) {
        self.lock().running.remove(&number);
    }

    /// Ends a job, wherever it is.
    pub(crate) fn end(&self, number: i64, why: Why) -> Found {
        let mut places = self.lock();
        if let Some(at) = places.waiting.iter().position(|job| job.number == number) {
            places.waiting.remove(at);
            return Found::Waiting;
        }
        match places.running.get(&number) {
            Some(control) => {
                control.end(why);
                Found::Running
            }
            None => Found::Neither,
        }
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
        Waiting { number, id: number.to_string() }
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
        assert_eq!(board.end(1, Why::Stopped), Found::Running);
        assert!(control.cancel.is_cancelled() && control.why() == Why::Stopped);
        assert_eq!(board.end(2, Why::Stopped), Found::Waiting);
        assert_eq!(board.end(2, Why::Stopped), Found::Neither);
        board.finished(1);
        assert_eq!(board.counts(), (0, 0));
        board.close();
        assert!(board.next().is_none());
    }
}

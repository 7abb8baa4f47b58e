//! What a process has heard and its solver may ask for.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use pfss_core::{CancelFlag, Elite};

/// What was heard of other processes.
pub(crate) struct Board<C> {
    elites: Mutex<Vec<Elite<C>>>,
    is_help_wanted: AtomicBool,
    searched_elsewhere: AtomicU64,
    /// Ends the search of this process.
    cancel: CancelFlag,
    is_over: AtomicBool,
    failure: Mutex<Option<String>>,
}

/// Orders of islands that nobody asked for; older ones are dropped.
const MOST_ELITES: usize = 256;

impl<C> Board<C> {
    /// Nothing heard; `cancel` ends the search of this process.
    pub(crate) fn new(cancel: CancelFlag) -> Self {
        Self {
            elites: Mutex::new(Vec::new()),
            is_help_wanted: AtomicBool::new(false),
            searched_elsewhere: AtomicU64::new(0f64.to_bits()),
            cancel,
            is_over: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    pub(crate) fn add_elite(&self, elite: Elite<C>) {
        let mut elites = self.elites.lock().unwrap_or_else(PoisonError::into_inner);
        elites.retain(|other| other.island != elite.island);
        if elites.len() == MOST_ELITES {
            elites.remove(0);
        }
        elites.push(elite);
    }

    pub(crate) fn take_elites(&self) -> Vec<Elite<C>> {
        std::mem::take(&mut *self.elites.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn set_help(&self, is_wanted: bool) -> bool {
        self.is_help_wanted.swap(is_wanted, Ordering::Relaxed)
    }

    pub(crate) fn is_help_wanted(&self) -> bool {
        self.is_help_wanted.load(Ordering::Relaxed)
    }

    pub(crate) fn set_searched_elsewhere(&self, share: f64) {
        self.searched_elsewhere.store(share.to_bits(), Ordering::Relaxed);
    }

    pub(crate) fn searched_elsewhere(&self) -> f64 {
        f64::from_bits(self.searched_elsewhere.load(Ordering::Relaxed))
    }

    /// Rank 0 says that the run is over.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.cancel.cancel();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// A part of the search of another process failed: this one ends too.
    pub(crate) fn fail(&self, message: String) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(message);
        self.cancel.cancel();
    }

    pub(crate) fn take_failure(&self) -> Option<String> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

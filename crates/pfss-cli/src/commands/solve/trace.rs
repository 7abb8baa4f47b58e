//! The improvements of a run as CSV.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use pfss_core::{Improvement, Time};

/// Collects one row per improvement, where a trace is wanted.
pub(super) struct Trace(Option<Mutex<String>>);

impl Trace {
    /// A trace without rows; `cost` heads the column of what is minimised.
    pub(super) fn new(is_wanted: bool, cost: &str) -> Self {
        Self(is_wanted.then(|| Mutex::new(format!("time_s,evaluations,{cost},bound\n"))))
    }

    /// Adds an improvement.
    pub(super) fn push<T: Time>(&self, best: &Improvement<'_, T>) {
        if let Some(rows) = &self.0 {
            let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
            let seconds = best.runtime.as_secs_f64();
            // Writing to a string cannot fail.
            let _ = writeln!(rows, "{seconds:.6},{},{},{}", best.evaluations, best.cost, best.bound);
        }
    }

    /// The rows so far.
    pub(super) fn to_csv(&self) -> String {
        match &self.0 {
            Some(rows) => rows.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            None => String::new(),
        }
    }
}

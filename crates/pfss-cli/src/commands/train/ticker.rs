//! How far a training is: a bar on a terminal, a line now and then elsewhere, or JSON lines for programs.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;

use crate::console::{Console, tell};

/// Without a terminal, a line comes this often.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// For programs, this often.
const JSON_EVERY: Duration = Duration::from_secs(1);

/// Tells how much of some work is done.
pub(super) struct Ticker {
    label: String,
    total: usize,
    /// What was done before it started.
    before: usize,
    started: Instant,
    face: Face,
}

enum Face {
    Bar(ProgressBar),
    Lines { console: Console, told: Mutex<Instant> },
}

impl Ticker {
    /// Begins to tell of work on `label`, of which so much is done already.
    pub(super) fn start(console: Console, label: &str, total: usize, before: usize) -> Self {
        let started = Instant::now();
        let face = if console.shows_progress() {
            let target = ProgressDrawTarget::stderr_with_hz(10);
            let bar =
                ProgressBar::with_draw_target(Some(total as u64), target).with_prefix(label.to_string());
            if let Ok(style) = ProgressStyle::with_template(
                "{prefix}  {wide_bar} {pos}/{len}  {elapsed} (about {eta} left) {msg}",
            ) {
                bar.set_style(style);
            }
            Face::Bar(bar)
        } else {
            Face::Lines { console, told: Mutex::new(started) }
        };
        Self { label: label.to_string(), total, before, started, face }
    }

    /// So much is done; `message` says more.
    pub(super) fn set(&self, done: usize, message: &str) {
        match &self.face {
            Face::Bar(bar) => {
                bar.set_position(done as u64);
                if !message.is_empty() {
                    bar.set_message(message.to_string());
                }
            }
            Face::Lines { console, told } => {
                let every = if console.writes_progress() { JSON_EVERY } else { LINE_EVERY };
                let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
                if told.elapsed() < every {
                    return;
                }
                *told = Instant::now();
                self.tell(*console, done, message);
            }
        }
    }

    fn tell(&self, console: Console, done: usize, message: &str) {
        let left = self.left(done);
        if console.writes_progress() {
            let seconds = left.map(|left| left.as_secs());
            tell(&json!({
                "schema": "pfss.progress/1", "work": self.label, "done": done, "total": self.total, "left_s": seconds,
            }).to_string());
        } else if console.tells_progress() {
            let left = left.map_or_else(String::new, |left| format!(", about {} left", rounded(left)));
            let message = if message.is_empty() { String::new() } else { format!(", {message}") };
            console.say(&format!("{}: {done} of {}{message}{left}", self.label, self.total));
        }
    }

    /// How long the rest takes at the pace so far.
    fn left(&self, done: usize) -> Option<Duration> {
        let made = done.checked_sub(self.before).filter(|&made| made > 0)?;
        let rest = self.total.saturating_sub(done) as f64 / made as f64;
        Duration::try_from_secs_f64(self.started.elapsed().as_secs_f64() * rest).ok()
    }

    /// The work is over.
    pub(super) fn finish(self) {
        if let Face::Bar(bar) = self.face {
            bar.finish_and_clear();
        }
    }
}

/// A time in words, to the second, minute or tenth of an hour.
pub(super) fn rounded(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds @ 120..7_200 => format!("{} min", (seconds + 30) / 60),
        seconds => format!("{:.1} h", seconds as f64 / 3_600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_told_in_words() {
        let told = [0, 119, 120, 400, 7_199, 9_000].map(|seconds| rounded(Duration::from_secs(seconds)));
        assert_eq!(told, ["0 s", "119 s", "2 min", "7 min", "120 min", "2.5 h"]);
    }
}

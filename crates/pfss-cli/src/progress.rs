//! One live line on a terminal while a run goes on.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pfss_core::{Improvement, Time};

use crate::console::Console;

/// The line that shows the best result so far. Does nothing when standard error is no terminal.
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    lists_all: bool,
}

impl Progress {
    /// Shows that work on `label` has begun.
    pub(crate) fn start(console: Console, label: &str, elapsed: Duration) -> Self {
        let bar = console.shows_progress().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10))
                .with_elapsed(elapsed)
                .with_prefix(label.to_string())
                .with_message("starting");
            if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}  {elapsed}  {wide_msg}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        Self { bar, lists_all: console.is_verbose() }
    }

    /// Shows a new best result; with `-v` each one keeps a line of its own.
    pub(crate) fn show<T: Time>(&self, best: &Improvement<'_, T>) {
        let Some(bar) = &self.bar else { return };
        let (cost, bound) = (best.cost.to_f64(), best.bound.to_f64());
        let gap = if bound > 0.0 {
            format!(", gap {:.2} %", 100.0 * (cost - bound) / bound)
        } else {
            String::new()
        };
        let found = format!("best {}{gap}, found after {:.2} s", best.cost, best.runtime.as_secs_f64());
        if self.lists_all {
            bar.println(format!("{found}, {} evaluations", best.evaluations));
        }
        bar.set_message(found);
    }

    /// Removes the line.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

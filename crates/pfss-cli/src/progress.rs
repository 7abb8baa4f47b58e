//! How a run goes, on standard error: one live line for people, or JSON lines for programs.

mod lines;

use std::time::Duration;

use crate::console::Console;
use crate::moment::Moment;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lines::Lines;

/// Shows the best result so far.
pub(crate) enum Progress {
    /// Nobody looks.
    Silent,
    /// A live line on a terminal; with `-v` each result keeps a line of its own.
    Bar { bar: ProgressBar, lists_all: bool },
    /// JSON lines.
    Lines(Lines),
}

impl Progress {
    /// Shows that work on `label` has begun.
    pub(crate) fn start(console: Console, label: &str, elapsed: Duration) -> Self {
        if console.writes_progress() {
            return Self::Lines(Lines::start(label));
        }
        if !console.shows_progress() {
            return Self::Silent;
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10))
            .with_elapsed(elapsed)
            .with_prefix(label.to_string())
            .with_message("starting");
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix}  {elapsed}  {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        Self::Bar { bar, lists_all: console.is_verbose() }
    }

    /// Shows a new best result.
    pub(crate) fn show(&self, moment: &Moment) {
        match self {
            Self::Silent => {}
            Self::Bar { bar, lists_all } => {
                let found = describe(moment);
                if *lists_all {
                    bar.println(format!("{found}, {} evaluations", moment.evaluations));
                }
                bar.set_message(found);
            }
            Self::Lines(lines) => lines.push(moment),
        }
    }

    /// Tells of a better bound.
    pub(crate) fn raise(&self, moment: &Moment) {
        if let Self::Lines(lines) = self {
            lines.push(moment);
        }
    }

    /// Removes the live line, or writes the last line where the run came to an `end`.
    pub(crate) fn finish(self, end: Option<&Moment>) {
        match self {
            Self::Silent => {}
            Self::Bar { bar, .. } => bar.finish_and_clear(),
            Self::Lines(lines) => lines.finish(end),
        }
    }
}

fn describe(moment: &Moment) -> String {
    let value = moment.value.as_deref().unwrap_or_default();
    let gap = match (value.parse::<f64>(), moment.bound.parse::<f64>()) {
        (Ok(value), Ok(bound)) if bound > 0.0 => format!(", gap {:.2} %", 100.0 * (value - bound) / bound),
        _ => String::new(),
    };
    format!("best {value}{gap}, found after {:.2} s", moment.time_s)
}

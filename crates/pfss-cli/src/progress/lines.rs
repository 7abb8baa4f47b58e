//! Progress for programs: JSON lines on standard error.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::console::tell;
use crate::moment::Moment;

/// The least time between two lines; the last one does not wait.
const PAUSE: Duration = Duration::from_millis(100);

/// Writes what is known at each improvement and each better bound. A thread writes, so that no search waits for a
/// reader; what comes faster than it may write is replaced by what is newer.
pub(crate) struct Lines {
    moments: Sender<Moment>,
    thread: JoinHandle<()>,
}

impl Lines {
    /// Begins with the instance of this name.
    pub(super) fn start(instance: &str) -> Self {
        let (moments, receiver) = mpsc::channel();
        let instance = instance.to_string();
        let thread = std::thread::spawn(move || paced(&receiver, |moment| tell(&line(&instance, moment))));
        Self { moments, thread }
    }

    pub(super) fn push(&self, moment: &Moment) {
        // The thread ends only after this sender.
        let _ = self.moments.send(moment.clone());
    }

    pub(super) fn finish(self, end: Option<&Moment>) {
        if let Some(end) = end {
            self.push(end);
        }
        drop(self.moments);
        let _ = self.thread.join();
    }
}

/// Gives the newest moment to `write`, with a pause between two, and the last one at once.
fn paced(moments: &Receiver<Moment>, mut write: impl FnMut(&Moment)) {
    let mut waiting: Option<Moment> = None;
    let mut written: Option<Instant> = None;
    loop {
        let pause = written.map_or(Duration::ZERO, |written| PAUSE.saturating_sub(written.elapsed()));
        if waiting.is_some() && pause.is_zero() {
            waiting.take().iter().for_each(&mut write);
            written = Some(Instant::now());
            continue;
        }
        let next = match waiting {
            Some(_) => moments.recv_timeout(pause),
            None => moments.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match next {
            Ok(moment) => waiting = Some(moment),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    waiting.iter().for_each(write);
}

fn line(instance: &str, moment: &Moment) -> String {
    let Moment { time_s, evaluations, value, bound, is_end } = moment;
    let instance = serde_json::Value::from(instance);
    let value = value.as_deref().unwrap_or("null");
    format!(
        "{{\"instance\":{instance},\"time_s\":{time_s:.6},\"value\":{value},\"bound\":{bound},\"evaluations\":{evaluations},\"done\":{is_end}}}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(evaluations: u64, value: Option<&str>, is_end: bool) -> Moment {
        let value = value.map(String::from);
        Moment { time_s: 0.5, evaluations, value, bound: "3.5".to_string(), is_end }
    }

    #[test]
    fn a_line_is_one_object() {
        let text = line("a \"b\"", &moment(7, None, false));
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        let expected = serde_json::json!({
            "instance": "a \"b\"", "time_s": 0.5, "value": null, "bound": 3.5, "evaluations": 7, "done": false,
        });
        assert_eq!(read, expected);
    }

    #[test]
    fn the_first_and_the_last_do_not_wait_and_others_are_few() {
        let (sender, receiver) = mpsc::channel();
        let source = std::thread::spawn(move || {
            for number in 0..250 {
                sender.send(moment(number, Some("9"), false)).unwrap();
                std::thread::sleep(Duration::from_millis(1));
            }
            sender.send(moment(250, Some("9"), true)).unwrap();
        });
        let (clock, mut seen) = (Instant::now(), Vec::new());
        paced(&receiver, |moment| seen.push(moment.evaluations));
        source.join().unwrap();
        let most = 2 + clock.elapsed().as_millis() / PAUSE.as_millis();
        assert!(seen.len() as u128 <= most && seen.len() >= 3, "{seen:?}");
        assert_eq!((seen.first(), seen.last()), (Some(&0), Some(&250)));
    }
}

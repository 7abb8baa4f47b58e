//! The course of a run as CSV, written as it happens: a run that is killed leaves its trace.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use anyhow::{Context, anyhow};
use pfss_io::atomic;

use crate::moment::Moment;
use crate::output;

/// Writes a row for each improvement and each better bound, where a trace is asked for.
pub(super) struct Trace(Option<Writer>);

/// A thread writes, so that no search waits for a disk.
struct Writer {
    path: PathBuf,
    rows: Option<Sender<String>>,
    thread: Option<JoinHandle<anyhow::Result<()>>>,
}

impl Trace {
    /// A trace into this file; `cost` heads the column of what is minimised. A file that is there already is replaced
    /// by the first row, so a run that finds no order leaves it alone.
    pub(super) fn new(path: Option<&Path>, cost: &str) -> Self {
        Self(path.map(|path| {
            let header = format!("time_s,evaluations,{cost},bound\n");
            let (rows, receiver) = mpsc::channel();
            let file = path.to_path_buf();
            let thread = std::thread::spawn(move || Ok(write(&file, header, &receiver)?));
            Writer { path: path.to_path_buf(), rows: Some(rows), thread: Some(thread) }
        }))
    }

    /// Adds a row. Bounds that are proven before the first order stand in the row of that order.
    pub(super) fn push(&self, moment: &Moment) {
        let Some(rows) = self.0.as_ref().and_then(|writer| writer.rows.as_ref()) else { return };
        let Some(value) = &moment.value else { return };
        let row = format!("{:.6},{},{value},{}\n", moment.time_s, moment.evaluations, moment.bound);
        // A writer that gave up tells why at the end.
        let _ = rows.send(row);
    }

    /// Adds the last row and waits until everything is written.
    pub(super) fn finish(mut self, end: &Moment) -> anyhow::Result<()> {
        self.push(end);
        match &mut self.0 {
            Some(writer) => {
                let written = writer.close();
                written.with_context(|| format!("{}: cannot write", writer.path.display()))
            }
            None => Ok(()),
        }
    }
}

impl Writer {
    fn close(&mut self) -> anyhow::Result<()> {
        drop(self.rows.take());
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(written)) => written,
            Some(Err(_)) => Err(anyhow!("the thread that writes it failed")),
            None => Ok(()),
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Where the run failed, its error is told, not this one.
        let _ = self.close();
    }
}

/// Writes the header and each row at once, until no more can come.
fn write(path: &Path, header: String, rows: &Receiver<String>) -> io::Result<()> {
    let Ok(first) = rows.recv() else { return Ok(()) };
    let mut file = start(path, &(header + &first))?;
    while let Ok(row) = rows.recv() {
        file.write_all(row.as_bytes())?;
    }
    Ok(())
}

/// The file with this content, open for more.
fn start(path: &Path, content: &str) -> io::Result<File> {
    if output::is_special(path) {
        let mut file = OpenOptions::new().write(true).open(path)?;
        file.write_all(content.as_bytes())?;
        return Ok(file);
    }
    atomic::write(path, content.as_bytes()).map_err(|error| error.source)?;
    OpenOptions::new().append(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(time_s: f64, value: Option<&str>) -> Moment {
        Moment {
            time_s,
            evaluations: 5,
            value: value.map(String::from),
            bound: "3".to_string(),
            is_end: false,
        }
    }

    #[test]
    fn rows_are_there_before_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "old").unwrap();
        let trace = Trace::new(Some(&path), "makespan");
        trace.push(&moment(0.0, None));
        std::thread::sleep(std::time::Duration::from_millis(20));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        trace.push(&moment(0.25, Some("9")));
        let first = "time_s,evaluations,makespan,bound\n0.250000,5,9,3\n";
        let clock = std::time::Instant::now();
        while std::fs::read_to_string(&path).unwrap() != first {
            assert!(clock.elapsed().as_secs() < 10, "{}", std::fs::read_to_string(&path).unwrap());
        }
        trace.finish(&moment(1.0, Some("9"))).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{first}1.000000,5,9,3\n"));
    }

    #[test]
    fn a_run_without_an_order_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        std::fs::write(&path, "old").unwrap();
        drop(Trace::new(Some(&path), "makespan"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    }

    #[test]
    fn what_cannot_be_written_is_told_at_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let trace = Trace::new(Some(&folder.path().join("no").join("t.csv")), "makespan");
        trace.push(&moment(0.5, Some("9")));
        let error = trace.finish(&moment(1.0, Some("9"))).unwrap_err();
        assert!(error.to_string().ends_with("t.csv: cannot write"), "{error}");
    }
}

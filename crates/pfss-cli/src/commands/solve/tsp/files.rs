//! Where tours go: standard output and files, all of them checked before the work starts.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pfss_io::atomic;
use pfss_tsp::{TourRecord, tsplib};

use super::report;
use crate::args::OutputArgs;
use crate::commands::solve::outputs::{for_instance, has_placeholder};
use crate::console::Console;
use crate::gate::FileGate;
use crate::output;

/// All outputs of a command.
pub(super) struct TourOutputs {
    json: bool,
    result: Option<PathBuf>,
    trace: Option<PathBuf>,
    /// The lines of the instances that are done and share a result file.
    finished: String,
}

/// The files of one instance.
pub(super) struct TourFiles {
    result: Option<PathBuf>,
    pub(super) trace: Option<PathBuf>,
}

impl TourOutputs {
    /// The outputs that the arguments ask for.
    pub(super) fn new(args: &OutputArgs) -> anyhow::Result<Self> {
        let is_stdout = |path: &Option<PathBuf>| path.as_ref().is_some_and(|path| path.as_os_str() == "-");
        if is_stdout(&args.trace) {
            bail!("--trace needs a file, because the result goes to standard output");
        }
        Ok(Self {
            json: args.json || is_stdout(&args.output),
            result: args.output.clone().filter(|_| !is_stdout(&args.output)),
            trace: args.trace.clone(),
            finished: String::new(),
        })
    }

    /// The files of each instance, all writable. Only JSON results may share a file.
    pub(super) fn files(&self, names: &[&str], gate: &mut FileGate) -> anyhow::Result<Vec<TourFiles>> {
        let mut all = Vec::new();
        for (index, name) in names.iter().enumerate() {
            let own = |path: &Option<PathBuf>| path.as_ref().map(|path| for_instance(path, name));
            let (result, trace) = (own(&self.result), own(&self.trace));
            let is_claimed = index > 0 && self.is_shared();
            for path in result.iter().filter(|_| !is_claimed).chain(&trace) {
                gate.writes(path)?;
            }
            all.push(TourFiles { result, trace });
        }
        Ok(all)
    }

    /// Whether all instances have one result file.
    fn is_shared(&self) -> bool {
        self.result.as_ref().is_some_and(|path| !has_placeholder(path) && !is_tour(path))
    }

    /// Whether the result file is rewritten during the run. A pipe or device gets the final result only.
    pub(super) fn rewrites(&self, files: &TourFiles) -> bool {
        files.result.as_ref().is_some_and(|path| !output::is_special(path))
    }

    /// Rewrites the result file during the run. A failure here is no reason to stop: the last write tells.
    pub(super) fn rewrite(&self, files: &TourFiles, record: &TourRecord) {
        if let (Some(path), Ok(content)) = (&files.result, self.content(files, record)) {
            let _ = atomic::write(path, content.as_bytes());
        }
    }

    /// Writes all files and prints the result.
    pub(super) fn finish(
        &mut self,
        files: &TourFiles,
        record: &TourRecord,
        traced: anyhow::Result<()>,
        console: Console,
    ) -> anyhow::Result<()> {
        let line = record.to_json().context("the result has no JSON form")?;
        let content = self.content(files, record)?;
        let result = files.result.as_ref().map_or(Ok(()), |path| atomic::write(path, content.as_bytes()));
        if self.is_shared() && self.rewrites(files) {
            self.finished = content;
        }
        if self.json {
            output::print(&format!("{line}\n"))?;
        } else {
            output::print(&report::human(record, console))?;
        }
        result?;
        traced
    }

    /// What the result file holds with this record: a TSPLIB tour where it ends in `.tour`, JSON otherwise.
    fn content(&self, files: &TourFiles, record: &TourRecord) -> anyhow::Result<String> {
        if files.result.as_ref().is_some_and(|path| is_tour(path)) {
            let mut text = String::new();
            tsplib::write_tour(&record.instance, record.length, &record.order, &mut text);
            return Ok(text);
        }
        Ok(format!("{}{}\n", self.finished, record.to_json().context("the result has no JSON form")?))
    }
}

fn is_tour(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("tour"))
}

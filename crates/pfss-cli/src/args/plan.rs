//! What is planned beyond times, in the place of what files say.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use pfss_core::timing::Objective;
use pfss_io::{Clock, Overrides, Unit};

use super::value;

/// What jobs, machines and the order carry, and what is minimised.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Planning (in the place of what the file says)")]
pub(crate) struct PlanArgs {
    /// What to minimise: makespan, total-completion, total-tardiness, max-lateness or late-jobs; in a list the first counts most
    #[arg(long, value_name = "OBJECTIVE,...", value_delimiter = ',', value_parser = value::objective())]
    pub(crate) objective: Vec<Objective>,
    /// Set-up times: a CSV file with the columns machine, from, to, time; an empty `from` is before the first job
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) setup: Option<PathBuf>,
    /// Jobs that come first, in this order, by name or number from 0
    #[arg(long, value_name = "JOB,...")]
    pub(crate) first: Option<String>,
    /// A job goes on from machine to machine at once
    #[arg(long, conflicts_with = "buffer")]
    pub(crate) no_wait: bool,
    /// How many jobs fit between two machines; 0: a job stays on its machine until the next one is free
    #[arg(long, value_name = "N")]
    pub(crate) buffer: Option<usize>,
    /// When time 0 is, as in 2026-11-16T06:00: releases, due dates and breaks may then be dates or times of day
    #[arg(long, value_name = "DATE", requires = "unit")]
    pub(crate) start_at: Option<String>,
    /// How long a unit of time is: s, min, h or d
    #[arg(long, requires = "start_at", value_parser = value::unit())]
    pub(crate) unit: Option<Unit>,
}

impl PlanArgs {
    /// When time zero is, where that is said.
    pub(crate) fn clock(&self) -> anyhow::Result<Option<Clock>> {
        match (&self.start_at, self.unit) {
            (Some(start), Some(unit)) => {
                Clock::new(start, unit).map(Some).map_err(|error| anyhow!("--start-at: {error}"))
            }
            _ => Ok(None),
        }
    }

    /// What takes the place of what files say.
    pub(crate) fn overrides(&self) -> anyhow::Result<Overrides> {
        let setups = match &self.setup {
            Some(path) => {
                let file = path.display().to_string();
                let text =
                    std::fs::read_to_string(path).map_err(|error| anyhow!("{file}: cannot read: {error}"))?;
                Some((text, file))
            }
            None => None,
        };
        Ok(Overrides {
            objectives: (!self.objective.is_empty()).then(|| self.objective.clone()),
            setups,
            first: self.first.clone(),
            no_wait: self.no_wait,
            buffer: self.buffer,
        })
    }

    /// Every option and whether it was given.
    #[cfg(feature = "tsp")]
    pub(crate) fn given(&self) -> [(&'static str, bool); 7] {
        [
            ("--objective", !self.objective.is_empty()),
            ("--setup", self.setup.is_some()),
            ("--first", self.first.is_some()),
            ("--no-wait", self.no_wait),
            ("--buffer", self.buffer.is_some()),
            ("--start-at", self.start_at.is_some()),
            ("--unit", self.unit.is_some()),
        ]
    }
}

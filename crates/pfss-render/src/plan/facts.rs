//! What a chart tells in words, and the numbers it is drawn from.

use pfss_core::timing::{Gap, Line, Timetable};
use pfss_core::{JobId, MachineId};

use super::{PlanChart, PlanClock};
use crate::number::format_number;

/// A schedule, its line and how to write times.
pub(super) struct Facts<'a> {
    pub(super) line: &'a Line,
    pub(super) table: &'a Timetable,
    pub(super) clock: Option<&'a PlanClock<'a>>,
}

impl Facts<'_> {
    pub(super) fn units(&self, ticks: u32) -> f64 {
        self.line.to_units(ticks)
    }

    /// A signed number of ticks, in units.
    pub(super) fn signed(&self, ticks: i64) -> f64 {
        ticks as f64 / self.line.ticks_per_unit()
    }

    /// A point in time, as a date where there is a clock.
    pub(super) fn moment(&self, units: f64) -> String {
        self.clock.map_or_else(|| format_number(units), |clock| (clock.date)(units).replace('T', " "))
    }

    pub(super) fn heading(&self, options: &PlanChart) -> String {
        let name = self.line.shop().name();
        match &options.title {
            Some(title) => title.clone(),
            None if name.is_empty() => "Schedule".to_owned(),
            None => name.to_owned(),
        }
    }

    /// A job's name, or "job" and its number where it has none.
    pub(super) fn job_text(&self, job: u32) -> String {
        let label = self.line.shop().job_label(job);
        if self.line.shop().job_names().is_some() { label } else { format!("job {label}") }
    }

    pub(super) fn makespan(&self) -> f64 {
        self.units(self.table.makespan())
    }

    /// How late the job at a position is, in units.
    pub(super) fn lateness(&self, position: usize) -> Option<f64> {
        self.table.lateness(self.line, position).map(|ticks| self.signed(ticks))
    }

    /// The jobs on a machine with their starts and ends.
    pub(super) fn stretches(&self, machine: MachineId) -> impl Iterator<Item = (JobId, f64, f64)> {
        (0..self.table.order().len()).map(move |position| {
            let one = self.table.operation(position, machine);
            (one.job, self.units(one.start), self.units(one.end))
        })
    }

    pub(super) fn num_late(&self) -> usize {
        (0..self.table.order().len())
            .filter(|&position| self.lateness(position).is_some_and(|late| late > 0.0))
            .count()
    }

    pub(super) fn num_due(&self) -> usize {
        (0..self.table.order().len()).filter(|&position| self.lateness(position).is_some()).count()
    }

    /// What lies behind a machine, where it is not room for any number of jobs.
    pub(super) fn gap_text(&self, machine: usize) -> Option<String> {
        match self.line.gap(machine) {
            Gap::Unlimited => None,
            Gap::NoWait => Some("↓ no wait".to_owned()),
            Gap::Buffer(0) => Some("↓ no buffer".to_owned()),
            Gap::Buffer(places) => Some(format!("↓ buffer {places}")),
        }
    }

    /// What the chart shows, in one line below its heading.
    pub(super) fn summary(&self) -> String {
        let counted =
            |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let mut text = format!(
            "{} on {}",
            counted(self.table.order().len(), "job"),
            counted(self.line.num_machines(), "machine")
        );
        let values = self.line.values(self.table.score());
        for (objective, value) in self.line.objectives().zip(values) {
            text.push_str(&format!(", {objective} {}", format_number(value)));
        }
        if self.num_due() > 0 {
            text.push_str(&format!(", {} of {} jobs late", self.num_late(), self.num_due()));
        }
        text
    }

    /// The time at the right end of the axis: the last of the schedule, and due dates that are not far behind it.
    pub(super) fn horizon(&self) -> f64 {
        let makespan = self.makespan();
        let last_due = self.table.order().iter().filter_map(|&job| self.line.due(job)).max();
        let last_due = last_due.map_or(0.0, |due| self.signed(due));
        let departures =
            self.table.operations().iter().map(|operation| operation.departure).max().unwrap_or(0);
        makespan.max(self.units(departures)).max(last_due.min(1.2 * makespan))
    }
}

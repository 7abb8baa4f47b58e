//! From schedules in numbers to schedules with names.

use pfss_core::timing::{Line, Timetable};
use pfss_core::{Instance, Schedule, Time};
use serde_json::Value;

use super::{Moment, ScheduleTable, ScheduledJob, ScheduledOperation, number};
use crate::clock::Clock;
use crate::lateness::Lateness;

impl ScheduleTable {
    /// The table of a schedule of plain jobs.
    pub fn new<T: Time>(instance: &Instance<T>, schedule: &Schedule<T>, clock: Option<&Clock>) -> Self {
        let moment = |time: T| Moment::new(time.to_f64(), clock);
        let operations = schedule.operations().map(|operation| ScheduledOperation {
            job: instance.job_label(operation.job),
            machine: instance.machine_label(operation.machine),
            setup_start: None,
            start: moment(operation.start),
            end: moment(operation.end),
            leaves: None,
        });
        let last = instance.num_machines() - 1;
        let jobs = schedule.order().iter().enumerate().map(|(position, &job)| ScheduledJob {
            name: instance.job_label(job),
            completion: moment(schedule.operation(position, last).end),
            due: None,
            lateness: None,
        });
        let summary =
            summary(instance.name(), schedule.order().len(), last + 1, &moment(schedule.makespan()));
        Self {
            instance: instance.name().to_string(),
            operations: operations.collect(),
            jobs: jobs.collect(),
            summary,
        }
    }

    /// The table of a schedule of jobs and machines that carry more than times.
    pub fn of_plan(line: &Line, table: &Timetable, clock: Option<&Clock>) -> Self {
        let shop = line.shop();
        let moment = |ticks: u32| Moment::new(line.to_units(ticks), clock);
        let units = |ticks: i64| line.to_units(ticks);
        let operations = table.operations().iter().map(|operation| ScheduledOperation {
            job: shop.job_label(operation.job),
            machine: shop.machine_label(operation.machine),
            setup_start: (operation.setup_start < operation.setup_end).then(|| moment(operation.setup_start)),
            start: moment(operation.start),
            end: moment(operation.end),
            leaves: (operation.departure > operation.end).then(|| moment(operation.departure)),
        });
        let jobs = table.order().iter().zip(table.completions()).enumerate();
        let jobs = jobs.map(|(position, (&job, completion))| ScheduledJob {
            name: shop.job_label(job),
            completion: moment(completion),
            due: line.due(job).map(|due| Moment::new(units(due), clock)),
            lateness: table.lateness(line, position).map(units),
        });
        let mut summary =
            summary(shop.name(), line.num_jobs(), line.num_machines(), &moment(table.makespan()));
        for (objective, value) in line.objectives().zip(line.values(table.score())) {
            if objective != pfss_core::timing::Objective::Makespan {
                summary.push((objective.name().to_string(), number(value)));
            }
        }
        let lateness = Lateness::of(line, table);
        if lateness.num_due > 0 {
            summary.push(("jobs with a due date".to_string(), lateness.num_due.into()));
            summary.push(("late".to_string(), lateness.num_late.into()));
            summary.push(("late by, all together".to_string(), number(lateness.total)));
        }
        Self {
            instance: shop.name().to_string(),
            operations: operations.collect(),
            jobs: jobs.collect(),
            summary,
        }
    }
}

fn summary(name: &str, num_jobs: usize, num_machines: usize, makespan: &Moment) -> Vec<(String, Value)> {
    [
        ("instance", name.into()),
        ("jobs", num_jobs.into()),
        ("machines", num_machines.into()),
        ("makespan", number(makespan.units)),
        ("end", makespan.date.as_deref().map_or_else(|| number(makespan.units), Value::from)),
    ]
    .map(|(name, value)| (name.to_string(), value))
    .to_vec()
}

//! Instances whose jobs or machines carry more than times: due dates, set-ups, breaks, buffers, other objectives.

use std::path::Path;
use std::time::Instant;

use anyhow::Context;
#[cfg(feature = "mpi")]
use anyhow::bail;
use pfss::planner::{LineBuilder, LineSolver};
use pfss::{CheckpointFile, Keeper};
use pfss_core::timing::{Line, Objective, Score, Timetable, check};
use pfss_core::{CancelFlag, Outcome, Permutation, Run};
use pfss_io::schedule::ScheduleTable;
use pfss_io::{Clock, Entry, Lateness, ResultRecord, entry_hash};
use pfss_render::PlanChart;

use super::outputs::{Answer, Files, Outputs};
use super::plan::{Plan, Solved, answered, solve_here};
use super::trace::Trace;
use super::watch::{Watch, Watching};
use crate::commands::charts::draw_plan;
use crate::console::Console;
use crate::moment::Moment;
use crate::output::Picture;

/// One such instance to solve.
pub(super) struct PlannedJob<'a> {
    pub(super) plan: &'a Plan<LineBuilder>,
    pub(super) line: &'a Line,
    pub(super) clock: Option<Clock>,
    pub(super) start: Option<Permutation>,
    pub(super) cancel: CancelFlag,
    pub(super) console: Console,
    pub(super) files: &'a Files,
}

impl PlannedJob<'_> {
    /// Solves the instance, writes its files and prints its result.
    pub(super) fn solve(
        mut self,
        entry: &Entry,
        started: Instant,
        outputs: &mut Outputs,
    ) -> anyhow::Result<ResultRecord> {
        let line = self.line;
        let is_integer = entry.instance.is_integer();
        let trace = Trace::new(self.files.trace.as_deref(), "value");
        // Before the search, so that the time limit covers it.
        let hash = entry_hash(entry);
        let start = self.start.take();
        let rewritten = |outcome: &Outcome<Score>| {
            check(line, &outcome.order, Some(outcome.cost)).ok()?;
            ResultRecord::of_plan(line, is_integer, outcome, self.plan.origin()).ok()
        };
        let (files, console) = (self.files, self.console);
        let watching = Watching { outputs, files, trace: &trace, figures: line, console };
        let (outcome, failure) = watching.over(line.shop().name(), started, rewritten, |watch| {
            self.search(entry, started, start, watch)
        })?;
        let traced = trace.finish(&Moment::end(&outcome, line));
        // Nothing is reported that the plain definition does not confirm.
        check(line, &outcome.order, Some(outcome.cost))
            .context("the algorithm's result is wrong, which is a defect worth reporting")?;
        let table = Timetable::new(line, &outcome.order)?;
        let mut record = ResultRecord::of_plan(line, is_integer, &outcome, self.plan.origin())?;
        if outputs.has_schedule() {
            record = record.with_jobs(line, &table, is_integer);
        }
        record.instance_hash = Some(hash);
        let answer = PlannedAnswer { line, table: &table, clock: self.clock.as_ref() };
        outputs.finish(self.files, &record, &answer, traced, self.console)?;
        let lateness = Lateness::of(line, &table);
        if lateness.num_late > 0 && !line.objectives().any(Objective::needs_due_dates) {
            self.console.say("hint: jobs are late; `--objective total-tardiness` plans for due dates");
        }
        match failure {
            None => Ok(record),
            Some(failure) => Err(failure),
        }
    }

    /// The answer, and where a part of the search failed, why.
    fn search(
        &self,
        entry: &Entry,
        started: Instant,
        start: Option<Permutation>,
        watch: &Watch<'_, Score>,
    ) -> anyhow::Result<(Outcome<Score>, Option<anyhow::Error>)> {
        let line = self.line;
        // A value that no order can have ends no search.
        let target = |value| line.score_at_most(value).unwrap_or(Score(0));
        let limits = self.plan.limits_for((line.num_jobs(), line.num_machines()), target);
        let solver = self.plan.algorithm.build(&self.plan.settings)?;
        let file = |folder: &Path| CheckpointFile::of_entry(folder, entry);
        let keeper = self.plan.keeper(line, line.shop().name(), file, self.console)?;
        let run = self.plan.run(limits, started, &self.cancel, start, watch);
        answered(line.shop().name(), self.run(entry, solver, run, keeper.as_ref())?)
    }

    /// What the solver says, here or together with all other processes, and the best order also where a part of it failed.
    #[cfg_attr(not(feature = "mpi"), allow(unused_variables))]
    fn run(
        &self,
        entry: &Entry,
        solver: LineSolver,
        run: Run<'_, Score>,
        keeper: Option<&Keeper>,
    ) -> anyhow::Result<Solved<Score>> {
        let line = self.line;
        #[cfg(feature = "mpi")]
        if let Some(leader) = crate::job::leader() {
            if keeper.is_some() && leader.exchange().ranks() > 1 && line.plain_shop().is_none() {
                bail!(
                    "--checkpoint keeps the proof of one process where jobs or machines carry more than times; start it without mpirun"
                );
            }
            let (threads, memory) = self.plan.per_rank;
            let portable = pfss::PortableProblem::line(&entry.instance, &entry.attributes);
            let settings = &self.plan.settings;
            let task = pfss_mpi::Task { instance: line, portable, solver, settings, threads, memory, keeper };
            let answer = super::ranks::solve(leader, task, run, self.files.result(), self.console)?;
            return Ok((answer.outcome, answer.best));
        }
        solve_here(solver.as_ref(), line, run, keeper)
    }
}

/// A schedule with set-ups, breaks and due dates.
struct PlannedAnswer<'a> {
    line: &'a Line,
    table: &'a Timetable,
    clock: Option<&'a Clock>,
}

impl Answer for PlannedAnswer<'_> {
    fn schedule(&self) -> anyhow::Result<ScheduleTable> {
        Ok(ScheduleTable::of_plan(self.line, self.table, self.clock))
    }

    fn gantt(&self, picture: Picture, _: f64) -> anyhow::Result<String> {
        draw_plan(self.line, self.table, self.clock, picture, &PlanChart::default())
    }

    fn remarks(&self) -> Vec<(&'static str, String)> {
        remarks(&Lateness::of(self.line, self.table), self.clock, self.line.to_units(self.table.makespan()))
    }
}

/// How many jobs are late and by how much, and when all is done.
fn remarks(lateness: &Lateness, clock: Option<&Clock>, makespan: f64) -> Vec<(&'static str, String)> {
    let mut remarks = Vec::new();
    let unit = clock.map_or_else(String::new, |clock| format!(" {}", clock.unit()));
    if lateness.num_due > 0 {
        let of = format!("{} of {} jobs", lateness.num_late, lateness.num_due);
        remarks.push((
            "late",
            match &lateness.worst {
                None => format!("none of {} jobs with a due date", lateness.num_due),
                Some((job, worst)) if lateness.num_late == 1 => format!("{of}: {job}, by {worst}{unit}"),
                Some((job, worst)) => {
                    format!("{of}, by {}{unit} in all; {job} by {worst}{unit}", lateness.total)
                }
            },
        ));
    }
    if let Some(clock) = clock {
        remarks.push(("done at", clock.date(makespan)));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_io::Unit;

    #[test]
    fn late_jobs_are_told() {
        let told = |num_late, total, worst: Option<(&str, f64)>| {
            let worst = worst.map(|(job, late)| (job.to_string(), late));
            remarks(&Lateness { num_due: 5, num_late, total, worst }, None, 9.0).remove(0).1
        };
        assert_eq!(told(0, 0.0, None), "none of 5 jobs with a due date");
        assert_eq!(told(1, 3.0, Some(("rye", 3.0))), "1 of 5 jobs: rye, by 3");
        assert_eq!(told(2, 4.5, Some(("rye", 3.0))), "2 of 5 jobs, by 4.5 in all; rye by 3");
        let clock = Clock::new("2026-11-16T06:00", Unit::Hour).unwrap();
        let lateness =
            Lateness { num_due: 1, num_late: 1, total: 2.0, worst: Some(("rye".to_string(), 2.0)) };
        let told = remarks(&lateness, Some(&clock), 9.0);
        assert_eq!(
            told,
            [("late", "1 of 1 jobs: rye, by 2 h".to_string()), ("done at", "2026-11-16T15:00".to_string())]
        );
    }
}

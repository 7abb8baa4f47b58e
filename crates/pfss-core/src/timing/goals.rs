//! What an order is judged by, as one score.

use super::ticks::Scale;
use super::{AttributeError, Objective, Score};
use crate::JobId;

/// The objectives, each with the digits of the score that it fills.
#[derive(Clone, Debug)]
pub(crate) struct Goals {
    places: Vec<Place>,
    costs: Vec<JobCost>,
    /// Added to all latenesses, so that none is negative.
    pub(crate) shift: i64,
    /// No score is so large.
    pub(crate) limit: u64,
    makespan: u64,
    max_lateness: u64,
}

/// The digits of one objective: its value times `unit`, always below `range` times `unit`.
#[derive(Clone, Copy, Debug)]
struct Place {
    objective: Objective,
    unit: u64,
    range: u64,
}

/// What a job adds to the score when it is done at a time, and how late that is.
#[derive(Clone, Copy, Debug, Default)]
pub struct JobCost {
    /// Whatever happens: what was due before time 0.
    pub constant: u64,
    /// For each tick of its completion.
    pub completion: u64,
    /// For each tick after [`JobCost::due`].
    pub tardiness: u64,
    /// Once, when it is done after [`JobCost::due`].
    pub late: u64,
    /// Its due date, as far as it lies between 0 and the horizon; [`u32::MAX`] without one.
    pub due: u32,
    /// What is added to its completion to get its shifted lateness; none without a due date.
    pub lateness: Option<u32>,
}

impl JobCost {
    /// What the job adds to the score when it is done at `end`.
    #[inline(always)]
    pub fn at(&self, end: u32) -> u64 {
        let tardiness = end.saturating_sub(self.due);
        let late = if tardiness > 0 { self.late } else { 0 };
        self.constant + self.completion * u64::from(end) + self.tardiness * u64::from(tardiness) + late
    }
}

/// A job's due date and weight, in ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    pub(crate) due: Option<i64>,
    pub(crate) weight: u32,
}

impl Goals {
    /// The objectives of jobs that are all done at `horizon` at the latest.
    pub(crate) fn new(
        objectives: &[Objective],
        jobs: &[Deadline],
        horizon: u32,
    ) -> Result<Self, AttributeError> {
        let dues = || jobs.iter().filter_map(|job| job.due);
        let objectives = if objectives.is_empty() { &[Objective::Makespan] } else { objectives };
        for (index, &objective) in objectives.iter().enumerate() {
            if objectives[..index].contains(&objective) {
                return Err(AttributeError::RepeatedObjective { objective });
            }
            if objective.needs_due_dates() && dues().next().is_none() {
                return Err(AttributeError::NoDueDates { objective });
            }
        }
        let shift = dues().max().unwrap_or(0);
        let horizon = i64::from(horizon);
        let most = |objective| {
            let sum = |of: &dyn Fn(&Deadline) -> i64| {
                jobs.iter().map(|job| i128::from(job.weight) * i128::from(of(job))).sum::<i128>()
            };
            match objective {
                Objective::Makespan => i128::from(horizon),
                Objective::TotalCompletion => sum(&|_| horizon),
                Objective::TotalTardiness => sum(&|job| job.due.map_or(0, |due| (horizon - due).max(0))),
                Objective::MaxLateness => i128::from(horizon + shift - dues().min().unwrap_or(0)),
                Objective::LateJobs => sum(&|job| i64::from(job.due.is_some())),
            }
        };
        let mut unit = 1u64;
        let mut places = Vec::new();
        for &objective in objectives.iter().rev() {
            let too_much = || AttributeError::Score {
                objectives: objectives.iter().map(|o| o.name()).collect::<Vec<_>>().join(", "),
            };
            let range = u64::try_from(most(objective) + 1).map_err(|_| too_much())?;
            places.push(Place { objective, unit, range });
            unit = unit.checked_mul(range).filter(|&unit| unit <= 1 << 63).ok_or_else(too_much)?;
        }
        places.reverse();
        let mut goals = Self { places, costs: Vec::new(), shift, limit: unit, makespan: 0, max_lateness: 0 };
        goals.makespan = goals.unit(Objective::Makespan);
        goals.max_lateness = goals.unit(Objective::MaxLateness);
        goals.costs = jobs.iter().map(|&job| goals.cost_of(job, horizon)).collect();
        Ok(goals)
    }

    /// What one tick of an objective adds to the score; nothing where all orders have the same value.
    fn unit(&self, objective: Objective) -> u64 {
        let place = self.places.iter().find(|place| place.objective == objective && place.range > 1);
        place.map_or(0, |place| place.unit)
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the horizon, or between due dates, whose span has 32 bits"
    )]
    fn cost_of(&self, job: Deadline, horizon: i64) -> JobCost {
        let weight = u64::from(job.weight);
        let completion = weight * self.unit(Objective::TotalCompletion);
        let Some(due) = job.due else {
            return JobCost { completion, due: u32::MAX, ..JobCost::default() };
        };
        // Jobs that are never late have no share in the range, so that their product could be too large.
        let tardiness = if due < horizon { weight * self.unit(Objective::TotalTardiness) } else { 0 };
        let late = weight * self.unit(Objective::LateJobs);
        let overdue = if due < 0 { late } else { 0 };
        JobCost {
            constant: tardiness * due.min(0).unsigned_abs() + overdue,
            completion,
            tardiness,
            late: late - overdue,
            due: due.clamp(0, horizon) as u32,
            lateness: Some((self.shift - due) as u32),
        }
    }

    pub(crate) fn objectives(&self) -> impl Iterator<Item = Objective> + '_ {
        self.places.iter().map(|place| place.objective)
    }

    #[inline(always)]
    pub(crate) fn cost(&self, job: JobId) -> &JobCost {
        &self.costs[job as usize]
    }

    /// What a tick of makespan, and of shifted greatest lateness, adds to the score.
    #[inline(always)]
    pub(crate) fn of_greatest(&self) -> (u64, u64) {
        (self.makespan, self.max_lateness)
    }

    /// The values of a score in the user's units.
    pub(crate) fn values(&self, score: Score, time: Scale, weight: Scale) -> Vec<f64> {
        let value = |place: &Place| {
            let digits = i128::from((score.0 / place.unit) % place.range.max(1));
            let shift = if place.objective == Objective::MaxLateness { self.shift } else { 0 };
            place.objective.units(digits - i128::from(shift), time, weight)
        };
        self.places.iter().map(value).collect()
    }

    /// The greatest score whose most important value is at most `value`; none where values are never so small.
    pub(crate) fn at_most(&self, value: f64, time: Scale, weight: Scale) -> Option<Score> {
        ((self.digits_of(value, time, weight) + 1).unsigned_abs() * self.places[0].unit)
            .checked_sub(1)
            .map(Score)
    }

    /// The least score whose most important value is `value`: whatever the others are, none with this value is less.
    pub(crate) fn at_least(&self, value: f64, time: Scale, weight: Scale) -> Score {
        Score(self.digits_of(value, time, weight).max(0).unsigned_abs() * self.places[0].unit)
    }

    /// The digits of the most important objective at this value; -1 where values are never so small.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_possible_wrap,
        reason = "values beyond the range are the nearest in it, which is clamped again"
    )]
    fn digits_of(&self, value: f64, time: Scale, weight: Scale) -> i64 {
        let first = &self.places[0];
        let scale = first.objective.per_unit(time, weight);
        let shift = if first.objective == Objective::MaxLateness { self.shift } else { 0 };
        // A value as it was printed is met although its product with the scale was rounded.
        let scaled = value * scale;
        let ticks = if (scaled - scaled.round()).abs() < 1e-6 { scaled.round() } else { scaled.floor() };
        (ticks as i64).saturating_add(shift).clamp(-1, first.range as i64 - 1)
    }
}

//! The result of a run as one JSON object, schema `pfss.result/1`.

use pfss_core::timing::{Line, Objective, Score, Timetable};
use pfss_core::{Instance, JobId, Outcome, PermutationError, Status, Time};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::TimeValue;

/// The schema that is read and written.
pub const SCHEMA: &str = "pfss.result/1";

/// The result of a run. The fields appear in this order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultRecord {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// The name of the instance.
    pub instance: String,
    /// The number of jobs.
    pub num_jobs: usize,
    /// The number of machines.
    pub num_machines: usize,
    /// The name of the algorithm.
    pub algorithm: String,
    /// Every parameter of the algorithm with its value.
    pub config: Value,
    /// The seed.
    pub seed: u64,
    /// How many threads were used.
    pub threads: usize,
    /// What was minimised, where jobs or machines carry more than times; several separated by commas.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// The value of the first objective, where one is named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<TimeValue>,
    /// The values of all objectives, where several are named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<TimeValue>>,
    /// The makespan of `order`; an integer when the times are.
    pub makespan: TimeValue,
    /// The best proven lower bound on the value, or else on the makespan; an integer when the times are.
    pub bound: TimeValue,
    /// `(value - bound) / bound`, of the first objective, or that of the makespan; null when the bound is zero and the value is not. Below zero the
    /// distance is measured against the bound without its sign.
    pub gap: Option<f64>,
    /// `optimal` where the run proved that no order is better, in any of the objectives, else `feasible`. A gap of zero is no
    /// proof where there are several objectives.
    pub status: String,
    /// Why the run ended; `optimal` when the order was proven to be.
    pub stop_reason: String,
    /// The jobs in order, 0-based.
    pub order: Vec<JobId>,
    /// The names of the jobs in the order in which they are processed, where they have names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job_names: Option<Vec<String>>,
    /// What becomes of each job, in the order in which they are processed, where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<Vec<JobRecord>>,
    /// Wall-clock time in seconds.
    pub runtime_s: f64,
    /// How many evaluations were made.
    pub evaluations: u64,
    /// The version of the program.
    pub version: String,
    /// The fingerprint of the instance ([`crate::instance_hash`]), where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance_hash: Option<String>,
}

/// What becomes of one job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobRecord {
    /// Its name, or its number.
    pub name: String,
    /// When it is done.
    pub completion: TimeValue,
    /// Completion minus due date; null without a due date.
    pub lateness: Option<TimeValue>,
}

impl JobRecord {
    /// What becomes of each job, in the order in which they are processed.
    pub fn all(line: &Line, table: &Timetable, is_integer: bool) -> Vec<Self> {
        let units = |value: f64| TimeValue::of_units(value, is_integer);
        let job = |(position, (&job, completion)): (usize, (&JobId, u32))| Self {
            name: line.shop().job_label(job),
            completion: units(line.to_units(completion)),
            lateness: table.lateness(line, position).map(|ticks| units(line.to_units(ticks))),
        };
        table.order().iter().zip(table.completions()).enumerate().map(job).collect()
    }
}

/// How a result was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The name of the algorithm.
    pub algorithm: String,
    /// Every parameter of the algorithm with its value.
    pub config: Value,
    /// The seed.
    pub seed: u64,
    /// How many threads were used.
    pub threads: usize,
}

impl ResultRecord {
    /// The record of a run's answer.
    pub fn new<T: Time>(instance: &Instance<T>, outcome: &Outcome<T>, origin: Origin) -> Self {
        let figures = [outcome.cost, outcome.bound].map(TimeValue::new);
        Self::with_figures(instance, outcome, origin, figures, outcome.gap())
    }

    /// The record of a run's answer where jobs or machines carry more than times. `is_integer` says whether the
    /// instance's times are whole numbers.
    ///
    /// # Errors
    /// [`PermutationError`] where the order is none of the line's jobs.
    pub fn of_plan(
        line: &Line,
        is_integer: bool,
        outcome: &Outcome<Score>,
        origin: Origin,
    ) -> Result<Self, PermutationError> {
        let table = Timetable::new(line, &outcome.order)?;
        let units = |value: f64| TimeValue::of_units(value, is_integer);
        let values = line.values(outcome.cost);
        let (value, bound) = (values[0], line.value(outcome.bound).min(values[0]));
        let gap = if value == bound { 0.0 } else { (value - bound) / bound.abs() };
        let objectives: Vec<&str> = line.objectives().map(Objective::name).collect();
        let figures = [units(line.to_units(table.makespan())), units(bound)];
        Ok(Self {
            objective: Some(objectives.join(",")),
            value: Some(units(value)),
            values: (values.len() > 1).then(|| values.iter().copied().map(units).collect()),
            ..Self::with_figures(line.shop(), outcome, origin, figures, gap)
        })
    }

    /// A record with this makespan, bound and gap.
    fn with_figures<T: Time, C: Time>(
        instance: &Instance<T>,
        outcome: &Outcome<C>,
        origin: Origin,
        [makespan, bound]: [TimeValue; 2],
        gap: f64,
    ) -> Self {
        let (status, stop_reason) = told(outcome.status);
        let order = outcome.order.as_slice().to_vec();
        let job_names = instance
            .job_names()
            .map(|names| order.iter().filter_map(|&job| names.get(job as usize).cloned()).collect());
        Self {
            schema: SCHEMA.to_string(),
            instance: instance.name().to_string(),
            num_jobs: instance.num_jobs(),
            num_machines: instance.num_machines(),
            algorithm: origin.algorithm,
            config: origin.config,
            seed: origin.seed,
            threads: origin.threads,
            objective: None,
            value: None,
            values: None,
            makespan,
            bound,
            gap: gap.is_finite().then_some(gap),
            status: status.to_string(),
            stop_reason: stop_reason.to_string(),
            order,
            job_names,
            jobs: None,
            runtime_s: outcome.runtime.as_secs_f64(),
            evaluations: outcome.evaluations,
            version: env!("CARGO_PKG_VERSION").to_string(),
            instance_hash: None,
        }
    }

    /// The same record with what becomes of each job.
    #[must_use]
    pub fn with_jobs(mut self, line: &Line, table: &Timetable, is_integer: bool) -> Self {
        self.jobs = Some(JobRecord::all(line, table, is_integer));
        self
    }

    /// What was minimised: the value of the first objective, or the makespan.
    pub fn minimised(&self) -> TimeValue {
        self.value.unwrap_or(self.makespan)
    }

    /// The record as one line of JSON, without a line end.
    ///
    /// # Errors
    /// When a value has no JSON form.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }
}

/// A status and why the run ended, in words.
fn told(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Optimal => ("optimal", "optimal"),
        Status::Feasible(reason) => ("feasible", reason.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use pfss_core::{Permutation, StopReason};

    fn record<T: Time>(instance: &Instance<T>, cost: T, bound: T) -> ResultRecord {
        let outcome = Outcome {
            order: Permutation::new(vec![1, 0], 2).unwrap(),
            cost,
            bound,
            status: Status::Feasible(StopReason::TimeLimit),
            evaluations: 12,
            runtime: Duration::from_millis(1500),
        };
        let config = serde_json::json!({"d": 4});
        let origin = Origin { algorithm: "iterated-greedy".into(), config, seed: 7, threads: 2 };
        ResultRecord::new(instance, &outcome, origin)
    }

    #[test]
    fn the_record_has_the_promised_fields_in_order() {
        let instance = Instance::from_job_rows("x", &[[1u32, 2], [3, 4]]).unwrap();
        let instance = instance.with_job_names(vec!["A".into(), "B".into()]).unwrap();
        let record = record(&instance, 10, 8);
        let version = env!("CARGO_PKG_VERSION");
        let json = record.to_json().unwrap();
        assert_eq!(
            json,
            format!(
                "{{\"schema\":\"pfss.result/1\",\"instance\":\"x\",\"num_jobs\":2,\"num_machines\":2,\
             \"algorithm\":\"iterated-greedy\",\"config\":{{\"d\":4}},\"seed\":7,\"threads\":2,\"makespan\":10,\
             \"bound\":8,\"gap\":0.25,\"status\":\"feasible\",\"stop_reason\":\"time-limit\",\"order\":[1,0],\
             \"job_names\":[\"B\",\"A\"],\"runtime_s\":1.5,\"evaluations\":12,\"version\":\"{version}\"}}"
            )
        );
        assert_eq!(serde_json::from_str::<ResultRecord>(&json).unwrap(), record);
    }

    #[test]
    fn reals_stay_reals_and_infinite_gaps_are_null() {
        let instance = Instance::from_job_rows("x", &[[1.0, 2.0], [3.0, 4.0]]).unwrap();
        let json = record(&instance, 10.0, 0.0).to_json().unwrap();
        assert!(json.contains("\"makespan\":10.0,\"bound\":0.0,\"gap\":null"), "{json}");
        assert!(!json.contains("job_names"), "{json}");
    }

    /// The record of the order B, A of two jobs with due dates.
    fn planned(objectives: Vec<Objective>, due: [f64; 2], bound: Score) -> ResultRecord {
        use pfss_core::timing::{Attributes, JobAttributes};
        let instance = Instance::from_job_rows("x", &[[1u32, 2], [3, 4]]).unwrap();
        let instance = instance.with_job_names(vec!["A".into(), "B".into()]).unwrap();
        let jobs = due.map(|due| JobAttributes { due: Some(due), ..JobAttributes::default() }).to_vec();
        let attributes = Attributes { jobs, objectives, ..Attributes::default() };
        let line = Line::new(&instance, &attributes).unwrap();
        let order = Permutation::new(vec![1, 0], 2).unwrap();
        let table = Timetable::new(&line, &order).unwrap();
        let outcome = Outcome {
            order,
            cost: table.score(),
            bound: if bound == Score::MAX { table.score() } else { bound },
            status: Status::Feasible(StopReason::TimeLimit),
            evaluations: 12,
            runtime: Duration::from_millis(1500),
        };
        let origin = Origin { algorithm: "auto".into(), config: Value::Null, seed: 7, threads: 1 };
        let record = ResultRecord::of_plan(&line, true, &outcome, origin).unwrap();
        record.with_jobs(&line, &table, true)
    }

    #[test]
    fn plans_tell_their_objective_and_its_value() {
        let record = planned(vec![Objective::TotalTardiness, Objective::Makespan], [5.0, 6.0], Score(0));
        let json = record.to_json().unwrap();
        let part = "\"threads\":1,\"objective\":\"total-tardiness,makespan\",\"value\":5,\"values\":[5,9],\"makespan\":9,\"bound\":0,\"gap\":null";
        assert!(json.contains(part), "{json}");
        let part = "\"jobs\":[{\"name\":\"B\",\"completion\":7,\"lateness\":1},{\"name\":\"A\",\"completion\":9,\"lateness\":4}]";
        assert!(json.contains(part), "{json}");
        assert_eq!(serde_json::from_str::<ResultRecord>(&json).unwrap(), record);
        assert_eq!(record.minimised(), 5u32);
    }

    #[test]
    fn a_bound_of_zero_has_a_gap_only_where_it_is_reached() {
        let record = planned(vec![Objective::TotalTardiness], [50.0, 60.0], Score(0));
        assert_eq!((record.value, record.gap), (Some(TimeValue::Integer(0)), Some(0.0)));
        let early = planned(vec![Objective::MaxLateness], [50.0, 60.0], Score::MAX);
        assert_eq!((early.value, early.gap), (Some(TimeValue::Whole(-41)), Some(0.0)));
    }

    /// F2: the bound is on the first objective; the second one may still get better.
    #[test]
    fn a_gap_of_zero_is_no_proof_of_all_objectives() {
        let record = planned(vec![Objective::TotalTardiness, Objective::Makespan], [50.0, 60.0], Score(0));
        assert_eq!((record.gap, record.status.as_str()), (Some(0.0), "feasible"));
    }
}

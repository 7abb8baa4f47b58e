//! What a result says beside its order, compared with the instance and with what the order is worth.

use pfss_core::timing::Objective;
use serde::{Deserialize, Deserializer};
use thiserror::Error;

use crate::record::JobRecord;
use crate::{Entry, TimeValue, entry_hash};

/// Numbers of two programs are the same up to this share: sums of reals depend on their order.
const EQUAL: f64 = 1e-9;

/// What a result says of its instance, and of how good its order is; what it does not say is `None`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct Claims {
    /// The number of jobs.
    pub num_jobs: Option<usize>,
    /// The number of machines.
    pub num_machines: Option<usize>,
    /// The fingerprint of the instance.
    pub instance_hash: Option<String>,
    /// The value of the first objective, or the makespan.
    pub value: Option<f64>,
    /// The lower bound on that value.
    pub bound: Option<f64>,
    /// The gap between both; `Some(None)` where it is said to be infinite.
    #[serde(default, deserialize_with = "with_null")]
    pub gap: Option<Option<f64>>,
    /// `optimal` or `feasible`.
    pub status: Option<String>,
    /// Why the search ended: `optimal`, or a limit.
    pub stop_reason: Option<String>,
    /// What becomes of each job, in the order in which they are processed.
    #[serde(default, deserialize_with = "as_records")]
    pub jobs: Option<Vec<JobRecord>>,
}

/// Something that a result says and that is not so.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// It is of more or fewer jobs or machines.
    #[error("the result is of {claimed} {what}, but the instance has {actual}")]
    Size {
        /// `jobs` or `machines`.
        what: &'static str,
        /// How many it says.
        claimed: usize,
        /// How many there are.
        actual: usize,
    },
    /// It is of another instance.
    #[error(
        "the result is of other numbers than these: its instance_hash is {claimed}, that of the instance {actual}"
    )]
    Hash {
        /// The fingerprint that it says.
        claimed: String,
        /// That of the instance.
        actual: String,
    },
    /// The order is worth something else.
    #[error("the order has value {actual}, not {claimed}")]
    Value {
        /// What it says.
        claimed: f64,
        /// What it is.
        actual: f64,
    },
    /// No order can be below a bound.
    #[error("the bound {bound} is above the value {value} of the order, so it is none")]
    Bound {
        /// What it says.
        bound: f64,
        /// What the order is worth.
        value: f64,
    },
    /// Something else becomes of a job.
    #[error("jobs: {found} is not so; it is {actual}")]
    Job {
        /// What it says.
        found: String,
        /// What becomes of the job in that place.
        actual: String,
    },
    /// It tells of more or fewer jobs.
    #[error("jobs tells of {claimed} jobs, the order has {actual}")]
    Jobs {
        /// How many it tells of.
        claimed: usize,
        /// How many there are.
        actual: usize,
    },
    /// The gap does not follow from value and bound.
    #[error("the gap of value {value} and bound {bound} is {}, not {}", or_null(*actual), or_null(*claimed))]
    Gap {
        /// What it says.
        claimed: Option<f64>,
        /// What it is.
        actual: Option<f64>,
        /// What the order is worth.
        value: f64,
        /// The bound.
        bound: f64,
    },
    /// A status that there is not.
    #[error("the status is `{0}`; it can be `optimal` or `feasible`")]
    Status(String),
    /// Status and reason of the end do not go together.
    #[error(
        "the status is `{status}`, but stop_reason is `{stop_reason}`; one is `optimal` where the other is"
    )]
    StopReason {
        /// The status.
        status: String,
        /// The reason.
        stop_reason: String,
    },
    /// What is optimal has a bound that says so.
    #[error("the status is `optimal`, but there is no bound")]
    NoBound,
    /// An order is optimal only where the bound meets it.
    #[error("the status is `optimal`, but the gap is {}, not 0", or_null(*.0))]
    Optimal(Option<f64>),
}

impl Claims {
    /// What is not so of the instance. What is minimised may stand in its file or not: `objectives` are those of the result.
    pub fn of_instance(&self, entry: &Entry, objectives: &[Objective]) -> Vec<Contradiction> {
        let instance = &entry.instance;
        let size = |what, claimed: Option<usize>, actual| {
            claimed.filter(|&claimed| claimed != actual).map(|claimed| Contradiction::Size {
                what,
                claimed,
                actual,
            })
        };
        let jobs = size("jobs", self.num_jobs, instance.num_jobs());
        let machines = size("machines", self.num_machines, instance.num_machines());
        let hash = self.instance_hash.as_ref().and_then(|claimed| other_hash(claimed, entry, objectives));
        jobs.into_iter().chain(machines).chain(hash).collect()
    }

    /// What is not so of an order whose first objective, or makespan, has this value.
    pub fn of_value(&self, value: f64) -> Vec<Contradiction> {
        let claimed = self.value.filter(|&claimed| !is_close(claimed, value));
        let claimed = claimed.map(|claimed| Contradiction::Value { claimed, actual: value });
        claimed.into_iter().chain(self.of_bound(value)).chain(self.of_status(value)).collect()
    }

    /// What is not so of the jobs, of which the first is told.
    pub fn of_jobs(&self, actual: &[JobRecord]) -> Option<Contradiction> {
        let claimed = self.jobs.as_deref()?;
        if claimed.len() != actual.len() {
            return Some(Contradiction::Jobs { claimed: claimed.len(), actual: actual.len() });
        }
        let number = |value: Option<TimeValue>| value.map(|value| value.to_f64());
        let is_same = |a: &JobRecord, b: &JobRecord| {
            let lateness = match (number(a.lateness), number(b.lateness)) {
                (Some(a), Some(b)) => is_close(a, b),
                (a, b) => a == b,
            };
            a.name == b.name && is_close(a.completion.to_f64(), b.completion.to_f64()) && lateness
        };
        let (found, actual) =
            claimed.iter().zip(actual).find(|(claimed, actual)| !is_same(claimed, actual))?;
        Some(Contradiction::Job { found: sentence(found), actual: sentence(actual) })
    }

    fn of_bound(&self, value: f64) -> Option<Contradiction> {
        let bound = self.bound?;
        if bound > value && !is_close(bound, value) {
            return Some(Contradiction::Bound { bound, value });
        }
        let (claimed, actual) = (self.gap?, gap(value, bound));
        let is_same = match (claimed, actual) {
            (Some(claimed), Some(actual)) => is_close(claimed, actual),
            (claimed, actual) => claimed == actual,
        };
        (!is_same).then_some(Contradiction::Gap { claimed, actual, value, bound })
    }

    fn of_status(&self, value: f64) -> Option<Contradiction> {
        let status = self.status.as_deref()?;
        if !["optimal", "feasible"].contains(&status) {
            return Some(Contradiction::Status(status.to_string()));
        }
        let is_optimal = status == "optimal";
        if let Some(stop_reason) = self.stop_reason.as_ref().filter(|&why| (why == "optimal") != is_optimal) {
            let (status, stop_reason) = (status.to_string(), stop_reason.clone());
            return Some(Contradiction::StopReason { status, stop_reason });
        }
        match self.bound.map(|bound| gap(value, bound)) {
            _ if !is_optimal => None,
            None => Some(Contradiction::NoBound),
            Some(gap) => (gap != Some(0.0)).then_some(Contradiction::Optimal(gap)),
        }
    }
}

/// What becomes of a job, in words.
fn sentence(job: &JobRecord) -> String {
    let lateness = job.lateness.map(|lateness| format!(", lateness {lateness}")).unwrap_or_default();
    format!("`{}` done at {}{lateness}", job.name, job.completion)
}

/// The records of jobs; what other programs keep under this name is none of ours.
fn as_records<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<JobRecord>>, D::Error> {
    Ok(serde_json::from_value(serde_json::Value::deserialize(deserializer)?).ok())
}

/// `(value - bound) / |bound|`; `None` where only the bound is zero.
fn gap(value: f64, bound: f64) -> Option<f64> {
    if value <= bound || is_close(value, bound) {
        return Some(0.0);
    }
    Some((value - bound) / bound.abs()).filter(|gap| gap.is_finite())
}

fn is_close(a: f64, b: f64) -> bool {
    (a - b).abs() <= EQUAL * a.abs().max(b.abs()).max(1.0)
}

/// The fingerprint of the instance, where it is not `claimed`, whatever is minimised: nothing that its file names, what the
/// result names, or what was said instead.
fn other_hash(claimed: &str, entry: &Entry, objectives: &[Objective]) -> Option<Contradiction> {
    let actual = entry_hash(entry);
    let with = |objectives: &[Objective]| {
        let mut named = entry.clone();
        named.attributes.objectives = objectives.to_vec();
        entry_hash(&named)
    };
    let is_same = actual == claimed || with(objectives) == claimed || with(&[]) == claimed;
    (!is_same).then(|| Contradiction::Hash { claimed: claimed.to_string(), actual })
}

fn or_null(gap: Option<f64>) -> String {
    gap.map_or_else(|| "null".to_string(), |gap| gap.to_string())
}

/// Tells `null` from nothing.
fn with_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<f64>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Instance;

    fn claims(json: &str) -> Claims {
        serde_json::from_str(json).unwrap()
    }

    fn told(found: Vec<Contradiction>) -> String {
        found.iter().map(Contradiction::to_string).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn what_is_said_of_jobs_must_be_so() {
        let jobs =
            r#"[{"name":"A","completion":7,"lateness":2},{"name":"B","completion":8,"lateness":null}]"#;
        let actual: Vec<JobRecord> = serde_json::from_str(jobs).unwrap();
        let told = |jobs: &str| {
            claims(&format!("{{\"jobs\":{jobs}}}")).of_jobs(&actual).map(|wrong| wrong.to_string())
        };
        assert_eq!(told(jobs), None);
        assert_eq!(told(&jobs.replace(":7", ":7.0000000001")), None);
        // What is none of ours.
        assert_eq!(
            (told("2"), told("[]").unwrap()),
            (None, "jobs tells of 0 jobs, the order has 2".to_string())
        );
        for (from, to, expected) in [
            (":7", ":6", "jobs: `A` done at 6, lateness 2 is not so; it is `A` done at 7, lateness 2"),
            (":2", ":-2", "jobs: `A` done at 7, lateness -2 is not so; it is `A` done at 7, lateness 2"),
            ("null", "0", "jobs: `B` done at 8, lateness 0 is not so; it is `B` done at 8"),
            ("\"B\"", "\"C\"", "jobs: `C` done at 8 is not so; it is `B` done at 8"),
        ] {
            assert_eq!(told(&jobs.replace(from, to)).unwrap(), expected);
        }
    }

    #[test]
    fn what_is_said_of_a_value_must_be_so() {
        let right = [
            "{}",
            r#"{"bound":10,"gap":0,"status":"optimal","value":10}"#,
            r#"{"bound":10,"gap":0,"status":"feasible"}"#,
            r#"{"bound":8,"gap":0.25,"status":"feasible"}"#,
            r#"{"bound":-10,"gap":2}"#,
            r#"{"bound":0,"gap":null}"#,
            r#"{"bound":10.000000001}"#,
        ];
        for json in right {
            assert_eq!(told(claims(json).of_value(10.0)), "", "{json}");
        }
        let wrong = [
            (r#"{"value":9}"#, "the order has value 10, not 9"),
            (r#"{"bound":11}"#, "the bound 11 is above the value 10 of the order, so it is none"),
            (r#"{"bound":8,"gap":0.2}"#, "the gap of value 10 and bound 8 is 0.25, not 0.2"),
            (r#"{"bound":8,"gap":null}"#, "the gap of value 10 and bound 8 is 0.25, not null"),
            (r#"{"bound":0,"gap":0}"#, "the gap of value 10 and bound 0 is null, not 0"),
            (r#"{"bound":8,"status":"optimal"}"#, "the status is `optimal`, but the gap is 0.25, not 0"),
            (r#"{"gap":0.25,"status":"optimal"}"#, "the status is `optimal`, but there is no bound"),
            (
                r#"{"bound":null,"gap":0,"status":"optimal"}"#,
                "the status is `optimal`, but there is no bound",
            ),
            (
                r#"{"bound":10,"status":"optimal","stop_reason":"time-limit"}"#,
                "the status is `optimal`, but stop_reason is `time-limit`; one is `optimal` where the other is",
            ),
            (
                r#"{"bound":8,"status":"feasible","stop_reason":"optimal"}"#,
                "the status is `feasible`, but stop_reason is `optimal`; one is `optimal` where the other is",
            ),
            (r#"{"status":"best"}"#, "the status is `best`; it can be `optimal` or `feasible`"),
        ];
        for (json, sentence) in wrong {
            assert_eq!(told(claims(json).of_value(10.0)), sentence, "{json}");
        }
    }

    #[test]
    fn what_is_said_of_an_instance_must_be_so() {
        let entry = Entry::from(Instance::from_job_rows("x", &[[1u32, 2], [3, 4]]).unwrap());
        let hash = entry_hash(&entry);
        let right = format!(r#"{{"num_jobs":2,"num_machines":2,"instance_hash":"{hash}"}}"#);
        assert_eq!(told(claims(&right).of_instance(&entry, &[])), "");
        let wrong = r#"{"num_jobs":3,"num_machines":4,"instance_hash":"0"}"#;
        let sentences = format!(
            "the result is of 3 jobs, but the instance has 2; the result is of 4 machines, but the instance has 2; \
             the result is of other numbers than these: its instance_hash is 0, that of the instance {hash}"
        );
        assert_eq!(told(claims(wrong).of_instance(&entry, &[])), sentences);
    }
}

//! What an order is worth, for a planner who moves a job by hand.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Number, Value};
use utoipa::ToSchema;

use super::submit::kind;
use crate::input::object;
use crate::job::{Known, number};
use crate::options::clock;
use crate::plan::{self, Picture};
use crate::problem::{Problem, internal};
use crate::reading::{self, Kind};
use crate::respond::{Answer, blocking, json, receive};
use crate::schemas::{Chart, Instance, Order, Schedule, UnitName};
use crate::shared::Shared;
use crate::subject::Subject;

/// Instances with more operations are evaluated away from the threads that answer.
const SMALL_BODY: usize = 64 << 10;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question<'a> {
    #[serde(borrow, default)]
    instance: Option<&'a RawValue>,
    #[serde(default)]
    job: Option<String>,
    order: Value,
    #[serde(default)]
    start_at: Option<String>,
    #[serde(default)]
    unit: Option<String>,
    #[serde(default)]
    schedule: Option<bool>,
    #[serde(default)]
    chart: Option<bool>,
}

/// What is asked, for the description of the API.
#[derive(ToSchema)]
#[schema(example = json!({"instance": {"times": [[4, 3], [2, 5]]}, "order": [1, 0]}))]
#[allow(dead_code)]
pub(crate) struct EvaluateRequest {
    /// The instance, or else `job`.
    #[schema(value_type = Option<Instance>)]
    instance: Option<Value>,
    /// The job whose instance is meant.
    job: Option<String>,
    /// All jobs, in an order.
    #[schema(value_type = Order)]
    order: Value,
    /// With `instance`: when time 0 is, as in 2026-11-16T06:00.
    start_at: Option<String>,
    /// With `instance`: how long a unit of time is.
    #[schema(value_type = Option<UnitName>)]
    unit: Option<String>,
    /// Whether the schedule is wanted (yes).
    schedule: Option<bool>,
    /// Whether the data of the chart are wanted (no).
    chart: Option<bool>,
}

/// What an order is worth.
#[derive(Serialize, ToSchema)]
pub(crate) struct Evaluation {
    /// What is minimised.
    objective: String,
    /// The number that is minimised.
    #[schema(value_type = f64)]
    value: Option<Number>,
    /// When the last job is done.
    #[schema(value_type = f64)]
    makespan: Option<Number>,
    /// No order has a smaller value.
    #[schema(value_type = f64)]
    bound: Option<Number>,
    /// `(value - bound) / bound`.
    gap: Option<f64>,
    /// The schedule, as in `schedule.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Schedule>)]
    schedule: Option<Box<RawValue>>,
    /// The data of the chart, as in `gantt.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Chart>)]
    chart: Option<Box<RawValue>>,
}

/// Evaluates an order of an instance's jobs, or of a job's.
#[utoipa::path(post, path = "/api/v1/evaluate", operation_id = "evaluate", tag = "plans",
    request_body = EvaluateRequest,
    responses((status = 200, body = Evaluation),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn evaluate(State(shared): State<Arc<Shared>>, headers: HeaderMap, body: Body) -> Answer {
    if kind(&headers)? != Kind::Envelope {
        let detail = "an evaluation is asked for with application/json";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let bytes = receive(&shared, &headers, body).await?.bytes;
    // A small question with its instance is answered faster than another thread takes it over.
    let is_small = bytes.len() < SMALL_BODY && bytes.windows(10).any(|part| part == b"\"instance\"");
    let evaluation = match is_small {
        true => answer(&shared, &bytes)?,
        false => blocking(move || answer(&shared, &bytes)).await?,
    };
    json(StatusCode::OK, &evaluation)
}

fn answer(shared: &Shared, bytes: &[u8]) -> Result<Evaluation, Problem> {
    let question: Question<'_> = object(bytes)?;
    let (subject, bound): (Arc<Subject>, Option<f64>) = match (question.instance, &question.job) {
        (Some(part), None) => {
            let clock = clock(question.start_at.as_deref(), question.unit.as_deref())?;
            let entry = reading::instance_part(bytes, part.get(), clock, shared.config.bounds.operations)?;
            (Arc::new(Subject::new(entry)?.with_clock(clock)), None)
        }
        (None, Some(id)) => {
            if question.start_at.is_some() || question.unit.is_some() {
                return Err(Problem::malformed("start_at and unit are those of the job; leave them out"));
            }
            let row = shared.row(id)?;
            (shared.subject(&row)?, row.known.bound)
        }
        _ => return Err(Problem::malformed("give either `instance` or `job`")),
    };
    let order = reading::complete_order(&question.order, &subject.entry)?;
    let worth = subject.worth(&order)?;
    let bound = bound.unwrap_or_else(|| subject.bound()).min(worth.value);
    let known = Known { value: Some(worth.value), bound: Some(bound), ..Known::default() };
    let raw = |text: String| RawValue::from_string(text).map_err(|error| internal(&error));
    let schedule = match question.schedule.unwrap_or(true) {
        true => Some(raw(plan::table(&subject, &order)?.to_json().map_err(|error| internal(&error))?)?),
        false => None,
    };
    let chart = match question.chart.unwrap_or(false) {
        true => Some(raw(plan::draw(&subject, &order, Picture::Data, Some(bound))?)?),
        false => None,
    };
    Ok(Evaluation {
        objective: subject.objective(),
        value: number(worth.value),
        makespan: number(worth.makespan),
        bound: number(bound),
        gap: known.gap(),
        schedule,
        chart,
    })
}

//! What an order is worth, for a planner who moves a job by hand.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Number, Value};
use utoipa::ToSchema;

use super::jobs::row;
use super::submit::kind;
use crate::job::{Known, number};
use crate::options::clock;
use crate::plan::{self, Picture};
use crate::problem::Problem;
use crate::reading::{self, Kind};
use crate::respond::{Answer, blocking, internal, json, receive};
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
    #[serde(default = "yes")]
    schedule: bool,
    #[serde(default)]
    chart: bool,
}

fn yes() -> bool {
    true
}

/// What is asked, for the description of the API.
#[derive(ToSchema)]
#[allow(dead_code)]
pub(crate) struct EvaluateRequest {
    /// The instance, schema `pfss.instance/1`, or else `job`.
    #[schema(value_type = Option<Object>)]
    instance: Option<Value>,
    /// The job whose instance is meant.
    job: Option<String>,
    /// All jobs: numbers (from 0) or names.
    #[schema(value_type = Vec<u32>)]
    order: Value,
    /// With `instance`: when time 0 is, as in 2026-11-16T06:00.
    start_at: Option<String>,
    /// With `instance`: how long a unit of time is: s, min, h or d.
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
    #[schema(value_type = Option<Object>)]
    schedule: Option<Box<RawValue>>,
    /// The data of the chart, as in `gantt.json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    chart: Option<Box<RawValue>>,
}

/// Evaluates an order of an instance's jobs, or of a job's.
#[utoipa::path(post, path = "/api/v1/evaluate", operation_id = "evaluate", tag = "plans",
    request_body = EvaluateRequest,
    responses((status = 200, body = Evaluation), (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 413, body = Problem, content_type = "application/problem+json"),
        (status = 415, body = Problem, content_type = "application/problem+json"),
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
    let question: Question<'_> = serde_json::from_slice(bytes)
        .map_err(|error| Problem::malformed(format!("the body is no request: {error}")))?;
    let (subject, bound): (Arc<Subject>, Option<f64>) = match (question.instance, &question.job) {
        (Some(part), None) => {
            let clock = clock(question.start_at.as_deref(), question.unit.as_deref())?;
            let entry = reading::instance_part(bytes, part.get(), clock, shared.config.bounds.operations)?;
            (Arc::new(Subject::new(entry)?.with_clock(clock)), None)
        }
        (None, Some(id)) => {
            let row = row(shared, id)?;
            (shared.subject(&row)?, row.known.bound)
        }
        _ => return Err(Problem::malformed("give either `instance` or `job`")),
    };
    let order = reading::complete_order(&question.order, &subject.entry)?;
    let worth = subject.worth(&order)?;
    let bound = bound.unwrap_or_else(|| subject.bound()).min(worth.value);
    let known = Known { value: Some(worth.value), bound: Some(bound), ..Known::default() };
    let raw = |text: String| RawValue::from_string(text).map_err(|error| internal(&error));
    let schedule = match question.schedule {
        true => Some(raw(plan::table(&subject, &order)?.to_json().map_err(|error| internal(&error))?)?),
        false => None,
    };
    let chart = match question.chart {
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

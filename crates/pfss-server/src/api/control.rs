//! Ending a job, going on with it, forgetting it.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::jobs::detail;
use super::submit::kind;
use crate::input::object;
use crate::job::Detail;
use crate::limits::{duration, within};
use crate::problem::Problem;
use crate::reading::Kind;
use crate::respond::{Answer, blocking, json, receive};
use crate::schemas::TimeLimit;
use crate::shared::Shared;

/// How long an answer waits for a search to end; usually it takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(3);

/// Ends a job with its best order so far; a job that has ended stays as it is.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/stop", operation_id = "stopJob", tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    responses((status = 200, body = Detail),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn stop(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    nothing(&shared, &headers, body).await?;
    let found = blocking({
        let (shared, id) = (Arc::clone(&shared), id.clone());
        move || shared.stop(&id)
    });
    if let Some(topic) = found.await? {
        let mut changes = topic.subscribe();
        let ended = async { while topic.state().is_open() && changes.changed().await.is_ok() {} };
        let has_ended = tokio::time::timeout(PATIENCE, ended).await.is_ok();
        if let (false, Some(trouble)) = (has_ended, shared.recorder.trouble()) {
            let detail = format!("the search ends, but its answer cannot be kept yet: {trouble}");
            return Err(Problem::busy(StatusCode::INSUFFICIENT_STORAGE, detail, 5));
        }
    }
    let detail = blocking(move || detail(&shared, &shared.row(&id)?)).await?;
    json(StatusCode::OK, &detail)
}

/// Refuses a body where none is read, but for `{}` and `null`.
async fn nothing(shared: &Shared, headers: &HeaderMap, body: Body) -> Result<(), Problem> {
    let body = receive(shared, headers, body).await?.bytes;
    match body.trim_ascii() {
        b"" | b"{}" | b"null" => Ok(()),
        _ => Err(Problem::malformed("no body is read here; leave it out")),
    }
}

/// What is asked of another round.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
#[schema(example = json!({"time_limit": "10s"}))]
pub(crate) struct Round {
    /// Seconds, or a text such as `500ms`, `10s`, `2m`; that of the round before when absent.
    #[schema(value_type = Option<TimeLimit>, example = "10s")]
    time_limit: Option<Value>,
}

/// Goes on from the best order, for another time limit.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/continue", operation_id = "continueJob", tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    request_body(content = Round, description = "A new `time_limit`; it may be left out, or be null"),
    responses((status = 202, body = Detail),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json"),
        (status = 429, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn go_on(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let body = receive(&shared, &headers, body).await?.bytes;
    let round: Round = match body.trim_ascii() {
        b"" | b"null" => Round::default(),
        _ if kind(&headers)? != Kind::Envelope => {
            let detail = "another round is asked for with application/json";
            return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
        }
        _ => object(&body)?,
    };
    let detail = blocking(move || {
        shared.go_on(&id, |mut plan| {
            if let Some(time) = &round.time_limit {
                let time = within(Some(duration(time)?), false, &shared.config)?;
                plan.time_limit = Some(time.as_secs_f64());
            }
            // Another round with the same random choices would find the same.
            plan.seed = plan.seed.wrapping_add(1);
            Ok(plan)
        })?;
        detail(&shared, &shared.row(&id)?)
    });
    json(StatusCode::ACCEPTED, &detail.await?)
}

/// Forgets a job, also one that runs.
#[utoipa::path(delete, path = "/api/v1/jobs/{id}", operation_id = "deleteJob", tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    responses((status = 204, description = "It is forgotten"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn delete(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Problem> {
    nothing(&shared, &headers, body).await?;
    blocking(move || shared.forget(&id)).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

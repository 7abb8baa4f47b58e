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

use super::jobs::{detail, row};
use crate::board::{Found, Waiting, Why};
use crate::job::{Detail, State as JobState};
use crate::limits::{duration, within};
use crate::options::malformed;
use crate::problem::Problem;
use crate::respond::{Answer, blocking, internal, json, receive};
use crate::shared::{Shared, store_problem};
use crate::solving::Plan;

/// How long an answer waits for a search to end; usually it takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(3);

/// Ends a job with its best order so far; a job that has ended stays as it is.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/stop", operation_id = "stopJob", tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    responses((status = 200, body = Detail), (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn stop(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Answer {
    let found = blocking({
        let (shared, id) = (Arc::clone(&shared), id.clone());
        move || {
            let row = row(&shared, &id)?;
            let topic = shared.topics.of(&row);
            match shared.board.end(row.number, Why::Stopped) {
                Found::Waiting => {
                    shared.store.stop(row.number).map_err(store_problem)?;
                    topic.tell_state(JobState::Stopped, None);
                    Ok(None)
                }
                Found::Running => Ok(Some(topic)),
                Found::Neither => Ok(None),
            }
        }
    });
    if let Some(topic) = found.await? {
        let mut changes = topic.subscribe();
        let ended = async { while topic.state().is_open() && changes.changed().await.is_ok() {} };
        let _ = tokio::time::timeout(PATIENCE, ended).await;
    }
    let detail = blocking(move || detail(&shared, &row(&shared, &id)?)).await?;
    json(StatusCode::OK, &detail)
}

/// What is asked of another round.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Round {
    /// Seconds, or a text such as `500ms`, `10s`, `2m`; that of the round before when absent.
    #[schema(value_type = Option<String>, example = "10s")]
    time_limit: Option<Value>,
}

/// Goes on from the best order, for another time limit.
#[utoipa::path(post, path = "/api/v1/jobs/{id}/continue", operation_id = "continueJob", tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    request_body(content = Option<Round>, description = "A new `time_limit`, or nothing"),
    responses((status = 202, body = Detail), (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 401, body = Problem, content_type = "application/problem+json"),
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
    let options: Round = match body.is_empty() {
        true => Round::default(),
        false => serde_json::from_slice(&body).map_err(|error| malformed(&error))?,
    };
    let detail = blocking({
        let shared = Arc::clone(&shared);
        move || requeue(&shared, &id, &options)
    });
    json(StatusCode::ACCEPTED, &detail.await?)
}

fn requeue(shared: &Shared, id: &str, options: &Round) -> Result<Detail, Problem> {
    let found = row(shared, id)?;
    if found.state.is_open() {
        return Err(Problem::conflict(format!("the job is {}; stop it first", found.state.name())));
    }
    if found.known.is_optimal() {
        return Err(Problem::conflict("the order is proven optimal: there is nothing to improve"));
    }
    if shared.board.is_closed() {
        return Err(Problem::busy(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server ends and takes no new jobs",
            10,
        ));
    }
    let mut plan: Plan = serde_json::from_value(found.options()).map_err(|error| internal(&error))?;
    if let Some(time) = &options.time_limit {
        plan.time_limit = Some(within(Some(duration(time)?), false, &shared.config)?.as_secs_f64());
    }
    // Another round with the same random choices would find the same.
    plan.seed = plan.seed.wrapping_add(1);
    let place = shared.board.reserve().ok_or_else(|| {
        Problem::busy(
            StatusCode::TOO_MANY_REQUESTS,
            "too many jobs wait already; try again when some are done",
            10,
        )
    })?;
    let text = serde_json::to_string(&plan).unwrap_or_default();
    shared.store.requeue(found.number, &text, plan.time_limit).map_err(store_problem)?;
    let topic = shared.topics.of(&found);
    topic.set_time_limit(plan.time_limit);
    topic.tell_state(JobState::Queued, None);
    let detail = detail(shared, &row(shared, id)?);
    place.take(Waiting { number: found.number, id: found.id });
    detail
}

/// Forgets a job, also one that runs.
#[utoipa::path(delete, path = "/api/v1/jobs/{id}", operation_id = "deleteJob", tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    responses((status = 204, description = "It is forgotten"), (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn delete(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    blocking(move || {
        let row = row(&shared, &id)?;
        shared.board.end(row.number, Why::Deleted);
        shared.store.delete(row.number).map_err(store_problem)?;
        shared.topics.delete(&id);
        Ok(())
    })
    .await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

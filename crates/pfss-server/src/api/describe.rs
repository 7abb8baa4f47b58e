//! What the server is and has.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use crate::examples;
use crate::problem::internal;
use crate::respond::{Answer, blocking, json as as_json, with_type};
use crate::schemas::Algorithm;
use crate::shared::{Shared, store_problem};

/// Every algorithm with its parameters, as `pfss algorithms --json` tells them.
#[utoipa::path(get, path = "/api/v1/algorithms", operation_id = "listAlgorithms", tag = "server",
    responses((status = 200, body = Vec<Algorithm>)))]
pub(crate) async fn algorithms() -> Answer {
    let described: Result<Vec<Value>, _> =
        pfss::algorithms().iter().map(|algorithm| algorithm.describe()).collect();
    as_json(StatusCode::OK, &described.map_err(|error| internal(&error))?)
}

/// Instances to try.
#[utoipa::path(get, path = "/api/v1/examples", operation_id = "listExamples", tag = "server",
    responses((status = 200, body = Vec<examples::Example>)))]
pub(crate) async fn examples_list() -> Answer {
    as_json(StatusCode::OK, &examples::all())
}

pub(crate) use examples_list as examples;

/// How the server is.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// `ok`, or what is wrong.
    status: String,
    /// The version of the program.
    version: &'static str,
    /// How many jobs run at a time.
    workers: usize,
    /// How many jobs wait.
    queue_length: usize,
    /// How many jobs run.
    running: usize,
    /// The longest time limit, in seconds.
    max_time_s: f64,
    /// Whether requests need the token.
    needs_token: bool,
}

/// Whether the server can do its work.
#[utoipa::path(get, path = "/healthz", operation_id = "health", tag = "server",
    responses((status = 200, body = Health), (status = 503, body = Health)))]
pub(crate) async fn health(State(shared): State<Arc<Shared>>) -> Answer {
    let trouble = match shared.board.is_closed() {
        true => Some("the server ends".to_string()),
        false => shared.recorder.trouble(),
    };
    let (queue_length, running) = shared.board.counts();
    let status = if trouble.is_some() { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    let health = Health {
        status: trouble.unwrap_or_else(|| "ok".to_string()),
        version: env!("CARGO_PKG_VERSION"),
        workers: shared.config.workers,
        queue_length,
        running,
        max_time_s: shared.config.max_time.as_secs_f64(),
        needs_token: shared.config.token.is_some(),
    };
    as_json(status, &json!(health))
}

/// Numbers for Prometheus.
#[utoipa::path(get, path = "/metrics", operation_id = "metrics", tag = "server",
    responses((status = 200, body = String, content_type = "text/plain")))]
pub(crate) async fn metrics(State(shared): State<Arc<Shared>>) -> Answer {
    let text = blocking(move || {
        let counts = shared.store.counts().map_err(store_problem)?;
        let counts: Vec<(&str, i64)> = counts.iter().map(|(state, count)| (state.name(), *count)).collect();
        let (waiting, running) = shared.board.counts();
        Ok(shared.metrics.text(&counts, waiting, running))
    });
    Ok(with_type(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text.await?))
}

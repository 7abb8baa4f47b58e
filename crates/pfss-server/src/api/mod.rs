//! The paths of the API.

pub(crate) mod control;
pub(crate) mod describe;
pub(crate) mod evaluate;
pub(crate) mod events;
pub(crate) mod exports;
pub(crate) mod jobs;
pub(crate) mod read;
pub(crate) mod submit;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};

use crate::guard::no_query;
use crate::shared::Shared;

pub(crate) use submit::read as read_request;

/// All paths below `/api/v1`, `/healthz` and `/metrics`.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    // What is asked in the place of a path's own parameters must not be ignored.
    let without_query = Router::new()
        .route("/api/v1/jobs/{id}", get(jobs::show).delete(control::delete))
        .route("/api/v1/jobs/{id}/events", get(events::events))
        .route("/api/v1/jobs/{id}/stop", post(control::stop))
        .route("/api/v1/jobs/{id}/continue", post(control::go_on))
        .route("/api/v1/jobs/{id}/{export}", get(exports::export))
        .route("/api/v1/evaluate", post(evaluate::evaluate))
        .route("/api/v1/algorithms", get(describe::algorithms))
        .route("/api/v1/examples", get(describe::examples))
        .route_layer(axum::middleware::from_fn(no_query));
    Router::new()
        .route("/api/v1/jobs", get(jobs::list).post(submit::submit))
        .route("/api/v1/read", post(read::read))
        .merge(without_query)
        .route("/healthz", get(describe::health))
        .route("/metrics", get(describe::metrics))
        .with_state(shared)
}

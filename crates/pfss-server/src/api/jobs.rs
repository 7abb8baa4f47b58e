//! Jobs, in a list and one by one.

use std::sync::Arc;

use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::input::{digits, pairs};
use crate::job::{Detail, Summary};
use crate::problem::{Problem, internal};
use crate::respond::{Answer, blocking, json};
use crate::shared::{Shared, store_problem};
use crate::store::Row;

/// How many jobs a page of the list has at most.
const MOST: usize = 500;
/// How many it has where nobody says.
const USUAL: usize = 50;
/// Longer orders do not fit into a command line.
const LONGEST_START: usize = 2000;

/// A part of the list.
#[derive(Serialize, ToSchema)]
pub(crate) struct JobList {
    /// The newest first.
    jobs: Vec<Summary>,
    /// What `before` must be for the next part; none at the end.
    next: Option<String>,
}

/// Everything about a job.
pub(super) fn detail(shared: &Shared, row: &Row) -> Result<Detail, Problem> {
    let result = shared.store.result(row.number).map_err(store_problem)?;
    let start = shared.store.start(row.number).map_err(store_problem)?;
    let mut options = row.options();
    if let (Some(start), Some(options)) = (&start, options.as_object_mut()) {
        options.insert("start".to_string(), serde_json::from_str(start).map_err(|error| internal(&error))?);
    }
    let start = start.map(|list| list.trim_matches(['[', ']']).to_string());
    let is_long = start.as_ref().is_some_and(|start| start.len() > LONGEST_START);
    let given = if is_long { Some("start.txt") } else { start.as_deref() };
    Ok(Detail {
        summary: row.summary(shared.topics.runtime_s(row)),
        options,
        command: row.plan()?.command(given),
        progress: row.points(),
        result: result.and_then(|record| serde_json::from_str::<Value>(&record).ok()),
    })
}

/// The place of a job in the list, also of one that was forgotten meanwhile.
fn place(shared: &Shared, id: &str) -> Result<i64, Problem> {
    let place = shared.store.place(id).map_err(store_problem)?;
    place.ok_or_else(|| Problem::unknown(format!("before: there is and was no job `{id}`")))
}

/// Jobs, the newest first.
#[utoipa::path(get, path = "/api/v1/jobs", operation_id = "listJobs", tag = "jobs",
    params(("limit" = Option<usize>, Query, minimum = 1, maximum = 500, description = "How many at most (50, up to 500)"),
        ("before" = Option<String>, Query, description = "Only jobs that came before this one; it may have been forgotten meanwhile")),
    responses((status = 200, body = JobList),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn list(State(shared): State<Arc<Shared>>, RawQuery(query): RawQuery) -> Answer {
    let (mut limit, mut before) = (USUAL, None);
    let query = query.unwrap_or_default();
    for (key, value) in pairs(&query, &[])? {
        match key.as_ref() {
            "limit" => match digits(&key, &value).map(usize::try_from) {
                Ok(Ok(count)) if (1..=MOST).contains(&count) => limit = count,
                _ => {
                    let detail = format!("limit is `{value}`, accepted is a whole number, 1 to {MOST}");
                    return Err(Problem::malformed(detail));
                }
            },
            "before" => before = Some(value.into_owned()),
            other => {
                return Err(Problem::malformed(format!(
                    "there is no option `{other}`; known are limit, before"
                )));
            }
        }
    }
    let list = blocking(move || {
        let before = before.map(|id| place(&shared, &id)).transpose()?;
        let rows = shared.store.list(before, limit + 1).map_err(store_problem)?;
        let has_more = rows.len() > limit;
        let summary = |row: &Row| row.summary(shared.topics.runtime_s(row));
        let jobs: Vec<Summary> = rows.iter().take(limit).map(summary).collect();
        let next = jobs.last().filter(|_| has_more).map(|last| last.id.clone());
        Ok(JobList { jobs, next })
    });
    json(StatusCode::OK, &list.await?)
}

/// One job, with the best order so far.
#[utoipa::path(get, path = "/api/v1/jobs/{id}", operation_id = "showJob", tag = "jobs",
    params(("id" = String, Path, description = "The job")),
    responses((status = 200, body = Detail),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn show(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Answer {
    let detail = blocking(move || detail(&shared, &shared.row(&id)?)).await?;
    json(StatusCode::OK, &detail)
}

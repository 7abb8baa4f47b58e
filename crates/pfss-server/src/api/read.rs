//! Reading a file without solving it, so that its cells can be looked at and changed.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use super::submit::{file_of, kind};
use crate::problem::Problem;
use crate::reading::{self, Kind};
use crate::respond::{Answer, blocking, json, receive};
use crate::shared::Shared;

/// An instance as a table.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableText {
    /// The name of the instance.
    name: String,
    /// How many jobs.
    num_jobs: usize,
    /// How many machines.
    num_machines: usize,
    /// The instance as CSV.
    csv: String,
}

/// Reads a file in any format of the command line and gives it back as CSV.
#[utoipa::path(post, path = "/api/v1/read", operation_id = "read", tag = "plans",
    request_body(content((String = "text/plain"), (String = "text/csv"),
        (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
    params(("name" = Option<String>, Query, description = "The name of the file"),
        ("format" = Option<String>, Query, description = "Its format, where it cannot be told from the content"),
        ("transpose" = Option<bool>, Query, description = "CSV: rows are machines")),
    responses((status = 200, body = TableText), (status = 400, body = Problem, content_type = "application/problem+json"),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 413, body = Problem, content_type = "application/problem+json"),
        (status = 415, body = Problem, content_type = "application/problem+json"),
        (status = 422, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn read(
    State(shared): State<Arc<Shared>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let kind = kind(&headers)?;
    if kind == Kind::Envelope {
        let detail = "a file is sent as text/plain, text/csv or as a workbook";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
    }
    let bytes = receive(&shared, &headers, body).await?.bytes;
    let table = blocking(move || {
        let query = query.unwrap_or_default();
        let (file, options, others) = file_of(&query, kind)?;
        if let Some((key, _)) = others.first() {
            return Err(Problem::malformed(format!(
                "there is no option `{key}`; known are name, format, transpose"
            )));
        }
        let entry = reading::instance(&bytes, &file, &options, shared.config.bounds.operations)?;
        let mut csv = String::new();
        pfss_io::csv::write(&entry, &mut csv);
        let instance = &entry.instance;
        let (num_jobs, num_machines) = (instance.num_jobs(), instance.num_machines());
        Ok(TableText { name: instance.name().to_string(), num_jobs, num_machines, csv })
    });
    json(StatusCode::OK, &table.await?)
}

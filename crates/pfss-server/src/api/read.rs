//! Reading a file without solving it, so that its cells can be looked at and changed.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::submit::{file_of, kind};
use crate::options::clock;
use crate::problem::{Problem, internal};
use crate::reading::{self, Kind};
use crate::respond::{Answer, blocking, json, receive};
use crate::schemas::{FormatName, Instance, UnitName};
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
    /// The instance as CSV, without what no column can hold: breaks, set-ups, buffers, jobs that come first.
    csv: String,
    /// The instance, schema `pfss.instance/1` or `/2`, with everything.
    #[schema(value_type = Instance)]
    instance: Box<RawValue>,
    /// What is worth knowing about how the file was read.
    notes: Vec<String>,
}

/// Reads a file in any format of the command line and gives it back as CSV.
#[utoipa::path(post, path = "/api/v1/read", operation_id = "read", tag = "plans",
    request_body = String,
    params(("name" = Option<String>, Query, description = "The name of the file"),
        ("format" = Option<FormatName>, Query, description = "Its format, where it cannot be told from the content"),
        ("transpose" = Option<bool>, Query, description = "CSV: rows are machines"),
        ("columns" = Option<Vec<String>>, Query, description = "What a column holds, HEADING=MEANING with a heading or a number from 1, and job, machine, due, release, weight, family or ignore; may stand several times"),
        ("start_at" = Option<String>, Query, description = "When time 0 is, as in 2026-11-16T06:00"),
        ("unit" = Option<UnitName>, Query, description = "How long a unit of time is: s, min, h or d")),
    responses((status = 200, body = TableText),
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
        let (file, mut options, others) = file_of(&query, kind.of_content(&bytes))?;
        let (mut start_at, mut unit) = (None, None);
        for (key, value) in &others {
            match key.as_ref() {
                "start_at" => start_at = Some(value.as_ref()),
                "unit" => unit = Some(value.as_ref()),
                _ => {
                    return Err(Problem::malformed(format!(
                        "there is no option `{key}`; known are name, format, transpose, columns, start_at, unit"
                    )));
                }
            }
        }
        options.clock = clock(start_at, unit)?;
        let entry = reading::instance(&bytes, &file, &options, shared.config.bounds.operations)?;
        pfss_io::csv::check_names(&entry).map_err(|error| Problem::refused(error.to_string()))?;
        let notes = entry.notes().map(|note| note.to_string()).collect();
        let mut csv = String::new();
        pfss_io::csv::write(&entry, &mut csv);
        let mut document = String::new();
        pfss_io::json::write(&entry, &mut document);
        let document = RawValue::from_string(document).map_err(|error| internal(&error))?;
        let instance = &entry.instance;
        let (num_jobs, num_machines) = (instance.num_jobs(), instance.num_machines());
        let name = instance.name().to_string();
        Ok(TableText { name, num_jobs, num_machines, csv, instance: document, notes })
    });
    json(StatusCode::OK, &table.await?)
}

//! A job's plan as files: what the command line would write.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pfss_io::ResultRecord;
use serde_json::{Value, json};

use crate::conditional::{is_known, weak_tag};
use crate::guard;
use crate::plan::{self, Picture};
use crate::problem::{Problem, internal};
use crate::reading::WORKBOOK;
use crate::respond::{Answer, Guarded, blocking, with_type};
use crate::shared::{Shared, store_problem};
use crate::store::Row;

/// How long a request waits until others are done with theirs.
const PATIENCE: Duration = Duration::from_secs(10);

/// What can be had of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Export {
    ScheduleJson,
    ScheduleCsv,
    ScheduleXlsx,
    GanttSvg,
    GanttHtml,
    GanttJson,
    Instance,
}

impl Export {
    /// All of them.
    pub(crate) const ALL: [Self; 7] = [
        Self::ScheduleJson,
        Self::ScheduleCsv,
        Self::ScheduleXlsx,
        Self::GanttSvg,
        Self::GanttHtml,
        Self::GanttJson,
        Self::Instance,
    ];

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|export| export.name() == name)
    }

    /// The name of the file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::ScheduleJson => "schedule.json",
            Self::ScheduleCsv => "schedule.csv",
            Self::ScheduleXlsx => "schedule.xlsx",
            Self::GanttSvg => "gantt.svg",
            Self::GanttHtml => "gantt.html",
            Self::GanttJson => "gantt.json",
            Self::Instance => "instance.json",
        }
    }

    /// What it holds.
    pub(crate) fn summary(self) -> &'static str {
        match self {
            Self::ScheduleJson => "The schedule of the best order",
            Self::ScheduleCsv => "The operations of the schedule as a table",
            Self::ScheduleXlsx => "The schedule as a workbook with the sheets schedule, order and summary",
            Self::GanttSvg => "The Gantt chart as a picture",
            Self::GanttHtml => "The Gantt chart as a page of its own",
            Self::GanttJson => "What the Gantt chart draws",
            Self::Instance => "The instance, with everything that the options say about it",
        }
    }

    /// Its type.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::ScheduleJson | Self::GanttJson | Self::Instance => "application/json",
            Self::ScheduleCsv => "text/csv; charset=utf-8",
            Self::ScheduleXlsx => WORKBOOK,
            Self::GanttSvg => "image/svg+xml",
            Self::GanttHtml => "text/html; charset=utf-8",
        }
    }

    /// Its schema in the description of the API.
    pub(crate) fn schema(self) -> Value {
        let named = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        match self {
            Self::ScheduleJson => named("Schedule"),
            Self::GanttJson => named("Chart"),
            Self::Instance => named("Instance"),
            Self::ScheduleXlsx => json!({"type": "string", "format": "binary"}),
            Self::ScheduleCsv | Self::GanttSvg | Self::GanttHtml => json!({"type": "string"}),
        }
    }
}

/// A file of a job.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/{file}", operation_id = "exportJob", tag = "jobs",
    params(("id" = String, Path, description = "The job"),
        ("file" = String, Path, description = "The name of the file")),
    responses((status = 200, description = "The file, of the type of its ending"),
        (status = 304, description = "It has not changed"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "There is no order yet"),
        (status = 422, body = Problem, content_type = "application/problem+json", description = "It cannot be drawn")))]
pub(crate) async fn export(
    State(shared): State<Arc<Shared>>,
    Path((id, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    let export = Export::named(&name).ok_or_else(|| {
        let known = Export::ALL.map(Export::name).join(", ");
        Problem::unknown(format!("a job has no `{name}`; known are {known}"))
    })?;
    let room = tokio::time::timeout(PATIENCE, Arc::clone(&shared.exports).acquire_owned()).await;
    let Ok(Ok(room)) = room else {
        let detail = "many large answers are being sent; try again soon";
        return Err(Problem::busy(StatusCode::SERVICE_UNAVAILABLE, detail, 5));
    };
    let response = blocking(move || {
        let row = shared.row(&id)?;
        let known = &row.known;
        let (value, bound) = (known.value.unwrap_or(-1.0), known.bound.unwrap_or(-1.0));
        let tag = weak_tag(&format!("{}-{value}-{bound}-{}", row.round, row.state.name()));
        // A running job may come to another order of the same value.
        let tag = tag.filter(|_| !row.state.is_open());
        if tag.as_ref().is_some_and(|tag| is_known(&headers, tag)) {
            let mut response = StatusCode::NOT_MODIFIED.into_response();
            tag.map(|tag| response.headers_mut().insert(header::ETAG, tag));
            return Ok(response);
        }
        let mut response = with_type(StatusCode::OK, export.media_type(), content(&shared, &row, export)?);
        let headers = response.headers_mut();
        tag.map(|tag| headers.insert(header::ETAG, tag));
        match export {
            Export::GanttHtml => drop(headers.insert(header::CONTENT_SECURITY_POLICY, guard::chart_policy())),
            Export::GanttSvg => {
                drop(headers.insert(header::CONTENT_SECURITY_POLICY, guard::picture_policy()))
            }
            _ => {}
        }
        Ok(response)
    });
    let response: Response = response.await?;
    Ok(Guarded::response(response, room))
}

fn content(shared: &Shared, row: &Row, export: Export) -> Result<Vec<u8>, Problem> {
    if export == Export::Instance {
        let content = shared.store.instance(row.number).map_err(store_problem)?;
        return content.map(String::into_bytes).ok_or_else(|| Problem::unknown("the job was deleted"));
    }
    let record = shared.store.result(row.number).map_err(store_problem)?;
    let record = record.ok_or_else(|| {
        Problem::conflict(format!(
            "the job is {} and has no order yet; ask again when it has one",
            row.state.name()
        ))
    })?;
    let record: ResultRecord = serde_json::from_str(&record).map_err(|error| internal(&error))?;
    let subject = shared.subject(row)?;
    let picture =
        |picture| plan::draw(&subject, &record.order, picture, row.known.bound).map(String::into_bytes);
    match export {
        Export::GanttSvg => picture(Picture::Svg),
        Export::GanttHtml => picture(Picture::Html),
        Export::GanttJson => picture(Picture::Data),
        Export::ScheduleCsv => Ok(plan::table(&subject, &record.order)?.to_csv().into_bytes()),
        Export::ScheduleXlsx => {
            let workbook = plan::table(&subject, &record.order)?.to_workbook();
            workbook.map_err(|error| Problem::refused(error.to_string()))
        }
        Export::ScheduleJson | Export::Instance => {
            let json = plan::table(&subject, &record.order)?.to_json();
            json.map(String::into_bytes).map_err(|error| internal(&error))
        }
    }
}

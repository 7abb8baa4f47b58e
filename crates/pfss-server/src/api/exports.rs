//! A job's plan as files: what the command line would write.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pfss_io::ResultRecord;

use super::jobs::row;
use crate::guard;
use crate::plan::{self, Picture};
use crate::problem::Problem;
use crate::reading::WORKBOOK;
use crate::respond::{Answer, Guarded, blocking, internal, with_type};
use crate::shared::{Shared, store_problem};
use crate::store::Row;

/// How long a request waits until others are done with theirs.
const PATIENCE: Duration = Duration::from_secs(10);

/// What can be had of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Export {
    ScheduleJson,
    ScheduleCsv,
    ScheduleXlsx,
    GanttSvg,
    GanttHtml,
    GanttJson,
    Instance,
}

impl Export {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "schedule.json" => Self::ScheduleJson,
            "schedule.csv" => Self::ScheduleCsv,
            "schedule.xlsx" => Self::ScheduleXlsx,
            "gantt.svg" => Self::GanttSvg,
            "gantt.html" => Self::GanttHtml,
            "gantt.json" => Self::GanttJson,
            "instance.json" => Self::Instance,
            _ => return None,
        })
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::ScheduleJson | Self::GanttJson | Self::Instance => "application/json",
            Self::ScheduleCsv => "text/csv; charset=utf-8",
            Self::ScheduleXlsx => WORKBOOK,
            Self::GanttSvg => "image/svg+xml",
            Self::GanttHtml => "text/html; charset=utf-8",
        }
    }
}

/// A file of a job: `schedule.json`, `schedule.csv`, `schedule.xlsx`, `gantt.svg`, `gantt.html`, `gantt.json` or `instance.json`.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/{file}", operation_id = "exportJob", tag = "jobs",
    params(("id" = String, Path, description = "The job"),
        ("file" = String, Path, description = "schedule.json, schedule.csv, schedule.xlsx, gantt.svg, gantt.html, gantt.json or instance.json")),
    responses((status = 200, description = "The file, of the type of its ending"),
        (status = 304, description = "It has not changed"),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json"),
        (status = 409, body = Problem, content_type = "application/problem+json", description = "There is no order yet"),
        (status = 422, body = Problem, content_type = "application/problem+json", description = "It cannot be drawn"),
        (status = 503, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn export(
    State(shared): State<Arc<Shared>>,
    Path((id, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    let export = Export::named(&name).ok_or_else(|| {
        Problem::unknown(format!("a job has no `{name}`; it has schedule.json, schedule.csv, schedule.xlsx, gantt.svg, gantt.html, gantt.json and instance.json"))
    })?;
    let room = tokio::time::timeout(PATIENCE, Arc::clone(&shared.exports).acquire_owned()).await;
    let Ok(Ok(room)) = room else {
        let detail = "many large answers are being sent; try again soon";
        return Err(Problem::busy(StatusCode::SERVICE_UNAVAILABLE, detail, 5));
    };
    let known = headers.get(header::IF_NONE_MATCH).and_then(|tag| tag.to_str().ok()).map(str::to_string);
    let response = blocking(move || {
        let row = row(&shared, &id)?;
        let tag = format!("\"{}-{}-{}\"", row.round, row.known.value.unwrap_or(-1.0), row.state.name());
        if known.as_deref() == Some(&tag) && !row.state.is_open() {
            return Ok(StatusCode::NOT_MODIFIED.into_response());
        }
        let mut response = with_type(StatusCode::OK, export.media_type(), content(&shared, &row, export)?);
        let headers = response.headers_mut();
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            headers.insert(header::ETAG, tag);
        }
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

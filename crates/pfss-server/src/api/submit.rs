//! Taking a job.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::Body;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use pfss_core::Permutation;
use pfss_io::{ColumnSetting, Entry, Format, ReadOptions};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::config::ServerConfig;
use crate::input::{Pairs, object, optional, pairs, truth};
use crate::options::SolveOptions;
use crate::problem::Problem;
use crate::reading::{self, Kind};
use crate::respond::{Answer, blocking, json, receive};
use crate::schemas::{FormatName, Instance};
use crate::shared::Shared;
use crate::solving::Plan;
use crate::store::NewJob;
use crate::subject::Subject;

/// What a JSON request holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope<'a> {
    #[serde(borrow)]
    instance: &'a RawValue,
    #[serde(deserialize_with = "optional", default)]
    options: Option<SolveOptions>,
}

/// What a JSON request holds, for the description of the API.
#[derive(ToSchema)]
#[schema(example = json!({"instance": {"times": [[4, 3], [2, 5]]}, "options": {"time_limit": "1s", "seed": 1}}))]
#[allow(dead_code)]
pub(crate) struct JobRequest {
    /// The instance.
    #[schema(value_type = Instance)]
    instance: Value,
    /// How it is solved.
    options: Option<SolveOptions>,
}

/// A job that was accepted.
#[derive(Serialize, ToSchema)]
pub(crate) struct Accepted {
    /// Its name in paths.
    id: String,
    /// Its path.
    url: String,
}

/// An instance and how it is to be solved.
struct Wanted {
    entry: Entry,
    options: SolveOptions,
}

/// Takes an instance to solve.
#[utoipa::path(post, path = "/api/v1/jobs", operation_id = "submitJob", tag = "jobs",
    request_body = JobRequest,
    params(("name" = Option<String>, Query, description = "CSV and xlsx: the name of the file"),
        ("title" = Option<String>, Query, description = "CSV and xlsx: the name of the plan, where it is not the file's"),
        ("format" = Option<FormatName>, Query, description = "Text: its format, where it cannot be told from the content"),
        ("transpose" = Option<bool>, Query, description = "CSV: rows are machines"),
        ("columns" = Option<Vec<String>>, Query, description = "CSV and xlsx: what a column holds, HEADING=MEANING with a heading or a number from 1, and job, machine, due, release, weight, family or ignore; may stand several times")),
    responses((status = 202, body = Accepted, headers(("Location" = String, description = "The job's path"))),
        (status = 422, body = Problem, content_type = "application/problem+json"),
        (status = 429, body = Problem, content_type = "application/problem+json"),
        (status = 507, body = Problem, content_type = "application/problem+json", description = "The disk is full")))]
pub(crate) async fn submit(
    State(shared): State<Arc<Shared>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Answer {
    let kind = kind(&headers)?;
    let received = receive(&shared, &headers, body).await?;
    let accepted = blocking({
        let (shared, bytes) = (Arc::clone(&shared), received.bytes);
        move || {
            let most = shared.config.bounds.operations;
            accept(&shared, wanted(most, kind, &query.unwrap_or_default(), &bytes)?)
        }
    });
    let accepted = accepted.await?;
    let location = HeaderValue::from_str(&accepted.url);
    let mut response = json(StatusCode::ACCEPTED, &accepted)?;
    if let Ok(location) = location {
        response.headers_mut().insert(header::LOCATION, location);
    }
    Ok(response)
}

/// The kind of a body by its media type, or 415.
pub(super) fn kind(headers: &HeaderMap) -> Result<Kind, Problem> {
    let mut given = headers.get_all(header::CONTENT_TYPE).iter();
    let media_type = given.next().map_or("", |value| value.to_str().unwrap_or("?"));
    if given.next().is_some() {
        return Err(Problem::malformed("the request has two Content-Type headers"));
    }
    let refused = |detail| Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail);
    let kind = Kind::of(media_type).ok_or_else(|| {
        let workbook = reading::WORKBOOK;
        refused(format!(
            "the body is of type `{media_type}`; accepted are application/json, text/csv, text/plain, \
             text/tab-separated-values, application/octet-stream and {workbook}"
        ))
    })?;
    match reading::foreign_charset(media_type) {
        Some(charset) if kind != Kind::Workbook => {
            Err(refused(format!("the body is encoded in `{charset}`; send it in UTF-8")))
        }
        _ => Ok(kind),
    }
}

fn wanted(most: usize, kind: Kind, query: &str, bytes: &[u8]) -> Result<Wanted, Problem> {
    if kind == Kind::Envelope {
        if !query.is_empty() {
            let detail = "with a body of JSON the options stand in its `options`, not in the query";
            return Err(Problem::malformed(detail));
        }
        let Envelope { instance, options } = object(bytes)?;
        let options = options.unwrap_or_default();
        let entry = reading::instance_part(bytes, instance.get(), options.clock()?, most)?;
        return Ok(Wanted { entry, options });
    }
    let (file, mut read, mut others) = file_of(query, kind.of_content(bytes))?;
    let title = others.iter().position(|(key, _)| key == "title").map(|at| others.remove(at).1.into_owned());
    let options = SolveOptions::from_pairs(others.into_iter())?;
    read.clock = options.clock()?;
    let mut entry = reading::instance(bytes, &file, &read, most)?;
    if let Some(title) = title {
        entry.instance = entry.instance.with_name(title.chars().take(200).collect::<String>());
    }
    Ok(Wanted { entry, options })
}

/// The name of the file in the body, how it is read, and what else the query says.
pub(super) fn file_of(query: &str, kind: Kind) -> Result<(String, ReadOptions, Pairs<'_>), Problem> {
    let mut file = kind.file_name().to_string();
    let mut read = ReadOptions::default();
    let mut others = Vec::new();
    for (key, value) in pairs(query, &["columns", "set"])? {
        match key.as_ref() {
            "name" => file = plain_name(&value, kind),
            "format" => {
                let format =
                    value.parse::<Format>().map_err(|error| Problem::malformed(error.to_string()))?;
                read.format = Some(format);
            }
            "transpose" => read.csv.transpose = truth(&key, &value)?,
            "columns" => read.csv.columns.push(column(&value)?),
            _ => others.push((key, value)),
        }
    }
    Ok((file, read, others))
}

/// What a column holds, such as `Liefertermin=due`.
fn column(text: &str) -> Result<ColumnSetting, Problem> {
    text.parse().map_err(|error: pfss_io::ColumnError| Problem::malformed(format!("columns: {error}")))
}

/// A file's name without folders, which only names the instance: no file of this machine is opened.
fn plain_name(name: &str, kind: Kind) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let name: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
    if name.is_empty() { kind.file_name().to_string() } else { name }
}

/// Reads a request without a server to keep it.
pub(crate) fn read(media_type: &str, query: &str, body: &[u8], config: &ServerConfig) -> Result<(), Problem> {
    let kind = Kind::of(media_type).ok_or_else(|| Problem::malformed("no body of this type is read"))?;
    ready(wanted(config.bounds.operations, kind, query, body)?, config).map(drop)
}

/// What was asked for, checked.
fn ready(wanted: Wanted, config: &ServerConfig) -> Result<(Subject, Plan, Option<Permutation>), Problem> {
    let Wanted { mut entry, options } = wanted;
    options.apply(&mut entry)?;
    let subject = Subject::new(entry)?;
    let plan = Plan::new(&options, &subject, config)?;
    let entry = &subject.entry;
    let start = options.start.as_ref().map(|start| reading::complete_order(start, entry)).transpose()?;
    if let Some(start) = &start {
        subject.worth(start)?;
    }
    subject.check_pinned(&plan.pinned)?;
    if !plan.pinned.is_empty() && start.is_none() {
        return Err(Problem::malformed("pinned jobs keep their places in `start`, which is missing"));
    }
    Ok((subject, plan, start))
}

/// Keeps the job and puts it into the queue.
fn accept(shared: &Shared, wanted: Wanted) -> Result<Accepted, Problem> {
    let (subject, plan, start) = ready(wanted, &shared.config)?;
    let entry = &subject.entry;
    let mut instance = String::new();
    pfss_io::json::write(entry, &mut instance);
    let start = start.map(|start| serde_json::to_string(start.as_slice()).unwrap_or_default());
    let id = new_id();
    shared.accept(&NewJob {
        id: &id,
        name: entry.instance.name(),
        num_jobs: entry.instance.num_jobs(),
        num_machines: entry.instance.num_machines(),
        created_at: now(),
        objective: &plan.objective,
        options: &plan.to_json()?,
        time_limit_s: plan.time_limit,
        instance: &instance,
        start: start.as_deref(),
    })?;
    Ok(Accepted { url: format!("/api/v1/jobs/{id}"), id })
}

/// A name that nobody guesses: sixteen letters and digits.
fn new_id() -> String {
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let state = RandomState::new();
    let bytes = [state.hash_one(0u8).to_le_bytes(), state.hash_one(1u8).to_le_bytes()];
    bytes.as_flattened().iter().map(|byte| char::from(ALPHABET[usize::from(byte & 31)])).collect()
}

/// Milliseconds since 1970.
fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::config::Bounds;

    #[test]
    fn columns_are_said_in_the_query() {
        let config = ServerConfig {
            listen: ([127, 0, 0, 1], 0).into(),
            store: "unused".into(),
            workers: 1,
            max_time: Duration::from_secs(60),
            token: None,
            origins: Vec::new(),
            cores: 1,
            memory: 1 << 28,
            bounds: Bounds::default(),
        };
        let read = |columns: &str| {
            let query = format!("objective=total-tardiness&{columns}");
            read("text/csv", &query, b"no,part,saw,wanted\n1,A,3,9\n", &config)
        };
        read("columns=wanted%3Ddue&columns=no%3Dignore&columns=2%3Djob").unwrap();
        for (columns, part) in [
            ("columns=wanted%3Dignore&columns=no%3Dignore&columns=2%3Djob", "needs due dates"),
            ("columns=x%3Ddue", "there is no column `x`"),
            ("columns=wanted", "HEADING=MEANING"),
            ("columns=wanted%3Ddate", "a column cannot be `date`"),
        ] {
            let problem = read(columns).unwrap_err();
            assert!(problem.detail().contains(part), "{}", problem.detail());
        }
    }
}

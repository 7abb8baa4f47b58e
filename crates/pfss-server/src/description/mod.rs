//! The description of the API (OpenAPI 3.1): what the handlers say of themselves, and what all of them have in common.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use pfss_core::timing::Objective;
use pfss_io::{Format, Unit};
use serde_json::{Map, Value, json};

use crate::reading::WORKBOOK;
use crate::respond::with_type;
use crate::{api, guard};

#[derive(utoipa::OpenApi)]
#[openapi(
    info(title = "pfss", description = "Plans of permutation flow shops: send an instance, watch it being solved, take the plan."),
    paths(api::submit::submit, api::jobs::list, api::jobs::show, api::control::delete, api::events::events, api::control::stop,
        api::control::go_on, api::exports::export, api::evaluate::evaluate, api::read::read, api::describe::algorithms,
        api::describe::examples_list, openapi, api::describe::health, api::describe::metrics),
    tags((name = "jobs", description = "Instances that are solved"), (name = "plans", description = "Orders of jobs"),
        (name = "server", description = "What the server is and has"))
)]
struct Handlers;

/// The path of the description itself.
pub(crate) fn router() -> Router {
    let route = get(openapi).layer(axum::middleware::from_fn(guard::no_query));
    Router::new().route("/api/v1/openapi.json", route)
}

/// This description.
#[utoipa::path(get, path = "/api/v1/openapi.json", operation_id = "describeApi", tag = "server",
    responses((status = 200, body = Object)))]
async fn openapi() -> Response {
    with_type(StatusCode::OK, "application/json", document())
}

/// The description as JSON.
fn document() -> &'static str {
    static DOCUMENT: OnceLock<String> = OnceLock::new();
    DOCUMENT.get_or_init(|| whole().map(|whole| whole.to_string()).unwrap_or_default())
}

fn whole() -> serde_json::Result<Value> {
    let mut document = serde_json::to_value(<Handlers as utoipa::OpenApi>::openapi())?;
    let known: Map<String, Value> = serde_json::from_str(include_str!("schemas.json"))?;
    if let Some(schemas) = document["components"]["schemas"].as_object_mut() {
        schemas.extend(known);
        schemas.extend(names());
    }
    document["components"]["securitySchemes"] = json!({"token": {"type": "http", "scheme": "bearer"}});
    // Without `--token-file` nothing is wanted.
    document["security"] = json!([{"token": []}, {}]);
    let options = document["components"]["schemas"]["SolveOptions"]["properties"].clone();
    if let Some(paths) = document["paths"].as_object_mut() {
        exports(paths);
        files(&mut paths["/api/v1/jobs"]["post"], &options);
        files(&mut paths["/api/v1/read"]["post"], &json!({}));
        paths["/healthz"]["get"]["security"] = json!([]);
        // A list of StateEvent and ProgressEvent, for which OpenAPI 3.1 has no words.
        let events = &mut paths["/api/v1/jobs/{id}/events"]["get"]["responses"]["200"];
        events["description"] = Value::from(
            "Events `state` with a StateEvent, `improvement` and `bound` with a ProgressEvent as data",
        );
        events["content"] = json!({"text/event-stream": {"schema": {}}});
        paths["/api/v1/jobs/{id}/continue"]["post"]["requestBody"]["required"] = Value::from(false);
        for (path, methods) in paths {
            for (method, operation) in methods.as_object_mut().into_iter().flatten() {
                common(path, method, operation);
            }
        }
    }
    Ok(document)
}

/// Enums of what the program knows by name.
fn names() -> BTreeMap<String, Value> {
    let list = |names: Vec<&str>| json!({"type": "string", "enum": names});
    let mut algorithms: Vec<&str> = pfss::algorithms().iter().map(|algorithm| algorithm.name).collect();
    for planner in pfss::planner::algorithms() {
        if !algorithms.contains(&planner.name) {
            algorithms.push(planner.name);
        }
    }
    [
        ("AlgorithmName", list(algorithms)),
        ("Objective", list(Objective::ALL.iter().map(|objective| objective.name()).collect())),
        ("FormatName", list(Format::ALL.iter().map(|format| format.name()).collect())),
        ("UnitName", list(Unit::ALL.iter().map(|unit| unit.name()).collect())),
    ]
    .map(|(name, schema)| (name.to_string(), schema))
    .into()
}

/// One path for each file of a job: they have different contents.
fn exports(paths: &mut Map<String, Value>) {
    let Some(any) = paths.remove("/api/v1/jobs/{id}/{file}") else { return };
    for export in api::exports::Export::ALL {
        let mut operation = any["get"].clone();
        let name = export.name();
        let words: String = name.split('.').map(capital).collect();
        operation["operationId"] = Value::from(format!("export{words}"));
        operation["summary"] = Value::from(export.summary());
        operation["description"] = Value::Null;
        if let Some(parameters) = operation["parameters"].as_array_mut() {
            parameters.retain(|parameter| parameter["name"] != "file");
        }
        let media_type = export.media_type().split(';').next().unwrap_or_default();
        operation["responses"]["200"]["content"] = json!({media_type: {"schema": export.schema()}});
        operation["responses"]["200"]["headers"]["ETag"] =
            json!({"description": "Of a job that has ended", "schema": {"type": "string"}});
        if let Some(parameters) = operation["parameters"].as_array_mut() {
            let description = "Tags of what the client has, or *";
            parameters.push(json!({"name": "If-None-Match", "in": "header", "required": false,
                "description": description, "schema": {"type": "string"}}));
        }
        if let Some(operation) = operation.as_object_mut() {
            operation.retain(|_, value| !value.is_null());
        }
        paths.insert(format!("/api/v1/jobs/{{id}}/{name}"), json!({"get": operation}));
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase().to_string() + letters.as_str()).unwrap_or_default()
}

/// What a path that takes files takes: text or bytes, and options in the query.
fn files(operation: &mut Value, options: &Value) {
    const CSV: &str = "job,cut,weld,due\nhood,4,3,12\ndoor,2,5,9\n";
    let content = &mut operation["requestBody"]["content"];
    if content.is_null() {
        *content = json!({});
    }
    for media_type in ["text/csv", "text/plain", "text/tab-separated-values"] {
        content[media_type] = json!({"schema": {"type": "string"}});
    }
    content["text/csv"]["example"] = Value::from(CSV);
    for media_type in [WORKBOOK, "application/octet-stream"] {
        content[media_type] = json!({"schema": {"type": "string", "format": "binary"}});
    }
    operation["requestBody"]["required"] = Value::from(true);
    let Some(parameters) = operation["parameters"].as_array_mut() else { return };
    for (name, schema) in options.as_object().into_iter().flatten() {
        let schema_of_text = match name.as_str() {
            // They belong to an order in JSON.
            "pinned" => continue,
            "set" => json!({"type": "array", "items": {"type": "string"}}),
            "time_limit" | "first" | "start" => json!({"type": "string"}),
            _ => without_null(schema),
        };
        if parameters.iter().all(|parameter| parameter["name"] != *name) {
            let description =
                format!("Not with JSON: {}", schema["description"].as_str().unwrap_or("an option"));
            parameters.push(json!({
                "name": name, "in": "query", "required": false, "description": description, "schema": schema_of_text,
            }));
        }
    }
}

/// The schema of what is not null.
fn without_null(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(kind) = schema["type"].as_array().and_then(|kinds| kinds.iter().find(|kind| *kind != "null"))
    {
        schema["type"] = kind.clone();
    }
    let either = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    if let Some(reference) = either.and_then(|either| either.iter().find(|one| one.get("$ref").is_some())) {
        return reference.clone();
    }
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("description");
        schema.remove("example");
        // A client would send it, also with a body of JSON.
        schema.remove("default");
    }
    schema
}

/// What all operations of a kind may answer.
fn common(path: &str, method: &str, operation: &mut Value) {
    let mut statuses = vec![
        (400, "The request is malformed"),
        (403, "It comes from a foreign page, or names a foreign host"),
        (414, "Its target is too long"),
        (431, "Its headers are too large"),
    ];
    if path != "/healthz" {
        statuses.push((401, "The server wants another token"));
        statuses.push((
            503,
            "The store cannot be used, or the server ends, or too much is being sent or received",
        ));
    }
    if method != "get" {
        statuses.push((408, "The body did not arrive in time"));
        statuses.push((413, "The body or the instance is too large"));
        statuses.push((415, "The body is of another type, encoding or charset"));
        statuses.push((507, "The disk of the store is full"));
    }
    // What is left out of a query or a head is not null.
    for parameter in operation.get_mut("parameters").and_then(Value::as_array_mut).into_iter().flatten() {
        parameter["schema"] = without_null(&parameter["schema"]);
    }
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    for (status, description) in statuses {
        let response = responses.entry(status.to_string()).or_insert_with(|| {
            json!({"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}})
        });
        if response["description"].as_str().is_none_or(str::is_empty) {
            response["description"] = Value::from(description);
        }
    }
    for (status, response) in responses.iter_mut() {
        let words =
            StatusCode::from_bytes(status.as_bytes()).ok().and_then(|status| status.canonical_reason());
        if response["description"].as_str().is_none_or(str::is_empty) {
            response["description"] = Value::from(words.unwrap_or("An answer"));
        }
        let header = match status.as_str() {
            "429" | "503" => Some(("Retry-After", "Seconds after which to try again", "integer")),
            "401" => Some(("WWW-Authenticate", "Bearer", "string")),
            "405" => Some(("Allow", "The methods of this path", "string")),
            _ => None,
        };
        if let Some((name, description, kind)) = header {
            response["headers"][name] = json!({"description": description, "schema": {"type": kind}});
        }
    }
}

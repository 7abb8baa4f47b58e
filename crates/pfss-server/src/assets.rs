//! The page, its scripts and styles: part of the program, so that nothing is loaded from elsewhere.

use std::sync::OnceLock;

use axum::Router;
use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};

use crate::conditional::{is_known, weak_tag};
use crate::problem::Problem;
use crate::respond::with_type;

/// A file of the page.
struct Asset {
    name: &'static str,
    media_type: &'static str,
    content: &'static str,
}

macro_rules! assets {
    ($($name:literal $media_type:expr;)*) => {
        [$(Asset { name: $name, media_type: $media_type, content: include_str!(concat!("page/", $name)) }),*]
    };
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const ASSETS: &[Asset] = &assets! {
    "index.html" HTML;
    "style.css" STYLE;
    "chart.css" STYLE;
    "icon.svg" "image/svg+xml";
    "main.js" SCRIPT;
    "api.js" SCRIPT;
    "words.js" SCRIPT;
    "table.js" SCRIPT;
    "rules.js" SCRIPT;
    "clock.js" SCRIPT;
    "dom.js" SCRIPT;
    "start.js" SCRIPT;
    "editor.js" SCRIPT;
    "chart.js" SCRIPT;
    "plan.js" SCRIPT;
    "order.js" SCRIPT;
    "history.js" SCRIPT;
    "compare.js" SCRIPT;
    "export.js" SCRIPT;
    "course.js" SCRIPT;
};

/// The paths of the page.
pub(crate) fn router() -> Router {
    Router::new()
        .route("/", get(|headers: HeaderMap| async move { answer("index.html", &headers) }))
        .route(
            "/page/{name}",
            get(|Path(name): Path<String>, headers: HeaderMap| async move { answer(&name, &headers) }),
        )
        .route("/favicon.ico", get(|headers: HeaderMap| async move { answer("icon.svg", &headers) }))
}

/// The chart's script as a module: the one that `gantt.html` has.
fn chart_script() -> &'static str {
    static CHART: OnceLock<String> = OnceLock::new();
    let script = || {
        let body = serde_json::Value::from(pfss_render::GANTT_BODY);
        format!(
            "{}\nconst ganttBody = {body};\nexport {{ ganttBody, ganttChart }};\n",
            pfss_render::GANTT_SCRIPT
        )
    };
    CHART.get_or_init(script)
}

fn answer(name: &str, headers: &HeaderMap) -> Response {
    let (media_type, content) = match name {
        "gantt.js" => (SCRIPT, chart_script()),
        name => match ASSETS.iter().find(|asset| asset.name == name) {
            Some(asset) => (asset.media_type, asset.content),
            None => return Problem::unknown("the page has no such file").into_response(),
        },
    };
    let tag = weak_tag(&fingerprint(content));
    let is_known = tag.as_ref().is_some_and(|tag| is_known(headers, tag));
    let mut response = match is_known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => with_type(StatusCode::OK, media_type, content),
    };
    // Asked for each time, so that a new version of the program shows its own page at once.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Some(tag) = tag {
        response.headers_mut().insert(header::ETAG, tag);
    }
    response
}

fn fingerprint(content: &str) -> String {
    let hash = Sha256::digest(content.as_bytes());
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

//! Errors as RFC 9457 has them: `application/problem+json`, with a sentence for people.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use pfss_io::ReadError;
use serde::Serialize;
use utoipa::ToSchema;

/// Why a request is refused.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// What kind of problem it is; always `about:blank`, so the status says it.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The status in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What is wrong and what would be accepted: the sentence of the command line.
    detail: String,
    /// The line in the body, counted from 1, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// The column in that line, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    /// The sentence without the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip)]
    retry_after: Option<u32>,
}

impl Problem {
    /// A problem with this status and sentence.
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into(),
            line: None,
            column: None,
            reason: None,
            retry_after: None,
        }
    }

    /// The request cannot be understood.
    pub(crate) fn malformed(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, detail)
    }

    /// There is no such thing.
    pub(crate) fn unknown(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, detail)
    }

    /// Not possible in this state.
    pub(crate) fn conflict(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, detail)
    }

    /// The body or the instance is too large.
    pub(crate) fn too_large(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
    }

    /// The instance, or what is asked of it, is refused.
    pub(crate) fn refused(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// Try again later.
    pub(crate) fn busy(status: StatusCode, detail: impl Into<String>, retry_after: u32) -> Self {
        Self { retry_after: Some(retry_after), ..Self::new(status, detail) }
    }

    /// An instance that cannot be read, with its place.
    pub(crate) fn of_reading(error: &ReadError) -> Self {
        let mut problem = Self::refused(error.to_string());
        problem.reason = Some(error.problem.to_string());
        if let Some(position) = error.position {
            let small = |number: usize| u32::try_from(number).ok();
            (problem.line, problem.column) = (small(position.line), small(position.column));
        }
        problem
    }

    /// The same with its place in the body.
    pub(crate) fn at(self, line: Option<u32>, column: Option<u32>) -> Self {
        let (Some(at_line), Some(at_column)) = (line, column) else { return self };
        let detail = format!("{} (line {at_line}, column {at_column})", self.detail);
        Self { reason: Some(self.detail), detail, line, column, ..self }
    }

    /// The HTTP status.
    pub(crate) fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// The sentence.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }
}

/// Something that should not happen.
pub(crate) fn internal(error: &dyn std::fmt::Display) -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, format!("this is a defect worth reporting: {error}"))
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let body = serde_json::to_vec(&self).unwrap_or_default();
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"pfss\""));
        }
        response
    }
}

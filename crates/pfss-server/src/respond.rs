//! Answers, and bodies that are read within bounds.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;
use serde::Serialize;
use tokio::sync::SemaphorePermit;

use crate::problem::Problem;
use crate::shared::Shared;

/// The answer of a handler.
pub(crate) type Answer = Result<Response, Problem>;

/// An answer with this body.
pub(crate) fn with_type(status: StatusCode, media_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// An answer in JSON.
pub(crate) fn json(status: StatusCode, content: &impl Serialize) -> Answer {
    let body = serde_json::to_vec(content).map_err(|error| internal(&error))?;
    Ok(with_type(status, "application/json", body))
}

/// Something that should not happen.
pub(crate) fn internal(error: &dyn std::fmt::Display) -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, format!("this is a defect worth reporting: {error}"))
}

/// Does what takes time or waits for the disk, away from the threads that answer.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => Err(internal(&error)),
    }
}

/// A body and the room that it takes.
pub(crate) struct Received<'a> {
    pub(crate) bytes: Vec<u8>,
    _room: Vec<SemaphorePermit<'a>>,
}

/// The body of a request, if it comes in time and is not too large. All bodies on their way share one budget.
pub(crate) async fn receive<'a>(
    shared: &'a Shared,
    headers: &HeaderMap,
    body: Body,
) -> Result<Received<'a>, Problem> {
    let limit = shared.config.bounds.body;
    let too_large = || {
        Problem::too_large(format!(
            "the body is larger than {} MiB, the most that this server takes",
            limit >> 20
        ))
    };
    let announced =
        headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    // A slow line has a second more for each 32 KiB that arrived.
    let mut deadline = tokio::time::Instant::now() + shared.config.bounds.body_timeout;
    let mut received = Received { bytes: Vec::new(), _room: Vec::new() };
    let mut body = body;
    loop {
        let frame = match tokio::time::timeout_at(deadline, body.frame()).await {
            Err(_) => {
                let detail = "the body did not arrive in time; send it again on a faster line";
                return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, detail));
            }
            Ok(None) => return Ok(received),
            Ok(Some(Err(error))) => {
                return Err(Problem::malformed(format!("the body cannot be read: {error}")));
            }
            Ok(Some(Ok(frame))) => frame,
        };
        let Ok(data) = frame.into_data() else { continue };
        if received.bytes.len() + data.len() > limit {
            return Err(too_large());
        }
        received.bytes.extend_from_slice(&data);
        deadline += Duration::from_secs_f64(data.len() as f64 / 32768.0);
        while received._room.len() << 20 < received.bytes.len() {
            let room = shared.bodies.try_acquire().map_err(|_| {
                let detail = "too much is being sent to this server at the moment; try again soon";
                Problem::busy(StatusCode::SERVICE_UNAVAILABLE, detail, 2)
            })?;
            received._room.push(room);
        }
    }
}

/// A body that holds on to something until it is sent or given up. It is handed over in small pieces, because whatever takes a
/// piece keeps it until it is sent.
pub(crate) struct Guarded<G> {
    inner: Body,
    rest: Bytes,
    _guard: G,
}

/// The largest piece.
const PIECE: usize = 64 << 10;

impl<G: Send + Unpin + 'static> Guarded<G> {
    /// The response with a guard on its body.
    pub(crate) fn response(response: Response, guard: G) -> Response {
        response.map(|inner| Body::new(Self { inner, rest: Bytes::new(), _guard: guard }))
    }
}

impl<G: Unpin> http_body::Body for Guarded<G> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match Pin::new(&mut self.inner).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
                other => return other,
            }
        }
        let size = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(size)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (inner, rest) = (self.inner.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        hint.set_lower(inner.lower() + rest);
        if let Some(upper) = inner.upper() {
            hint.set_upper(upper + rest);
        }
        hint
    }
}

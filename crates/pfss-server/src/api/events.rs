//! What happens to a job, as it happens.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use futures_util::stream;
use tokio::sync::watch;

use super::jobs::row;
use crate::problem::Problem;
use crate::respond::{Answer, blocking, with_type};
use crate::shared::Shared;
use crate::topic::{Event, Topic};

/// A line that says nothing keeps proxies from closing a stream, and finds clients that are gone.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// A stream to one client.
struct Watcher {
    shared: Arc<Shared>,
    topic: Arc<Topic>,
    changes: watch::Receiver<u64>,
    ending: watch::Receiver<bool>,
    /// The last event that was sent.
    last: u64,
    is_first: bool,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.shared.metrics.stream_closed();
    }
}

impl Watcher {
    /// What is sent next; `None` ends the stream.
    async fn next(&mut self) -> Option<Bytes> {
        if std::mem::take(&mut self.is_first) {
            let (present, _) = self.topic.present();
            return Some(text(&[present]));
        }
        loop {
            if self.topic.is_deleted() || *self.ending.borrow() {
                return None;
            }
            self.changes.mark_unchanged();
            let events = self.topic.since(self.last);
            if let Some(last) = events.last() {
                self.last = last.id.unwrap_or(self.last);
                events.iter().for_each(|_| self.shared.metrics.event());
                return Some(text(&events));
            }
            let ending = self.ending.changed();
            let wait = async {
                let (changed, ending) = (std::pin::pin!(self.changes.changed()), std::pin::pin!(ending));
                futures_util::future::select(changed, ending).await;
            };
            if tokio::time::timeout(HEARTBEAT, wait).await.is_err() {
                return Some(Bytes::from_static(b": still here\n\n"));
            }
        }
    }
}

/// Events as they are sent.
fn text(events: &[Event]) -> Bytes {
    let mut text = String::new();
    for event in events {
        if let Some(id) = event.id {
            text += &format!("id: {id}\n");
        }
        text += &format!("event: {}\ndata: {}\n\n", event.name, event.data);
    }
    Bytes::from(text)
}

/// Server-sent events: `state` at once, then `improvement`, `bound` and `state` as they happen. With `Last-Event-ID`, what happened since.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/events", operation_id = "watchJob", tag = "jobs",
    params(("id" = String, Path, description = "The job"),
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event that was received")),
    responses((status = 200, body = String, content_type = "text/event-stream"),
        (status = 401, body = Problem, content_type = "application/problem+json"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn events(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Answer {
    let topic = blocking({
        let shared = Arc::clone(&shared);
        move || Ok(shared.topics.of(&row(&shared, &id)?))
    });
    let topic = topic.await?;
    let given = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.trim().parse::<u64>().ok());
    let changes = topic.subscribe();
    let last = given.unwrap_or_else(|| topic.present().1);
    let ending = shared.ending.subscribe();
    shared.metrics.stream_opened();
    let watcher = Watcher { shared, topic, changes, ending, last, is_first: true };
    let stream = stream::unfold(watcher, |mut watcher| async move {
        let next = watcher.next().await?;
        Some((Ok::<_, std::convert::Infallible>(next), watcher))
    });
    let mut response = with_type(StatusCode::OK, "text/event-stream", Body::from_stream(stream));
    // A proxy that collects answers would hold events back.
    response.headers_mut().insert("x-accel-buffering", HeaderValue::from_static("no"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

//! What happens to a job, as it happens.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use futures_util::stream;
use tokio::sync::watch;

use crate::input::digits;
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
    /// What is sent next; `None` ends the stream: after the last state of a job that has ended, or with the server.
    async fn next(&mut self) -> Option<Bytes> {
        if std::mem::take(&mut self.is_first) {
            let (present, _) = self.topic.present();
            return Some(text(&[present]));
        }
        loop {
            self.changes.mark_unchanged();
            let (events, may_follow) = self.topic.since(self.last);
            if let Some(last) = events.last() {
                self.last = last.id.unwrap_or(self.last);
                events.iter().for_each(|_| self.shared.metrics.event());
                return Some(text(&events));
            }
            if !may_follow || *self.ending.borrow() {
                return None;
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

/// Server-sent events: `state` at once, then `improvement`, `bound` and `state` as they happen. With `Last-Event-ID`, what
/// happened since. The stream ends after the state in which the job ends, or when it is forgotten; where the server ends
/// before, a client that asks again misses nothing.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/events", operation_id = "watchJob", tag = "jobs",
    params(("id" = String, Path, description = "The job"),
        ("Last-Event-ID" = Option<u64>, Header, description = "The last event that was received")),
    responses((status = 200, body = String, content_type = "text/event-stream"),
        (status = 404, body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn events(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Answer {
    let given = match headers.get("last-event-id").map(|id| id.to_str().unwrap_or("?").trim()) {
        None => None,
        Some(id) => {
            // Numbers of events are those that other languages hold, too.
            let is_number = |id: &u64| i64::try_from(*id).is_ok();
            let id = Some(digits("Last-Event-ID", id)?).filter(is_number);
            Some(id.ok_or_else(|| Problem::malformed("Last-Event-ID: no event has such a large number"))?)
        }
    };
    let topic = blocking({
        let shared = Arc::clone(&shared);
        move || Ok(shared.topics.of(&shared.row(&id)?))
    });
    let topic = topic.await?;
    let changes = topic.subscribe();
    // A number beyond the last one is that of an earlier process, which counted otherwise.
    let (_, present) = topic.present();
    let last = given.filter(|given| *given <= present).unwrap_or(present);
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

//! Connections within bounds: how many, how slow, how idle.

use std::collections::HashMap;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::Response;
use hyper::body::Incoming;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::Sleep;
use tower::ServiceExt;

use crate::problem::Problem;
use crate::respond::Guarded;
use crate::shared::Shared;

/// The most that the head of a request may take. The guard refuses smaller ones, with a sentence.
const LARGEST_HEAD: usize = 256 << 10;

/// Who is connected.
#[derive(Default)]
struct Crowd {
    next: AtomicU64,
    /// Grows with every request, so that it tells who asked last.
    clock: AtomicU64,
    connections: Mutex<HashMap<u64, Arc<Visitor>>>,
}

/// One connection.
#[derive(Default)]
struct Visitor {
    /// Requests that are being answered.
    busy: AtomicUsize,
    /// When the last one was done.
    idle_since: AtomicU64,
    /// Asks the connection to give way.
    give_way: Notify,
}

/// Marks a connection as busy until the answer is sent.
struct Busy {
    visitor: Arc<Visitor>,
    crowd: Arc<Crowd>,
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.visitor.idle_since.store(self.crowd.tick(), Ordering::Relaxed);
        self.visitor.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Crowd {
    fn tick(&self) -> u64 {
        self.clock.fetch_add(1, Ordering::Relaxed)
    }

    /// A newcomer's place, unless all places are taken by those who are being answered. Whoever was idle longest gives way.
    fn admit(&self, most: usize) -> Option<(u64, Arc<Visitor>)> {
        let mut connections = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if connections.len() >= most {
            let idle = connections.iter().filter(|(_, visitor)| visitor.busy.load(Ordering::Relaxed) == 0);
            let (&longest, _) = idle.min_by_key(|(_, visitor)| visitor.idle_since.load(Ordering::Relaxed))?;
            if let Some(visitor) = connections.remove(&longest) {
                visitor.give_way.notify_one();
            }
        }
        let visitor = Arc::new(Visitor::default());
        visitor.idle_since.store(self.tick(), Ordering::Relaxed);
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        connections.insert(number, Arc::clone(&visitor));
        Some((number, visitor))
    }

    fn leave(&self, number: u64) {
        self.connections.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
    }
}

/// Accepts connections until the server ends.
pub(crate) async fn accept(listener: TcpListener, shared: Arc<Shared>, router: Router) {
    let crowd = Arc::new(Crowd::default());
    let mut ending = shared.ending.subscribe();
    loop {
        let accepted = {
            let (accept, end) =
                (std::pin::pin!(listener.accept()), std::pin::pin!(ending.wait_for(|ends| *ends)));
            match futures_util::future::select(accept, end).await {
                futures_util::future::Either::Left((accepted, _)) => accepted,
                futures_util::future::Either::Right(_) => return,
            }
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(_) => {
                // Most likely no more files may be open: wait until some are closed.
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Some((number, visitor)) = crowd.admit(shared.config.bounds.connections) else {
            tokio::spawn(turn_away(stream));
            continue;
        };
        let (shared, router, crowd) = (Arc::clone(&shared), router.clone(), Arc::clone(&crowd));
        tokio::spawn(async move {
            shared.metrics.opened();
            serve(stream, &shared, router, &visitor, &crowd).await;
            crowd.leave(number);
            shared.metrics.closed();
        });
    }
}

/// Tells a client that there is no room.
async fn turn_away(stream: TcpStream) {
    let problem = Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "all connections of this server are taken; try again soon",
    );
    // A new stream has room for so little.
    if stream.writable().await.is_ok() {
        let _ = stream.try_write(&whole("Retry-After: 5\r\n", &problem));
    }
}

/// A refusal as it is sent where nobody else sends it.
fn whole(headers: &str, problem: &Problem) -> Vec<u8> {
    let body = serde_json::to_vec(problem).unwrap_or_default();
    let (status, length) = (problem.status(), body.len());
    let reason = status.canonical_reason().unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {} {reason}\r\n{headers}Content-Type: application/problem+json\r\nX-Content-Type-Options: nosniff\r\n\
         Connection: close\r\nContent-Length: {length}\r\n\r\n",
        status.as_u16()
    );
    [head.into_bytes(), body].concat()
}

/// The refusal in the place of one that hyper sends without a body, when it cannot read the head of a request.
fn instead_of(answer: &[u8]) -> Option<Vec<u8>> {
    const MARK: &[u8] = b"x-content-type-options";
    let status = answer.strip_prefix(b"HTTP/1.1 4")?.get(..2)?;
    let is_bare = answer.ends_with(b"\r\n\r\n") && !answer.windows(MARK.len()).any(|part| part == MARK);
    let (status, detail) = match status {
        _ if !is_bare => return None,
        b"14" => (StatusCode::URI_TOO_LONG, "the target of the request is too long"),
        b"31" => (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, "the headers of the request are too large"),
        b"08" => (StatusCode::REQUEST_TIMEOUT, "the head of the request did not arrive in time"),
        _ => (StatusCode::BAD_REQUEST, "this is no request of HTTP/1.1"),
    };
    Some(whole("", &Problem::new(status, detail)))
}

async fn serve(
    stream: TcpStream,
    shared: &Arc<Shared>,
    router: Router,
    visitor: &Arc<Visitor>,
    crowd: &Arc<Crowd>,
) {
    let _ = stream.set_nodelay(true);
    let bounds = shared.config.bounds;
    let service = hyper::service::service_fn(|request: Request<Incoming>| {
        visitor.busy.fetch_add(1, Ordering::Relaxed);
        let busy = Busy { visitor: Arc::clone(visitor), crowd: Arc::clone(crowd) };
        let router = router.clone();
        async move {
            let response: Response = match router.oneshot(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            Ok::<_, std::convert::Infallible>(Guarded::response(response, busy))
        }
    });
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(bounds.head_timeout)
        .max_buf_size(LARGEST_HEAD)
        .half_close(false)
        .serve_connection(TokioIo::new(Impatient::new(stream, bounds.write_timeout)), service);
    let mut connection = std::pin::pin!(connection);
    let mut ending = shared.ending.subscribe();
    let gives_way = std::pin::pin!(async {
        let (way, end) =
            (std::pin::pin!(visitor.give_way.notified()), std::pin::pin!(ending.wait_for(|ends| *ends)));
        matches!(futures_util::future::select(way, end).await, futures_util::future::Either::Left(_))
    });
    match futures_util::future::select(connection.as_mut(), gives_way).await {
        futures_util::future::Either::Left(_) | futures_util::future::Either::Right((true, _)) => {}
        futures_util::future::Either::Right((false, _)) => {
            // The server ends: what is being answered may be finished.
            connection.as_mut().graceful_shutdown();
            let _ = connection.await;
        }
    }
}

/// A stream whose other end must read something now and then.
struct Impatient {
    stream: TcpStream,
    patience: Duration,
    waiting: Option<Pin<Box<Sleep>>>,
}

impl Impatient {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience, waiting: None }
    }

    /// What a write gives, or an error when nothing could be written for too long.
    fn judge<T>(&mut self, result: Poll<io::Result<T>>, context: &mut Context<'_>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.waiting = None;
            return result;
        }
        let patience = self.patience;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        match waiting.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Impatient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Impatient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = match instead_of(bytes) {
            // The stream has room for so little.
            Some(refusal) => Pin::new(&mut self.stream).poll_write(context, &refusal).map_ok(|_| bytes.len()),
            None => Pin::new(&mut self.stream).poll_write(context, bytes),
        };
        self.judge(written, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if let [bytes] = slices
            && instead_of(bytes).is_some()
        {
            return self.poll_write(context, bytes);
        }
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(written, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

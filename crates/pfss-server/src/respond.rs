//! Answers, and bodies that are read within bounds.

use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use flate2::write::MultiGzDecoder;
use http_body::{Frame, SizeHint};
use http_body_util::BodyExt;
use serde::Serialize;
use tokio::sync::SemaphorePermit;

use crate::guard::is_gzip;
use crate::problem::{Problem, internal};
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
    let mut content = match headers
        .get(header::CONTENT_ENCODING)
        .is_some_and(|coding| coding.to_str().is_ok_and(is_gzip))
    {
        true => Content::Gzip(Box::new(MultiGzDecoder::new(Bounded { bytes: Vec::new(), limit }))),
        false => Content::Plain(Bounded { bytes: Vec::new(), limit }),
    };
    let mut room = Vec::new();
    let mut body = body;
    loop {
        let frame = match tokio::time::timeout_at(deadline, body.frame()).await {
            Err(_) => {
                let detail = "the body did not arrive in time; send it again on a faster line";
                return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, detail));
            }
            Ok(None) => {
                let bytes = content.end().map_err(|_| no_gzip())?;
                return Ok(Received { bytes, _room: room });
            }
            Ok(Some(Err(error))) => {
                return Err(Problem::malformed(format!("the body cannot be read: {error}")));
            }
            Ok(Some(Ok(frame))) => frame,
        };
        let Ok(data) = frame.into_data() else { continue };
        deadline += Duration::from_secs_f64(data.len() as f64 / 32768.0);
        // A little at a time: compressed, it may be a thousand times as much.
        for piece in data.chunks(INFLATED_AT_ONCE) {
            content.take(piece).map_err(|error| match error.kind() {
                io::ErrorKind::FileTooLarge => too_large(),
                _ => no_gzip(),
            })?;
            while room.len() << 20 < content.len() {
                room.push(shared.bodies.try_acquire().map_err(|_| {
                    let detail = "too much is being sent to this server at the moment; try again soon";
                    Problem::busy(StatusCode::SERVICE_UNAVAILABLE, detail, 2)
                })?);
            }
        }
    }
}

/// How many compressed bytes are taken at once.
const INFLATED_AT_ONCE: usize = 4 << 10;

fn no_gzip() -> Problem {
    Problem::malformed("the body is not what gzip makes: damaged, cut off, or followed by something else")
}

/// A body as it arrives.
enum Content {
    Plain(Bounded),
    /// All members of the stream (RFC 1952).
    Gzip(Box<MultiGzDecoder<Bounded>>),
}

impl Content {
    fn take(&mut self, data: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(bytes) => bytes.write_all(data),
            Self::Gzip(decoder) => decoder.write_all(data),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Plain(content) => content.bytes.len(),
            Self::Gzip(decoder) => decoder.get_ref().bytes.len(),
        }
    }

    fn end(self) -> io::Result<Vec<u8>> {
        match self {
            Self::Plain(content) => Ok(content.bytes),
            Self::Gzip(decoder) => decoder.finish().map(|content| content.bytes),
        }
    }
}

/// Bytes up to a limit.
struct Bounded {
    bytes: Vec<u8>,
    limit: usize,
}

impl Write for Bounded {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + data.len() > self.limit {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn read(stream: &[u8], piece: usize) -> io::Result<Vec<u8>> {
        let mut content =
            Content::Gzip(Box::new(MultiGzDecoder::new(Bounded { bytes: Vec::new(), limit: 1 << 20 })));
        stream.chunks(piece).try_for_each(|piece| content.take(piece))?;
        content.end()
    }

    #[test]
    fn a_compressed_body_is_one_stream_to_its_end() {
        let (a, b) = (gzip(b"job,a\nx,1\n"), gzip(b"y,2\n"));
        let both = [a.clone(), b].concat();
        for piece in [1, 7, 1000] {
            assert_eq!(read(&both, piece).unwrap(), b"job,a\nx,1\ny,2\n");
            assert!(read(&[a.as_slice(), b"junk"].concat(), piece).is_err(), "{piece}");
            assert!(read(&a[..a.len() - 3], piece).is_err(), "{piece}");
            assert!(read(b"job,a\nx,1\n", piece).is_err(), "{piece}");
        }
        let bomb = gzip(&vec![0; 2 << 20]);
        assert_eq!(read(&bomb, 1000).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}

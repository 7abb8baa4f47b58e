//! Who may ask, and what every answer says to browsers.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::config::ServerConfig;
use crate::problem::Problem;
use crate::shared::Shared;

/// The page loads its own scripts and styles, talks to its own server, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The policy of a chart as a page of its own: its one script, known by its fingerprint, in an origin of its own.
pub(crate) fn chart_policy() -> HeaderValue {
    static CHART: OnceLock<HeaderValue> = OnceLock::new();
    let policy = || {
        let fingerprint = base64(&Sha256::digest(pfss_render::gantt_html_script().as_bytes()));
        let policy = format!(
            "default-src 'none'; script-src 'sha256-{fingerprint}'; style-src 'unsafe-inline'; img-src data:; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-scripts"
        );
        HeaderValue::from_str(&policy).unwrap_or_else(|_| HeaderValue::from_static("default-src 'none'"))
    };
    CHART.get_or_init(policy).clone()
}

/// The policy of a picture, which brings its own style.
pub(crate) fn picture_policy() -> HeaderValue {
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox")
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let group = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4 {
            let digit = DIGITS[(group >> (18 - 6 * at) & 63) as usize];
            text.push(if at <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

/// Refuses those who may not ask, and marks every answer.
pub(crate) async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let begin = Instant::now();
    let path = request.uri().path();
    let is_api = path.starts_with("/api/") || path == "/metrics";
    let refused = check_origin(&shared.config, request.headers())
        .and_then(|()| if is_api { check_token(&shared.config, request.headers()) } else { Ok(()) })
        .and_then(|()| check_encoding(request.headers()));
    let mut response = match refused {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    mark(response.headers_mut(), is_api);
    shared.metrics.answered(response.status().as_u16(), begin.elapsed());
    response
}

fn mark(headers: &mut HeaderMap, is_api: bool) {
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    let fixed = [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if is_api {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
}

/// On loopback only this machine's names are answered to: a foreign page could otherwise reach the server through a name
/// that it controls (DNS rebinding), or by plain requests from the planner's browser.
fn check_origin(config: &ServerConfig, headers: &HeaderMap) -> Result<(), Problem> {
    if !config.listen.ip().is_loopback() {
        return Ok(());
    }
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(header::HOST).unwrap_or_default();
    if !is_own(config, host) {
        return Err(Problem::new(
            StatusCode::FORBIDDEN,
            format!(
                "this server answers to localhost, not to `{host}`; behind a proxy, name it with `--origin https://{host}`"
            ),
        ));
    }
    match text(header::ORIGIN) {
        None => Ok(()),
        Some(origin) if config.origins.iter().any(|own| own == origin) => Ok(()),
        Some(origin) if origin.strip_prefix("http://") == Some(host) => Ok(()),
        Some(origin) => Err(Problem::new(
            StatusCode::FORBIDDEN,
            format!("requests from `{origin}` are refused; if it is yours, name it with `--origin {origin}`"),
        )),
    }
}

/// Whether a host is this machine, or one of the given origins.
fn is_own(config: &ServerConfig, host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let is_local = name.eq_ignore_ascii_case("localhost") || name == "[::1]" || is_loopback_address(name);
    let is_named =
        |own: &String| own.split_once("://").is_some_and(|(_, own)| own.eq_ignore_ascii_case(host));
    is_local || config.origins.iter().any(is_named)
}

fn is_loopback_address(name: &str) -> bool {
    name.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

fn check_token(config: &ServerConfig, headers: &HeaderMap) -> Result<(), Problem> {
    let Some(token) = &config.token else { return Ok(()) };
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let given = given.strip_prefix("Bearer ").unwrap_or_default();
    if is_same(token, given) {
        return Ok(());
    }
    let detail = match given.is_empty() {
        true => "this server wants a token: send `Authorization: Bearer TOKEN`",
        false => "this is not the server's token",
    };
    Err(Problem::new(StatusCode::UNAUTHORIZED, detail))
}

/// Compares fingerprints to the end, so that the time it takes tells nothing about the token.
fn is_same(token: &str, given: &str) -> bool {
    let (token, given) = (Sha256::digest(token.as_bytes()), Sha256::digest(given.as_bytes()));
    let difference = token.iter().zip(given.iter()).fold(0, |all, (a, b)| all | (a ^ b));
    std::hint::black_box(difference) == 0
}

fn check_encoding(headers: &HeaderMap) -> Result<(), Problem> {
    let encoding = headers.get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap_or("?"));
    match encoding {
        None | Some("identity" | "gzip" | "") => Ok(()),
        Some(other) => Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!("the body is encoded as `{other}`; accepted are gzip and identity"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_written_in_base64() {
        for (text, expected) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")]
        {
            assert_eq!(base64(text.as_bytes()), expected);
        }
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(is_same("secret", "secret"));
        assert!(!is_same("secret", "secre") && !is_same("secret", "secret ") && !is_same("secret", ""));
    }
}

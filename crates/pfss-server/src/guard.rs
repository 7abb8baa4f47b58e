//! Who may ask, and what every answer says to browsers.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
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
    let refused = check_head(request.uri(), request.headers())
        .and_then(|()| check_origin(&shared.config, request.uri(), request.headers()))
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

/// Refuses a query where none is read.
pub(crate) async fn no_query(request: Request, next: Next) -> Response {
    match request.uri().query() {
        None | Some("") => next.run(request).await,
        Some(_) => Problem::malformed("this path takes nothing in its query; leave it out").into_response(),
    }
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

/// The most that the target of a request may take, and all its headers together.
const LONGEST_TARGET: usize = 16 << 10;
const LARGEST_HEADERS: usize = 32 << 10;

/// Refuses heads that are too large for what anybody asks here.
fn check_head(uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
    let target = uri.path_and_query().map_or(0, |target| target.as_str().len());
    if target > LONGEST_TARGET {
        let detail = format!("the target of the request takes {target} bytes, accepted are {LONGEST_TARGET}");
        return Err(Problem::new(StatusCode::URI_TOO_LONG, detail));
    }
    if percent_encoding::percent_decode_str(uri.path()).decode_utf8().is_err() {
        return Err(Problem::malformed("the path is not UTF-8"));
    }
    let size: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if size > LARGEST_HEADERS {
        let detail = format!("the headers take {size} bytes, accepted are {LARGEST_HEADERS}");
        return Err(Problem::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, detail));
    }
    Ok(())
}

/// Only this machine's names are answered to, and only pages of its own: a foreign page could otherwise reach the server through
/// a name that it controls (DNS rebinding), or by plain requests from the planner's browser. On every address: a planner within
/// a company is reached by the pages that a visitor has open.
fn check_origin(config: &ServerConfig, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
    let host =
        only(headers, &header::HOST)?.ok_or_else(|| Problem::malformed("the request has no Host header"))?;
    if uri.authority().is_some_and(|authority| !authority.as_str().eq_ignore_ascii_case(host)) {
        let detail = "the request's target names another host than its Host header";
        return Err(Problem::malformed(detail));
    }
    let forbidden = |detail| Err(Problem::new(StatusCode::FORBIDDEN, detail));
    if !is_own(config, host) {
        return forbidden(format!(
            "this server answers to localhost and to its addresses, not to `{host}`; if it is a name of this server, start it \
             with `--origin http://{host}` (https behind a proxy that encrypts)"
        ));
    }
    match only(headers, &header::ORIGIN)? {
        None => Ok(()),
        Some(origin) if config.origins.iter().any(|own| own.eq_ignore_ascii_case(origin)) => Ok(()),
        Some(origin) if origin.strip_prefix("http://") == Some(host) => Ok(()),
        Some(origin) => forbidden(format!(
            "requests from `{origin}` are refused; if it is yours, name it with `--origin {origin}`"
        )),
    }
}

/// A header that stands once at most.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Result<Option<&'a str>, Problem> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().map(|value| value.to_str().unwrap_or("?"));
    match values.next() {
        Some(_) => Err(Problem::malformed(format!("the request has two {name} headers"))),
        None => Ok(value),
    }
}

/// Whether a host is this machine, or one of the given origins. A page cannot have an address in numbers as its name and come
/// from elsewhere, so those are fine; off loopback the machine's own name is, too.
fn is_own(config: &ServerConfig, host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let plain = name.strip_suffix('.').unwrap_or(name);
    let address: Option<IpAddr> = match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(name) => name.parse::<Ipv6Addr>().ok().map(IpAddr::from),
        None => name.parse::<Ipv4Addr>().ok().map(IpAddr::from),
    };
    let is_here =
        plain.eq_ignore_ascii_case("localhost") || address.is_some_and(|address| address.is_loopback());
    let is_on_network = !config.listen.ip().is_loopback()
        && (address.is_some() || machine_name().is_some_and(|name| plain.eq_ignore_ascii_case(&name)));
    let is_named =
        |own: &String| own.split_once("://").is_some_and(|(_, own)| own.eq_ignore_ascii_case(host));
    is_here || is_on_network || config.origins.iter().any(is_named)
}

/// The name of this machine on its network.
fn machine_name() -> Option<String> {
    #[cfg(unix)]
    return rustix::system::uname().nodename().to_str().ok().map(str::to_string);
    #[cfg(not(unix))]
    std::env::var("COMPUTERNAME").ok()
}

fn check_token(config: &ServerConfig, headers: &HeaderMap) -> Result<(), Problem> {
    let Some(token) = &config.token else { return Ok(()) };
    // The name of the scheme is the same in any case.
    let given = only(headers, &header::AUTHORIZATION)?.and_then(|given| given.split_once(' '));
    let given =
        given.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map_or("", |(_, token)| token);
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

/// Whether this is the name of the one coding that is read.
pub(crate) fn is_gzip(coding: &str) -> bool {
    ["gzip", "x-gzip"].iter().any(|known| coding.eq_ignore_ascii_case(known))
}

fn check_encoding(headers: &HeaderMap) -> Result<(), Problem> {
    match only(headers, &header::CONTENT_ENCODING)? {
        None | Some("") => Ok(()),
        Some(coding) if coding.eq_ignore_ascii_case("identity") || is_gzip(coding) => Ok(()),
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
    fn names_and_addresses_of_this_machine_are_answered_to() {
        let config = |listen: [u8; 4]| ServerConfig {
            listen: (listen, 8080).into(),
            store: "unused".into(),
            workers: 1,
            max_time: std::time::Duration::from_secs(1),
            token: None,
            origins: vec!["https://plan.example.com".to_string()],
            cores: 1,
            memory: 1 << 28,
            bounds: crate::config::Bounds::default(),
        };
        let here = config([127, 0, 0, 1]);
        let everywhere = config([0, 0, 0, 0]);
        let name = machine_name().unwrap();
        for (host, on_loopback, on_network) in [
            ("localhost", true, true),
            ("LocalHost:8080", true, true),
            ("localhost.:8080", true, true),
            ("127.0.0.1:8080", true, true),
            ("[::1]:8080", true, true),
            ("[::1]", true, true),
            ("plan.example.com", true, true),
            ("192.168.1.7:8080", false, true),
            ("[fe80::1]:8080", false, true),
            (format!("{name}:8080").as_str(), name == "localhost", true),
            ("evil.example.com", false, false),
            ("localhost.evil.example.com", false, false),
            ("127.0.0.1.evil.example.com", false, false),
            ("", false, false),
        ] {
            assert_eq!(is_own(&here, host), on_loopback, "{host}");
            assert_eq!(is_own(&everywhere, host), on_network, "{host}");
        }
        let check = |host: &[&'static str], origin: Option<&'static str>, target: &str| {
            let mut headers = HeaderMap::new();
            for host in host {
                headers.append(header::HOST, HeaderValue::from_static(host));
            }
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            }
            let checked = check_origin(&everywhere, &target.parse().unwrap(), &headers);
            checked.map_err(|problem| problem.detail().to_string())
        };
        let own = "10.0.0.5:8080";
        assert_eq!(check(&[own], Some("http://10.0.0.5:8080"), "/"), Ok(()));
        assert_eq!(check(&[own], None, "http://10.0.0.5:8080/"), Ok(()));
        for (host, origin, target, expected) in [
            (vec![own], Some("http://evil.example.com"), "/", "are refused"),
            (vec![own], Some("null"), "/", "are refused"),
            (vec![own, own], None, "/", "two host headers"),
            (vec![], None, "/", "no Host header"),
            (vec![own], None, "http://evil.example.com/", "another host"),
            (vec!["evil.example.com"], None, "/", "not to `evil.example.com`"),
        ] {
            assert!(check(&host, origin, target).unwrap_err().contains(expected), "{host:?} {origin:?}");
        }
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(is_same("secret", "secret"));
        assert!(!is_same("secret", "secre") && !is_same("secret", "secret ") && !is_same("secret", ""));
    }
}

//! Conditional requests (RFC 9110, section 13): whether a client has what it asks for already.

use axum::http::{HeaderMap, HeaderValue, header};

/// A weak tag: the same content may be sent plain or compressed.
pub(crate) fn weak_tag(content: &str) -> Option<HeaderValue> {
    let plain: String = content.chars().filter(|c| c.is_ascii_graphic() && *c != '"').collect();
    HeaderValue::from_str(&format!("W/\"{plain}\"")).ok()
}

/// Whether `If-None-Match` names this tag, by the weak comparison, or any by `*`.
pub(crate) fn is_known(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_string();
    let Ok(own) = tag.to_str().map(opaque) else { return false };
    let lists = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|list| list.to_str().ok());
    lists.into_iter().any(|list| list.trim() == "*" || tags(list).any(|tag| opaque(tag) == own))
}

/// The tags of a list. A comma may stand within a tag.
fn tags(list: &str) -> impl Iterator<Item = &str> {
    let mut rest = list;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches([',', ' ', '\t']);
        let open = rest.find('"')?;
        let close = open + 1 + rest[open + 1..].find('"')?;
        let (tag, after) = rest.split_at(close + 1);
        rest = after;
        Some(tag)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_as_the_standard_has_it() {
        let tag = weak_tag("1-2,3-done").unwrap();
        assert_eq!(tag, "W/\"1-2,3-done\"");
        for (given, expected) in [
            ("W/\"1-2,3-done\"", true),
            ("\"1-2,3-done\"", true),
            ("*", true),
            (" * ", true),
            ("\"a\", W/\"b,c\" , W/\"1-2,3-done\"", true),
            ("\"1-2\",\"3-done\"", false),
            ("1-2,3-done", false),
            ("\"1-2,3-done", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, HeaderValue::from_str(given).unwrap());
            assert_eq!(is_known(&headers, &tag), expected, "{given}");
        }
        let mut headers = HeaderMap::new();
        assert!(!is_known(&headers, &tag));
        for given in ["\"a\"", "\"1-2,3-done\""] {
            headers.append(header::IF_NONE_MATCH, HeaderValue::from_static(given));
        }
        assert!(is_known(&headers, &tag), "several lines are one list");
    }
}

//! What all HTML pages share: a policy that forbids loading anything, safe strings, the frame of a picture.

use std::fmt::Write;

use crate::svg::escape;

/// Forbids every outside resource, so that the page is the same offline and anywhere.
pub(crate) const CONTENT_POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src \
     'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">";

const STYLE: &str = include_str!("page.css");

/// A page that shows one picture, in light or dark colours as the reader's system has them.
pub(crate) fn picture_page(title: &str, svg: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{CONTENT_POLICY}\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{svg}</main>\n</body>\n</html>\n",
        escape(title)
    )
}

/// A string of JSON and JavaScript that cannot end the script element it stands in.
pub(crate) fn script_string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '<' | '>' | '&' | '\'' | '\u{2028}' | '\u{2029}' | '\0'..='\x1f' | '\x7f' => {
                let _ = write!(quoted, "\\u{:04x}", c as u32);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_cannot_leave_their_script() {
        assert_eq!(script_string("J 1 ü"), "\"J 1 ü\"");
        assert_eq!(script_string("</script>\"\\\n"), "\"\\u003c/script\\u003e\\\"\\\\\\u000a\"");
    }
}

//! JSON texts and their parts, with errors that tell the place in the whole text.

use serde::Deserialize;

use crate::error::{Problem, ReadError};

/// All JSON values of a text, one after the other.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn values<'a, T: Deserialize<'a>>(text: &'a str) -> Result<Vec<T>, ReadError> {
    serde_json::Deserializer::from_str(text)
        .into_iter()
        .collect::<Result<_, _>>()
        .map_err(|error| json_error(text, 0, &error))
}

/// Parses a part of `text`.
pub(crate) fn parse<'a, T: Deserialize<'a>>(text: &str, part: &'a str) -> Result<T, ReadError> {
    serde_json::from_str(part).map_err(|error| json_error(text, offset(text, part), &error))
}

/// Where a part of `text` starts.
pub(super) fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// The error of a part that starts at `start`, with its place in the whole text.
fn json_error(text: &str, start: usize, error: &serde_json::Error) -> ReadError {
    // The library counts lines and columns (in bytes) within the part it was given.
    let part = text.get(start..).unwrap_or_default();
    let line_start: usize =
        part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let at = start + line_start + error.column().saturating_sub(1);
    ReadError::at(text.as_bytes(), at, Problem::Json { message: words(error) })
}

/// What is wrong with a JSON text, in words of JSON and without the place: the library names types of its own language.
pub fn words(error: &serde_json::Error) -> String {
    const FOUND: [(&str, &str); 6] = [
        ("map", "an object"),
        ("sequence", "a list"),
        ("floating point ", ""),
        ("integer ", ""),
        ("boolean ", ""),
        ("character ", ""),
    ];
    const WHOLE: &str = "a whole number from 0";
    let sentence = error.to_string();
    let sentence = sentence.rsplit_once(" at line ").map_or(sentence.as_str(), |(sentence, _)| sentence);
    let named = |before: &str| sentence.strip_prefix(before)?.split('`').next();
    if let Some(name) = named("duplicate field `") {
        return format!("`{name}` stands there twice");
    }
    if let Some(name) = named("missing field `") {
        return format!("`{name}` is missing");
    }
    let sentence = sentence.replace("invalid length ", "invalid type: a list of length ");
    let kinds = ["invalid type: ", "invalid value: "];
    let Some(rest) = kinds.iter().find_map(|kind| sentence.strip_prefix(kind)) else {
        return sentence;
    };
    let (theirs, expected) = rest.rsplit_once(", expected ").unwrap_or((rest, ""));
    let found = FOUND.iter().find_map(|(word, ours)| Some(format!("{ours}{}", theirs.strip_prefix(word)?)));
    let found = found.unwrap_or_else(|| theirs.to_string());
    let expected = match expected {
        "u64" | "usize" | "i64" => WHOLE.to_string(),
        "u32" => format!("{WHOLE} to {}", u32::MAX),
        "f64" => "a number".to_string(),
        "a sequence" => "a list".to_string(),
        "a map" => "an object".to_string(),
        "unit" => "null".to_string(),
        other if other.starts_with("struct ") => "an object".to_string(),
        other if other.starts_with("an array of length ") => other.replace("an array", "a list"),
        other => other.to_string(),
    };
    format!("found {found}, expected {expected}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only what cannot be read matters")]
    struct Sample {
        count: u32,
        number: Option<f64>,
        total: Option<u64>,
        pair: Option<[u64; 2]>,
        names: Option<Vec<String>>,
        flag: Option<bool>,
        inner: Option<Box<Sample>>,
    }

    #[test]
    fn what_is_wrong_is_told_in_words_of_json() {
        for (text, expected) in [
            ("5", "found `5`, expected an object"),
            ("null", "found null, expected an object"),
            ("{}", "`count` is missing"),
            (r#"{"count": 1, "count": 2}"#, "`count` stands there twice"),
            (r#"{"count": -1}"#, "found `-1`, expected a whole number from 0 to 4294967295"),
            (r#"{"count": 5000000000}"#, "found `5000000000`, expected a whole number from 0 to 4294967295"),
            (r#"{"count": 1.5}"#, "found `1.5`, expected a whole number from 0 to 4294967295"),
            (
                r#"{"count": "a, expected b"}"#,
                "found string \"a, expected b\", expected a whole number from 0 to 4294967295",
            ),
            (r#"{"count": {}}"#, "found an object, expected a whole number from 0 to 4294967295"),
            (r#"{"count": true}"#, "found `true`, expected a whole number from 0 to 4294967295"),
            (r#"{"count": 1, "number": []}"#, "found a list, expected a number"),
            (r#"{"count": 1, "total": "x"}"#, "found string \"x\", expected a whole number from 0"),
            (r#"{"count": 1, "pair": 1}"#, "found `1`, expected a list of length 2"),
            (r#"{"count": 1, "pair": [1]}"#, "found a list of length 1, expected a list of length 2"),
            (r#"{"count": 1, "names": 1}"#, "found `1`, expected a list"),
            (r#"{"count": 1, "names": [1]}"#, "found `1`, expected a string"),
            (r#"{"count": 1, "flag": "yes"}"#, "found string \"yes\", expected a boolean"),
            (r#"{"count": 1, "inner": 3}"#, "found `3`, expected an object"),
            (
                r#"{"count": 1, "more": 3}"#,
                "unknown field `more`, expected one of `count`, `number`, `total`, `pair`, `names`, `flag`, `inner`",
            ),
            (r#"{"count": 1"#, "EOF while parsing an object"),
        ] {
            assert_eq!(words(&serde_json::from_str::<Sample>(text).unwrap_err()), expected, "{text}");
        }
    }
}

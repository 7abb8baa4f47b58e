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
    let message = error.to_string();
    // The library counts lines and columns (in bytes) within the part it was given.
    let part = text.get(start..).unwrap_or_default();
    let line_start: usize =
        part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let at = start + line_start + error.column().saturating_sub(1);
    let message = message.split(" at line ").next().unwrap_or_default().to_string();
    ReadError::at(text.as_bytes(), at, Problem::Json { message })
}

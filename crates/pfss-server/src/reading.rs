//! Instances and orders in the bodies of requests.

use pfss_core::Permutation;
use pfss_io::{Clock, Entry, Format, Position, ReadError, ReadOptions, order, read_bytes};
use serde_json::Value;

use crate::problem::Problem;

/// The kinds of bodies that hold an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// JSON with members `instance` and `options`.
    Envelope,
    /// A table with separators.
    Table,
    /// Text in one of the formats of the command line.
    Text,
    /// An Excel workbook.
    Workbook,
    /// A file of either kind.
    File,
}

/// The media type of Excel workbooks.
pub(crate) const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

impl Kind {
    /// The kind of a body with this media type, or `None` where it is not accepted.
    pub(crate) fn of(media_type: &str) -> Option<Self> {
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "application/json" => Some(Self::Envelope),
            "text/csv" | "text/tab-separated-values" => Some(Self::Table),
            "text/plain" => Some(Self::Text),
            WORKBOOK => Some(Self::Workbook),
            // What generated clients call a file. Its content says what it is.
            "application/octet-stream" => Some(Self::File),
            _ => None,
        }
    }

    /// What a file of either kind is by its content.
    pub(crate) fn of_content(self, bytes: &[u8]) -> Self {
        match self {
            Self::File if bytes.starts_with(b"PK") => Self::Workbook,
            Self::File => Self::Text,
            known => known,
        }
    }

    /// What a file of this kind is called where nobody says.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Envelope => "instance.json",
            Self::Table => "jobs.csv",
            // Its content says what it is, or it is refused.
            Self::Text | Self::File => "jobs",
            Self::Workbook => "jobs.xlsx",
        }
    }
}

/// The encoding that a media type names, where it is another one than UTF-8.
pub(crate) fn foreign_charset(media_type: &str) -> Option<&str> {
    let parameters = media_type.split(';').skip(1).filter_map(|parameter| parameter.trim().split_once('='));
    let charset = parameters.filter(|(name, _)| name.trim().eq_ignore_ascii_case("charset"));
    let mut charsets = charset.map(|(_, value)| value.trim().trim_matches('"'));
    charsets.find(|charset| {
        !["utf-8", "utf8", "us-ascii"].iter().any(|known| charset.eq_ignore_ascii_case(known))
    })
}

/// The one instance of a text in one of the formats of the command line. `file` names it in messages.
pub(crate) fn instance(
    bytes: &[u8],
    file: &str,
    options: &ReadOptions,
    most: usize,
) -> Result<Entry, Problem> {
    let entries = read_bytes(bytes, file, options).map_err(|error| Problem::of_reading(&error))?;
    only(entries, file, most)
}

/// The one instance that was read from `file`, where it is not too large.
fn only(mut entries: Vec<Entry>, file: &str, most: usize) -> Result<Entry, Problem> {
    let (last, others) = (entries.pop(), entries.len());
    let entry = match (last, others) {
        (Some(entry), 0) => entry,
        (_, others) => {
            let count = others + 1;
            return Err(Problem::refused(format!("{file}: holds {count} instances, one is wanted")));
        }
    };
    let (jobs, machines) = (entry.instance.num_jobs(), entry.instance.num_machines());
    if jobs.saturating_mul(machines) > most {
        return Err(Problem::too_large(format!(
            "{jobs} jobs on {machines} machines are more than this server takes (jobs x machines up to {most})"
        )));
    }
    Ok(entry)
}

/// The instance in a part of a JSON body; places are those in the whole body.
pub(crate) fn instance_part(
    body: &[u8],
    part: &str,
    clock: Option<Clock>,
    most: usize,
) -> Result<Entry, Problem> {
    if !part.starts_with('{') {
        return Err(Problem::malformed("instance: expected an object"));
    }
    let options = ReadOptions { format: Some(Format::Json), clock, ..ReadOptions::default() };
    let start = (part.as_ptr() as usize).saturating_sub(body.as_ptr() as usize);
    let file = Kind::Envelope.file_name();
    match read_bytes(part.as_bytes(), file, &options) {
        Ok(entries) => only(entries, file, most),
        Err(error) => Err(Problem::of_reading(&moved(error, Position::of(body, start)))),
    }
}

/// The error of a part that begins at this place.
fn moved(mut error: ReadError, start: Position) -> ReadError {
    if let Some(position) = &mut error.position {
        if position.line == 1 {
            position.column += start.column - 1;
        }
        position.line += start.line - 1;
    }
    error
}

/// A complete order of the instance's jobs: numbers (from 0), names, or a text with either.
pub(crate) fn complete_order(given: &Value, entry: &Entry) -> Result<Permutation, Problem> {
    let text = given.as_str().map_or_else(|| given.to_string(), str::to_string);
    let refused = |error: ReadError| Problem::refused(error.in_file("order").to_string());
    let given = order::read(&text, &entry.instance, pfss_io::OrderOptions::default()).map_err(refused)?;
    Permutation::new(given.order, entry.instance.num_jobs())
        .map_err(|error| Problem::refused(format!("order: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_whole_body() {
        let body = "{\n \"instance\": {\"times\": [[1, 2],\n [3, -4]]}}";
        let start = body.find("{\"times\"").unwrap();
        let part = &body[start..body.len() - 1];
        let problem = instance_part(body.as_bytes(), part, None, 100).unwrap_err();
        assert!(problem.detail().starts_with("instance.json:3:6: found `-4`"), "{}", problem.detail());
        let on_first_line = "{\"instance\": {\"times\": [[1, x]]}}";
        let part = &on_first_line[13..on_first_line.len() - 1];
        let problem = instance_part(on_first_line.as_bytes(), part, None, 100).unwrap_err();
        assert!(problem.detail().starts_with("instance.json:1:29"), "{}", problem.detail());
    }

    #[test]
    fn instances_are_bounded_and_alone() {
        let options = ReadOptions::default();
        assert!(instance(b"job,a,b\nx,1,2\ny,3,4\n", "jobs.csv", &options, 4).is_ok());
        let problem = instance(b"job,a,b\nx,1,2\ny,3,4\n", "jobs.csv", &options, 3).unwrap_err();
        assert!(problem.detail().contains("2 jobs on 2 machines"), "{}", problem.detail());
        let two = b"2 1 5 9 9\n1 2\n2 1 6 9 9\n3 4\n";
        assert!(instance(two, "two.txt", &options, 100).unwrap_err().detail().contains("holds 2 instances"));
    }
}

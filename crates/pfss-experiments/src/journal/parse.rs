//! From the bytes of a file to its rows.

use std::collections::HashMap;
use std::path::Path;

use csv::{ByteRecord, DeserializeErrorKind, ErrorKind, StringRecord};
use pfss_io::excerpt;

use super::error::JournalError;
use super::row::JournalRow;
use crate::fingerprint::{is_fingerprint, is_known};

/// The rows of a file.
pub(super) struct Parsed<R> {
    pub(super) rows: Vec<R>,
    /// Whether the file has no column for fingerprints.
    pub(super) lacks_hash: bool,
}

/// Something wrong in a line.
struct Wrong {
    /// Where the line starts in the file.
    start: usize,
    /// Which of its fields, from 0.
    field: usize,
    reason: String,
}

pub(super) fn parse<R: JournalRow>(path: &Path, bytes: &[u8]) -> Result<Parsed<R>, JournalError> {
    let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
    let header = reader.headers().cloned().unwrap_or_default();
    let lacks_hash = header.iter().eq(of_before::<R>().iter().copied());
    if !lacks_hash && !header.iter().eq(R::COLUMNS.iter().copied()) {
        return Err(JournalError::Columns { path: path.to_path_buf(), columns: R::COLUMNS.join(",") });
    }
    let rows = rows(reader, &header).map_err(|wrong| wrong.told(path, bytes))?;
    Ok(Parsed { rows, lacks_hash })
}

/// The bytes of a last line that was being written when a bench was killed: too few columns, or one that breaks off.
pub(super) fn torn<R: JournalRow>(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let mut reader = csv::ReaderBuilder::new().from_reader(bytes);
    let header = reader.headers().cloned().unwrap_or_default();
    let mut line = csv::ReaderBuilder::new().has_headers(false).from_reader(&bytes[start..]);
    let mut record = ByteRecord::new();
    let is_torn = start < bytes.len()
        && match line.read_byte_record(&mut record) {
            Ok(_) if record.len() < header.len() => true,
            // The last column may break off; the others cannot, with one behind them.
            Ok(_) => last_column_is_wrong::<R>(&record, &header),
            Err(_) => false,
        };
    if is_torn { &bytes[start..] } else { &[] }
}

fn last_column_is_wrong<R: JournalRow>(record: &ByteRecord, header: &StringRecord) -> bool {
    // A character may break off too.
    let Ok(record) = StringRecord::from_byte_record(record.clone()) else { return true };
    row::<R>(&record, header).is_err_and(|(field, _)| field + 1 == header.len())
}

fn of_before<R: JournalRow>() -> &'static [&'static str] {
    R::COLUMNS.split_last().map_or(&[], |(_, before)| before)
}

fn rows<R: JournalRow>(mut reader: csv::Reader<&[u8]>, header: &StringRecord) -> Result<Vec<R>, Wrong> {
    let (mut rows, mut hashes) = (Vec::new(), HashMap::new());
    let mut record = StringRecord::new();
    while reader.read_record(&mut record).map_err(|error| unreadable(&error))? {
        let start = record.position().map_or(0, |position| position.byte() as usize);
        let wrong = |(field, reason)| Wrong { start, field, reason };
        let row: R = row(&record, header).map_err(wrong)?;
        let hash = row.instance_hash().to_string();
        if is_known(&hash) {
            let first = hashes.entry(row.instance().to_string()).or_insert_with(|| hash.clone());
            if *first != hash {
                let (instance, field) = (row.instance(), R::COLUMNS.len() - 1);
                return Err(wrong((
                    field,
                    format!("rows above were made of another `{instance}`, with instance_hash {first}"),
                )));
            }
        }
        rows.push(row);
    }
    Ok(rows)
}

/// A row, or the field that is wrong and why.
fn row<R: JournalRow>(record: &StringRecord, header: &StringRecord) -> Result<R, (usize, String)> {
    let row: R = record.deserialize(Some(header)).map_err(|error| no_value(&error, record, header))?;
    let told = |column: &str, expected: &str| {
        let field = header.iter().position(|name| name == column).unwrap_or_default();
        (field, found(record, header, field, expected))
    };
    if !is_fingerprint(row.instance_hash()) {
        return Err(told("instance_hash", "64 hexadecimal digits or `unknown`"));
    }
    match row.mistake() {
        Some(mistake) => Err(told(mistake.column, &mistake.expected)),
        None => Ok(row),
    }
}

fn no_value(error: &csv::Error, record: &StringRecord, header: &StringRecord) -> (usize, String) {
    let ErrorKind::Deserialize { err, .. } = error.kind() else { return (0, error.to_string()) };
    let expected = match err.kind() {
        DeserializeErrorKind::ParseInt(_) => "a whole number, 0 or more".to_string(),
        DeserializeErrorKind::ParseFloat(_) => "a finite number".to_string(),
        DeserializeErrorKind::ParseBool(_) => "true or false".to_string(),
        other => other.to_string(),
    };
    let field = err.field().unwrap_or_default() as usize;
    (field, found(record, header, field, &expected))
}

fn found(record: &StringRecord, header: &StringRecord, field: usize, expected: &str) -> String {
    let (name, value) = (header.get(field).unwrap_or_default(), record.get(field).unwrap_or_default());
    format!("`{name}` is `{}`, expected {expected}", excerpt(value.as_bytes()))
}

/// A line that is none: of too few or too many columns, or no text.
fn unreadable(error: &csv::Error) -> Wrong {
    let start = error.position().map_or(0, |position| position.byte() as usize);
    match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let reason = format!("the line has {len} columns, expected {expected_len}");
            Wrong { start, field: (*len).min(*expected_len) as usize - 1, reason }
        }
        ErrorKind::Utf8 { err, .. } => {
            Wrong { start, field: err.field(), reason: "this is not UTF-8 text".to_string() }
        }
        _ => Wrong { start, field: 0, reason: error.to_string() },
    }
}

impl Wrong {
    /// The same with its place in the file.
    fn told(self, path: &Path, bytes: &[u8]) -> JournalError {
        let breaks = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let blank = bytes[self.start..].iter().take_while(|byte| breaks(byte)).count();
        let at = field_start(bytes, self.start + blank, self.field);
        let line = bytes[..at].iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        let before = bytes[..at].iter().rev().take_while(|&&byte| byte != b'\n').count();
        let column = String::from_utf8_lossy(&bytes[at - before..at]).chars().count() + 1;
        JournalError::Row { path: path.to_path_buf(), line, column, reason: self.reason }
    }
}

/// Where a field of the line that begins at `start` begins.
fn field_start(bytes: &[u8], start: usize, field: usize) -> usize {
    let (mut commas, mut is_quoted) = (0, false);
    let ends_field = |&(_, &byte): &(usize, &u8)| {
        is_quoted ^= byte == b'"';
        commas += usize::from(byte == b',' && !is_quoted);
        byte == b',' && !is_quoted && commas == field
    };
    match bytes[start..].iter().enumerate().find(ends_field) {
        Some((at, _)) if field > 0 => start + at + 1,
        _ => start,
    }
}

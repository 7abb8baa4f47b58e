//! From the content of a file to its instances.

use std::path::Path;

use crate::clock::Clock;
use crate::csv::CsvOptions;
use crate::error::{Problem, ReadError};
use crate::{Entry, Format};

/// How files are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; detected when not given.
    pub format: Option<Format>,
    /// The layout of CSV files.
    pub csv: CsvOptions,
    /// When time zero is and how long a unit takes, for files that hold dates.
    pub clock: Option<Clock>,
}

/// Reads all instances of a file's content. `file` names it in messages, gives a hint at the format by its
/// ending, and gives a name to instances without one.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read_bytes(bytes: &[u8], file: &str, options: &ReadOptions) -> Result<Vec<Entry>, ReadError> {
    read_text(bytes, file, options).map(|entries| named(entries, file)).map_err(|error| error.in_file(file))
}

/// The text of a file's content, without its byte order mark.
pub(crate) fn decode(bytes: &[u8]) -> Result<&str, ReadError> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    std::str::from_utf8(bytes).map_err(|error| {
        if let Some((what, advice)) = other_file(bytes) {
            return ReadError::new(Problem::OtherFile { what, advice });
        }
        let is_utf16 = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
        let hint = if is_utf16 { " but UTF-16" } else { "" };
        ReadError::at(bytes, error.valid_up_to(), Problem::NotUtf8 { hint })
    })
}

/// What bytes that are no text are, and what to do.
fn other_file(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    const KINDS: [(&[u8], &str, &str); 7] = [
        (
            b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
            "an old workbook (.xls), or one with a password",
            "save it as .xlsx without a password, or as CSV",
        ),
        (b"PK\x03\x04", "a workbook or another zip archive", "workbooks are read without --format"),
        (b"\x1F\x8B", "compressed (gzip)", "unpack it first"),
        (b"\xFD7zXZ\0", "compressed (xz)", "unpack it first"),
        (b"BZh", "compressed (bzip2)", "unpack it first"),
        (b"\x28\xB5\x2F\xFD", "compressed (zstd)", "unpack it first"),
        (b"%PDF-", "a PDF", "save its table as CSV"),
    ];
    if let Some((_, what, advice)) = KINDS.iter().find(|(begin, ..)| bytes.starts_with(begin)) {
        return Some((what, advice));
    }
    let (length, rest) = bytes.split_first_chunk::<8>()?;
    let is_safetensors = u64::from_le_bytes(*length) <= rest.len() as u64 && rest.starts_with(b"{");
    is_safetensors.then_some((
        "a safetensors file: a model, or labels of `pfss train`",
        "a model goes behind --model, labels behind --labels of `pfss train`",
    ))
}

fn read_text(bytes: &[u8], file: &str, options: &ReadOptions) -> Result<Vec<Entry>, ReadError> {
    if options.format.is_none() && bytes.starts_with(b"PK\x03\x04") {
        return read_workbook(bytes, options);
    }
    let text = decode(bytes)?;
    let format = match options.format {
        Some(format) => format,
        None => Format::detect(text, Some(file))?,
    };
    if options.csv.transpose && format != Format::Csv {
        let reason = format!("it turns CSV files, and this is {format}");
        return Err(ReadError::new(Problem::UnusedOption { option: "--transpose", reason }));
    }
    if !options.csv.columns.is_empty() && format != Format::Csv {
        let reason = format!("it says what columns of CSV files and sheets hold, and this is {format}");
        return Err(ReadError::new(Problem::UnusedOption { option: "--column", reason }));
    }
    format.read_at(text, options.csv.clone(), options.clock.as_ref())
}

#[cfg(feature = "excel")]
fn read_workbook(bytes: &[u8], options: &ReadOptions) -> Result<Vec<Entry>, ReadError> {
    crate::excel::read(bytes, options.csv.clone(), options.clock.as_ref())
}

#[cfg(not(feature = "excel"))]
fn read_workbook(_: &[u8], _: &ReadOptions) -> Result<Vec<Entry>, ReadError> {
    let message =
        "this build knows no Excel; save the sheet as CSV, or build with the feature `excel`".to_string();
    Err(ReadError::new(Problem::Workbook { message }))
}

/// Gives instances without a name the name of their file, with their number where there are several.
fn named(entries: Vec<Entry>, file: &str) -> Vec<Entry> {
    let name = instance_name(file);
    let several = entries.len() > 1;
    let rename = |(index, entry): (usize, Entry)| match entry.instance.name() {
        "" if several => {
            Entry { instance: entry.instance.with_name(format!("{name}#{}", index + 1)), ..entry }
        }
        "" => Entry { instance: entry.instance.with_name(name), ..entry },
        _ => entry,
    };
    entries.into_iter().enumerate().map(rename).collect()
}

/// The name of the instance in a file: the file's name without folder, ending and the suffix `_Gap` that the
/// files of Vallada, Ruiz and Framinan have.
pub(super) fn instance_name(file: &str) -> &str {
    let name = Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = if stem.is_empty() { name } else { stem };
    stem.strip_suffix("_Gap").unwrap_or(stem)
}

//! From what a user writes for an instance to the instance: a path, `-`, or the name of a benchmark.

mod archive;
mod library;
mod select;

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::csv::CsvOptions;
use crate::error::{Problem, ReadError};
use crate::{Entry, Format};
use select::Selection;

/// How files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The format; detected when not given.
    pub format: Option<Format>,
    /// The layout of CSV files.
    pub csv: CsvOptions,
}

/// All instances that an argument stands for, in the order of the file.
///
/// An argument is a path (a file of instances, or a `.tar.xz` of such files), `-` for standard input, `ta001`
/// to `ta120` (made from their seeds), or a name such as `VFR100_20_1` that is looked up below `data`, also
/// inside archives there. `ARGUMENT#NAME` or `ARGUMENT#3` picks one of several. A path that exists wins.
///
/// # Errors
/// [`ReadError`] says what is wrong and what would be accepted.
pub fn resolve(argument: &str, data: &[PathBuf], options: &ReadOptions) -> Result<Vec<Entry>, ReadError> {
    resolve_with(argument, data, options, &mut std::io::stdin().lock())
}

/// [`resolve`] with another reader in the place of standard input.
///
/// # Errors
/// See [`resolve`].
pub fn resolve_with(
    argument: &str,
    data: &[PathBuf],
    options: &ReadOptions,
    stdin: &mut dyn Read,
) -> Result<Vec<Entry>, ReadError> {
    let selection = Selection::of(argument);
    let whole = selection.base;
    let entries = if whole == "-" {
        let mut bytes = Vec::new();
        stdin.read_to_end(&mut bytes).map_err(|error| ReadError::new(error).in_file("stdin"))?;
        read_bytes(&bytes, "stdin", options)?
    } else if Path::new(whole).exists() {
        read_path(Path::new(whole), selection.member_name(), options)?
    } else {
        library::find(whole, data, options)?
    };
    selection.pick(entries)
}

/// Reads all instances of a file, or of all files in a `.tar.xz`.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<Vec<Entry>, ReadError> {
    read_path(path, None, options)
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
        let is_utf16 = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
        let hint = if is_utf16 { " but UTF-16" } else { "" };
        ReadError::at(bytes, error.valid_up_to(), Problem::NotUtf8 { hint })
    })
}

fn read_text(bytes: &[u8], file: &str, options: &ReadOptions) -> Result<Vec<Entry>, ReadError> {
    let text = decode(bytes)?;
    let format = match options.format {
        Some(format) => format,
        None => Format::detect(text, Some(file))?,
    };
    if options.csv.transpose && format != Format::Csv {
        let reason = format!("it turns CSV files, and this is {format}");
        return Err(ReadError::new(Problem::UnusedOption { option: "--transpose", reason }));
    }
    format.read(text, options.csv)
}

fn read_path(path: &Path, member: Option<&str>, options: &ReadOptions) -> Result<Vec<Entry>, ReadError> {
    let file = path.display().to_string();
    if archive::is_archive(path) {
        return archive::read(path, member, options);
    }
    let bytes = std::fs::read(path).map_err(|error| ReadError::new(error).in_file(&file))?;
    read_bytes(&bytes, &file, options)
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
fn instance_name(file: &str) -> &str {
    let name = Path::new(file).file_name().and_then(|name| name.to_str()).unwrap_or(file);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let stem = if stem.is_empty() { name } else { stem };
    stem.strip_suffix("_Gap").unwrap_or(stem)
}

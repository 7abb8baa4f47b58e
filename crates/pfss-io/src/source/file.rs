//! Instances of a file, or of the files in an archive.

use std::path::Path;

use super::archive;
use super::content::{ReadOptions, read_bytes};
use crate::Entry;
use crate::error::ReadError;

/// Reads all instances of a file, or of all files in a `.tar.xz`.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<Vec<Entry>, ReadError> {
    read_path(path, None, options)
}

/// [`read_file`]; of an archive only the file that is called `member`, where one is named.
pub(super) fn read_path(
    path: &Path,
    member: Option<&str>,
    options: &ReadOptions,
) -> Result<Vec<Entry>, ReadError> {
    let file = path.display().to_string();
    if archive::is_archive(path) {
        return archive::read(path, member, options).map(|entries| from_file(entries, path));
    }
    let bytes = std::fs::read(path).map_err(|error| ReadError::new(error).in_file(&file))?;
    read_bytes(&bytes, &file, options).map(|entries| from_file(entries, path))
}

/// Entries that know their file.
pub(super) fn from_file(mut entries: Vec<Entry>, path: &Path) -> Vec<Entry> {
    for entry in &mut entries {
        entry.reading.file = Some(path.to_path_buf());
    }
    entries
}

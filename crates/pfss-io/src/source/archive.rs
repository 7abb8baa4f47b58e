//! Instances inside a `.tar.xz`.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use liblzma::read::XzDecoder;

use super::content::{ReadOptions, instance_name, read_bytes};
use crate::Entry;
use crate::error::{Problem, ReadError};

/// Whether a path names an archive that can be looked into.
pub(super) fn is_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    name.ends_with(".tar.xz") || name.ends_with(".txz")
}

/// Reads all instances of an archive in the order of their names, or those of the one file that is called
/// `member` (its instance's name, or its file name).
pub(super) fn read(
    path: &Path,
    member: Option<&str>,
    options: &ReadOptions,
) -> Result<Vec<Entry>, ReadError> {
    let file = path.display().to_string();
    let mut files = Vec::new();
    visit(path, |name, content| {
        let file_name = name.rsplit('/').next().unwrap_or(name);
        let wanted = member.is_none_or(|member| file_name == member || instance_name(file_name) == member);
        if wanted && !file_name.starts_with('.') {
            let mut bytes = Vec::new();
            content.read_to_end(&mut bytes)?;
            files.push((name.to_string(), bytes));
        }
        Ok(member.is_none() || files.is_empty())
    })
    .map_err(|error| ReadError::new(error).in_file(&file))?;
    if files.is_empty() {
        let problem = match member {
            Some(wanted) => Problem::NoSuchInstance {
                wanted: wanted.to_string(),
                available: "the archive has no file of this name".to_string(),
            },
            None => Problem::Empty,
        };
        return Err(ReadError::new(problem).in_file(&file));
    }
    files.sort_by_cached_key(|(name, _)| natural(name));
    let mut entries = Vec::new();
    for (name, bytes) in &files {
        entries.extend(read_bytes(bytes, &format!("{file}/{name}"), options)?);
    }
    Ok(entries)
}

/// Reads the file that satisfies `is_wanted`, where there is one; returns its name and its bytes.
pub(super) fn find(
    path: &Path,
    is_wanted: impl Fn(&str) -> bool,
) -> std::io::Result<Option<(String, Vec<u8>)>> {
    let mut found = None;
    visit(path, |name, content| {
        if is_wanted(name.rsplit('/').next().unwrap_or(name)) {
            let mut bytes = Vec::new();
            content.read_to_end(&mut bytes)?;
            found = Some((name.to_string(), bytes));
        }
        Ok(found.is_none())
    })?;
    Ok(found)
}

/// Shows each file of an archive to `visitor` until it returns false.
fn visit(
    path: &Path,
    mut visitor: impl FnMut(&str, &mut dyn Read) -> std::io::Result<bool>,
) -> std::io::Result<()> {
    let decoder = XzDecoder::new(BufReader::new(File::open(path)?));
    let mut archive = tar::Archive::new(decoder);
    for entry in archive.entries()? {
        let mut entry = entry?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = entry.path()?.to_string_lossy().into_owned();
        if !visitor(&name, &mut entry)? {
            break;
        }
    }
    Ok(())
}

/// A key that sorts `a_2` before `a_10`.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text_end = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let (text, tail) = rest.split_at(text_end);
        let digits_end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
        let (digits, tail) = tail.split_at(digits_end);
        key.push((text.to_string(), digits.parse().unwrap_or(u64::MAX)));
        rest = tail;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_sort_by_value() {
        let mut names = ["VFR10_10_10", "VFR10_10_2", "VFR100_5_1", "VFR10_5_1"];
        names.sort_by_key(|name| natural(name));
        assert_eq!(names, ["VFR10_5_1", "VFR10_10_2", "VFR10_10_10", "VFR100_5_1"]);
    }
}

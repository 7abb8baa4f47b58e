//! Benchmarks by name: Taillard's from their seeds, others from files below the data folders.

use std::path::{Path, PathBuf};

use pfss_core::generate::taillard_benchmark;

use super::archive;
use super::content::{ReadOptions, instance_name, read_bytes};
use super::file::{from_file, read_file};
use crate::Entry;
use crate::error::{Problem, ReadError};

/// How many folders below a data folder are searched.
const DEPTH: usize = 3;

/// Endings of the files that may hold an instance of a name.
const ENDINGS: [&str; 5] = ["", "txt", "csv", "tsv", "json"];

/// The instances of this name.
pub(super) fn find(name: &str, data: &[PathBuf], options: &ReadOptions) -> Result<Vec<Entry>, ReadError> {
    if let Some(number) = taillard_number(name) {
        let given = [
            ("--format", options.format.is_some()),
            ("--transpose", options.csv.transpose),
            ("--column", !options.csv.columns.is_empty()),
        ];
        if let Some((option, _)) = given.into_iter().find(|&(_, is_given)| is_given) {
            let reason = "this instance is made from its seed, not read from a file".to_string();
            return Err(ReadError::new(Problem::UnusedOption { option, reason }).in_file(name));
        }
        return match taillard_benchmark(number) {
            Some(instance) => Ok(vec![instance.into()]),
            None => Err(not_found(name, data)),
        };
    }
    // A name with a folder in it is a path that does not exist.
    if name.is_empty() || name.contains(['/', '\\']) {
        return Err(not_found(name, data));
    }
    let wanted = canonical(name);
    for folder in data {
        let mut files = Vec::new();
        collect(folder, DEPTH, &mut files);
        if let Some(path) = files.iter().find(|path| holds(path, &wanted)) {
            return read_file(path, options);
        }
        files.retain(|path| archive::is_archive(path));
        // Small archives first: they are looked through in no time.
        files.sort_by_key(|path| path.metadata().map_or(u64::MAX, |metadata| metadata.len()));
        for path in &files {
            let file = path.display().to_string();
            let found = archive::find(path, |member| holds(Path::new(member), &wanted))
                .map_err(|error| ReadError::new(error).in_file(&file))?;
            if let Some((member, bytes)) = found {
                let entries = read_bytes(&bytes, &format!("{file}/{member}"), options)?;
                return Ok(from_file(entries, path));
            }
        }
    }
    Err(not_found(name, data))
}

/// The number in `ta001`, `Ta1`, ...
fn taillard_number(name: &str) -> Option<usize> {
    let digits = name.strip_prefix("ta").or_else(|| name.strip_prefix("Ta"))?;
    let is_number = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

/// The files of Vallada, Ruiz and Framinan are called VFR, their benchmark VRF: both names are accepted.
fn canonical(name: &str) -> String {
    match name.get(..3) {
        Some(prefix) if ["vrf", "vfr"].contains(&prefix.to_ascii_lowercase().as_str()) => {
            format!("VFR{}", &name[3..])
        }
        _ => name.to_string(),
    }
}

/// Whether a file holds the instance of this name.
fn holds(path: &Path, wanted: &str) -> bool {
    let Some(file_name) = path.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    file_name == wanted
        || (ENDINGS.contains(&ending.to_ascii_lowercase().as_str()) && instance_name(file_name) == wanted)
}

/// All files below a folder, in the order of their names. What cannot be read is passed over: a data folder
/// may hold anything.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let is_hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if is_hidden {
            continue;
        }
        if !path.is_dir() {
            files.push(path);
        } else if depth > 1 {
            collect(&path, depth - 1, files);
        }
    }
}

fn not_found(name: &str, data: &[PathBuf]) -> ReadError {
    let folders: Vec<String> = data.iter().map(|folder| folder.display().to_string()).collect();
    let looked = match folders.as_slice() {
        [] => "no data folder was given".to_string(),
        folders => format!("looked below {}", folders.join(", ")),
    };
    let accepted = format!(
        "accepted are a path, `-` for standard input, ta001 to ta120, and names of files such as VFR100_20_1 \
         in a data folder ({looked})"
    );
    ReadError::new(Problem::NotFound { accepted }).in_file(name)
}

//! Where instances are written: standard output, one file, or a folder with one file each.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use pfss_io::{Entry, Format};

use crate::gate::FileGate;
use crate::output;

/// Whether a folder can be written into is tried with this name.
const PROBE: &str = "instance";

/// Where instances go, and in which format.
pub(super) struct Sink {
    place: Place,
    format: Format,
}

enum Place {
    Stdout,
    File(PathBuf),
    Folder(PathBuf),
}

impl Sink {
    /// The sink for `count` instances, checked before anything is made. The format is the one that was asked
    /// for, or the one that the output's ending names, or `default`.
    pub(super) fn new(
        output: Option<&Path>,
        asked: Option<Format>,
        default: Option<Format>,
        count: usize,
        gate: &mut FileGate,
    ) -> anyhow::Result<Self> {
        let Some(format) = asked.or_else(|| output.and_then(by_ending)).or(default) else {
            bail!("say which format to write with `--to`: {}", Format::list());
        };
        let place = match output {
            None => Place::Stdout,
            Some(path) if path.as_os_str() == "-" => Place::Stdout,
            Some(path) if path.is_dir() || ends_with_separator(path) => Place::Folder(path.to_path_buf()),
            Some(path) => Place::File(path.to_path_buf()),
        };
        if count > 1 && !format.holds_several() && !matches!(place, Place::Folder(_)) {
            bail!(
                "a {format} file holds one instance, not {count}; write one file each into a folder with `-o DIR/`, or use taillard, or-library or json"
            );
        }
        match &place {
            Place::Stdout => {}
            Place::File(path) => gate.writes(path)?,
            Place::Folder(folder) => {
                std::fs::create_dir_all(folder)
                    .with_context(|| format!("{}: cannot create the folder", folder.display()))?;
                output::check_writable(&folder.join(PROBE))?;
            }
        }
        Ok(Self { place, format })
    }

    /// Writes the instances as they are made.
    pub(super) fn write(&self, entries: impl Iterator<Item = anyhow::Result<Entry>>) -> anyhow::Result<()> {
        match &self.place {
            Place::Stdout => {
                for entry in entries {
                    output::print(&self.format.write(&[entry?])?)?;
                }
            }
            Place::File(path) => {
                let mut text = String::new();
                for entry in entries {
                    text.push_str(&self.format.write(&[entry?])?);
                }
                pfss_io::atomic::write(path, text.as_bytes())?;
            }
            Place::Folder(folder) => {
                let mut names = FolderNames::new(folder, self.format);
                for entry in entries {
                    let entry = entry?;
                    let path = names.next(entry.instance.name());
                    pfss_io::atomic::write(&path, self.format.write(&[entry])?.as_bytes())?;
                }
            }
        }
        Ok(())
    }

    /// Fails where instances of these names would go to files that must not be lost.
    pub(super) fn check_names<'a>(
        &self,
        mut names: impl Iterator<Item = &'a str>,
        gate: &mut FileGate,
    ) -> anyhow::Result<()> {
        let Place::Folder(folder) = &self.place else { return Ok(()) };
        let mut files = FolderNames::new(folder, self.format);
        names.try_for_each(|name| gate.writes(&files.next(name)))
    }

    /// The format that is written.
    pub(super) fn format(&self) -> Format {
        self.format
    }
}

/// The files of instances in a folder, each another.
struct FolderNames<'a> {
    folder: &'a Path,
    format: Format,
    taken: HashSet<String>,
    count: usize,
}

impl<'a> FolderNames<'a> {
    fn new(folder: &'a Path, format: Format) -> Self {
        Self { folder, format, taken: HashSet::new(), count: 0 }
    }

    /// The file of the next instance.
    fn next(&mut self, name: &str) -> PathBuf {
        self.count += 1;
        let mut name = file_name(name);
        if name.is_empty() || !self.taken.insert(name.clone()) {
            name = format!("{name}_{}", self.count);
            self.taken.insert(name.clone());
        }
        self.folder.join(format!("{name}.{}", ending(self.format)))
    }
}

/// An instance's name as part of a file name: letters, digits, `.`, `_` and `-`.
pub(super) fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let name: String = name.chars().map(plain).collect();
    name.trim_start_matches('.').to_string()
}

fn ends_with_separator(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator)
}

fn by_ending(path: &Path) -> Option<Format> {
    match path.extension()?.to_string_lossy().to_lowercase().as_str() {
        "csv" => Some(Format::Csv),
        "json" | "jsonl" | "ndjson" => Some(Format::Json),
        _ => None,
    }
}

fn ending(format: Format) -> &'static str {
    match format {
        Format::Csv => "csv",
        Format::Json => "json",
        _ => "txt",
    }
}

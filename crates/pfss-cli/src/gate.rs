//! The files that a command reads and writes: no output replaces an input, and no two outputs are one file.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;
use pfss::Settings;
use pfss_core::{Parameter, ParameterKind};
use serde_json::Value;

use crate::output::{PLACEHOLDER, check_writable};

/// Every file of a command is told here before anything is solved: what it reads, and what it will write.
#[derive(Debug, Default)]
pub(crate) struct FileGate(HashMap<FileId, Known>);

/// A file that a command uses.
#[derive(Debug)]
struct Known {
    path: PathBuf,
    purpose: Purpose,
}

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// It is read.
    Input,
    /// It is a plan that is read, in whose place a better one may be written.
    Plan,
    /// It is written.
    Output,
    /// It is a plan that is read and written.
    Continued,
}

/// What is the same for all names of a file: links, other spellings.
#[derive(Debug, PartialEq, Eq, Hash)]
enum FileId {
    #[cfg(unix)]
    Node(u64, u64),
    Path(PathBuf),
}

impl FileId {
    /// The file of this name; none for folders, pipes and devices, which have no content to replace.
    fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => None,
            #[cfg(unix)]
            Ok(metadata) => {
                use std::os::unix::fs::MetadataExt;
                Some(Self::Node(metadata.dev(), metadata.ino()))
            }
            #[cfg(not(unix))]
            Ok(_) => Some(Self::Path(fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()))),
            Err(_) => Some(Self::Path(absent(path))),
        }
    }
}

/// The one spelling of a file that is not there yet.
fn absent(path: &Path) -> PathBuf {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// Standard input may be a file too: `pfss solve - < jobs.csv`.
fn behind(path: &Path) -> &Path {
    if path.as_os_str() == "-" { Path::new("/dev/stdin") } else { path }
}

impl FileGate {
    /// The command reads this file. What does not exist is no file to lose: whoever reads it tells what is missing.
    pub(crate) fn reads(&mut self, path: &Path) -> anyhow::Result<()> {
        let path = behind(path);
        if path.exists() { self.add(path, Purpose::Input) } else { Ok(()) }
    }

    /// The command reads these instances.
    pub(crate) fn reads_all(&mut self, entries: &[pfss_io::Entry]) -> anyhow::Result<()> {
        let mut last = None;
        for file in entries.iter().filter_map(|entry| entry.reading.file.as_deref()) {
            if last.replace(file) != Some(file) {
                self.reads(file)?;
            }
        }
        Ok(())
    }

    /// The command reads what settings name: their own file, models, tables.
    pub(crate) fn reads_settings(
        &mut self,
        config: Option<&Path>,
        parameters: &[Parameter],
        settings: &Settings,
    ) -> anyhow::Result<()> {
        config.map_or(Ok(()), |config| self.reads(config))?;
        for parameter in parameters.iter().filter(|parameter| parameter.kind == ParameterKind::File) {
            if let Some(name) = settings.get(&parameter.name).and_then(Value::as_str) {
                self.reads_model(name)?;
            }
        }
        Ok(())
    }

    /// The command reads this model: a file, or the one in a folder or of a name.
    pub(crate) fn reads_model(&mut self, model: &str) -> anyhow::Result<()> {
        self.reads(&pfss::model_file(model))
    }

    /// The command reads this plan, and may write a better one in its place.
    pub(crate) fn reads_plan(&mut self, path: &Path) -> anyhow::Result<()> {
        let path = behind(path);
        if path.exists() { self.add(path, Purpose::Plan) } else { Ok(()) }
    }

    /// The command will write this file; fails where it cannot, or where another file of the command would be lost.
    pub(crate) fn writes(&mut self, path: &Path) -> anyhow::Result<()> {
        if path.as_os_str() == "-" {
            bail!("`-` is no file here: standard output has the result already; name a file to write");
        }
        self.add(path, Purpose::Output)?;
        check_writable(path)
    }

    /// [`FileGate::writes`] of a result, which may take the place of the plan that the command reads.
    pub(crate) fn writes_result(&mut self, path: &Path) -> anyhow::Result<()> {
        self.add(path, Purpose::Continued)?;
        check_writable(path)
    }

    fn add(&mut self, path: &Path, purpose: Purpose) -> anyhow::Result<()> {
        use Purpose::{Continued, Input, Output, Plan};
        let Some(id) = FileId::of(path) else { return Ok(()) };
        let mut entry = match self.0.entry(id) {
            Entry::Occupied(entry) => entry,
            Entry::Vacant(entry) => {
                entry.insert(Known { path: path.to_path_buf(), purpose });
                return Ok(());
            }
        };
        let known = entry.get_mut();
        let (shown, other) = (path.display(), known.path.display());
        match (known.purpose, purpose) {
            (Input, Input | Plan) | (Plan, Plan) => {}
            (Plan, Input | Continued) => known.purpose = purpose,
            (Continued, Plan) => {}
            (Output | Continued, Output | Continued) => bail!(
                "{shown}: two outputs would go to this file; with several instances put {} into the path",
                PLACEHOLDER
            ),
            (Output | Continued, Input) | (Output, Plan) => {
                bail!("{other}: this would replace {shown}, which is read; name another file to write")
            }
            (Input, Output | Continued) | (Plan, Output) => {
                bail!("{shown}: this would replace {other}, which is read; name another file to write")
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_under_all_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "a").unwrap();
        fs::hard_link(at("a"), at("hard")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        let refused = |files: &mut FileGate, path: &Path| files.writes(path).unwrap_err().to_string();
        let mut files = FileGate::default();
        files.reads(&at("a")).unwrap();
        files.reads(&at("missing")).unwrap();
        for name in ["a", "hard", "folder/../a"] {
            assert!(refused(&mut files, &at(name)).contains("which is read"), "{name}");
        }
        files.writes(&at("b")).unwrap();
        for name in ["b", "folder/../b"] {
            assert!(refused(&mut files, &at(name)).contains("two outputs"), "{name}");
        }
        fs::write(at("c"), "c").unwrap();
        files.writes(&at("c")).unwrap();
        assert!(files.reads(&at("c")).unwrap_err().to_string().contains("which is read"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_take_anything() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "a").unwrap();
        std::os::unix::fs::symlink(at("a"), at("link")).unwrap();
        let mut files = FileGate::default();
        files.reads(&at("link")).unwrap();
        assert!(files.writes(&at("a")).is_err());
        for _ in 0..2 {
            files.reads(Path::new("/dev/null")).unwrap();
            files.writes(Path::new("/dev/null")).unwrap();
        }
    }

    #[test]
    fn only_a_result_takes_the_place_of_a_plan() {
        let folder = tempfile::tempdir().unwrap();
        let plan = folder.path().join("plan.json");
        fs::write(&plan, "{}").unwrap();
        let mut files = FileGate::default();
        files.reads_plan(&plan).unwrap();
        assert!(files.writes(&plan).is_err());
        files.writes_result(&plan).unwrap();
        assert!(files.writes_result(&plan).is_err());
        let mut files = FileGate::default();
        files.reads_plan(&plan).unwrap();
        files.reads(&plan).unwrap();
        assert!(files.writes_result(&plan).is_err());
    }
}

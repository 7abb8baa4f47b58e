//! Sets of instances: the public benchmarks by name, folders, files, and a choice among them.

mod error;
mod instance;
mod named;
mod selection;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use pfss_core::timing::Objective;
use pfss_io::{Entry, Overrides, ReadOptions, read_file, resolve};

use crate::BestKnown;
pub use error::SetError;
pub use instance::BenchInstance;
pub use named::NamedSet;
pub use selection::Selection;

/// Loads all chosen instances of the sets, which are names of public benchmarks, folders, or instances as
/// [`resolve`] understands them. VRF instances are looked up below the `data` folders.
///
/// # Errors
/// [`SetError`] says which set or file cannot be used.
pub fn load(
    sets: &[String],
    selection: &Selection,
    data: &[PathBuf],
    options: &ReadOptions,
) -> Result<Vec<BenchInstance>, SetError> {
    load_planned(sets, selection, data, options, &Overrides::default())
}

/// [`load`] with attributes in the place of what files say. Where any instance carries more than times, all of them become
/// lines, so that the same algorithms can run on them.
///
/// # Errors
/// [`SetError`] says which set or file cannot be used, or what cannot be planned.
pub fn load_planned(
    sets: &[String],
    selection: &Selection,
    data: &[PathBuf],
    options: &ReadOptions,
    overrides: &Overrides,
) -> Result<Vec<BenchInstance>, SetError> {
    let variant = variant(overrides);
    let mut chosen: Vec<BenchInstance> = Vec::new();
    let mut by_name: HashMap<String, usize> = HashMap::new();
    for set in sets {
        let entries = match NamedSet::named(set) {
            Some(named) => load_named(named, selection, data)?,
            None if Path::new(set).is_dir() => load_folder(Path::new(set), options)?,
            None => load_instances(set, data, options)?,
        };
        for mut entry in entries {
            let (n, m) = (entry.instance.num_jobs(), entry.instance.num_machines());
            if !selection.selects(entry.instance.name(), n, m) {
                continue;
            }
            overrides.apply(&mut entry).map_err(|source| SetError::Read { set: set.clone(), source })?;
            let name = entry.instance.name().to_string();
            let instance = BenchInstance::new(entry, &variant)
                .map_err(|source| SetError::Attributes { name, source: Box::new(source) })?;
            match by_name.get(instance.name()) {
                Some(&at) if chosen[at] == instance => {}
                Some(_) => return Err(SetError::SameName(instance.name().to_string())),
                None => {
                    by_name.insert(instance.name().to_string(), chosen.len());
                    chosen.push(instance);
                }
            }
        }
    }
    if chosen.is_empty() {
        return Err(SetError::Empty { sets: sets.join(", ") });
    }
    if chosen.iter().all(|instance| instance.line().is_none()) {
        return Ok(chosen);
    }
    let line = |instance: BenchInstance| {
        let name = instance.name().to_string();
        instance.into_line().map_err(|source| SetError::Attributes { name, source: Box::new(source) })
    };
    chosen.into_iter().map(line).collect()
}

/// What was put in the place of what files say, as a part of names: rows of other variants are other rows.
fn variant(overrides: &Overrides) -> String {
    let Overrides { objectives, setups, first, no_wait, buffer } = overrides;
    let mut parts = Vec::new();
    if let Some(objectives) = objectives.as_ref().filter(|objectives| **objectives != [Objective::Makespan]) {
        parts.push(objectives.iter().map(|objective| objective.name()).collect::<Vec<_>>().join("+"));
    }
    parts.extend(setups.iter().map(|(_, file)| format!("setup={file}")));
    parts.extend(first.iter().map(|first| format!("first={first}")));
    parts.extend(no_wait.then(|| "no-wait".to_string()));
    parts.extend(buffer.map(|buffer| format!("buffer={buffer}")));
    parts.into_iter().map(|part| format!(":{part}")).collect()
}

fn load_instances(set: &str, data: &[PathBuf], options: &ReadOptions) -> Result<Vec<Entry>, SetError> {
    resolve(set, data, options).map_err(|source| match *source.problem {
        pfss_io::Problem::NotFound { .. } => SetError::Unknown { set: set.to_string(), source },
        _ => SetError::Read { set: set.to_string(), source },
    })
}

fn load_named(set: NamedSet, selection: &Selection, data: &[PathBuf]) -> Result<Vec<Entry>, SetError> {
    let options = ReadOptions::default();
    let error = |source| SetError::Read { set: set.as_str().to_string(), source };
    let members = set.members().filter(|row| selection.selects(row.name, row.num_jobs, row.num_machines));
    let members: Vec<&BestKnown> = members.collect();
    // One pass over the archive of the whole set, where there is one, instead of one per instance.
    let archive = format!("{}.tar.xz", set.as_str().replace('-', "_"));
    let archive = data.iter().map(|folder| folder.join(&archive)).find(|path| path.is_file());
    let mut unpacked: HashMap<String, Entry> = match archive {
        Some(path) if set != NamedSet::Taillard && members.len() > 1 => {
            let entries = read_file(&path, &options).map_err(error)?;
            entries.into_iter().map(|entry| (entry.instance.name().to_string(), entry)).collect()
        }
        _ => HashMap::new(),
    };
    let mut entries = Vec::with_capacity(members.len());
    for row in members {
        match unpacked.remove(row.name) {
            Some(entry) => entries.push(entry),
            None => entries.extend(resolve(row.name, data, &options).map_err(error)?),
        }
    }
    Ok(entries)
}

/// All instances of the files in a folder, except hidden files and Markdown.
fn load_folder(path: &Path, options: &ReadOptions) -> Result<Vec<Entry>, SetError> {
    let folder = |source| SetError::Folder { path: path.to_path_buf(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(folder)? {
        let file = entry.map_err(folder)?.path();
        let is_hidden = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let is_markdown = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
        if file.is_file() && !is_hidden && !is_markdown {
            files.push(file);
        }
    }
    files.sort();
    let mut entries = Vec::new();
    for file in files {
        let error = |source| SetError::Read { set: path.display().to_string(), source };
        entries.extend(read_file(&file, options).map_err(error)?);
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(sets: &[&str], groups: &[&str], instances: &[&str]) -> Result<Vec<String>, SetError> {
        let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
        let selection = Selection::parse(groups, instances)?;
        let loaded = load(&sets, &selection, &[], &ReadOptions::default())?;
        Ok(loaded.iter().map(|instance| instance.name().to_string()).collect())
    }

    #[test]
    fn the_sets_have_their_sizes() {
        assert_eq!(NamedSet::ALL.map(|set| set.members().count()), [120, 240, 240]);
        assert_eq!(NamedSet::named("vrf-large"), Some(NamedSet::VrfLarge));
        assert_eq!(NamedSet::named("VRF"), None);
    }

    #[test]
    fn groups_and_names_select() {
        assert_eq!(names(&["taillard"], &[], &[]).unwrap().len(), 120);
        assert_eq!(names(&["taillard"], &["50x20", "100x20"], &[]).unwrap().len(), 20);
        assert_eq!(names(&["taillard"], &[], &["ta051", "ta08?"]).unwrap().len(), 11);
        assert_eq!(names(&["taillard"], &["50x20"], &["*1"]).unwrap(), ["ta051"]);
        assert_eq!(names(&["ta003", "ta001", "ta003"], &[], &[]).unwrap(), ["ta003", "ta001"]);
    }

    #[test]
    fn plans_are_other_instances_with_other_best_known_values() {
        let sets = ["ta001".to_string(), "ta011".to_string()];
        let options = ReadOptions::default();
        let load = |overrides: Overrides| {
            load_planned(&sets, &Selection::default(), &[], &options, &overrides).unwrap().remove(0)
        };
        let flow =
            load(Overrides { objectives: Some(vec![Objective::TotalCompletion]), ..Overrides::default() });
        assert_eq!((flow.name(), flow.best_known()), ("ta001:total-completion", Some(14_033.0)));
        let blocking = load(Overrides { buffer: Some(0), ..Overrides::default() });
        assert_eq!((blocking.name(), blocking.best_known()), ("ta001:buffer=0", Some(1374.0)));
        assert!(blocking.line().is_some());
        let plain = load(Overrides { objectives: Some(vec![Objective::Makespan]), ..Overrides::default() });
        assert_eq!((plain.name(), plain.best_known(), plain.line().is_none()), ("ta001", Some(1278.0), true));
        let no_wait = load(Overrides { no_wait: true, ..Overrides::default() });
        assert_eq!((no_wait.name(), no_wait.best_known()), ("ta001:no-wait", None));
    }

    #[test]
    fn what_cannot_be_loaded_is_named() {
        assert!(matches!(names(&["tailard"], &[], &[]), Err(SetError::Unknown { .. })));
        assert!(matches!(names(&["taillard"], &["50*20"], &[]), Err(SetError::Group(_))));
        assert!(matches!(names(&["taillard"], &["50x21"], &[]), Err(SetError::Empty { .. })));
        assert!(matches!(names(&["vrf-large"], &[], &["*_1"]), Err(SetError::Read { .. })));
    }

    #[test]
    fn folders_are_read_and_names_must_differ() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        write("b.txt", "2 3\n1 2 3\n4 5 6\n");
        write("a.txt", "2 3\n3 2 1\n4 5 6\n");
        write("README.md", "not an instance");
        let path = folder.path().display().to_string();
        assert_eq!(names(&[&path], &[], &[]).unwrap(), ["a", "b"]);
        write("a.csv", "1,2,3\n4,5,6\n");
        assert!(matches!(names(&[&path], &[], &[]), Err(SetError::SameName(_))));
    }
}

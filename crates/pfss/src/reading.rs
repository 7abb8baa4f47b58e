//! Instances from files and by name.

use std::path::{Path, PathBuf};

use pfss_io::{AnyInstance, Entry, ReadOptions, resolve_with};

use crate::error::Error;

/// The instance in a file; its format is detected. `FILE#2` or `FILE#NAME` picks one of several.
///
/// ```no_run
/// let instance = pfss::read("jobs.csv")?;
/// println!("{} jobs on {} machines", instance.num_jobs(), instance.num_machines());
/// # Ok::<(), pfss::Error>(())
/// ```
///
/// # Errors
/// [`Error::Read`] tells what is wrong, with file, line and column; [`Error::Several`] when there is more than one;
/// [`Error::Planned`] when jobs or machines carry more than times.
pub fn read(path: impl AsRef<Path>) -> Result<AnyInstance, Error> {
    let path = path.as_ref();
    if path.exists() {
        return one(pfss_io::read_file(path, &ReadOptions::default())?, &path.display().to_string());
    }
    find(&path.display().to_string(), &[])
}

/// A benchmark by its name: `ta001` to `ta120`, Taillard's instances, which are made from their seeds.
///
/// ```
/// let instance = pfss::named("ta051")?;
/// assert_eq!((instance.num_jobs(), instance.num_machines()), (50, 20));
/// # Ok::<(), pfss::Error>(())
/// ```
///
/// # Errors
/// [`Error::Read`] when there is none of this name.
pub fn named(name: &str) -> Result<AnyInstance, Error> {
    named_in(name, &[])
}

/// A benchmark by its name; names such as `VFR100_20_1` are looked up below the folders, also inside archives there.
///
/// # Errors
/// [`Error::Read`] when there is none of this name.
pub fn named_in(name: &str, folders: &[PathBuf]) -> Result<AnyInstance, Error> {
    find(name, folders)
}

fn find(argument: &str, folders: &[PathBuf]) -> Result<AnyInstance, Error> {
    one(resolve_with(argument, folders, &ReadOptions::default(), &mut std::io::empty())?, argument)
}

fn one(entries: Vec<Entry>, file: &str) -> Result<AnyInstance, Error> {
    let count = entries.len();
    match <[Entry; 1]>::try_from(entries) {
        // Without what it carries it would be another problem.
        Ok([entry]) if !entry.attributes.is_plain() => Err(Error::Planned { file: file.to_string() }),
        Ok([entry]) => Ok(entry.instance),
        Err(_) => Err(Error::Several { file: file.to_string(), count }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_hold_one_instance_or_are_told_which() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("jobs.csv");
        std::fs::write(&file, "job,saw,drill\nA,3,1\nB,2,2\n").unwrap();
        let instance = read(&file).unwrap();
        assert_eq!((instance.name(), instance.num_jobs(), instance.num_machines()), ("jobs", 2, 2));
        assert_eq!(instance.job_names().unwrap(), ["A", "B"]);
        let missing = read(folder.path().join("none.csv")).unwrap_err();
        assert!(matches!(missing, Error::Read(_)), "{missing}");
        let twice = folder.path().join("two.txt");
        std::fs::write(&twice, "2 1 5 9 9\n1 2\n2 1 6 9 9\n3 4\n").unwrap();
        assert!(matches!(read(&twice), Err(Error::Several { count: 2, .. })));
        let second = read(format!("{}#2", twice.display())).unwrap();
        assert_eq!((second.name(), second.num_jobs()), ("two#2", 2));
    }

    #[test]
    fn names_are_known_or_not() {
        assert_eq!(named("ta001").unwrap().name(), "ta001");
        assert!(matches!(named("ta121"), Err(Error::Read(_))));
    }
}

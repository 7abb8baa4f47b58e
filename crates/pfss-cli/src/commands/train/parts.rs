//! Labels as they are made: nothing of a labelling that is cut short is lost.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use pfss_core::{JobId, Permutation};
use serde_json::{Map, Value};

use super::label_record::tell_the_same;

/// The file beside a set that its labels are kept in until it is whole: a line with the record, then one for each
/// label, its number and its order, as they come.
pub(super) struct Parts {
    path: PathBuf,
    writing: Mutex<Writing>,
}

/// The file, and why it could not be written.
struct Writing {
    file: File,
    failure: Option<io::Error>,
}

/// The file with the parts of a set.
fn path_of(set: &Path) -> PathBuf {
    let mut name = set.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// The set is whole: its parts are not needed any more.
pub(super) fn remove(set: &Path) {
    // There may be none; and where they stay, they do no harm.
    let _ = std::fs::remove_file(path_of(set));
}

/// What is kept of a set says of its seed.
pub(super) fn seed(set: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(path_of(set)).ok()?;
    let record: Value = serde_json::from_str(text.lines().next()?).ok()?;
    record.get("seed")?.as_u64()
}

impl Parts {
    /// Opens what is kept of the set that `record` tells of, and gives the orders that are there, by number; `lengths` are
    /// those of all orders.
    pub(super) fn open(
        set: &Path,
        record: &Map<String, Value>,
        lengths: &[usize],
    ) -> anyhow::Result<(Self, Vec<Option<Permutation>>)> {
        let path = path_of(set);
        let shown = path.display();
        let failed = || format!("{shown}: cannot keep labels");
        let options = OpenOptions::new().read(true).append(true).create(true).clone();
        let mut file = options.open(&path).with_context(failed)?;
        if matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock)) {
            bail!("{shown}: another command is making these labels");
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).with_context(failed)?;
        // What a kill or a full disk left behind the last whole line is no label.
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        file.set_len(whole as u64).with_context(failed)?;
        file.seek(SeekFrom::End(0)).with_context(failed)?;
        let text = String::from_utf8_lossy(&text[..whole]);
        let mut orders = vec![None; lengths.len()];
        let mut lines = text.lines();
        match lines.next() {
            None => writeln!(file, "{}", Value::Object(record.clone())).with_context(failed)?,
            Some(first) => {
                let kept: Option<Map<String, Value>> = serde_json::from_str(first).ok();
                if !kept.is_some_and(|kept| tell_the_same(&kept, record)) {
                    bail!(
                        "{shown}: holds labels that were made with other settings; finish them with their own command, or remove the file"
                    );
                }
            }
        }
        for (index, order) in lines.filter_map(label) {
            if let Some(length) = lengths.get(index) {
                orders[index] = Permutation::new(order, *length).ok();
            }
        }
        Ok((Self { path, writing: Mutex::new(Writing { file, failure: None }) }, orders))
    }

    /// Keeps a label; false where it could not be kept.
    pub(super) fn keep(&self, index: usize, order: &Permutation) -> bool {
        let jobs: Vec<String> = order.iter().map(ToString::to_string).collect();
        let line = format!("{index} {}\n", jobs.join(" "));
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if writing.failure.is_none() {
            writing.failure = writing.file.write_all(line.as_bytes()).err();
        }
        writing.failure.is_none()
    }

    /// Fails where a label could not be kept.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        let mut writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        match writing.failure.take() {
            Some(failure) => Err(failure).with_context(|| {
                format!("{}: cannot keep labels; those before are kept", self.path.display())
            }),
            None => Ok(()),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// A line with a label.
fn label(line: &str) -> Option<(usize, Vec<JobId>)> {
    let (index, order) = line.split_once(' ')?;
    let order = order.split(' ').map(|job| job.parse().ok()).collect::<Option<_>>()?;
    Some((index.parse().ok()?, order))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(jobs: [JobId; 3]) -> Permutation {
        Permutation::new(jobs.to_vec(), 3).unwrap()
    }

    #[test]
    fn what_is_whole_is_kept_and_a_torn_line_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let set = folder.path().join("labels.safetensors");
        let record = Map::from_iter([("seed".to_string(), Value::from(7))]);
        let open = || Parts::open(&set, &record, &[3; 4]);
        let (parts, none) = open().unwrap();
        assert_eq!(none, vec![None; 4]);
        assert!(parts.keep(2, &order([2, 0, 1])) && parts.keep(0, &order([1, 0, 2])));
        assert!(open().err().unwrap().to_string().contains("another command"));
        drop(parts);
        let file = folder.path().join("labels.safetensors.part");
        let mut text = std::fs::read_to_string(&file).unwrap();
        text.push_str("1 0 1 2\n1 0 0 2\n9 0 1 2\nnonsense\n3 0 1");
        std::fs::write(&file, text).unwrap();
        assert_eq!(seed(&set), Some(7));
        let (parts, kept) = open().unwrap();
        // A line that is no order of three jobs takes the place of none.
        assert_eq!(kept, [Some(order([1, 0, 2])), None, Some(order([2, 0, 1])), None]);
        assert!(parts.keep(3, &order([0, 1, 2])));
        drop(parts);
        let (parts, kept) = open().unwrap();
        assert_eq!(kept[3], Some(order([0, 1, 2])));
        drop(parts);
        let other = Map::from_iter([("seed".to_string(), Value::from(8))]);
        let refused = Parts::open(&set, &other, &[3; 4]).err().unwrap();
        assert!(refused.to_string().contains("other settings"), "{refused}");
        remove(&set);
        assert!(!file.exists() && seed(&set).is_none());
    }
}

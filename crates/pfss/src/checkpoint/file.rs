//! The file: one line of JSON, then one line per open node.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use pfss_core::tree::OpenNode;
use pfss_core::{Instance, JobId, Time};
use pfss_io::atomic::{self, WriteFileError};
use pfss_io::{Entry, entry_hash, instance_hash};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::piece::Solvable;

/// The format; a program that reads another one says so.
const SCHEMA: &str = "pfss.checkpoint/1";

/// Digits of the fingerprint in the name of a file: instances may share a name.
const DIGITS: usize = 12;

/// What a proof has found, and what it has still to search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint {
    /// No order costs less. Of a plan the cost is its score, which counts ticks.
    pub bound: f64,
    /// The best order and its cost.
    pub best: Option<(Vec<JobId>, f64)>,
    /// What is still to be searched. Nothing else can hold a better order.
    pub nodes: Vec<OpenNode>,
}

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    schema: String,
    instance: String,
    instance_hash: String,
    bound: f64,
    makespan: Option<f64>,
    order: Option<Vec<JobId>>,
    nodes: usize,
    version: String,
}

/// Why there is no checkpoint.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteFileError),
    /// It cannot be read.
    #[error("{}: cannot read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is none, or none for this instance.
    #[error("{}: {reason}; give another folder, or remove the file to begin anew", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

/// Where the checkpoints of one instance are.
#[derive(Clone, Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    instance: String,
    hash: String,
}

impl CheckpointFile {
    /// The file of an instance in this folder, which is made where it is missing.
    ///
    /// # Errors
    /// [`CheckpointError::Write`] when the folder cannot be made.
    pub fn new<T: Time>(folder: &Path, instance: &Instance<T>) -> Result<Self, CheckpointError> {
        Self::named(folder, instance.name(), instance_hash(instance))
    }

    /// The file of an instance with what its jobs and machines carry.
    ///
    /// # Errors
    /// [`CheckpointError::Write`] when the folder cannot be made.
    pub fn of_entry(folder: &Path, entry: &Entry) -> Result<Self, CheckpointError> {
        Self::named(folder, entry.instance.name(), entry_hash(entry))
    }

    fn named(folder: &Path, instance: &str, hash: String) -> Result<Self, CheckpointError> {
        let made = fs::create_dir_all(folder);
        made.map_err(|source| WriteFileError { path: folder.to_path_buf(), source })?;
        let plain = |letter: char| if letter.is_alphanumeric() { letter } else { '_' };
        let name: String = instance.chars().map(plain).collect();
        let path = folder.join(format!("{name}-{}.checkpoint", &hash[..DIGITS]));
        Ok(Self { path, instance: instance.to_string(), hash })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the file in one step: whatever happens, the old one or the new one is whole.
    ///
    /// # Errors
    /// [`CheckpointError::Write`] names the path.
    pub fn save(&self, checkpoint: &Checkpoint) -> Result<(), CheckpointError> {
        let (order, makespan) = checkpoint.best.clone().unzip();
        let header = Header {
            schema: SCHEMA.to_string(),
            instance: self.instance.clone(),
            instance_hash: self.hash.clone(),
            bound: checkpoint.bound,
            makespan,
            order,
            nodes: checkpoint.nodes.len(),
            version: env!("CARGO_PKG_VERSION").to_string(),
        };
        // All reals in it are finite: nothing in a header has no JSON form.
        let mut text = serde_json::to_string(&header).unwrap_or_default();
        for node in &checkpoint.nodes {
            text.push('\n');
            text.push_str(&node.to_string());
        }
        text.push('\n');
        Ok(atomic::write(&self.path, text.as_bytes())?)
    }

    /// The checkpoint that is there, or `None`.
    ///
    /// # Errors
    /// [`CheckpointError`] when it cannot be read, is damaged, or belongs to another instance.
    pub fn load<P: Solvable>(&self, problem: &P) -> Result<Option<Checkpoint>, CheckpointError> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(CheckpointError::Read { path: self.path.clone(), source }),
        };
        let wrong = |reason: String| CheckpointError::Wrong { path: self.path.clone(), reason };
        self.parse(&text, problem).map(Some).map_err(wrong)
    }

    fn parse<P: Solvable>(&self, text: &str, problem: &P) -> Result<Checkpoint, String> {
        let (first, rest) = text.split_once('\n').ok_or("line 1: this is no checkpoint")?;
        let value: serde_json::Value =
            serde_json::from_str(first).map_err(|error| format!("line 1: this is no checkpoint: {error}"))?;
        let schema = value["schema"].as_str().unwrap_or("nothing");
        if schema != SCHEMA {
            return Err(format!("line 1: its format is {schema}, this program reads {SCHEMA}"));
        }
        let header: Header = serde_json::from_value(value).map_err(|error| format!("line 1: {error}"))?;
        if header.instance_hash != self.hash {
            return Err(format!("it belongs to another instance ({})", header.instance));
        }
        let best = match (header.order, header.makespan) {
            (Some(order), Some(claimed)) => {
                problem
                    .check(&order, Some(claimed))
                    .map_err(|error| format!("line 1: its order is wrong: {error}"))?;
                Some((order, claimed))
            }
            _ => None,
        };
        let mut nodes = Vec::with_capacity(header.nodes.min(1 << 20));
        for (at, line) in rest.lines().enumerate() {
            let node = line.parse().map_err(|error| format!("line {}: {error}", at + 2))?;
            nodes.push(node);
        }
        if nodes.len() != header.nodes {
            return Err(format!("it holds {} open nodes, but {} are announced", nodes.len(), header.nodes));
        }
        Ok(Checkpoint { bound: header.bound, best, nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::tree::End;

    fn instance() -> Instance<u32> {
        Instance::new("a/b", 2, vec![3, 2, 1, 5, 4, 1]).unwrap()
    }

    fn checkpoint() -> Checkpoint {
        let node = OpenNode { placements: vec![(1, End::Front)], bound: 9.0, share: 0.5 };
        Checkpoint { bound: 8.0, best: Some((vec![1, 0, 2], 9.0)), nodes: vec![node.clone(), node] }
    }

    #[test]
    fn it_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let file = CheckpointFile::new(&folder.path().join("new"), &instance()).unwrap();
        assert!(file.load(&instance()).unwrap().is_none());
        file.save(&checkpoint()).unwrap();
        assert_eq!(file.load(&instance()).unwrap(), Some(checkpoint()));
        file.save(&Checkpoint::default()).unwrap();
        assert_eq!(file.load(&instance()).unwrap(), Some(Checkpoint::default()));
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = CheckpointFile::new(folder.path(), &instance()).unwrap();
        file.save(&checkpoint()).unwrap();
        let good = fs::read_to_string(file.path()).unwrap();
        let told = |text: &str| {
            fs::write(file.path(), text).unwrap();
            file.load(&instance()).unwrap_err().to_string()
        };
        for (text, part) in [
            ("".to_string(), "no checkpoint"),
            ("{}\n".to_string(), "its format is nothing"),
            (good.replace("checkpoint/1", "checkpoint/2"), "this program reads pfss.checkpoint/1"),
            (good.replace("[1,0,2]", "[1,0,1]"), "its order is wrong"),
            (good.replace("\"makespan\":9.0", "\"makespan\":8.0"), "its order is wrong"),
            (good.replace("+1", "1"), "line 2: this is no open node"),
            (good.trim_end().rsplit_once('\n').unwrap().0.to_string() + "\n", "1 open nodes, but 2"),
            (good.replace("\"instance_hash\":\"", "\"instance_hash\":\"0"), "another instance"),
        ] {
            let message = told(&text);
            assert!(message.contains(part) && message.contains("remove the file"), "{part}: {message}");
        }
    }
}

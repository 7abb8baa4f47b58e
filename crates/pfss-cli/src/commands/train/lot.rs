//! Instances to learn from or to measure on: drawn ones, or one's own.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use pfss_core::{Permutation, Seed};
use pfss_neural::{LabelledSet, PolicyInput, ProblemInstance};
use serde_json::{Map, Value, json};

use super::sample::Sample;
use crate::args::{ProblemName, SourceArgs};
use crate::commands::problem::{read_labels, real};
use crate::console::Console;
use crate::gate::FileGate;
use crate::source;

/// Instances of one size.
#[derive(Clone)]
pub(super) enum Lot {
    /// As many as are wanted.
    Drawn(Sample),
    /// These.
    Given(Given),
}

/// Instances of files.
#[derive(Clone)]
pub(super) struct Given {
    /// Where they come from.
    files: String,
    instances: Arc<Vec<ProblemInstance>>,
}

impl Given {
    /// All instances of these arguments, by size in the order of their first instances.
    pub(super) fn read(arguments: &[String], console: Console) -> anyhow::Result<Vec<Self>> {
        source::check_stdin(arguments.iter().map(String::as_str))?;
        let mut gate = FileGate::default();
        let mut groups: Vec<Vec<ProblemInstance>> = Vec::new();
        let mut add = |instance: ProblemInstance| {
            let shape = (instance.len(), instance.width());
            match groups.iter_mut().find(|group| (group[0].len(), group[0].width()) == shape) {
                Some(group) => group.push(instance),
                None => groups.push(vec![instance]),
            }
        };
        for argument in arguments {
            if are_labels(Path::new(argument)) {
                let set = read_set(Path::new(argument))?;
                if ProblemName::of(&set) != ProblemName::FlowShop {
                    bail!(
                        "{argument}: holds no flow shops; instances of other problems are drawn, or taken with their labels (--labels)"
                    );
                }
                set.items().iter().for_each(|item| add(item.instance.clone()));
                continue;
            }
            let entries = source::read_plain(argument, &SourceArgs::default(), &mut gate, console)?;
            for entry in &entries {
                add(real(&entry.instance).with_context(|| argument.clone())?);
            }
        }
        let files = arguments.join(" ");
        let groups = groups.into_iter();
        Ok(groups.map(|instances| Self { files: files.clone(), instances: Arc::new(instances) }).collect())
    }

    /// The instances of a labelled set, without their orders.
    #[cfg_attr(not(feature = "train"), allow(dead_code))]
    pub(super) fn of(set: &LabelledSet, file: &Path) -> Self {
        let instances = set.items().iter().map(|item| item.instance.clone()).collect();
        Self { files: file.display().to_string(), instances: Arc::new(instances) }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.instances.len()
    }

    /// The first of them and the rest, of which there are `held`.
    #[cfg_attr(not(feature = "train"), allow(dead_code))]
    pub(super) fn divided(&self, held: usize) -> anyhow::Result<(Self, Self)> {
        let (first, rest) = self.instances.split_at(kept(self.len(), held, &self.files)?);
        let part = |instances: &[ProblemInstance]| Self {
            files: self.files.clone(),
            instances: Arc::new(instances.to_vec()),
        };
        Ok((part(first), part(rest)))
    }

    fn shape(&self) -> (usize, usize) {
        self.instances.first().map_or((0, 0), |instance| (instance.len(), instance.width()))
    }

    /// What tells them from others: all their times.
    fn fingerprint(&self) -> anyhow::Result<String> {
        let unordered =
            |instance: &ProblemInstance| (instance.clone(), Permutation::identity(instance.len()));
        Ok(LabelledSet::new(self.instances.iter().map(unordered).collect(), Map::new())?.fingerprint())
    }
}

/// How many are left to learn from where so many are held back.
#[cfg_attr(not(feature = "train"), allow(dead_code))]
fn kept(count: usize, held: usize, files: &str) -> anyhow::Result<usize> {
    match count.checked_sub(held).filter(|&kept| kept > 0 && held > 0) {
        Some(kept) => Ok(kept),
        None => bail!(
            "{files}: of {count} instances {held} would be held back for validation, which leaves none for one of both; give --validation K, or a FILE"
        ),
    }
}

/// How many of so many are held back for validation where nobody says it.
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(super) fn held_back(count: usize, asked: Option<usize>) -> usize {
    asked.unwrap_or((count / 10).clamp(1, 1_000))
}

/// A labelled set without its last ones, and these, of which there are `held`.
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(super) fn divide(
    set: &LabelledSet,
    held: usize,
    file: &Path,
) -> anyhow::Result<(LabelledSet, LabelledSet)> {
    let kept = kept(set.items().len(), held, &file.display().to_string())?;
    let (first, rest) = set.items().split_at(kept);
    let part = |items: &[pfss_neural::LabelledInstance], what: &str| {
        let mut record = set.record().clone();
        record.insert("part".to_string(), what.into());
        LabelledSet::new(
            items.iter().map(|item| (item.instance.clone(), item.order.clone())).collect(),
            record,
        )
    };
    Ok((part(first, &format!("the first {kept}"))?, part(rest, &format!("the last {held}"))?))
}

impl Lot {
    /// The problem.
    pub(super) fn problem(&self) -> ProblemName {
        match self {
            Self::Drawn(sample) => sample.problem(),
            Self::Given(_) => ProblemName::FlowShop,
        }
    }

    /// The problem, and the numbers of jobs and machines.
    #[cfg_attr(not(feature = "train"), allow(dead_code))]
    pub(super) fn shape(&self) -> (ProblemName, usize, usize) {
        let (jobs, machines) = match self {
            Self::Drawn(sample) => sample.size(),
            Self::Given(given) => given.shape(),
        };
        (self.problem(), jobs, machines)
    }

    /// Instance `index` of a seed.
    pub(super) fn instance(&self, seed: Seed, index: u64) -> anyhow::Result<ProblemInstance> {
        match self {
            Self::Drawn(sample) => sample.draw(seed, index),
            // They come again and again.
            Self::Given(given) => Ok(given.instances[index as usize % given.len()].clone()),
        }
    }

    /// A name for people.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Drawn(sample) => sample.name(),
            Self::Given(given) => {
                let (jobs, machines) = given.shape();
                format!("{} {jobs}x{machines}", given.files)
            }
        }
    }

    /// What would give the same.
    pub(super) fn record(&self) -> anyhow::Result<Value> {
        Ok(match self {
            Self::Drawn(sample) => sample.record(),
            Self::Given(given) => {
                let (jobs, machines) = given.shape();
                json!({
                    "instances": given.files,
                    "fingerprint": given.fingerprint()?,
                    "num_jobs": jobs,
                    "num_machines": machines,
                })
            }
        })
    }
}

/// Whether a file holds instances with labels, by the ending of its name.
pub(super) fn are_labels(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "safetensors")
}

/// Reads a labelled set.
pub(super) fn read_set(path: &Path) -> anyhow::Result<LabelledSet> {
    let bytes = std::fs::read(path).with_context(|| format!("{}: cannot read", path.display()))?;
    read_labels(&bytes).with_context(|| path.display().to_string())
}

/// The files of `--validation`, or how many instances it asks for.
#[derive(Clone, Debug)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
pub(super) enum Held {
    Count(Option<usize>),
    Files(Vec<PathBuf>),
}

impl Held {
    /// Reads what `--validation` was given.
    #[cfg_attr(not(feature = "train"), allow(dead_code))]
    pub(super) fn of(given: &[String]) -> anyhow::Result<Self> {
        let counts: Vec<usize> = given.iter().filter_map(|text| text.parse().ok()).collect();
        match (given, &counts[..]) {
            ([], _) => Ok(Self::Count(None)),
            ([_], [0]) => bail!("--validation is 0, but at least one instance is needed"),
            ([_], [count]) => Ok(Self::Count(Some(*count))),
            (files, []) => Ok(Self::Files(files.iter().map(PathBuf::from).collect())),
            _ => bail!("--validation: expected how many instances, or files"),
        }
    }
}

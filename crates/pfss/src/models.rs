//! The models that come with the program, and those in files.

use std::path::{Path, PathBuf};

use pfss_neural::{ModelError, Policy, ProblemKind};
use thiserror::Error;

/// A model that comes with the program.
pub struct ShippedModel {
    /// Its name.
    pub name: &'static str,
    /// The problem that it was trained for.
    pub problem: ProblemKind,
    /// The number of machines that it was trained for; cities have two coordinates in their place.
    pub num_machines: usize,
    /// What it was trained on.
    pub summary: &'static str,
    bytes: &'static [u8],
}

macro_rules! shipped {
    ($name:literal, $problem:ident, $machines:literal, $summary:literal) => {
        ShippedModel {
            name: $name,
            problem: ProblemKind::$problem,
            num_machines: $machines,
            summary: $summary,
            bytes: include_bytes!(concat!("../../../models/", $name, "/model.safetensors")),
        }
    };
}

/// All of them; the first for a problem and number of machines is the one that is used by default.
pub fn shipped_models() -> &'static [ShippedModel] {
    const MODELS: &[ShippedModel] = &[
        shipped!("gamma-m5", FlowShop, 5, "gamma times, 20 jobs, 5 machines, labels of iterated greedy"),
        shipped!("gamma-m10", FlowShop, 10, "gamma times, 20 jobs, 10 machines, labels of iterated greedy"),
        shipped!("gamma-m20", FlowShop, 20, "gamma times, 20 jobs, 20 machines, labels of iterated greedy"),
        shipped!("normal-m5", FlowShop, 5, "normal times, 20 jobs, 5 machines, labels of iterated greedy"),
    ];
    MODELS
}

/// Why there is no policy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadModelError {
    /// No model that comes with the program is for this number of machines.
    #[error(
        "there is no model for {num_machines} machines; those that come with the program are {known}; train one with `pfss train bc -m {num_machines}` and give its file as the model"
    )]
    NoneFor {
        /// The instance's.
        num_machines: usize,
        /// The models that there are.
        known: String,
    },
    /// No model that comes with the program is for tours.
    #[error(
        "no model for tours comes with the program; train one with `pfss train bc --problem tsp` and give its file as the model"
    )]
    NoneForTours,
    /// The file cannot be read.
    #[error("{}: cannot read the model: {source}; it is no name of a model either: {known}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
        /// The models that there are.
        known: String,
    },
    /// The file is no model.
    #[error("{}: {source}", path.display())]
    Model {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: ModelError,
    },
    /// A model that comes with the program is damaged.
    #[error("the model {name} is damaged, which is a defect worth reporting: {source}")]
    Shipped {
        /// Its name.
        name: &'static str,
        /// What is wrong with it.
        source: ModelError,
    },
}

/// The policy in a file or of a name; an empty text stands for the one that fits the problem and number of machines.
///
/// # Errors
/// [`LoadModelError`] tells what is wrong and what there is.
pub fn load(model: &str, problem: ProblemKind, num_machines: usize) -> Result<Policy, LoadModelError> {
    let known = || {
        let of_problem = shipped_models().iter().filter(|model| model.problem == problem);
        let names = of_problem.map(|model| match problem {
            ProblemKind::FlowShop => format!("{} ({} machines)", model.name, model.num_machines),
            ProblemKind::Tsp => model.name.to_string(),
        });
        names.collect::<Vec<_>>().join(", ")
    };
    let shipped = shipped_models().iter().find(|shipped| match model {
        "" => shipped.problem == problem && shipped.num_machines == num_machines,
        name => shipped.name == name,
    });
    if let Some(shipped) = shipped {
        return Policy::from_bytes(shipped.bytes)
            .map_err(|source| LoadModelError::Shipped { name: shipped.name, source });
    }
    if model.is_empty() {
        return Err(match problem {
            ProblemKind::FlowShop => LoadModelError::NoneFor { num_machines, known: known() },
            ProblemKind::Tsp => LoadModelError::NoneForTours,
        });
    }
    let path = Path::new(model).to_path_buf();
    // A folder that a training wrote stands for the model in it.
    let file = if path.is_dir() { path.join("model.safetensors") } else { path.clone() };
    match std::fs::read(&file) {
        Ok(bytes) => {
            Policy::from_bytes(&bytes).map_err(|source| LoadModelError::Model { path: file, source })
        }
        Err(source) => Err(LoadModelError::Read { path, source, known: known() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_that_comes_along_is_what_it_says() {
        for model in shipped_models() {
            let policy = load(model.name, model.problem, 1).unwrap();
            assert_eq!(policy.config().num_machines, model.num_machines);
        }
    }

    #[test]
    fn foreign_files_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.safetensors");
        std::fs::write(&file, b"not a model at all").unwrap();
        for path in [folder.path(), &file] {
            let error = load(path.to_str().unwrap(), ProblemKind::FlowShop, 5).err().unwrap();
            assert!(matches!(error, LoadModelError::Model { .. }), "{error}");
        }
    }
}

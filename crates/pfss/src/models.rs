//! Trained policies: those that are part of the program, and those in files.

mod built_in;
mod error;
mod loaded;
mod names;

use std::borrow::Cow;
use std::path::{Path, PathBuf};

pub use error::LoadModelError;
pub use loaded::LoadedPolicy;
pub use names::{BUILT_IN_MODEL, BUILT_IN_MODELS, MODEL_FILE, MODEL_FOLDER};

/// The policy in a file, in the folder of a training, or of a name; an empty text stands for the better one of those that are
/// built in, for so many machines.
///
/// # Errors
/// [`LoadModelError`] tells what is wrong and what there is.
pub fn load_for(model: &str, num_machines: usize) -> Result<LoadedPolicy, LoadModelError> {
    if model.is_empty() { load(built_in::name_for(num_machines)) } else { load(model) }
}

/// [`load_for`] where nothing is known of an instance: an empty text stands for [`BUILT_IN_MODEL`].
///
/// # Errors
/// As for [`load_for`].
pub fn load(model: &str) -> Result<LoadedPolicy, LoadModelError> {
    let model = if model.is_empty() { BUILT_IN_MODEL } else { model };
    if let Some(policy) = built_in::load(model) {
        return policy;
    }
    let (path, bytes) = read(model)?;
    LoadedPolicy::from_bytes(&bytes).map_err(|source| LoadModelError::Model { path, source })
}

/// The content of a model's file, wherever [`load`] would find it, and what it is called in sentences.
///
/// # Errors
/// [`LoadModelError::Read`] tells what there is instead.
pub fn model_content(model: &str) -> Result<(PathBuf, Cow<'static, [u8]>), LoadModelError> {
    match built_in::content(model) {
        Some(bytes) => Ok((PathBuf::from(model), Cow::Borrowed(bytes))),
        None => read(model).map(|(file, bytes)| (file, Cow::Owned(bytes))),
    }
}

/// The file of a model and its content; `None` where it is part of the program.
///
/// # Errors
/// [`LoadModelError::Read`] tells what there is instead.
pub(crate) fn content(model: &str) -> Result<Option<(PathBuf, Vec<u8>)>, LoadModelError> {
    if model.is_empty() || BUILT_IN_MODELS.contains(&model) { Ok(None) } else { read(model).map(Some) }
}

/// The file that a model is read from where it is not part of the program: a file, or the model in a folder or of a name. It
/// need not exist.
pub fn model_file(model: &str) -> PathBuf {
    let path = Path::new(model);
    let named = Path::new(MODEL_FOLDER).join(path).join(MODEL_FILE);
    // A folder that a training wrote stands for the model in it.
    let file = if path.is_dir() { path.join(MODEL_FILE) } else { path.to_path_buf() };
    if !file.exists() && named.exists() { named } else { file }
}

fn read(model: &str) -> Result<(PathBuf, Vec<u8>), LoadModelError> {
    let file = model_file(model);
    match std::fs::read(&file) {
        Ok(bytes) => Ok((file, bytes)),
        Err(source) => Err(LoadModelError::Read { path: PathBuf::from(model), source }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::Instance;
    use pfss_neural::{FrontConfig, FrontWeights};
    use std::sync::Arc;

    #[test]
    fn the_bidirectional_policy_is_the_default_and_is_read_once() {
        let front = |name: &str| match load(name).unwrap() {
            LoadedPolicy::Front(policy) => policy,
            LoadedPolicy::Network(_) => panic!("{name} is of another kind"),
        };
        assert!(Arc::ptr_eq(&front(""), &front("front")));
        assert!(!Arc::ptr_eq(&front("front-wide"), &front("front")));
    }

    #[test]
    fn names_stand_for_the_content_of_a_file() {
        let (name, content) = model_content("front").unwrap();
        assert_eq!(name, Path::new("front"));
        assert!(matches!(LoadedPolicy::from_bytes(&content), Ok(LoadedPolicy::Front(_))));
        assert!(matches!(model_content("nowhere"), Err(LoadModelError::Read { .. })));
    }

    #[test]
    fn many_machines_have_a_model_of_their_own() {
        let front = |machines: usize| match load_for("", machines).unwrap() {
            LoadedPolicy::Front(policy) => policy,
            LoadedPolicy::Network(_) => panic!("of another kind"),
        };
        assert!(Arc::ptr_eq(&front(5), &front(20)));
        assert!(Arc::ptr_eq(&front(40), &front(60)));
        assert!(!Arc::ptr_eq(&front(20), &front(40)));
    }

    #[test]
    fn a_bidirectional_policy_serves_any_number_of_machines() {
        let weights = FrontWeights::random(FrontConfig::default(), 1).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.safetensors");
        std::fs::write(&file, weights.to_bytes().unwrap()).unwrap();
        let policy = load(file.to_str().unwrap()).unwrap();
        for machines in [1, 3, 7] {
            let instance = Instance::new("", machines, vec![2u32; 5 * machines]).unwrap();
            let mut order = policy.greedy(&instance, &|| true).unwrap().unwrap();
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2, 3, 4]);
        }
    }

    #[test]
    fn foreign_files_are_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.safetensors");
        std::fs::write(&file, b"not a model at all").unwrap();
        for path in [folder.path(), &file] {
            let error = load(path.to_str().unwrap()).err().unwrap();
            assert!(matches!(error, LoadModelError::Model { .. }), "{error}");
        }
    }
}

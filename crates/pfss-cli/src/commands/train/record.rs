//! What a training leaves behind of itself: how it went, and what led to it.

use std::path::Path;

use pfss_experiments::Provenance;
use pfss_training::{Epoch, TrainingConfig};
use serde_json::{Value, json};

use super::run_folder::read_record;
use crate::args::RunArgs;

/// What would give a model again, and how it went: `own` is what only this kind of training has.
pub(super) fn record<C: TrainingConfig>(
    args: &RunArgs,
    seed: u64,
    begun: &str,
    config: &C,
    history: &[Epoch],
    own: Value,
) -> Value {
    let provenance = Provenance::here(env!("PFSS_COMMIT"));
    let mut command = vec!["pfss".to_string()];
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    // Arguments of a process have no zeros.
    command.extend(shlex::try_join(words.iter().map(String::as_str)));
    if args.seed.is_none() {
        // It was drawn; with it, the command gives the same in any folder.
        command.push(format!("-s {seed}"));
    }
    let mut record = json!({
        "command": command.join(" "),
        "version": provenance.version,
        "commit": provenance.commit,
        "cpu": provenance.cpu,
        "device": format!("{:?}", args.device).to_lowercase(),
        "begun": begun,
        "seed": seed,
        "config": config,
        "best": best(history),
        "epochs": history,
    });
    if let (Value::Object(record), Value::Object(own)) = (&mut record, own) {
        record.extend(own);
    }
    record
}

/// The records of the trainings that led to a model, the first one first, where they lie beside it.
pub(super) fn earlier(start: &Path) -> Vec<Value> {
    let folder = if start.is_dir() { Some(start) } else { start.parent() };
    let Some(mut last) = folder.and_then(read_record) else { return Vec::new() };
    let mut records = take_earlier(&mut last);
    records.push(last);
    records
}

/// Takes what a record tells of the trainings before it.
pub(super) fn take_earlier(record: &mut Value) -> Vec<Value> {
    match record.as_object_mut().and_then(|record| record.remove("earlier")) {
        Some(Value::Array(records)) => records,
        _ => Vec::new(),
    }
}

/// The first epoch with the least gap.
pub(super) fn best(history: &[Epoch]) -> Option<&Epoch> {
    history.iter().min_by(|a, b| a.gap.total_cmp(&b.gap).then(a.epoch.cmp(&b.epoch)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_tell_all_trainings_before() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(earlier(folder.path()), Vec::<Value>::new());
        let file = folder.path().join("training.json");
        std::fs::write(&file, r#"{"seed": 3, "earlier": [{"seed": 1}, {"seed": 2}]}"#).unwrap();
        let all = vec![json!({"seed": 1}), json!({"seed": 2}), json!({"seed": 3})];
        assert_eq!(earlier(folder.path()), all);
        assert_eq!(earlier(&folder.path().join("model.safetensors")), all);
        std::fs::write(&file, "no record").unwrap();
        assert_eq!(earlier(folder.path()), Vec::<Value>::new());
    }
}

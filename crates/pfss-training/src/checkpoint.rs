//! A training between two batches, as a file's content.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::TrainingError;
use crate::epoch::Epoch;

/// The key of the position in a file's metadata.
const POSITION: &str = "pfss.checkpoint/2";

/// How far a training has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Position<C> {
    /// How it is trained.
    pub(crate) config: C,
    /// Of each network that learns: steps of its optimiser. Filled in when a checkpoint is written.
    #[serde(default)]
    pub(crate) steps: Vec<usize>,
    /// What tells the instances from others.
    pub(crate) data: String,
    /// Epochs that are done.
    pub(crate) epoch: usize,
    /// Batches of the next epoch that are done.
    pub(crate) batch: usize,
    /// Seconds spent on them.
    pub(crate) seconds: f64,
    pub(crate) history: Vec<Epoch>,
}

impl<C> Position<C> {
    /// The beginning.
    pub(crate) fn new(config: C, data: String) -> Self {
        Self { config, steps: Vec::new(), data, epoch: 0, batch: 0, seconds: 0.0, history: Vec::new() }
    }

    /// Goes on to the next epoch.
    pub(crate) fn finish_epoch(&mut self, done: Epoch) {
        self.history.push(done);
        (self.epoch, self.batch, self.seconds) = (self.history.len(), 0, 0.0);
    }
}

/// All numbers of a network that a training changes.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Steps of the optimiser.
    pub steps: usize,
    /// The weights.
    pub weights: Vec<f32>,
    /// The optimiser's first moments, one for each weight.
    pub moment_1: Vec<f32>,
    /// The optimiser's second moments, one for each weight.
    pub moment_2: Vec<f32>,
    /// Running statistics.
    pub running: Vec<f32>,
    /// The averaged weights; empty where there are none.
    pub average: Vec<f32>,
}

impl Snapshot {
    /// Whether all of them are numbers.
    pub(crate) fn is_finite(&self) -> bool {
        let rows = [&self.weights, &self.moment_1, &self.moment_2, &self.running, &self.average];
        rows.iter().all(|row| row.iter().all(|value| value.is_finite()))
    }
}

/// How the training of a checkpoint is made, as JSON, whatever kind it is of; `None` where the bytes are no checkpoint.
pub fn checkpoint_config(bytes: &[u8]) -> Option<serde_json::Value> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).ok()?;
    let position = metadata.metadata().as_ref()?.get(POSITION)?;
    Some(serde_json::from_str::<Position<serde_json::Value>>(position).ok()?.config)
}

/// What a checkpoint holds.
pub(crate) struct Checkpoint<C> {
    pub(crate) position: Position<C>,
    /// Of each network that learns, the policy first.
    pub(crate) snapshots: Vec<Snapshot>,
    /// The sums of this epoch so far.
    pub(crate) losses: Vec<f32>,
}

/// The names of a network's rows.
const ROWS: [&str; 4] = ["weights", "moment_1", "moment_2", "running"];

/// The name of the row that only some networks have.
const AVERAGE: &str = "average";

/// `losses` are the sums of this epoch so far.
pub(crate) fn write<C: Clone + Serialize>(
    position: &Position<C>,
    snapshots: &[Snapshot],
    losses: &[f32],
) -> Result<Vec<u8>, TrainingError> {
    let refuse = |error: &dyn std::fmt::Display| TrainingError::Checkpoint { reason: error.to_string() };
    let mut rows: Vec<(String, &[f32])> = vec![("losses".to_string(), losses)];
    for (index, snapshot) in snapshots.iter().enumerate() {
        let parts = [&snapshot.weights, &snapshot.moment_1, &snapshot.moment_2, &snapshot.running];
        rows.extend(ROWS.iter().zip(parts).map(|(name, row)| (format!("{index}.{name}"), &row[..])));
        if !snapshot.average.is_empty() {
            rows.push((format!("{index}.{AVERAGE}"), &snapshot.average));
        }
    }
    let rows: Vec<(String, usize, Vec<u8>)> = rows
        .into_iter()
        .map(|(name, row)| (name, row.len(), row.iter().flat_map(|value| value.to_le_bytes()).collect()))
        .collect();
    let views: Vec<(&str, TensorView<'_>)> = rows
        .iter()
        .map(|(name, len, bytes)| Ok((name.as_str(), TensorView::new(Dtype::F32, vec![*len], bytes)?)))
        .collect::<Result<_, safetensors::SafeTensorError>>()
        .map_err(|error| refuse(&error))?;
    let steps = snapshots.iter().map(|snapshot| snapshot.steps).collect();
    let position = Position { steps, ..position.clone() };
    let position = serde_json::to_string(&position).map_err(|error| refuse(&error))?;
    serialize(views, Some(HashMap::from([(POSITION.to_string(), position)]))).map_err(|error| refuse(&error))
}

/// Reads what [`write`] made.
pub(crate) fn read<C: DeserializeOwned>(bytes: &[u8]) -> Result<Checkpoint<C>, TrainingError> {
    let refuse = |error: &dyn std::fmt::Display| TrainingError::Checkpoint { reason: error.to_string() };
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| refuse(&error))?;
    let position = metadata
        .metadata()
        .as_ref()
        .and_then(|metadata| metadata.get(POSITION))
        .ok_or_else(|| refuse(&format!("its metadata has no `{POSITION}`")))?;
    let position: Position<C> = serde_json::from_str(position).map_err(|error| {
        let is_one = serde_json::from_str::<Position<serde_json::Value>>(position).is_ok();
        if is_one {
            TrainingError::Different { what: "another kind of training".to_string() }
        } else {
            refuse(&error)
        }
    })?;
    let file = SafeTensors::deserialize(bytes).map_err(|error| refuse(&error))?;
    let row = |name: &str| -> Result<Vec<f32>, TrainingError> {
        let view = file.tensor(name).map_err(|error| refuse(&error))?;
        if view.dtype() != Dtype::F32 {
            return Err(refuse(&format!("`{name}` holds {:?} instead of F32", view.dtype())));
        }
        Ok(view.data().as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
    };
    let snapshot = |(index, &steps): (usize, &usize)| -> Result<Snapshot, TrainingError> {
        let [weights, moment_1, moment_2, running] = ROWS.map(|name| row(&format!("{index}.{name}")));
        let average = format!("{index}.{AVERAGE}");
        let has_average = file.names().contains(&average.as_str());
        let average = if has_average { row(&average)? } else { Vec::new() };
        let (moment_1, moment_2) = (moment_1?, moment_2?);
        Ok(Snapshot { steps, weights: weights?, moment_1, moment_2, running: running?, average })
    };
    let snapshots = position.steps.iter().enumerate().map(snapshot).collect::<Result<Vec<_>, _>>()?;
    let losses = row("losses")?;
    Ok(Checkpoint { position, snapshots, losses })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FrontTrainingConfig, PolicyTrainingConfig};

    /// Checkpoints outlive programs: these are as version 0.1.0 wrote them.
    #[test]
    fn positions_of_earlier_programs_are_read() {
        let read = r#"{
            "config": {"network": {"num_machines": 3, "problem": "flow-shop", "encoder": "ggcn", "width": 16,
                "layers": 2, "heads": 2, "clip": 10.0, "neighbours": 0.2, "aggregation": "mean",
                "normalization": "batch", "scale": "raw"}, "method": "behaviour-cloning", "cost": "scaled",
                "start": null, "seed": 5, "epochs": 150, "batch_size": 8, "learning_rate": 0.001, "decay": 0.96,
                "gradient_clip": 1.0},
            "steps": [467], "data": "23f1", "epoch": 38, "batch": 11, "seconds": 0.021, "history": []}"#;
        let read: Position<PolicyTrainingConfig> = serde_json::from_str(read).unwrap();
        assert_eq!((read.steps, read.epoch, read.batch), (vec![467], 38, 11));
        assert_eq!(read.config.batch_size, 8);
        let read = r#"{
            "config": {"network": {"hidden": 64, "width": 128, "clip": 10.0}, "start": null, "seed": 3,
                "imitation_epochs": 20, "gradient_epochs": 20, "batches": 10, "parts": 2, "rows": 400,
                "instances": 3, "samples": 3, "rollouts": "host", "finish": 12, "imitation_rate": 0.001,
                "gradient_rate": 0.0003, "gradient_clip": 1.0},
            "steps": [71], "data": "1 x gamma 16x3", "epoch": 1, "batch": 1, "seconds": 0.024, "history": [
                {"epoch": 1, "loss": 1.6, "critic_loss": null, "cost": 346.9, "gap": -0.06, "mean_gap": -0.1,
                "learning_rate": 0.001, "seconds": 0.16}]}"#;
        let read: Position<FrontTrainingConfig> = serde_json::from_str(read).unwrap();
        assert_eq!((read.config.gradient_epochs, read.history.len()), (20, 1));
    }
}

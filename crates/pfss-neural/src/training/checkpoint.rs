//! A training between two batches, as a file's content.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::{Deserialize, Serialize};

use super::behaviour_cloning::Epoch;
use super::{TrainingConfig, TrainingError};

/// The key of the position in a file's metadata.
const POSITION: &str = "pfss.checkpoint/1";

/// How far a training has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Position {
    pub(super) config: TrainingConfig,
    /// The fingerprint of the instances.
    pub(super) data: String,
    /// Epochs that are done.
    pub(super) epoch: usize,
    /// Batches of the next epoch that are done.
    pub(super) batch: usize,
    /// Seconds spent on them.
    pub(super) seconds: f64,
    pub(super) history: Vec<Epoch>,
}

/// All numbers that a training changes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Snapshot {
    /// Steps of the optimiser.
    pub(super) steps: usize,
    pub(super) weights: Vec<f32>,
    /// The optimiser's moments.
    pub(super) moment_1: Vec<f32>,
    pub(super) moment_2: Vec<f32>,
    /// Running statistics.
    pub(super) running: Vec<f32>,
    /// The sum of the losses of this epoch's batches.
    pub(super) loss: f32,
}

pub(super) fn write(position: &Position, snapshot: &Snapshot) -> Result<Vec<u8>, TrainingError> {
    let refuse = |error: &dyn std::fmt::Display| TrainingError::Checkpoint { reason: error.to_string() };
    let rows = [
        ("weights", &snapshot.weights[..]),
        ("moment_1", &snapshot.moment_1),
        ("moment_2", &snapshot.moment_2),
        ("running", &snapshot.running),
        ("loss", &[snapshot.loss]),
    ];
    let rows = rows.map(|(name, row)| {
        (name, row.len(), row.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>())
    });
    let views: Vec<(&str, TensorView<'_>)> = rows
        .iter()
        .map(|(name, len, bytes)| Ok((*name, TensorView::new(Dtype::F32, vec![*len], bytes)?)))
        .collect::<Result<_, safetensors::SafeTensorError>>()
        .map_err(|error| refuse(&error))?;
    let position = serde_json::to_string(&(position, snapshot.steps)).map_err(|error| refuse(&error))?;
    serialize(views, Some(HashMap::from([(POSITION.to_string(), position)]))).map_err(|error| refuse(&error))
}

pub(super) fn read(bytes: &[u8]) -> Result<(Position, Snapshot), TrainingError> {
    let refuse = |error: &dyn std::fmt::Display| TrainingError::Checkpoint { reason: error.to_string() };
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| refuse(&error))?;
    let position = metadata
        .metadata()
        .as_ref()
        .and_then(|metadata| metadata.get(POSITION))
        .ok_or_else(|| refuse(&format!("its metadata has no `{POSITION}`")))?;
    let (position, steps): (Position, usize) =
        serde_json::from_str(position).map_err(|error| refuse(&error))?;
    let file = SafeTensors::deserialize(bytes).map_err(|error| refuse(&error))?;
    let row = |name: &str, len: usize| -> Result<Vec<f32>, TrainingError> {
        let view = file.tensor(name).map_err(|error| refuse(&error))?;
        if view.dtype() != Dtype::F32 || view.shape() != [len] {
            return Err(refuse(&format!("`{name}` does not have {len} numbers")));
        }
        Ok(view.data().as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
    };
    let network = &position.config.network;
    let parameters = network.num_parameters();
    let running = network.running().iter().map(|(_, shape)| shape.iter().product::<usize>()).sum();
    let snapshot = Snapshot {
        steps,
        weights: row("weights", parameters)?,
        moment_1: row("moment_1", parameters)?,
        moment_2: row("moment_2", parameters)?,
        running: row("running", running)?,
        loss: row("loss", 1)?[0],
    };
    Ok((position, snapshot))
}

//! A training between two batches, as a file's content.

use std::collections::HashMap;

use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::TrainingError;
use super::training::Epoch;

/// The key of the position in a file's metadata.
const POSITION: &str = "pfss.checkpoint/2";

/// How far a training has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Position<C> {
    /// How it is trained.
    pub(super) config: C,
    /// Of each network that learns: steps of its optimiser. Filled in when a checkpoint is written.
    #[serde(default)]
    pub(super) steps: Vec<usize>,
    /// What tells the instances from others.
    pub(super) data: String,
    /// Epochs that are done.
    pub(super) epoch: usize,
    /// Batches of the next epoch that are done.
    pub(super) batch: usize,
    /// Seconds spent on them.
    pub(super) seconds: f64,
    pub(super) history: Vec<Epoch>,
}

impl<C> Position<C> {
    /// The beginning.
    pub(super) fn new(config: C, data: String) -> Self {
        Self { config, steps: Vec::new(), data, epoch: 0, batch: 0, seconds: 0.0, history: Vec::new() }
    }
}

/// All numbers of a network that a training changes.
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
}

/// What a checkpoint holds.
pub(super) struct Checkpoint<C> {
    pub(super) position: Position<C>,
    /// Of each network that learns, the policy first.
    pub(super) snapshots: Vec<Snapshot>,
    /// The sums of this epoch so far.
    pub(super) losses: Vec<f32>,
}

/// The names of a network's rows.
const ROWS: [&str; 4] = ["weights", "moment_1", "moment_2", "running"];

/// `losses` are the sums of this epoch so far.
pub(super) fn write<C: Clone + Serialize>(
    position: &Position<C>,
    snapshots: &[Snapshot],
    losses: &[f32],
) -> Result<Vec<u8>, TrainingError> {
    let refuse = |error: &dyn std::fmt::Display| TrainingError::Checkpoint { reason: error.to_string() };
    let mut rows: Vec<(String, &[f32])> = vec![("losses".to_string(), losses)];
    for (index, snapshot) in snapshots.iter().enumerate() {
        let parts = [&snapshot.weights, &snapshot.moment_1, &snapshot.moment_2, &snapshot.running];
        rows.extend(ROWS.iter().zip(parts).map(|(name, row)| (format!("{index}.{name}"), &row[..])));
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
pub(super) fn read<C: DeserializeOwned>(bytes: &[u8]) -> Result<Checkpoint<C>, TrainingError> {
    let refuse = |error: &dyn std::fmt::Display| TrainingError::Checkpoint { reason: error.to_string() };
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(|error| refuse(&error))?;
    let position = metadata
        .metadata()
        .as_ref()
        .and_then(|metadata| metadata.get(POSITION))
        .ok_or_else(|| refuse(&format!("its metadata has no `{POSITION}`")))?;
    let position: Position<C> = serde_json::from_str(position).map_err(|error| refuse(&error))?;
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
        Ok(Snapshot { steps, weights: weights?, moment_1: moment_1?, moment_2: moment_2?, running: running? })
    };
    let snapshots = position.steps.iter().enumerate().map(snapshot).collect::<Result<Vec<_>, _>>()?;
    let losses = row("losses")?;
    Ok(Checkpoint { position, snapshots, losses })
}

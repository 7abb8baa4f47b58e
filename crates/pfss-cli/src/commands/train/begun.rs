//! A training that was begun: its folder, its seed, and where it was interrupted.

use anyhow::bail;
use pfss_core::CancelFlag;

use super::network::device;
use super::run_folder::{RunFolder, model_in};
use crate::args::RunArgs;
use crate::commands::seed::seed_or_drawn;
use crate::console::Console;
use crate::gate::FileGate;
use crate::interrupt;

/// A training's folder, seed and checkpoint, and how it is told to stop.
pub(super) struct Begun {
    pub(super) folder: RunFolder,
    pub(super) seed: u64,
    /// Where it was interrupted, if it was.
    pub(super) checkpoint: Option<Vec<u8>>,
    pub(super) cancel: CancelFlag,
    pub(super) console: Console,
}

impl Begun {
    /// Opens the folder. A training that is there already is only gone on with when its seed is given.
    pub(super) fn open(args: &RunArgs, console: Console) -> anyhow::Result<Self> {
        device(args.device)?;
        let folder = RunFolder::open(&args.output)?;
        let mut gate = FileGate::default();
        args.start.as_deref().map_or(Ok(()), |start| gate.reads(&model_in(start)))?;
        folder.outputs().iter().try_for_each(|file| gate.writes(file))?;
        let checkpoint = folder.read_checkpoint()?;
        if checkpoint.is_some() && args.seed.is_none() {
            bail!(
                "{}: holds a training already; give its seed (-s, see training.json) to go on, or another folder",
                args.output.display()
            );
        }
        let seed = seed_or_drawn(args.seed, console);
        Ok(Self { folder, seed, checkpoint, cancel: interrupt::install()?, console })
    }
}

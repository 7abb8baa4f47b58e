//! `pfss train`: learn a policy.

#[cfg(feature = "train")]
mod behaviour_cloning;
mod labels;
#[cfg(feature = "train")]
mod run_folder;

use crate::args::{CloneArgs, TrainArgs, TrainKind};
use crate::console::Console;
use crate::exit::Exit;

pub(super) use labels::draw;

/// Learns, or prepares what is learnt from.
pub(super) fn run(args: &TrainArgs, console: Console) -> anyhow::Result<Exit> {
    match &args.kind {
        TrainKind::Bc(args) => clone(args, console),
        TrainKind::Label(args) => labels::run(args, console),
    }
}

#[cfg(feature = "train")]
fn clone(args: &CloneArgs, console: Console) -> anyhow::Result<Exit> {
    behaviour_cloning::run(args, console)
}

#[cfg(not(feature = "train"))]
fn clone(_: &CloneArgs, _: Console) -> anyhow::Result<Exit> {
    anyhow::bail!(
        "this build cannot train; build with `cargo install --path crates/pfss-cli --features train` (or `cuda` for an NVIDIA GPU)"
    )
}

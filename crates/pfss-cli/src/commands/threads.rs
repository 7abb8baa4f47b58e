//! The threads of commands that treat many instances at once.

use anyhow::Context;

use crate::machine::cores;

/// As many threads as were asked for, or one per core.
pub(super) fn thread_pool(threads: Option<u16>) -> anyhow::Result<rayon::ThreadPool> {
    let threads = threads.map_or_else(cores, usize::from);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")
}

//! What a proof has still to search, kept in a file so that it can go on later, elsewhere, on any number of processes and
//! threads.

mod file;
mod keeper;

pub use file::{Checkpoint, CheckpointError, CheckpointFile};
pub use keeper::Keeper;

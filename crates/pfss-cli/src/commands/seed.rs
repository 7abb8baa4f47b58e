//! The seed of a run.

use std::hash::{BuildHasher, RandomState};

use crate::console::Console;

/// The seed that was given, or a drawn one, which is told.
pub(super) fn seed_or_drawn(given: Option<u64>, console: Console) -> u64 {
    given.unwrap_or_else(|| {
        let seed = draw_seed();
        console.say(&format!("seed {seed}"));
        seed
    })
}

/// A seed for users who gave none: short enough to type again.
pub(super) fn draw_seed() -> u64 {
    RandomState::new().hash_one("seed") & u64::from(u32::MAX)
}

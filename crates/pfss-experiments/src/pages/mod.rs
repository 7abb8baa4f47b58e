//! Pages whose numbers are measured: hand-written text with blocks that are generated from files of rows.
//!
//! `scripts/measure` writes the rows to `experiments/measured`; [`rewrite`] fills the blocks of a page, and [`write()`] those of all
//! pages. A block stands between `<!-- measured: FILE NAME -->` and `<!-- end -->`.

mod baselines;
mod benchmarks;
mod block;
mod content;
mod error;
mod exact;
mod learning;
mod models;
mod orders;
mod planning;
mod policy;
mod policy_claims;
mod policy_contenders;
mod row;
mod rows;
mod short;
mod sources;
mod text;
mod threads;
mod tsp;

use std::path::Path;

use pfss_io::atomic;

pub use block::rewrite;
pub use error::PageError;
pub use row::{MeasuredRow, Origin};
pub use rows::Rows;
pub use sources::{Measured, Sources};

/// The pages with blocks, below the root of the project.
pub const PAGES: [&str; 11] = [
    "README.md",
    "docs/introduction.md",
    "docs/reference/networks.md",
    "docs/results/baselines.md",
    "docs/results/benchmarks.md",
    "docs/results/exact.md",
    "docs/results/new-best-known.md",
    "docs/results/planning.md",
    "docs/results/policy.md",
    "docs/results/threads.md",
    "docs/results/tsp.md",
];

/// Fills the blocks of all pages below the root of the project; tells how many pages there are.
///
/// # Errors
/// [`PageError`] when a file cannot be read or written, or a block has no rows.
pub fn write(root: &Path) -> Result<usize, PageError> {
    let sources = Sources::read(root)?;
    for page in PAGES {
        let path = root.join(page);
        let text = sources::read_text(&path)?;
        let filled = rewrite(page, &text, &sources)?;
        if filled != text {
            atomic::write(&path, filled.as_bytes())?;
        }
    }
    Ok(PAGES.len())
}

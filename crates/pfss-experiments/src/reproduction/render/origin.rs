//! Where numbers come from, in one sentence.

use crate::reproduction::Summary;

/// What made the numbers.
pub(super) fn origin(summary: &Summary) -> String {
    let origin = &summary.origin;
    let seeds: Vec<String> = origin.seeds.iter().map(u64::to_string).collect();
    format!(
        "`{}` on {}, version {}, commit {}, {}, {} at a time with one thread each; seeds {}, instances drawn with seed {}.",
        origin.command,
        origin.date,
        origin.version,
        origin.commit,
        if origin.cpu.is_empty() { "unknown processor" } else { &origin.cpu },
        origin.workers,
        seeds.join(", "),
        origin.data_seed
    )
}

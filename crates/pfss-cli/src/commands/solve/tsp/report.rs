//! A tour for people.

use pfss_tsp::TourRecord;

use crate::commands::solve::report::{INDENT, grouped, order, percent, seconds, status};
use crate::console::Console;

/// The result as a block of lines.
pub(super) fn human(record: &TourRecord, console: Console) -> String {
    let mut text = String::new();
    let mut line = |label: &str, value: &str| {
        text.push_str(&format!("{}{value}\n", console.dim(&format!("{label:<INDENT$}"))));
    };
    let size =
        if record.num_cities == 1 { "1 city".to_string() } else { format!("{} cities", record.num_cities) };
    line("instance", &format!("{} ({size})", console.bold(&record.instance)));
    line("algorithm", &record.algorithm);
    line("length", &console.bold(&record.length.to_string()));
    let gap = record.gap.map_or_else(String::new, |gap| format!(" (gap {})", percent(gap)));
    line("lower bound", &format!("{}{gap}", record.bound));
    line("status", &status(&record.status, &record.stop_reason));
    let evaluations = if record.evaluations == 1 { "evaluation" } else { "evaluations" };
    let evaluations = format!("{} {evaluations}", grouped(record.evaluations));
    line("time", &format!("{}, {evaluations}", seconds(record.runtime_s)));
    line("seed", &record.seed.to_string());
    line("order", order(&record.order, None, INDENT).trim_start());
    text
}

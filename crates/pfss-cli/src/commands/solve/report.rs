//! A result for people.

use pfss_core::JobId;
use pfss_io::ResultRecord;

use crate::console::Console;

/// How many jobs an order may have to be printed in full.
const MOST_JOBS: usize = 200;
/// How many jobs of a longer order are shown.
const SHOWN_JOBS: usize = 50;
const WIDTH: usize = 96;
pub(super) const INDENT: usize = 13;
/// The indent where the names of objectives are labels.
const WIDE_INDENT: usize = 18;

/// The result as a block of lines; `remarks` stand below the values.
pub(super) fn human(record: &ResultRecord, remarks: &[(&'static str, String)], console: Console) -> String {
    let mut text = String::new();
    let indent = if record.objective.is_some() { WIDE_INDENT } else { INDENT };
    let mut line = |label: &str, value: &str| {
        text.push_str(&format!("{}{value}\n", console.dim(&format!("{label:<indent$}"))));
    };
    let size = format!("{} x {}", counted(record.num_jobs, "job"), counted(record.num_machines, "machine"));
    line("instance", &format!("{} ({size})", console.bold(&record.instance)));
    line("algorithm", &record.algorithm);
    for (name, value) in values(record) {
        line(name, &console.bold(&value));
    }
    for (label, remark) in remarks {
        line(label, remark);
    }
    let gap = record.gap.map_or_else(String::new, |gap| format!(" (gap {})", percent(gap)));
    line("lower bound", &format!("{}{gap}", record.bound));
    line("status", &status(&record.status, &record.stop_reason));
    if let Some(remark) = open_objectives(record) {
        line("", &remark);
    }
    let evaluations = if record.evaluations == 1 { "evaluation" } else { "evaluations" };
    let evaluations = format!("{} {evaluations}", grouped(record.evaluations));
    line("time", &format!("{}, {evaluations}", seconds(record.runtime_s)));
    line("seed", &record.seed.to_string());
    line("order", order(&record.order, record.job_names.as_deref(), indent).trim_start());
    text
}

/// Where nothing is better in the first of several objectives, but no proof covers the others: which ones.
fn open_objectives(record: &ResultRecord) -> Option<String> {
    let is_open = record.gap == Some(0.0) && record.status != "optimal";
    let (first, others) = record.objective.as_deref()?.split_once(',')?;
    let others = others.replace(',', ", ");
    is_open.then(|| format!("no order is better in {first}; one may still be in {others}"))
}

/// What was minimised, the most important first, and the makespan.
fn values(record: &ResultRecord) -> Vec<(&str, String)> {
    let names: Vec<&str> = record.objective.iter().flat_map(|names| names.split(',')).collect();
    let values = record.values.clone().unwrap_or_else(|| record.value.into_iter().collect());
    let mut lines: Vec<(&str, String)> =
        names.into_iter().zip(values).map(|(name, value)| (name, value.to_string())).collect();
    if lines.iter().all(|(name, _)| *name != "makespan") {
        lines.push(("makespan", record.makespan.to_string()));
    }
    lines
}

fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

pub(super) fn status(status: &str, stop_reason: &str) -> String {
    let reason = match stop_reason {
        "optimal" => return "optimal, as the lower bound proves".to_string(),
        "finished" => "the algorithm came to its end",
        "time-limit" => "stopped by the time limit",
        "evaluation-limit" => "stopped by the limit of evaluations",
        "failed" => "stopped by a failure inside the search",
        "stalled" => "stopped after too long without an improvement",
        "target" => "the target is reached",
        "cancelled" => "interrupted",
        other => other,
    };
    format!("{status}; {reason}")
}

/// A share in percent; a gap that is there never reads as none.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent > 0.0 && percent < 0.01 { "< 0.01 %".to_string() } else { format!("{percent:.2} %") }
}

pub(super) fn seconds(time: f64) -> String {
    if time < 1.0 { format!("{:.1} ms", 1000.0 * time) } else { format!("{time:.2} s") }
}

/// A count with its digits in groups of three.
pub(super) fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The jobs in order, wrapped and indented; a long order is shortened.
pub(super) fn order(order: &[JobId], names: Option<&[String]>, indent: usize) -> String {
    let is_long = order.len() > MOST_JOBS;
    let shown = if is_long { SHOWN_JOBS } else { order.len() };
    let (words, separator): (Vec<String>, &str) = match names {
        Some(names) => (names.iter().take(shown).cloned().collect(), ","),
        None => (order.iter().take(shown).map(u32::to_string).collect(), ""),
    };
    let mut text = String::new();
    let mut column = WIDTH;
    for (index, word) in words.iter().enumerate() {
        let end = if index + 1 < words.len() { separator } else { "" };
        let width = word.chars().count() + end.len();
        if column + 1 + width > WIDTH {
            text.push_str(&format!("\n{:indent$}", ""));
            column = indent;
        } else {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        text.push_str(end);
        column += width;
    }
    if is_long {
        let hidden = order.len() - shown;
        text.push_str(&format!("\n{:indent$}... and {hidden} more; `--json` or `-o FILE` gives all", ""));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_gaps_are_not_rounded_away() {
        assert_eq!(percent(0.0), "0.00 %");
        assert_eq!(percent(2e-6), "< 0.01 %");
        assert_eq!(percent(0.0273), "2.73 %");
    }

    #[test]
    fn digits_are_grouped() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(12_345_678), "12,345,678");
    }
}

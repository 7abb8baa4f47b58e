//! Words and numbers of the blocks.

use super::{Origin, PageError};
use pfss_render::{Alignment, Table};

/// A block, or `None` where it is unknown.
pub(super) type Block = Option<Result<String, PageError>>;

/// Where and when a page was measured.
pub(super) fn origin(file: &str, origin: &Origin) -> String {
    let Origin { cpu, cores, date, program, command, quick } = origin;
    let warning = if *quick { "**A trial at a tiny scale: the numbers mean nothing.** " } else { "" };
    format!(
        "{warning}Measured on {date}: {cpu}, {cores}; {program}; `{command}`; rows in `experiments/measured/{file}.csv`.\n"
    )
}

/// A Markdown table: words in the first `words` columns, numbers in the others.
pub(super) fn table(
    head: &[&str],
    words: usize,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Result<String, PageError> {
    let alignment = |at: usize| if at < words { Alignment::Left } else { Alignment::Right };
    let mut table = Table::new(head.iter().enumerate().map(|(at, name)| (*name, alignment(at))));
    for row in rows {
        table.push_row(row)?;
    }
    Ok(table.to_markdown())
}

/// A number with so many digits after the point, or nothing.
pub(super) fn number(value: Option<f64>, digits: usize) -> String {
    let text = value.map_or_else(String::new, |value| format!("{value:.digits$}"));
    // Zero has no sign.
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => rest.to_string(),
        _ => text,
    }
}

/// A time with three significant digits and its unit.
pub(super) fn time(seconds: Option<f64>) -> String {
    let Some(seconds) = seconds else { return String::new() };
    let (value, unit) = match seconds {
        s if s >= 1.0 => (s, "s"),
        s if s >= 1e-3 => (1e3 * s, "ms"),
        s => (1e6 * s, "µs"),
    };
    let digits = if value >= 100.0 { 0 } else { usize::from(value < 10.0) + 1 };
    format!("{value:.digits$} {unit}")
}

/// `a`, `a and b`, `a, b and c`; `none` for nothing.
pub(super) fn list<S: AsRef<str>>(words: &[S]) -> String {
    match words {
        [] => "none".to_string(),
        [one] => one.as_ref().to_string(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_times_and_lists() {
        assert_eq!([number(Some(-0.001), 2), number(Some(-0.01), 2), number(None, 2)], ["0.00", "-0.01", ""]);
        assert_eq!(
            [1.234, 0.01234, 0.1234, 26.8e-6].map(|s| time(Some(s))),
            ["1.23 s", "12.3 ms", "123 ms", "26.8 µs"]
        );
        assert_eq!([list(&["a", "b", "c"]), list(&["a"]), list::<&str>(&[])], ["a, b and c", "a", "none"]);
    }
}

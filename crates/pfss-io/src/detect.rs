//! Which format a text has. Detection counts numbers per row and never guesses.

use crate::Format;
use crate::error::{Problem, ReadError, excerpt};
use crate::scan::{BLANKS, Scanner, words};
use crate::{matrix, or_library};

impl Format {
    /// Detects the format of a text; `file_name` helps by its ending (`.csv`, `.tsv`, `.json`).
    ///
    /// # Errors
    /// [`crate::Problem::Ambiguous`] when two readings fit, [`crate::Problem::UnknownFormat`] when none does.
    pub fn detect(text: &str, file_name: Option<&str>) -> Result<Self, ReadError> {
        let mut scanner = Scanner::new(text, &BLANKS);
        scanner.skip_blank_lines();
        let Some(first) = scanner.peek() else {
            return Err(ReadError::new(Problem::Empty));
        };
        if let Some(format) = file_name.and_then(by_ending) {
            return Ok(format);
        }
        let line = scanner.rest_of_line();
        match first {
            b'{' | b'[' => Ok(Format::Json),
            b'0'..=b'9' => by_numbers(&mut scanner, line),
            _ if or_library::is_titled(text) => Ok(Format::OrLibrary),
            _ if is_taillard_title(line) => Ok(Format::Taillard),
            _ if has_separator(line) || line.contains(&b'\t') => Ok(Format::Csv),
            _ => Err(unknown(&scanner, format!("the first line is `{}`", excerpt(line)))),
        }
    }
}

fn by_ending(file_name: &str) -> Option<Format> {
    let (_, ending) = file_name.rsplit_once('.')?;
    match ending.to_ascii_lowercase().as_str() {
        "csv" | "tsv" => Some(Format::Csv),
        "json" | "jsonl" | "ndjson" => Some(Format::Json),
        _ => None,
    }
}

fn is_taillard_title(line: &[u8]) -> bool {
    String::from_utf8_lossy(line).to_lowercase().contains("number of jobs")
}

fn has_separator(line: &[u8]) -> bool {
    line.contains(&b',') || line.contains(&b';')
}

fn unknown(scanner: &Scanner<'_>, reason: String) -> ReadError {
    scanner.error(Problem::UnknownFormat { reason })
}

/// The format of a text whose first line starts with a digit.
fn by_numbers(scanner: &mut Scanner<'_>, line: &[u8]) -> Result<Format, ReadError> {
    if has_separator(line) {
        return Ok(Format::Csv);
    }
    let count = words(line).count();
    match count {
        2 => by_sizes(scanner, line),
        5 if is_followed_by_rows_of_jobs(scanner, line) => Ok(Format::Taillard),
        _ if line.contains(&b'\t') => Ok(Format::Csv),
        _ => {
            let reason = format!("the first line has {count} words, not two (`n m`)");
            Err(unknown(scanner, reason))
        }
    }
}

/// Whether the second line has as many numbers as the first line announces jobs, or is text.
fn is_followed_by_rows_of_jobs(scanner: &Scanner<'_>, line: &[u8]) -> bool {
    let mut next = scanner.clone();
    next.next_line();
    next.skip_blank_lines();
    let row = next.rest_of_line();
    let num_jobs = words(line).next().and_then(count_of);
    row.first().is_some_and(u8::is_ascii_alphabetic) || num_jobs == Some(words(row).count())
}

fn count_of(word: &[u8]) -> Option<usize> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// The shape of what follows the line `n m`.
struct Shape {
    rows: usize,
    columns: usize,
}

/// The format of a text whose first line has two words.
fn by_sizes(scanner: &mut Scanner<'_>, line: &[u8]) -> Result<Format, ReadError> {
    let tabs = line.contains(&b'\t');
    let sizes = match matrix::sizes(scanner) {
        Err(_) if tabs => return Ok(Format::Csv),
        sizes => sizes?,
    };
    let (n, m) = (sizes.num_jobs, sizes.num_machines);
    let shape = shape(scanner);
    let layouts =
        [(Format::MachineRows, m, n), (Format::JobRows, n, m), (Format::Pairs, n, m.saturating_mul(2))];
    let fits = |test: &dyn Fn(usize, usize) -> bool| -> Vec<Format> {
        layouts.iter().filter(|(_, rows, columns)| test(*rows, *columns)).map(|layout| layout.0).collect()
    };
    let whole = fits(&|rows, columns| (rows, columns) == (shape.rows, shape.columns));
    // A file with missing or surplus rows: the reader of the only layout with rows of this length says where.
    let partial = fits(&|_, columns| columns == shape.columns);
    match (whole.as_slice(), partial.as_slice()) {
        // Both orientations of a single time are the same instance.
        _ if (n, m) == (1, 1) && shape.columns == 1 => Ok(Format::JobRows),
        (&[first, second, ..], _) | (&[], &[first, second, ..]) => {
            Err(scanner.error_at(0, Problem::Ambiguous { readings: [first, second] }))
        }
        // Two columns with tabs are a matrix without a line of sizes as well.
        (&[only], _) | (&[], &[only]) if tabs && shape.columns == 2 => {
            Err(scanner.error_at(0, Problem::Ambiguous { readings: [only, Format::Csv] }))
        }
        (&[], &[]) if tabs && shape.columns == 2 => Ok(Format::Csv),
        (&[only], _) | (&[], &[only]) => Ok(only),
        (&[], &[]) => Err(unknown(scanner, misfit(n, m, &shape))),
    }
}

fn misfit(n: usize, m: usize, shape: &Shape) -> String {
    let Shape { rows, columns } = shape;
    let pairs = m.saturating_mul(2);
    format!(
        "the first line announces {n} jobs and {m} machines, then {rows} rows follow, the first with {columns} \
         numbers; machine-rows would have {m} rows of {n}, job-rows {n} rows of {m}, pairs {n} rows of {pairs}"
    )
}

/// Counts the rows that follow and the numbers of the first one; stays at the first one.
fn shape(scanner: &mut Scanner<'_>) -> Shape {
    scanner.next_line();
    scanner.skip_blank_lines();
    let start = scanner.at;
    let columns = words(scanner.rest_of_line()).count();
    let mut rows = 0;
    while scanner.peek().is_some() && !matrix::is_due_dates(&scanner.text[scanner.at..]) {
        rows += 1;
        scanner.next_line();
        scanner.skip_blank_lines();
    }
    scanner.at = start;
    Shape { rows, columns }
}

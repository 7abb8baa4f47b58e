//! OR-Library's flow shop files (Beasley 1990): text, then per instance a title between lines of `+`, a
//! line of description, a line `n m` and one row of `machine time` pairs per job.

use crate::error::{Problem, ReadError, excerpt};
use crate::scan::{BLANKS, Scanner, words};
use crate::{Entry, match_instance, matrix, pairs};

const TITLE: &str = "a title line `instance NAME` between two lines of `+`";
const SIZES: &str = "a line `n m` after the title of an instance";
const RULE: &str = "+++++++++++++++++++++++++++++";

/// Reads all instances of a text, with their titles as names.
///
/// # Errors
/// [`ReadError`] says what is wrong and where.
pub fn read(text: &str) -> Result<Vec<Entry>, ReadError> {
    let mut scanner = Scanner::new(text, &BLANKS);
    scanner.skip_blank_lines();
    if scanner.peek().is_none() {
        return Err(ReadError::new(Problem::Empty));
    }
    let (start, first_line) = (scanner.at, scanner.rest_of_line());
    let Some(mut name) = skip_to_title(&mut scanner) else {
        let problem = Problem::Header { found: excerpt(first_line), expected: TITLE };
        return Err(scanner.error_at(start, problem));
    };
    let mut entries = Vec::new();
    loop {
        let sizes = skip_description(&mut scanner)?;
        let instance = pairs::body(&mut scanner, sizes)?;
        entries.push(instance.with_name(name).into());
        match next_title(&mut scanner, sizes.num_jobs)? {
            Some(next) => name = next,
            None => return Ok(entries),
        }
    }
}

/// Appends an instance to `out`. Its name is the title; names of jobs and machines are not part of the format.
pub fn write(entry: &Entry, out: &mut String) {
    let name = title(entry.instance.name());
    for line in [RULE, "", &format!("instance {name}"), "", RULE, "flow shop"] {
        out.push_str(line);
        out.push('\n');
    }
    match_instance!(&entry.instance, instance => pairs::write_body(instance, out));
}

/// Whether a text has a title of this format.
pub(crate) fn is_titled(text: &str) -> bool {
    skip_to_title(&mut Scanner::new(text, &BLANKS)).is_some()
}

/// A name on one line, without blanks around it.
fn title(name: &str) -> String {
    name.split(['\n', '\r']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The name in a line `instance NAME`.
fn title_of(line: &[u8]) -> Option<String> {
    let rest = line.strip_prefix(b"instance")?;
    let is_title = rest.first().is_none_or(u8::is_ascii_whitespace);
    is_title.then(|| title(&String::from_utf8_lossy(rest)))
}

/// Skips text until the first title, which follows a line of `+` or opens the file, and the title itself.
fn skip_to_title(scanner: &mut Scanner<'_>) -> Option<String> {
    let mut expected = true;
    loop {
        scanner.skip_blank_lines();
        scanner.peek()?;
        let line = scanner.rest_of_line();
        scanner.next_line();
        match title_of(line) {
            Some(name) if expected => return Some(name),
            _ => expected = line.starts_with(b"+"),
        }
    }
}

/// Skips lines of `+` and the description; reads the line `n m`.
fn skip_description(scanner: &mut Scanner<'_>) -> Result<matrix::Sizes, ReadError> {
    loop {
        scanner.skip_blank_lines();
        let line = scanner.rest_of_line();
        if line.is_empty() || title_of(line).is_some() {
            return Err(scanner.error(Problem::Header { found: excerpt(line), expected: SIZES }));
        }
        let is_count = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
        if words(line).count() == 2 && words(line).all(is_count) {
            return matrix::sizes(scanner);
        }
        scanner.next_line();
    }
}

/// After the rows of an instance: the title of the next one, or the end of the file.
fn next_title(scanner: &mut Scanner<'_>, rows: usize) -> Result<Option<String>, ReadError> {
    loop {
        scanner.skip_blank_lines();
        matrix::refuse_due_dates(scanner)?;
        let line = scanner.rest_of_line();
        if scanner.peek().is_none() {
            return Ok(None);
        }
        if let Some(name) = title_of(line) {
            scanner.next_line();
            return Ok(Some(name));
        }
        if !line.starts_with(b"+") {
            return Err(scanner.error(Problem::Surplus { found: excerpt(line), rows }));
        }
        scanner.next_line();
    }
}

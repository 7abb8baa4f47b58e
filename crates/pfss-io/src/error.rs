//! Why something could not be read, said with its place.

use std::fmt;

pub use crate::problem::Problem;

/// A place in a text, counted from 1 as editors do; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// The place of the byte at `offset`.
    ///
    /// Positions are only worked out once something is wrong, so that the scanners need not count lines.
    pub fn of(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        // Continuation bytes of a character do not count.
        let column = before[start..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1;
        Self { line, column }
    }
}

/// Why something could not be read: what is wrong, in which file and where.
#[derive(Debug)]
pub struct ReadError {
    /// The file, where there is one.
    pub file: Option<String>,
    /// The place in the file, where the problem has one.
    pub position: Option<Position>,
    /// The place in a file that is no text, in words: `cell jobs!C3`.
    pub place: Option<String>,
    /// What is wrong.
    pub problem: Box<Problem>,
}

impl ReadError {
    /// A problem without a place.
    pub fn new(problem: impl Into<Problem>) -> Self {
        Self { file: None, position: None, place: None, problem: Box::new(problem.into()) }
    }

    /// A problem at the byte `offset` of `text`.
    pub fn at(text: &[u8], offset: usize, problem: impl Into<Problem>) -> Self {
        Self { position: Some(Position::of(text, offset)), ..Self::new(problem) }
    }

    /// The same error with the name of its file, unless it has one.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        self.file.get_or_insert_with(|| file.to_string());
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, &self.place) {
            (Some(file), None) => write!(f, "{file}:")?,
            (Some(file), Some(place)) => write!(f, "{file}, {place}:")?,
            (None, Some(place)) => write!(f, "{place}: ")?,
            (None, None) => {}
        }
        match (self.position, &self.file) {
            (Some(Position { line, column }), Some(_)) => write!(f, "{line}:{column}: ")?,
            (Some(Position { line, column }), None) => write!(f, "line {line}, column {column}: ")?,
            (None, Some(_)) => write!(f, " ")?,
            (None, None) => {}
        }
        self.problem.fmt(f)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.problem {
            Problem::Io(error) => Some(error),
            Problem::Instance(error) => Some(error),
            Problem::Order(error) => Some(error),
            _ => None,
        }
    }
}

/// At most forty characters of what was found, for messages.
pub fn excerpt(bytes: &[u8]) -> String {
    const LIMIT: usize = 40;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LIMIT)]);
    let text = text.trim_end();
    match text.char_indices().nth(LIMIT) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let text = "ab\nä5x\n".as_bytes();
        assert_eq!(Position::of(text, 0), Position { line: 1, column: 1 });
        assert_eq!(Position::of(text, 5), Position { line: 2, column: 2 });
        assert_eq!(Position::of(text, 99), Position { line: 3, column: 1 });
    }

    #[test]
    fn messages_name_file_and_place() {
        let error = ReadError::at(b"1 2\nx", 4, Problem::MissingNumber);
        assert!(error.to_string().starts_with("line 2, column 1: a number is missing"), "{error}");
        let error = error.in_file("a.txt").in_file("b.txt");
        assert!(error.to_string().starts_with("a.txt:2:1: a number is missing"), "{error}");
        assert_eq!(
            ReadError::new(Problem::UnclosedQuote).in_file("x").to_string(),
            "x: this quoted cell has no closing quote"
        );
    }

    #[test]
    fn long_finds_are_cut() {
        assert_eq!(excerpt("ä".repeat(50).as_bytes()), format!("{}...", "ä".repeat(40)));
        assert_eq!(excerpt(b"12 \r"), "12");
    }
}

//! A byte scanner for texts that are mostly numbers.
//!
//! Files of a million jobs should be read about as fast as they are copied, so the scanner looks at each
//! byte once, makes no strings and leaves line counting to [`crate::Position`].

use crate::error::{Problem, ReadError, excerpt};
use crate::times::Times;

/// Which bytes end a number: blanks, line ends and the separators of a format.
pub(crate) type Ends = [bool; 256];

/// The table of [`Ends`] with these separators.
pub(crate) const fn ends(separators: &[u8]) -> Ends {
    let mut table = [false; 256];
    table[b' ' as usize] = true;
    table[b'\t' as usize] = true;
    table[b'\r' as usize] = true;
    table[b'\n' as usize] = true;
    let mut index = 0;
    while index < separators.len() {
        table[separators[index] as usize] = true;
        index += 1;
    }
    table
}

/// Numbers separated by blanks.
pub(crate) static BLANKS: Ends = ends(&[]);

#[derive(Clone)]
pub(crate) struct Scanner<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) at: usize,
    ends: &'static Ends,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a str, ends: &'static Ends) -> Self {
        Self { text: text.as_bytes(), at: 0, ends }
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Skips blanks within a line.
    #[inline]
    pub(crate) fn skip_blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    /// Skips blanks and line ends.
    pub(crate) fn skip_blank_lines(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    #[inline]
    pub(crate) fn at_line_end(&self) -> bool {
        matches!(self.peek(), None | Some(b'\n'))
    }

    /// The rest of the line, without its end.
    pub(crate) fn rest_of_line(&self) -> &'a [u8] {
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        rest[..end].trim_ascii_end()
    }

    /// Moves to the start of the next line.
    pub(crate) fn next_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
    }

    /// Everything up to the next end of a number.
    pub(crate) fn token(&mut self) -> &'a [u8] {
        let start = self.at;
        while self.at < self.text.len() && !self.ends[usize::from(self.text[self.at])] {
            self.at += 1;
        }
        &self.text[start..self.at]
    }

    /// Reads one time, which must start here.
    #[inline]
    pub(crate) fn time(&mut self, times: &mut Times) -> Result<(), ReadError> {
        // Nineteen digits always fit into 64 bits.
        const DIGITS: usize = 19;
        let start = self.at;
        let mut value = 0u64;
        let mut at = start;
        while at < self.text.len() && at - start < DIGITS {
            let digit = self.text[at].wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value * 10 + u64::from(digit);
            at += 1;
        }
        if at > start && (at == self.text.len() || self.ends[usize::from(self.text[at])]) {
            self.at = at;
            times.push_whole(value, start);
            return Ok(());
        }
        let token = self.token();
        if token.is_empty() {
            return Err(self.error_at(start, Problem::MissingNumber));
        }
        times.push_token(token, start).map_err(|problem| self.error_at(start, problem))
    }

    /// Reads a whole number that counts something.
    pub(crate) fn count(&mut self, expected: &'static str) -> Result<usize, ReadError> {
        let start = self.at;
        let line = self.rest_of_line();
        let token = self.token();
        if token.is_empty() || !token.iter().all(u8::is_ascii_digit) {
            return Err(self.error_at(start, Problem::Header { found: excerpt(line), expected }));
        }
        let value = std::str::from_utf8(token).ok().and_then(|digits| digits.parse().ok());
        value.ok_or_else(|| {
            let limit = usize::MAX.to_string();
            self.error_at(start, Problem::TooLarge { found: excerpt(token), what: "count", limit, hint: "" })
        })
    }

    pub(crate) fn error_at(&self, offset: usize, problem: Problem) -> ReadError {
        ReadError::at(self.text, offset, problem)
    }

    pub(crate) fn error(&self, problem: Problem) -> ReadError {
        self.error_at(self.at, problem)
    }
}

/// How many words separated by blanks a line has.
pub(crate) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.is_empty())
}

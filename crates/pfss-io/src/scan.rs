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

const POWERS_OF_TEN: [f64; 16] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];

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
        let start = self.at;
        let (value, at) = self.digits(start, 0);
        if at > start && self.ends_at(at) {
            self.at = at;
            times.push_whole(value, start);
            return Ok(());
        }
        if let Some((value, at)) = self.short_decimal(value, start, at) {
            self.at = at;
            times.push_decimal(value);
            return Ok(());
        }
        let token = self.token();
        if token.is_empty() {
            return Err(self.error_at(start, Problem::MissingNumber));
        }
        times.push_token(token, start).map_err(|problem| self.error_at(start, problem))
    }

    /// Appends the digits from `start` on to `value`, and says where they end. Nineteen digits always fit.
    #[inline]
    fn digits(&self, start: usize, mut value: u64) -> (u64, usize) {
        let mut at = start;
        while at < self.text.len() && at - start < 19 {
            let digit = self.text[at].wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
            at += 1;
        }
        (value, at)
    }

    /// A number `12.345` of at most fifteen digits whose part before the point is `value` and ends at `point`.
    ///
    /// Up to 2^53, both the digits and the power of ten are exact, so one division rounds correctly
    /// (Clinger 1990, "How to read floating point numbers accurately").
    #[expect(clippy::cast_precision_loss, reason = "at most fifteen digits")]
    fn short_decimal(&self, value: u64, start: usize, point: usize) -> Option<(f64, usize)> {
        if point == start || self.text.get(point) != Some(&b'.') {
            return None;
        }
        let (value, end) = self.digits(point + 1, value);
        if end - start > 16 || !self.ends_at(end) {
            return None;
        }
        Some((value as f64 / POWERS_OF_TEN[end - point - 1], end))
    }

    #[inline]
    fn ends_at(&self, at: usize) -> bool {
        at == self.text.len() || self.ends[usize::from(self.text[at])]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyInstance;
    use proptest::prelude::*;

    fn read(text: &str) -> AnyInstance {
        let mut times = Times::with_room(1, text.len());
        Scanner::new(text, &BLANKS).time(&mut times).unwrap();
        times.into_job_rows(text.as_bytes(), 1).unwrap()
    }

    proptest! {
        #[test]
        fn decimals_equal_those_of_the_standard_library(text in "[0-9]{1,20}\\.[0-9]{0,20}(e-?[0-9]{1,2})?") {
            let AnyInstance::Real(instance) = read(&text) else { panic!("expected a real") };
            prop_assert_eq!(instance.times()[0].to_bits(), text.parse::<f64>().unwrap().to_bits());
        }

        #[test]
        fn whole_numbers_stay_whole(value in 0..u32::MAX, zeros in 0usize..30) {
            let text = format!("{}{value}", "0".repeat(zeros));
            let AnyInstance::Integer(instance) = read(&text) else { panic!("expected an integer") };
            prop_assert_eq!(instance.times()[0], value);
        }
    }
}

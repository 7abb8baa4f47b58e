//! Cell by cell through a CSV text, without making strings for numbers.

use std::borrow::Cow;

use crate::clock::{Unit, duration_seconds};
use crate::error::{Problem, ReadError, excerpt};
use crate::scan::{Ends, Scanner, ends};
use crate::times::{Times, is_decimal_comma};

static COMMA: Ends = ends(b",");
static SEMICOLON: Ends = ends(b";");
static TAB: Ends = ends(b"\t");

pub(super) struct Cells<'a> {
    scanner: Scanner<'a>,
    separator: u8,
    /// What durations such as `0:40` are turned into.
    unit: Option<Unit>,
    /// Where the first number with a decimal comma, and the first with a point, was found between semicolons.
    comma: Option<usize>,
    point: Option<usize>,
}

impl<'a> Cells<'a> {
    /// Starts at the first row that is not blank. The separator is a tab where that row has one outside of
    /// quotes, else a semicolon where it has one, else a comma.
    pub(super) fn new(text: &'a str) -> Self {
        let mut start = Scanner::new(text, &COMMA);
        while start.peek().is_some() && start.rest_of_line().is_empty() {
            start.next_line();
        }
        let separator = separator_of(&text.as_bytes()[start.at..]);
        let ends = match separator {
            b'\t' => &TAB,
            b';' => &SEMICOLON,
            _ => &COMMA,
        };
        let mut scanner = Scanner::new(text, ends);
        scanner.at = start.at;
        Self { scanner, separator, unit: None, comma: None, point: None }
    }

    /// Reads times such as `0:40` as durations, in this unit.
    pub(super) fn in_units(self, unit: Option<Unit>) -> Self {
        Self { unit, ..self }
    }

    pub(super) fn remaining(&self) -> usize {
        self.scanner.text.len() - self.scanner.at
    }

    pub(super) fn offset(&self) -> usize {
        self.scanner.at
    }

    pub(super) fn back_to(&mut self, offset: usize) {
        self.scanner.at = offset;
    }

    pub(super) fn error(&self, problem: Problem) -> ReadError {
        self.scanner.error(problem)
    }

    pub(super) fn error_at(&self, offset: usize, problem: Problem) -> ReadError {
        self.scanner.error_at(offset, problem)
    }

    /// Moves to the next row with anything in it; rows of empty cells, as spreadsheets leave them at the
    /// end, count as blank.
    pub(super) fn next_row(&mut self) -> bool {
        loop {
            let start = self.scanner.at;
            self.skip_blanks();
            while self.scanner.peek() == Some(self.separator) {
                self.scanner.at += 1;
                self.skip_blanks();
            }
            match self.scanner.peek() {
                None => return false,
                Some(b'\n') => self.scanner.at += 1,
                Some(_) => {
                    self.scanner.at = start;
                    return true;
                }
            }
        }
    }

    /// Whether another cell follows in this row; moves to it. Otherwise the row must end here.
    pub(super) fn separator(&mut self) -> Result<bool, ReadError> {
        self.skip_blanks();
        match self.scanner.peek() {
            Some(byte) if byte == self.separator => {
                self.scanner.at += 1;
                Ok(true)
            }
            None | Some(b'\n') => Ok(false),
            Some(_) => {
                let found = excerpt(self.scanner.rest_of_line());
                let expected = "a separator or the end of the line";
                Err(self.error(Problem::NotANumber { found, expected, hint: "" }))
            }
        }
    }

    /// Reads a cell that holds a time.
    #[inline]
    pub(super) fn time(&mut self, times: &mut Times) -> Result<(), ReadError> {
        self.skip_blanks();
        if self.separator == b';'
            && let Some((text, start)) = self.decimal_comma()?
        {
            return times.push_token(text.as_bytes(), start).map_err(|problem| self.error_at(start, problem));
        }
        if self.scanner.peek() != Some(b'"') {
            let start = self.scanner.at;
            return self.scanner.time(times).or_else(|error| self.duration(times, start).ok_or(error)?);
        }
        let start = self.scanner.at;
        let cell = self.quoted()?;
        let token = cell.as_bytes().trim_ascii();
        if token.is_empty() {
            return Err(self.error_at(start, Problem::MissingNumber));
        }
        times.push_token(token, start).map_err(|problem| self.error_at(start, problem))
    }

    /// Reads the duration that may stand where no number was found: hours, minutes and seconds.
    fn duration(&mut self, times: &mut Times, start: usize) -> Option<Result<(), ReadError>> {
        let token = std::str::from_utf8(&self.scanner.text[start..self.scanner.at]).ok()?;
        let seconds = duration_seconds(token)?;
        let Some(unit) = self.unit else {
            let found = excerpt(token.as_bytes());
            let hint = ", or with --start-at and --unit a duration such as 0:40";
            let expected = "a processing time such as 12 or 3.5";
            return Some(Err(self.error_at(start, Problem::NotANumber { found, expected, hint })));
        };
        let units = unit.units(seconds).to_string();
        Some(times.push_token(units.as_bytes(), start).map_err(|problem| self.error_at(start, problem)))
    }

    /// A number with a decimal comma, written with a point, and where it stands. Spreadsheets that separate cells by
    /// semicolons write decimals so; a file that does both is refused, because there `1.234` may be a thousand.
    fn decimal_comma(&mut self) -> Result<Option<(String, usize)>, ReadError> {
        let start = self.scanner.at;
        let token = self.scanner.token();
        if !is_decimal_comma(token) {
            self.scanner.at = start;
            if token.contains(&b'.') && token.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
                self.note_point(start)?;
            }
            return Ok(None);
        }
        let text = String::from_utf8_lossy(token).replace(',', ".");
        self.note_comma(start)?;
        Ok(Some((text, start)))
    }

    fn note_comma(&mut self, offset: usize) -> Result<(), ReadError> {
        self.comma.get_or_insert(offset);
        if self.point.is_some() { Err(self.error_at(offset, Problem::MixedDecimals)) } else { Ok(()) }
    }

    fn note_point(&mut self, offset: usize) -> Result<(), ReadError> {
        self.point.get_or_insert(offset);
        if self.comma.is_some() { Err(self.error_at(offset, Problem::MixedDecimals)) } else { Ok(()) }
    }

    /// Where the next cell begins, without the blanks before it.
    pub(super) fn place(&mut self) -> usize {
        self.skip_blanks();
        self.scanner.at
    }

    /// Reads a cell that may hold a number: a decimal comma between semicolons becomes a point.
    pub(super) fn number_text(&mut self) -> Result<String, ReadError> {
        let start = self.place();
        let text = self.cell()?;
        if self.separator == b';' {
            let number = text.strip_prefix('-').unwrap_or(&text).as_bytes();
            if is_decimal_comma(number) {
                self.note_comma(start)?;
                return Ok(text.replace(',', "."));
            }
            if text.contains('.') && text.parse::<f64>().is_ok() {
                self.note_point(start)?;
            }
        }
        Ok(text.into_owned())
    }

    /// Reads a cell that holds a name.
    pub(super) fn name(&mut self) -> Result<String, ReadError> {
        self.cell().map(Cow::into_owned)
    }

    /// Reads any cell: without the blanks around it, or exactly what stands between quotes.
    pub(super) fn cell(&mut self) -> Result<Cow<'a, str>, ReadError> {
        self.skip_blanks();
        if self.scanner.peek() == Some(b'"') {
            return self.quoted();
        }
        let rest = &self.scanner.text[self.scanner.at..];
        let is_end = |byte: &u8| *byte == self.separator || *byte == b'\n';
        let cell = &rest[..rest.iter().position(is_end).unwrap_or(rest.len())];
        self.scanner.at += cell.len();
        Ok(String::from_utf8_lossy(cell.trim_ascii()))
    }

    fn quoted(&mut self) -> Result<Cow<'a, str>, ReadError> {
        let start = self.scanner.at;
        let mut cell = Cow::Borrowed("");
        loop {
            // Here stands an opening quote, or the second of two quotes that mean one.
            self.scanner.at += 1;
            let rest = &self.scanner.text[self.scanner.at..];
            let Some(length) = rest.iter().position(|&byte| byte == b'"') else {
                return Err(self.error_at(start, Problem::UnclosedQuote));
            };
            let part = String::from_utf8_lossy(&rest[..length]);
            cell = if cell.is_empty() { part } else { Cow::Owned(cell.into_owned() + &part) };
            self.scanner.at += length + 1;
            if self.scanner.peek() != Some(b'"') {
                break;
            }
            cell.to_mut().push('"');
        }
        self.skip_blanks();
        if !self.scanner.at_line_end() && self.scanner.peek() != Some(self.separator) {
            let found = excerpt(self.scanner.rest_of_line());
            return Err(self.error(Problem::AfterQuote { found }));
        }
        Ok(cell)
    }

    /// Skips blanks within a cell: a tab is no blank where it separates.
    #[inline]
    fn skip_blanks(&mut self) {
        while let Some(byte @ (b' ' | b'\t' | b'\r')) = self.scanner.peek() {
            if byte == self.separator {
                break;
            }
            self.scanner.at += 1;
        }
    }
}

fn separator_of(text: &[u8]) -> u8 {
    let (mut in_quotes, mut tab, mut semicolon) = (false, false, false);
    for &byte in text {
        match byte {
            b'"' => in_quotes = !in_quotes,
            b'\n' if !in_quotes => break,
            b'\t' if !in_quotes => tab = true,
            b';' if !in_quotes => semicolon = true,
            _ => {}
        }
    }
    match (tab, semicolon) {
        (true, _) => b'\t',
        (false, true) => b';',
        (false, false) => b',',
    }
}

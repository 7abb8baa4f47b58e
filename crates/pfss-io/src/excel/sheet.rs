//! A sheet as a CSV text, and the way back from a place in the text to a cell.

use super::cells::Cells;
use super::place::Place;
use crate::error::{Position, Problem, ReadError};

/// How many bytes the text of a sheet may have, with the empty cells between others.
const MOST_TEXT: usize = 24 << 20;

/// A sheet whose lines are its rows, the first line row 1.
#[derive(Debug)]
pub(super) struct Sheet {
    name: String,
    text: String,
    first_column: u32,
}

impl Sheet {
    /// The table of a sheet's cells: from the first column with anything in it to the last.
    pub(super) fn new(name: &str, cells: &Cells) -> Result<Self, ReadError> {
        let columns = || cells.places().iter().map(|place| place.column);
        let (first, last) = (columns().min().unwrap_or_default(), columns().max().unwrap_or_default());
        refuse_wide(name, cells, last - first)?;
        let mut text = String::new();
        let mut before = None;
        for (place, cell) in cells.iter() {
            let mut column = first;
            match before {
                Some(Place { row, column: last_of_row }) if row == place.row => column = last_of_row,
                Some(end) => {
                    commas(&mut text, last - end.column);
                    newlines(&mut text, place.row - end.row);
                }
                None => newlines(&mut text, place.row),
            }
            commas(&mut text, place.column - column);
            push_quoted(&mut text, cell);
            before = Some(place);
        }
        if let Some(end) = before {
            commas(&mut text, last - end.column);
            text.push('\n');
        }
        Ok(Self { name: name.to_string(), text, first_column: first })
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The same error with its cell in the place of line and column.
    pub(super) fn locate(&self, error: ReadError) -> ReadError {
        let place = match error.position {
            Some(position) => format!("cell {}!{}", self.name, self.cell(position)),
            None => format!("sheet {}", self.name),
        };
        ReadError { position: None, place: Some(place), ..error }
    }

    /// The cell at a place of the text.
    fn cell(&self, position: Position) -> Place {
        let row = position.line.saturating_sub(1);
        let line = self.text.lines().nth(row).unwrap_or_default();
        let mut in_quotes = false;
        let mut column = self.first_column;
        for character in line.chars().take(position.column.saturating_sub(1)) {
            in_quotes ^= character == '"';
            column += u32::from(character == ',' && !in_quotes);
        }
        Place { row: u32::try_from(row).unwrap_or(u32::MAX), column }
    }
}

/// Refuses a table that is mostly gaps: a sheet has room for 17 thousand million cells.
fn refuse_wide(name: &str, cells: &Cells, separators: u32) -> Result<(), ReadError> {
    let places = cells.places();
    let starts = places.iter().zip(places.iter().skip(1)).filter(|(before, place)| before.row != place.row);
    let rows = starts.count() + 1;
    let blank = places.last().map_or(0, |place| place.row as usize);
    // A text may be twice as long with its quotes.
    if 2 * cells.text_len() + rows * separators as usize + blank <= 2 * MOST_TEXT {
        return Ok(());
    }
    let columns = separators + 1;
    let message = format!(
        "its cells spread over {rows} rows and {columns} columns with gaps, more than is accepted; clear what stands beside the table, or save it as CSV"
    );
    Err(ReadError { place: Some(format!("sheet {name}")), ..ReadError::new(Problem::Cell { message }) })
}

fn commas(text: &mut String, count: u32) {
    text.extend(std::iter::repeat_n(',', count as usize));
}

fn newlines(text: &mut String, count: u32) {
    text.extend(std::iter::repeat_n('\n', count as usize));
}

/// Adds a text as a CSV cell on one line. Blanks around it, which nobody sees, are no part of a name.
fn push_quoted(text: &mut String, cell: &str) {
    let cell = cell.trim();
    if !cell.contains([',', ';', '\t', '"', '\n', '\r']) {
        return text.push_str(cell);
    }
    text.push('"');
    for character in cell.chars() {
        match character {
            '"' => text.push_str("\"\""),
            '\n' | '\r' => text.push(' '),
            _ => text.push(character),
        }
    }
    text.push('"');
}

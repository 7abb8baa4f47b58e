//! A sheet as a CSV text, and the way back from a place in the text to a cell.

use calamine::{Data, ExcelDateTime, Range};
use jiff::Unit;
use jiff::civil::DateTime;

use crate::error::{Position, ReadError};

/// A sheet whose lines are its rows, the first line row 1.
pub(super) struct Sheet {
    name: String,
    text: String,
    /// The characters before each cell's begin, for each row from `first_row` on.
    starts: Vec<Vec<usize>>,
    first_row: usize,
    first_column: usize,
}

impl Sheet {
    pub(super) fn new(name: &str, range: Range<Data>) -> Self {
        let (first_row, first_column) = range.start().unwrap_or_default();
        let mut text = "\n".repeat(first_row as usize);
        let mut starts = Vec::new();
        for row in range.rows() {
            let mut column = 0;
            let mut row_starts = Vec::with_capacity(row.len());
            for (index, cell) in row.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                    column += 1;
                }
                row_starts.push(column);
                let cell = cell_text(cell);
                column += cell.chars().count();
                text.push_str(&cell);
            }
            starts.push(row_starts);
            text.push('\n');
        }
        Self {
            name: name.to_string(),
            text,
            starts,
            first_row: first_row as usize,
            first_column: first_column as usize,
        }
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

    /// The name of the cell at a place of the text.
    fn cell(&self, position: Position) -> String {
        let row = position.line.saturating_sub(1);
        let starts = row.checked_sub(self.first_row).and_then(|row| self.starts.get(row));
        let column = starts
            .map_or(0, |starts| starts.partition_point(|&start| start < position.column).saturating_sub(1));
        format!("{}{}", letters(self.first_column + column), position.line)
    }
}

/// The letters of a column: A to Z, AA, AB, ...
fn letters(column: usize) -> String {
    let mut letters = Vec::new();
    let mut rest = column + 1;
    while rest > 0 {
        letters.push(b'A' + ((rest - 1) % 26) as u8);
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().map(|&letter| char::from(letter)).collect()
}

fn cell_text(cell: &Data) -> String {
    match cell {
        Data::Empty => String::new(),
        Data::Int(value) => value.to_string(),
        Data::Float(value) => value.to_string(),
        Data::Bool(value) => value.to_string(),
        Data::DateTime(date) if date.is_duration() || date.as_f64() < 1.0 => time_of_day(date),
        Data::DateTime(date) => date_text(date),
        Data::String(text) | Data::DateTimeIso(text) | Data::DurationIso(text) => quoted(text),
        Data::Error(error) => quoted(&error.to_string()),
    }
}

/// The moment to the next second: serial numbers of Excel are fractions of days.
fn moment(date: &ExcelDateTime) -> Option<DateTime> {
    let (year, month, day, hour, minute, second, milli) = date.to_ymd_hms_milli();
    let moment = DateTime::new(
        i16::try_from(year).ok()?,
        i8::try_from(month).ok()?,
        i8::try_from(day).ok()?,
        i8::try_from(hour).ok()?,
        i8::try_from(minute).ok()?,
        i8::try_from(second).ok()?,
        i32::from(milli) * 1_000_000,
    );
    moment.ok()?.round(Unit::Second).ok()
}

fn date_text(date: &ExcelDateTime) -> String {
    match moment(date) {
        Some(moment) if moment.time() == jiff::civil::Time::midnight() => {
            moment.strftime("%Y-%m-%d").to_string()
        }
        Some(moment) => moment.strftime("%Y-%m-%dT%H:%M:%S").to_string(),
        None => date.as_f64().to_string(),
    }
}

fn time_of_day(date: &ExcelDateTime) -> String {
    let seconds = (date.as_f64() * 86_400.0).round();
    if !(0.0..86_400.0).contains(&seconds) {
        return date.as_f64().to_string();
    }
    let seconds = seconds as u32;
    format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// A text as a CSV cell on one line.
fn quoted(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let is_plain =
        !text.is_empty() && text.trim_ascii().len() == text.len() && !text.contains([',', ';', '\t', '"']);
    if is_plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::{Cell, ExcelDateTimeType};

    #[test]
    fn places_are_cells() {
        let cells = vec![
            Cell::new((2, 1), Data::String("job".into())),
            Cell::new((2, 2), Data::String("a, b".into())),
            Cell::new((3, 1), Data::String("x".into())),
            Cell::new((3, 2), Data::Float(12.0)),
        ];
        let sheet = Sheet::new("jobs", Range::from_sparse(cells));
        assert_eq!(sheet.text(), "\n\njob,\"a, b\"\nx,12\n");
        assert_eq!(sheet.cell(Position { line: 3, column: 1 }), "B3");
        assert_eq!(sheet.cell(Position { line: 3, column: 5 }), "C3");
        assert_eq!(sheet.cell(Position { line: 4, column: 4 }), "C4");
        assert_eq!(
            [letters(0), letters(25), letters(26), letters(701), letters(702)],
            ["A", "Z", "AA", "ZZ", "AAA"]
        );
    }

    #[test]
    fn dates_and_times_are_texts_of_the_clock() {
        let date =
            |value| cell_text(&Data::DateTime(ExcelDateTime::new(value, ExcelDateTimeType::DateTime, false)));
        assert_eq!(date(46342.0), "2026-11-16");
        assert_eq!(date(46_342.604_166_666_664), "2026-11-16T14:30:00");
        assert_eq!(date(0.25), "06:00:00");
        assert_eq!(date(0.604_166_666_666_667), "14:30:00");
    }
}

//! Rows of a table whose columns are found by their names.

use super::cells::Cells;
use crate::error::{Problem, ReadError};

/// A cell and where it stands.
pub(crate) struct RecordCell {
    pub(crate) text: String,
    offset: usize,
}

/// One row: the cells of the wanted columns, in the order in which they were asked for.
pub(crate) struct Record<'a> {
    pub(crate) cells: Vec<RecordCell>,
    text: &'a [u8],
}

impl Record<'_> {
    /// A problem with one of the cells.
    pub(crate) fn error(&self, column: usize, problem: Problem) -> ReadError {
        ReadError::at(self.text, self.cells[column].offset, problem)
    }
}

/// A table that is being read.
pub(crate) struct Records<'a> {
    cells: Cells<'a>,
    text: &'a [u8],
    /// For each wanted column its place in the row.
    places: Vec<Option<usize>>,
    /// For each place in the row the wanted column.
    width: usize,
}

impl<'a> Records<'a> {
    /// Reads the header, in any case and order: these columns, and where they are there the optional ones.
    pub(crate) fn open(
        text: &'a str,
        required: &[&'static str],
        optional: &[&'static str],
    ) -> Result<Self, ReadError> {
        let mut cells = Cells::new(text);
        let start = cells.offset();
        let expected = || format!("expected a header row with the columns {}", required.join(", "));
        if !cells.next_row() {
            let message = format!("there is nothing here; {}", expected());
            return Err(ReadError::new(Problem::Attribute { message }));
        }
        let mut header = Vec::new();
        loop {
            let offset = cells.offset();
            header.push((cells.cell()?.to_lowercase().replace([' ', '-'], "_"), offset));
            if !cells.separator()? {
                break;
            }
        }
        let known = |name: &str| required.iter().chain(optional).any(|column| *column == name);
        if let Some((name, offset)) = header.iter().find(|(name, _)| !name.is_empty() && !known(name)) {
            let more = match optional {
                [] => String::new(),
                optional => format!(", and where they are needed {}", optional.join(", ")),
            };
            let message = format!("found column `{name}`; {}{more}", expected());
            return Err(cells.error_at(*offset, Problem::Attribute { message }));
        }
        let place = |name: &&str| header.iter().position(|(found, _)| found == name);
        if let Some(missing) = required.iter().find(|name| place(name).is_none()) {
            let message = format!("there is no column `{missing}`; {}", expected());
            return Err(cells.error_at(start, Problem::Attribute { message }));
        }
        let places = required.iter().chain(optional).map(place).collect();
        Ok(Self { cells, text: text.as_bytes(), places, width: header.len() })
    }

    /// The next row that is not blank. Missing cells at its end are empty.
    pub(crate) fn next(&mut self) -> Result<Option<Record<'a>>, ReadError> {
        if !self.cells.next_row() {
            return Ok(None);
        }
        let start = self.cells.offset();
        let mut row = Vec::new();
        loop {
            let offset = self.cells.place();
            row.push((self.cells.number_text()?, offset));
            if !self.cells.separator()? {
                break;
            }
        }
        if row.len() > self.width {
            let message = format!("this row has {} cells, the header {}", row.len(), self.width);
            return Err(self.cells.error_at(start, Problem::Attribute { message }));
        }
        let cell = |place: &Option<usize>| {
            let found = place.and_then(|place| row.get(place)).cloned();
            let (text, offset) = found.unwrap_or_else(|| (String::new(), start));
            RecordCell { text, offset }
        };
        Ok(Some(Record { cells: self.places.iter().map(cell).collect(), text: self.text }))
    }
}

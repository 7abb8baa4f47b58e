//! The cells of a sheet that hold something, one after the other as they are stored.

use std::io::BufRead;

use super::book::Book;
use super::error::{at_cell, unreadable};
use super::place::{MOST_COLUMNS, MOST_ROWS, Place};
use super::serial::Meaning;
use super::texts::Reading;
use super::xml::{Node, Tag, Xml};
use crate::error::ReadError;

/// How many cells with something in them a sheet may have.
const MOST_CELLS: usize = 1_000_000;
/// How many bytes their texts may have together.
const MOST_TEXT: usize = 24 << 20;
/// How many bytes the text of one cell may have. Excel's have at most 32,767 characters.
const LONGEST_CELL: usize = 1 << 18;
/// How many areas of merged cells a sheet may have.
const MOST_MERGED: usize = 10_000;

/// Cells with something in them, in the order of their places.
#[derive(Default)]
pub(super) struct Cells {
    places: Vec<Place>,
    /// Where the text of each cell ends.
    ends: Vec<u32>,
    text: String,
}

impl Cells {
    /// The cells with their texts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Place, &str)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends).map(|(start, &end)| start as usize..end as usize);
        self.places.iter().copied().zip(ranges.map(|range| &self.text[range]))
    }

    pub(super) fn places(&self) -> &[Place] {
        &self.places
    }

    pub(super) fn text_len(&self) -> usize {
        self.text.len()
    }

    fn push(&mut self, place: Place, text: &str) -> Result<(), String> {
        if self.places.last().is_some_and(|last| *last >= place) {
            return Err("it stands behind a cell that should follow it, or stands twice".to_string());
        }
        if self.places.len() == MOST_CELLS || self.text.len() + text.len() > MOST_TEXT {
            let most = MOST_TEXT >> 20;
            return Err(format!(
                "a sheet may hold {MOST_CELLS} cells and {most} MiB of text, and here it has more; save it as CSV"
            ));
        }
        self.text.push_str(text);
        self.places.push(place);
        self.ends.push(u32::try_from(self.text.len()).map_err(|error| error.to_string())?);
        Ok(())
    }
}

/// A cell as it is stored.
#[derive(Default)]
struct Stored {
    style: usize,
    kind: String,
    value: String,
    has_formula: bool,
}

/// A sheet that is being read.
pub(super) struct CellReader<'a> {
    pub(super) sheet: &'a str,
    pub(super) book: &'a Book,
    pub(super) meaning: Meaning<'a>,
}

impl CellReader<'_> {
    /// Reads all cells, and refuses those that hold an error, or more than one place.
    pub(super) fn read<R: BufRead>(&self, mut xml: Xml<'_, R>) -> Result<Cells, ReadError> {
        let mut cells = Cells::default();
        let mut stored = Stored::default();
        // The cell before, where a place is not given.
        let (mut rows, mut columns) = (0, 0);
        let mut num_merged = 0;
        loop {
            let tag = match xml.next()? {
                Node::Open(tag) => tag,
                Node::End => return Ok(cells),
                _ => continue,
            };
            match tag.name() {
                "row" => {
                    rows = self.row(&tag, rows)?;
                    columns = 0;
                }
                "c" => {
                    let place = self.place(&tag, rows, columns)?;
                    (rows, columns) = (place.row + 1, place.column + 1);
                    stored.open(&tag)?;
                    stored.read(&mut xml)?;
                    self.add(place, &stored, &mut cells)
                        .map_err(|message| at_cell(self.sheet, place, message))?;
                }
                "mergeCell" => {
                    num_merged += 1;
                    if num_merged > MOST_MERGED {
                        return Err(unreadable(format!(
                            "more than {MOST_MERGED} areas of a sheet are merged"
                        )));
                    }
                    self.refuse_merged(&tag.attribute("ref")?.unwrap_or_default(), &cells)?;
                }
                _ => {}
            }
        }
    }

    fn add(&self, place: Place, stored: &Stored, cells: &mut Cells) -> Result<(), String> {
        match self.text(stored)? {
            Some(text) => cells.push(place, &text),
            None => Ok(()),
        }
    }

    /// How many rows there are with this one.
    fn row(&self, tag: &Tag<'_>, before: u32) -> Result<u32, ReadError> {
        let row = match tag.attribute("r")? {
            Some(number) => number.parse().ok(),
            None => Some(before + 1),
        };
        let wrong = || unreadable(format!("sheet `{}` has a row that Excel does not know", self.sheet));
        row.filter(|row| (1..=MOST_ROWS).contains(row)).ok_or_else(wrong)
    }

    fn place(&self, tag: &Tag<'_>, rows: u32, columns: u32) -> Result<Place, ReadError> {
        let place = match tag.attribute("r")? {
            Some(name) => Place::parse(&name),
            None => Some(Place { row: rows.saturating_sub(1), column: columns }),
        };
        let wrong =
            || unreadable(format!("sheet `{}` has a cell at a place that Excel does not know", self.sheet));
        place.filter(|place| place.column < MOST_COLUMNS).ok_or_else(wrong)
    }

    /// The text of a cell, or `None` where it is blank, or why it is refused.
    fn text(&self, cell: &Stored) -> Result<Option<String>, String> {
        let value = cell.value.as_str();
        let is_text = matches!(cell.kind.as_str(), "s" | "str" | "inlineStr");
        if value.trim().is_empty() {
            return if cell.has_formula && !is_text { Err(uncomputed()) } else { Ok(None) };
        }
        let number = || value.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        let unknown =
            || format!("it holds `{}`, which is no number", crate::error::excerpt(value.as_bytes()));
        let text = match cell.kind.as_str() {
            "s" => {
                let shared = value.trim().parse().ok().and_then(|index| self.book.texts.get(index));
                shared.ok_or("it refers to a text that the workbook does not have")?.to_string()
            }
            "str" | "inlineStr" => value.to_string(),
            "b" => if value.trim() == "1" { "true" } else { "false" }.to_string(),
            "e" => return Err(format!("it holds the error {value}; correct it, or clear the cell")),
            "d" => self.meaning.iso_text(value.trim(), self.book.format(cell.style))?,
            _ => {
                let value = number().ok_or_else(unknown)?;
                if cell.has_formula && value == 0.0 && self.book.is_uncomputed {
                    return Err(uncomputed());
                }
                self.meaning.text(value, self.book.format(cell.style))?
            }
        };
        Ok(if text.trim().is_empty() { None } else { Some(text) })
    }

    /// Refuses cells that are merged, but for a title: of all merged cells only the first has a content, though each
    /// of them shows it.
    fn refuse_merged(&self, area: &str, cells: &Cells) -> Result<(), ReadError> {
        let corners = area.split_once(':').unwrap_or((area, area));
        let (Some(first), Some(last)) = (Place::parse(corners.0), Place::parse(corners.1)) else {
            return Err(unreadable(format!("sheet `{}` has merged cells at no place of Excel", self.sheet)));
        };
        let places = cells.places();
        let begin = places.partition_point(|place| place.row < first.row);
        let end = places.partition_point(|place| place.row <= last.row);
        let is_title = end.saturating_sub(begin) <= 1;
        if first >= last || is_title || places.binary_search(&first).is_err() {
            return Ok(());
        }
        let message =
            format!("it is merged with others, {first}:{last}; unmerge them, and fill each of them");
        Err(at_cell(self.sheet, first, message))
    }
}

fn uncomputed() -> String {
    "its formula has no stored value; open the workbook in a spreadsheet program and save it there"
        .to_string()
}

impl Stored {
    /// Begins with the attributes of a cell.
    fn open(&mut self, tag: &Tag<'_>) -> Result<(), ReadError> {
        self.value.clear();
        self.kind.clear();
        self.kind.push_str(&tag.attribute("t")?.unwrap_or_default());
        self.style = tag.attribute("s")?.and_then(|style| style.parse().ok()).unwrap_or_default();
        self.has_formula = false;
        Ok(())
    }

    /// Goes on until the cell closes.
    fn read<R: BufRead>(&mut self, xml: &mut Xml<'_, R>) -> Result<(), ReadError> {
        let mut reading = Reading::default();
        let mut in_value = false;
        // Beside a text of its own a cell may have a number, which says nothing.
        let has_value = self.kind != "inlineStr";
        loop {
            match xml.next()? {
                Node::Open(tag) => match tag.name() {
                    "f" => self.has_formula = true,
                    "v" => in_value = has_value,
                    name => reading.open(name),
                },
                Node::Close(tag) => match tag.name() {
                    "c" => return Ok(()),
                    "v" => in_value = false,
                    name => reading.close(name),
                },
                Node::Text(text) if in_value || reading.is_text() => self.push(&text)?,
                Node::End => return Err(unreadable("a part of it ends too early")),
                _ => {}
            }
        }
    }

    fn push(&mut self, text: &str) -> Result<(), ReadError> {
        if self.value.len() + text.len() > LONGEST_CELL {
            return Err(unreadable("one of its cells is too long"));
        }
        self.value.push_str(text);
        Ok(())
    }
}

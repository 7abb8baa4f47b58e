//! The texts that cells share, each stored once.

use super::error::unreadable;
use super::package::Package;
use super::xml::Node;
use crate::error::ReadError;

/// How many bytes all of them together may have.
const MOST_TEXT: usize = 16 << 20;
/// How many there may be.
const MOST_TEXTS: usize = 1_000_000;

/// Texts one behind the other, so that a short one takes little more memory than in the file.
#[derive(Default)]
pub(super) struct Texts {
    text: String,
    ends: Vec<u32>,
}

impl Texts {
    /// Reads the part that holds them.
    pub(super) fn read(package: &mut Package<'_>, part: &str) -> Result<Self, ReadError> {
        let mut texts = Self::default();
        let Some(mut xml) = package.part(part)? else { return Ok(texts) };
        let mut reading = Reading::default();
        loop {
            match xml.next()? {
                Node::Open(tag) => reading.open(tag.name()),
                Node::Close(tag) if tag.name() == "si" => texts.end()?,
                Node::Close(tag) => reading.close(tag.name()),
                Node::Text(text) if reading.is_text() => texts.push(&text)?,
                Node::End => return Ok(texts),
                _ => {}
            }
        }
    }

    fn push(&mut self, text: &str) -> Result<(), ReadError> {
        if self.text.len() + text.len() > MOST_TEXT {
            let most = MOST_TEXT >> 20;
            return Err(unreadable(format!("its texts have more than {most} MiB; save the table as CSV")));
        }
        self.text.push_str(text);
        Ok(())
    }

    fn end(&mut self) -> Result<(), ReadError> {
        if self.ends.len() == MOST_TEXTS {
            return Err(unreadable(format!(
                "it has more than {MOST_TEXTS} different texts; save the table as CSV"
            )));
        }
        self.ends.push(u32::try_from(self.text.len()).map_err(unreadable)?);
        Ok(())
    }

    /// The text of this number.
    pub(super) fn get(&self, number: usize) -> Option<&str> {
        let end = *self.ends.get(number)? as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.text.get(start..end)
    }
}

/// Where in a text with runs of fonts and with pronunciations the reader is: only the text itself counts.
#[derive(Clone, Copy, Default)]
pub(super) struct Reading {
    in_text: bool,
    in_pronunciation: bool,
}

impl Reading {
    pub(super) fn open(&mut self, name: &str) {
        self.in_text |= name == "t";
        self.in_pronunciation |= name == "rPh";
    }

    pub(super) fn close(&mut self, name: &str) {
        self.in_text &= name != "t";
        self.in_pronunciation &= name != "rPh";
    }

    pub(super) fn is_text(self) -> bool {
        self.in_text && !self.in_pronunciation
    }
}

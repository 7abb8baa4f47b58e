//! The ZIP archive that a workbook is: its parts, inflated within a budget.

use std::collections::HashMap;
use std::io::{BufReader, Cursor};

use zip::ZipArchive;
use zip::read::ZipFile;

use super::error::unreadable;
use super::xml::{Node, Xml};
use crate::error::ReadError;

/// The largest file that is read.
const LARGEST_FILE: usize = 64 << 20;
/// How many bytes all parts that are read may have once they are inflated. They are never in memory at once.
const MOST_INFLATED: u64 = 256 << 20;
/// How many bytes of them a list of parts or of sheets may have, which is held in memory.
const LONGEST_LIST: u64 = 4 << 20;
/// How many bytes the archive's list of its own parts may have.
const LARGEST_DIRECTORY: usize = 1 << 20;

/// A part that is being read.
pub(super) type Part<'a, 'b> = Xml<'a, BufReader<ZipFile<'a, Cursor<&'b [u8]>>>>;

/// The parts of a workbook.
pub(super) struct Package<'b> {
    archive: ZipArchive<Cursor<&'b [u8]>>,
    /// The parts by their names in lower case, as programs do not agree about it.
    numbers: HashMap<String, usize>,
    left: u64,
}

impl<'b> Package<'b> {
    /// Opens an archive.
    pub(super) fn open(bytes: &'b [u8]) -> Result<Self, ReadError> {
        if bytes.len() > LARGEST_FILE {
            let (size, most) = (bytes.len() >> 20, LARGEST_FILE >> 20);
            return Err(unreadable(format!(
                "it has {size} MiB, and {most} are accepted; save the table as CSV"
            )));
        }
        if directory_size(bytes) > LARGEST_DIRECTORY {
            return Err(unreadable("it holds too many files for a workbook"));
        }
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(unreadable)?;
        let names = (0..archive.len()).filter_map(|number| Some((number, archive.name_for_index(number)?)));
        let numbers = names.filter_map(|(number, name)| Some((canonical(&name.ok()?), number))).collect();
        Ok(Self { archive, numbers, left: MOST_INFLATED })
    }

    /// The part of this name, where there is one.
    pub(super) fn part(&mut self, name: &str) -> Result<Option<Part<'_, 'b>>, ReadError> {
        let Some(&number) = self.numbers.get(&canonical(name)) else { return Ok(None) };
        let file = self.archive.by_index(number).map_err(unreadable)?;
        Ok(Some(Xml::new(BufReader::new(file), &mut self.left)))
    }

    /// Shows each tag of a part that lists something to `visit`. A part that is not there lists nothing.
    pub(super) fn list(
        &mut self,
        name: &str,
        mut visit: impl FnMut(&super::xml::Tag<'_>) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        let Some(&number) = self.numbers.get(&canonical(name)) else { return Ok(()) };
        let file = self.archive.by_index(number).map_err(unreadable)?;
        let mut left = LONGEST_LIST;
        let mut xml = Xml::new(BufReader::new(file), &mut left);
        loop {
            match xml.next()? {
                Node::Open(tag) => visit(&tag)?,
                Node::End => return Ok(()),
                _ => {}
            }
        }
    }
}

fn canonical(name: &str) -> String {
    name.replace('\\', "/").trim_start_matches('/').to_lowercase()
}

/// How many bytes an archive's list of its parts can have at most. The archive says so itself, but need not say the
/// truth; so all that looks like an entry of the list is counted before any of it is believed.
fn directory_size(bytes: &[u8]) -> usize {
    const ENTRY: &[u8] = b"PK\x01\x02";
    const FIXED: usize = 46;
    let short =
        |at: usize| bytes.get(at..at + 2).map_or(0, |b| usize::from(u16::from_le_bytes([b[0], b[1]])));
    let letters = bytes.iter().enumerate().filter(|(_, byte)| **byte == ENTRY[0]);
    let starts = letters.map(|(at, _)| at).filter(|&at| bytes[at..].starts_with(ENTRY));
    starts.map(|at| FIXED + short(at + 28) + short(at + 30) + short(at + 32)).sum()
}

//! The workbook: which sheets it has, its shared texts and its number formats.

use std::collections::HashMap;

use super::error::unreadable;
use super::format::Format;
use super::package::Package;
use super::texts::Texts;
use super::xml::{Node, Tag};
use crate::error::ReadError;

/// How many formats there may be: Excel has at most 65,490.
const MOST_FORMATS: usize = 100_000;

/// A sheet of cells.
pub(super) struct Listed {
    pub(super) name: String,
    pub(super) part: String,
    pub(super) is_hidden: bool,
}

/// What all sheets share.
#[derive(Default)]
pub(super) struct Book {
    /// The sheets in the order of their tabs, without sheets of charts.
    pub(super) sheets: Vec<Listed>,
    /// Days are counted from 1904.
    pub(super) is_1904: bool,
    /// The program that wrote it computed none of its formulas, and asks for that when it is opened.
    pub(super) is_uncomputed: bool,
    pub(super) texts: Texts,
    /// The formats by the numbers that cells have.
    formats: Vec<Format>,
}

impl Book {
    /// Reads what the sheets share.
    pub(super) fn read(package: &mut Package<'_>) -> Result<Self, ReadError> {
        let targets = Targets::read(package, "_rels/.rels", "")?;
        let Some(workbook) = targets.of_kind("officeDocument") else {
            return Err(unreadable("it is no .xlsx file; save it as one, or as CSV"));
        };
        let (folder, file) = workbook.rsplit_once('/').unwrap_or(("", workbook));
        let targets = Targets::read(package, &format!("{folder}/_rels/{file}.rels"), folder)?;
        let mut book = Self::default();
        package.list(workbook, |tag| book.note(tag, &targets))?;
        if let Some(part) = targets.of_kind("sharedStrings") {
            book.texts = Texts::read(package, part)?;
        }
        if let Some(part) = targets.of_kind("styles") {
            book.formats = formats(package, part)?;
        }
        Ok(book)
    }

    fn note(&mut self, tag: &Tag<'_>, targets: &Targets) -> Result<(), ReadError> {
        match tag.name() {
            "workbookPr" => self.is_1904 |= tag.flag("date1904")?,
            "calcPr" => self.is_uncomputed |= tag.flag("fullCalcOnLoad")?,
            "sheet" => {
                let name = tag.attribute("name")?.unwrap_or_default().into_owned();
                // Its own number is called `sheetId`; `id` is that of the part.
                let target = targets.get(&tag.attribute("id")?.unwrap_or_default());
                let Some(target) = target else {
                    return Err(unreadable(format!("it lists a sheet `{name}` that it does not have")));
                };
                let is_hidden = tag.attribute("state")?.is_some_and(|state| state != "visible");
                if target.kind == "worksheet" {
                    self.sheets.push(Listed { name, part: target.part.clone(), is_hidden });
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The format of the cells that have this number of a style; cells without have 0.
    pub(super) fn format(&self, style: usize) -> Format {
        self.formats.get(style).copied().unwrap_or_default()
    }
}

/// The parts that a part refers to.
struct Targets(HashMap<String, Target>);

struct Target {
    kind: String,
    part: String,
}

impl Targets {
    fn read(package: &mut Package<'_>, list: &str, folder: &str) -> Result<Self, ReadError> {
        let mut targets = HashMap::new();
        package.list(list, |tag| {
            if tag.name() == "Relationship" {
                let text =
                    |name: &str| Ok::<_, ReadError>(tag.attribute(name)?.unwrap_or_default().into_owned());
                let (kind, part) = (text("Type")?, text("Target")?);
                let kind = kind.rsplit('/').next().unwrap_or_default().to_string();
                targets.insert(text("Id")?, Target { kind, part: resolved(folder, &part) });
            }
            Ok(())
        })?;
        Ok(Self(targets))
    }

    fn get(&self, id: &str) -> Option<&Target> {
        self.0.get(id)
    }

    fn of_kind(&self, kind: &str) -> Option<&str> {
        self.0.values().find(|target| target.kind == kind).map(|target| target.part.as_str())
    }
}

/// The name of a part that is given as seen from a folder.
fn resolved(folder: &str, part: &str) -> String {
    let mut folders: Vec<&str> = if part.starts_with('/') { Vec::new() } else { folder.split('/').collect() };
    for step in part.split('/') {
        match step {
            ".." => drop(folders.pop()),
            "." => {}
            _ => folders.push(step),
        }
    }
    folders.retain(|step| !step.is_empty());
    folders.join("/")
}

/// The formats of cells in the order of their numbers. Fonts, colours and borders are passed over.
fn formats(package: &mut Package<'_>, part: &str) -> Result<Vec<Format>, ReadError> {
    let (mut codes, mut formats) = (HashMap::new(), Vec::new());
    let Some(mut xml) = package.part(part)? else { return Ok(formats) };
    let mut in_cells = false;
    loop {
        match xml.next()? {
            Node::Open(tag) if tag.name() == "cellXfs" => in_cells = true,
            Node::Close(tag) if tag.name() == "cellXfs" => in_cells = false,
            Node::Open(tag) if tag.name() == "numFmt" => {
                let code = tag.attribute("formatCode")?.unwrap_or_default();
                codes.insert(number(&tag)?, Format::of_code(&code));
            }
            Node::Open(tag) if in_cells && tag.name() == "xf" => {
                let number = number(&tag)?;
                formats.push(codes.get(&number).copied().unwrap_or_else(|| Format::built_in(number)));
            }
            Node::End => return Ok(formats),
            _ => {}
        }
        if formats.len() + codes.len() > MOST_FORMATS {
            return Err(unreadable(format!("it has more than {MOST_FORMATS} formats")));
        }
    }
}

/// The number of a format.
fn number(tag: &Tag<'_>) -> Result<u32, ReadError> {
    Ok(tag.attribute("numFmtId")?.and_then(|id| id.trim().parse().ok()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_from_their_folder() {
        for (folder, part, name) in [
            ("xl", "worksheets/sheet1.xml", "xl/worksheets/sheet1.xml"),
            ("xl", "/xl/styles.xml", "xl/styles.xml"),
            ("xl", "../other/./a.xml", "other/a.xml"),
            ("", "xl/workbook.xml", "xl/workbook.xml"),
            ("", "../../a", "a"),
        ] {
            assert_eq!(resolved(folder, part), name);
        }
    }
}

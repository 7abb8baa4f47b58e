//! What every target checks.

use std::io::{Cursor, Write};

use pfss_io::{Clock, CsvOptions, Format, Unit, WriteError, excel};
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// Reads `text` in `format`. What is accepted must be written and read back as the same instances.
pub fn round_trip(format: Format, text: &str, options: CsvOptions) {
    let Ok(entries) = format.read(text, options) else { return };
    let written = match format.write(&entries) {
        Ok(written) => written,
        // CSV has no place for a machine that is called like another column.
        Err(WriteError::Heading { .. }) => return,
        Err(error) => panic!("what was read can be written: {error}"),
    };
    let again = format.read(&written, CsvOptions::default()).expect("what was written can be read");
    assert_eq!(again, entries);
}

/// Reads a workbook, with and without a clock. What is accepted must be the same after it was written as JSON.
pub fn read_workbook(bytes: &[u8]) {
    let clock = Clock::new("2026-11-16T06:00", Unit::Minute).expect("a date");
    for clock in [None, Some(&clock)] {
        let Ok(entries) = excel::read(bytes, CsvOptions::default(), clock) else { continue };
        // What does not fit together, such as a time of 16 digits beside a due date, is refused when it is planned.
        if entries.iter().any(|entry| entry.line().is_err()) {
            continue;
        }
        let written = Format::Json.write(&entries).expect("what was read can be written");
        let again = Format::Json.read(&written, CsvOptions::default()).expect("what was written can be read");
        assert_eq!(again, entries);
    }
}

/// A workbook of two sheets with this content, `jobs` and `setup`, and with these shared texts and styles.
pub fn workbook(sheet: &[u8], texts: &[u8], styles: &[u8]) -> ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (name, content) in [
        ("_rels/.rels", &br#"<Relationships><Relationship Id="b" Type="x/officeDocument" Target="xl/b.xml"/></Relationships>"#[..]),
        (
            "xl/_rels/b.xml.rels",
            br#"<Relationships><Relationship Id="s" Type="x/worksheet" Target="s.xml"/><Relationship Id="t" Type="x/sharedStrings" Target="t.xml"/><Relationship Id="f" Type="x/styles" Target="f.xml"/></Relationships>"#,
        ),
        (
            "xl/b.xml",
            br#"<workbook><sheets><sheet name="jobs" sheetId="1" r:id="s"/><sheet name="setup" sheetId="2" r:id="s"/></sheets></workbook>"#,
        ),
        ("xl/s.xml", sheet),
        ("xl/t.xml", texts),
        ("xl/f.xml", styles),
    ] {
        archive.start_file(name, options)?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
}

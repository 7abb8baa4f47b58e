//! Excel workbooks (`.xlsx`): instances are read from them.
//!
//! The sheet `jobs`, or else the first one, is read as a CSV file is: one row per job, columns of times and of
//! attributes. Sheets `setup`, `breaks` and `machines` are tables as [`crate::attribute_tables`] reads them. Hidden sheets are
//! not read.
//!
//! A file of up to 64 MiB is read in less than 256 MB of memory, itself included, whatever it says about itself: cell by
//! cell, within budgets for inflated bytes, texts, cells and the extent of a sheet, each of which is a constant beside
//! its use. That is why no ready-made reader does it: those load all fonts and texts at once, make a dense table of a
//! sheet's extent, and do not say whether a date is shown with a time of day.

mod book;
mod cells;
mod error;
mod format;
mod package;
mod place;
mod serial;
mod sheet;
mod texts;
mod xml;

use crate::attribute_tables::{read_breaks, read_machines, read_setups};
use crate::clock::Clock;
use crate::csv::{self, CsvOptions};
use crate::error::ReadError;
use crate::{Entry, Note};
use book::{Book, Listed};
use cells::CellReader;
use error::unreadable;
use package::Package;
use serial::Meaning;
use sheet::Sheet;

/// Sheets with a meaning of their own.
const TABLES: [&str; 3] = ["machines", "breaks", "setup"];

/// Reads the one instance of a workbook.
///
/// # Errors
/// [`ReadError`] says what is wrong and in which cell.
pub fn read(bytes: &[u8], options: CsvOptions, clock: Option<&Clock>) -> Result<Vec<Entry>, ReadError> {
    let mut package = Package::open(bytes)?;
    let book = Book::read(&mut package)?;
    let is_named = |sheet: &Listed, name: &str| sheet.name.trim().eq_ignore_ascii_case(name);
    let visible = || book.sheets.iter().filter(|sheet| !sheet.is_hidden);
    let named = |name: &str| visible().find(|sheet| is_named(sheet, name));
    let is_table = |sheet: &Listed| TABLES.iter().any(|table| is_named(sheet, table));
    let Some(jobs) = named("jobs").or_else(|| visible().find(|sheet| !is_table(sheet))) else {
        return Err(unreadable("it has no sheet of jobs that can be seen"));
    };
    let name = jobs.name.clone();
    let unread = visible().filter(|sheet| sheet.name != name && !is_table(sheet));
    let unread: Vec<String> = unread.map(|sheet| sheet.name.clone()).collect();
    let jobs = sheet(&mut package, &book, jobs, clock)?;
    let mut entries = csv::read_with(jobs.text(), options, clock).map_err(|error| jobs.locate(error))?;
    drop(jobs);
    if let Some(entry) = entries.first_mut().filter(|_| !unread.is_empty()) {
        entry.reading.notes.push(Note::UnreadSheets { jobs: name, sheets: unread });
    }
    for table in TABLES {
        let (Some(listed), Some(entry)) = (named(table), entries.first_mut()) else { continue };
        let sheet = sheet(&mut package, &book, listed, clock)?;
        let read = match table {
            "machines" => read_machines(sheet.text(), entry, clock),
            "breaks" => read_breaks(sheet.text(), entry, clock),
            _ => read_setups(sheet.text(), entry),
        };
        read.map_err(|error| sheet.locate(error))?;
    }
    Ok(entries)
}

/// One sheet as a table.
fn sheet(
    package: &mut Package<'_>,
    book: &Book,
    listed: &Listed,
    clock: Option<&Clock>,
) -> Result<Sheet, ReadError> {
    let times_are_durations = listed.name.trim().eq_ignore_ascii_case("setup");
    let meaning = Meaning { is_1904: book.is_1904, times_are_durations, clock };
    let Some(xml) = package.part(&listed.part)? else {
        return Err(unreadable(format!("it lists a sheet `{}` that it does not have", listed.name)));
    };
    let cells = CellReader { sheet: &listed.name, book, meaning }.read(xml)?;
    Sheet::new(&listed.name, &cells)
}

/// The table of the sheet of this name, for tests of what is written.
#[cfg(test)]
pub(crate) fn sheet_text(bytes: &[u8], name: &str) -> String {
    let mut package = Package::open(bytes).unwrap();
    let book = Book::read(&mut package).unwrap();
    let listed = book.sheets.iter().find(|sheet| sheet.name == name).unwrap();
    sheet(&mut package, &book, listed, None).unwrap().text().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Unit;
    use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};

    /// A workbook with these sheets of text cells; numbers are written as numbers.
    fn workbook(sheets: &[(&str, &[&[&str]])]) -> Vec<u8> {
        let mut book = Workbook::new();
        for (name, rows) in sheets {
            let sheet = book.add_worksheet().set_name(*name).unwrap();
            for (row, cells) in (0..).zip(*rows) {
                for (column, cell) in (0..).zip(*cells) {
                    match cell.parse::<f64>() {
                        Ok(number) => sheet.write_number(row, column, number).unwrap(),
                        Err(_) => sheet.write_string(row, column, *cell).unwrap(),
                    };
                }
            }
        }
        book.save_to_buffer().unwrap()
    }

    const JOBS: &[&[&str]] = &[
        &["job", "saw", "oven", "Due", "family"],
        &["A", "3", "4.5", "9", "red"],
        &["B", "2", "1", "", "blue"],
    ];

    fn read_sheets(sheets: &[(&str, &[&[&str]])]) -> Result<Entry, String> {
        let read = read(&workbook(sheets), CsvOptions::default(), None);
        read.map(|mut entries| entries.remove(0)).map_err(|error| error.in_file("plan.xlsx").to_string())
    }

    #[test]
    fn sheets_are_tables() {
        let entry = read_sheets(&[
            ("notes", &[&["whatever"]]),
            ("Jobs", JOBS),
            (
                "setup",
                &[
                    &["machine", "from", "to", "time"],
                    &["saw", "", "red", "2"],
                    &["saw", "red", "blue", "1.5"],
                ],
            ),
            ("breaks", &[&["machine", "from", "to"], &["oven", "5", "6"]]),
            (
                "machines",
                &[
                    &["machine", "available_from", "resume", "buffer"],
                    &["saw", "1", "", "0"],
                    &["oven", "", "no", ""],
                ],
            ),
        ])
        .unwrap();
        assert_eq!(entry.instance.machine_names().unwrap(), ["saw", "oven"]);
        assert_eq!(entry.attributes.jobs[0].due, Some(9.0));
        let note = "sheet `Jobs` is the table of jobs; not read: notes; beside it `setup`, `breaks` and `machines` are read";
        assert_eq!(entry.notes().map(|note| note.to_string()).collect::<Vec<_>>(), [note]);
        let [saw, oven] = entry.attributes.machines.as_slice() else { panic!("two machines") };
        assert_eq!((saw.setups.len(), saw.available_from, saw.buffer), (2, 1.0, Some(0)));
        assert_eq!((oven.breaks.as_slice(), oven.resume), (&[(5.0, 6.0)][..], false));
        // Without a sheet of this name, the first one counts that is no table.
        assert!(
            read_sheets(&[("setup", &[&["machine"]]), ("Tabelle1", JOBS)])
                .unwrap_err()
                .contains("column `from`")
        );
        assert_eq!(read_sheets(&[("Tabelle1", JOBS)]).unwrap().instance.num_jobs(), 2);
    }

    /// A blank behind a family made it another one, and its set-ups vanished.
    #[test]
    fn blanks_around_a_cell_are_no_part_of_a_name() {
        let jobs: &[&[&str]] = &[&["job ", " saw\u{a0}", "family"], &[" A", "3", "red "], &["B", "2", "red"]];
        let setup: &[&[&str]] = &[&["machine", "from", "to", "time"], &["saw ", "red", " red", "2"]];
        let entry = read_sheets(&[("jobs", jobs), ("setup", setup)]).unwrap();
        assert_eq!(entry.instance.job_names().unwrap(), ["A", "B"]);
        assert_eq!(entry.instance.machine_names().unwrap(), ["saw"]);
        assert_eq!(entry.attributes.families, ["red"]);
        assert_eq!(entry.attributes.machines[0].setups.len(), 1);
    }

    #[test]
    fn errors_name_the_cell() {
        let jobs: &[&[&str]] = &[&["job", "saw", "due"], &["A", "3", "9"], &["B", "x", "1"]];
        assert_eq!(
            read_sheets(&[("jobs", jobs)]).unwrap_err(),
            "plan.xlsx, cell jobs!B3: found `x`, expected a processing time such as 12 or 3.5"
        );
        let jobs: &[&[&str]] = &[&["", "job", "saw"], &["", "Door, \"left\"", "x"]];
        assert!(
            read_sheets(&[("jobs", jobs)]).unwrap_err().starts_with("plan.xlsx, cell jobs!C2: found `x`")
        );
        let setup: &[&[&str]] = &[&["machine", "from", "to", "time"], &["cut", "red", "green", "2"]];
        let message = read_sheets(&[("jobs", JOBS), ("setup", setup)]).unwrap_err();
        assert!(message.starts_with("plan.xlsx, cell setup!A2: there is no machine `cut`"), "{message}");
        let message = read(b"PK\x03\x04 no workbook", CsvOptions::default(), None).unwrap_err().to_string();
        assert!(message.starts_with("this workbook cannot be read: "), "{message}");
    }

    #[test]
    fn hidden_sheets_are_not_read() {
        let mut book = Workbook::new();
        for (name, time) in [("jobs", 1.0), ("Plan", 2.0)] {
            let sheet = book.add_worksheet().set_name(name).unwrap();
            sheet.write_number(0, 0, time).unwrap();
            sheet.set_hidden(name == "jobs");
        }
        book.worksheet_from_name("Plan").unwrap().set_active(true);
        let entry = read(&book.save_to_buffer().unwrap(), CsvOptions::default(), None).unwrap().remove(0);
        assert_eq!(crate::Format::Csv.write(&[entry]).unwrap(), "2\n");
    }

    #[test]
    fn cells_that_are_dates_are_dates() {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        for (column, name) in (0..).zip(["job", "M1", "release", "due"]) {
            sheet.write_string(0, column, name).unwrap();
        }
        let format = Format::new().set_num_format("yyyy-mm-dd hh:mm");
        let time = Format::new().set_num_format("hh:mm");
        sheet.write_string(1, 0, "A").unwrap();
        sheet.write_number(1, 1, 30.0).unwrap();
        sheet.write_datetime_with_format(1, 2, ExcelDateTime::from_hms(7, 20, 0).unwrap(), &time).unwrap();
        let due = ExcelDateTime::parse_from_str("2026-11-17T05:00").unwrap();
        sheet.write_datetime_with_format(1, 3, due, &format).unwrap();
        let bytes = book.save_to_buffer().unwrap();
        let clock = Clock::new("2026-11-16T06:00", Unit::Minute).unwrap();
        let entry = read(&bytes, CsvOptions::default(), Some(&clock)).unwrap().remove(0);
        assert_eq!((entry.attributes.jobs[0].release, entry.attributes.jobs[0].due), (80.0, Some(1380.0)));
    }
}

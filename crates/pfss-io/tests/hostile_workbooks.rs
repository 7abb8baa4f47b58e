//! No workbook of up to 64 MiB takes more than 256 MB of memory, whatever it holds.

#![cfg(feature = "excel")]
// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Write as _;
use std::io::{Cursor, Write};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use pfss_io::{CsvOptions, Entry, excel};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The system's allocator, which says how much was in use at most.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

fn grow(size: usize) {
    MOST.fetch_max(NOW.fetch_add(size, Relaxed) + size, Relaxed);
}

// SAFETY: everything is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new may be there at once.
        grow(size);
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Held by each test, as they share what is counted.
static ALONE: Mutex<()> = Mutex::new(());

const BUDGET: usize = 256_000_000;
const LARGEST: usize = 64 << 20;

const RELATIONSHIP: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Parts of a workbook; those that are not given are as small as they can be.
#[derive(Default)]
struct Parts<'a> {
    sheet: &'a [&'a str],
    strings: &'a [&'a str],
    styles: &'a [&'a str],
    /// How many bytes of something else the file has.
    padding: usize,
}

impl Parts<'_> {
    /// The file; `is_stored` leaves its parts as they are.
    fn file(&self, is_stored: bool) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        let method = if is_stored { CompressionMethod::Stored } else { CompressionMethod::Deflated };
        let options = SimpleFileOptions::default().compression_method(method);
        let list = |entries: &[(&str, &str)]| {
            let mut list = "<Relationships>".to_string();
            for (kind, target) in entries {
                write!(
                    list,
                    "<Relationship Id=\"{kind}\" Type=\"{RELATIONSHIP}/{kind}\" Target=\"{target}\"/>"
                )
                .unwrap();
            }
            list + "</Relationships>"
        };
        let package = list(&[("officeDocument", "xl/workbook.xml")]);
        let parts =
            list(&[("worksheet", "sheet.xml"), ("sharedStrings", "strings.xml"), ("styles", "styles.xml")]);
        let book =
            "<workbook><sheets><sheet name=\"jobs\" sheetId=\"1\" id=\"worksheet\"/></sheets></workbook>";
        for (name, pieces) in [
            ("_rels/.rels", &[package.as_str()][..]),
            ("xl/_rels/workbook.xml.rels", &[parts.as_str()]),
            ("xl/workbook.xml", &[book]),
            ("xl/sheet.xml", self.sheet),
            ("xl/strings.xml", self.strings),
            ("xl/styles.xml", self.styles),
        ] {
            archive.start_file(name, options).unwrap();
            pieces.iter().for_each(|piece| archive.write_all(piece.as_bytes()).unwrap());
        }
        archive.start_file("xl/picture.png", options.compression_method(CompressionMethod::Stored)).unwrap();
        archive.write_all(&vec![b'.'; self.padding]).unwrap();
        archive.finish().unwrap().into_inner()
    }
}

/// Reads a file, and checks how much memory that takes together with the file.
fn read(file: &[u8]) -> Result<Entry, String> {
    let before = NOW.load(Relaxed);
    MOST.store(before, Relaxed);
    let read = excel::read(file, CsvOptions::default(), None);
    let read = read.map(|mut entries| entries.remove(0)).map_err(|error| error.to_string());
    let taken = file.len() + MOST.load(Relaxed) - before;
    assert!(taken < BUDGET, "{taken} bytes for {:?}", read.err());
    read
}

fn sheet(rows: &str) -> String {
    format!("<worksheet><sheetData>{rows}</sheetData></worksheet>")
}

/// A job of two machines.
const JOB: &str = "<row r=\"1\"><c r=\"A1\"><v>3</v></c><c r=\"B1\"><v>4</v></c></row>";

#[test]
fn blank_cells_far_away_are_no_data() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let rows = format!("{JOB}<row r=\"1048576\"><c r=\"XFD1048576\" s=\"1\"/></row>");
    let entry = read(&Parts { sheet: &[&sheet(&rows)], ..Parts::default() }.file(false)).unwrap();
    assert_eq!((entry.instance.num_jobs(), entry.instance.num_machines()), (1, 2));
}

#[test]
fn hostile_workbooks_are_refused_in_bounded_memory() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let far = format!("{JOB}<row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row>");
    let mut scattered = String::new();
    for row in 1..=4000 {
        write!(scattered, "<row><c r=\"A{row}\"><v>1</v></c><c r=\"XFD{row}\"><v>1</v></c></row>").unwrap();
    }
    let blanks = " ".repeat(1 << 20);
    let comment = format!("<!--{}-->", " ".repeat(600_000));
    let text = format!("<si><t>{}</t></si>", "x".repeat(100_000));
    let no_texts = "<si/>".repeat(100_000);
    let formats = "<xf/>".repeat(100_000);
    let one = sheet(JOB);
    let of_row = |cells: &str| sheet(&format!("<row r=\"1\">{cells}</row>"));
    let twice = of_row("<c r=\"A1\"><v>1</v></c><c r=\"A1\"><v>2</v></c>");
    let outside = of_row("<c r=\"XFE1\"><v>1</v></c>");
    let word = of_row("<c r=\"B1\"><v>NaN</v></c>");
    let no_text = of_row("<c r=\"B1\" t=\"s\"><v>7</v></c>");
    let cases: [(&str, Parts<'_>); 13] = [
        ("cell jobs!A1: it stands behind", Parts { sheet: &[&twice], ..Parts::default() }),
        ("a place that Excel does not know", Parts { sheet: &[&outside], ..Parts::default() }),
        ("cell jobs!B1: it holds `NaN`", Parts { sheet: &[&word], ..Parts::default() }),
        ("cell jobs!B1: it refers to a text", Parts { sheet: &[&no_text], ..Parts::default() }),
        ("a number is missing", Parts { sheet: &[&sheet(&far)], ..Parts::default() }),
        (
            "spread over 4000 rows and 16384 columns",
            Parts { sheet: &[&sheet(&scattered)], ..Parts::default() },
        ),
        ("too long", Parts { sheet: &["<worksheet>", &blanks, &blanks], ..Parts::default() }),
        (
            "inflates to more than is accepted",
            Parts {
                sheet: &[&["<worksheet>"][..], &vec![comment.as_str(); 450]].concat(),
                ..Parts::default()
            },
        ),
        (
            "texts have more than 16 MiB",
            Parts { strings: &[&["<sst>"][..], &vec![text.as_str(); 200]].concat(), ..Parts::default() },
        ),
        (
            "more than 1000000 different texts",
            Parts { strings: &[&["<sst>"][..], &vec![no_texts.as_str(); 15]].concat(), ..Parts::default() },
        ),
        (
            "more than 100000 formats",
            Parts {
                strings: &["<sst/>"],
                styles: &["<styleSheet><cellXfs>", &formats, &formats],
                ..Parts::default()
            },
        ),
        ("66 MiB, and 64 are accepted", Parts { sheet: &[&one], padding: 66 << 20, ..Parts::default() }),
        ("ends too early", Parts { sheet: &["<worksheet><sheetData><row><c>"], ..Parts::default() }),
    ];
    for (part, parts) in cases {
        let file = parts.file(false);
        let message = read(&file).unwrap_err();
        assert!(message.contains(part), "{message}");
    }
}

/// Whatever is damaged, an error says so, or the rest is read.
#[test]
fn damaged_workbooks_are_read_or_refused() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let file = include_bytes!("workbooks/libreoffice-durations.xlsx");
    for at in (0..file.len()).step_by(9) {
        let mut damaged = file.to_vec();
        damaged[at] ^= 1 << (at % 8);
        let _ = read(&damaged);
        let _ = read(&file[..at]);
    }
    let rows = "<row r=\"2\"><c r=\"A2\" t=\"s\"><v>0</v></c><c s=\"1\"><f>1</f><v>1.5</v></c></row>";
    let merged = format!("<worksheet><sheetData>{rows}</sheetData><mergeCell ref=\"A2:B3\"/></worksheet>");
    let (strings, styles) =
        ("<sst><si><t>&amp;1</t></si></sst>", "<cellXfs><xf/><xf numFmtId=\"46\"/></cellXfs>");
    for at in 0..merged.len() {
        for with in ["", "<", ">", "\"", "&", "9", "/", "é"] {
            let damaged = format!("{}{with}{}", &merged[..at], &merged[at + 1..]);
            let parts = Parts { sheet: &[&damaged], strings: &[strings], styles: &[styles], padding: 0 };
            let _ = read(&parts.file(true));
        }
    }
}

#[test]
fn an_archive_of_very_many_parts_is_refused_before_it_is_opened() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut file = Parts { sheet: &[&sheet(JOB)], ..Parts::default() }.file(false);
    let entry = [&b"PK\x01\x02"[..], &[0; 42]].concat();
    while file.len() + entry.len() < LARGEST {
        file.extend(&entry);
    }
    assert!(read(&file).unwrap_err().contains("too many files"));
}

/// The most that a sheet may hold, in a file of nearly the largest size.
#[test]
fn the_largest_workbook_is_read_within_the_budget() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    const JOBS: usize = 333_000;
    let mut rows = String::with_capacity(LARGEST);
    rows.push_str("<row><c t=\"str\"><v>job</v></c><c t=\"str\"><v>M1</v></c>");
    rows.push_str("<c t=\"str\"><v>due</v></c></row>");
    for job in 0..JOBS {
        let time = job % 97;
        write!(rows, "<row><c t=\"str\"><v>j{job}</v></c><c><v>{time}.5</v></c><c><v>{job}</v></c></row>")
            .unwrap();
    }
    let sheet = ["<worksheet><sheetData>", &rows, "</sheetData></worksheet>"];
    let padding = LARGEST - rows.len() - 4096;
    let file = Parts { sheet: &sheet, padding, ..Parts::default() }.file(true);
    drop(rows);
    assert!(file.len() <= LARGEST, "{}", file.len());
    assert_eq!(read(&file).unwrap().instance.num_jobs(), JOBS);
}

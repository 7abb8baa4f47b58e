//! One test per crash that fuzzing found.

// Functions that only tests call may panic and print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use pfss_io::{CsvOptions, Format};

/// A carriage return inside a title was kept when read, but is a line end when written.
#[test]
fn or_library_title_with_carriage_returns() {
    let read = |text: &str| Format::OrLibrary.read(text, CsvOptions::default()).unwrap();
    let entries = read("instance a\r\r2\n2 1\n0 66\n0 66\n");
    assert_eq!(entries[0].instance.name(), "a 2");
    assert_eq!(read(&Format::OrLibrary.write(&entries).unwrap()), entries);
}

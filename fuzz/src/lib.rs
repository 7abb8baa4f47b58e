//! What every target checks.

use pfss_io::{CsvOptions, Format};

/// Reads `text` in `format`. What is accepted must be written and read back as the same instances.
pub fn round_trip(format: Format, text: &str, options: CsvOptions) {
    let Ok(entries) = format.read(text, options) else { return };
    let written = format.write(&entries).expect("what was read can be written");
    let again = format.read(&written, CsvOptions::default()).expect("what was written can be read");
    assert_eq!(again, entries);
}

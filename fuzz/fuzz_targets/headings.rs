#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_fuzz::round_trip;
use pfss_io::{CsvOptions, Format};

// The lines before the first blank one say what columns hold, the rest is the table.
fuzz_target!(|text: &str| {
    let (settings, table) = text.split_once("\n\n").unwrap_or(("", text));
    let columns = settings.lines().filter_map(|line| line.parse().ok()).collect();
    round_trip(Format::Csv, table, CsvOptions { columns, ..CsvOptions::default() });
});

#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_fuzz::round_trip;
use pfss_io::{CsvOptions, Format};

fuzz_target!(|text: &str| {
    for transpose in [false, true] {
        round_trip(Format::Csv, text, CsvOptions { transpose, ..CsvOptions::default() });
    }
});

#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_fuzz::round_trip;
use pfss_io::{CsvOptions, Format};

fuzz_target!(|text: &str| round_trip(Format::OrLibrary, text, CsvOptions::default()));

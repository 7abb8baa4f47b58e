#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_fuzz::round_trip;
use pfss_io::{CsvOptions, Format, ReadOptions, read_bytes};

fuzz_target!(|bytes: &[u8]| {
    let _ = read_bytes(bytes, "file.txt", &ReadOptions::default());
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for format in [Format::MachineRows, Format::JobRows, Format::Pairs] {
        round_trip(format, text, CsvOptions::default());
    }
    // What detection settles on is read the same way when it is named.
    if let (Ok(format), Ok(entries)) =
        (Format::detect(text, None), read_bytes(bytes, "", &ReadOptions::default()))
    {
        let named = format.read(text, CsvOptions::default()).expect("detection read it");
        assert_eq!(named.len(), entries.len());
    }
});

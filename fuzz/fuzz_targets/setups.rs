#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_fuzz::round_trip;
use pfss_io::attribute_tables::{read_breaks, read_machines, read_setups};
use pfss_io::{CsvOptions, Entry, Format};

const JOBS: &str = "job,saw,oven,family\nA,3,4,red\nB,2,1,blue\n";

// What tables of machines carry goes through JSON, and JSON itself may carry set-ups.
fuzz_target!(|text: &str| {
    round_trip(Format::Json, text, CsvOptions::default());
    let jobs = || Format::Csv.read(JOBS, CsvOptions::default()).expect("a table of jobs").remove(0);
    let reads: [fn(&str, &mut Entry) -> bool; 3] = [
        |text, entry| read_setups(text, entry).is_ok(),
        |text, entry| read_breaks(text, entry, None).is_ok(),
        |text, entry| read_machines(text, entry, None).is_ok(),
    ];
    for read in reads {
        let mut entry = jobs();
        // What does not fit together is refused when it is planned.
        if read(text, &mut entry) && entry.line().is_ok() {
            let written = Format::Json.write(std::slice::from_ref(&entry)).expect("JSON has a place for it");
            let again = Format::Json.read(&written, CsvOptions::default()).expect("what was written can be read");
            // Families that no job is of have numbers in the order of the table, or of the machines.
            assert_eq!(Format::Json.write(&again).expect("JSON has a place for it"), written);
        }
    }
});

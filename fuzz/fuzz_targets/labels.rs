#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_neural::LabelledSet;
use pfss_tsp::STORED_TOURS;

fuzz_target!(|bytes: &[u8]| {
    let Ok(set) = LabelledSet::read(bytes, &[STORED_TOURS]) else { return };
    let written = set.to_bytes().expect("what was read can be written");
    assert_eq!(LabelledSet::read(&written, &[STORED_TOURS]).expect("and read again"), set);
});

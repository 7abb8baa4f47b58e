#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_neural::LabelledSet;

fuzz_target!(|bytes: &[u8]| {
    let Ok(set) = LabelledSet::from_bytes(bytes) else { return };
    let written = set.to_bytes().expect("what was read can be written");
    assert_eq!(LabelledSet::from_bytes(&written).expect("and read again"), set);
});

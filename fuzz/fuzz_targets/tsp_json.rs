#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_tsp::{resolve_tsp, tsp_json};

fuzz_target!(|bytes: &[u8]| {
    // Detection between TSPLIB and JSON, and bytes that are no text.
    let _ = resolve_tsp("-", &[], &mut &bytes[..]);
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(instances) = tsp_json::read(text) else { return };
    let mut written = String::new();
    for instance in &instances {
        tsp_json::write(instance, &mut written).expect("what was read can be written");
    }
    assert_eq!(tsp_json::read(&written).expect("what was written can be read"), instances);
});

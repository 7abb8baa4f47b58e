#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_io::ResultRecord;
use pfss_tsp::TourRecord;

fuzz_target!(|text: &str| {
    if let Ok(record) = serde_json::from_str::<ResultRecord>(text) {
        let written = record.to_json().expect("what was read can be written");
        assert_eq!(serde_json::from_str::<ResultRecord>(&written).expect("and read again"), record);
    }
    if let Ok(record) = serde_json::from_str::<TourRecord>(text) {
        let written = record.to_json().expect("what was read can be written");
        assert_eq!(serde_json::from_str::<TourRecord>(&written).expect("and read again"), record);
    }
});

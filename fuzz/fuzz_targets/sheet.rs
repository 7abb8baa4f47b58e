#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_fuzz::{read_workbook, workbook};

// The parts of a workbook, with a zero byte between them: what is inside of the archive and its check sums.
fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.split(|&byte| byte == 0);
    let mut part = || parts.next().unwrap_or_default();
    let file = workbook(part(), part(), part()).expect("an archive in memory can be written");
    read_workbook(&file);
});

#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_fuzz::read_workbook;

fuzz_target!(|bytes: &[u8]| read_workbook(bytes));

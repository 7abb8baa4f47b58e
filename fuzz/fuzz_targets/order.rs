#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_core::Instance;
use pfss_io::{AnyInstance, OrderOptions, order};

fuzz_target!(|text: &str| {
    let plain: AnyInstance = Instance::new("x", 1, vec![1u32, 2, 3]).expect("valid").into();
    let names = ["1", "b c", "0"].map(String::from).to_vec();
    let named = plain.clone().with_job_names(names).expect("valid");
    for instance in [&plain, &named] {
        for one_based in [false, true] {
            if let Ok(given) = order::read(text, instance, OrderOptions { one_based }) {
                let _ = instance.check(&given.order, given.makespan);
            }
        }
    }
});

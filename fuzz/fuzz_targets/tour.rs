#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_core::Permutation;
use pfss_tsp::tsplib;

fuzz_target!(|text: &str| {
    let Ok(order) = tsplib::read_tour(text) else { return };
    let _ = Permutation::new(order.clone(), order.len());
    let mut written = String::new();
    tsplib::write_tour("a tour", 1.5, &order, &mut written);
    assert_eq!(tsplib::read_tour(&written).expect("what was written can be read"), order);
});

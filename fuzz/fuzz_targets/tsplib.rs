#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_core::PermutationProblem;
use pfss_tsp::tsplib;

fuzz_target!(|text: &str| {
    let Ok(instance) = tsplib::read(text) else { return };
    let mut written = String::new();
    tsplib::write(&instance, &mut written);
    let again = tsplib::read(&written).expect("what was written can be read");
    // Blanks within a name are written as one each.
    assert_eq!((again.points(), again.metric()), (instance.points(), instance.metric()));
    if instance.num_cities() <= 100 {
        assert!(instance.lower_bound().is_finite());
    }
});

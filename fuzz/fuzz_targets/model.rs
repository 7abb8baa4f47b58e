#![no_main]

use libfuzzer_sys::fuzz_target;
use pfss_core::Instance;
use pfss_neural::{FrontPolicy, FrontWeights, Policy, Weights};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(weights) = Weights::from_bytes(bytes) {
        let written = weights.to_bytes().expect("what was read can be written");
        assert_eq!(Weights::from_bytes(&written).expect("and read again"), weights);
        let policy = Policy::from_bytes(bytes).expect("its weights were read");
        // It builds an order of all jobs, or says why not.
        let instance = Instance::new("", 2, vec![1.0, 2.0, 3.0, 0.5, 2.0, 1.0]).expect("valid");
        if let Ok(mut order) = policy.greedy(&instance) {
            order.sort_unstable();
            assert_eq!(order, [0, 1, 2]);
        }
    }
    if let Ok(weights) = FrontWeights::from_bytes(bytes) {
        let written = weights.to_bytes().expect("what was read can be written");
        assert_eq!(FrontWeights::from_bytes(&written).expect("and read again"), weights);
        let instance = Instance::new("", 2, vec![1.0, 2.0, 3.0, 0.5, 2.0, 1.0]).expect("valid");
        let mut order = FrontPolicy::new(&weights).greedy(&instance);
        order.sort_unstable();
        assert_eq!(order, [0, 1, 2]);
    }
});

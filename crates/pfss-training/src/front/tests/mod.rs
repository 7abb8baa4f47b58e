//! The bidirectional scorer against its twins, and its trainings; here, what they are tried on.

mod network;
mod training;

use std::sync::Arc;

use pfss_core::{Instance, JobId, Permutation, Seed};
use pfss_neural::{End, FrontConfig, FrontState, LabelledSet};
use rand::RngExt;
use serde_json::Map;

use super::{FrontLessons, FrontSource};

fn shop(n: usize, m: usize, seed: u64) -> Instance<f64> {
    let mut rng = Seed::new(seed).rng();
    Instance::new("", m, (0..n * m).map(|_| rng.random_range(0.1..2.0)).collect()).unwrap()
}

/// A state with a job at each end.
fn state(n: usize, m: usize, seed: u64) -> FrontState {
    let mut state = FrontState::of(&shop(n, m, seed));
    state.place(1, End::Front);
    state.place(3, End::Back);
    state
}

fn small() -> FrontConfig {
    FrontConfig { hidden: 6, width: 10, ..FrontConfig::default() }
}

fn lessons() -> FrontLessons {
    let source = |n: usize, m: usize| {
        let label = |index: u64| {
            let shop = shop(n, m, index);
            // Jobs by their first time: a rule that the network can see.
            let mut order: Vec<JobId> = (0..n as JobId).collect();
            order.sort_by(|&a, &b| shop.time(a, 0).total_cmp(&shop.time(b, 0)));
            (shop.into(), Permutation::new(order, n).unwrap())
        };
        let set = LabelledSet::new((0..60).map(label).collect(), Map::new()).unwrap();
        FrontSource {
            labelled: Some(Arc::new(set)),
            draw: Arc::new(move |number| Ok(shop(n, m, 1000 + number))),
            weight: 1.0,
            instances: None,
            description: format!("{n}x{m}"),
        }
    };
    FrontLessons { sources: vec![source(6, 3), source(8, 2)] }
}

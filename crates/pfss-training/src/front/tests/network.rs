//! Log-probabilities, losses and gradients.

use std::rc::Rc;

use pfss_neural::reference::front_logits;
use pfss_neural::{End, FrontConfig, FrontPolicy, FrontState, FrontWeights};

use super::{lessons, small, state};
use crate::engine::{Backend, Cpu, Tape};
use crate::finite_differences::compare_gradient;
use crate::front::FrontTrainingConfig;
use crate::front::learner::FrontLearner;
use crate::front::network::{FrontNetwork, HostStates};
use crate::learner::Learner;
use crate::parameters::{Layout, in_one_row, model};

/// Some states, with a job at the front and another at the back taught.
fn states(of: &[FrontState]) -> HostStates {
    let (n, m, r) = (of[0].num_jobs(), of[0].num_machines(), of[0].remaining().len());
    let mut states = HostStates { size: (n, m, r), ..HostStates::default() };
    for (index, state) in of.iter().enumerate() {
        for end in End::BOTH {
            state.features(end, &mut states.features);
        }
        let taught = |action: usize| if action == index || action == 2 * r - 1 { 1.0 } else { 0.0 };
        states.taught.extend((0..2 * r).map(taught));
        states.weights.push(1.0 - 0.4 * index as f32);
    }
    states
}

#[test]
fn inference_is_the_forward_pass_of_training() {
    let weights = FrontWeights::random(FrontConfig::default(), 3).unwrap();
    let policy = FrontPolicy::new(&weights);
    for (n, m) in [(6, 1), (9, 5), (12, 20)] {
        let of: Vec<FrontState> = (0..3).map(|seed| state(n, m, seed)).collect();
        let (cpu, row) = (Rc::new(Cpu::new()), in_one_row(&weights));
        let tape = Tape::plain(&cpu);
        let tensors = Layout::new(&weights.config().tensors()).constants(&tape, &cpu.upload(&row, row.len()));
        let network = FrontNetwork { config: weights.config(), tape: &tape, tensors: &tensors };
        let taken = network.take(&states(&of).load(&*cpu));
        let found: Vec<f32> = cpu.download(&taken.probabilities).unwrap().into_iter().map(f32::ln).collect();
        let r = n - 2;
        for (state, found) in of.iter().zip(found.chunks_exact(2 * r)) {
            for (place, [front, back]) in policy.log_probabilities(state).into_iter().enumerate() {
                assert!((found[place] - front).abs() < 1e-4, "{} {front}", found[place]);
                assert!((found[r + place] - back).abs() < 1e-4, "{} {back}", found[r + place]);
            }
        }
    }
}

/// The loss in double precision.
fn exact_loss(weights: &FrontWeights, of: &[FrontState], states: &HostStates) -> f64 {
    let r = states.size.2;
    let losses = of.iter().enumerate().map(|(index, state)| {
        let logits = front_logits(weights, state);
        let total: f64 = logits.iter().flatten().map(|logit| logit.exp()).sum();
        let taught = &states.taught[index * 2 * r..(index + 1) * 2 * r];
        let likely = |(place, both): (usize, &[f64; 2])| {
            let share = |end: usize| f64::from(taught[end * r + place]) * both[end].exp() / total;
            share(0) + share(1)
        };
        let likely: f64 = logits.iter().enumerate().map(likely).sum();
        -f64::from(states.weights[index]) * likely.ln()
    });
    losses.sum::<f64>() / of.len() as f64
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    let weights = FrontWeights::random(small(), 5).unwrap();
    let of: Vec<FrontState> = (0..3).map(|seed| state(6, 3, seed)).collect();
    let states = states(&of);
    let config = FrontTrainingConfig { network: small(), ..FrontTrainingConfig::new(1) };
    let row = in_one_row(&weights);
    let exact = |row: &[f32]| exact_loss(&model(&small(), row).unwrap(), &of, &states);
    let cpu = Rc::new(Cpu::new());
    let mut learner = FrontLearner::new(&config, &lessons(), Rc::clone(&cpu));
    learner.policy.weights = cpu.upload(&row, row.len());
    learner.lesson(&states, 1.0);
    let (loss, gradient) = (learner.losses().unwrap()[0], cpu.download(&learner.policy.gradient).unwrap());
    assert!((f64::from(loss) - exact(&row)).abs() < 1e-4);
    compare_gradient(&row, &gradient, &exact, "front");
}

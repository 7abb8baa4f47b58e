//! A wider network that computes what a narrower one does, as a start for training (Net2Net; Chen, Goodfellow and Shlens
//! 2016).
//!
//! Each unit gets copies that compute the same. What reads a unit reads all of its copies, with weights that sum to the one
//! it had. The sums are parted at random, or copies would learn the same for ever.

use std::collections::HashMap;

use pfss_core::{Rng, Seed};
use rand::RngExt;

use super::config::{FEATURES, FrontConfig, SCALARS};
use super::weights::FrontWeights;

/// Inputs that stand side by side: how many there were, and how many copies of each there will be.
type Segment = (usize, usize);

impl FrontWeights {
    /// A network of this shape that computes the same, but for rounding; `None` where its widths are no multiples of these, or
    /// its clip is another one.
    pub fn widened(&self, config: &FrontConfig, seed: u64) -> Option<Self> {
        let narrow = self.config();
        let is_multiple = |wide: usize, narrow: usize| wide >= narrow && wide.is_multiple_of(narrow);
        let fits = is_multiple(config.hidden, narrow.hidden) && is_multiple(config.width, narrow.width);
        if !fits || config.clip != narrow.clip || config.problem().is_some() {
            return None;
        }
        let hidden = (narrow.hidden, config.hidden / narrow.hidden);
        let width = (narrow.width, config.width / narrow.width);
        let mut rng = Seed::new(seed).stream("widening");
        let mut tensors = HashMap::new();
        for (name, _) in config.tensors() {
            let (copies, inputs): (usize, Vec<Segment>) = match name.as_str() {
                "machine.0.weight" => (hidden.1, vec![(FEATURES, 1)]),
                "machine.1.weight" => (hidden.1, vec![hidden]),
                "machine.0.bias" | "machine.1.bias" => (hidden.1, vec![(1, 1)]),
                "candidate.weight" => (width.1, vec![hidden, hidden, (SCALARS, 1)]),
                "mix.own.weight" | "score.own.weight" => (width.1, vec![width]),
                "mix.context.weight" | "score.context.weight" => (width.1, vec![width; 3]),
                "score.output.weight" => (1, vec![width]),
                "score.output.bias" => (1, vec![(1, 1)]),
                // Biases, and the scale and shift of the normalisation, whose mean and variance copies do not change.
                _ => (width.1, vec![(1, 1)]),
            };
            let values = widened(self.get(&name), copies, &inputs, &mut rng);
            tensors.insert(name, values);
        }
        Self::new(config.clone(), tensors).ok()
    }
}

/// A matrix whose rows are `copies` times those of `values`, one after the other, and whose columns are copies by segment.
fn widened(values: &[f32], copies: usize, inputs: &[Segment], rng: &mut Rng) -> Vec<f32> {
    let row_len = inputs.iter().map(|(count, _)| count).sum();
    let mut wide = Vec::new();
    for _ in 0..copies {
        for row in values.chunks_exact(row_len) {
            let mut rest = row;
            for &(count, parts) in inputs {
                let (segment, behind) = rest.split_at(count);
                rest = behind;
                let start = wide.len();
                wide.resize(start + count * parts, 0.0);
                for (index, &value) in segment.iter().enumerate() {
                    let mut left = value;
                    for part in (1..parts).rev() {
                        let share = left * rng.random_range(0.5..1.5) / (part + 1) as f32;
                        wide[start + part * count + index] = share;
                        left -= share;
                    }
                    wide[start + index] = left;
                }
            }
        }
    }
    wide
}

#[cfg(test)]
mod tests {
    use pfss_core::Instance;

    use super::*;
    use crate::FrontPolicy;

    fn narrow() -> FrontWeights {
        FrontWeights::random(FrontConfig { hidden: 5, width: 8, clip: 10.0 }, 3).unwrap()
    }

    #[test]
    fn a_wider_network_builds_the_same_orders() {
        let narrow = narrow();
        let mut rng = Seed::new(7).stream("instances");
        for (hidden, width) in [(5, 8), (10, 8), (5, 24), (15, 16)] {
            let wide = narrow.widened(&FrontConfig { hidden, width, clip: 10.0 }, 1).unwrap();
            for (n, m) in [(9, 3), (30, 5), (50, 10)] {
                let times = (0..n * m).map(|_| rng.random_range(1.0..100.0)).collect();
                let instance = Instance::<f64>::new("drawn", m, times).unwrap();
                let order = |weights: &FrontWeights| FrontPolicy::new(weights).greedy(&instance);
                assert_eq!(order(&wide), order(&narrow), "{hidden} {width} {n} {m}");
            }
        }
    }

    #[test]
    fn copies_of_a_unit_are_read_with_different_weights() {
        let wide = narrow().widened(&FrontConfig { hidden: 10, width: 8, clip: 10.0 }, 1).unwrap();
        let row = &wide.get("machine.1.weight")[..10];
        assert!((0..5).all(|unit| row[unit] != row[unit + 5]), "{row:?}");
        assert_eq!(wide.get("machine.0.bias")[..5], wide.get("machine.0.bias")[5..]);
    }

    #[test]
    fn other_shapes_are_refused() {
        for (hidden, width, clip) in [(7, 8, 10.0), (5, 4, 10.0), (5, 8, 9.0), (5, 80_000, 10.0)] {
            assert_eq!(narrow().widened(&FrontConfig { hidden, width, clip }, 1), None);
        }
    }
}

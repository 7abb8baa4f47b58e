//! What the next pass will take, learnt from those before.

use std::time::Duration;

use pfss_core::simd::Instructions;
use pfss_core::{Instance, Time};

/// Children that a pass prices in a second on one machine, by the width of registers; more machines take longer. First passes of 100 to
/// 500 jobs on 20 to 60 machines had 0.5 to 2 million for each of 512 bits.
const CHILDREN_PER_SECOND_AND_BIT: f64 = 1.2e6;

/// So many passes back count: those that aim high die early, the next one may not.
const RECENT: usize = 4;

/// Counts of passes so far.
#[derive(Clone, Debug)]
pub(super) struct Forecast {
    /// Children of a pass in which each level is as wide as the pass, for each unit of width.
    whole: f64,
    /// What recent passes priced, as shares of that.
    shares: [f64; RECENT],
    passes: usize,
    /// Everything that was priced, and the seconds that it took; older passes count less.
    children: f64,
    seconds: f64,
    first_guess: f64,
}

impl Forecast {
    pub(super) fn new<T: Time>(instance: &Instance<T>) -> Self {
        let n = instance.num_jobs() as f64;
        let bits = Instructions::detect().register_bits() as f64;
        Self {
            whole: n * (n + 1.0) / 2.0,
            shares: [0.0; RECENT],
            passes: 0,
            children: 0.0,
            seconds: 0.0,
            first_guess: CHILDREN_PER_SECOND_AND_BIT * bits / instance.num_machines() as f64,
        }
    }

    /// Learns from a pass of this width.
    pub(super) fn learn(&mut self, width: usize, children: u64, completed: bool, time: Duration) {
        let children = children as f64;
        self.children = self.children / 2.0 + children;
        self.seconds = self.seconds / 2.0 + time.as_secs_f64();
        if completed {
            self.shares[self.passes % RECENT] = children / (width as f64 * self.whole);
            self.passes += 1;
        }
    }

    /// How many children a pass of this width will price: as large a share of all as the largest of the recent passes did.
    pub(super) fn children(&self, width: usize) -> f64 {
        let share = if self.passes == 0 { 1.0 } else { self.shares.iter().copied().fold(0.0, f64::max) };
        width as f64 * self.whole * share
    }

    /// The speed of passes; at first a guess.
    pub(super) fn children_per_second(&self) -> f64 {
        if self.seconds > 0.0 { self.children / self.seconds } else { self.first_guess }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_that_die_early_are_not_the_rule_at_once() {
        let instance = Instance::new("", 10, vec![1u32; 99 * 10]).unwrap();
        let mut forecast = Forecast::new(&instance);
        assert_eq!(forecast.children(2), 9900.0);
        assert!(forecast.children_per_second() > 5e6);
        forecast.learn(2, 4950, true, Duration::from_millis(1));
        assert_eq!(forecast.children(4), 9900.0);
        for pass in 0..4 {
            assert_eq!(forecast.children(4), 9900.0, "{pass}");
            forecast.learn(2, 99, true, Duration::from_millis(1));
        }
        assert_eq!(forecast.children(4), 198.0);
        forecast.learn(2, 99, false, Duration::from_millis(1));
        assert_eq!(forecast.children(4), 198.0);
        assert!(forecast.children_per_second() < 2e6);
    }
}

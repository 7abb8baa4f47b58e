//! The temperature of an island over its time: down once, or several times where there is time for many iterations.

/// The temperature at the beginning and at the end, as multiples of the usual one. Hot at first and cold at last pays where there
/// is time for many iterations; where there are only `FEW`, an island begins at the usual temperature.
const HOT: f64 = 1.4;
const COLD: f64 = 0.75;
const FEW: f64 = 1e3;
const MANY: f64 = 2e4;

/// Where one of several rounds begins.
const WARM: f64 = 1.2;

/// Iterations of one round. With fewer, cooling once is better: on 100 x 40 with 220,000 iterations in all by 0.1 %.
const ITERATIONS: f64 = 7.5e4;
/// All islands together make at least so many rounds; one island at most so many.
const LEAST_ROUNDS: usize = 8;
const MOST_ROUNDS: usize = 12;

/// The rounds of one island, all of the same length; each begins with the best order known.
pub(super) struct Cooling {
    rounds: usize,
    done: usize,
}

impl Cooling {
    /// Down once.
    pub(super) fn once() -> Self {
        Self { rounds: 1, done: 0 }
    }

    /// What so many iterations on each of some islands are enough for.
    pub(super) fn for_iterations(iterations: f64, islands: usize) -> Self {
        let rounds = ((iterations / ITERATIONS) as usize).min(MOST_ROUNDS);
        let pays = rounds * islands >= LEAST_ROUNDS && rounds >= LEAST_ROUNDS / 2;
        Self { rounds: if pays { rounds } else { 1 }, done: 0 }
    }

    /// Whether there is more than one round.
    pub(super) fn has_rounds(&self) -> bool {
        self.rounds > 1
    }

    /// Ends the round where it is over, when this much of all is, and another one comes after it; tells whether it did.
    pub(super) fn ends_round(&mut self, of_all: f64) -> bool {
        let ends = self.done + 1 < self.rounds && self.progress(of_all) >= 1.0;
        self.done += usize::from(ends);
        ends
    }

    /// The temperature, when this much of all is over, of a time for so many iterations.
    pub(super) fn temperature(&self, of_all: f64, iterations: f64) -> f64 {
        let begin = if self.has_rounds() {
            WARM
        } else {
            let heat = ((iterations / FEW).ln() / (MANY / FEW).ln()).clamp(0.0, 1.0);
            1.0 + (HOT - 1.0) * heat
        };
        begin + (COLD - begin) * self.progress(of_all)
    }

    /// How much of the round that goes on now is over.
    fn progress(&self, of_all: f64) -> f64 {
        (of_all * self.rounds as f64 - self.done as f64).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn much_time_is_for_several_rounds() {
        let of = |iterations: f64, islands: usize| Cooling::for_iterations(iterations, islands).rounds;
        assert_eq!([of(0.0, 1), of(5e5, 1), of(2e5, 4), of(2e5, 16)], [1; 4]);
        assert_eq!([of(6e5, 1), of(1e9, 1), of(3e5, 2), of(6e5, 16)], [8, 12, 4, 8]);
    }

    #[test]
    fn every_round_cools_down() {
        let mut cooling = Cooling::for_iterations(6e5, 1);
        for round in 0..8 {
            let begin = f64::from(round) / 8.0;
            assert_eq!(cooling.temperature(begin, 6e5), WARM);
            assert!(!cooling.ends_round(begin + 0.1));
            assert!((cooling.temperature(begin + 0.0625, 6e5) - (WARM + COLD) / 2.0).abs() < 1e-12);
            assert_eq!(cooling.ends_round(begin + 0.125), round < 7);
        }
        assert_eq!(cooling.temperature(1.0, 6e5), COLD);
    }

    #[test]
    fn little_time_begins_at_the_usual_temperature() {
        let mut cooling = Cooling::once();
        assert_eq!(cooling.temperature(0.0, 500.0), 1.0);
        assert!((cooling.temperature(0.0, 1e6) - HOT).abs() < 1e-12);
        assert!((cooling.temperature(1.0, 1e6) - COLD).abs() < 1e-12);
        assert!(!cooling.has_rounds() && !cooling.ends_round(1.0));
    }
}

//! Which value to prove next, on the way from the bound to the best cost.
//!
//! What a proof takes grows exponentially with its value, at a rate that differs from instance to instance and along the
//! way. So each proof shall take a few times the work of the one before: then all of them together take little more than
//! the last one.

/// The first value stands this far between bound and best cost.
const FIRST_STEP: f64 = 1.0 / 16.0;

/// How many times the work of the last proof the next one shall take, and may take.
const AIM: f64 = 3.0;
const PATIENCE: f64 = 12.0;

/// Work is counted in children; less than this counts as nothing.
const FLOOR: u64 = 1 << 18;

/// After so many times the work of the last proof, the share of the tree that is searched foretells what the whole takes.
const FORETOLD: f64 = 2.0;

/// Up to this share that is done: later ones are dear, for what is left is harder than it seems. Beyond the other one a
/// proof is finished whatever it takes.
const EARLY_SHARE: f64 = 0.5;
const LATE_SHARE: f64 = 0.95;

/// No step is below this part of the gap, so that reals come to an end.
const LEAST_STEP: f64 = 1.0 / 2048.0;

/// The steps from value to value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steps {
    /// The step under way; zero before the first one.
    step: f64,
    /// No step is shorter.
    least: f64,
    /// The work of the last proof that succeeded, at least the floor.
    last: f64,
    /// A value that was given up, and after how much work.
    failed: Option<(f64, f64)>,
}

impl Steps {
    /// The next value to prove, above `bound` by `least` at least where `best` is not nearer.
    pub(super) fn next(&mut self, bound: f64, best: f64, least: f64) -> f64 {
        let gap = best - bound;
        if self.step == 0.0 {
            self.step = gap * FIRST_STEP;
            self.last = FLOOR as f64;
        }
        self.least = least.max(gap * LEAST_STEP);
        if let Some((value, work)) = self.failed.filter(|&(value, _)| value > bound) {
            // Where it was too hard it still is, until proofs become as hard.
            if AIM * self.last < work {
                self.step = self.step.min((value - bound) / 2.0);
            }
        }
        self.step = self.step.max(self.least);
        (bound + self.step).min(best)
    }

    /// The proof succeeded after this work.
    pub(super) fn succeed(&mut self, work: u64) {
        let work = work.max(FLOOR) as f64;
        let growth = (work / self.last).max(1.0).ln();
        let factor = if growth > 0.0 { AIM.ln() / growth } else { f64::INFINITY };
        self.step *= factor.clamp(0.5, 2.0);
        self.last = work;
    }

    /// Whether the proof takes too long, after this work and with this share of its tree searched.
    pub(super) fn is_hopeless(&self, work: u64, share: f64) -> bool {
        let (work, affordable) = (work as f64, PATIENCE * self.last);
        let is_foretold = work >= FORETOLD * self.last && share < EARLY_SHARE && work > affordable * share;
        let is_too_long = work > affordable && share < LATE_SHARE;
        // There is no shorter step than the shortest.
        self.step > self.least && (is_foretold || is_too_long)
    }

    /// The proof of `value` was given up.
    pub(super) fn fail(&mut self, value: f64, work: u64, share: f64) {
        let work = work as f64;
        let whole = (work / share.max(1e-9)).max(PATIENCE * self.last);
        self.step *= (AIM.ln() / (whole / self.last).ln()).clamp(0.125, 0.5);
        self.failed = Some((value, work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proves values whose work grows by `rate` for each unit, with this much work in all; the last value.
    fn climb(rate: f64, all: f64) -> f64 {
        let (mut steps, mut bound, mut left) = (Steps::default(), 3000.0f64, all);
        loop {
            let value = steps.next(bound, 4000.0, 1.0).floor();
            assert!(value > bound && value <= 4000.0);
            let whole = ((value - 3200.0) * rate).exp();
            let (mut work, slice) = (0.0f64, 1e6f64);
            loop {
                work += slice.min(whole - work);
                if work >= whole {
                    break;
                }
                if steps.is_hopeless(work as u64, work / whole) || work > left {
                    break;
                }
            }
            left -= work;
            if left < 0.0 || value == 4000.0 {
                return bound;
            }
            if work >= whole {
                steps.succeed(work as u64);
                bound = value;
            } else {
                steps.fail(value, work as u64, work / whole);
            }
        }
    }

    #[test]
    fn most_of_the_work_goes_into_the_last_proofs() {
        for rate in [0.02, 0.2, 1.0] {
            // With all of the work in one proof.
            let possible = (1e9f64.ln() / rate + 3200.0).min(4000.0);
            let (lost, reached) = (4f64.ln() * 2.0 / rate, climb(rate, 1e9));
            assert!(reached >= (possible - lost - 2.0).min(3999.0), "{rate}: {reached} of {possible}");
        }
    }

    #[test]
    fn reals_and_the_shortest_steps_come_to_an_end() {
        let mut steps = Steps::default();
        assert_eq!(steps.next(1.0, 1.0, 0.0), 1.0);
        let mut steps = Steps::default();
        for _ in 0..100 {
            assert!(steps.next(1.0, 2.0, 0.0) > 1.0);
            steps.fail(1.5, 1 << 40, 0.0);
        }
        steps.next(1.0, 2.0, 0.0);
        assert!(!steps.is_hopeless(u64::MAX, 0.0));
    }
}

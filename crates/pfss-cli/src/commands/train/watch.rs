//! What a person would see in the course of a training, told at once: that nothing is learnt, or nothing more.

use pfss_training::{Epoch, Step};

/// A policy guesses where this many losses in a row are those of guessing.
const GUESSES: usize = 20;
/// So near, as a share.
const NEAR: f64 = 1e-4;
/// A policy whose choices have less than this share of the entropy of guessing is certain.
const CERTAIN: f64 = 1e-3;
/// A policy stands still where so many epochs in a row build orders of the same cost.
const STILL: usize = 3;

/// What to try where a policy learns nothing.
const ADVICE: &str =
    "try a smaller learning rate, another seed, or `--input-scale mean` where inputs are raw";

/// What tells that a policy takes all jobs to be alike: ln(n!) / n, the loss of imitating anybody, and the entropy of its
/// choices.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guessing {
    number: f64,
    /// Where it learns by trial its entropy tells it, and that it tries nothing any more.
    is_trial: bool,
}

impl Guessing {
    pub(super) fn new(num_jobs: usize, is_trial: bool) -> Self {
        let sum: f64 = (1..=num_jobs).map(|left| (left as f64).ln()).sum();
        Self { number: sum / num_jobs.max(1) as f64, is_trial }
    }
}

/// Watches over a training.
pub(super) struct Watch {
    guessing: Option<Guessing>,
    guesses: usize,
    is_told: bool,
}

impl Watch {
    pub(super) fn new(guessing: Option<Guessing>) -> Self {
        Self { guessing, guesses: 0, is_told: false }
    }

    /// What a batch says, once.
    pub(super) fn step(&mut self, step: &Step) -> Option<String> {
        let Guessing { number, is_trial } = self.guessing?;
        let (what, seen) = if is_trial { ("entropy", step.entropy?) } else { ("loss", step.loss) };
        let (is_guess, is_certain) =
            ((seen / number - 1.0).abs() < NEAR, is_trial && seen < CERTAIN * number);
        self.guesses = if is_guess || is_certain { self.guesses + 1 } else { 0 };
        if self.guesses < GUESSES || std::mem::replace(&mut self.is_told, true) {
            return None;
        }
        Some(if is_certain {
            format!(
                "the entropy of {GUESSES} batches is below {CERTAIN} of that of guessing: this policy tries nothing any more; {ADVICE}"
            )
        } else {
            format!(
                "the {what} of {GUESSES} batches is that of guessing ({number:.4}): to this policy all jobs are alike; {ADVICE}"
            )
        })
    }

    /// What the epochs so far say, once.
    pub(super) fn epoch(&mut self, history: &[Epoch]) -> Option<String> {
        let last = history.last_chunk::<STILL>()?;
        let is_still = last.iter().all(|epoch| epoch.cost == last[0].cost && epoch.gap == last[0].gap);
        (is_still && !std::mem::replace(&mut self.is_told, true)).then(|| {
            format!("the orders of {STILL} epochs cost the same to the last digit: the policy stands still; {ADVICE}")
        })
    }
}

/// Whether the gap has not become less for so many epochs.
pub(super) fn is_out_of_patience(history: &[Epoch], best: Option<&Epoch>, patience: Option<usize>) -> bool {
    match (best, patience) {
        (Some(best), Some(patience)) => history.len() - best.epoch >= patience,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(loss: f64) -> Step {
        Step {
            step: 1,
            epoch: 1,
            batch: 1,
            loss,
            critic_loss: None,
            gradient_norm: None,
            entropy: None,
            learning_rate: 0.1,
            seconds: 0.0,
        }
    }

    fn epoch(epoch: usize, cost: f64) -> Epoch {
        Epoch {
            epoch,
            loss: 1.0,
            critic_loss: None,
            cost,
            gap: cost,
            mean_gap: cost,
            gaps: Vec::new(),
            learning_rate: 0.1,
            seconds: 1.0,
        }
    }

    /// Nine epochs of ln(n!) / n were taken for a training.
    #[test]
    fn a_policy_that_guesses_is_told_once() {
        let sign = Guessing::new(20, false);
        let guessing = sign.number;
        assert!((guessing - 2.1167).abs() < 1e-4);
        let mut watch = Watch::new(Some(sign));
        let told: Vec<Option<String>> = (0..50).map(|_| watch.step(&step(guessing))).collect();
        assert!(told.iter().filter(|told| told.is_some()).count() == 1 && told[19].is_some());
        let mut learns = Watch::new(Some(sign));
        assert!(
            (0..200).all(|number| learns.step(&step(guessing * (1.0 - 1e-3 * f64::from(number)))).is_none())
        );
    }

    #[test]
    fn a_policy_that_tries_nothing_any_more_is_told() {
        let told = |entropy| {
            let mut watch = Watch::new(Some(Guessing::new(20, true)));
            (0..50).find_map(|_| watch.step(&Step { entropy: Some(entropy), ..step(-3.0) }))
        };
        assert!(told(1e-4).unwrap().contains("tries nothing"));
        assert!(told(Guessing::new(20, true).number).unwrap().contains("the entropy of 20 batches"));
        assert!(told(0.3).is_none() && told(2.1).is_none());
    }

    #[test]
    fn a_policy_that_stands_still_is_told_once() {
        let mut watch = Watch::new(None);
        let costs = [5.0, 4.0, 4.0, 4.0, 4.0];
        let history: Vec<Epoch> = costs.iter().enumerate().map(|(at, &cost)| epoch(at + 1, cost)).collect();
        let told: Vec<bool> = (1..=5).map(|count| watch.epoch(&history[..count]).is_some()).collect();
        assert_eq!(told, [false, false, false, true, false]);
    }

    #[test]
    fn patience_counts_epochs_after_the_best() {
        let history: Vec<Epoch> =
            [3.0, 2.0, 2.5, 2.5].iter().zip(1..).map(|(&gap, at)| epoch(at, gap)).collect();
        let ends = |patience| is_out_of_patience(&history, history.get(1), patience);
        assert!(ends(Some(2)) && !ends(Some(3)) && !ends(None));
        assert!(!is_out_of_patience(&[], None, Some(1)));
    }
}

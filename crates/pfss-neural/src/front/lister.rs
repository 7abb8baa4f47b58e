//! Which candidates are scored: those that are likely to be the best.
//!
//! The network's work grows with the jobs that are left, and most of them are far from being the best. From time to time all
//! are scored. In the steps between, a job's score is guessed: from what it was when the job was last scored, and from how
//! the job fits the machines now and then. What that is worth is learnt from the scores as they come. The best by guess are
//! scored, and some of the others, so that the network knows what all have in common.

use pfss_core::JobId;
use pfss_core::simd::Instructions;

use super::guide::{Guide, LOOKS, Look};
use super::scratch::Scratch;
use super::shortlist::{PROBES, Shortlist};
use super::slopes::Slopes;
use super::{End, FrontState};

/// What a step scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// All candidates, of which nothing need be known later.
    Every,
    /// All candidates, so that the next steps can do with few.
    First,
    /// The candidates of the lists.
    Listed,
}

/// Proposes candidates, step after step of one order.
#[derive(Clone, Debug, Default)]
pub(super) struct Lister {
    guide: Guide,
    /// By end and job: the score and the look when it was last scored.
    known: [Vec<(f32, Look)>; 2],
    /// Whether all have been scored once.
    is_known: bool,
    slopes: Slopes,
    /// Steps until all are scored again.
    steps: usize,
    lists: [Vec<JobId>; 2],
    guesses: Vec<(f64, JobId)>,
    /// By job: whether it is among the best.
    chosen: Vec<bool>,
    pairs: [Vec<(f32, Look)>; 2],
}

/// No job.
const NONE: JobId = JobId::MAX;

impl Lister {
    /// Begins another order.
    pub(super) fn begin(&mut self, num_jobs: usize) {
        (self.steps, self.is_known, self.slopes) = (0, false, Slopes::default());
        for known in &mut self.known {
            known.clear();
            known.resize(num_jobs, (0.0, [0.0; LOOKS]));
        }
    }

    /// By end: the jobs that the step scores.
    pub(super) fn lists(&self) -> [&[JobId]; 2] {
        self.lists.each_ref().map(Vec::as_slice)
    }

    /// Decides what the next step scores.
    pub(super) fn propose(
        &mut self,
        instructions: Instructions,
        state: &FrontState,
        shortlist: Shortlist,
    ) -> Scope {
        let remaining = state.remaining();
        let count = shortlist.of(remaining.len());
        let Some(count) = count.filter(|_| self.steps > 0) else {
            for list in &mut self.lists {
                list.clear();
                list.extend_from_slice(remaining);
            }
            if count.is_none() {
                return Scope::Every;
            }
            self.steps = Shortlist::steps(remaining.len());
            self.guide.look(instructions, state);
            return Scope::First;
        };
        self.steps -= 1;
        self.guide.look(instructions, state);
        for end in End::BOTH {
            self.guess(state, end);
            self.list(end, count);
        }
        Scope::Listed
    }

    /// Guesses the scores of all candidates of an end.
    fn guess(&mut self, state: &FrontState, end: End) {
        self.guesses.clear();
        for (place, &job) in state.remaining().iter().enumerate() {
            let (score, then) = self.known[end as usize][job as usize];
            let rise = self.slopes.rise(change(self.guide.seen(place, end), then));
            self.guesses.push((f64::from(score) + rise, job));
        }
    }

    /// The best by guess, and some of the others: as many good as bad ones. Jobs keep their places from step to step, so
    /// that little has to be laid out anew.
    fn list(&mut self, end: End, count: usize) {
        let by_guess = |a: &(f64, JobId), b: &(f64, JobId)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        self.guesses.sort_unstable_by(by_guess);
        let (best, others) = self.guesses.split_at(count - PROBES);
        let list = &mut self.lists[end as usize];
        list.truncate(count - PROBES);
        list.resize(count - PROBES, NONE);
        self.chosen.clear();
        self.chosen.resize(self.known[end as usize].len(), false);
        best.iter().for_each(|&(_, job)| self.chosen[job as usize] = true);
        // What stays is not new.
        for place in list.iter_mut() {
            match self.chosen.get_mut(*place as usize) {
                Some(is_chosen) if *is_chosen => *is_chosen = false,
                _ => *place = NONE,
            }
        }
        let mut new = best.iter().map(|&(_, job)| job).filter(|&job| self.chosen[job as usize]);
        for place in list.iter_mut().filter(|place| **place == NONE) {
            *place = new.next().unwrap_or(NONE);
        }
        list.extend((0..PROBES).map(|k| others[(2 * k + 1) * others.len() / (2 * PROBES)].1));
    }

    /// Notes the scores of the lists, and learns from them what looks are worth.
    pub(super) fn note(&mut self, state: &FrontState, scratch: &Scratch, scope: Scope) {
        if scope == Scope::Every {
            return;
        }
        for end in End::BOTH {
            let pairs = &mut self.pairs[end as usize];
            pairs.clear();
            for (place, &job) in self.lists[end as usize].iter().enumerate() {
                let (score, look) = (scratch.logit(place, end), self.guide.seen(state.place_of(job), end));
                let known = &mut self.known[end as usize][job as usize];
                let (before, then) = std::mem::replace(known, (score, look));
                pairs.push(if self.is_known { (score - before, change(look, then)) } else { (score, look) });
            }
        }
        self.slopes.learn(self.pairs.each_ref().map(Vec::as_slice));
        self.is_known = true;
    }
}

fn change(now: Look, then: Look) -> Look {
    std::array::from_fn(|k| now[k] - then[k])
}

#[cfg(test)]
mod tests {
    use super::super::tests::{instance, is_order, lively};
    use super::super::{Finish, FrontConfig, FrontPolicy};
    use super::*;

    const SHORT: Shortlist = Shortlist { least: 16, most: 24 };

    #[test]
    fn orders_by_shortlists_are_whole_mirrored_and_the_same_on_every_path() {
        let weights = lively(FrontConfig { hidden: 16, width: 32, clip: 10.0 }, 4);
        let with = |instructions| {
            FrontPolicy::with(&weights, instructions).with_finish(Finish::NONE).with_shortlist(SHORT)
        };
        let policy = with(Instructions::Portable);
        let mut changed = 0;
        for (seed, (n, m)) in [(60, 1), (55, 3), (64, 5), (90, 4), (200, 2)].into_iter().enumerate() {
            let instance = instance(n, m, seed as u64);
            let order = policy.greedy(&instance);
            assert!(is_order(&order, n));
            for instructions in Instructions::available() {
                assert_eq!(with(instructions).greedy(&instance), order, "{n}x{m} on {instructions:?}");
            }
            // On one machine both ends are the same, and the front is taken.
            if m > 1 {
                let mut mirrored = policy.greedy(&instance.reversed());
                mirrored.reverse();
                assert_eq!(mirrored, order, "{n}x{m}");
            }
            changed += usize::from(policy.clone().with_shortlist(Shortlist::NONE).greedy(&instance) != order);
        }
        // Otherwise nothing would be tried here.
        assert!(changed > 0);
    }

    #[test]
    fn lists_hold_the_best_of_the_last_step_and_probes() {
        let mut lister = Lister::default();
        let mut state = FrontState::of(&instance(60, 3, 1));
        lister.begin(60);
        let instructions = Instructions::detect();
        assert_eq!(lister.propose(instructions, &state, Shortlist::NONE), Scope::Every);
        assert_eq!(lister.propose(instructions, &state, SHORT), Scope::First);
        assert_eq!(lister.lists(), [state.remaining(); 2]);
        // As if the first jobs had been scored best at the front, and the last ones at the back.
        for job in 0..60 {
            lister.known[0][job].0 = -(job as f32);
            lister.known[1][job].0 = job as f32;
        }
        for end in End::BOTH {
            for (place, &job) in state.remaining().iter().enumerate() {
                lister.known[end as usize][job as usize].1 = lister.guide.seen(place, end);
            }
        }
        assert!(state.place(2, End::Front));
        assert_eq!(lister.propose(instructions, &state, SHORT), Scope::Listed);
        let [mut front, mut back] = lister.lists().map(<[JobId]>::to_vec);
        assert_eq!((front.len(), back.len()), (16, 16));
        let probes = front.split_off(8);
        front.sort_unstable();
        back.truncate(8);
        back.sort_unstable();
        assert_eq!(front, [0, 1, 3, 4, 5, 6, 7, 8]);
        assert_eq!(back, (52..60).collect::<Vec<JobId>>());
        // From among all others, good and bad.
        assert!(probes.is_sorted() && probes[0] < 16 && probes[7] > 52, "{probes:?}");
    }
}

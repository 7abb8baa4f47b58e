//! A front policy that builds orders.

use pfss_core::simd::Instructions;
use pfss_core::{Instance, JobId, Rng, Time, makespan};

use super::decoding::{Built, Decoder};
use super::finish::{Finish, Gap};
use super::scorer::Scorer;
use super::shortlist::Shortlist;
use super::state::advance;
use super::{End, FrontConfig, FrontState, FrontWeights};
use crate::decoding::{Decoding, Rollout};
use crate::network::ModelError;

/// A trained front policy, ready to build orders of any size.
#[derive(Clone, Debug)]
pub struct FrontPolicy {
    config: FrontConfig,
    pub(super) instructions: Instructions,
    pub(super) scorer: Scorer,
    finish: Finish,
    shortlist: Shortlist,
}

/// A drawn order, and the steps that led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// The jobs as they were placed, and where. The last one could have gone to either end.
    pub actions: Vec<(JobId, End)>,
    /// The order, and the logarithm of its steps' probability.
    pub rollout: Rollout,
}

impl FrontPolicy {
    /// The policy of these weights, on the widest vector instructions of this processor.
    pub fn new(weights: &FrontWeights) -> Self {
        Self::with(weights, Instructions::detect())
    }

    /// The policy of these weights on given vector instructions. Results are the same on all.
    pub fn with(weights: &FrontWeights, instructions: Instructions) -> Self {
        Self {
            config: weights.config().clone(),
            instructions,
            scorer: Scorer::new(weights),
            finish: Finish::default(),
            shortlist: Shortlist::default(),
        }
    }

    /// Reads a policy from a model file's content.
    ///
    /// # Errors
    /// [`ModelError`] tells what is wrong with it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ModelError> {
        Ok(Self::new(&FrontWeights::from_bytes(bytes)?))
    }

    /// The same policy with another finish of its orders.
    pub fn with_finish(self, finish: Finish) -> Self {
        Self { finish, ..self }
    }

    /// How it finds the order of the last jobs.
    pub fn finish(&self) -> Finish {
        self.finish
    }

    /// The same policy with another number of candidates that greedy orders score.
    pub fn with_shortlist(self, shortlist: Shortlist) -> Self {
        Self { shortlist, ..self }
    }

    /// The shape of its network.
    pub fn config(&self) -> &FrontConfig {
        &self.config
    }

    /// About how many multiply-adds a greedy order of this size takes.
    pub fn multiply_adds(&self, num_jobs: usize, num_machines: usize) -> f64 {
        let scored = self.shortlist.total(num_jobs, self.finish.of(num_jobs));
        scored as f64 * self.config.multiply_adds_per_job(num_machines)
    }

    /// The order that always takes the most likely job and end of those that are scored, among equal ones the least job and
    /// its front, until the finish. Where many jobs are left, most steps score a shortlist.
    pub fn greedy<T: Time>(&self, instance: &Instance<T>) -> Vec<JobId> {
        let mut state = FrontState::of(instance);
        self.decoder(&state, &|| true).greedy_order(&mut state, self.shortlist);
        self.finished(instance, &state)
    }

    /// [`FrontPolicy::greedy`], given up with `None` when `goes_on` says no; it is asked at every step.
    pub fn greedy_while<T: Time>(
        &self,
        instance: &Instance<T>,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Vec<JobId>> {
        let mut state = FrontState::of(instance);
        self.decoder(&state, goes_on)
            .greedy_order(&mut state, self.shortlist)
            .then(|| self.finished(instance, &state))
    }

    /// Builds orders: the greedy one, followed by drawn ones where `decoding` asks for them; or those of a beam
    /// search, which keeps likely partial orders and gives whole ones by their makespan, the least first. Each gets its
    /// finish; probabilities are those of the steps before it.
    pub fn build<T: Time>(&self, instance: &Instance<T>, decoding: &Decoding, rng: &mut Rng) -> Vec<Rollout> {
        self.build_while(instance, decoding, rng, &|| true)
    }

    /// [`FrontPolicy::build`], given up when `goes_on` says no: then with the orders that are whole, which may be
    /// none.
    pub fn build_while<T: Time>(
        &self,
        instance: &Instance<T>,
        decoding: &Decoding,
        rng: &mut Rng,
        goes_on: &dyn Fn() -> bool,
    ) -> Vec<Rollout> {
        let state = FrontState::of(instance);
        let mut decoder = self.decoder(&state, goes_on);
        let finished = |Built { state, log_probability }| Rollout {
            order: self.finished(instance, &state),
            log_probability,
        };
        match *decoding {
            Decoding::Greedy => decoder.greedy(state).into_iter().map(finished).collect(),
            Decoding::Sample { samples, temperature } => {
                let Some(greedy) = decoder.greedy(state.clone()) else { return Vec::new() };
                let draw = |_| decoder.sample(state.clone(), temperature, rng, |_, _| ());
                let drawn = (0..samples).map(draw).map_while(|drawn| drawn);
                std::iter::once(greedy).chain(drawn).map(finished).collect()
            }
            Decoding::Beam { width } => {
                let whole = decoder.beam(state, width.max(1)).into_iter();
                let mut rollouts: Vec<Rollout> = whole.map(finished).collect();
                rollouts.sort_by_cached_key(|rollout| ByTime(makespan(instance, &rollout.order).to_f64()));
                rollouts
            }
        }
    }

    /// The order of a state and its finish.
    fn finished<T: Time>(&self, instance: &Instance<T>, state: &FrontState) -> Vec<JobId> {
        let left = state.remaining();
        let mut order = state.placed(End::Front).to_vec();
        if !left.is_empty() {
            // In the instance's own times, which may be whole.
            let m = instance.num_machines();
            let row = |job: JobId| instance.job(job).iter().map(|time| time.to_f64());
            let mut fronts = [vec![0.0; m], vec![0.0; m]];
            for &job in state.placed(End::Front) {
                advance(fronts[0].iter_mut().zip(row(job)));
            }
            for &job in state.placed(End::Back) {
                advance(fronts[1].iter_mut().zip(row(job)).rev());
            }
            let mut jobs = left.to_vec();
            jobs.sort_unstable();
            let times = jobs.iter().flat_map(|&job| row(job)).collect();
            let (places, _) =
                Gap { num_machines: m, times, fronts }.close(self.instructions, self.finish.nodes);
            order.extend(places.into_iter().map(|place| jobs[place as usize]));
        }
        order.extend(state.placed(End::Back).iter().rev());
        order
    }

    /// Goes on from a state by drawn jobs and ends, to learn from, until no job is left, whatever the finish.
    /// [`FrontPolicy::log_probabilities`] tells how likely its steps are.
    pub fn sample(&self, state: &FrontState, temperature: f32, rng: &mut Rng) -> Trajectory {
        let (actions, built) = self.drawn(state, 0, temperature, rng);
        Trajectory {
            actions,
            rollout: Rollout { order: built.state.order(), log_probability: built.log_probability },
        }
    }

    /// The steps that are drawn for an instance before the finish, and the order with it.
    pub fn sample_finished<T: Time>(
        &self,
        instance: &Instance<T>,
        rng: &mut Rng,
    ) -> (Vec<(JobId, End)>, Vec<JobId>) {
        let (actions, built) =
            self.drawn(&FrontState::of(instance), self.finish.of(instance.num_jobs()), 1.0, rng);
        (actions, self.finished(instance, &built.state))
    }

    fn drawn(
        &self,
        state: &FrontState,
        left_over: usize,
        temperature: f32,
        rng: &mut Rng,
    ) -> (Vec<(JobId, End)>, Built) {
        let mut actions = Vec::with_capacity(state.remaining().len());
        let mut decoder = Decoder::new(&self.scorer, self.instructions, left_over, &|| true);
        let drawn = decoder.sample(state.clone(), temperature, rng, |job, end| actions.push((job, end)));
        // It is never told to stop.
        let built = drawn.unwrap_or_else(|| Built { state: state.clone(), log_probability: 0.0 });
        (actions, built)
    }

    /// The logarithms of the probabilities of all candidates of a state, in the order of
    /// [`FrontState::remaining`]: at the front and at the back. Where one job is left, both mean the same, and their
    /// probabilities belong together.
    pub fn log_probabilities(&self, state: &FrontState) -> Vec<[f32; 2]> {
        let mut decoder = self.decoder(state, &|| true);
        decoder.score(state);
        decoder.log_softmax(state.remaining().len(), 1.0).as_chunks::<2>().0.to_vec()
    }

    /// Leaves the last jobs of a state's instance to the finish.
    fn decoder<'a>(&'a self, state: &FrontState, goes_on: &'a dyn Fn() -> bool) -> Decoder<'a> {
        Decoder::new(&self.scorer, self.instructions, self.finish.of(state.num_jobs()), goes_on)
    }

    #[cfg(test)]
    pub(super) fn logits(&self, state: &FrontState) -> Vec<[f32; 2]> {
        let mut decoder = self.decoder(state, &|| true);
        decoder.score(state);
        let clipped = |place, end| self.scorer.clipped(decoder.scratch.logit(place, end));
        (0..state.remaining().len()).map(|place| End::BOTH.map(|end| clipped(place, end))).collect()
    }
}

/// A makespan as a key to sort by.
#[derive(PartialEq)]
struct ByTime(f64);

impl Eq for ByTime {}

impl PartialOrd for ByTime {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ByTime {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

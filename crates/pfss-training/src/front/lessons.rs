//! What the bidirectional policy learns from: states along an expert's orders, and along orders that it drew itself.

use std::sync::Arc;

use pfss_core::{Instance, JobId, Rng, Seed, makespan};
use pfss_neural::{End, FrontPolicy, FrontState, LabelledSet, ProblemInstance};
use rand::RngExt;
use rayon::prelude::*;

use super::config::FrontTrainingConfig;
use super::network::HostStates;
use crate::TrainingError;
use crate::config::Lessons;

/// Draws the fresh flow shop of a number.
pub type DrawShop = dyn Fn(u64) -> Result<Instance<f64>, TrainingError> + Send + Sync;

/// Instances of one size and distribution.
#[derive(Clone)]
pub struct FrontSource {
    /// An expert's orders; `None` where only policy gradient uses this size.
    pub labelled: Option<Arc<LabelledSet>>,
    /// Draws fresh instances.
    pub draw: Arc<DrawShop>,
    /// How often it is taken, beside the others.
    pub weight: f64,
    /// Policy gradient: how many of its instances a step takes, where that is not the same for all.
    pub instances: Option<usize>,
    /// What tells it from others.
    pub description: String,
}

/// Sizes and distributions to learn from.
#[derive(Clone)]
pub struct FrontLessons {
    /// At least one.
    pub sources: Vec<FrontSource>,
}

impl Lessons for FrontLessons {
    fn fingerprint(&self) -> String {
        let of = |source: &FrontSource| {
            let labels = source.labelled.as_ref().map(|set| set.fingerprint()).unwrap_or_default();
            let instances = source.instances.map_or_else(String::new, |count| format!(" by {count}"));
            format!("{} x {}{instances} {labels}", source.weight, source.description)
        };
        self.sources.iter().map(of).collect::<Vec<_>>().join("; ")
    }
}

impl FrontLessons {
    /// One of the sources with labels, by weight.
    fn choose(&self, rng: &mut Rng) -> Option<&FrontSource> {
        let fit = || self.sources.iter().filter(|source| source.labelled.is_some());
        let total: f64 = fit().map(|source| source.weight).sum();
        let mut draw = rng.random::<f64>() * total;
        fit().find(|source| {
            draw -= source.weight;
            draw < 0.0
        })
    }

    /// States along an expert's orders: some jobs placed at the front, some at the back, as the expert did.
    pub(super) fn imitation(&self, config: &FrontTrainingConfig, seed: Seed) -> Option<HostStates> {
        let mut rng = seed.rng();
        let set = self.choose(&mut rng)?.labelled.as_ref()?;
        let (n, m) = (set.num_jobs(), set.num_machines());
        let r = rng.random_range(2.min(n)..=n);
        let count = (config.rows / (2 * r * m)).clamp(1, 1024);
        let picked: Vec<(usize, usize)> = (0..count)
            .map(|_| (rng.random_range(0..set.items().len()), rng.random_range(0..=n - r)))
            .collect();
        let parts = picked.par_iter().filter_map(|&(index, front)| {
            let item = &set.items()[index];
            let mut state = FrontState::of(flow_shop(&item.instance)?);
            let back = front + r;
            for &job in &item.order[..front] {
                state.place(job, End::Front);
            }
            for &job in item.order[back..].iter().rev() {
                state.place(job, End::Back);
            }
            let taught = [(item.order[front], End::Front), (item.order[back - 1], End::Back)];
            Some(Part::new(&state, &taught, 1.0))
        });
        Some(states((n, m, r), parts.collect()))
    }

    /// Several sources at equal distances along their weights, so that each comes as often as its weight says, and steps
    /// differ little in what they are made of.
    fn spread(&self, count: usize, seed: Seed) -> Vec<&FrontSource> {
        let fit = || self.sources.iter().filter(|source| source.weight > 0.0);
        let total: f64 = fit().map(|source| source.weight).sum();
        let offset: f64 = seed.rng().random();
        let at = |index: usize| {
            let mut place = (offset + index as f64) / count as f64 * total;
            let found = fit().find(|source| {
                place -= source.weight;
                place < 0.0
            });
            // Rounding may leave the place behind the last one.
            found.or_else(|| fit().next_back())
        };
        (0..count).filter_map(at).collect()
    }

    /// Fresh instances for a step, with no job placed yet; all of one lot have the same size. No two steps or lots have
    /// an instance in common.
    pub(super) fn fresh(
        &self,
        config: &FrontTrainingConfig,
        seed: Seed,
        step: usize,
    ) -> Result<Vec<Vec<Instance<f64>>>, TrainingError> {
        let lot = |(index, source): (usize, &FrontSource)| {
            let count = source.instances.unwrap_or(config.instances);
            let first = (step * config.kinds + index) * count;
            (first..first + count).into_par_iter().map(|number| (source.draw)(number as u64)).collect()
        };
        self.spread(config.kinds, seed).into_iter().enumerate().map(lot).collect()
    }
}

/// How many jobs are left in the states that a step of policy gradient learns from.
pub(super) fn jobs_left(config: &FrontTrainingConfig, seed: Seed, n: usize) -> Vec<usize> {
    let mut rng = seed.stream("jobs left");
    let least = (config.finish().of(n) + 1).max(2).min(n);
    (0..config.parts).map(|_| rng.random_range(least..=n)).collect()
}

/// States along orders that the policy drew for instances of one size, weighted by how much shorter than others of the
/// same instance the order was. One part for each number of jobs that are left.
pub(super) fn trial(
    config: &FrontTrainingConfig,
    policy: &FrontPolicy,
    shops: &[Instance<f64>],
    seed: Seed,
) -> Vec<HostStates> {
    let Some((n, m)) = shops.first().map(|shop| (shop.num_jobs(), shop.num_machines())) else {
        return Vec::new();
    };
    let drawn: Vec<(FrontState, Vec<Try>, Vec<f32>)> = shops
        .par_iter()
        .enumerate()
        .map(|(index, shop)| {
            let start = FrontState::of(shop);
            let own = seed.child("orders").nth(index as u64);
            let tries: Vec<Try> =
                (0..config.samples as u64).map(|sample| Try::draw(policy, shop, own.nth(sample))).collect();
            let wanted = advantages(&tries);
            (start, tries, wanted)
        })
        .collect();
    let all: Vec<(&FrontState, &Try, f32)> = drawn
        .iter()
        .flat_map(|(start, tries, wanted)| {
            tries.iter().zip(wanted).map(move |(tried, &wanted)| (start, tried, wanted))
        })
        .collect();
    let part = |r: usize| {
        let states_of = all.par_iter().map(|&(start, tried, wanted)| {
            let mut state = start.clone();
            for &(job, end) in &tried.actions[..n - r] {
                state.place(job, end);
            }
            Part::new(&state, &[tried.actions[n - r]], wanted)
        });
        states((n, m, r), states_of.collect())
    };
    jobs_left(config, seed, n).into_iter().map(part).collect()
}

/// An order's advantage is at most so many deviations.
pub(super) const ADVANTAGE_LIMIT: f32 = 3.0;

/// Deviations are never taken to be smaller than this share of the mean.
pub(super) const DEVIATION_FLOOR: f32 = 0.001;

/// An order that was drawn, and what it costs.
struct Try {
    actions: Vec<(JobId, End)>,
    makespan: f64,
}

impl Try {
    fn draw(policy: &FrontPolicy, shop: &Instance<f64>, seed: Seed) -> Self {
        let (actions, order) = policy.sample_finished(shop, &mut seed.rng());
        Self { actions, makespan: makespan(shop, &order) }
    }
}

/// How much shorter each order is than the mean of all, in units of their deviation.
fn advantages(tries: &[Try]) -> Vec<f32> {
    let count = tries.len() as f64;
    let mean = tries.iter().map(|tried| tried.makespan).sum::<f64>() / count;
    let variance = tries.iter().map(|tried| (tried.makespan - mean).powi(2)).sum::<f64>() / count;
    let unit = variance.sqrt() + f64::from(DEVIATION_FLOOR) * mean;
    let of = |tried: &Try| ((mean - tried.makespan) / unit) as f32;
    tries.iter().map(|tried| of(tried).clamp(-ADVANTAGE_LIMIT, ADVANTAGE_LIMIT)).collect()
}

/// One state of many.
struct Part {
    features: Vec<f32>,
    taught: Vec<f32>,
    weight: f32,
}

impl Part {
    fn new(state: &FrontState, actions: &[(JobId, End)], weight: f32) -> Self {
        let mut features = Vec::new();
        for end in [End::Front, End::Back] {
            state.features(end, &mut features);
        }
        let r = state.remaining().len();
        let mut taught = vec![0.0; 2 * r];
        for &(job, end) in actions {
            let first = if end == End::Front { 0 } else { r };
            if let Some(place) = state.remaining().iter().position(|&other| other == job) {
                taught[first + place] = 1.0;
            }
        }
        Self { features, taught, weight }
    }
}

fn states(size: (usize, usize, usize), parts: Vec<Part>) -> HostStates {
    let mut states = HostStates { size, ..HostStates::default() };
    for part in parts {
        states.features.extend(part.features);
        states.taught.extend(part.taught);
        states.weights.push(part.weight);
    }
    states
}

/// The flow shop in an instance of any problem.
pub(super) fn flow_shop(instance: &ProblemInstance) -> Option<&Instance<f64>> {
    instance.get()
}

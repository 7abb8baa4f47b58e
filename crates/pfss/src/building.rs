//! The orders that a policy builds, checked before anyone tells of them: the one way from a policy to an order.

use pfss_core::{CheckError, Instance, JobId, PermutationProblem, Rng, Seed, Time, check, check_order};
use pfss_neural::{Decoding, ModelError, PolicyInput, ProblemKind};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::models::LoadedPolicy;

/// How a policy builds orders.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Building {
    /// Which orders.
    pub decoding: Decoding,
    /// Whether orders of the mirrored flow shop count too.
    pub reverse: bool,
}

/// The best order that a policy built.
#[derive(Clone, Debug, PartialEq)]
pub struct Built<C> {
    /// The order.
    pub order: Vec<JobId>,
    /// Its cost, by the plain definition.
    pub cost: C,
    /// How many orders were built.
    pub count: usize,
}

/// Why there is no order.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildingError {
    /// The policy is for another problem or number of machines.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The policy built what is no order of all jobs: a defect worth reporting.
    #[error("the policy's order is wrong: {0}; please report this")]
    Wrong(#[from] CheckError),
    /// The policy built nothing: a defect worth reporting.
    #[error("the policy built no order; please report this")]
    NoOrder,
    /// Another problem was treated in a way that only flow shops allow.
    #[error("`reverse` mirrors the machines of a flow shop; {0} have none")]
    NoMachines(ProblemKind),
    /// Jobs or machines carry more than times.
    #[error("a policy knows times only; it builds no order for due dates, set-ups and the like")]
    TimesOnly,
}

impl Building {
    /// The shortest schedule that the policy builds.
    ///
    /// # Errors
    /// [`BuildingError`] tells why there is none.
    pub fn order<T: Time>(
        &self,
        policy: &LoadedPolicy,
        instance: &Instance<T>,
        seed: Seed,
    ) -> Result<Built<T>, BuildingError> {
        self.order_while(policy, instance, seed, &|| true)
    }

    /// The shortest of the schedules that are built as long as `goes_on`, which is asked many times a second.
    ///
    /// # Errors
    /// As for [`Building::order`]; [`BuildingError::NoOrder`] also where there was no time for any.
    pub fn order_while<T: Time>(
        &self,
        policy: &LoadedPolicy,
        instance: &Instance<T>,
        seed: Seed,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Built<T>, BuildingError> {
        let mut best = Best::default();
        self.each(policy, instance, seed, goes_on, |order, cost| best.take(order, cost))?;
        best.built()
    }

    /// Builds orders of an instance as long as `goes_on`, and hands on each with its makespan. Tells whether there was time
    /// for any.
    pub(crate) fn each<T: Time>(
        &self,
        policy: &LoadedPolicy,
        instance: &Instance<T>,
        seed: Seed,
        goes_on: &(dyn Fn() -> bool + Sync),
        mut take: impl FnMut(Vec<JobId>, T),
    ) -> Result<bool, BuildingError> {
        let built = self.build(policy, instance, &mut seed.stream("policy"), goes_on)?;
        let is_whole = !built.is_empty();
        hand_on(instance, built, &mut take)?;
        if is_whole && self.reverse && goes_on() {
            let mirrored = instance.reversed();
            let mut rng = seed.stream("mirrored policy");
            let mut built = self.build(policy, &mirrored, &mut rng, goes_on)?;
            // Read backwards, an order of the mirrored instance is one of this instance.
            built.iter_mut().for_each(|order| order.reverse());
            hand_on(instance, built, &mut take)?;
        }
        Ok(is_whole)
    }

    fn build<T: Time>(
        &self,
        policy: &LoadedPolicy,
        instance: &Instance<T>,
        rng: &mut Rng,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Vec<JobId>>, ModelError> {
        if self.decoding == Decoding::Greedy {
            return Ok(policy.greedy(instance, goes_on)?.into_iter().collect());
        }
        let built = policy.orders(instance, &self.decoding, rng, goes_on)?;
        Ok(built.into_iter().map(|rollout| rollout.order).collect())
    }

    /// The cheapest order that the policy builds for a problem beside the flow shop.
    ///
    /// # Errors
    /// [`BuildingError`] tells why there is none.
    pub fn order_of<P: PermutationProblem + PolicyInput>(
        &self,
        policy: &LoadedPolicy,
        instance: &P,
        seed: Seed,
    ) -> Result<Built<P::Cost>, BuildingError> {
        self.order_of_while(policy, instance, seed, &|| true)
    }

    /// The same as long as `goes_on`, as [`Building::order_while`] has it.
    ///
    /// # Errors
    /// As for [`Building::order_while`].
    pub fn order_of_while<P: PermutationProblem + PolicyInput>(
        &self,
        policy: &LoadedPolicy,
        instance: &P,
        seed: Seed,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Built<P::Cost>, BuildingError> {
        if self.reverse {
            return Err(BuildingError::NoMachines(instance.kind()));
        }
        let built = policy.orders_of(instance, &self.decoding, &mut seed.stream("policy"), goes_on)?;
        let mut best = Best::default();
        for rollout in built {
            let cost = check_order(instance, &rollout.order, None)?;
            best.take(rollout.order, cost);
        }
        best.built()
    }
}

/// Hands on each order with its makespan, up to the first that is wrong.
fn hand_on<T: Time>(
    instance: &Instance<T>,
    orders: Vec<Vec<JobId>>,
    take: &mut impl FnMut(Vec<JobId>, T),
) -> Result<(), CheckError> {
    for order in orders {
        let cost = check(instance, &order, None)?;
        take(order, cost);
    }
    Ok(())
}

/// The first of the cheapest orders, and how many there were.
struct Best<C> {
    best: Option<(Vec<JobId>, C)>,
    count: usize,
}

impl<C> Default for Best<C> {
    fn default() -> Self {
        Self { best: None, count: 0 }
    }
}

impl<C: Time> Best<C> {
    fn take(&mut self, order: Vec<JobId>, cost: C) {
        self.count += 1;
        if self.best.as_ref().is_none_or(|(_, best)| cost < *best) {
            self.best = Some((order, cost));
        }
    }

    fn built(self) -> Result<Built<C>, BuildingError> {
        let (order, cost) = self.best.ok_or(BuildingError::NoOrder)?;
        Ok(Built { order, cost, count: self.count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::makespan;

    const GAMMA_M5: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/gamma-m5");

    fn shop() -> Instance<u32> {
        taillard_benchmark(1).unwrap()
    }

    #[test]
    fn the_first_of_the_cheapest_orders_counts() {
        let mut best = Best::default();
        for (order, cost) in [(vec![0], 5u32), (vec![1], 3), (vec![2], 3), (vec![3], 4)] {
            best.take(order, cost);
        }
        assert_eq!(best.built().unwrap(), Built { order: vec![1], cost: 3, count: 4 });
        assert!(matches!(Best::<u32>::default().built(), Err(BuildingError::NoOrder)));
    }

    #[test]
    fn a_wrong_order_is_not_handed_on() {
        let shop = shop();
        let right: Vec<JobId> = (0..20).collect();
        let short = right[1..].to_vec();
        let twice: Vec<JobId> = right.iter().map(|&job| if job == 7 { 8 } else { job }).collect();
        let unknown: Vec<JobId> = (1..21).collect();
        for wrong in [short, twice, unknown] {
            let mut taken = Vec::new();
            let orders = vec![right.clone(), wrong, right.clone()];
            let error = hand_on(&shop, orders, &mut |order, cost| taken.push((order, cost))).unwrap_err();
            assert_eq!(taken, [(right.clone(), makespan(&shop, &right))]);
            assert!(BuildingError::from(error).to_string().contains("please report this"));
        }
    }

    #[test]
    fn nothing_is_handed_on_where_there_was_no_time() {
        let policy = crate::load_model(GAMMA_M5).unwrap();
        for decoding in [Decoding::Greedy, Decoding::Beam { width: 2 }] {
            let building = Building { decoding, reverse: true };
            let mut count = 0;
            let is_whole =
                building.each(&policy, &shop(), Seed::new(1), &|| false, |_, _| count += 1).unwrap();
            assert!(!is_whole && count == 0);
        }
    }

    #[test]
    fn the_best_of_all_decodings_is_an_order_with_its_makespan() {
        let (shop, seed) = (shop(), Seed::new(1));
        for model in ["front", GAMMA_M5] {
            let policy = crate::load_model(model).unwrap();
            let sample = Decoding::Sample { samples: 4, temperature: 1.0 };
            for decoding in [Decoding::Greedy, sample, Decoding::Beam { width: 4 }] {
                let one = Building { decoding, reverse: false }.order(&policy, &shop, seed).unwrap();
                let both = Building { decoding, reverse: true }.order(&policy, &shop, seed).unwrap();
                assert_eq!(makespan(&shop, &both.order), both.cost);
                assert!(both.cost <= one.cost && both.count > one.count, "{model} {decoding:?}");
            }
        }
    }
}

//! The best of the orders that a policy builds, checked before anyone tells of it.

use pfss_core::{CheckError, Instance, JobId, PermutationProblem, Seed, Time, check, check_order};
use pfss_neural::{Decoding, ModelError, PolicyInput, ProblemKind};
use thiserror::Error;

use crate::LoadedPolicy;

/// How a policy builds orders.
#[derive(Clone, Copy, Debug, PartialEq)]
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
        let build = |shop: &Instance<T>, stream: &str| -> Result<Vec<Vec<JobId>>, ModelError> {
            if self.decoding == Decoding::Greedy {
                return Ok(vec![policy.greedy(shop)?]);
            }
            let built = policy.orders(shop, &self.decoding, &mut seed.stream(stream), &|| true)?;
            Ok(built.into_iter().map(|rollout| rollout.order).collect())
        };
        let mut orders = build(instance, "policy")?;
        if self.reverse {
            // Read backwards, an order of the mirrored instance is one of this instance.
            let mirrored = build(&instance.reversed(), "mirrored policy")?;
            orders.extend(mirrored.into_iter().map(|order| order.into_iter().rev().collect::<Vec<_>>()));
        }
        best(orders, |order| check(instance, order, None))
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
        if self.reverse {
            return Err(BuildingError::NoMachines(instance.kind()));
        }
        let built = policy.orders_of(instance, &self.decoding, &mut seed.stream("policy"), &|| true)?;
        best(built.into_iter().map(|rollout| rollout.order).collect(), |order| {
            check_order(instance, order, None)
        })
    }
}

/// The first of the cheapest orders; one that is wrong spoils them all.
fn best<C: Time>(
    orders: Vec<Vec<JobId>>,
    cost: impl Fn(&[JobId]) -> Result<C, CheckError>,
) -> Result<Built<C>, BuildingError> {
    let count = orders.len();
    let mut best: Option<Built<C>> = None;
    for order in orders {
        let cost = cost(&order)?;
        if best.as_ref().is_none_or(|best| cost < best.cost) {
            best = Some(Built { order, cost, count });
        }
    }
    best.ok_or(BuildingError::NoOrder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{PermutationError, makespan};

    fn shop() -> Instance<u32> {
        taillard_benchmark(1).unwrap()
    }

    #[test]
    fn orders_that_are_none_are_refused() {
        let shop = shop();
        let check = |order: &[JobId]| check(&shop, order, None);
        let right: Vec<JobId> = (0..20).collect();
        let mut twice = right.clone();
        twice[3] = 4;
        for wrong in [twice, right[1..].to_vec(), vec![99; 20]] {
            let error = best(vec![right.clone(), wrong], check).unwrap_err();
            assert!(matches!(error, BuildingError::Wrong(CheckError::Order(_))), "{error}");
        }
        assert!(matches!(best(Vec::new(), check), Err(BuildingError::NoOrder)));
        let short = best(vec![vec![0]], check).unwrap_err();
        let BuildingError::Wrong(CheckError::Order(PermutationError::WrongLength { found, expected })) =
            short
        else {
            panic!("{short}")
        };
        assert_eq!((found, expected), (1, 20));
    }

    #[test]
    fn the_best_of_all_decodings_is_an_order_with_its_makespan() {
        let (shop, seed) = (shop(), Seed::new(1));
        for model in ["front", "gamma-m5"] {
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

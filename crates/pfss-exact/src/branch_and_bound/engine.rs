//! One instance in one storage type: what every dive of every thread reads.

use std::sync::Arc;

use pfss_core::simd::Instructions;
use pfss_core::tree::{Columns, Element, Tree};
use pfss_core::{Instance, JobId, Run, Time, makespan};

use super::ground::Ground;
use super::pairs::Pairs;
use super::task::Task;

/// One instance in one storage type.
pub(super) struct Engine<'p, T, E: Element> {
    instance: &'p Instance<T>,
    pub(super) ground: Ground<E>,
}

impl<'p, T: Time, E: Element> Engine<'p, T, E> {
    pub(super) fn new(instance: &'p Instance<T>, instructions: Instructions) -> Self {
        let tree = Tree::new(instance);
        let (columns, pairs) = (Columns::all(&tree), Pairs::new(&tree));
        Self { instance, ground: Ground { tree, columns, pairs, instructions } }
    }

    /// The whole tree.
    pub(super) fn root(&self) -> Vec<Task<E>> {
        vec![Task { above: Arc::default(), last: None, bound: E::default(), share: 1.0 }]
    }

    /// Children whose bound is not below are pruned: they are no better than the best order, or not below `ceiling`.
    pub(super) fn limit(&self, ceiling: T, run: &Run<'_, T>) -> E {
        let best = run.best_cost();
        // Half the tolerance of `Time::meets`: a proof below this is a proof.
        let below = if T::IS_INTEGER || best == T::MAX {
            best
        } else {
            T::from_f64_floor(best.to_f64() * (1.0 - 5e-10))
        };
        let limit = below.minimum(ceiling);
        if limit < T::MAX { E::from_time(limit) } else { E::MAX }
    }

    /// Offers an order that a dive has found.
    pub(super) fn offer(&self, order: &[JobId], run: &Run<'_, T>) {
        run.offer(order, makespan(self.instance, order));
    }
}

//! Orders of an expert for many instances.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pfss_core::{
    CancelFlag, CheckError, Limits, Permutation, PermutationProblem, Run, Seed, SolveError, Solver, Time,
    check_order,
};
use rayon::prelude::*;
use thiserror::Error;

use crate::hands::{HandError, Hands, spread};
use crate::piece::{Made, Piece};

/// Why there are no labels.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LabelError {
    /// The expert cannot treat an instance.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The expert's answer is wrong: a defect worth reporting.
    #[error("the expert's answer is wrong: {0}; please report this")]
    Wrong(#[from] CheckError),
    /// Another process gave none.
    #[error(transparent)]
    Elsewhere(#[from] HandError),
}

/// How an expert labels instances.
pub struct Labelling<'a, P> {
    /// The expert.
    pub expert: &'a dyn Solver<P>,
    /// How long it may search on each instance. Not a time: labels do not depend on the machine.
    pub evaluations: Option<u64>,
    /// Instance `i` is solved with child `i` of this seed.
    pub seed: Seed,
    /// Ends it early.
    pub cancel: CancelFlag,
}

impl<P: PermutationProblem> Labelling<'_, P> {
    /// The expert's order of each instance, on the threads of the current rayon pool; `None` when it was cancelled.
    /// `progress` is told how many are done.
    ///
    /// # Errors
    /// [`LabelError`] when the expert cannot treat an instance, or its answer does not pass the checker.
    pub fn label(
        &self,
        instances: &[P],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Option<Vec<Permutation>>, LabelError> {
        let done = AtomicUsize::new(0);
        let label = |(index, instance): (usize, &P)| {
            let order = self.order(index, instance)?;
            progress(done.fetch_add(1, Ordering::Relaxed) + 1);
            Ok(order)
        };
        let orders: Vec<Option<Permutation>> =
            instances.par_iter().enumerate().map(label).collect::<Result<_, LabelError>>()?;
        Ok(orders.into_iter().collect())
    }

    /// Labels the `wanted` ones of the instances, each as in [`Labelling::label`], on the threads of the current rayon pool.
    /// `keep` is given each order as soon as it is there, in any sequence, so that a labelling that is cut short loses
    /// nothing; where it says no, or the labelling is cancelled, the others are left out.
    ///
    /// # Errors
    /// As for [`Labelling::label`].
    pub fn label_each(
        &self,
        instances: &[P],
        wanted: &[usize],
        keep: &(dyn Fn(usize, Permutation) -> bool + Sync),
    ) -> Result<(), LabelError> {
        let goes_on = AtomicBool::new(true);
        wanted.par_iter().try_for_each(|&index| {
            if !goes_on.load(Ordering::Relaxed) {
                return Ok(());
            }
            let order = self.order(index, &instances[index])?;
            if order.is_some_and(|order| !keep(index, order)) {
                goes_on.store(false, Ordering::Relaxed);
            }
            Ok(())
        })
    }

    /// The same on so many threads, and with others who are given the `piece` of an instance and its seed.
    ///
    /// # Errors
    /// As [`Labelling::label`], and [`LabelError::Elsewhere`].
    pub fn label_with_hands(
        &self,
        instances: &[P],
        wanted: &[usize],
        threads: usize,
        hands: &dyn Hands,
        piece: &(dyn Fn(&P, Seed) -> Piece + Sync),
        keep: &(dyn Fn(usize, Permutation) -> bool + Sync),
    ) -> Result<(), LabelError> {
        let goes_on = AtomicBool::new(true);
        let count = |index: usize, order: Option<Permutation>| {
            if order.is_some_and(|order| !keep(index, order)) {
                goes_on.store(false, Ordering::Relaxed);
            }
        };
        let here = |place: usize| match goes_on.load(Ordering::Relaxed) {
            true => {
                self.order(wanted[place], &instances[wanted[place]]).map(|order| count(wanted[place], order))
            }
            false => Ok(()),
        };
        let there = |hand: usize, place: usize| {
            let index = wanted[place];
            if self.cancel.is_cancelled() || !goes_on.load(Ordering::Relaxed) {
                return Ok(());
            }
            let limits = Limits::<f64> { evaluations: self.evaluations, ..Limits::default() };
            let piece = piece(&instances[index], self.seed.nth(index as u64)).with_limits(&limits);
            let made = hands.make(hand, &piece);
            if self.cancel.is_cancelled() {
                return Ok(());
            }
            let Made { order, cost, .. } = made?;
            check_order(&instances[index], &order, Some(P::Cost::from_f64_floor(cost)))?;
            count(index, Permutation::new(order, instances[index].len()).ok());
            Ok(())
        };
        spread(wanted.len(), threads, hands, &here, &there).into_iter().collect()
    }

    /// The expert's order of one instance; `None` when it was cancelled.
    fn order(&self, index: usize, instance: &P) -> Result<Option<Permutation>, LabelError> {
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        let limits = Limits { evaluations: self.evaluations, ..Limits::default() };
        let run = Run::new(self.seed.nth(index as u64), limits).with_cancel(self.cancel.clone());
        let outcome = self.expert.solve(instance, &run);
        // An order that was cut short by the user is no label, and that there is none yet is no failure.
        if self.cancel.is_cancelled() {
            return Ok(None);
        }
        let outcome = outcome?;
        check_order(instance, &outcome.order, Some(outcome.cost))?;
        Ok(Some(outcome.order))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use pfss_core::Instance;
    use pfss_core::generate::{Distribution, Generated};

    fn instances() -> Vec<Instance<f64>> {
        let draw = |index| match Distribution::gamma().nth(8, 3, Seed::new(1), index).unwrap() {
            Generated::Real(instance) => instance,
            Generated::Integer(_) => unreachable!(),
        };
        (0..20).map(draw).collect()
    }

    /// Claims less than its order costs.
    struct Boaster;

    impl Solver<Instance<f64>> for Boaster {
        fn name(&self) -> &str {
            "boaster"
        }

        fn solve(
            &self,
            instance: &Instance<f64>,
            run: &Run<'_, f64>,
        ) -> Result<pfss_core::Outcome<f64>, SolveError> {
            let order = Permutation::identity(instance.num_jobs());
            run.offer(&order, 0.5 * pfss_core::makespan(instance, &order));
            run.outcome()
        }
    }

    #[test]
    fn a_wrong_claim_of_the_expert_is_no_label() {
        let labelling =
            Labelling { expert: &Boaster, evaluations: None, seed: Seed::new(3), cancel: CancelFlag::new() };
        let error = labelling.label(&instances(), &|_| ()).unwrap_err();
        assert!(matches!(error, LabelError::Wrong(CheckError::Cost { .. })), "{error}");
    }

    #[test]
    fn labels_do_not_depend_on_threads() {
        let expert = crate::algorithm("iterated-greedy").unwrap().real(&Settings::new()).unwrap();
        let labelling = Labelling {
            expert: &*expert,
            evaluations: Some(500),
            seed: Seed::new(3),
            cancel: CancelFlag::new(),
        };
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| labelling.label(&instances(), &|_| ())).unwrap().unwrap()
        };
        assert_eq!(on(1), on(3));
        // Some of them are the same, whichever the others are; who keeps them may end it.
        let kept = std::sync::Mutex::new(Vec::new());
        let keep = |index, order| {
            let mut kept = kept.lock().unwrap();
            kept.push((index, order));
            kept.len() < 2
        };
        labelling.label_each(&instances(), &[17, 3, 5, 8], &keep).unwrap();
        let whole = on(1);
        let kept = kept.into_inner().unwrap();
        assert!((2..=4).contains(&kept.len()) && kept.iter().all(|(index, order)| *order == whole[*index]));
        labelling.cancel.cancel();
        assert!(labelling.label(&instances(), &|_| ()).unwrap().is_none());
    }
}

//! The heuristic of Nawaz, Enscore and Ham, with its orders and tie rules.

mod construct;
mod johnson;
mod order;
pub(crate) mod tie;

pub use construct::construct;
pub use order::JobOrder;
pub use tie::TieRule;

use pfss_core::{Instance, Outcome, Run, SolveError, Solver, Time};

use crate::{insertion_local_search, open};

pfss_core::config! {
    /// Parameters of [`Neh`].
    pub struct NehConfig {
        /// In which order the jobs are inserted.
        order: JobOrder = JobOrder::Usual;
        /// Which of several equally good places a job gets.
        tie: TieRule = TieRule::Ff;
        /// Whether an insertion local search follows.
        local_search: bool = false;
    }
}

/// Inserts the jobs one after the other at their best places (Nawaz, Enscore and Ham 1983) with Taillard's
/// acceleration (Taillard 1990): O(m n^2).
pub struct Neh {
    config: NehConfig,
}

impl Neh {
    /// The heuristic with these parameters.
    pub fn new(config: NehConfig) -> Self {
        Self { config }
    }
}

impl<T: Time> Solver<Instance<T>> for Neh {
    fn name(&self) -> &str {
        "neh"
    }

    fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
        open("neh", instance, run)?;
        let order = self.config.order.or_usual(self.config.tie);
        let jobs = order.jobs(instance, &mut run.stream("neh-order"));
        let mut pricer = instance.pricer();
        construct(&mut pricer, instance, &jobs, 0, self.config.tie, run);
        run.offer(pricer.order(), pricer.cost());
        if self.config.local_search {
            insertion_local_search(&mut pricer, &mut run.stream("neh-local-search"), run);
            run.offer(pricer.order(), pricer.cost());
        }
        run.outcome()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Seed};

    fn neh(number: usize, tie: TieRule) -> u32 {
        let instance = taillard_benchmark(number).unwrap();
        let config = NehConfig { tie, ..NehConfig::default() };
        let run = Run::new(Seed::new(1), Limits::default());
        Neh::new(config).solve(&instance, &run).unwrap().cost
    }

    #[test]
    fn published_values_are_reproduced() {
        // Per-instance results published with Benavides and Ritt 2018.
        for (number, first, ff) in PUBLISHED {
            assert_eq!(neh(number, TieRule::First), first, "ta{number:03}");
            assert_eq!(neh(number, TieRule::Ff), ff, "ta{number:03}");
        }
    }

    /// Instance, NEH, NEH with the FF tie rule.
    const PUBLISHED: [(usize, u32, u32); 7] = [
        (1, 1286, 1297),
        (21, 2410, 2380),
        (42, 3032, 3020),
        (56, 3914, 3856),
        (75, 5679, 5598),
        (90, 6677, 6699),
        (105, 11685, 11644),
    ];

    #[test]
    fn a_limit_that_is_met_still_gives_an_order() {
        let instance = taillard_benchmark(51).unwrap();
        let run = Run::new(Seed::new(1), Limits { evaluations: Some(0), ..Limits::default() });
        let outcome = Neh::new(NehConfig::default()).solve(&instance, &run).unwrap();
        assert_eq!(outcome.order.len(), 50);
        assert_eq!(outcome.evaluations, 1);
    }
}

//! Insertion local search.

use pfss_core::{FlowShopPricer, JobId, Rng, Run, Time};
use rand::seq::SliceRandom;

/// Moves single jobs to better places until no move of one job improves the sequence that `pricer` holds
/// (all jobs or a part), or the run must end. Returns the cost reached.
///
/// The jobs are tried in random order, each at all places at once; the search ends after as many failures
/// in a row as there are jobs (Ruiz and Stuetzle 2007). Nothing is offered to the run.
pub fn insertion_local_search<T: Time>(
    pricer: &mut FlowShopPricer<'_, T>,
    rng: &mut Rng,
    run: &Run<'_, T>,
) -> T {
    let mut jobs: Vec<JobId> = pricer.order().to_vec();
    jobs.shuffle(rng);
    let mut cost = pricer.cost();
    let mut failures = 0;
    for &job in jobs.iter().cycle() {
        if failures >= jobs.len() || run.must_end() {
            break;
        }
        failures += 1;
        let Some(position) = pricer.order().iter().position(|&other| other == job) else { continue };
        let least = pricer.price_removed(position);
        run.count(pricer.num_places() as u64);
        // Reals must improve by more than rounding, or the search might go round in circles.
        if cost.meets(least) {
            continue;
        }
        if let Some(place) = pricer.place_at_most(least, 0) {
            pricer.remove(position);
            pricer.insert(job, place);
            cost = pricer.cost();
            failures = 0;
        }
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::*;
    use pfss_core::generate::taillard_benchmark;
    use pfss_core::{Limits, Seed, makespan};

    #[test]
    fn the_result_is_a_local_optimum() {
        let instance = taillard_benchmark(11).unwrap();
        let mut pricer = instance.pricer();
        let start: Vec<JobId> = (0..20).collect();
        pricer.load(&start);
        let run = Run::new(Seed::new(1), Limits::default());
        let cost = insertion_local_search(&mut pricer, &mut run.stream("test"), &run);
        let order = pricer.order().to_vec();
        assert_eq!(cost, makespan(&instance, &order));
        assert!(cost < makespan(&instance, &start));
        for from in 0..order.len() {
            for to in 0..order.len() {
                let mut moved = order.clone();
                let job = moved.remove(from);
                moved.insert(to, job);
                assert!(makespan(&instance, &moved) >= cost);
            }
        }
    }

    #[test]
    fn short_sequences_end() {
        let instance = taillard_benchmark(1).unwrap();
        let run = Run::new(Seed::new(1), Limits::default());
        let mut pricer = instance.pricer();
        pricer.load(&[]);
        assert_eq!(insertion_local_search(&mut pricer, &mut run.stream("test"), &run), 0);
        pricer.load(&[3]);
        let alone = makespan(&instance, &[3]);
        assert_eq!(insertion_local_search(&mut pricer, &mut run.stream("test"), &run), alone);
    }
}

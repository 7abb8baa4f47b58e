//! Job after job at its best place, by the objective itself (Nawaz, Enscore and Ham 1983).

use pfss_core::timing::Score;
use pfss_core::timing::pricing::LinePricer;
use pfss_core::{JobId, Run};

use super::windows::Windows;

/// About how many operations it takes to insert `n` jobs one after the other.
pub fn construction_effort(num_jobs: usize, num_machines: usize) -> f64 {
    (num_jobs as f64).powi(3) / 6.0 * num_machines as f64
}

/// Inserts the jobs of `order` one after the other, each at its best place. Where the run ends in between, the rest follows
/// as it stands. Leaves the sequence in the pricer.
pub fn construct(pricer: &mut LinePricer<'_>, order: &[JobId], run: &Run<'_, Score>) {
    let line = pricer.line();
    let fixed = line.first().len();
    let mut windows = Windows::new(line);
    pricer.load(&order[..fixed]);
    for (index, &job) in order.iter().enumerate().skip(fixed) {
        if run.stop().is_some() {
            let rest = [pricer.order(), &order[index..]].concat();
            pricer.load(&rest);
            return;
        }
        put_back(pricer, &mut windows, job, run);
    }
}

/// So many operations are priced between two looks at the limits.
const OPERATIONS_PER_LOOK: usize = 20_000_000;

/// Puts a job in at its best place; where the run ends in between, at the best that was seen.
pub(super) fn put_back(
    pricer: &mut LinePricer<'_>,
    windows: &mut Windows<'_>,
    job: JobId,
    run: &Run<'_, Score>,
) -> usize {
    let (first, last) = windows.places(pricer.order(), job).into_inner();
    let operations = (pricer.order().len() + 1) * pricer.line().num_machines();
    let share = if pricer.has_tails() { usize::MAX } else { (OPERATIONS_PER_LOOK / operations).max(32) };
    let mut best = (u64::MAX, last);
    let mut behind = last + 1;
    // From the end on: the last places cost least to price, and are where due dates in order put a job.
    while behind > first {
        let begin = behind.saturating_sub(share).max(first);
        let prices = pricer.price(job, begin..=behind - 1, Score(best.0));
        // Of equally good places the last one: at first all are equal where nobody is late yet.
        for (index, &price) in prices.iter().enumerate().rev() {
            if price < best.0 {
                best = (price, begin + index);
            }
        }
        run.count(prices.len() as u64);
        behind = begin;
        if behind > first && run.stop().is_some() {
            break;
        }
    }
    pricer.insert(job, best.1);
    best.1
}

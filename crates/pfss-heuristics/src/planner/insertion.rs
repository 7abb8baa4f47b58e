//! Job after job at its best place, by the objective itself (Nawaz, Enscore and Ham 1983).

use std::ops::Range;

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

/// Without registers an operation takes a hundred times as long: after so many the clock is looked at, too.
const OPERATIONS_PER_GLANCE: usize = 1_000_000;

/// How many places or changes a pricer may price between two glances at the clock.
pub(super) fn places_per_glance(pricer: &LinePricer<'_>) -> usize {
    if pricer.has_registers() { usize::MAX } else { (OPERATIONS_PER_GLANCE / pricer.effort()).max(1) }
}

/// Puts a job in at its best place; where the run ends in between, at the best that was seen.
pub(super) fn put_back(
    pricer: &mut LinePricer<'_>,
    windows: &mut Windows<'_>,
    job: JobId,
    run: &Run<'_, Score>,
) -> usize {
    let (first, last) = windows.of(pricer.order()).places(job).into_inner();
    let operations = (pricer.order().len() + 1) * pricer.line().num_machines();
    let share = if pricer.has_tails() { usize::MAX } else { (OPERATIONS_PER_LOOK / operations).max(32) };
    let mut best = (u64::MAX, last);
    let mut behind = last + 1;
    // From the end on: the last places cost least to price, and are where due dates in order put a job.
    while behind > first {
        let begin = behind.saturating_sub(share).max(first);
        let has_time = price_places(pricer, job, begin..behind, &mut best, run);
        behind = begin;
        if !has_time || behind > first && run.stop().is_some() {
            break;
        }
    }
    pricer.insert(job, best.1);
    best.1
}

/// Looks for better places among these, the last ones first. Tells whether nobody called the run off meanwhile.
fn price_places(
    pricer: &mut LinePricer<'_>,
    job: JobId,
    places: Range<usize>,
    best: &mut (u64, usize),
    run: &Run<'_, Score>,
) -> bool {
    let piece = places_per_glance(pricer);
    let mut behind = places.end;
    while behind > places.start {
        let begin = behind.saturating_sub(piece).max(places.start);
        let prices = pricer.price(job, begin..=behind - 1, Score(best.0));
        // Of equally good places the last one: at first all are equal where nobody is late yet.
        for (index, &price) in prices.iter().enumerate().rev() {
            if price < best.0 {
                *best = (price, begin + index);
            }
        }
        run.count(prices.len() as u64);
        behind = begin;
        if behind > places.start && run.is_called_off() {
            return false;
        }
    }
    true
}

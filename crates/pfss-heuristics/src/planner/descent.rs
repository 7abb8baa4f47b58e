//! Descent to an order that no insertion and no swap improves.

use std::ops::Range;

use pfss_core::timing::pricing::{Change, LinePricer};
use pfss_core::timing::{Line, Score};
use pfss_core::{JobId, MOVES, MovePricer, Rng, Run};
use rand::RngExt;

use super::insertion::places_per_glance;
use super::windows::{View, Windows};

/// So many operations are priced between two looks at the limits.
const OPERATIONS_PER_LOOK: usize = 4_000_000;

/// So many places where they cost little.
const EVALUATIONS_PER_LOOK: u64 = 20_000;

/// Where there are few machines, who follows whom matters most, and pairs of jobs are moved as well (blocking, eight seconds:
/// 0.4 % shorter on ta061 and ta071, 0.2 % longer on ta081 and ta101; longer runs are no better).
const FEW_MACHINES: usize = 10;
const LONGEST_RUN: usize = 2;

/// Looks for orders that no insertion improves, nor a swap where swaps are looked at.
pub(super) struct Descent<'l> {
    windows: Windows<'l>,
    moves: Option<MovePricer>,
    /// How many jobs that stay together are moved at most.
    longest_run: usize,
}

impl<'l> Descent<'l> {
    pub(super) fn new(line: &'l Line) -> Self {
        let longest_run = if line.num_machines() <= FEW_MACHINES { LONGEST_RUN } else { 1 };
        Self { windows: Windows::new(line), moves: MovePricer::of_line(line), longest_run }
    }

    pub(super) fn windows(&mut self) -> &mut Windows<'l> {
        &mut self.windows
    }

    /// Whether descents are so cheap that a part of the jobs may be improved, too.
    pub(super) fn is_cheap(&self) -> bool {
        self.moves.is_some()
    }

    /// Improves the sequence of a pricer.
    pub(super) fn descend(&mut self, pricer: &mut LinePricer<'_>, rng: &mut Rng, run: &Run<'_, Score>) {
        if self.moves.is_some() {
            let mut order = pricer.order().to_vec();
            self.descend_by_blocks(&mut order, rng, run);
            pricer.load(&order);
        } else {
            descend_by_distances(pricer, &mut self.windows, run);
        }
    }

    /// Prices the moves of a block of neighbours at once and makes the best, block by block. Where none is better, one that is
    /// as good is made, so that the search drifts along plateaus. Where no job's move is better, runs of jobs that stay together
    /// are moved.
    fn descend_by_blocks(&mut self, order: &mut [JobId], rng: &mut Rng, run: &Run<'_, Score>) {
        let Some(moves) = &mut self.moves else { return };
        let line = self.windows.line();
        let fixed = line.first().len();
        let longest = if line.has_precedence() { 1 } else { self.longest_run }.min(order.len() - fixed);
        let blocks = (order.len() - fixed).div_ceil(MOVES);
        let mut block = rng.random_range(0..blocks.max(1));
        let (mut current, mut idle, mut length, mut unseen) = (u32::MAX, 0, 1, 0);
        while length <= longest {
            // The last block has no room for a run where it has fewer jobs.
            let first = (fixed + block * MOVES).min(order.len() - length);
            let count = moves.price_runs(order, first, length);
            unseen += (count * order.len()) as u64;
            if current == u32::MAX {
                // A job that is put back where it was leaves everything as it is.
                current = moves.price_at(0, first);
            }
            let best =
                (0..count).map(|lane| (moves.least::<u32>(lane), lane)).filter(|least| least.0 <= current);
            let mut view = self.windows.of(order);
            let best = best.filter_map(|(_, lane)| choose(moves, &mut view, (first, length), lane, rng));
            match best.min_by_key(|best| best.price) {
                Some(best) if best.price < current => {
                    best.make(order);
                    (current, idle, length) = (best.price, 0, 1);
                }
                best => {
                    if let Some(best) = best.filter(|best| best.price == current) {
                        best.make(order);
                    }
                    idle += 1;
                    block = (block + 1) % blocks;
                }
            }
            if idle == blocks {
                (idle, length) = (0, length + 1);
            }
            if unseen >= EVALUATIONS_PER_LOOK {
                run.count(std::mem::take(&mut unseen));
                if run.stop().is_some() {
                    break;
                }
            }
        }
        run.count(unseen);
    }
}

/// The move of a run of jobs to its best place.
struct Move {
    price: u32,
    from: usize,
    to: usize,
    length: usize,
}

impl Move {
    fn make(&self, order: &mut [JobId]) {
        let Self { from, to, length, .. } = *self;
        if to < from {
            order[to..from + length].rotate_right(length);
        } else {
            order[from..to + length].rotate_left(length);
        }
    }
}

/// The best allowed move of the run in a lane; any of them where there are several.
fn choose(
    moves: &MovePricer,
    view: &mut View<'_, '_>,
    (first, length): (usize, usize),
    lane: usize,
    rng: &mut Rng,
) -> Option<Move> {
    let from = first + lane;
    let mut best: Option<Move> = None;
    let mut ties = 0;
    // Runs are moved where there is no precedence, and may stand where their first job may, but for the end.
    let places = view.places_without(from);
    let last = (*places.end()).min(view.len() - length);
    for to in *places.start()..=last {
        let price = moves.price_at(lane, to);
        let least = best.as_ref().map_or(u32::MAX, |best| best.price);
        if to == from || price > least {
            continue;
        }
        ties = if price < least { 1 } else { ties + 1 };
        if rng.random_range(0..ties) == 0 {
            best = Some(Move { price, from, to, length });
        }
    }
    best
}

/// Improves the sequence by moves and swaps, over short distances first, until there are none. Every distance is priced at all
/// positions at once, and the best change is made. Returns whether it came to the end.
fn descend_by_distances(
    pricer: &mut LinePricer<'_>,
    windows: &mut Windows<'_>,
    run: &Run<'_, Score>,
) -> bool {
    let len = pricer.order().len();
    // One step over a distance of one is the same in all three.
    let kinds = |distance: usize| if distance == 1 { &Change::ALL[..1] } else { &Change::ALL[..] };
    let total: usize = (1..len).map(|distance| kinds(distance).len()).sum();
    let mut idle = 0;
    while idle < total {
        for distance in 1..len {
            for &change in kinds(distance) {
                if idle >= total {
                    return true;
                }
                idle += 1;
                match improve(pricer, windows, change, distance, run) {
                    Some(true) => idle = 0,
                    Some(false) => {}
                    None => return false,
                }
            }
        }
    }
    true
}

/// Makes the best improving change of this kind, and tells whether there was one; nothing when the run ends.
fn improve(
    pricer: &mut LinePricer<'_>,
    windows: &mut Windows<'_>,
    change: Change,
    distance: usize,
    run: &Run<'_, Score>,
) -> Option<bool> {
    let (len, fixed) = (pricer.order().len(), pricer.line().first().len());
    let share = (OPERATIONS_PER_LOOK / (len * pricer.line().num_machines())).max(32);
    let current = pricer.score();
    let piece = places_per_glance(pricer);
    let mut best = (current.0, 0);
    let mut start = fixed;
    while start + distance < len {
        let behind = (len - distance).min(start + share);
        while start < behind {
            let end = behind.min(start.saturating_add(piece));
            look_for_better(pricer, windows, (change, distance), start..end, &mut best);
            run.count((end - start) as u64);
            start = end;
            if start < behind && run.is_called_off() {
                return None;
            }
        }
        if run.stop().is_some() {
            return None;
        }
    }
    let is_better = best.0 < current.0;
    if is_better {
        pricer.apply(change, best.1, distance);
    }
    Some(is_better)
}

/// Finds a change over this distance that is better than the best so far (price and position), and allowed.
fn look_for_better(
    pricer: &mut LinePricer<'_>,
    windows: &mut Windows<'_>,
    (change, distance): (Change, usize),
    positions: Range<usize>,
    best: &mut (u64, usize),
) {
    let current = pricer.score();
    let start = positions.start;
    let prices = pricer.price_changes(change, distance, positions, current);
    let promising: Vec<(u64, usize)> = prices
        .iter()
        .enumerate()
        .filter(|(_, price)| **price < best.0)
        .map(|(i, &price)| (price, start + i))
        .collect();
    if promising.is_empty() {
        return;
    }
    let view = windows.of(pricer.order());
    for (price, position) in promising {
        if price < best.0 && view.allow(change, position, distance) {
            *best = (price, position);
        }
    }
}

//! Scores of children from their bounds and from the idle time at one end; children are lanes, machines are steps.
//!
//! A child at the front starts on machine `i` at `u_i` and leaves it at `F'_i` (see the bound kernels). The work of
//! the jobs placed there, `P_i`, excludes the child, so that the machine was idle for `u_i - P_i` in total.

use super::element::Element;
use super::node::{BLOCK, CHUNK, End, NodeRef, Tree, Weighting};
use crate::simd::{InstructionSet, Instructions, Kernel, RealRegister, Register, WINDOW};

/// The least gap that a score divides by: below what two different numbers in single precision have, so that a child whose
/// bound rounds to the upper bound comes last, but its score stays finite.
const LEAST_GAP: f32 = f32::EPSILON / 4.0;

/// How a child is scored from its bound `b` and its idle weight `w`; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Score {
    /// `bound * b + idle * w + product * b * w`.
    Blend {
        /// The factor of the bound.
        bound: f32,
        /// The factor of the idle weight.
        idle: f32,
        /// The factor of both.
        product: f32,
    },
    /// `b / g + g * w` with `g = (upper - b) / upper`, at least a quarter of [`f32::EPSILON`].
    Gap {
        /// The upper bound, above every bound that is scored.
        upper: f32,
    },
}

/// What scoring the children at one end of a node reads and writes.
pub(super) struct Scores<'a, E> {
    /// Times in single precision, machine by machine, `stride` apart; a window can be read from each block on.
    pub(super) times: &'a [f32],
    pub(super) stride: usize,
    pub(super) tree: &'a Tree<E>,
    pub(super) node: NodeRef<'a, E>,
    pub(super) end: End,
    /// Room for two padded rows, by machine: front and work.
    pub(super) rows: &'a mut [f32],
    /// What idle time counts.
    pub(super) weighting: Weighting,
    /// The idle weight of the other end.
    pub(super) other: f32,
    pub(super) score: Score,
    /// Only scores below are wanted.
    pub(super) threshold: f32,
    pub(super) bounds: &'a [E],
    /// The children to score; afterwards those whose score is below the threshold.
    pub(super) kept: &'a mut [u32],
    pub(super) scores: &'a mut [f32],
}

/// Scores the kept children of one end.
pub(super) fn score<E: Element>(instructions: Instructions, args: &mut Scores<'_, E>) {
    let (m, row) = (args.node.front.len(), args.node.rows[0].len());
    assert!(m > 0 && row >= m && args.rows.len() == 2 * row);
    assert!(args.stride >= args.kept.len() * BLOCK && args.times.len() >= m * args.stride + WINDOW - BLOCK);
    assert!(args.bounds.len() >= args.stride && args.scores.len() >= args.stride);
    assert!(args.tree.weights(args.end).len() >= row, "the tree has fewer machines than the node");
    instructions.run(ScoreKept(args));
}

/// Scoring of arguments that were checked.
struct ScoreKept<'a, 'b, E>(&'a mut Scores<'b, E>);

impl<E: Element> Kernel for ScoreKept<'_, '_, E> {
    type Output = ();

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) {
        // As many registers as a block has.
        // SAFETY: there is a value of `S`, and the lengths were checked.
        unsafe {
            match BLOCK / S::F32::LANES {
                2 => score_node::<S::F32, E, 2>(self.0),
                4 => score_node::<S::F32, E, 4>(self.0),
                _ => score_node::<S::F32, E, 8>(self.0),
            }
        }
    }
}

/// Fills the two rows.
#[inline(always)]
fn fill_real_rows<E: Element>(args: &mut Scores<'_, E>) {
    let (front, work) = args.rows.split_at_mut(args.node.rows[0].len());
    let to = front.as_chunks_mut::<CHUNK>().0.iter_mut().zip(work.as_chunks_mut::<CHUNK>().0);
    let scale = args.tree.scale();
    for ((front, work), (to_front, to_work)) in args.tree.placed(args.node, args.end).zip(to) {
        for lane in 0..CHUNK {
            to_front[lane] = front[lane].to_f32(scale);
            to_work[lane] = work[lane].to_f32(scale);
        }
    }
}

/// `idle / front` to about four digits, without a division: a guess of the reciprocal from the exponent and two
/// steps of Newton's method, which take zero by zero to zero. The same bits on every path.
#[inline(always)]
unsafe fn quotient<V: RealRegister>(idle: V, front: V) -> V {
    // SAFETY: the caller's feature.
    unsafe {
        let two = V::splat(2.0);
        let guess = front.reciprocal_guess();
        let better = guess.mul(two.sub(front.mul(guess)));
        idle.mul(better).mul(two.sub(front.mul(better)))
    }
}

/// Scores window by window: whole blocks of `GROUP` registers, or only the children that are left where
/// these are few.
#[inline(always)]
unsafe fn score_node<V: RealRegister, E: Element, const GROUP: usize>(args: &mut Scores<'_, E>) {
    fill_real_rows(args);
    for block in (0..args.kept.len()).step_by(WINDOW / BLOCK) {
        let low = args.kept[block];
        let high = args.kept.get(block + 1).copied().unwrap_or(0);
        let count = (low.count_ones() + high.count_ones()) as usize;
        let blocks = usize::from(low != 0) + usize::from(high != 0);
        let registers = count.div_ceil(V::LANES);
        // SAFETY: the caller's feature; `score` checked the lengths.
        unsafe {
            // Picking adds a quarter to the work on a register.
            if V::PICKS && 5 * registers < 4 * blocks * GROUP {
                score_picked::<V, E>(args, block, low, high);
            } else {
                score_block::<V, E, GROUP>(args, block);
                if high != 0 {
                    score_block::<V, E, GROUP>(args, block + 1);
                }
            }
        }
    }
}

/// How to walk along the machines: the first machine, and the distances to the next one in times and rows.
#[inline(always)]
#[expect(clippy::cast_possible_wrap, reason = "a stride is the length of rows in memory")]
fn walk<E: Element>(args: &Scores<'_, E>) -> (usize, isize, isize) {
    match args.end {
        End::Front => (0, args.stride as isize, 1),
        End::Back => (args.node.front.len() - 1, -(args.stride as isize), -1),
    }
}

#[inline(always)]
unsafe fn score_block<V: RealRegister, E: Element, const GROUP: usize>(
    args: &mut Scores<'_, E>,
    block: usize,
) {
    let kept = args.kept[block];
    if kept == 0 {
        return;
    }
    let (first, row, step) = walk(args);
    let at = block * BLOCK;
    let mut bounds = [0f32; BLOCK];
    let scale = args.tree.scale();
    for (bound, &stored) in bounds.iter_mut().zip(&args.bounds[at..at + BLOCK]) {
        *bound = stored.to_f32(scale);
    }
    // SAFETY: the caller's feature; `score` checked that rows, bounds and scores hold the block.
    unsafe {
        let times = args.times.as_ptr().add(first * args.stride + at);
        let load = |machine: isize, group: usize| V::load(times.offset(machine * row).add(group * V::LANES));
        let idle = idle::<V, E, GROUP>(args, first, step, load);
        let (below, scores) = below(args, &bounds, idle);
        for (group, score) in scores.iter().enumerate() {
            score.store(args.scores.as_mut_ptr().add(at + group * V::LANES));
        }
        args.kept[block] = kept & below;
    }
}

/// Scores the kept children of the window that starts at `block`, side by side.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a mask of two blocks")]
unsafe fn score_picked<V: RealRegister, E: Element>(
    args: &mut Scores<'_, E>,
    block: usize,
    low: u32,
    high: u32,
) {
    let (first, row, step) = walk(args);
    let at = block * BLOCK;
    let scale = args.tree.scale();
    let mut left = u64::from(high) << BLOCK | u64::from(low);
    let mut selected = 0u64;
    while left != 0 {
        let mut places = [0u32; BLOCK];
        let mut bounds = [0f32; BLOCK];
        let mut count = 0;
        while left != 0 && count < V::LANES {
            let place = left.trailing_zeros();
            places[count] = place;
            bounds[count] = args.bounds[at + place as usize].to_f32(scale);
            left &= left - 1;
            count += 1;
        }
        let mut scores = [0f32; BLOCK];
        // SAFETY: the caller's feature; `score` checked that the times hold a window from each block on.
        let below = unsafe {
            let places = V::places(places.as_ptr());
            let times = args.times.as_ptr().add(first * args.stride + at);
            let pick = |machine: isize, _| V::pick(times.offset(machine * row), places);
            let idle = idle::<V, E, 1>(args, first, step, pick);
            let (below, [score]) = below(args, &bounds, idle);
            score.store(scores.as_mut_ptr());
            below
        };
        let mut below = u64::from(below) & ((1 << count) - 1);
        while below != 0 {
            let index = below.trailing_zeros() as usize;
            selected |= 1 << places[index];
            args.scores[at + places[index] as usize] = scores[index];
            below &= below - 1;
        }
    }
    args.kept[block] = selected as u32;
    if let Some(kept) = args.kept.get_mut(block + 1) {
        *kept = (selected >> BLOCK) as u32;
    }
}

/// The scores of `GROUP` registers of children, and which of them lie below the threshold.
#[inline(always)]
unsafe fn below<V: RealRegister, E: Element, const GROUP: usize>(
    args: &Scores<'_, E>,
    bounds: &[f32],
    idle: [V; GROUP],
) -> (u32, [V; GROUP]) {
    debug_assert!(bounds.len() >= GROUP * V::LANES);
    let mut scores = idle;
    let mut below = 0;
    for (group, score) in scores.iter_mut().enumerate() {
        // SAFETY: the caller's feature, and as many bounds.
        unsafe {
            let bound = V::load(bounds.as_ptr().add(group * V::LANES));
            *score = blend(args.score, bound, score.add(V::splat(args.other)));
            below |= score.less(V::splat(args.threshold)) << (group * V::LANES);
        }
    }
    (below, scores)
}

/// The idle weight of `GROUP` registers of children: summed over machines, idle time or its share in the front.
/// `times` gives the children's times on the machine that is so many steps from the first.
#[inline(always)]
unsafe fn idle<V: RealRegister, E: Element, const GROUP: usize>(
    args: &Scores<'_, E>,
    first: usize,
    step: isize,
    times: impl Fn(isize, usize) -> V,
) -> [V; GROUP] {
    // SAFETY: the caller's feature, and rows that hold every machine.
    unsafe {
        if args.weighting == Weighting::Share {
            idle_of::<V, E, GROUP, true>(args, first, step, times)
        } else {
            idle_of::<V, E, GROUP, false>(args, first, step, times)
        }
    }
}

#[inline(always)]
#[expect(clippy::cast_possible_wrap, reason = "machines are counted in memory")]
unsafe fn idle_of<V: RealRegister, E: Element, const GROUP: usize, const SHARE: bool>(
    args: &Scores<'_, E>,
    first: usize,
    step: isize,
    times: impl Fn(isize, usize) -> V,
) -> [V; GROUP] {
    let machines = args.node.front.len() as isize;
    let padded = args.node.rows[0].len();
    // SAFETY: the caller's feature, and rows that hold every machine.
    unsafe {
        let front = args.rows.as_ptr().add(first);
        let mut free = [V::splat(0.0); GROUP];
        let mut weight = [V::splat(0.0); GROUP];
        for machine in 0..machines {
            let at = front.offset(machine * step);
            let (front, work) = (V::splat(*at), V::splat(*at.add(padded)));
            let importance =
                V::splat(*args.tree.weights(args.end).as_ptr().add(first).offset(machine * step));
            for group in 0..GROUP {
                let start = free[group].max(front);
                free[group] = start.add(times(machine, group));
                let idle = start.sub(work).mul(importance);
                let lost = if SHARE { quotient(idle, free[group]) } else { idle };
                weight[group] = weight[group].add(lost);
            }
        }
        weight
    }
}

#[inline(always)]
unsafe fn blend<V: RealRegister>(score: Score, bound: V, idle: V) -> V {
    // SAFETY: the caller's feature.
    unsafe {
        match score {
            Score::Blend { bound: of_bound, idle: of_idle, product } => {
                let by_bound = bound.mul(V::splat(of_bound).add(V::splat(product).mul(idle)));
                by_bound.add(V::splat(of_idle).mul(idle))
            }
            Score::Gap { upper } => {
                let gap = V::splat(upper).sub(bound).div(V::splat(upper)).max(V::splat(LEAST_GAP));
                bound.div(gap).add(gap.mul(idle))
            }
        }
    }
}

//! Scores of children from their bounds and from the idle time at one end; children are lanes, machines are steps.
//!
//! A child at the front starts on machine `i` at `u_i` and leaves it at `F'_i` (see the bound kernels). The work of
//! the jobs placed there, `P_i`, excludes the child, so that the machine was idle for `u_i - P_i` in total.

use super::columns::BLOCK;
use super::element::on_path;
use super::vector::{Array, RealVector};
#[cfg(target_arch = "x86_64")]
use super::x86::{F32x8, F32x16};
use super::{Element, Path};

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
    /// `b / g + g * w` with `g = (upper - b) / upper`.
    Gap {
        /// The upper bound, above every bound that is scored.
        upper: f32,
    },
}

/// What scoring the children at one end of a node reads and writes.
pub(super) struct Scores<'a, E> {
    /// Times in single precision, machine by machine, `stride` apart.
    pub(super) times: &'a [f32],
    pub(super) stride: usize,
    /// By machine: the end's front and the work placed there.
    pub(super) front: &'a [E],
    pub(super) work: &'a [E],
    /// Room for two rows, by machine: front and work.
    pub(super) rows: &'a mut [f32],
    /// Whether idle time counts as a share of the child's front.
    pub(super) share: bool,
    /// Whether the machines are taken in reverse (children at the back).
    pub(super) reversed: bool,
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
pub(super) fn score<E: Element>(path: Path, args: &mut Scores<'_, E>) {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn avx2<E: Element>(args: &mut Scores<'_, E>) {
        // SAFETY: the feature is enabled, and the lengths were checked.
        unsafe { score_node::<F32x8, E, 4>(args) }
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn avx512<E: Element>(args: &mut Scores<'_, E>) {
        // SAFETY: the feature is enabled, and the lengths were checked.
        unsafe { score_node::<F32x16, E, 2>(args) }
    }
    let m = args.front.len();
    assert!(m > 0 && args.work.len() == m && args.rows.len() == 2 * m);
    assert!(args.stride >= args.kept.len() * BLOCK && args.times.len() >= m * args.stride);
    assert!(args.bounds.len() >= args.stride && args.scores.len() >= args.stride);
    on_path!(path, score_node::<Array<f32, 4>, E, 8>(args), avx2(args), avx512(args))
}

/// Fills the two rows.
#[inline(always)]
fn fill_real_rows<E: Element>(args: &mut Scores<'_, E>) {
    let m = args.front.len();
    let (front, work) = args.rows.split_at_mut(m);
    for machine in 0..m {
        front[machine] = args.front[machine].to_f32();
        work[machine] = args.work[machine].to_f32();
    }
}

/// `idle / front` to about four digits, without a division: a guess of the reciprocal from the exponent and two
/// steps of Newton's method, which take zero by zero to zero. The same bits on every path.
#[inline(always)]
unsafe fn share<V: RealVector>(idle: V, front: V) -> V {
    // SAFETY: the caller's feature.
    unsafe {
        let two = V::splat(2.0);
        let guess = front.minus_bits(0x7ef3_11c3);
        let better = guess.mul(two.sub(front.mul(guess)));
        idle.mul(better).mul(two.sub(front.mul(better)))
    }
}

/// `GROUP` registers make up a block.
#[inline(always)]
unsafe fn score_node<V: RealVector, E: Element, const GROUP: usize>(args: &mut Scores<'_, E>) {
    fill_real_rows(args);
    let m = args.front.len();
    let row = args.stride as isize;
    let (first, row, step) = if args.reversed { (m - 1, -row, -1) } else { (0, row, 1) };
    for block in 0..args.kept.len() {
        let kept = args.kept[block];
        if kept == 0 {
            continue;
        }
        let at = block * BLOCK;
        let mut bounds = [0f32; BLOCK];
        for (bound, &stored) in bounds.iter_mut().zip(&args.bounds[at..at + BLOCK]) {
            *bound = stored.to_f32();
        }
        // SAFETY: the caller's feature; `score` checked that rows, bounds and scores hold the block.
        unsafe {
            let times = args.times.as_ptr().add(first * args.stride + at);
            let rows = args.rows.as_ptr().add(first);
            let idle = if args.share {
                idle_block::<V, GROUP, true>(times, row, rows, step, m)
            } else {
                idle_block::<V, GROUP, false>(times, row, rows, step, m)
            };
            let mut below = 0;
            for (group, &idle) in idle.iter().enumerate() {
                let bound = V::load(bounds.as_ptr().add(group * V::LANES));
                let score = blend(args.score, bound, idle.add(V::splat(args.other)));
                score.store(args.scores.as_mut_ptr().add(at + group * V::LANES));
                below |= score.less(V::splat(args.threshold)) << (group * V::LANES);
            }
            args.kept[block] = kept & below;
        }
    }
}

/// The idle weight of one block of children: the sum over machines of idle time, or of its share in the front.
/// `rows` points to the first machine's front, `m` before its work.
#[inline(always)]
unsafe fn idle_block<V: RealVector, const GROUP: usize, const SHARE: bool>(
    times: *const f32,
    row: isize,
    rows: *const f32,
    step: isize,
    m: usize,
) -> [V; GROUP] {
    // SAFETY: the caller's feature, `m` rows of times, and two rows of `m`.
    unsafe {
        let zero = V::splat(0.0);
        let mut free = [zero; GROUP];
        let mut weighted = [zero; GROUP];
        let (mut times, mut rows) = (times, rows);
        for _ in 0..m {
            let front = V::splat(*rows);
            let work = V::splat(*rows.add(m));
            for group in 0..GROUP {
                let start = free[group].max(front);
                free[group] = start.add(V::load(times.add(group * V::LANES)));
                let idle = start.sub(work);
                let lost = if SHARE { share(idle, free[group]) } else { idle };
                weighted[group] = weighted[group].add(lost);
            }
            times = times.wrapping_offset(row);
            rows = rows.wrapping_offset(step);
        }
        weighted
    }
}

#[inline(always)]
unsafe fn blend<V: RealVector>(score: Score, bound: V, idle: V) -> V {
    // SAFETY: the caller's feature.
    unsafe {
        match score {
            Score::Blend { bound: of_bound, idle: of_idle, product } => {
                let by_bound = bound.mul(V::splat(of_bound).add(V::splat(product).mul(idle)));
                by_bound.add(V::splat(of_idle).mul(idle))
            }
            Score::Gap { upper } => {
                let gap = V::splat(upper).sub(bound).div(V::splat(upper)).max(V::splat(f32::MIN_POSITIVE));
                bound.div(gap).add(gap.mul(idle))
            }
        }
    }
}

//! The inner loops: children are lanes, machines are steps.
//!
//! `F`, `B` are the fronts, `R` the work left (the child's own included), `p` the child's times. A child at the
//! front starts on machine `i` at `u_i = max(F'_(i-1), F_i)` and leaves it at `F'_i = u_i + p_i`. Of the work
//! left, `p_i` is done then, so that its bound `max_i (F'_i + R_i - p_i + B_i)` equals `max_i (u_i + R_i + B_i)`
//! and needs only start times. At the back the same holds with the machines reversed and the fronts swapped.

use super::columns::BLOCK;
use super::element::on_path;
use super::vector::{Array, RealVector, Vector};
#[cfg(target_arch = "x86_64")]
use super::x86::{F32x8, F32x16, F64x4, F64x8, U16x16, U16x32, U32x8, U32x16};
use super::{Element, Path};

/// What pricing both ends of one node reads and writes.
pub(super) struct Bounds<'a, E, S> {
    /// Times, machine by machine, `stride` apart.
    pub(super) times: &'a [E],
    pub(super) stride: usize,
    /// Per step `i`: `F_i`, `R_i + B_i` and, on machine `k = m - 1 - i`, `B_k`, `R_k + F_k`.
    pub(super) steps: &'a [[S; 4]],
    /// One word per block: the lanes whose job is not placed.
    pub(super) open: &'a [u32],
    /// Children whose bound is not below are pruned.
    pub(super) limit: (E, S),
    /// Bounds of the children at the front and at the back.
    pub(super) bounds: [&'a mut [E]; 2],
    /// The children that are not pruned.
    pub(super) kept: [&'a mut [u32]; 2],
}

/// The bound kernels of a storage type.
pub(super) trait BoundKernel: Sized {
    /// A value in the form from which a register is filled with one load.
    type Spread: Copy + Default + Send + Sync;

    fn spread(self) -> Self::Spread;

    /// Prices all open children at both ends; returns how many are kept.
    fn price(path: Path, args: &mut Bounds<'_, Self, Self::Spread>) -> [u32; 2];
}

macro_rules! bound_kernel {
    ($type:ty, $spread:ty, |$v:ident| $to_spread:expr, $lanes:literal, $avx2:ty, $groups2:literal, $avx512:ty, $groups512:literal) => {
        impl BoundKernel for $type {
            type Spread = $spread;

            #[inline(always)]
            fn spread(self) -> $spread {
                let $v = self;
                $to_spread
            }

            fn price(path: Path, args: &mut Bounds<'_, $type, $spread>) -> [u32; 2] {
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2,popcnt")]
                unsafe fn avx2(args: &mut Bounds<'_, $type, $spread>) -> [u32; 2] {
                    // SAFETY: the feature is enabled, and the lengths were checked.
                    unsafe { price_node::<$avx2, $type, $groups2>(args) }
                }
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f,avx512bw,popcnt")]
                unsafe fn avx512(args: &mut Bounds<'_, $type, $spread>) -> [u32; 2] {
                    // SAFETY: the feature is enabled, and the lengths were checked.
                    unsafe { price_node::<$avx512, $type, $groups512>(args) }
                }
                args.check();
                on_path!(path, price_node::<Array<$type, $lanes>, $type, 1>(args), avx2(args), avx512(args))
            }
        }
    };
}

bound_kernel!(u16, u32, |v| u32::from(v) * 0x0001_0001, 8, U16x16, 2, U16x32, 1);
bound_kernel!(u32, u32, |v| v, 4, U32x8, 2, U32x16, 2);
bound_kernel!(f64, f64, |v| v, 2, F64x4, 2, F64x8, 4);

impl<E, S> Bounds<'_, E, S> {
    /// Everything that the kernels access lies inside the slices.
    fn check(&self) {
        assert!(self.stride >= self.open.len() * BLOCK);
        assert!(self.times.len() >= self.steps.len() * self.stride);
        assert!(self.bounds.iter().all(|bounds| bounds.len() >= self.stride));
        assert!(self.kept.iter().all(|kept| kept.len() >= self.open.len()));
    }
}

#[inline(always)]
unsafe fn price_node<V, E, const GROUP: usize>(args: &mut Bounds<'_, E, V::Spread>) -> [u32; 2]
where
    V: Vector<Item = E>,
    E: Copy,
{
    let mut counts = [0; 2];
    // SAFETY: the caller's feature; see the trait.
    let limit = unsafe { V::splat(args.limit.1) };
    for block in 0..args.open.len() {
        let open = args.open[block];
        if open == 0 {
            args.kept[0][block] = 0;
            args.kept[1][block] = 0;
            continue;
        }
        let mut kept = [0; 2];
        let mut lane = 0;
        while lane < BLOCK {
            let at = block * BLOCK + lane;
            // SAFETY: `check` holds, so that `at + GROUP * LANES` lies inside each row and output.
            let bounds =
                unsafe { price_group::<V, E, GROUP>(args.times.as_ptr().add(at), args.stride, args.steps) };
            for (end, bounds) in bounds.iter().enumerate() {
                for (group, bound) in bounds.iter().enumerate() {
                    // SAFETY: as above.
                    unsafe { bound.store(args.bounds[end].as_mut_ptr().add(at + group * V::LANES)) };
                    // SAFETY: as above.
                    kept[end] |= unsafe { bound.less(limit) } << (lane + group * V::LANES);
                }
            }
            lane += GROUP * V::LANES;
        }
        for end in 0..2 {
            args.kept[end][block] = kept[end] & open;
            counts[end] += (kept[end] & open).count_ones();
        }
    }
    counts
}

/// The bounds of `GROUP` registers of children, at the front and at the back.
#[inline(always)]
unsafe fn price_group<V, E, const GROUP: usize>(
    times: *const E,
    stride: usize,
    steps: &[[V::Spread; 4]],
) -> [[V; GROUP]; 2]
where
    V: Vector<Item = E>,
{
    // SAFETY: the caller's feature, and rows of `stride` items for each step.
    unsafe {
        let zero = V::load([0u64; 8].as_ptr().cast());
        let mut free = [[zero; GROUP]; 2];
        let mut bound = [[zero; GROUP]; 2];
        let mut front = times;
        let mut back = times.add(stride * (steps.len() - 1));
        for &step in steps {
            for group in 0..GROUP {
                let start = free[0][group].max(V::splat(step[0]));
                bound[0][group] = bound[0][group].max(start.add(V::splat(step[1])));
                free[0][group] = start.add(V::load(front.add(group * V::LANES)));
                let start = free[1][group].max(V::splat(step[2]));
                bound[1][group] = bound[1][group].max(start.add(V::splat(step[3])));
                free[1][group] = start.add(V::load(back.add(group * V::LANES)));
            }
            front = front.wrapping_add(stride);
            back = back.wrapping_sub(stride);
        }
        bound
    }
}

/// Sums of bounds, for the choice of the end.
pub(super) trait SumKernel: Sized {
    /// The sum of the bounds of the kept children; exact for integers.
    fn sum(path: Path, bounds: &[Self], kept: &[u32]) -> f64;
}

macro_rules! sum_kernel {
    ($type:ty, $sum:ty) => {
        impl SumKernel for $type {
            fn sum(path: Path, bounds: &[$type], kept: &[u32]) -> f64 {
                #[inline(always)]
                fn portable(bounds: &[$type], kept: &[u32]) -> f64 {
                    let mut total = 0.0;
                    for (bounds, &kept) in bounds.chunks_exact(BLOCK).zip(kept) {
                        let mut sum = <$sum>::default();
                        if kept != 0 {
                            for (lane, &bound) in bounds.iter().enumerate() {
                                let keep = kept & (1 << lane) != 0;
                                sum += if keep { <$sum>::from(bound) } else { <$sum>::default() };
                            }
                        }
                        total += sum as f64;
                    }
                    total
                }
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx2")]
                unsafe fn avx2(bounds: &[$type], kept: &[u32]) -> f64 {
                    portable(bounds, kept)
                }
                #[cfg(target_arch = "x86_64")]
                #[target_feature(enable = "avx512f,avx512bw")]
                unsafe fn avx512(bounds: &[$type], kept: &[u32]) -> f64 {
                    portable(bounds, kept)
                }
                #[allow(unused_unsafe)]
                {
                    on_path!(path, portable(bounds, kept), avx2(bounds, kept), avx512(bounds, kept))
                }
            }
        }
    };
}

sum_kernel!(u16, u32);
sum_kernel!(u32, u64);
sum_kernel!(f64, f64);

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
    /// Per step: the end's front and the work placed there.
    pub(super) steps: &'a [[f32; 2]],
    /// Whether the machines are taken in reverse (children at the back).
    pub(super) reversed: bool,
    /// Whether idle time is divided by the child's front.
    pub(super) relative: bool,
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
    assert!(args.stride >= args.kept.len() * BLOCK && !args.steps.is_empty());
    assert!(args.times.len() >= args.steps.len() * args.stride);
    assert!(args.bounds.len() >= args.stride && args.scores.len() >= args.stride);
    on_path!(path, score_node::<Array<f32, 4>, E, 8>(args), avx2(args), avx512(args))
}

/// `GROUP` registers make up a block.
#[inline(always)]
unsafe fn score_node<V: RealVector, E: Element, const GROUP: usize>(args: &mut Scores<'_, E>) {
    let row = args.stride as isize;
    let (first, row) = if args.reversed { (args.stride * (args.steps.len() - 1), -row) } else { (0, row) };
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
            let times = args.times.as_ptr().add(first + at);
            let idle = if args.relative {
                idle_block::<V, GROUP, true>(times, row, args.steps)
            } else {
                idle_block::<V, GROUP, false>(times, row, args.steps)
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

/// The idle weight of one block of children: the sum over machines of idle time, or of idle time over front.
#[inline(always)]
unsafe fn idle_block<V: RealVector, const GROUP: usize, const RELATIVE: bool>(
    times: *const f32,
    row: isize,
    steps: &[[f32; 2]],
) -> [V; GROUP] {
    // SAFETY: the caller's feature, and rows of `row` items for each step.
    unsafe {
        let zero = V::splat(0.0);
        let least = V::splat(f32::MIN_POSITIVE);
        let mut free = [zero; GROUP];
        let mut weight = [zero; GROUP];
        let mut times = times;
        for &[front, work] in steps {
            for group in 0..GROUP {
                let start = free[group].max(V::splat(front));
                free[group] = start.add(V::load(times.add(group * V::LANES)));
                let idle = start.sub(V::splat(work));
                let share = if RELATIVE { idle.div(free[group].max(least)) } else { idle };
                weight[group] = weight[group].add(share);
            }
            times = times.wrapping_offset(row);
        }
        weight
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

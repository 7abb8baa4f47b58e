//! The inner loops: children are lanes, machines are steps.
//!
//! `F`, `B` are the fronts, `R` the work left (the child's own included), `p` the child's times. A child at the
//! front starts on machine `i` at `u_i = max(F'_(i-1), F_i)` and leaves it at `F'_i = u_i + p_i`. Of the work
//! left, `p_i` is done then, so that its bound `max_i (F'_i + R_i - p_i + B_i)` equals `max_i (u_i + R_i + B_i)`
//! and needs only start times. At the back the same holds with the machines reversed and the fronts swapped.

use super::element::Element;
use super::node::{BLOCK, CHUNK, NodeRef};
use crate::simd::{InstructionSet, Instructions, Kernel, LaneRegister, Register};

/// What pricing both ends of one node reads and writes.
pub(super) struct Bounds<'a, E, S> {
    /// Times, machine by machine, `stride` apart.
    pub(super) times: &'a [E],
    pub(super) stride: usize,
    pub(super) node: NodeRef<'a, E>,
    /// Four padded rows, by machine: `F`, `R + B`, `B`, `R + F`, each value ready to fill a register.
    pub(super) rows: &'a mut [S],
    /// Children whose bound is not below are pruned.
    pub(super) limit: E,
    /// Bounds of the children at the front and at the back.
    pub(super) bounds: [&'a mut [E]; 2],
    /// The children that are not pruned.
    pub(super) kept: [&'a mut [u32]; 2],
}

/// Prices all open children at both ends; returns how many are kept.
pub(super) fn price<E: Element>(instructions: Instructions, args: &mut Bounds<'_, E, E::Spread>) -> [u32; 2] {
    args.check();
    instructions.run(Price(args))
}

/// Pricing of arguments that were checked.
struct Price<'a, 'b, E: Element>(&'a mut Bounds<'b, E, E::Spread>);

impl<E: Element> Kernel for Price<'_, '_, E> {
    type Output = [u32; 2];

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) -> [u32; 2] {
        let lanes = <E::Register<S> as Register>::LANES;
        // How many registers of children go together: their sums and maxima, the front's and the back's, stay in
        // registers, of which there are 16, or 32 of 64 bytes each.
        // SAFETY: there is a value of `S`, and the lengths were checked.
        unsafe {
            match (size_of::<E::Register<S>>(), BLOCK / lanes) {
                (64, 1) => price_node::<E::Register<S>, E, 1, 2>(self.0),
                (64, 2) => price_node::<E::Register<S>, E, 2, 4>(self.0),
                (64, _) => price_node::<E::Register<S>, E, 4, 4>(self.0),
                (32, _) => price_node::<E::Register<S>, E, 2, 2>(self.0),
                _ => price_node::<E::Register<S>, E, 1, 1>(self.0),
            }
        }
    }
}

impl<E, S> Bounds<'_, E, S> {
    /// Everything that the kernels access lies inside the slices.
    fn check(&self) {
        let (m, row) = (self.node.front.len(), self.node.rows[0].len());
        assert!(m > 0 && row >= m && self.rows.len() == 4 * row);
        assert!(self.stride >= self.node.open.len() * BLOCK && self.times.len() >= m * self.stride);
        assert!(self.bounds.iter().all(|bounds| bounds.len() >= self.stride));
        assert!(self.kept.iter().all(|kept| kept.len() >= self.node.open.len()));
    }
}

/// Fills the four rows of a node.
#[inline(always)]
fn fill_rows<E: Element>(args: &mut Bounds<'_, E, E::Spread>) {
    let [front, back, remaining, _] = args.node.rows.map(|row| row.as_chunks::<CHUNK>().0);
    let row = args.node.rows[0].len();
    let (to_front, rest) = args.rows.split_at_mut(row);
    let (to_after, rest) = rest.split_at_mut(row);
    let (to_back, to_before) = rest.split_at_mut(row);
    let to = to_front.as_chunks_mut::<CHUNK>().0.iter_mut().zip(to_after.as_chunks_mut::<CHUNK>().0);
    let to = to.zip(to_back.as_chunks_mut::<CHUNK>().0.iter_mut().zip(to_before.as_chunks_mut::<CHUNK>().0));
    for (((f, b), r), ((to_f, to_after), (to_b, to_before))) in front.iter().zip(back).zip(remaining).zip(to)
    {
        let sum = |x: &[E; CHUNK]| std::array::from_fn(|lane| r[lane].plus(x[lane]));
        let (after, before): ([E; CHUNK], [E; CHUNK]) = (sum(b), sum(f));
        // One row after the other: so compilers use vector instructions.
        for (to, from) in [(to_f, f), (to_after, &after), (to_b, b), (to_before, &before)] {
            for (to, from) in to.iter_mut().zip(from) {
                *to = from.spread();
            }
        }
    }
}

/// Prices block by block, `GROUP` registers at a time, or two blocks at once in `WIDE` registers.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the halves of a mask of two blocks")]
unsafe fn price_node<V, E, const GROUP: usize, const WIDE: usize>(
    args: &mut Bounds<'_, E, E::Spread>,
) -> [u32; 2]
where
    V: LaneRegister<Item = E, Spread = E::Spread>,
    E: Element,
{
    fill_rows(args);
    let open = args.node.open;
    let mut counts = [0; 2];
    // SAFETY: the caller's feature; see the trait.
    let limit = unsafe { V::splat(args.limit.spread()) };
    let mut block = 0;
    while block < open.len() {
        // SAFETY: `check` holds, so that the rows and outputs hold each block.
        unsafe {
            if WIDE > GROUP && block + 1 < open.len() && open[block] != 0 && open[block + 1] != 0 {
                let kept = price_lanes::<V, E, WIDE>(args, block * BLOCK, WIDE * V::LANES, limit);
                for end in 0..2 {
                    args.kept[end][block] = kept[end] as u32 & open[block];
                    args.kept[end][block + 1] = (kept[end] >> BLOCK) as u32 & open[block + 1];
                    counts[end] +=
                        args.kept[end][block].count_ones() + args.kept[end][block + 1].count_ones();
                }
                block += 2;
            } else {
                let lanes = if open[block] == 0 { 0 } else { BLOCK };
                let kept = price_lanes::<V, E, GROUP>(args, block * BLOCK, lanes, limit);
                for end in 0..2 {
                    args.kept[end][block] = kept[end] as u32 & open[block];
                    counts[end] += args.kept[end][block].count_ones();
                }
                block += 1;
            }
        }
    }
    counts
}

/// Prices `lanes` lanes from lane `from` on; returns which of them lie below the limit, at both ends.
#[inline(always)]
unsafe fn price_lanes<V, E, const GROUP: usize>(
    args: &mut Bounds<'_, E, E::Spread>,
    from: usize,
    lanes: usize,
    limit: V,
) -> [u64; 2]
where
    V: LaneRegister<Item = E, Spread = E::Spread>,
    E: Element,
{
    let mut kept = [0; 2];
    let mut lane = 0;
    while lane < lanes {
        let at = from + lane;
        // SAFETY: the caller's feature, and rows and outputs hold the lanes.
        unsafe {
            let bounds = price_group::<V, E, GROUP>(
                args.times.as_ptr().add(at),
                args.stride,
                args.rows,
                args.node.front.len(),
            );
            for (end, bounds) in bounds.iter().enumerate() {
                for (group, bound) in bounds.iter().enumerate() {
                    bound.store(args.bounds[end].as_mut_ptr().add(at + group * V::LANES));
                    kept[end] |= u64::from(bound.less(limit)) << (lane + group * V::LANES);
                }
            }
        }
        lane += GROUP * V::LANES;
    }
    kept
}

/// The bounds of `GROUP` registers of children, at the front and at the back. `rows` as in [`Bounds`].
#[inline(always)]
unsafe fn price_group<V, E, const GROUP: usize>(
    times: *const E,
    stride: usize,
    rows: &[V::Spread],
    m: usize,
) -> [[V; GROUP]; 2]
where
    V: LaneRegister<Item = E>,
{
    let row = rows.len() / 4;
    // SAFETY: the caller's feature, four rows of at least `m`, and `m` rows of `stride` times.
    unsafe {
        let zero = V::zero();
        let mut free = [[zero; GROUP]; 2];
        let mut bound = [[zero; GROUP]; 2];
        let mut front = times;
        let mut back = times.add(stride * (m - 1));
        for step in 0..m {
            let of_front = rows.as_ptr().add(step);
            let of_back = rows.as_ptr().add(2 * row + m - 1 - step);
            let (front_free, front_after) = (V::splat(*of_front), V::splat(*of_front.add(row)));
            let (back_free, back_after) = (V::splat(*of_back), V::splat(*of_back.add(row)));
            for group in 0..GROUP {
                let start = free[0][group].max(front_free);
                bound[0][group] = bound[0][group].max(start.add(front_after));
                free[0][group] = start.add(V::load(front.add(group * V::LANES)));
                let start = free[1][group].max(back_free);
                bound[1][group] = bound[1][group].max(start.add(back_after));
                free[1][group] = start.add(V::load(back.add(group * V::LANES)));
            }
            front = front.wrapping_add(stride);
            back = back.wrapping_sub(stride);
        }
        bound
    }
}

/// The sum of the bounds of the kept children, for the choice of the end.
pub(super) fn sum<E: Element>(instructions: Instructions, bounds: &[E], kept: &[u32]) -> f64 {
    instructions.run(Sum { bounds, kept })
}

struct Sum<'a, E> {
    bounds: &'a [E],
    kept: &'a [u32],
}

impl<E: Element> Kernel for Sum<'_, E> {
    type Output = f64;

    #[inline(always)]
    fn run<S: InstructionSet>(self, _: S) -> f64 {
        let mut total = 0.0;
        for (bounds, &kept) in self.bounds.chunks_exact(BLOCK).zip(self.kept) {
            if kept != 0 {
                total += E::sum_of(bounds, kept);
            }
        }
        total
    }
}

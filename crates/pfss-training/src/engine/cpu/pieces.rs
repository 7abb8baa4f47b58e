//! Work in pieces that depend on sizes alone.

use rayon::prelude::*;

/// Fewer numbers than this are not worth another thread.
pub(super) const SMALL: usize = 8192;

/// About so many numbers are one piece of work.
const PIECE: usize = 32_768;

/// Pieces of some rows each, in parallel where they are many; a piece is given its first row.
pub(super) fn in_pieces(out: &mut [f32], columns: usize, work: impl Fn(usize, &mut [f32]) + Sync) {
    let rows = (PIECE / columns.max(1)).max(1);
    pieces_of(out, columns, rows, work);
}

/// Pieces of `rows` rows each.
pub(super) fn pieces_of(
    out: &mut [f32],
    columns: usize,
    rows: usize,
    work: impl Fn(usize, &mut [f32]) + Sync,
) {
    let size = (rows * columns).max(1);
    if out.len() < SMALL || out.len() <= size {
        out.chunks_mut(size).enumerate().for_each(|(piece, part)| work(piece * rows, part));
    } else {
        out.par_chunks_mut(size).enumerate().for_each(|(piece, part)| work(piece * rows, part));
    }
}

/// Sums over rows: of each piece of them, and then of the pieces in their order.
pub(super) fn sums_in_pieces(
    rows: usize,
    columns: usize,
    width: usize,
    out: &mut [f32],
    work: impl Fn(std::ops::Range<usize>, &mut [f32]) + Sync,
) {
    let each = (PIECE / columns.max(1)).max(1);
    let pieces = rows.div_ceil(each).max(1);
    let mut sums = vec![0.0; pieces * width];
    let of = |(piece, sums): (usize, &mut [f32])| {
        work(piece * each..((piece + 1) * each).min(rows), sums);
    };
    if pieces == 1 {
        sums.chunks_exact_mut(width).enumerate().for_each(of);
    } else {
        sums.par_chunks_exact_mut(width).enumerate().for_each(of);
    }
    for sums in sums.chunks_exact(width) {
        out.iter_mut().zip(sums).for_each(|(out, sum)| *out += sum);
    }
}

/// Numbers of several matrices of the same instances.
pub(super) fn by_instance<'a, const N: usize>(
    outs: [&'a mut [f32]; N],
    sizes: [usize; N],
    work: impl Fn(usize, [&mut [f32]; N]) + Sync,
) {
    let count = outs[0].len() / sizes[0].max(1);
    let mut parts: Vec<[&'a mut [f32]; N]> = Vec::with_capacity(count);
    let mut rest = outs;
    for _ in 0..count {
        let mut index = 0;
        let mut later: [&mut [f32]; N] = std::array::from_fn(|_| &mut [][..]);
        let part = rest.map(|out| {
            let (part, after) = out.split_at_mut(sizes[index]);
            later[index] = after;
            index += 1;
            part
        });
        rest = later;
        parts.push(part);
    }
    let total: usize = sizes.iter().sum::<usize>() * count;
    if total < SMALL {
        parts.into_iter().enumerate().for_each(|(instance, part)| work(instance, part));
    } else {
        parts.into_par_iter().enumerate().for_each(|(instance, part)| work(instance, part));
    }
}

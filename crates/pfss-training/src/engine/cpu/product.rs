//! Products of matrices.

use pfss_core::kernel;
use pfss_core::simd::{Instructions, RealRegister};
use rayon::prelude::*;

use super::{Cpu, SMALL};
use crate::engine::Matrix;

/// Rows that are summed side by side, so that no sum waits for the one before.
const ROWS: usize = 6;

/// Rows of a result that are one piece of work.
const ROWS_OF_PIECE: usize = 16 * ROWS;

/// What a sum over more rows than this is cut into.
const DEPTH_OF_PIECE: usize = 512;

/// No register has more lanes.
const PAD: usize = 16;

/// A matrix as one of two factors.
#[derive(Clone, Copy)]
struct Factor<'a> {
    values: &'a [f32],
    /// Of the stored matrix.
    rows: usize,
    columns: usize,
    stride: usize,
    is_transposed: bool,
}

impl<'a> Factor<'a> {
    /// A block of some rows of a matrix whose numbers are `values`.
    fn new(matrix: &Matrix<Cpu>, values: &'a [f32], rows: std::ops::Range<usize>, is_transposed: bool) -> Self {
        let values = &values[rows.start * matrix.stride..];
        Self { values, rows: rows.len(), columns: matrix.columns, stride: matrix.stride, is_transposed }
    }

    /// Rows and columns as they are multiplied.
    fn size(&self) -> (usize, usize) {
        if self.is_transposed { (self.columns, self.rows) } else { (self.rows, self.columns) }
    }

    /// The second factor row by row, padded to whole registers, where it does not lie in memory so.
    fn packed(&self) -> Option<Vec<f32>> {
        if !self.is_transposed && self.columns.is_multiple_of(PAD) {
            return None;
        }
        let (rows, columns) = self.size();
        let stride = columns.next_multiple_of(PAD);
        let mut packed = vec![0.0; rows * stride];
        if self.is_transposed {
            for (column, source) in self.values.chunks(self.stride).take(columns).enumerate() {
                for (row, &value) in source[..rows].iter().enumerate() {
                    packed[row * stride + column] = value;
                }
            }
        } else {
            for (target, source) in packed.chunks_exact_mut(stride).zip(self.values.chunks(self.stride)) {
                target[..columns].copy_from_slice(&source[..columns]);
            }
        }
        Some(packed)
    }
}

/// A product whose second factor lies row by row, each padded to whole registers.
#[derive(Clone, Copy)]
struct Task<'a> {
    a: &'a [f32],
    /// From a row of `a` to the next, and from one number of a row to the next.
    row: usize,
    step: usize,
    b: &'a [f32],
    b_stride: usize,
    depth: usize,
    columns: usize,
    out_stride: usize,
    add: bool,
}

impl<'a> Task<'a> {
    fn new(a: Factor<'a>, b: Factor<'a>, packed: Option<&'a Vec<f32>>, out_stride: usize, add: bool) -> Self {
        let (row, step) = if a.is_transposed { (1, a.stride) } else { (a.stride, 1) };
        let ((_, depth), (b_rows, columns)) = (a.size(), b.size());
        assert_eq!(depth, b_rows, "factors that fit");
        let (b, b_stride) = match packed {
            Some(packed) => (packed.as_slice(), columns.next_multiple_of(PAD)),
            None => (b.values, b.stride),
        };
        Self { a: a.values, row, step, b, b_stride, depth, columns, out_stride, add }
    }

    /// All that is read and written lies inside.
    fn check(&self, first: usize, rows: usize, out: &[f32]) {
        if rows == 0 || self.columns == 0 {
            return;
        }
        if self.depth > 0 {
            assert!((first + rows - 1) * self.row + (self.depth - 1) * self.step < self.a.len());
            let last = (self.depth - 1) * self.b_stride + self.columns.next_multiple_of(PAD);
            assert!(last <= self.b.len() && self.columns.next_multiple_of(PAD) <= self.b_stride.max(PAD));
        }
        assert!((rows - 1) * self.out_stride + self.columns <= out.len());
    }
}

/// `out = a b`, or added to it.
pub(super) fn product(
    instructions: Instructions,
    a: (&Matrix<Cpu>, bool),
    b: (&Matrix<Cpu>, bool),
    out: &Matrix<Cpu>,
    add: bool,
) {
    let (a_values, b_values, mut target) = (a.0.read(), b.0.read(), out.write());
    let a = Factor::new(a.0, &a_values, 0..a.0.rows, a.1);
    let b = Factor::new(b.0, &b_values, 0..b.0.rows, b.1);
    let packed = b.packed();
    let task = Task::new(a, b, packed.as_ref(), out.stride, add);
    let rows = out.rows;
    if task.depth > 2 * DEPTH_OF_PIECE && rows * task.columns <= task.depth * PAD {
        return deep(instructions, task, rows, &mut target);
    }
    let piece = |(index, part): (usize, &mut [f32])| {
        let first = index * ROWS_OF_PIECE;
        multiply(instructions, &task, first, (rows - first).min(ROWS_OF_PIECE), part);
    };
    let size = ROWS_OF_PIECE * out.stride;
    if rows * task.columns * task.depth < 16 * SMALL || rows <= ROWS_OF_PIECE {
        target.chunks_mut(size.max(1)).enumerate().for_each(piece);
    } else {
        target.par_chunks_mut(size).enumerate().for_each(piece);
    }
}

/// Sums over many rows with a small result: each part of the rows alone, then the parts in their order.
fn deep(instructions: Instructions, task: Task<'_>, rows: usize, out: &mut [f32]) {
    let pieces = task.depth.div_ceil(DEPTH_OF_PIECE);
    let mut sums = vec![0.0; pieces * rows * task.columns];
    sums.par_chunks_exact_mut(rows * task.columns).enumerate().for_each(|(piece, sums)| {
        let first = piece * DEPTH_OF_PIECE;
        let part = Task {
            a: &task.a[first * task.step..],
            b: &task.b[first * task.b_stride..],
            depth: (task.depth - first).min(DEPTH_OF_PIECE),
            out_stride: task.columns,
            add: false,
            ..task
        };
        multiply(instructions, &part, 0, rows, sums);
    });
    for row in 0..rows {
        let out = &mut out[row * task.out_stride..row * task.out_stride + task.columns];
        if !task.add {
            out.fill(0.0);
        }
        for sums in sums.chunks_exact(rows * task.columns) {
            let sums = &sums[row * task.columns..(row + 1) * task.columns];
            out.iter_mut().zip(sums).for_each(|(out, sum)| *out += sum);
        }
    }
}

/// The products of pairs of blocks.
pub(super) fn products(
    instructions: Instructions,
    count: usize,
    a: (&Matrix<Cpu>, bool),
    b: (&Matrix<Cpu>, bool),
    out: &Matrix<Cpu>,
    add: bool,
) {
    let (a_values, b_values, mut target) = (a.0.read(), b.0.read(), out.write());
    let (a_values, b_values) = (&*a_values, &*b_values);
    let blocks = [a.0, b.0, out].map(|matrix| matrix.rows / count.max(1));
    let (a_view, b_view) = (View::of(a.0), View::of(b.0));
    let (rows, stride) = (blocks[2], out.stride);
    let one = |(index, part): (usize, &mut [f32])| {
        let a = a_view.block(a_values, index * blocks[0], blocks[0], a.1);
        let b = b_view.block(b_values, index * blocks[1], blocks[1], b.1);
        let packed = b.packed();
        multiply(instructions, &Task::new(a, b, packed.as_ref(), stride, add), 0, rows, part);
    };
    let size = (rows * stride).max(1);
    if target.len() < SMALL {
        target.chunks_mut(size).enumerate().for_each(one);
    } else {
        target.par_chunks_mut(size).enumerate().for_each(one);
    }
}

/// The shape of a matrix, which may go to other threads.
#[derive(Clone, Copy)]
struct View {
    columns: usize,
    stride: usize,
}

impl View {
    fn of(matrix: &Matrix<Cpu>) -> Self {
        Self { columns: matrix.columns, stride: matrix.stride }
    }

    fn block(self, values: &[f32], first: usize, rows: usize, is_transposed: bool) -> Factor<'_> {
        let values = &values[first * self.stride..];
        Factor { values, rows, columns: self.columns, stride: self.stride, is_transposed }
    }
}

/// Rows of a product from `first` on.
fn multiply(instructions: Instructions, task: &Task<'_>, first: usize, rows: usize, out: &mut [f32]) {
    task.check(first, rows, out);
    multiply_all(instructions, task, first, rows, out);
}

kernel!(multiply_all, multiply_rows, fn(task: &Task<'_>, first: usize, rows: usize, out: &mut [f32]));

/// `multiply` checked that all is inside.
#[inline(always)]
unsafe fn multiply_rows<V: RealRegister>(task: &Task<'_>, first: usize, rows: usize, out: &mut [f32]) {
    let groups = rows.div_ceil(ROWS);
    let mut row = 0;
    for group in 0..groups {
        let end = rows * (group + 1) / groups;
        // SAFETY: the caller's feature; all rows are inside.
        unsafe {
            let out = out.as_mut_ptr().add(row * task.out_stride);
            match end - row {
                1 => multiply_group::<V, 1>(task, first + row, out),
                2 => multiply_group::<V, 2>(task, first + row, out),
                3 => multiply_group::<V, 3>(task, first + row, out),
                4 => multiply_group::<V, 4>(task, first + row, out),
                5 => multiply_group::<V, 5>(task, first + row, out),
                _ => multiply_group::<V, ROWS>(task, first + row, out),
            }
        }
        row = end;
    }
}

#[inline(always)]
unsafe fn multiply_group<V: RealRegister, const R: usize>(task: &Task<'_>, row: usize, out: *mut f32) {
    let mut column = 0;
    // SAFETY: as in `multiply_rows`.
    unsafe {
        // Registers side by side as far as a processor has enough of them.
        if V::LANES >= PAD {
            while column + 4 * V::LANES <= task.columns {
                tile::<V, R, 4>(task, row, column, out);
                column += 4 * V::LANES;
            }
        }
        while column + 2 * V::LANES <= task.columns {
            tile::<V, R, 2>(task, row, column, out);
            column += 2 * V::LANES;
        }
        while column < task.columns {
            tile::<V, R, 1>(task, row, column, out);
            column += V::LANES;
        }
    }
}

/// `R` rows by `P` registers of the result; of the last register as many columns as there are.
#[inline(always)]
unsafe fn tile<V: RealRegister, const R: usize, const P: usize>(
    task: &Task<'_>,
    row: usize,
    column: usize,
    out: *mut f32,
) {
    // SAFETY: as in `multiply_rows`; rows of `b` are padded to whole registers.
    unsafe {
        let mut sums = [[V::zero(); P]; R];
        let mut a = task.a.as_ptr().add(row * task.row);
        let mut b = task.b.as_ptr().add(column);
        let is_whole = column + P * V::LANES <= task.columns;
        if task.add {
            for (index, sums) in sums.iter_mut().enumerate() {
                let out = out.add(index * task.out_stride + column);
                for (place, sum) in sums.iter_mut().enumerate() {
                    *sum = if is_whole {
                        V::load(out.add(place * V::LANES))
                    } else {
                        let mut row = [0.0; PAD];
                        std::ptr::copy_nonoverlapping(out, row.as_mut_ptr(), task.columns - column);
                        V::load(row.as_ptr())
                    };
                }
            }
        }
        for _ in 0..task.depth {
            let factors: [V; P] = std::array::from_fn(|place| V::load(b.add(place * V::LANES)));
            for (index, sums) in sums.iter_mut().enumerate() {
                let value = V::splat(*a.add(index * task.row));
                for (sum, factor) in sums.iter_mut().zip(factors) {
                    *sum = value.fma(factor, *sum);
                }
            }
            a = a.wrapping_add(task.step);
            b = b.wrapping_add(task.b_stride);
        }
        for (index, sums) in sums.iter().enumerate() {
            let out = out.add(index * task.out_stride + column);
            for (place, sum) in sums.iter().enumerate() {
                if is_whole {
                    sum.store(out.add(place * V::LANES));
                } else {
                    let mut row = [0.0; PAD];
                    sum.store(row.as_mut_ptr());
                    std::ptr::copy_nonoverlapping(row.as_ptr(), out, task.columns - column);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pfss_core::Seed;
    use rand::RngExt;

    use super::*;
    use crate::engine::Backend;

    /// By the definition, in double precision.
    fn twin(a: (&[f32], usize, bool), b: (&[f32], usize, bool), size: [usize; 3]) -> Vec<f32> {
        let at = |(values, stride, is_transposed): (&[f32], usize, bool), row: usize, column: usize| {
            f64::from(if is_transposed { values[column * stride + row] } else { values[row * stride + column] })
        };
        let [rows, depth, columns] = size;
        let sum = |row, column| (0..depth).map(|k| at(a, row, k) * at(b, k, column)).sum::<f64>() as f32;
        (0..rows * columns).map(|index| sum(index / columns, index % columns)).collect()
    }

    #[test]
    fn products_are_close_to_the_definition_and_the_same_on_every_path() {
        let mut rng = Seed::new(1).rng();
        for size in [[1, 1, 1], [7, 5, 3], [13, 20, 40], [100, 17, 128], [6, 3000, 10], [300, 64, 33], [16, 2000, 16]] {
            for case in 0..8 {
                let [rows, depth, columns] = size;
                let (a_t, b_t, add) = (case & 1 > 0, case & 2 > 0, case & 4 > 0);
                let mut draw = |count: usize| -> Vec<f32> { (0..count).map(|_| rng.random_range(-1.0..1.0)).collect() };
                let (a, b, old) = (draw(rows * depth), draw(depth * columns), draw(rows * columns));
                let (a_width, b_width) = (if a_t { rows } else { depth }, if b_t { depth } else { columns });
                let mut expected = twin((&a, a_width, a_t), (&b, b_width, b_t), size);
                if add {
                    expected.iter_mut().zip(&old).for_each(|(x, old)| *x += old);
                }
                let results = Instructions::available().into_iter().map(|instructions| {
                    let cpu = Cpu { instructions, ..Cpu::new() };
                    let (a, b, out) = (cpu.upload(&a, a_width), cpu.upload(&b, b_width), cpu.upload(&old, columns));
                    cpu.product((&a, a_t), (&b, b_t), &out, add);
                    cpu.download(&out).unwrap()
                });
                let results: Vec<Vec<f32>> = results.collect();
                assert!(results.iter().all(|result| *result == results[0]), "{size:?} {case}");
                for (found, expected) in results[0].iter().zip(&expected) {
                    assert!((found - expected).abs() < 1e-5 * (depth as f32).sqrt() * 4.0, "{size:?} {case}");
                }
            }
        }
    }

    #[test]
    fn products_of_blocks_are_products() {
        let cpu = Cpu::new();
        let mut rng = Seed::new(2).rng();
        let mut draw = |count: usize| -> Vec<f32> { (0..count).map(|_| rng.random_range(-1.0..1.0)).collect() };
        let (a, b) = (draw(4 * 5 * 6), draw(4 * 7 * 6));
        let (a, b, out) = (cpu.upload(&a, 6), cpu.upload(&b, 6), cpu.matrix(20, 7));
        cpu.products(4, (&a, false), (&b, true), &out, false);
        for block in 0..4 {
            let one = cpu.matrix(5, 7);
            let (a, b) = (a.some_rows(block * 5..block * 5 + 5), b.some_rows(block * 7..block * 7 + 7));
            cpu.product((&a, false), (&b, true), &one, false);
            assert_eq!(cpu.download(&one).unwrap(), cpu.download(&out.some_rows(block * 5..block * 5 + 5)).unwrap());
        }
    }
}

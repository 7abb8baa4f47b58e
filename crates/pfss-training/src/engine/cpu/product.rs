//! Products of matrices.

use pfss_core::kernel;
use pfss_core::simd::{Instructions, RealRegister};
use rayon::prelude::*;

use super::memory::Cpu;
use super::pieces::SMALL;
use crate::engine::Matrix;

/// Rows that are summed side by side, so that no sum waits for the one before.
const ROWS: usize = 6;

/// Rows of a result that are one piece of work.
const ROWS_OF_PIECE: usize = 16 * ROWS;

/// What a sum over more rows than this is cut into.
const DEPTH_OF_PIECE: usize = 512;

/// Numbers of a row that are multiplied before the next row's.
const DEPTH_OF_PART: usize = 128;

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
    fn new(
        matrix: &Matrix<Cpu>,
        values: &'a [f32],
        rows: std::ops::Range<usize>,
        is_transposed: bool,
    ) -> Self {
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

/// `multiply` checked that all is inside. Both factors are copied a part at a time, in the order in which they are read:
/// rows of a matrix lie so far apart that few of them stay near the processor.
#[inline(always)]
unsafe fn multiply_rows<V: RealRegister>(task: &Task<'_>, first: usize, rows: usize, out: &mut [f32]) {
    // As many registers side by side as a processor has room for.
    let width = if V::LANES >= PAD { 4 * V::LANES } else { 2 * V::LANES };
    let mut a = [0.0f32; ROWS * DEPTH_OF_PART];
    let mut b = [0.0f32; 4 * PAD * DEPTH_OF_PART];
    // SAFETY: the caller's feature; all rows and columns are inside, and rows of `b` are padded to whole registers.
    unsafe {
        let mut depth = 0;
        while depth < task.depth || depth == 0 {
            let end = (depth + DEPTH_OF_PART).min(task.depth);
            let mut column = 0;
            while column < task.columns {
                let columns = (task.columns - column).min(width);
                let registers = columns.div_ceil(V::LANES);
                for k in depth..end {
                    let from = task.b.as_ptr().add(k * task.b_stride + column);
                    let to = b.as_mut_ptr().add((k - depth) * registers * V::LANES);
                    for place in 0..registers {
                        V::load(from.add(place * V::LANES)).store(to.add(place * V::LANES));
                    }
                }
                let mut row = 0;
                while row < rows {
                    let count = (rows - row).min(ROWS);
                    // Of a transposed matrix the numbers of several rows lie side by side already.
                    let packed = if task.row == 1 {
                        Packed {
                            a: task.a.as_ptr().add(first + row + depth * task.step),
                            row: 1,
                            step: task.step,
                        }
                    } else {
                        for index in 0..count {
                            let from =
                                task.a.as_ptr().add((first + row + index) * task.row + depth * task.step);
                            for k in 0..end - depth {
                                a[k * ROWS + index] = *from.add(k * task.step);
                            }
                        }
                        Packed { a: a.as_ptr(), row: 1, step: ROWS }
                    };
                    let tile = Tile {
                        packed,
                        b: b.as_ptr(),
                        depth: end - depth,
                        columns,
                        out: out.as_mut_ptr().add(row * task.out_stride + column),
                        stride: task.out_stride,
                        add: task.add || depth > 0,
                    };
                    match count {
                        1 => multiply_group::<V, 1>(tile, registers),
                        2 => multiply_group::<V, 2>(tile, registers),
                        3 => multiply_group::<V, 3>(tile, registers),
                        4 => multiply_group::<V, 4>(tile, registers),
                        5 => multiply_group::<V, 5>(tile, registers),
                        _ => multiply_group::<V, ROWS>(tile, registers),
                    }
                    row += count;
                }
                column += columns;
            }
            depth = end.max(1);
        }
    }
}

/// Numbers of some rows, those of a column side by side.
#[derive(Clone, Copy)]
struct Packed {
    a: *const f32,
    row: usize,
    step: usize,
}

/// A part of a product.
#[derive(Clone, Copy)]
struct Tile {
    packed: Packed,
    b: *const f32,
    depth: usize,
    columns: usize,
    out: *mut f32,
    stride: usize,
    add: bool,
}

#[inline(always)]
unsafe fn multiply_group<V: RealRegister, const R: usize>(tile: Tile, registers: usize) {
    // SAFETY: as in `multiply_rows`.
    unsafe {
        match registers {
            1 => multiply_tile::<V, R, 1>(tile),
            2 => multiply_tile::<V, R, 2>(tile),
            3 => multiply_tile::<V, R, 3>(tile),
            _ => multiply_tile::<V, R, 4>(tile),
        }
    }
}

/// `R` rows by `P` registers of the result; of the last register as many columns as there are.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "registers stay registers where loops are counted")]
unsafe fn multiply_tile<V: RealRegister, const R: usize, const P: usize>(tile: Tile) {
    // SAFETY: as in `multiply_rows`.
    unsafe {
        let mut sums = [[V::zero(); P]; R];
        let (mut a, mut b) = (tile.packed.a, tile.b);
        let is_whole = tile.columns == P * V::LANES;
        let rest = tile.columns - (P - 1) * V::LANES;
        if tile.add {
            for row in 0..R {
                let out = tile.out.add(row * tile.stride);
                for place in 0..P {
                    sums[row][place] = if is_whole || place + 1 < P {
                        V::load(out.add(place * V::LANES))
                    } else {
                        let mut last = [0.0; PAD];
                        std::ptr::copy_nonoverlapping(out.add(place * V::LANES), last.as_mut_ptr(), rest);
                        V::load(last.as_ptr())
                    };
                }
            }
        }
        for _ in 0..tile.depth {
            // No closures in kernels: what the compiler makes a function of lacks the caller's instructions.
            let mut factors = [V::zero(); P];
            for place in 0..P {
                factors[place] = V::load(b.add(place * V::LANES));
            }
            for row in 0..R {
                let value = V::splat(*a.add(row * tile.packed.row));
                for place in 0..P {
                    sums[row][place] = value.fma(factors[place], sums[row][place]);
                }
            }
            a = a.wrapping_add(tile.packed.step);
            b = b.wrapping_add(P * V::LANES);
        }
        for row in 0..R {
            let out = tile.out.add(row * tile.stride);
            for place in 0..P {
                if is_whole || place + 1 < P {
                    sums[row][place].store(out.add(place * V::LANES));
                } else {
                    let mut last = [0.0; PAD];
                    sums[row][place].store(last.as_mut_ptr());
                    std::ptr::copy_nonoverlapping(last.as_ptr(), out.add(place * V::LANES), rest);
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
            f64::from(if is_transposed {
                values[column * stride + row]
            } else {
                values[row * stride + column]
            })
        };
        let [rows, depth, columns] = size;
        let sum = |row, column| (0..depth).map(|k| at(a, row, k) * at(b, k, column)).sum::<f64>() as f32;
        (0..rows * columns).map(|index| sum(index / columns, index % columns)).collect()
    }

    #[test]
    fn products_are_close_to_the_definition_and_the_same_on_every_path() {
        let mut rng = Seed::new(1).rng();
        for size in
            [[1, 1, 1], [7, 5, 3], [13, 20, 40], [100, 17, 128], [6, 3000, 10], [300, 64, 33], [16, 2000, 16]]
        {
            for case in 0..8 {
                let [rows, depth, columns] = size;
                let (a_t, b_t, add) = (case & 1 > 0, case & 2 > 0, case & 4 > 0);
                let mut draw =
                    |count: usize| -> Vec<f32> { (0..count).map(|_| rng.random_range(-1.0..1.0)).collect() };
                let (a, b, old) = (draw(rows * depth), draw(depth * columns), draw(rows * columns));
                let (a_width, b_width) = (if a_t { rows } else { depth }, if b_t { depth } else { columns });
                let mut expected = twin((&a, a_width, a_t), (&b, b_width, b_t), size);
                if add {
                    expected.iter_mut().zip(&old).for_each(|(x, old)| *x += old);
                }
                let results = Instructions::available().into_iter().map(|instructions| {
                    let mut cpu = Cpu::new();
                    cpu.instructions = instructions;
                    let (a, b, out) =
                        (cpu.upload(&a, a_width), cpu.upload(&b, b_width), cpu.upload(&old, columns));
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
        let mut draw =
            |count: usize| -> Vec<f32> { (0..count).map(|_| rng.random_range(-1.0..1.0)).collect() };
        let (a, b) = (draw(4 * 5 * 6), draw(4 * 7 * 6));
        let (a, b, out) = (cpu.upload(&a, 6), cpu.upload(&b, 6), cpu.matrix(20, 7));
        cpu.products(4, (&a, false), (&b, true), &out, false);
        for block in 0..4 {
            let one = cpu.matrix(5, 7);
            let (a, b) = (a.some_rows(block * 5..block * 5 + 5), b.some_rows(block * 7..block * 7 + 7));
            cpu.product((&a, false), (&b, true), &one, false);
            assert_eq!(
                cpu.download(&one).unwrap(),
                cpu.download(&out.some_rows(block * 5..block * 5 + 5)).unwrap()
            );
        }
    }
}

//! Products of matrices.

use std::cell::RefCell;

use pfss_core::kernel;
use pfss_core::simd::{Instructions, RealRegister};
use rayon::prelude::*;

use super::memory::Cpu;
use super::pieces::SMALL;
use crate::engine::Matrix;
use crate::engine::backend::Start;

/// Rows that are summed side by side, so that no sum waits for the one before.
const ROWS: usize = 6;

/// What a sum over more rows than this is cut into.
const DEPTH_OF_PIECE: usize = 512;

/// Numbers of a row that are multiplied before the next row's: a panel of so many rows stays near the processor.
const DEPTH_OF_PART: usize = 128;

/// No register has more lanes.
const PAD: usize = 16;

/// Columns of a panel of the second factor.
const PANEL: usize = 4 * PAD;

/// A matrix as one of two factors; it may go to other threads.
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
    /// A matrix whose numbers are `values`.
    fn new(matrix: &Matrix<Cpu>, values: &'a [f32], is_transposed: bool) -> Self {
        Self { values, rows: matrix.rows, columns: matrix.columns, stride: matrix.stride, is_transposed }
    }

    /// Some of the stored rows.
    fn block(self, first: usize, rows: usize) -> Self {
        Self { values: &self.values[first * self.stride..], rows, ..self }
    }

    /// Some of the rows of a second factor, as they are multiplied.
    fn deep(self, first: usize, rows: usize) -> Self {
        if self.is_transposed {
            Self { values: &self.values[first..], columns: rows, ..self }
        } else {
            self.block(first, rows)
        }
    }

    /// Rows and columns as they are multiplied.
    fn size(&self) -> (usize, usize) {
        if self.is_transposed { (self.columns, self.rows) } else { (self.rows, self.columns) }
    }

    /// The numbers in panels.
    fn packed_len(&self) -> usize {
        let (rows, columns) = self.size();
        rows * columns.next_multiple_of(PAD)
    }

    /// A second factor in panels of columns, row after row, each padded to whole registers: in the order in which it is
    /// read. Its own rows lie so far apart that few of them stay near the processor.
    fn pack(&self, packed: &mut [f32]) {
        let (rows, columns) = self.size();
        for first in (0..columns).step_by(PANEL) {
            let count = (columns - first).min(PANEL);
            let width = count.next_multiple_of(PAD);
            let panel = &mut packed[first * rows..][..rows * width];
            if self.is_transposed {
                for column in 0..width {
                    let source = &self.values[(first + column.min(count - 1)) * self.stride..][..rows];
                    for (row, value) in source.iter().enumerate() {
                        panel[row * width + column] = if column < count { *value } else { 0.0 };
                    }
                }
            } else {
                for (row, panel) in panel.chunks_exact_mut(width).enumerate() {
                    panel[..count].copy_from_slice(&self.values[row * self.stride + first..][..count]);
                    panel[count..].fill(0.0);
                }
            }
        }
    }
}

thread_local! {
    /// Memory for panels and partial sums, which is not asked of the system again and again.
    static SCRATCH: RefCell<Vec<Vec<f32>>> = const { RefCell::new(Vec::new()) };
}

/// Calls a function with so many numbers of any content.
fn with_scratch<R>(len: usize, then: impl FnOnce(&mut [f32]) -> R) -> R {
    let mut memory = SCRATCH.with_borrow_mut(Vec::pop).unwrap_or_default();
    if memory.len() < len {
        memory.resize(len, 0.0);
    }
    let result = then(&mut memory[..len]);
    SCRATCH.with_borrow_mut(|free| free.push(memory));
    result
}

/// What the sums of a product begin with.
#[derive(Clone, Copy)]
enum First<'a> {
    Nothing,
    Row(&'a [f32]),
    Out,
}

/// A product whose second factor is packed.
#[derive(Clone, Copy)]
struct Task<'a> {
    a: &'a [f32],
    /// From a row of `a` to the next, and from one number of a row to the next.
    row: usize,
    step: usize,
    packed: &'a [f32],
    depth: usize,
    columns: usize,
    out_stride: usize,
    first: First<'a>,
}

impl<'a> Task<'a> {
    fn new(a: Factor<'a>, b: Factor<'_>, packed: &'a [f32], out_stride: usize, first: First<'a>) -> Self {
        let (row, step) = if a.is_transposed { (1, a.stride) } else { (a.stride, 1) };
        let ((_, a_depth), (depth, columns)) = (a.size(), b.size());
        assert_eq!(a_depth, depth, "factors that fit");
        Self { a: a.values, row, step, packed, depth, columns, out_stride, first }
    }

    /// All that is read and written lies inside.
    fn check(&self, first: usize, rows: usize, out: &[f32]) {
        if rows == 0 || self.columns == 0 {
            return;
        }
        if self.depth > 0 {
            assert!((first + rows - 1) * self.row + (self.depth - 1) * self.step < self.a.len());
            assert!(self.depth * self.columns.next_multiple_of(PAD) <= self.packed.len());
        }
        if let First::Row(row) = self.first {
            assert!(self.columns <= row.len());
        }
        assert!((rows - 1) * self.out_stride + self.columns <= out.len());
    }
}

/// The product of two matrices, added to what `start` says.
pub(super) fn product(
    instructions: Instructions,
    a: (&Matrix<Cpu>, bool),
    b: (&Matrix<Cpu>, bool),
    start: Start<'_, Cpu>,
    out: &Matrix<Cpu>,
) {
    let (a_values, b_values, mut target) = (a.0.read(), b.0.read(), out.write());
    let (a, b) = (Factor::new(a.0, &a_values, a.1), Factor::new(b.0, &b_values, b.1));
    let bias = match start {
        Start::Row(row) => Some(row.read()),
        _ => None,
    };
    let first = match (&bias, start) {
        (Some(row), _) => First::Row(row),
        (_, Start::Out) => First::Out,
        _ => First::Nothing,
    };
    let (rows, columns, (depth, _)) = (out.rows, out.columns, b.size());
    if depth > 2 * DEPTH_OF_PIECE && rows * columns <= depth * PAD {
        return deep(instructions, (a, b), first, (rows, columns, out.stride), &mut target);
    }
    with_scratch(b.packed_len(), |packed| {
        b.pack(packed);
        let task = Task::new(a, b, packed, out.stride, first);
        // Where rows are cut changes no sum.
        let each = rows.div_ceil(rayon::current_num_threads()).clamp(1, 16 * ROWS).next_multiple_of(ROWS);
        let piece = |(index, part): (usize, &mut [f32])| {
            let first = index * each;
            multiply(instructions, &task, first, (rows - first).min(each), part);
        };
        let size = (each * out.stride).max(1);
        if rows * columns * depth < 16 * SMALL || rows <= each {
            target.chunks_mut(size).enumerate().for_each(piece);
        } else {
            target.par_chunks_mut(size).enumerate().for_each(piece);
        }
    });
}

/// Sums over many rows with a small result: each part of the rows alone, then the parts in their order.
fn deep(
    instructions: Instructions,
    (a, b): (Factor<'_>, Factor<'_>),
    first: First<'_>,
    (rows, columns, stride): (usize, usize, usize),
    out: &mut [f32],
) {
    let (depth, _) = b.size();
    with_scratch(depth.div_ceil(DEPTH_OF_PIECE) * rows * columns, |sums| {
        sums.par_chunks_exact_mut(rows * columns).enumerate().for_each(|(piece, sums)| {
            let from = piece * DEPTH_OF_PIECE;
            let count = (depth - from).min(DEPTH_OF_PIECE);
            let a = if a.is_transposed {
                a.block(from, count)
            } else {
                Factor { values: &a.values[from..], columns: count, ..a }
            };
            let b = b.deep(from, count);
            with_scratch(b.packed_len(), |packed| {
                b.pack(packed);
                multiply(instructions, &Task::new(a, b, packed, columns, First::Nothing), 0, rows, sums);
            });
        });
        for row in 0..rows {
            let out = &mut out[row * stride..row * stride + columns];
            match first {
                First::Nothing => out.fill(0.0),
                First::Row(first) => out.copy_from_slice(&first[..columns]),
                First::Out => {}
            }
            for sums in sums.chunks_exact(rows * columns) {
                let sums = &sums[row * columns..(row + 1) * columns];
                out.iter_mut().zip(sums).for_each(|(out, sum)| *out += sum);
            }
        }
    });
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
    let blocks = [a.0, b.0, out].map(|matrix| matrix.rows / count.max(1));
    let (a, b) = (Factor::new(a.0, &a_values, a.1), Factor::new(b.0, &b_values, b.1));
    let (rows, stride) = (blocks[2], out.stride);
    let first = if add { First::Out } else { First::Nothing };
    let one = |(index, part): (usize, &mut [f32])| {
        let a = a.block(index * blocks[0], blocks[0]);
        let b = b.block(index * blocks[1], blocks[1]);
        with_scratch(b.packed_len(), |packed| {
            b.pack(packed);
            multiply(instructions, &Task::new(a, b, packed, stride, first), 0, rows, part);
        });
    };
    let size = (rows * stride).max(1);
    if target.len() < SMALL {
        target.chunks_mut(size).enumerate().for_each(one);
    } else {
        target.par_chunks_mut(size).enumerate().for_each(one);
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
    // As many registers side by side as a processor has room for.
    let most = if V::LANES >= PAD { 4 * V::LANES } else { 2 * V::LANES };
    // SAFETY: the caller's feature; all rows and columns are inside, and panels are padded to whole registers.
    unsafe {
        let mut depth = 0;
        while depth < task.depth || depth == 0 {
            let end = (depth + DEPTH_OF_PART).min(task.depth);
            let mut column = 0;
            while column < task.columns {
                let columns = (task.columns - column).min(most);
                let registers = columns.div_ceil(V::LANES);
                let panel = column - column % PANEL;
                let width = (task.columns - panel).min(PANEL).next_multiple_of(PAD);
                let mut row = 0;
                while row < rows {
                    let count = (rows - row).min(ROWS);
                    let target = out.as_mut_ptr().add(row * task.out_stride + column);
                    let from = match task.first {
                        _ if depth > 0 => From { values: target, stride: task.out_stride },
                        First::Nothing => From { values: std::ptr::null(), stride: 0 },
                        First::Row(row) => From { values: row.as_ptr().add(column), stride: 0 },
                        First::Out => From { values: target, stride: task.out_stride },
                    };
                    let tile = Tile {
                        a: task.a.as_ptr().add((first + row) * task.row + depth * task.step),
                        row: task.row,
                        step: task.step,
                        b: task.packed.as_ptr().add(panel * task.depth + depth * width + column - panel),
                        width,
                        depth: end - depth,
                        columns,
                        from,
                        out: target,
                        stride: task.out_stride,
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

/// What sums begin with; nothing where there are no values.
#[derive(Clone, Copy)]
struct From {
    values: *const f32,
    stride: usize,
}

/// A part of a product.
#[derive(Clone, Copy)]
struct Tile {
    a: *const f32,
    /// From a row of `a` to the next, and from one number of a row to the next.
    row: usize,
    step: usize,
    b: *const f32,
    /// From a row of `b` to the next.
    width: usize,
    depth: usize,
    columns: usize,
    from: From,
    out: *mut f32,
    stride: usize,
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
        let (mut a, mut b) = (tile.a, tile.b);
        let is_whole = tile.columns == P * V::LANES;
        let rest = tile.columns - (P - 1) * V::LANES;
        if !tile.from.values.is_null() {
            for row in 0..R {
                let from = tile.from.values.add(row * tile.from.stride);
                for place in 0..P {
                    sums[row][place] = if is_whole || place + 1 < P {
                        V::load(from.add(place * V::LANES))
                    } else {
                        let mut last = [0.0; PAD];
                        std::ptr::copy_nonoverlapping(from.add(place * V::LANES), last.as_mut_ptr(), rest);
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
                let value = V::splat(*a.add(row * tile.row));
                for place in 0..P {
                    sums[row][place] = value.fma(factors[place], sums[row][place]);
                }
            }
            a = a.wrapping_add(tile.step);
            b = b.wrapping_add(tile.width);
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
                    cpu.product((&a, a_t), (&b, b_t), Start::adds(add), &out);
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
            cpu.product((&a, false), (&b, true), Start::Nothing, &one);
            assert_eq!(
                cpu.download(&one).unwrap(),
                cpu.download(&out.some_rows(block * 5..block * 5 + 5)).unwrap()
            );
        }
    }
}

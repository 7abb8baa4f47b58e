//! A step of a long short-term memory, of all instances at once.

use pfss_core::kernel;
use pfss_core::simd::functions::{sigmoid, tanh};
use pfss_core::simd::{Instructions, RealRegister};

use super::memory::Cpu;
use crate::engine::Matrix;

/// `function` of each number.
macro_rules! each {
    ($V:ty, $function:ident, $row:expr) => {{
        let row: &mut [f32] = $row;
        let whole = row.len() - row.len() % <$V>::LANES;
        // SAFETY: the caller's feature; whole registers are inside, and the last one is in an array of its own.
        unsafe {
            for at in (0..whole).step_by(<$V>::LANES) {
                let cell = row.as_mut_ptr().add(at);
                $function(<$V>::load(cell)).store(cell);
            }
            if whole < row.len() {
                let mut rest = [0.0; 16];
                rest[..row.len() - whole].copy_from_slice(&row[whole..]);
                $function(<$V>::load(rest.as_ptr())).store(rest.as_mut_ptr());
                let len = row.len() - whole;
                row[whole..].copy_from_slice(&rest[..len]);
            }
        }
    }};
}

pub(super) fn pass(
    instructions: Instructions,
    gates: &Matrix<Cpu>,
    before: Option<&Matrix<Cpu>>,
    cell: &Matrix<Cpu>,
    hidden: &Matrix<Cpu>,
    passed: Option<&Matrix<Cpu>>,
) {
    let d = cell.columns;
    for row in 0..cell.rows {
        let at = |matrix: &Matrix<Cpu>| row * matrix.stride..row * matrix.stride + d;
        // The cells of a step and those of the one before are rows of one matrix.
        let old = before.map(|before| before.read()[at(before)].to_vec());
        let (mut gates_of, mut cells, mut out) = (gates.write(), cell.write(), hidden.write());
        let gates = &mut gates_of[row * gates.stride..][..4 * d];
        pass_row(instructions, gates, old.as_deref(), &mut cells[at(cell)], &mut out[at(hidden)]);
        if let Some(passed) = passed {
            passed.write()[at(passed)].copy_from_slice(&out[at(hidden)]);
        }
    }
}

kernel!(
    pass_row,
    pass_one_row,
    fn(gates: &mut [f32], before: Option<&[f32]>, cell: &mut [f32], hidden: &mut [f32])
);

/// The gates are input, forget and output, and then the new content.
#[inline(always)]
unsafe fn pass_one_row<V: RealRegister>(
    gates: &mut [f32],
    before: Option<&[f32]>,
    cell: &mut [f32],
    hidden: &mut [f32],
) {
    let d = cell.len();
    each!(V, sigmoid, &mut gates[..3 * d]);
    each!(V, tanh, &mut gates[3 * d..]);
    let (open, new) = gates.split_at(3 * d);
    for column in 0..d {
        let mut kept = 0.0;
        if let Some(before) = before {
            kept = open[d + column] * before[column];
        }
        cell[column] = open[column].mul_add(new[column], kept);
    }
    hidden.copy_from_slice(cell);
    each!(V, tanh, &mut *hidden);
    for (hidden, gate) in hidden.iter_mut().zip(&open[2 * d..]) {
        *hidden *= gate;
    }
}

pub(super) fn pass_gradient(
    instructions: Instructions,
    gates: &Matrix<Cpu>,
    before: Option<&Matrix<Cpu>>,
    cell: &Matrix<Cpu>,
    of_hidden: &Matrix<Cpu>,
    of_passed: Option<&Matrix<Cpu>>,
    of_cell: &Matrix<Cpu>,
) {
    let d = cell.columns;
    for row in 0..cell.rows {
        let at = |matrix: &Matrix<Cpu>| row * matrix.stride..row * matrix.stride + d;
        let mut slope = of_hidden.read()[at(of_hidden)].to_vec();
        if let Some(passed) = of_passed {
            slope.iter_mut().zip(&passed.read()[at(passed)]).for_each(|(slope, x)| *slope += x);
        }
        let old = before.map(|before| before.read()[at(before)].to_vec());
        let cells = cell.read();
        let (mut gates_of, mut of_cells) = (gates.write(), of_cell.write());
        let gates = &mut gates_of[row * gates.stride..][..4 * d];
        let task = Back { before: old.as_deref(), cell: &cells[at(cell)], of_hidden: &slope };
        pass_back(instructions, &task, gates, &mut of_cells[at(of_cell)]);
    }
}

struct Back<'a> {
    before: Option<&'a [f32]>,
    cell: &'a [f32],
    of_hidden: &'a [f32],
}

kernel!(pass_back, pass_row_back, fn(task: &Back<'_>, gates: &mut [f32], of_cell: &mut [f32]));

#[inline(always)]
unsafe fn pass_row_back<V: RealRegister>(task: &Back<'_>, gates: &mut [f32], of_cell: &mut [f32]) {
    let d = task.cell.len();
    let mut tanhs = task.cell.to_vec();
    each!(V, tanh, &mut tanhs);
    let (open, new) = gates.split_at_mut(3 * d);
    let (input, open) = open.split_at_mut(d);
    let (forget, output) = open.split_at_mut(d);
    for column in 0..d {
        let (i, f, o, c) = (input[column], forget[column], output[column], new[column]);
        let (slope, tanh) = (task.of_hidden[column], tanhs[column]);
        let of = of_cell[column] + slope * o * (1.0 - tanh * tanh);
        let mut before = 0.0;
        if let Some(cells) = task.before {
            before = cells[column];
        }
        input[column] = of * c * i * (1.0 - i);
        forget[column] = of * before * f * (1.0 - f);
        output[column] = slope * tanh * o * (1.0 - o);
        new[column] = of * i * (1.0 - c * c);
        of_cell[column] = of * f;
    }
}

//! A step of a long short-term memory, of all instances at once.

use pfss_core::kernel;
use pfss_core::simd::functions::{sigmoid, tanh};
use pfss_core::simd::{Instructions, RealRegister};

use super::memory::Cpu;
use super::pieces::by_instance;
use crate::engine::Matrix;
use crate::engine::backend::Passing;

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
    Passing { job, jobs }: Passing,
    (gates, bias): (&Matrix<Cpu>, &Matrix<Cpu>),
    cells: &Matrix<Cpu>,
    hidden: &Matrix<Cpu>,
    passed: &Matrix<Cpu>,
) {
    let d = cells.columns;
    let bias = bias.read();
    let bias = &*bias;
    let outs: [&mut [f32]; 4] =
        [&mut gates.write(), &mut cells.write(), &mut hidden.write(), &mut passed.write()];
    let sizes = [4 * d, d, d, d].map(|columns| jobs * columns);
    by_instance(outs, sizes, |_, [gates, cells, hidden, passed]| {
        let (before, cell) = cells.split_at_mut(job * d);
        let (gates, cell) = (&mut gates[job * 4 * d..][..4 * d], &mut cell[..d]);
        let hidden = &mut hidden[job * d..][..d];
        let before = (job > 0).then(|| &before[(job - 1) * d..]);
        pass_row(instructions, gates, bias, before, cell, hidden);
        if job + 1 < jobs {
            passed[(job + 1) * d..][..d].copy_from_slice(hidden);
        }
    });
}

kernel!(
    pass_row,
    pass_one_row,
    fn(gates: &mut [f32], bias: &[f32], before: Option<&[f32]>, cell: &mut [f32], hidden: &mut [f32])
);

/// The gates are input, forget and output, and then the new content.
#[inline(always)]
unsafe fn pass_one_row<V: RealRegister>(
    gates: &mut [f32],
    bias: &[f32],
    before: Option<&[f32]>,
    cell: &mut [f32],
    hidden: &mut [f32],
) {
    let d = cell.len();
    for (gate, bias) in gates.iter_mut().zip(bias) {
        *gate += bias;
    }
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
    Passing { job, jobs }: Passing,
    gates: &Matrix<Cpu>,
    cells: &Matrix<Cpu>,
    of_hidden: &Matrix<Cpu>,
    of_passed: Option<&Matrix<Cpu>>,
    of_cell: &Matrix<Cpu>,
) {
    let d = cells.columns;
    let (cells, of_hidden, of_passed) = (cells.read(), of_hidden.read(), of_passed.map(Matrix::read));
    let (cells, of_hidden, of_passed) = (&*cells, &*of_hidden, of_passed.as_deref());
    by_instance(
        [&mut gates.write(), &mut of_cell.write()],
        [jobs * 4 * d, d],
        |instance, [gates, of_cell]| {
            let row = instance * jobs + job;
            let task = Back {
                before: (job > 0).then(|| &cells[(row - 1) * d..][..d]),
                cell: &cells[row * d..][..d],
                of_hidden: &of_hidden[row * d..][..d],
                of_passed: of_passed.map(|rows| &rows[instance * d..][..d]),
            };
            pass_back(instructions, &task, &mut gates[job * 4 * d..][..4 * d], of_cell);
        },
    );
}

struct Back<'a> {
    before: Option<&'a [f32]>,
    cell: &'a [f32],
    of_hidden: &'a [f32],
    of_passed: Option<&'a [f32]>,
}

kernel!(pass_back, pass_row_back, fn(task: &Back<'_>, gates: &mut [f32], of_cell: &mut [f32]));

#[inline(always)]
unsafe fn pass_row_back<V: RealRegister>(task: &Back<'_>, gates: &mut [f32], of_cell: &mut [f32]) {
    let d = task.cell.len();
    let mut tanhs = task.cell.to_vec();
    each!(V, tanh, &mut tanhs);
    let mut slopes = task.of_hidden.to_vec();
    if let Some(passed) = task.of_passed {
        for column in 0..d {
            slopes[column] += passed[column];
        }
    }
    let (open, new) = gates.split_at_mut(3 * d);
    let (input, open) = open.split_at_mut(d);
    let (forget, output) = open.split_at_mut(d);
    // Of one length, so that no place is checked.
    let (output, new, of_cell) = (&mut output[..d], &mut new[..d], &mut of_cell[..d]);
    let (slopes, tanhs) = (&slopes[..d], &tanhs[..d]);
    for column in 0..d {
        let (i, o, c) = (input[column], output[column], new[column]);
        let (slope, tanh) = (slopes[column], tanhs[column]);
        let of = of_cell[column] + slope * o * (1.0 - tanh * tanh);
        input[column] = of * c * i * (1.0 - i);
        output[column] = slope * tanh * o * (1.0 - o);
        new[column] = of * i * (1.0 - c * c);
        of_cell[column] = of;
    }
    for column in 0..d {
        let f = forget[column];
        let mut before = 0.0;
        if let Some(cells) = task.before {
            before = cells[column];
        }
        forget[column] = of_cell[column] * before * f * (1.0 - f);
        of_cell[column] *= f;
    }
}

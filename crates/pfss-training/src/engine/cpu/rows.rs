//! Sums, copies and cuts of rows.

use pfss_core::kernel;
use pfss_core::simd::{Instructions, RealRegister};

use super::pieces::{in_pieces, pieces_of, sums_in_pieces};

pub(super) fn scale(from: &[f32], factor: f32, out: &mut [f32], add: bool) {
    in_pieces(out, 1, |first, out| {
        let from = &from[first..first + out.len()];
        if add {
            out.iter_mut().zip(from).for_each(|(out, x)| *out += factor * x);
        } else {
            out.iter_mut().zip(from).for_each(|(out, x)| *out = factor * x);
        }
    });
}

pub(super) fn column_sums(
    instructions: Instructions,
    matrix: &[f32],
    columns: usize,
    out: &mut [f32],
    add: bool,
) {
    if !add {
        out.fill(0.0);
    }
    sums_in_pieces(matrix.len() / columns.max(1), columns, columns, out, |rows, sums| {
        add_rows(instructions, &matrix[rows.start * columns..rows.end * columns], sums);
    });
}

kernel!(add_rows, add_all_rows, fn(rows: &[f32], sums: &mut [f32]));

#[inline(always)]
unsafe fn add_all_rows<V: RealRegister>(rows: &[f32], sums: &mut [f32]) {
    for row in rows.chunks_exact(sums.len().max(1)) {
        for (sum, x) in sums.iter_mut().zip(row) {
            *sum += x;
        }
    }
}

pub(super) fn group_sums(
    matrix: &[f32],
    columns: usize,
    count: usize,
    factor: f32,
    out: &mut [f32],
    add: bool,
) {
    let rows = (4096 / (columns * count).max(1)).max(1);
    pieces_of(out, columns, rows, |first, out| {
        for (group, out) in out.chunks_exact_mut(columns).enumerate() {
            let rows = &matrix[(first + group) * count * columns..][..count * columns];
            if !add {
                out.fill(0.0);
            }
            for row in rows.chunks_exact(columns) {
                out.iter_mut().zip(row).for_each(|(sum, x)| *sum += factor * x);
            }
        }
    });
}

pub(super) fn repeat(matrix: &[f32], columns: usize, count: usize, factor: f32, out: &mut [f32], add: bool) {
    in_pieces(out, columns, |first, out| {
        for (row, out) in out.chunks_exact_mut(columns).enumerate() {
            let from = &matrix[(first + row) / count * columns..][..columns];
            if add {
                out.iter_mut().zip(from).for_each(|(out, x)| *out += factor * x);
            } else {
                out.iter_mut().zip(from).for_each(|(out, x)| *out = factor * x);
            }
        }
    });
}

pub(super) fn gather(matrix: &[f32], columns: usize, rows: &[u32], out: &mut [f32]) {
    in_pieces(out, columns, |first, out| {
        for (out, &row) in out.chunks_exact_mut(columns).zip(&rows[first..]) {
            out.copy_from_slice(&matrix[row as usize * columns..][..columns]);
        }
    });
}

pub(super) fn scatter(matrix: &[f32], columns: usize, rows: &[u32], out: &mut [f32], add: bool) {
    if !add {
        out.fill(0.0);
    }
    for (from, &row) in matrix.chunks_exact(columns).zip(rows) {
        let out = &mut out[row as usize * columns..][..columns];
        out.iter_mut().zip(from).for_each(|(out, x)| *out += x);
    }
}

pub(super) fn relu(x: &[f32], out: &mut [f32]) {
    in_pieces(out, 1, |first, out| {
        out.iter_mut().zip(&x[first..]).for_each(|(out, x)| *out = x.max(0.0));
    });
}

pub(super) fn relu_gradient(y: &[f32], of_y: &[f32], out: &mut [f32], add: bool) {
    in_pieces(out, 1, |first, out| {
        for ((out, y), of_y) in out.iter_mut().zip(&y[first..]).zip(&of_y[first..]) {
            let slope = if *y > 0.0 { *of_y } else { 0.0 };
            *out = if add { *out + slope } else { slope };
        }
    });
}

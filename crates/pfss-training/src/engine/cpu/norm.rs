//! Normalisation, with the rectifier and the residual that follow it.

use pfss_core::kernel;
use pfss_core::simd::{Instructions, RealRegister};

use super::memory::Cpu;
use super::pieces::{in_pieces, sums_in_pieces};
use crate::engine::backend::Affine;
use crate::engine::{Matrix, Statistics};

/// What normalisation adds to a variance.
pub(super) const EPSILON: f32 = 1e-5;

pub(super) fn column_statistics(
    instructions: Instructions,
    matrix: &Matrix<Cpu>,
    mean: &Matrix<Cpu>,
    variance: &Matrix<Cpu>,
) {
    let (rows, columns) = (matrix.rows, matrix.columns);
    let (values, mut mean, mut variance) = (matrix.read(), mean.write(), variance.write());
    let values = &*values;
    let share = 1.0 / rows as f32;
    let part = |rows: std::ops::Range<usize>| &values[rows.start * columns..rows.end * columns];
    mean.fill(0.0);
    let zeros = vec![0.0; columns];
    sums_in_pieces(rows, columns, columns, &mut mean, |rows, sums| {
        add_moments(instructions, part(rows), &zeros, false, sums);
    });
    mean.iter_mut().for_each(|mean| *mean *= share);
    variance.fill(0.0);
    let mean = &*mean;
    sums_in_pieces(rows, columns, columns, &mut variance, |rows, sums| {
        add_moments(instructions, part(rows), mean, true, sums);
    });
    variance.iter_mut().for_each(|variance| *variance *= share);
}

kernel!(add_moments, add_all_moments, fn(rows: &[f32], mean: &[f32], is_square: bool, sums: &mut [f32]));

#[inline(always)]
unsafe fn add_all_moments<V: RealRegister>(rows: &[f32], mean: &[f32], is_square: bool, sums: &mut [f32]) {
    for row in rows.chunks_exact(mean.len()) {
        for ((sum, x), mean) in sums.iter_mut().zip(row).zip(mean) {
            let x = x - mean;
            *sum += if is_square { x * x } else { x };
        }
    }
}

/// How rows are normalised.
#[derive(Clone, Copy)]
enum Rule<'a> {
    /// `x * scale + shift`.
    Columns { scale: &'a [f32], shift: &'a [f32] },
    /// By their own mean and variance.
    Rows { weight: &'a [f32], bias: &'a [f32] },
    /// Not at all.
    None,
}

/// The roots of the inverse variances.
fn inverse_deviations(variance: &[f32]) -> Vec<f32> {
    variance.iter().map(|variance| 1.0 / (variance + EPSILON).sqrt()).collect()
}

/// The affine map that normalisation by columns comes to.
fn folded(mean: &[f32], variance: &[f32], weight: &[f32], bias: &[f32]) -> (Vec<f32>, Vec<f32>) {
    let inverse = inverse_deviations(variance);
    let scale: Vec<f32> = weight.iter().zip(&inverse).map(|(weight, inverse)| weight * inverse).collect();
    let shift = bias.iter().zip(mean).zip(&scale).map(|((bias, mean), scale)| bias - mean * scale).collect();
    (scale, shift)
}

pub(super) fn normalise(
    instructions: Instructions,
    x: &Matrix<Cpu>,
    norm: Option<(&Statistics<Cpu>, &Affine<Cpu>)>,
    relu: bool,
    beside: Option<&Matrix<Cpu>>,
    out: &Matrix<Cpu>,
) {
    let columns = x.columns;
    let affine = norm.map(|(_, affine)| (affine.weight.read(), affine.bias.read()));
    let fold = match (norm, &affine) {
        (Some((Statistics::Columns { mean, variance }, _)), Some((weight, bias))) => {
            Some(folded(&mean.read(), &variance.read(), weight, bias))
        }
        _ => None,
    };
    let rule = match (&fold, &affine) {
        (Some((scale, shift)), _) => Rule::Columns { scale, shift },
        (None, Some((weight, bias))) => Rule::Rows { weight, bias },
        _ => Rule::None,
    };
    let (x, beside) = (x.read(), beside.map(Matrix::read));
    let (x, beside) = (&*x, beside.as_deref());
    in_pieces(&mut out.write(), columns, |first, out| {
        let part = first * columns..first * columns + out.len();
        normalise_rows(instructions, &x[part.clone()], rule, relu, beside.map(|rows| &rows[part]), out);
    });
}

kernel!(
    normalise_rows,
    normalise_all_rows,
    fn(x: &[f32], rule: Rule<'_>, relu: bool, beside: Option<&[f32]>, out: &mut [f32])
);

/// Mean and inverse deviation of a row: plain sums in eight lanes, the same on every path.
#[inline(always)]
fn row_statistics(row: &[f32]) -> (f32, f32) {
    let mean = lane_sum(row, 0.0, false) / row.len() as f32;
    let variance = lane_sum(row, mean, true) / row.len() as f32;
    (mean, 1.0 / (variance + EPSILON).sqrt())
}

/// The sum of what numbers are above the mean, or of the squares of that.
#[inline(always)]
fn lane_sum(row: &[f32], mean: f32, is_square: bool) -> f32 {
    let mut sums = [0.0f32; 8];
    let (chunks, rest) = row.as_chunks::<8>();
    for chunk in chunks {
        for (sum, x) in sums.iter_mut().zip(chunk) {
            let x = x - mean;
            *sum += if is_square { x * x } else { x };
        }
    }
    for (sum, x) in sums.iter_mut().zip(rest) {
        let x = x - mean;
        *sum += if is_square { x * x } else { x };
    }
    let mut all = 0.0;
    for sum in sums {
        all += sum;
    }
    all
}

#[inline(always)]
unsafe fn normalise_all_rows<V: RealRegister>(
    x: &[f32],
    rule: Rule<'_>,
    relu: bool,
    beside: Option<&[f32]>,
    out: &mut [f32],
) {
    match rule {
        Rule::Columns { scale, shift } => {
            for (row, out) in x.chunks_exact(scale.len()).zip(out.chunks_exact_mut(scale.len())) {
                for (((out, x), scale), shift) in out.iter_mut().zip(row).zip(scale).zip(shift) {
                    *out = x.mul_add(*scale, *shift);
                }
            }
        }
        Rule::Rows { weight, bias } => {
            for (row, out) in x.chunks_exact(weight.len()).zip(out.chunks_exact_mut(weight.len())) {
                let (mean, inverse) = row_statistics(row);
                for (((out, x), weight), bias) in out.iter_mut().zip(row).zip(weight).zip(bias) {
                    *out = ((x - mean) * inverse).mul_add(*weight, *bias);
                }
            }
        }
        Rule::None => out.copy_from_slice(x),
    }
    if relu {
        for out in out.iter_mut() {
            *out = out.max(0.0);
        }
    }
    if let Some(beside) = beside {
        for (out, x) in out.iter_mut().zip(beside) {
            *out += x;
        }
    }
}

/// What the gradient of a piece is computed from: by columns `x * scale + shift` is normalised, and
/// `x * inverse + centre` is normalised before the affine map.
#[derive(Clone, Copy)]
struct Columns<'a> {
    scale: &'a [f32],
    shift: &'a [f32],
    inverse: &'a [f32],
    centre: &'a [f32],
}

pub(super) fn normalise_gradient(
    instructions: Instructions,
    x: &Matrix<Cpu>,
    norm: Option<(&Statistics<Cpu>, &Affine<Cpu>, &Affine<Cpu>)>,
    relu: bool,
    of_out: &Matrix<Cpu>,
    of_x: (&Matrix<Cpu>, bool),
) {
    let (rows, columns) = (x.rows, x.columns);
    let (x, of_out, mut target) = (x.read(), of_out.read(), of_x.0.write());
    let (x, of_out, add) = (&*x, &*of_out, of_x.1);
    let part = |rows: std::ops::Range<usize>| rows.start * columns..rows.end * columns;
    let Some((statistics, affine, of_affine)) = norm else {
        return in_pieces(&mut target, 1, |first, out| {
            for ((out, x), slope) in out.iter_mut().zip(&x[first..]).zip(&of_out[first..]) {
                let slope = if !relu || *x > 0.0 { *slope } else { 0.0 };
                *out = if add { *out + slope } else { slope };
            }
        });
    };
    let (weight, bias) = (affine.weight.read(), affine.bias.read());
    let (weight, bias) = (&*weight, &*bias);
    // Of each column, the gradients of the bias and of the weight.
    let mut sums = vec![0.0; 2 * columns];
    match statistics {
        Statistics::Columns { mean, variance } => {
            let (mean, variance) = (mean.read(), variance.read());
            let (scale, shift) = folded(&mean, &variance, weight, bias);
            let inverse = inverse_deviations(&variance);
            let centre: Vec<f32> = mean.iter().zip(&inverse).map(|(mean, inverse)| -mean * inverse).collect();
            let by = Columns { scale: &scale, shift: &shift, inverse: &inverse, centre: &centre };
            sums_in_pieces(rows, columns, 2 * columns, &mut sums, |rows, sums| {
                add_slopes(instructions, &x[part(rows.clone())], &of_out[part(rows)], by, relu, sums);
            });
            let means: Vec<f32> = sums.iter().map(|sum| sum / rows as f32).collect();
            in_pieces(&mut target, columns, |first, out| {
                let part = part(first..first + out.len() / columns);
                back(instructions, &x[part.clone()], &of_out[part], by, &means, (relu, add), out);
            });
        }
        Statistics::Rows => {
            let affine = (weight, bias);
            sums_in_pieces(rows, columns, 2 * columns, &mut sums, |rows, sums| {
                add_slopes_of_rows(
                    instructions,
                    &x[part(rows.clone())],
                    &of_out[part(rows)],
                    affine,
                    relu,
                    sums,
                );
            });
            in_pieces(&mut target, columns, |first, out| {
                let part = part(first..first + out.len() / columns);
                back_of_rows(instructions, &x[part.clone()], &of_out[part], affine, (relu, add), out);
            });
        }
    }
    for (of, sums) in [&of_affine.bias, &of_affine.weight].into_iter().zip(sums.chunks_exact(columns)) {
        of.write().iter_mut().zip(sums).for_each(|(of, sum)| *of += sum);
    }
}

kernel!(
    add_slopes,
    add_all_slopes,
    fn(x: &[f32], of_out: &[f32], by: Columns<'_>, relu: bool, sums: &mut [f32])
);

#[inline(always)]
unsafe fn add_all_slopes<V: RealRegister>(
    x: &[f32],
    of_out: &[f32],
    by: Columns<'_>,
    relu: bool,
    sums: &mut [f32],
) {
    let columns = by.scale.len();
    let (of_bias, of_weight) = sums.split_at_mut(columns);
    let of_bias = &mut of_bias[..columns];
    // Of one length, so that no place is checked.
    let (shift, inverse, centre) = (&by.shift[..columns], &by.inverse[..columns], &by.centre[..columns]);
    let (scale, of_weight) = (&by.scale[..columns], &mut of_weight[..columns]);
    for (x, of_out) in x.chunks_exact(columns).zip(of_out.chunks_exact(columns)) {
        let (x, of_out) = (&x[..columns], &of_out[..columns]);
        for column in 0..columns {
            let x = x[column];
            let is_on = !relu || x.mul_add(scale[column], shift[column]) > 0.0;
            let slope = if is_on { of_out[column] } else { 0.0 };
            of_bias[column] += slope;
            of_weight[column] += slope * x.mul_add(inverse[column], centre[column]);
        }
    }
}

kernel!(
    back,
    back_all,
    fn(x: &[f32], of_out: &[f32], by: Columns<'_>, means: &[f32], flags: (bool, bool), out: &mut [f32])
);

#[inline(always)]
unsafe fn back_all<V: RealRegister>(
    x: &[f32],
    of_out: &[f32],
    by: Columns<'_>,
    means: &[f32],
    (relu, add): (bool, bool),
    out: &mut [f32],
) {
    let columns = by.scale.len();
    let (of_bias, of_weight) = means.split_at(columns);
    let of_bias = &of_bias[..columns];
    // Of one length, so that no place is checked.
    let (shift, inverse, centre) = (&by.shift[..columns], &by.inverse[..columns], &by.centre[..columns]);
    let (scale, of_weight) = (&by.scale[..columns], &of_weight[..columns]);
    let rows = x.chunks_exact(columns).zip(of_out.chunks_exact(columns));
    for ((x, of_out), out) in rows.zip(out.chunks_exact_mut(columns)) {
        let (x, of_out, out) = (&x[..columns], &of_out[..columns], &mut out[..columns]);
        for column in 0..columns {
            let x = x[column];
            let is_on = !relu || x.mul_add(scale[column], shift[column]) > 0.0;
            let slope = if is_on { of_out[column] } else { 0.0 };
            let normal = x.mul_add(inverse[column], centre[column]);
            let of_x = scale[column] * (slope - of_bias[column] - normal * of_weight[column]);
            out[column] = if add { out[column] + of_x } else { of_x };
        }
    }
}

kernel!(
    add_slopes_of_rows,
    add_all_slopes_of_rows,
    fn(x: &[f32], of_out: &[f32], affine: (&[f32], &[f32]), relu: bool, sums: &mut [f32])
);

#[inline(always)]
unsafe fn add_all_slopes_of_rows<V: RealRegister>(
    x: &[f32],
    of_out: &[f32],
    (weight, bias): (&[f32], &[f32]),
    relu: bool,
    sums: &mut [f32],
) {
    let columns = weight.len();
    let (of_bias, of_weight) = sums.split_at_mut(columns);
    for (x, of_out) in x.chunks_exact(columns).zip(of_out.chunks_exact(columns)) {
        let (mean, inverse) = row_statistics(x);
        for column in 0..columns {
            let normal = (x[column] - mean) * inverse;
            let is_on = !relu || normal.mul_add(weight[column], bias[column]) > 0.0;
            let slope = if is_on { of_out[column] } else { 0.0 };
            of_bias[column] += slope;
            of_weight[column] += slope * normal;
        }
    }
}

kernel!(
    back_of_rows,
    back_of_all_rows,
    fn(x: &[f32], of_out: &[f32], affine: (&[f32], &[f32]), flags: (bool, bool), out: &mut [f32])
);

#[inline(always)]
unsafe fn back_of_all_rows<V: RealRegister>(
    x: &[f32],
    of_out: &[f32],
    (weight, bias): (&[f32], &[f32]),
    (relu, add): (bool, bool),
    out: &mut [f32],
) {
    let columns = weight.len();
    let rows = x.chunks_exact(columns).zip(of_out.chunks_exact(columns));
    for ((x, of_out), out) in rows.zip(out.chunks_exact_mut(columns)) {
        let (mean, inverse) = row_statistics(x);
        let (mut sum, mut along) = (0.0f32, 0.0f32);
        for (column, x) in x.iter().enumerate() {
            let normal = (x - mean) * inverse;
            let is_on = !relu || normal.mul_add(weight[column], bias[column]) > 0.0;
            let slope = if is_on { of_out[column] * weight[column] } else { 0.0 };
            sum += slope;
            along += slope * normal;
        }
        let (sum, along) = (sum / columns as f32, along / columns as f32);
        for (column, (x, out)) in x.iter().zip(out).enumerate() {
            let normal = (x - mean) * inverse;
            let is_on = !relu || normal.mul_add(weight[column], bias[column]) > 0.0;
            let slope = if is_on { of_out[column] * weight[column] } else { 0.0 };
            let of_x = inverse * (slope - sum - normal * along);
            *out = if add { *out + of_x } else { of_x };
        }
    }
}

//! What is the bidirectional policy's own: what groups of rows have in common, and the choice of an action.

use super::memory::Cpu;
use super::pieces::{by_instance, pieces_of};
use crate::engine::{Matrix, Rest};

/// About so many numbers are one piece of work.
const PIECE: usize = 16_384;

/// Groups of one piece: pairs stay together.
fn groups_of_piece(size: usize) -> usize {
    2 * (PIECE / (2 * size).max(1)).max(1)
}

pub(super) fn pool(x: &Matrix<Cpu>, count: usize, rest: &Rest, out: &Matrix<Cpu>) {
    let (columns, width) = (x.columns, out.columns);
    let x = x.read();
    let x = &*x;
    let share = 1.0 / count as f32;
    pieces_of(&mut out.write(), width, groups_of_piece(count * columns), |first, out| {
        for (group, out) in out.chunks_exact_mut(width).enumerate() {
            let rows = &x[(first + group) * count * columns..][..count * columns];
            let (mean, most) = out.split_at_mut(columns);
            let (most, after) = most.split_at_mut(columns);
            mean.fill(0.0);
            most.fill(f32::NEG_INFINITY);
            for row in rows.chunks_exact(columns) {
                for ((mean, most), x) in mean.iter_mut().zip(&mut *most).zip(row) {
                    *mean += share * x;
                    *most = most.max(*x);
                }
            }
            if let Rest::Numbers(numbers) = rest {
                after.copy_from_slice(numbers);
            }
        }
        if let Rest::Other = rest {
            for pair in out.chunks_exact_mut(2 * width) {
                let (one, other) = pair.split_at_mut(width);
                one[2 * columns..].copy_from_slice(&other[..columns]);
                other[2 * columns..].copy_from_slice(&one[..columns]);
            }
        }
    });
}

pub(super) fn pool_gradient(
    x: &Matrix<Cpu>,
    count: usize,
    rest: &Rest,
    of_out: &Matrix<Cpu>,
    (of_x, add): (&Matrix<Cpu>, bool),
) {
    let (columns, width) = (x.columns, of_out.columns);
    let (x, of_out) = (x.read(), of_out.read());
    let (x, of_out) = (&*x, &*of_out);
    let share = 1.0 / count as f32;
    let rows = groups_of_piece(count * columns) * count;
    pieces_of(&mut of_x.write(), columns, rows, |first, of_x| {
        if !add {
            of_x.fill(0.0);
        }
        for (group, of_x) in of_x.chunks_exact_mut(count * columns).enumerate() {
            let group = first / count + group;
            let x = &x[group * count * columns..][..count * columns];
            let slopes = &of_out[group * width..][..width];
            for column in 0..columns {
                let mut of_mean = slopes[column];
                if let Rest::Other = rest {
                    of_mean += of_out[(group ^ 1) * width + 2 * columns + column];
                }
                // The first of several that are the largest.
                let mut most = 0;
                for row in 0..count {
                    of_x[row * columns + column] += share * of_mean;
                    if x[row * columns + column] > x[most * columns + column] {
                        most = row;
                    }
                }
                of_x[most * columns + column] += slopes[columns + column];
            }
        }
    });
}

pub(super) fn take(
    logits: &Matrix<Cpu>,
    taught: &Matrix<Cpu>,
    clip: f32,
    tanhs: &Matrix<Cpu>,
    probabilities: &Matrix<Cpu>,
    likely: &Matrix<Cpu>,
) {
    let n = taught.columns;
    let (logits, taught) = (logits.read(), taught.read());
    let (logits, taught) = (&*logits, &*taught);
    let outs: [&mut [f32]; 3] = [&mut tanhs.write(), &mut probabilities.write(), &mut likely.write()];
    by_instance(outs, [n, n, 1], |state, [tanhs, chances, likely]| {
        let of_state = state * n..(state + 1) * n;
        for (tanh, logit) in tanhs.iter_mut().zip(&logits[of_state.clone()]) {
            *tanh = (logit / clip).tanh();
        }
        let largest = tanhs.iter().fold(f32::NEG_INFINITY, |largest, &x| largest.max(x));
        let mut sum = 0.0;
        for (chance, tanh) in chances.iter_mut().zip(&*tanhs) {
            *chance = (clip * (tanh - largest)).exp();
            sum += *chance;
        }
        let mut wanted = 0.0;
        for (chance, taught) in chances.iter_mut().zip(&taught[of_state]) {
            *chance /= sum;
            wanted += *chance * taught;
        }
        // Far from zero: the logits are clipped.
        likely[0] = wanted.ln();
    });
}

pub(super) fn take_gradient(
    tanhs: &Matrix<Cpu>,
    probabilities: &Matrix<Cpu>,
    taught: &Matrix<Cpu>,
    of_likely: &Matrix<Cpu>,
    out: &Matrix<Cpu>,
) {
    let n = taught.columns;
    let (tanhs, chances, taught) = (tanhs.read(), probabilities.read(), taught.read());
    let (tanhs, chances, taught, of_likely) = (&*tanhs, &*chances, &*taught, of_likely.read());
    let of_likely = &*of_likely;
    by_instance([&mut out.write()], [n], |state, [out]| {
        let of_state = state * n..(state + 1) * n;
        let (tanhs, chances) = (&tanhs[of_state.clone()], &chances[of_state.clone()]);
        let taught = &taught[of_state];
        let wanted: f32 = chances.iter().zip(taught).map(|(chance, taught)| chance * taught).sum();
        for (place, out) in out.iter_mut().enumerate() {
            let (chance, tanh) = (chances[place], tanhs[place]);
            *out = of_likely[state] * chance * (taught[place] / wanted - 1.0) * (1.0 - tanh * tanh);
        }
    });
}

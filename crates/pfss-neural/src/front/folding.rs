//! Rows of lanes, both halves of each folded to one number.

use super::panels::UNIT;

/// Rows that are folded together.
const ROWS: usize = 4;

/// What rows are folded by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fold {
    Sum,
    /// The second where neither is larger, as the instruction does it.
    Largest,
}

/// Folds both halves of each row, in pairs as registers do it, into a number for the front and one for the back. There
/// must be a multiple of [`ROWS`] rows.
#[inline(always)]
pub(super) fn fold_rows(fold: Fold, rows: &[f32], front: &mut [f32], back: &mut [f32]) {
    let blocks = rows.as_chunks::<UNIT>().0.as_chunks::<ROWS>().0;
    let targets = front.as_chunks_mut::<ROWS>().0.iter_mut().zip(back.as_chunks_mut::<ROWS>().0);
    for (block, (front, back)) in blocks.iter().zip(targets) {
        [*front, *back] = four(fold, block);
    }
}

#[cfg(target_arch = "x86_64")]
use vector::four;

#[cfg(not(target_arch = "x86_64"))]
use plain as four;

/// Both halves of four rows; row after row.
#[cfg_attr(target_arch = "x86_64", cfg_attr(not(test), allow(dead_code)))]
#[inline(always)]
fn plain(fold: Fold, rows: &[[f32; UNIT]; ROWS]) -> [[f32; ROWS]; 2] {
    let with = |a: f32, b: f32| match fold {
        Fold::Sum => a + b,
        Fold::Largest => {
            if a > b {
                a
            } else {
                b
            }
        }
    };
    [0, UNIT / 2].map(|half| {
        rows.each_ref().map(|row| {
            let fours: [f32; 4] = std::array::from_fn(|i| with(row[half + i], row[half + i + 4]));
            with(with(fours[0], fours[2]), with(fours[1], fours[3]))
        })
    })
}

#[cfg(target_arch = "x86_64")]
mod vector {
    use std::arch::x86_64::{
        __m128, _mm_add_ps, _mm_loadu_ps, _mm_max_ps, _mm_movehl_ps, _mm_movelh_ps, _mm_storeu_ps,
        _mm_unpackhi_ps, _mm_unpacklo_ps,
    };

    use super::{Fold, ROWS, UNIT};

    /// The same for all four rows at once: every processor of this kind has these registers.
    #[inline(always)]
    pub(super) fn four(fold: Fold, rows: &[[f32; UNIT]; ROWS]) -> [[f32; ROWS]; 2] {
        [half(fold, rows, 0), half(fold, rows, UNIT / 2)]
    }

    // No closures: where the compiler makes functions of them, these lack the caller's instructions, and switching costs
    // more than folding.
    #[inline(always)]
    fn half(fold: Fold, rows: &[[f32; UNIT]; ROWS], from: usize) -> [f32; ROWS] {
        let mut folded = [0.0; ROWS];
        // SAFETY: the instructions are part of the architecture; all eight lanes of a half are within its row.
        unsafe {
            let a = quarter(fold, &rows[0], from);
            let b = quarter(fold, &rows[1], from);
            let c = quarter(fold, &rows[2], from);
            let d = quarter(fold, &rows[3], from);
            // Columns instead of rows.
            let (ab, cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
            let (first, second) = (_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab));
            let (ab, cd) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
            let (third, fourth) = (_mm_movelh_ps(ab, cd), _mm_movehl_ps(cd, ab));
            let result = with(fold, with(fold, first, third), with(fold, second, fourth));
            _mm_storeu_ps(folded.as_mut_ptr(), result);
        }
        folded
    }

    /// The lower four lanes of a half with the upper ones.
    #[inline(always)]
    unsafe fn quarter(fold: Fold, row: &[f32; UNIT], from: usize) -> __m128 {
        // SAFETY: the caller's.
        unsafe {
            let row = row.as_ptr().add(from);
            with(fold, _mm_loadu_ps(row), _mm_loadu_ps(row.add(4)))
        }
    }

    #[inline(always)]
    unsafe fn with(fold: Fold, a: __m128, b: __m128) -> __m128 {
        // SAFETY: the caller's.
        unsafe {
            match fold {
                Fold::Sum => _mm_add_ps(a, b),
                Fold::Largest => _mm_max_ps(a, b),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_folded_as_one_by_one() {
        let value = |k: usize| ((k * 7919 % 1013) as f32 - 500.0) / 37.0;
        let rows: Vec<f32> = (0..8 * UNIT).map(value).collect();
        for fold in [Fold::Sum, Fold::Largest] {
            let (mut front, mut back) = ([0.0; 8], [0.0; 8]);
            fold_rows(fold, &rows, &mut front, &mut back);
            for (index, block) in rows.as_chunks::<UNIT>().0.as_chunks::<ROWS>().0.iter().enumerate() {
                let [expected_front, expected_back] = plain(fold, block);
                assert_eq!(front[index * ROWS..][..ROWS], expected_front);
                assert_eq!(back[index * ROWS..][..ROWS], expected_back);
            }
            let first = rows[..8].iter().copied();
            match fold {
                Fold::Sum => assert!((front[0] - first.sum::<f32>()).abs() < 1e-4),
                Fold::Largest => assert_eq!(front[0], first.fold(f32::NEG_INFINITY, f32::max)),
            }
        }
    }
}

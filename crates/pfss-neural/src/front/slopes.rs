//! By how much scores rise with what a guide sees: least squares that soon forget.

use super::guide::{LOOKS, Look};

/// What each step leaves of the sums before it.
const KEEP: f64 = 0.8;

/// A little of each square is added, which keeps numbers that say the same from cancelling each other.
const RIDGE: f64 = 1e-3;

/// Least squares of scores by looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Slopes {
    sums: Sums,
    values: [f64; LOOKS],
}

impl Slopes {
    /// By how much a score rises with a look.
    pub(super) fn rise(&self, look: Look) -> f64 {
        self.values.iter().zip(look).map(|(slope, value)| slope * f64::from(value)).sum()
    }

    /// Takes in scores and looks of each end, which may have a constant of its own.
    pub(super) fn learn(&mut self, ends: [&[(f32, Look)]; 2]) {
        // Each end by itself: so the sums are the same for the mirrored problem.
        let [front, back] = ends.map(Sums::of);
        for (i, product) in self.sums.products.iter_mut().enumerate() {
            *product = *product * KEEP + (front.products[i] + back.products[i]);
            for (j, square) in self.sums.squares[i].iter_mut().enumerate() {
                *square = *square * KEEP + (front.squares[i][j] + back.squares[i][j]);
            }
        }
        self.values = self.sums.solve();
    }
}

/// Sums of products of looks with each other and with scores.
#[derive(Clone, Debug, Default, PartialEq)]
struct Sums {
    squares: [[f64; LOOKS]; LOOKS],
    products: [f64; LOOKS],
}

impl Sums {
    /// Of what differs from the mean.
    fn of(pairs: &[(f32, Look)]) -> Self {
        let share = 1.0 / pairs.len().max(1) as f64;
        let (mut mean, mut means) = (0.0, [0.0; LOOKS]);
        for &(score, look) in pairs {
            mean += f64::from(score) * share;
            for (mean, value) in means.iter_mut().zip(look) {
                *mean += f64::from(value) * share;
            }
        }
        let mut sums = Self::default();
        for &(score, look) in pairs {
            let look: [f64; LOOKS] = std::array::from_fn(|k| f64::from(look[k]) - means[k]);
            for (i, row) in sums.squares.iter_mut().enumerate() {
                sums.products[i] += look[i] * (f64::from(score) - mean);
                for (square, other) in row.iter_mut().zip(look) {
                    *square += look[i] * other;
                }
            }
        }
        sums
    }

    /// Gaussian elimination: the matrix is positive definite.
    fn solve(&self) -> [f64; LOOKS] {
        let (mut matrix, mut right) = (self.squares, self.products);
        for (k, row) in matrix.iter_mut().enumerate() {
            row[k] = row[k] * (1.0 + RIDGE) + f64::MIN_POSITIVE;
        }
        for pivot in 0..LOOKS {
            let (above, below) = matrix.split_at_mut(pivot + 1);
            let own = above[pivot];
            for (row, k) in below.iter_mut().zip(pivot + 1..) {
                let factor = row[pivot] / own[pivot];
                for (value, other) in row.iter_mut().zip(own).skip(pivot) {
                    *value -= factor * other;
                }
                right[k] -= factor * right[pivot];
            }
        }
        for k in (0..LOOKS).rev() {
            let known: f64 = (k + 1..LOOKS).map(|other| matrix[k][other] * right[other]).sum();
            right[k] = (right[k] - known) / matrix[k][k];
        }
        // Where nothing differs, nothing is known.
        right.map(|slope| if slope.is_finite() { slope } else { 0.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_relation_is_found_and_an_old_one_forgotten() {
        let look = |k: usize| -> Look {
            std::array::from_fn(|i| ((k * 37 + i * i * 11 + k * i * 5) % 23) as f32 / 7.0)
        };
        let pairs = |factor: f64, shift: f32| -> Vec<(f32, Look)> {
            let of = |look: Look| {
                look.iter().zip(1..).map(|(value, k)| f64::from(*value) * f64::from(k)).sum::<f64>()
            };
            (0..40).map(|k| ((factor * of(look(k))) as f32 + shift, look(k))).collect()
        };
        let mut slopes = Slopes::default();
        assert_eq!(slopes.rise([1.0; LOOKS]), 0.0);
        let near = |slopes: &Slopes, factor: f64| {
            let found = slopes.rise([1.0; LOOKS]);
            let expected = factor * (1..=LOOKS).sum::<usize>() as f64;
            assert!((found - expected).abs() < 0.1 * expected.abs(), "{found} of {expected}");
        };
        slopes.learn([&pairs(1.0, 3.0), &pairs(1.0, -3.0)]);
        near(&slopes, 1.0);
        for _ in 0..40 {
            slopes.learn([&pairs(-2.0, 0.0), &pairs(-2.0, 1.0)]);
        }
        near(&slopes, -2.0);
        slopes.learn([&[], &[]]);
        assert!(slopes.rise([1.0; LOOKS]).is_finite());
    }
}

//! Sums over very many rows.
//!
//! The gradient of a weight is a sum over all rows that it maps. A GPU computes a product with few results and a very long
//! inner dimension with very few threads, and a sum over such a dimension too. In blocks, near the root of their number,
//! both the sums within blocks and those over them keep many threads busy.

use burn::tensor::Tensor;
use burn::tensor::backend::Backend;

/// How sums over rows are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sums {
    /// At once: best on the CPU.
    Whole,
    /// In blocks: best on a GPU.
    #[cfg_attr(not(any(feature = "cuda", test)), allow(dead_code))]
    Blocks,
}

impl Sums {
    /// Into how many blocks of equal size so many rows are cut: the divisor below their root that is nearest to it.
    fn blocks(self, rows: usize) -> usize {
        match self {
            Self::Whole => 1,
            Self::Blocks => {
                (1..=rows.isqrt()).rev().find(|&divisor| rows.is_multiple_of(divisor)).unwrap_or(1)
            }
        }
    }

    /// Rows in blocks.
    pub(crate) fn cut<B: Backend>(self, rows: Tensor<B, 2>) -> Tensor<B, 3> {
        let [count, columns] = rows.dims();
        let blocks = self.blocks(count);
        rows.reshape([blocks, count / blocks, columns])
    }

    /// A linear map of each row; the rows of `weight` are outputs.
    pub(crate) fn map<B: Backend>(self, rows: Tensor<B, 2>, weight: Tensor<B, 2>) -> Tensor<B, 2> {
        let [count, inputs] = rows.dims();
        let outputs = weight.dims()[0];
        match self {
            Self::Whole => rows.matmul(weight.transpose()),
            Self::Blocks => {
                let weight = weight.transpose().reshape([1, inputs, outputs]);
                self.cut(rows).matmul(weight).reshape([count, outputs])
            }
        }
    }

    /// A linear map of each row, plus a row.
    pub(crate) fn linear<B: Backend>(
        self,
        rows: Tensor<B, 2>,
        weight: Tensor<B, 2>,
        bias: Tensor<B, 2>,
    ) -> Tensor<B, 2> {
        let [count, outputs] = [rows.dims()[0], weight.dims()[0]];
        let mapped = self.cut(self.map(rows, weight));
        (mapped + bias.reshape([1, 1, outputs])).reshape([count, outputs])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_of_equal_size_and_near_the_root() {
        for (rows, blocks) in [(1, 1), (7, 1), (12, 3), (400, 20), (2560, 40), (82_000, 250)] {
            assert_eq!(Sums::Blocks.blocks(rows), blocks);
            assert_eq!(Sums::Whole.blocks(rows), 1);
        }
        assert_eq!(Sums::Blocks.blocks(0), 1);
    }
}

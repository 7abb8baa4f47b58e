//! Normalisation with the statistics of a trained network.

use pfss_core::simd::RealRegister;

use super::linear::PAD;
use crate::network::{Normalization, Weights};

/// What batch normalisation adds to a variance.
const EPSILON: f32 = 1e-5;

/// A normalisation, ready to be applied to a row.
#[derive(Clone, Debug)]
pub(super) enum Norm {
    /// Batch normalisation with running statistics is an affine map.
    Affine { scale: Vec<f32>, shift: Vec<f32> },
    /// Layer normalisation over the first `width` numbers of a row.
    Layer { weight: Vec<f32>, bias: Vec<f32>, width: usize },
    /// Nothing.
    None,
}

impl Norm {
    pub(super) fn new(weights: &Weights, name: &str) -> Self {
        let config = weights.config();
        let get = |what: &str| weights.get(&format!("{name}.{what}"));
        match config.normalization {
            Normalization::None => Self::None,
            Normalization::Layer => {
                Self::Layer { weight: padded(get("weight")), bias: padded(get("bias")), width: config.width }
            }
            Normalization::Batch => {
                let statistics = get("running_mean").iter().zip(get("running_var"));
                let affine = get("weight").iter().zip(get("bias")).zip(statistics);
                let (scale, shift): (Vec<f32>, Vec<f32>) = affine
                    .map(|((weight, bias), (mean, variance))| {
                        let scale = weight / (variance + EPSILON).sqrt();
                        (scale, bias - mean * scale)
                    })
                    .unzip();
                Self::Affine { scale: padded(&scale), shift: padded(&shift) }
            }
        }
    }

    /// Whether it must see a whole row before the first of its values.
    pub(super) fn needs_rows(&self) -> bool {
        matches!(self, Self::Layer { .. })
    }

    /// The rows' values at `column` are normalised by lanes; layer normalisation needs whole rows first.
    #[inline(always)]
    pub(super) fn prepare(&self, row: &mut [f32]) {
        let Self::Layer { weight, bias, width } = self else { return };
        // Plain sums in order: the same on every path.
        let mean = row[..*width].iter().sum::<f32>() / *width as f32;
        let variance = row[..*width].iter().map(|x| (x - mean) * (x - mean)).sum::<f32>() / *width as f32;
        let scale = 1.0 / (variance + EPSILON).sqrt();
        for ((x, weight), bias) in row.iter_mut().zip(weight).zip(bias) {
            *x = ((*x - mean) * scale).mul_add(*weight, *bias);
        }
    }

    #[inline(always)]
    pub(super) unsafe fn apply<V: RealRegister>(&self, value: V, column: usize) -> V {
        match self {
            // SAFETY: the caller's feature; both are padded rows.
            Self::Affine { scale, shift } => unsafe {
                value.fma(V::load(scale.as_ptr().add(column)), V::load(shift.as_ptr().add(column)))
            },
            _ => value,
        }
    }
}

/// A row with zeros up to a multiple of [`PAD`].
pub(super) fn padded(row: &[f32]) -> Vec<f32> {
    let mut row = row.to_vec();
    row.resize(row.len().next_multiple_of(PAD), 0.0);
    row
}

//! The part of the network that looks at one candidate after the other.

use super::panels::Panels;

/// The maps of single candidates; channels are padded.
#[derive(Clone, Debug)]
pub(super) struct PerCandidate {
    pub(super) hidden: usize,
    /// The width of embeddings without padding.
    pub(super) width: usize,
    pub(super) padded_width: usize,
    pub(super) first: Panels,
    pub(super) second: Panels,
    pub(super) second_bias: Vec<f32>,
    pub(super) candidate: Panels,
    pub(super) mix: Panels,
    pub(super) norm_weight: Vec<f32>,
    pub(super) norm_bias: Vec<f32>,
    /// One for each channel of an embedding, zero for those that only fill up registers.
    pub(super) present: Vec<f32>,
    pub(super) score: Panels,
    pub(super) output: Vec<f32>,
    pub(super) output_bias: f32,
}

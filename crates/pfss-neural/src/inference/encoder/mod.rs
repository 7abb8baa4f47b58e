//! The encoders of trained networks: from what is known of each job to its embedding.

mod ggcn;
mod lstm;
mod self_attention;
mod transformer;

use pfss_core::simd::Instructions;

use super::linear::PAD;
use crate::graph::NeighbourGraph;
use crate::network::{EncoderKind, Weights};
use ggcn::GraphEncoder;
use lstm::LstmEncoder;
use transformer::TransformerEncoder;

#[derive(Clone, Debug)]
enum Kind {
    Graph(GraphEncoder),
    Lstm(LstmEncoder),
    Transformer(TransformerEncoder),
}

/// The encoder of a trained network.
#[derive(Clone, Debug)]
pub(crate) struct Encoder {
    width: usize,
    kind: Kind,
}

impl Encoder {
    pub(crate) fn new(weights: &Weights) -> Self {
        let kind = match weights.config().encoder {
            EncoderKind::Ggcn => Kind::Graph(GraphEncoder::new(weights)),
            EncoderKind::Lstm => Kind::Lstm(LstmEncoder::new(weights)),
            EncoderKind::Transformer => Kind::Transformer(TransformerEncoder::new(weights)),
        };
        Self { width: weights.config().width, kind }
    }

    /// The embeddings of all jobs. `features` holds a row of numbers per job, padded to a multiple of [`PAD`]; only the
    /// graph encoder looks at the graph. `None` when `goes_on` said so.
    pub(crate) fn encode(
        &self,
        instructions: Instructions,
        features: &[f32],
        graph: &NeighbourGraph,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<Vec<f32>> {
        match &self.kind {
            Kind::Graph(encoder) => encoder.encode(instructions, features, graph, goes_on),
            Kind::Lstm(encoder) => encoder.encode(instructions, features, goes_on),
            Kind::Transformer(encoder) => encoder.encode(instructions, features, goes_on),
        }
    }

    /// The mean embedding of all jobs: the graph embedding of Eq. 2.
    pub(crate) fn mean(&self, jobs: &[f32]) -> Vec<f32> {
        let stride = self.width.next_multiple_of(PAD);
        let mut sum = vec![0.0f32; stride];
        for row in jobs.chunks_exact(stride) {
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        let count = (jobs.len() / stride) as f32;
        sum.iter_mut().for_each(|sum| *sum /= count);
        debug_assert!(sum[self.width..].iter().all(|&value| value == 0.0));
        sum
    }
}

//! The shape of a network.

use clap::{Args, ValueEnum};

/// The shape of a network.
#[derive(Args, Clone, Debug)]
#[cfg_attr(not(feature = "train"), allow(dead_code))]
#[command(next_help_heading = "Network")]
pub(crate) struct NetworkArgs {
    /// What makes embeddings of the jobs
    #[arg(long, default_value = "ggcn")]
    pub(crate) encoder: EncoderName,
    /// The width of all embeddings
    #[arg(long, value_name = "D", default_value_t = 128)]
    pub(crate) width: usize,
    /// The number of graph layers
    #[arg(long, value_name = "L", default_value_t = 3)]
    pub(crate) layers: usize,
    /// The number of attention heads
    #[arg(long, value_name = "H", default_value_t = 8)]
    pub(crate) heads: usize,
    /// ggcn, and the critic of ac: the share of the other jobs that are a job's neighbours [default: 0.2]
    #[arg(long, value_name = "SHARE")]
    pub(crate) neighbours: Option<f64>,
    /// ggcn, and the critic of ac: how a job's neighbours are put together [default: mean]
    #[arg(long)]
    pub(crate) aggregation: Option<AggregationName>,
    /// What is normalised
    #[arg(long = "normalisation", default_value = "batch")]
    pub(crate) normalization: NormalizationName,
    /// What is done to processing times or coordinates before the network sees them
    #[arg(long, default_value = "mean")]
    pub(crate) input_scale: ScaleName,
    /// What the decoder looks at before each choice
    #[arg(long, default_value = "open")]
    pub(crate) glimpse: GlimpseName,
}

/// What the decoder looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GlimpseName {
    /// The jobs that are left, as in the paper's program
    Open,
    /// All jobs, as printed in the paper (Eq. 3)
    All,
}

/// What makes embeddings of the jobs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EncoderName {
    /// The paper's gated graph convolution
    Ggcn,
    /// Self-attention and a recurrent layer
    Lstm,
    /// A Transformer's encoder
    Transformer,
}

/// How a job's neighbours are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AggregationName {
    /// Their mean
    Mean,
    /// Their sum
    Sum,
    /// Their maximum
    Max,
}

/// What is normalised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NormalizationName {
    /// Each feature over the batch
    Batch,
    /// The features of each job or edge
    Layer,
    /// Nothing
    None,
}

/// What is done to processing times first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScaleName {
    /// Nothing, as in the paper
    Raw,
    /// Times are divided by the instance's mean, maps are fitted into the unit square
    Mean,
}

//! The network and the device that the arguments ask for.

#[cfg(not(feature = "cuda"))]
use anyhow::bail;
use pfss_neural::{Aggregation, EncoderKind, Glimpse, InputScale, NetworkConfig, Normalization, ProblemKind};
use pfss_training::{CostScale, Device};

use crate::args::{
    AggregationName, CostName, DeviceName, EncoderName, GlimpseName, NetworkArgs, NormalizationName,
    ScaleName,
};

/// The network for instances of a problem with so many numbers per job.
pub(super) fn network(args: &NetworkArgs, problem: ProblemKind, width: usize) -> NetworkConfig {
    NetworkConfig {
        problem,
        encoder: match args.encoder {
            EncoderName::Ggcn => EncoderKind::Ggcn,
            EncoderName::Lstm => EncoderKind::Lstm,
            EncoderName::Transformer => EncoderKind::Transformer,
        },
        neighbours: args.neighbours.unwrap_or(0.2),
        width: args.width,
        layers: args.layers,
        heads: args.heads,
        aggregation: match args.aggregation {
            None | Some(AggregationName::Mean) => Aggregation::Mean,
            Some(AggregationName::Sum) => Aggregation::Sum,
            Some(AggregationName::Max) => Aggregation::Max,
        },
        normalization: match args.normalization {
            NormalizationName::Batch => Normalization::Batch,
            NormalizationName::Layer => Normalization::Layer,
            NormalizationName::None => Normalization::None,
        },
        scale: match args.input_scale {
            ScaleName::Raw => InputScale::Raw,
            ScaleName::Mean => InputScale::Mean,
        },
        glimpse: match args.glimpse {
            GlimpseName::Open => Glimpse::Open,
            GlimpseName::All => Glimpse::All,
        },
        ..NetworkConfig::new(width)
    }
}

/// What actor and critic learn of costs.
pub(super) fn cost_scale(name: CostName) -> CostScale {
    match name {
        CostName::Scaled => CostScale::Scaled,
        CostName::Raw => CostScale::Raw,
    }
}

/// Where to train.
pub(super) fn device(name: DeviceName) -> anyhow::Result<Device> {
    match name {
        DeviceName::Cpu => Ok(Device::Cpu),
        #[cfg(feature = "cuda")]
        DeviceName::Cuda => Ok(Device::Cuda),
        #[cfg(not(feature = "cuda"))]
        DeviceName::Cuda => {
            bail!("this build trains on the processor only; build with `--features cuda` for an NVIDIA GPU")
        }
    }
}

//! The problems that this build knows.

use pfss::{LoadModelError, LoadedPolicy, PortableModel};
use pfss_core::{Instance, Time};
use pfss_io::{AnyInstance, match_instance};
use pfss_neural::{DatasetError, LabelledSet, ProblemInstance, ProblemKind};

use crate::args::ProblemName;

impl ProblemName {
    /// The problem, as models name it.
    pub(crate) fn kind(self) -> ProblemKind {
        match self {
            Self::FlowShop => ProblemKind::FLOW_SHOP,
            #[cfg(feature = "tsp")]
            Self::Tsp => pfss_tsp::TOURS,
        }
    }

    /// The problem that a labelled set is of.
    pub(crate) fn of(set: &LabelledSet) -> Self {
        match set.kind() {
            #[cfg(feature = "tsp")]
            kind if *kind == pfss_tsp::TOURS => Self::Tsp,
            _ => Self::FlowShop,
        }
    }

    /// A policy for the problem: of a file, or of a name.
    pub(crate) fn load_model(self, model: &str) -> Result<LoadedPolicy, LoadModelError> {
        match self {
            Self::FlowShop => pfss::load_model(model),
            #[cfg(feature = "tsp")]
            Self::Tsp => pfss_tsp::load_model(model),
        }
    }

    /// The same policy for other processes.
    pub(crate) fn portable_model(self, model: &str) -> Result<PortableModel, LoadModelError> {
        match self {
            Self::FlowShop => PortableModel::find(model),
            #[cfg(feature = "tsp")]
            Self::Tsp => pfss_tsp::portable_model(model),
        }
    }
}

/// An instance with real times, as networks see it.
pub(super) fn real(any: &AnyInstance) -> anyhow::Result<ProblemInstance> {
    match_instance!(any, instance => {
        let times = instance.times().iter().map(|time| Time::to_f64(*time)).collect();
        Ok(Instance::new(instance.name(), instance.num_machines(), times)?.into())
    })
}

/// Reads labelled instances of any problem.
pub(super) fn read_labels(bytes: &[u8]) -> Result<LabelledSet, DatasetError> {
    LabelledSet::read(
        bytes,
        &[
            #[cfg(feature = "tsp")]
            pfss_tsp::STORED_TOURS,
        ],
    )
}

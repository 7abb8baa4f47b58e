//! Orders of an expert for many instances.

use std::sync::atomic::Ordering;

use pfss::{LabelError, Labelling, Settings};
use pfss_core::{CancelFlag, JobId, Permutation, PermutationProblem, Seed, Solver};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::batch::{Batch, on_threads};
use crate::entry::NativeInstance;
use crate::error::{Fault, input};
use crate::watched::Call;

/// How the expert works.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Expert {
    algorithm: String,
    settings: String,
    evaluations: Option<u64>,
    seed: u64,
    threads: usize,
}

/// The expert's orders, by number.
#[pyfunction]
#[pyo3(signature = (instances, expert, tick, is_main))]
pub(crate) fn label<'py>(
    py: Python<'py>,
    instances: Vec<PyRef<'py, NativeInstance>>,
    expert: Expert,
    tick: Option<Bound<'py, PyAny>>,
    is_main: bool,
) -> PyResult<Vec<Vec<JobId>>> {
    let batch = Batch::new(&instances)?;
    let algorithm = pfss::algorithm(&expert.algorithm).map_err(input)?;
    let settings = Settings::from_json(&expert.settings).map_err(input)?;
    let evaluations = expert.evaluations.filter(|_| algorithm.searches());
    if algorithm.searches() && evaluations.is_none() {
        return Err(input(format!("`{}` searches until a limit: say how many evaluations", algorithm.name)));
    }
    let (call, cancel, done) = Call::of_batch(tick, is_main);
    let (integer, real) =
        (algorithm.integer(&settings).map_err(input)?, algorithm.real(&settings).map_err(input)?);
    let work = move |_: &crate::news::Listener| {
        let progress = move |count: usize| done.store(count, Ordering::Relaxed);
        let plan = Plan { evaluations, seed: Seed::new(expert.seed), cancel };
        on_threads(expert.threads, || match &batch {
            Batch::Integer(instances) => plan.label(&*integer, instances, &progress),
            Batch::Real(instances) => plan.label(&*real, instances, &progress),
        })?
    };
    let orders = call.run(py, work)??;
    let orders = orders.ok_or_else(|| PyKeyboardInterrupt::new_err(()))?;
    Ok(orders.iter().map(|order| order.as_slice().to_vec()).collect())
}

struct Plan {
    evaluations: Option<u64>,
    seed: Seed,
    cancel: CancelFlag,
}

impl Plan {
    fn label<P: PermutationProblem>(
        &self,
        expert: &dyn Solver<P>,
        instances: &[P],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Option<Vec<Permutation>>, Fault> {
        let Self { evaluations, seed, ref cancel } = *self;
        let labelling = Labelling { expert, evaluations, seed, cancel: cancel.clone() };
        labelling.label(instances, progress).map_err(|error: LabelError| Fault::unsolved(error))
    }
}

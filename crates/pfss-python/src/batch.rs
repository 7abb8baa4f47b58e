//! Many instances at once, on all cores.

use pfss_core::{Instance, Time};
use pfss_io::{AnyInstance, match_instance};
use pyo3::prelude::*;

use crate::entry::NativeInstance;
use crate::error::{Fault, input};

/// Instances of one kind of numbers: whole where all of them are.
pub(crate) enum Batch {
    Integer(Vec<Instance<u32>>),
    Real(Vec<Instance<f64>>),
}

impl Batch {
    /// Copies of the instances; those that carry more than times are refused.
    pub(crate) fn new(instances: &[PyRef<'_, NativeInstance>]) -> PyResult<Self> {
        if let Some(index) = instances.iter().position(|instance| instance.problem().line.is_some()) {
            return Err(input(format!(
                "instance {index} (counted from 0) carries more than times or has another objective than the makespan; \
                 policies and labels are for the plain problem"
            )));
        }
        let any = || instances.iter().map(|instance| &instance.problem().entry.instance);
        let whole: Option<Vec<Instance<u32>>> = any()
            .map(|any| if let AnyInstance::Integer(instance) = any { Some(instance.clone()) } else { None })
            .collect();
        match whole {
            Some(instances) => Ok(Self::Integer(instances)),
            None => Ok(Self::Real(any().map(real).collect::<PyResult<_>>()?)),
        }
    }
}

fn real(any: &AnyInstance) -> PyResult<Instance<f64>> {
    match_instance!(any, instance => {
        let times = instance.times().iter().map(|time| time.to_f64()).collect();
        Instance::new(instance.name(), instance.num_machines(), times).map_err(input)
    })
}

/// Works on so many threads of its own: none are left behind, so that a process may fork afterwards.
pub(crate) fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> Result<R, Fault> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    Ok(pool.map_err(|error| Fault::unsolved(format!("no threads could be started: {error}")))?.install(work))
}

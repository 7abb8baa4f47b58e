//! Trained policies as Python holds them.

use std::sync::atomic::{AtomicUsize, Ordering};

use pfss::{Building, Built, LoadedPolicy, load_model};
use pfss_core::{CancelFlag, Instance, JobId, Seed, Time};
use pfss_io::{TimeValue, match_instance};
use pfss_neural::{Decoding, End, FrontState};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;

use crate::batch::{Batch, on_threads};
use crate::entry::NativeInstance;
use crate::error::{Fault, input};
use crate::jobs::Jobs;
use crate::value::Number;
use crate::watched::Call;

/// A trained policy.
#[pyclass(frozen, module = "pfss._pfss")]
pub(crate) struct NativePolicy {
    policy: LoadedPolicy,
}

/// How orders are built.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Manner {
    samples: usize,
    temperature: f32,
    beam: usize,
    reverse: bool,
    seed: u64,
    threads: usize,
}

impl Manner {
    fn building(&self) -> PyResult<Building> {
        if !(self.temperature > 0.0 && self.temperature.is_finite()) {
            return Err(input(format!(
                "the temperature is {}; expected a positive number",
                self.temperature
            )));
        }
        let decoding = match (self.samples, self.beam) {
            (0, 0) => Decoding::Greedy,
            (samples, 0) => Decoding::Sample { samples, temperature: self.temperature },
            (_, width) => Decoding::Beam { width },
        };
        Ok(Building { decoding, reverse: self.reverse })
    }
}

#[pymethods]
impl NativePolicy {
    /// The policy of this name, or in this file or folder.
    #[new]
    fn load(model: &str) -> PyResult<Self> {
        Ok(Self { policy: load_model(model).map_err(input)? })
    }

    /// `network` (one job after the other) or `front` (from both ends).
    #[getter]
    fn kind(&self) -> &'static str {
        match self.policy {
            LoadedPolicy::Network(_) => "network",
            LoadedPolicy::Front(_) => "front",
        }
    }

    /// The best order of each instance, and its makespan.
    #[pyo3(signature = (instances, manner, tick, is_main))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        instances: Vec<PyRef<'py, NativeInstance>>,
        manner: Manner,
        tick: Option<Bound<'py, PyAny>>,
        is_main: bool,
    ) -> PyResult<Vec<(Vec<JobId>, Number)>> {
        let batch = Batch::new(&instances)?;
        let building = manner.building()?;
        let (call, cancel, done) = Call::of_batch(tick, is_main);
        let policy = self.policy.clone();
        let work = move |_: &crate::news::Listener| {
            let each = Each {
                policy: &policy,
                building,
                seed: Seed::new(manner.seed),
                cancel: &cancel,
                done: &done,
            };
            on_threads(manner.threads, || match &batch {
                Batch::Integer(instances) => each.decode(instances),
                Batch::Real(instances) => each.decode(instances),
            })?
        };
        let built = call.run(py, work)??.ok_or_else(|| PyKeyboardInterrupt::new_err(()))?;
        Ok(built.into_iter().map(|(order, value)| (order, value.into())).collect())
    }

    /// The logarithms of the probabilities along an order that grows at the front. One row for each step: of `network` a
    /// column for each job; of `front` the jobs at the front, then the jobs at the back. Placed jobs have minus infinity.
    fn log_probabilities(
        &self,
        instance: &NativeInstance,
        order: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<Vec<f32>>> {
        let any = &instance.problem().entry.instance;
        let order = Jobs::of(any).order(order)?;
        match_instance!(any, instance => match &self.policy {
            LoadedPolicy::Network(policy) => policy.log_probabilities(instance, &order).map_err(input),
            LoadedPolicy::Front(policy) => {
                let mut state = FrontState::of(instance);
                let mut rows = Vec::with_capacity(order.len());
                for &job in order.iter() {
                    let mut row = vec![f32::NEG_INFINITY; 2 * instance.num_jobs()];
                    let places = state.remaining().iter().zip(policy.log_probabilities(&state));
                    for (&job, [front, back]) in places {
                        row[job as usize] = front;
                        row[instance.num_jobs() + job as usize] = back;
                    }
                    rows.push(row);
                    state.place(job, End::Front);
                }
                Ok(rows)
            }
        })
    }
}

/// What a model is called in sentences and the content of its file.
#[pyfunction]
pub(crate) fn model_content<'py>(py: Python<'py>, model: &str) -> PyResult<(String, Bound<'py, PyBytes>)> {
    let (file, content) = pfss::model_content(model).map_err(input)?;
    Ok((file.display().to_string(), PyBytes::new(py, &content)))
}

/// An order and its makespan for each instance.
type Orders = Vec<(Vec<JobId>, TimeValue)>;

/// Orders of one instance after the other.
struct Each<'a> {
    policy: &'a LoadedPolicy,
    building: Building,
    seed: Seed,
    cancel: &'a CancelFlag,
    done: &'a AtomicUsize,
}

impl Each<'_> {
    /// The orders and makespans; `None` when it was cancelled.
    fn decode<T: Time>(&self, instances: &[Instance<T>]) -> Result<Option<Orders>, Fault> {
        let decode = |(index, instance): (usize, &Instance<T>)| {
            if self.cancel.is_cancelled() {
                return Ok(None);
            }
            let built = self.building.order(self.policy, instance, self.seed.nth(index as u64));
            self.done.fetch_add(1, Ordering::Relaxed);
            built
                .map(|Built { order, cost, .. }| Some((order, TimeValue::new(cost))))
                .map_err(|error| Fault::input(format!("instance {index}: {error}")))
        };
        instances.par_iter().enumerate().map(decode).collect()
    }
}

//! Files of labelled instances.

use std::path::Path;

use numpy::{IntoPyArray, PyArray3, PyArrayMethods, PyReadonlyArray3};
use pfss_core::{Instance, JobId, Permutation};
use pfss_neural::{LabelledSet, ProblemInstance};
use pyo3::prelude::*;
use safetensors::{Dtype, SafeTensors};
use serde_json::{Map, Value};

use crate::error::input;

/// Times by instance, job and machine; orders; and the record in JSON.
type Labels<'py> = (Bound<'py, PyArray3<f64>>, Vec<Vec<JobId>>, String);

/// The labelled instances in a file.
#[pyfunction]
pub(crate) fn read_labels<'py>(py: Python<'py>, path: &str) -> PyResult<Labels<'py>> {
    let told = |reason: String| input(format!("{path}: {reason}"));
    let read = || -> Result<LabelledSet, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("cannot read: {error}"))?;
        refuse_other_numbers(&bytes)?;
        LabelledSet::from_bytes(&bytes).map_err(|error| error.to_string())
    };
    let set = py.detach(read).map_err(told)?;
    let shape = [set.items().len(), set.num_jobs(), set.num_machines()];
    let times: Vec<f64> =
        set.items().iter().flat_map(|item| item.instance.problem().numbers()).copied().collect();
    let orders = set.items().iter().map(|item| item.order.as_slice().to_vec()).collect();
    let record = Value::Object(set.record().clone()).to_string();
    Ok((times.into_pyarray(py).reshape(shape)?, orders, record))
}

/// Writes labelled instances as `read_labels` and the command line read them.
#[pyfunction]
pub(crate) fn write_labels(
    py: Python<'_>,
    path: &str,
    times: PyReadonlyArray3<'_, f64>,
    orders: Vec<Vec<JobId>>,
    record: &str,
) -> PyResult<()> {
    let (times, [_, n, m]) = (times.as_slice().map_err(input)?.to_vec(), times.as_array().dim().into());
    let write = move || -> Result<(), String> {
        let record: Map<String, Value> = serde_json::from_str(record).map_err(|error| error.to_string())?;
        let labelled = |(index, (times, order)): (usize, (&[f64], Vec<JobId>))| {
            let told = |error: &dyn std::fmt::Display| format!("instance {index}: {error}");
            let instance = Instance::new("", m, times.to_vec()).map_err(|error| told(&error))?;
            let order = Permutation::new(order, n).map_err(|error| told(&error))?;
            Ok((ProblemInstance::from(instance), order))
        };
        let rows = times.chunks_exact((n * m).max(1)).zip(orders).enumerate();
        let set = LabelledSet::new(rows.map(labelled).collect::<Result<_, String>>()?, record);
        let bytes = set.and_then(|set| set.to_bytes()).map_err(|error| error.to_string())?;
        pfss_io::atomic::write(Path::new(path), &bytes).map_err(|error| error.to_string())
    };
    py.detach(write).map_err(input)
}

/// Other tools write other types of numbers; what they wrote is said.
fn refuse_other_numbers(bytes: &[u8]) -> Result<(), String> {
    let Ok(file) = SafeTensors::deserialize(bytes) else { return Ok(()) };
    for (name, expected, in_words) in [("times", Dtype::F64, "float64"), ("orders", Dtype::U32, "uint32")] {
        let Ok(tensor) = file.tensor(name) else { continue };
        if tensor.dtype() != expected {
            return Err(format!(
                "its {name} are {:?}; they must be {in_words}, as `pfss.write_labels` writes them",
                tensor.dtype()
            ));
        }
    }
    Ok(())
}

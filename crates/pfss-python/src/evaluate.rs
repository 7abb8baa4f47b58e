//! What an order is worth, and what none can be.

use pfss_core::JobId;
use pyo3::prelude::*;

use crate::entry::NativeInstance;
use crate::jobs::Jobs;
use crate::value::Number;

/// The values of an order, one for each objective.
#[pyfunction]
pub(crate) fn evaluate(instance: &NativeInstance, order: &Bound<'_, PyAny>) -> PyResult<Vec<Number>> {
    let problem = instance.problem();
    let order = Jobs::of(&problem.entry.instance).order(order)?;
    Ok(problem.values(&order)?.into_iter().map(Number::from).collect())
}

/// The numbers of the jobs in an order.
#[pyfunction]
pub(crate) fn numbers(instance: &NativeInstance, order: &Bound<'_, PyAny>) -> PyResult<Vec<JobId>> {
    Ok(Jobs::of(&instance.problem().entry.instance).order(order)?.as_slice().to_vec())
}

/// A value that no order undercuts.
#[pyfunction]
pub(crate) fn lower_bound(py: Python<'_>, instance: &NativeInstance) -> Number {
    let problem = instance.problem();
    py.detach(|| problem.bound()).into()
}

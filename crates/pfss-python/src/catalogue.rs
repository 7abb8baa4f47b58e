//! The algorithms there are.

use pfss::{AlgorithmFor, Settings};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::error::input;

/// All algorithms as JSON: name, summary, reference, and parameters with their defaults. `plans` asks for those that know due
/// dates and all else that jobs and machines may carry.
#[pyfunction]
pub(crate) fn algorithms(plans: bool) -> PyResult<String> {
    let all: Vec<Value> = match plans {
        false => pfss::algorithms().iter().map(described).collect::<PyResult<_>>()?,
        true => pfss::planner::algorithms().iter().map(described).collect::<PyResult<_>>()?,
    };
    Ok(Value::from(all).to_string())
}

fn described<B>(algorithm: &AlgorithmFor<B>) -> PyResult<Value> {
    let defaults = Value::from(algorithm.config(&Settings::new()).map_err(input)?);
    let with_default = |parameter: pfss_core::Parameter| -> PyResult<Value> {
        let mut value = serde_json::to_value(&parameter).map_err(input)?;
        value["default"] = defaults[&parameter.name].clone();
        Ok(value)
    };
    let parameters: Vec<Value> =
        algorithm.parameters().into_iter().map(with_default).collect::<PyResult<_>>()?;
    Ok(json!({
        "name": algorithm.name,
        "summary": algorithm.summary,
        "reference": algorithm.reference,
        "parameters": parameters,
    }))
}

//! Every algorithm by name: its description, its parameters and how to build it.

use pfss_core::{Config, Instance, Parameter, ParameterError, Solver};
use serde_json::{Map, Value};
use thiserror::Error;

/// A solver for flow shops with times of type `T`.
pub type FlowShopSolver<T> = Box<dyn Solver<Instance<T>>>;

type Build<T> = fn(Value) -> Result<FlowShopSolver<T>, BuildError>;

/// One algorithm: what it is and how to make it.
pub struct Algorithm {
    /// The name on the command line, in JSON and in tables.
    pub name: &'static str,
    /// One line that says what it does.
    pub summary: &'static str,
    /// Where it was published.
    pub reference: &'static str,
    parameters: fn() -> Vec<Parameter>,
    complete: fn(Value) -> Result<Value, BuildError>,
    build_integer: Build<u32>,
    build_real: Build<f64>,
}

/// Why an algorithm cannot be built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// There is no algorithm of this name.
    #[error("there is no algorithm `{name}`; known are: {known}")]
    UnknownAlgorithm {
        /// The name that was asked for.
        name: String,
        /// All names, separated by commas.
        known: String,
    },
    /// The parameters do not fit.
    #[error("{algorithm}: {reason}")]
    Parameters {
        /// The algorithm.
        algorithm: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// A parameter is out of range.
    #[error("{algorithm}: {source}")]
    Range {
        /// The algorithm.
        algorithm: &'static str,
        /// Which parameter, and its range.
        source: ParameterError,
    },
}

impl Algorithm {
    /// The parameters, with their ranges and help texts.
    pub fn parameters(&self) -> Vec<Parameter> {
        (self.parameters)()
    }

    /// The complete configuration for the given settings: every parameter with its value.
    ///
    /// # Errors
    /// [`BuildError`] names the setting that is unknown, malformed or out of range.
    pub fn config(&self, settings: &Map<String, Value>) -> Result<Value, BuildError> {
        (self.complete)(Value::Object(settings.clone()))
    }

    /// The algorithm for integer times.
    ///
    /// # Errors
    /// See [`Algorithm::config`].
    pub fn integer(&self, settings: &Map<String, Value>) -> Result<FlowShopSolver<u32>, BuildError> {
        (self.build_integer)(Value::Object(settings.clone()))
    }

    /// The algorithm for real times.
    ///
    /// # Errors
    /// See [`Algorithm::config`].
    pub fn real(&self, settings: &Map<String, Value>) -> Result<FlowShopSolver<f64>, BuildError> {
        (self.build_real)(Value::Object(settings.clone()))
    }
}

/// Reads and checks a configuration.
fn read<C: Config>(algorithm: &'static str, settings: Value) -> Result<C, BuildError> {
    let config: C = serde_json::from_value(settings)
        .map_err(|error| BuildError::Parameters { algorithm, reason: error.to_string() })?;
    config.validate().map_err(|source| BuildError::Range { algorithm, source })?;
    Ok(config)
}

/// One registry entry: `$solver::new($config)` must give a solver for integer and real times.
#[allow(unused_macros)]
macro_rules! entry {
    ($name:literal, $solver:ty, $config:ty, $summary:literal, $reference:literal) => {
        Algorithm {
            name: $name,
            summary: $summary,
            reference: $reference,
            parameters: <$config as Config>::parameters,
            complete: |settings| {
                let config: $config = read($name, settings)?;
                serde_json::to_value(config)
                    .map_err(|error| BuildError::Parameters { algorithm: $name, reason: error.to_string() })
            },
            build_integer: |settings| Ok(Box::new(<$solver>::new(read::<$config>($name, settings)?))),
            build_real: |settings| Ok(Box::new(<$solver>::new(read::<$config>($name, settings)?))),
        }
    };
}

/// Every algorithm, `auto` first.
pub fn algorithms() -> &'static [Algorithm] {
    &[]
}

/// The algorithm of this name.
///
/// # Errors
/// [`BuildError::UnknownAlgorithm`] lists the names that exist.
pub fn algorithm(name: &str) -> Result<&'static Algorithm, BuildError> {
    algorithms().iter().find(|algorithm| algorithm.name == name).ok_or_else(|| {
        let known: Vec<&str> = algorithms().iter().map(|algorithm| algorithm.name).collect();
        BuildError::UnknownAlgorithm { name: name.to_string(), known: known.join(", ") }
    })
}

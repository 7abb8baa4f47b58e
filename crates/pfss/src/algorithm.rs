//! What an algorithm is: its name, its parameters, and how it is made from settings.

use std::sync::Arc;

use pfss_core::{Config, Instance, Parameter, ParameterError, Solver, Time, UnusedParameter};
use serde_json::{Value, json};
use thiserror::Error;

use crate::settings::Settings;

/// A solver for flow shops with times of type `T`.
pub type FlowShopSolver<T> = Box<dyn Solver<Instance<T>>>;

/// One algorithm: what it is and how to make it; `B` makes it for the instances of a problem.
pub struct AlgorithmFor<B> {
    /// The name on the command line, in JSON and in tables.
    pub name: &'static str,
    /// One line that says what it does.
    pub summary: &'static str,
    /// Where it was published.
    pub reference: &'static str,
    parameters: fn() -> Vec<Parameter>,
    complete: fn(&'static str, &Settings) -> Result<Settings, BuildError>,
    pub(crate) build: B,
}

/// An algorithm for flow shops.
pub type Algorithm = AlgorithmFor<FlowShopBuilders>;

type Build<T> = Arc<dyn Fn(&Settings) -> Result<FlowShopSolver<T>, BuildError> + Send + Sync>;

/// How an algorithm for flow shops is made.
pub struct FlowShopBuilders {
    integer: Build<u32>,
    real: Build<f64>,
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
    /// The algorithm exists, but was left out of this build.
    #[error(
        "this build has no {what}; build with `cargo install --path crates/pfss-cli --features {feature}` for `{name}`"
    )]
    NotBuilt {
        /// The algorithm.
        name: &'static str,
        /// What is missing.
        what: &'static str,
        /// The cargo feature that brings it.
        feature: &'static str,
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
    /// A parameter is set that the others make meaningless.
    #[error("{algorithm}: {source}")]
    Unused {
        /// The algorithm.
        algorithm: &'static str,
        /// Which parameter, and what would make it meaningful.
        source: UnusedParameter,
    },
}

impl<B> AlgorithmFor<B> {
    /// An algorithm with parameters `C`.
    pub const fn new<C: Config>(
        name: &'static str,
        summary: &'static str,
        reference: &'static str,
        build: B,
    ) -> Self {
        Self { name, summary, reference, parameters: C::parameters, complete: complete::<C>, build }
    }

    /// The same algorithm, made in another way.
    pub(crate) fn with_build<C>(&self, build: C) -> AlgorithmFor<C> {
        let &Self { name, summary, reference, parameters, complete, .. } = self;
        AlgorithmFor { name, summary, reference, parameters, complete, build }
    }

    /// The parameters, with their ranges and help texts.
    pub fn parameters(&self) -> Vec<Parameter> {
        (self.parameters)()
    }

    /// The complete configuration for the given settings: every parameter with its value.
    ///
    /// # Errors
    /// [`BuildError`] names the setting that is unknown, malformed or out of range.
    pub fn config(&self, settings: &Settings) -> Result<Settings, BuildError> {
        (self.complete)(self.name, settings)
    }
}

impl<B> AlgorithmFor<B> {
    /// What it is and what it accepts, with the defaults, for programs.
    ///
    /// # Errors
    /// [`BuildError`] when the defaults are out of range: a defect.
    pub fn describe(&self) -> Result<Value, BuildError> {
        let defaults: Value = self.config(&Settings::new())?.into();
        let with_default = |parameter: &Parameter| {
            let mut value = serde_json::to_value(parameter).unwrap_or_default();
            value["default"] = defaults[&parameter.name].clone();
            value
        };
        Ok(json!({
            "name": self.name,
            "summary": self.summary,
            "reference": self.reference,
            "parameters": self.parameters().iter().map(with_default).collect::<Vec<_>>(),
        }))
    }
}

/// How an algorithm for a problem with one type of cost is made.
pub type Builder<S> = fn(&Settings) -> Result<S, BuildError>;

impl<S> AlgorithmFor<Builder<S>> {
    /// The algorithm.
    ///
    /// # Errors
    /// See [`AlgorithmFor::config`].
    pub fn build(&self, settings: &Settings) -> Result<S, BuildError> {
        (self.build)(settings)
    }
}

/// A type of times that algorithms can be made for: `u32` or `f64`.
pub trait ShopTime: Time {
    /// The algorithm for times of this type.
    ///
    /// # Errors
    /// See [`AlgorithmFor::config`].
    fn build(algorithm: &Algorithm, settings: &Settings) -> Result<FlowShopSolver<Self>, BuildError>;
}

impl ShopTime for u32 {
    fn build(algorithm: &Algorithm, settings: &Settings) -> Result<FlowShopSolver<Self>, BuildError> {
        (algorithm.build.integer)(settings)
    }
}

impl ShopTime for f64 {
    fn build(algorithm: &Algorithm, settings: &Settings) -> Result<FlowShopSolver<Self>, BuildError> {
        (algorithm.build.real)(settings)
    }
}

impl Algorithm {
    /// An algorithm for flow shops with parameters `C`, made by one function for integer and one for real times.
    ///
    /// Both may be the same generic function; the example of [`Registry`](crate::Registry) shows how.
    pub fn flow_shop<C: Config>(
        name: &'static str,
        summary: &'static str,
        reference: &'static str,
        integer: impl Fn(C) -> FlowShopSolver<u32> + Send + Sync + 'static,
        real: impl Fn(C) -> FlowShopSolver<f64> + Send + Sync + 'static,
    ) -> Self {
        let builders = FlowShopBuilders {
            integer: Arc::new(move |settings: &Settings| Ok(integer(read(name, settings)?))),
            real: Arc::new(move |settings: &Settings| Ok(real(read(name, settings)?))),
        };
        Self::new::<C>(name, summary, reference, builders)
    }

    /// Whether it searches until a limit ends it; the others end by themselves, and a limit would only cut them short.
    pub fn searches(&self) -> bool {
        matches!(self.name, "auto" | "iterated-greedy" | "beam" | "branch-and-bound" | "brute-force" | "mip")
    }

    /// The algorithm for integer times.
    ///
    /// # Errors
    /// See [`AlgorithmFor::config`].
    pub fn integer(&self, settings: &Settings) -> Result<FlowShopSolver<u32>, BuildError> {
        u32::build(self, settings)
    }

    /// The algorithm for real times.
    ///
    /// # Errors
    /// See [`AlgorithmFor::config`].
    pub fn real(&self, settings: &Settings) -> Result<FlowShopSolver<f64>, BuildError> {
        f64::build(self, settings)
    }
}

/// Reads and checks a configuration.
///
/// # Errors
/// [`BuildError`] names the setting that is unknown, malformed or out of range.
pub fn read<C: Config>(algorithm: &'static str, settings: &Settings) -> Result<C, BuildError> {
    let config: C =
        settings.read().map_err(|reason| BuildError::Parameters { algorithm, reason: reason.to_string() })?;
    config.validate().map_err(|source| BuildError::Range { algorithm, source })?;
    match config.unused() {
        Some(source) => Err(BuildError::Unused { algorithm, source }),
        None => Ok(config),
    }
}

/// Every parameter with its value.
fn complete<C: Config>(algorithm: &'static str, settings: &Settings) -> Result<Settings, BuildError> {
    let config: C = read(algorithm, settings)?;
    Settings::of(&config).map_err(|reason| BuildError::Parameters { algorithm, reason: reason.to_string() })
}

/// The one of this name.
///
/// # Errors
/// [`BuildError::UnknownAlgorithm`] lists the names that exist.
pub fn named<'a, B>(all: &'a [AlgorithmFor<B>], name: &str) -> Result<&'a AlgorithmFor<B>, BuildError> {
    all.iter().find(|algorithm| algorithm.name == name).ok_or_else(|| {
        let known: Vec<&str> = all.iter().map(|algorithm| algorithm.name).collect();
        BuildError::UnknownAlgorithm { name: name.to_string(), known: known.join(", ") }
    })
}

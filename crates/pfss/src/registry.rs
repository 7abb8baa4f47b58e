//! The algorithms that come with the library, and one's own.

use crate::algorithm::{Algorithm, BuildError};
use crate::built_in::{algorithm, algorithms};

/// Algorithms by name: those that come with the library, and one's own beside them.
///
/// ```
/// use pfss::core::{Instance, Outcome, Run, SolveError, Solver, Time, makespan, open};
/// use pfss::{Algorithm, FlowShopSolver, NoParameters, Registry, Solve};
///
/// /// Keeps the jobs as they come.
/// struct AsTheyCome;
///
/// impl<T: Time> Solver<Instance<T>> for AsTheyCome {
///     fn name(&self) -> &str {
///         "as-they-come"
///     }
///
///     fn solve(&self, instance: &Instance<T>, run: &Run<'_, T>) -> Result<Outcome<T>, SolveError> {
///         open(Solver::<Instance<T>>::name(self), instance, run)?;
///         let order: Vec<u32> = (0..instance.num_jobs() as u32).collect();
///         run.offer(&order, makespan(instance, &order));
///         run.outcome()
///     }
/// }
///
/// fn build<T: Time>(_: NoParameters) -> FlowShopSolver<T> {
///     Box::new(AsTheyCome)
/// }
///
/// let own = Algorithm::flow_shop("as-they-come", "Keeps the jobs as they come", "by definition", build, build);
/// let registry = Registry::new().with(own);
/// let instance = pfss::named("ta001")?;
/// let solution = Solve::new(&instance).registry(&registry).algorithm("as-they-come").run()?;
/// assert_eq!(solution.order()[..3], [0, 1, 2]);
/// # Ok::<(), pfss::Error>(())
/// ```
#[derive(Default)]
pub struct Registry {
    own: Vec<Algorithm>,
}

pfss_core::config! {
    /// The parameters of an algorithm that has none.
    pub struct NoParameters {}
}

impl Registry {
    /// The algorithms that come with the library.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with one more; it stands in for one of the same name.
    #[must_use]
    pub fn with(mut self, algorithm: Algorithm) -> Self {
        self.own.retain(|own| own.name != algorithm.name);
        self.own.push(algorithm);
        self
    }

    /// All algorithms, one's own last.
    pub fn algorithms(&self) -> impl Iterator<Item = &Algorithm> {
        let is_replaced = |name: &str| self.own.iter().any(|own| own.name == name);
        algorithms().iter().filter(move |built_in| !is_replaced(built_in.name)).chain(&self.own)
    }

    /// The algorithm of this name.
    ///
    /// # Errors
    /// [`BuildError::UnknownAlgorithm`] lists the names that exist.
    pub fn algorithm(&self, name: &str) -> Result<&Algorithm, BuildError> {
        if let Some(own) = self.own.iter().find(|own| own.name == name) {
            return Ok(own);
        }
        algorithm(name).map_err(|error| match error {
            BuildError::UnknownAlgorithm { name, .. } => {
                let known: Vec<&str> = self.algorithms().map(|algorithm| algorithm.name).collect();
                BuildError::UnknownAlgorithm { name, known: known.join(", ") }
            }
            other => other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FlowShopSolver, Settings};
    use pfss_core::Time;
    use pfss_heuristics::{Palmer, PalmerConfig};

    fn palmer<T: Time>(config: PalmerConfig) -> FlowShopSolver<T> {
        Box::new(Palmer::new(config))
    }

    #[test]
    fn ones_own_stand_beside_the_others_or_in_for_them() {
        let registry = Registry::new()
            .with(Algorithm::flow_shop("mine", "one", "", palmer, palmer))
            .with(Algorithm::flow_shop("mine", "two", "", palmer, palmer))
            .with(Algorithm::flow_shop("neh", "not the usual one", "", palmer, palmer));
        assert_eq!(registry.algorithms().count(), algorithms().len() + 1);
        assert_eq!(registry.algorithm("mine").unwrap().summary, "two");
        let neh = registry.algorithm("neh").unwrap();
        assert_eq!(neh.integer(&Settings::new()).unwrap().name(), "palmer");
        assert_eq!(registry.algorithm("cds").unwrap().name, "cds");
        let error = registry.algorithm("yours").err().unwrap().to_string();
        assert!(error.contains("auto") && error.contains("mine"), "{error}");
    }
}

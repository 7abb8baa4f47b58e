//! An algorithm with its settings, ready to run on instances of either kind of numbers.

use std::fmt;

use pfss::{BuildError, Settings};
use pfss_core::timing::Line;
use pfss_core::{Instance, Solver};
use serde_json::Value;
use thiserror::Error;

/// An algorithm with its settings, as it takes part in a bench.
pub struct Contender {
    name: String,
    config: String,
    solvers: Solvers,
}

/// The solvers of a contender, for instances with times only or for lines.
pub(crate) enum Solvers {
    /// For integer and for real times.
    Shops(Box<dyn Solver<Instance<u32>>>, Box<dyn Solver<Instance<f64>>>),
    /// For instances that carry more than times.
    Lines(Box<dyn Solver<Line>>),
}

/// Why an algorithm cannot take part.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ContenderError {
    /// The algorithm or one of its parameters is unknown or out of range.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A setting is not of the form `key=value`.
    #[error("`{0}` is no setting; write key=value")]
    Setting(String),
}

impl Contender {
    /// The contender that a user writes as `NAME` or `NAME:key=value:key=value`. The `settings` hold for all
    /// contenders, those in the text for this one only.
    ///
    /// # Errors
    /// [`ContenderError`] names what is unknown and what is accepted.
    pub fn parse(text: &str, settings: &Settings) -> Result<Self, ContenderError> {
        let (name, settings) = split(text, settings)?;
        let algorithm = pfss::algorithm(name)?;
        let config = algorithm.config(&settings)?.to_string();
        let (integer, real) = (algorithm.integer(&settings)?, algorithm.real(&settings)?);
        Ok(Self::from_solvers(name, config, integer, real))
    }

    /// [`Contender::parse`] for instances that carry more than times.
    ///
    /// # Errors
    /// [`ContenderError`] names what is unknown and what is accepted.
    pub fn parse_planner(text: &str, settings: &Settings) -> Result<Self, ContenderError> {
        let (name, settings) = split(text, settings)?;
        let algorithm = pfss::planner::algorithm(name)?;
        let config = algorithm.config(&settings)?.to_string();
        let solvers = Solvers::Lines(algorithm.build(&settings)?);
        Ok(Self { name: name.to_string(), config, solvers })
    }

    /// A contender from its solvers; `config` is compact JSON with every parameter.
    pub fn from_solvers(
        name: impl Into<String>,
        config: impl Into<String>,
        integer: Box<dyn Solver<Instance<u32>>>,
        real: Box<dyn Solver<Instance<f64>>>,
    ) -> Self {
        Self { name: name.into(), config: config.into(), solvers: Solvers::Shops(integer, real) }
    }

    /// The name of the algorithm.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Every parameter, as compact JSON.
    pub fn config(&self) -> &str {
        &self.config
    }

    /// The solvers.
    pub(crate) fn solvers(&self) -> &Solvers {
        &self.solvers
    }
}

/// The algorithm's name, and its settings with those of the text.
fn split<'t>(text: &'t str, settings: &Settings) -> Result<(&'t str, Settings), ContenderError> {
    let mut parts = text.split(':');
    let name = parts.next().unwrap_or_default().trim();
    let mut settings = settings.clone();
    for part in parts {
        let (key, value) = parse_setting(part)?;
        settings.set(key, value);
    }
    Ok((name, settings))
}

impl fmt::Debug for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contender").field("name", &self.name).field("config", &self.config).finish()
    }
}

/// Splits `key=value`. The value is read as JSON (a number, `true`, ...) where it is JSON, else it is text.
///
/// # Errors
/// [`ContenderError::Setting`] when there is no `=` or no key.
pub fn parse_setting(text: &str) -> Result<(String, Value), ContenderError> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            let value = value.trim();
            let value = serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_string()));
            Ok((key.trim().to_string(), value))
        }
        _ => Err(ContenderError::Setting(text.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_json_or_text() {
        assert_eq!(parse_setting("a=4").unwrap(), ("a".into(), Value::from(4)));
        assert_eq!(parse_setting("a = true").unwrap(), ("a".into(), Value::from(true)));
        assert_eq!(parse_setting("tie=first=x").unwrap(), ("tie".into(), Value::from("first=x")));
        assert!(parse_setting("a").is_err());
        assert!(parse_setting("=1").is_err());
    }

    #[test]
    fn unknown_algorithms_are_named() {
        let error = Contender::parse("no-such-algorithm", &Settings::new()).unwrap_err();
        assert!(error.to_string().contains("no-such-algorithm"), "{error}");
    }
}

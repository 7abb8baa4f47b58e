//! Distributions with other values of their parameters, by name.

use super::check::whole;
use super::correlated::Correlated;
use super::distribution::Distribution;
use super::parameter::Parameter;
use super::size::GenerateError;

impl Distribution {
    /// The names of all kinds that have a parameter.
    pub fn owners(parameter: Parameter) -> Vec<&'static str> {
        let all = Self::all().into_iter().filter(|distribution| distribution.get(parameter).is_some());
        all.map(Self::as_str).collect()
    }

    /// The value of a parameter; none of one that the distribution does not have.
    pub fn get(self, parameter: Parameter) -> Option<f64> {
        match (self, parameter) {
            (Self::Gamma { shape, .. }, Parameter::Shape) => Some(shape),
            (Self::Gamma { scale, .. }, Parameter::Scale) => Some(scale),
            (Self::Normal { mean, .. } | Self::LogNormal { mean, .. }, Parameter::Mean) => Some(mean),
            (Self::Normal { std, .. } | Self::LogNormal { std, .. }, Parameter::Std) => Some(std),
            (Self::Uniform { low, .. } | Self::Correlated(Correlated { low, .. }), Parameter::Low) => {
                Some(low.into())
            }
            (Self::Uniform { high, .. } | Self::Correlated(Correlated { high, .. }), Parameter::High) => {
                Some(high.into())
            }
            (Self::Correlated(correlated), parameter) => correlated.get(parameter),
            _ => None,
        }
    }

    /// The same distribution with another value of a parameter. Ranges are checked by [`Distribution::validate`].
    ///
    /// # Errors
    /// [`GenerateError`] when it has no such parameter, or when only whole numbers make sense.
    pub fn with(mut self, parameter: Parameter, value: f64) -> Result<Self, GenerateError> {
        match (&mut self, parameter) {
            (Self::Gamma { shape, .. }, Parameter::Shape) => *shape = value,
            (Self::Gamma { scale, .. }, Parameter::Scale) => *scale = value,
            (Self::Normal { mean, .. } | Self::LogNormal { mean, .. }, Parameter::Mean) => *mean = value,
            (Self::Normal { std, .. } | Self::LogNormal { std, .. }, Parameter::Std) => *std = value,
            (Self::Uniform { low, .. } | Self::Correlated(Correlated { low, .. }), Parameter::Low) => {
                *low = whole(parameter, value)?;
            }
            (Self::Uniform { high, .. } | Self::Correlated(Correlated { high, .. }), Parameter::High) => {
                *high = whole(parameter, value)?;
            }
            (Self::Correlated(correlated), parameter) if correlated.get(parameter).is_some() => {
                correlated.set(parameter, value)?;
            }
            _ => {
                let (name, owners) = (parameter.as_str(), Self::owners(parameter).join(", "));
                return Err(GenerateError::Foreign { name, owners, distribution: self.as_str() });
            }
        }
        Ok(self)
    }
}

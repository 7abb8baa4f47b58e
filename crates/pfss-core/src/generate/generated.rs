//! An instance that was drawn, with whole or real times.

use crate::Instance;

/// A generated instance: whole or real times.
#[derive(Clone, Debug, PartialEq)]
pub enum Generated {
    /// Whole times.
    Integer(Instance<u32>),
    /// Real times.
    Real(Instance<f64>),
}

impl Generated {
    /// The same instance under another name.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        match self {
            Self::Integer(instance) => Self::Integer(instance.with_name(name)),
            Self::Real(instance) => Self::Real(instance.with_name(name)),
        }
    }
}

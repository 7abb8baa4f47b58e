//! The names of the parameters of distributions.

/// What a distribution may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parameter {
    /// gamma: the shape.
    Shape,
    /// gamma: the scale.
    Scale,
    /// normal, lognormal: the mean.
    Mean,
    /// normal, lognormal: the standard deviation.
    Std,
    /// uniform and the correlated ones: the least time.
    Low,
    /// uniform and the correlated ones: the greatest time.
    High,
    /// The correlated ones: the share of the range from least to greatest that the middles of jobs or machines lie in.
    Alpha,
    /// The correlated ones: how far from its middle a time may be, at most.
    HalfWidth,
    /// mixed-correlated: how far from its job's rank a time may be.
    Noise,
}

impl Parameter {
    /// All parameters.
    pub const ALL: [Self; 9] = [
        Self::Shape,
        Self::Scale,
        Self::Mean,
        Self::Std,
        Self::Low,
        Self::High,
        Self::Alpha,
        Self::HalfWidth,
        Self::Noise,
    ];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Shape => "shape",
            Self::Scale => "scale",
            Self::Mean => "mean",
            Self::Std => "std",
            Self::Low => "low",
            Self::High => "high",
            Self::Alpha => "alpha",
            Self::HalfWidth => "half-width",
            Self::Noise => "noise",
        }
    }

    /// The parameter of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|parameter| parameter.as_str() == name)
    }
}

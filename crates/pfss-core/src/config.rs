//! Parameters of algorithms, declared once: the struct, its defaults, its ranges and its help text.

use std::ops::RangeInclusive;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// What values a parameter takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ParameterKind {
    /// A whole number in a range.
    Integer {
        /// The least value.
        min: u64,
        /// The greatest value.
        max: u64,
    },
    /// A real number in a range.
    Real {
        /// The least value.
        min: f64,
        /// The greatest value.
        max: f64,
    },
    /// One of a few words.
    Choice {
        /// The words.
        values: Vec<&'static str>,
    },
    /// Yes or no.
    Flag,
    /// The path of a file, or the name of something built in that may take its place.
    File,
}

/// One parameter of an algorithm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Parameter {
    /// The key, in kebab-case.
    pub name: String,
    /// What it does, from the field's documentation.
    pub help: String,
    /// What values it takes.
    #[serde(flatten)]
    pub kind: ParameterKind,
}

/// A parameter has a value out of its range.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("parameter `{name}` is {value}, but must lie in {min}..={max}")]
pub struct ParameterError {
    /// The key.
    pub name: String,
    /// The value, as text.
    pub value: String,
    /// The least value, as text.
    pub min: String,
    /// The greatest value, as text.
    pub max: String,
}

/// A parameter is set although another one makes it meaningless.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("parameter `{name}` is used with {needs} only")]
pub struct UnusedParameter {
    /// The key.
    pub name: String,
    /// What would make it meaningful, such as `decoding=sample`.
    pub needs: String,
}

/// The parameters of one algorithm. Implemented by [`config!`](crate::config).
pub trait Config: Default + Clone + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The parameters, in the order of declaration.
    fn parameters() -> Vec<Parameter>;

    /// Checks every range.
    ///
    /// # Errors
    /// [`ParameterError`] names the first parameter that is out of range.
    fn validate(&self) -> Result<(), ParameterError>;

    /// The first parameter that has another value than its default, and that the others make meaningless. A complete
    /// configuration, with defaults for what is not used, has none.
    fn unused(&self) -> Option<UnusedParameter>;
}

/// A type that a parameter can have.
pub trait ParameterType: Sized {
    /// What values it takes, given the declared range.
    fn kind(range: Option<RangeInclusive<Self>>) -> ParameterKind;

    /// Checks a value against the declared range.
    ///
    /// # Errors
    /// [`ParameterError`] when the value lies outside.
    fn check(&self, name: &str, range: Option<RangeInclusive<Self>>) -> Result<(), ParameterError>;
}

fn check_range<T: PartialOrd + ToString>(
    value: &T,
    name: &str,
    range: Option<RangeInclusive<T>>,
) -> Result<(), ParameterError> {
    match range {
        Some(range) if !range.contains(value) => Err(ParameterError {
            name: name.to_string(),
            value: value.to_string(),
            min: range.start().to_string(),
            max: range.end().to_string(),
        }),
        _ => Ok(()),
    }
}

macro_rules! integer_parameter {
    ($($type:ty),*) => {$(
        impl ParameterType for $type {
            fn kind(range: Option<RangeInclusive<Self>>) -> ParameterKind {
                let range = range.unwrap_or(<$type>::MIN..=<$type>::MAX);
                ParameterKind::Integer { min: *range.start() as u64, max: *range.end() as u64 }
            }

            fn check(&self, name: &str, range: Option<RangeInclusive<Self>>) -> Result<(), ParameterError> {
                check_range(self, name, range)
            }
        }
    )*};
}

integer_parameter!(u32, u64, usize);

impl ParameterType for f64 {
    fn kind(range: Option<RangeInclusive<Self>>) -> ParameterKind {
        let range = range.unwrap_or(f64::MIN..=f64::MAX);
        ParameterKind::Real { min: *range.start(), max: *range.end() }
    }

    fn check(&self, name: &str, range: Option<RangeInclusive<Self>>) -> Result<(), ParameterError> {
        check_range(self, name, range)
    }
}

impl ParameterType for bool {
    fn kind(_: Option<RangeInclusive<Self>>) -> ParameterKind {
        ParameterKind::Flag
    }

    fn check(&self, _: &str, _: Option<RangeInclusive<Self>>) -> Result<(), ParameterError> {
        Ok(())
    }
}

impl ParameterType for String {
    fn kind(_: Option<RangeInclusive<Self>>) -> ParameterKind {
        ParameterKind::File
    }

    fn check(&self, _: &str, _: Option<RangeInclusive<Self>>) -> Result<(), ParameterError> {
        Ok(())
    }
}

/// Declares the parameters of an algorithm: a struct with public fields, defaults, optional ranges, and help
/// text taken from the fields' documentation. Keys are the field names in kebab-case; unknown keys are errors.
/// `with FIELD = CHOICE` names the choice that a parameter belongs to.
///
/// ```
/// pfss_core::config! {
///     /// Parameters of an example.
///     pub struct ExampleConfig {
///         /// How often to try.
///         tries: u64 = 10, in 1..=1000;
///         /// Whether to be quick.
///         quick: bool = false;
///     }
/// }
/// pfss_core::choice! {
///     /// How to end.
///     pub enum End {
///         /// After all tries.
///         Tries = "tries",
///         /// After a pause.
///         Pause = "pause",
///     }
/// }
/// pfss_core::config! {
///     /// A parameter that belongs to a choice.
///     pub struct Dependent {
///         /// How to end.
///         end: End = End::Tries;
///         /// pause: how long.
///         pause_length: u64 = 2, with end = End::Pause;
///     }
/// }
/// use pfss_core::Config;
/// assert_eq!(ExampleConfig::default().tries, 10);
/// assert_eq!(ExampleConfig::parameters()[0].help, "How often to try.");
/// assert!(ExampleConfig { tries: 0, quick: true }.validate().is_err());
/// assert_eq!(Dependent::default().unused(), None);
/// assert_eq!(Dependent { end: End::Pause, pause_length: 3 }.unused(), None);
/// let stray = Dependent { pause_length: 3, ..Dependent::default() }.unused().unwrap();
/// assert_eq!(stray.to_string(), "parameter `pause-length` is used with end=pause only");
/// ```
#[macro_export]
macro_rules! config {
    (
        $(#[doc = $doc:literal])*
        $vis:vis struct $name:ident {
            $( $(#[doc = $help:literal])+ $field:ident : $type:ty = $default:expr
                $(, in $range:expr)? $(, with $owner:ident = $choice:expr)?; )*
        }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, $crate::serde::Serialize, $crate::serde::Deserialize)]
        #[serde(crate = "pfss_core::serde", default, deny_unknown_fields, rename_all = "kebab-case")]
        $vis struct $name { $( $(#[doc = $help])+ pub $field: $type, )* }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $crate::Config for $name {
            fn parameters() -> Vec<$crate::Parameter> {
                vec![ $( $crate::Parameter {
                    name: stringify!($field).replace('_', "-"),
                    help: concat!($($help),+).trim().to_string(),
                    kind: <$type as $crate::ParameterType>::kind(None $( .or(Some($range)) )?),
                }, )* ]
            }

            #[allow(clippy::unnecessary_lazy_evaluations, unused_variables)]
            fn validate(&self) -> Result<(), $crate::ParameterError> {
                $( $crate::ParameterType::check(
                    &self.$field, &stringify!($field).replace('_', "-"), None $( .or(Some($range)) )?,
                )?; )*
                Ok(())
            }

            #[allow(unused_variables)]
            fn unused(&self) -> Option<$crate::UnusedParameter> {
                let default = Self::default();
                $( $( if self.$owner != $choice && self.$field != default.$field {
                    return Some($crate::UnusedParameter {
                        name: stringify!($field).replace('_', "-"),
                        needs: format!("{}={}", stringify!($owner).replace('_', "-"), $choice.as_str()),
                    });
                } )? )*
                None
            }
        }
    };
}

/// Declares an enum of named choices for use in [`config!`](crate::config).
///
/// ```
/// pfss_core::choice! {
///     /// How to break ties.
///     pub enum Tie {
///         /// The first place.
///         First = "first",
///         /// The last place.
///         Last = "last",
///     }
/// }
/// assert_eq!(Tie::Last.as_str(), "last");
/// assert_eq!(Tie::ALL.len(), 2);
/// ```
#[macro_export]
macro_rules! choice {
    (
        $(#[doc = $doc:literal])*
        $vis:vis enum $name:ident { $( $(#[doc = $help:literal])+ $variant:ident = $word:literal, )+ }
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, $crate::serde::Serialize, $crate::serde::Deserialize)]
        #[serde(crate = "pfss_core::serde")]
        $vis enum $name { $( $(#[doc = $help])+ #[serde(rename = $word)] $variant, )+ }

        impl $name {
            /// Every choice.
            pub const ALL: &'static [Self] = &[$( Self::$variant, )+];

            /// The word for this choice.
            pub fn as_str(self) -> &'static str {
                match self { $( Self::$variant => $word, )+ }
            }
        }

        impl $crate::ParameterType for $name {
            fn kind(_: Option<std::ops::RangeInclusive<Self>>) -> $crate::ParameterKind {
                $crate::ParameterKind::Choice { values: vec![$( $word, )+] }
            }

            fn check(
                &self, _: &str, _: Option<std::ops::RangeInclusive<Self>>,
            ) -> Result<(), $crate::ParameterError> {
                Ok(())
            }
        }
    };
}

//! What a user sets of an algorithm's parameters.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

/// Settings of an algorithm: some of its parameters, by name. What is not set keeps its default.
///
/// ```
/// use pfss::Settings;
/// let settings = Settings::new().with("guide", "gap").with("max-width", 1000).with("aspiration", "off");
/// assert_eq!(settings, Settings::from([("guide", "gap"), ("aspiration", "off")]).with("max-width", 1000));
/// assert_eq!(settings, Settings::from_json(r#"{"guide": "gap", "max-width": 1000, "aspiration": "off"}"#).unwrap());
/// assert!(Settings::from_json("[1, 2]").is_err());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Settings(Map<String, Value>);

/// A text holds no settings, or a configuration cannot be read from them.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct SettingsError(#[from] serde_json::Error);

impl Settings {
    /// Nothing is set.
    pub fn new() -> Self {
        Self::default()
    }

    /// The settings in a JSON object.
    ///
    /// # Errors
    /// [`SettingsError`] tells why the text is none.
    pub fn from_json(text: &str) -> Result<Self, SettingsError> {
        Ok(serde_json::from_str(text)?)
    }

    /// Every parameter of a configuration with its value.
    ///
    /// # Errors
    /// [`SettingsError`] when it is no set of named values.
    pub fn of(config: &impl Serialize) -> Result<Self, SettingsError> {
        Ok(serde_json::from_value(serde_json::to_value(config)?)?)
    }

    /// The configuration that these settings stand for.
    ///
    /// # Errors
    /// [`SettingsError`] names what is unknown or has another type.
    pub fn read<C: DeserializeOwned>(&self) -> Result<C, SettingsError> {
        Ok(serde_json::from_value(Value::Object(self.0.clone()))?)
    }

    /// Sets a parameter to a text, a number, or true or false.
    pub fn set(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        self.0.insert(key.into(), value.into());
    }

    /// The same with one more parameter set.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.set(key, value);
        self
    }

    /// The parameters that are set.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The value of a parameter, where it is set.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// As JSON.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Value::Object(self.0.clone()).to_string())
    }
}

impl<K: Into<String>, V: Into<Value>> FromIterator<(K, V)> for Settings {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self(pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

impl<K: Into<String>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Settings {
    fn from(pairs: [(K, V); N]) -> Self {
        pairs.into_iter().collect()
    }
}

impl From<Map<String, Value>> for Settings {
    fn from(map: Map<String, Value>) -> Self {
        Self(map)
    }
}

impl From<Settings> for Value {
    fn from(settings: Settings) -> Self {
        Value::Object(settings.0)
    }
}

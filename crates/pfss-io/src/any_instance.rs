//! An instance whose kind of numbers is only known once its file is read.

use std::fmt;

use pfss_core::timing::{AttributeError, Attributes, Line};
use pfss_core::{CheckError, Instance, InstanceError, JobId, Time, check};
use serde::{Deserialize, Serialize};

use crate::note::{Note, Reading};

/// A length of time of either kind, as it appears in records.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TimeValue {
    /// A length in an instance with integer times.
    Integer(u32),
    /// A whole number that is no length: a sum of many lengths, or a lateness, which may be negative.
    Whole(i64),
    /// A length in an instance with real times.
    Real(f64),
}

impl TimeValue {
    /// The value of a time of either type.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "times of integer type are u32"
    )]
    pub fn new<T: Time>(time: T) -> Self {
        if T::IS_INTEGER { Self::Integer(time.to_f64() as u32) } else { Self::Real(time.to_f64()) }
    }

    /// The value as a real number (exact).
    #[expect(clippy::cast_precision_loss, reason = "whole numbers below 2^53")]
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Integer(value) => f64::from(value),
            Self::Whole(value) => value as f64,
            Self::Real(value) => value,
        }
    }

    /// A value in the units of an instance: a whole number where that is one and `is_integer` asks for it.
    #[expect(clippy::cast_possible_truncation, reason = "a whole number below 2^53")]
    pub fn of_units(value: f64, is_integer: bool) -> Self {
        // Above 2^53 not every whole number is exact.
        if !is_integer || value.fract() != 0.0 || value.abs() >= 9e15 {
            return Self::Real(value);
        }
        u32::try_from(value as i64).map_or(Self::Whole(value as i64), Self::Integer)
    }
}

impl From<u32> for TimeValue {
    fn from(value: u32) -> Self {
        Self::Integer(value)
    }
}

impl From<f64> for TimeValue {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl PartialEq<u32> for TimeValue {
    fn eq(&self, other: &u32) -> bool {
        self.to_f64() == f64::from(*other)
    }
}

impl PartialEq<f64> for TimeValue {
    fn eq(&self, other: &f64) -> bool {
        self.to_f64() == *other
    }
}

impl fmt::Display for TimeValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Whole(value) => value.fmt(f),
            Self::Real(value) => value.fmt(f),
        }
    }
}

/// An instance with integer or real times.
///
/// A file whose times are all whole numbers gives `Integer`; one point or exponent makes it `Real`.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyInstance {
    /// All times are whole numbers.
    Integer(Instance<u32>),
    /// Some time was written with a point or an exponent.
    Real(Instance<f64>),
}

/// Runs the same generic code on the instance inside an [`AnyInstance`]:
/// `match_instance!(&any, instance => instance.num_jobs())`.
#[macro_export]
macro_rules! match_instance {
    ($any:expr, $instance:ident => $body:expr) => {
        match $any {
            $crate::AnyInstance::Integer($instance) => $body,
            $crate::AnyInstance::Real($instance) => $body,
        }
    };
}

impl AnyInstance {
    /// The name (empty when it has none).
    pub fn name(&self) -> &str {
        match_instance!(self, instance => instance.name())
    }

    /// The same instance under another name.
    #[must_use]
    pub fn with_name(self, name: impl Into<String>) -> Self {
        match self {
            Self::Integer(instance) => Self::Integer(instance.with_name(name)),
            Self::Real(instance) => Self::Real(instance.with_name(name)),
        }
    }

    /// Whether the times are whole numbers.
    pub fn is_integer(&self) -> bool {
        matches!(self, Self::Integer(_))
    }

    /// The number of jobs.
    pub fn num_jobs(&self) -> usize {
        match_instance!(self, instance => instance.num_jobs())
    }

    /// The number of machines.
    pub fn num_machines(&self) -> usize {
        match_instance!(self, instance => instance.num_machines())
    }

    /// The jobs' names, where they have any.
    pub fn job_names(&self) -> Option<&[String]> {
        match_instance!(self, instance => instance.job_names())
    }

    /// The machines' names, where they have any.
    pub fn machine_names(&self) -> Option<&[String]> {
        match_instance!(self, instance => instance.machine_names())
    }

    /// A job's name, or its number where it has none.
    pub fn job_label(&self, job: JobId) -> String {
        match_instance!(self, instance => instance.job_label(job))
    }

    /// A machine's name, or `M1`, `M2`, ... where it has none.
    pub fn machine_label(&self, machine: usize) -> String {
        match_instance!(self, instance => instance.machine_label(machine))
    }

    /// Gives each job a name.
    ///
    /// # Errors
    /// [`InstanceError::NameCount`] when there is not one name per job.
    pub fn with_job_names(self, names: Vec<String>) -> Result<Self, InstanceError> {
        Ok(match self {
            Self::Integer(instance) => Self::Integer(instance.with_job_names(names)?),
            Self::Real(instance) => Self::Real(instance.with_job_names(names)?),
        })
    }

    /// Gives each machine a name.
    ///
    /// # Errors
    /// [`InstanceError::NameCount`] when there is not one name per machine.
    pub fn with_machine_names(self, names: Vec<String>) -> Result<Self, InstanceError> {
        Ok(match self {
            Self::Integer(instance) => Self::Integer(instance.with_machine_names(names)?),
            Self::Real(instance) => Self::Real(instance.with_machine_names(names)?),
        })
    }

    /// Checks a claimed result and returns the recomputed makespan.
    ///
    /// # Errors
    /// [`CheckError`] when `order` is not an order of all jobs or has another makespan.
    pub fn check(&self, order: &[JobId], claimed: Option<f64>) -> Result<TimeValue, CheckError> {
        match self {
            Self::Integer(instance) => {
                let actual = check(instance, order, None)?;
                match claimed {
                    Some(claimed) if claimed != f64::from(actual) => {
                        Err(CheckError::Makespan { actual: actual.to_string(), claimed: claimed.to_string() })
                    }
                    _ => Ok(TimeValue::Integer(actual)),
                }
            }
            Self::Real(instance) => Ok(TimeValue::Real(check(instance, order, claimed)?)),
        }
    }
}

impl From<Instance<u32>> for AnyInstance {
    fn from(instance: Instance<u32>) -> Self {
        Self::Integer(instance)
    }
}

impl From<Instance<f64>> for AnyInstance {
    fn from(instance: Instance<f64>) -> Self {
        Self::Real(instance)
    }
}

/// What a file says about an instance besides its times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// A lower bound on the makespan.
    pub lower_bound: Option<f64>,
    /// The makespan of a known order.
    pub upper_bound: Option<f64>,
    /// The seed from which the instance was drawn.
    pub seed: Option<u64>,
    /// Where the instance or its bounds were published.
    pub reference: Option<String>,
    /// What other programs attached to a JSON object as `metadata`: its text, on one line. It is kept, not interpreted.
    pub other: Option<String>,
}

/// One instance of a file and what the file says about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The instance.
    pub instance: AnyInstance,
    /// What else the file says.
    pub metadata: Metadata,
    /// What jobs, machines and the order carry beyond times.
    pub attributes: Attributes,
    /// How it was read.
    pub reading: Reading,
}

impl Entry {
    /// What is worth knowing about how it was read.
    pub fn notes(&self) -> impl Iterator<Item = Note> + '_ {
        self.reading.notes.iter().cloned().chain(Note::of_families(&self.attributes))
    }

    /// The instance with all that it carries, checked; `None` where it carries times only.
    ///
    /// # Errors
    /// [`AttributeError`] says what does not fit, or is not supported together.
    pub fn line(&self) -> Result<Option<Line>, AttributeError> {
        if self.attributes.is_plain() {
            return Ok(None);
        }
        match_instance!(&self.instance, instance => Line::new(instance, &self.attributes)).map(Some)
    }
}

impl<I: Into<AnyInstance>> From<I> for Entry {
    fn from(instance: I) -> Self {
        Self {
            instance: instance.into(),
            metadata: Metadata::default(),
            attributes: Attributes::default(),
            reading: Reading::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_compare_claims_of_both_kinds() {
        let integer = AnyInstance::from(Instance::from_job_rows("i", &[[1u32, 2], [3, 4]]).unwrap());
        assert_eq!(integer.check(&[0, 1], Some(8.0)), Ok(TimeValue::Integer(8)));
        assert!(matches!(integer.check(&[0, 1], Some(8.5)), Err(CheckError::Makespan { .. })));
        assert!(matches!(integer.check(&[0, 0], None), Err(CheckError::Order(_))));
        let real = AnyInstance::from(Instance::from_job_rows("r", &[[0.5, 2.0], [3.0, 4.0]]).unwrap());
        assert_eq!(real.check(&[0, 1], Some(7.5)), Ok(TimeValue::Real(7.5)));
        assert!(real.check(&[0, 1], Some(7.6)).is_err());
    }

    #[test]
    fn values_keep_their_kind_in_json() {
        assert_eq!(serde_json::to_string(&TimeValue::new(7u32)).unwrap(), "7");
        assert_eq!(serde_json::to_string(&TimeValue::new(7.0)).unwrap(), "7.0");
        assert_eq!(serde_json::from_str::<TimeValue>("7").unwrap(), TimeValue::Integer(7));
        assert_eq!(serde_json::from_str::<TimeValue>("7.0").unwrap(), TimeValue::Real(7.0));
        assert_eq!(serde_json::from_str::<TimeValue>("-7").unwrap(), TimeValue::Whole(-7));
        assert_eq!(TimeValue::of_units(5e9, true), TimeValue::Whole(5_000_000_000));
        assert_eq!(TimeValue::of_units(5.0, true), TimeValue::Integer(5));
        assert_eq!(TimeValue::of_units(5.5, true), TimeValue::Real(5.5));
        assert_eq!(TimeValue::of_units(5.0, false), TimeValue::Real(5.0));
    }
}

//! What a job carries, checked.

use super::MOST_TICKS;
use crate::timing::ticks::{Beyond, Scale};
use crate::timing::{AttributeError, Attributes, JobAttributes};

/// The most decimals of a weight.
const WEIGHT_DECIMALS: u32 = 3;

/// A job's attributes in ticks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) release: u32,
    pub(crate) due: Option<i64>,
    pub(crate) weight: u32,
    /// 0 without a family, else its number plus one.
    pub(crate) family: u32,
}

/// Refuses numbers that make no sense, and families that do not exist.
pub(crate) fn check(attributes: &Attributes, label: &dyn Fn(usize) -> String) -> Result<(), AttributeError> {
    for (job, of) in attributes.jobs.iter().enumerate() {
        let number = |what, value: f64, may_be_negative: bool| {
            if value.is_finite() && (may_be_negative || value >= 0.0) {
                return Ok(());
            }
            let place = format!("job {}", label(job));
            Err(AttributeError::Number { place, what, value: value.to_string(), may_be_negative })
        };
        number("the release", of.release, false)?;
        number("the weight", of.weight, false)?;
        number("the due date", of.due.unwrap_or(0.0), true)?;
        let families = attributes.families.len();
        if let Some(family) = of.family.filter(|&family| family >= families) {
            return Err(AttributeError::Family { place: format!("job {}", label(job)), family, families });
        }
    }
    Ok(())
}

/// The scale of all weights.
pub(crate) fn weight_scale(
    attributes: &Attributes,
    label: &dyn Fn(usize) -> String,
) -> Result<Scale, AttributeError> {
    Scale::of(attributes.jobs.iter().map(|job| job.weight), WEIGHT_DECIMALS).map_err(|value| {
        let job = attributes.jobs.iter().position(|job| job.weight == value).unwrap_or(0);
        AttributeError::Decimals {
            place: format!("job {}", label(job)),
            what: "the weight",
            value: value.to_string(),
            decimals: WEIGHT_DECIMALS,
        }
    })
}

/// The attributes of `count` jobs, which were checked.
pub(crate) fn jobs(
    attributes: &Attributes,
    count: usize,
    time: Scale,
    weight: Scale,
    label: &dyn Fn(usize) -> String,
) -> Result<Vec<Job>, AttributeError> {
    let plain = vec![JobAttributes::default(); if attributes.jobs.is_empty() { count } else { 0 }];
    let (families, machines) = (attributes.families.len(), attributes.machines.len());
    let too_many = |_| AttributeError::TooManyFamilies { families, machines };
    let job = |(job, of): (usize, &JobAttributes)| {
        let beyond = |what| move |beyond: Beyond| beyond.of(format!("job {}", label(job)), what);
        let due = of.due.map(|due| time.to_ticks(due, u32::MAX)).transpose();
        Ok(Job {
            release: time.to_unsigned(of.release, MOST_TICKS).map_err(beyond("the release"))?,
            due: due.map_err(beyond("the due date"))?,
            weight: weight.to_unsigned(of.weight, u32::MAX).map_err(beyond("the weight"))?,
            family: of.family.map_or(Ok(0), |family| u32::try_from(family + 1)).map_err(too_many)?,
        })
    };
    attributes.jobs.iter().chain(&plain).enumerate().map(job).collect()
}

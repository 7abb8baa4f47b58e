//! The objects inside `pfss.instance/2`. Unknown members are refused.

use serde::Deserialize;
use serde_json::value::RawValue;

/// One of `jobs`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JobObject<'a> {
    pub(super) name: Option<String>,
    #[serde(borrow)]
    pub(super) times: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) release: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) due: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) weight: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) family: Option<&'a RawValue>,
}

/// One of `machines`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MachineObject<'a> {
    pub(super) name: Option<String>,
    #[serde(borrow)]
    pub(super) available_from: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) breaks: Option<Vec<&'a RawValue>>,
    pub(super) resume: Option<bool>,
    #[serde(borrow)]
    pub(super) setup: Option<Vec<&'a RawValue>>,
    pub(super) buffer: Option<usize>,
    pub(super) no_wait: Option<bool>,
}

/// One of a machine's `setup`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SetupObject<'a> {
    #[serde(borrow)]
    pub(super) from: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) to: &'a RawValue,
    #[serde(borrow)]
    pub(super) time: &'a RawValue,
}

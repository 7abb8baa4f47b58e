//! What a reproduction is given, and what it tells.

use std::path::PathBuf;

use pfss::Hands;
use pfss_core::CancelFlag;

use super::model::Models;
use super::plan::Plan;
use crate::Provenance;

/// A plan that is about to run.
pub struct Reproduction<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// The seeds of the methods' random choices.
    pub seeds: &'a [u64],
    /// Whether all is done at a tiny scale.
    pub quick: bool,
    /// The models.
    pub models: &'a Models,
    /// Where benchmark files are looked up.
    pub data: &'a [PathBuf],
    /// How many runs go on at the same time, with one thread each.
    pub workers: usize,
    /// What the rows say about program and machine.
    pub provenance: Provenance,
    /// Ends it: running runs are given up without a row.
    pub cancel: CancelFlag,
    /// Others that make runs of registered algorithms beside the workers of this process.
    pub hands: Option<&'a dyn Hands>,
}

/// What is under way.
#[derive(Clone, Copy, Debug)]
pub struct Stage<'a> {
    /// The plan.
    pub plan: &'a str,
    /// The group.
    pub group: &'a str,
    /// The method.
    pub method: &'a str,
    /// Runs of this method on this group that are still to be made.
    pub open: usize,
}

//! One form for attributes that say nothing.

use pfss_core::timing::{Attributes, JobAttributes, MachineAttributes};

/// Leaves lists empty in which every entry is the default.
pub(crate) fn tidy(mut attributes: Attributes) -> Attributes {
    if attributes.jobs.iter().all(|job| *job == JobAttributes::default()) {
        attributes.jobs.clear();
    }
    if attributes.machines.iter().all(|machine| *machine == MachineAttributes::default()) {
        attributes.machines.clear();
    }
    attributes
}

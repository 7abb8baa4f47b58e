//! The public benchmarks.

use crate::{BestKnown, all_best_known};

/// The largest number of jobs in the small instances of Vallada, Ruiz and Framinan.
const LARGEST_SMALL: usize = 60;

/// A public benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedSet {
    /// The 120 instances of Taillard 1993; made from their seeds.
    Taillard,
    /// The 240 small instances of Vallada, Ruiz and Framinan 2015; read from a data folder.
    VrfSmall,
    /// Their 240 large instances; read from a data folder.
    VrfLarge,
}

impl NamedSet {
    /// Every set.
    pub const ALL: [Self; 3] = [Self::Taillard, Self::VrfSmall, Self::VrfLarge];

    /// The name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Taillard => "taillard",
            Self::VrfSmall => "vrf-small",
            Self::VrfLarge => "vrf-large",
        }
    }

    /// The set of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|set| set.as_str() == name)
    }

    /// Its instances and their best-known values.
    pub fn members(self) -> impl Iterator<Item = &'static BestKnown> {
        all_best_known().iter().filter(move |row| {
            let set = match row.name.starts_with("ta") {
                true => Self::Taillard,
                false if row.num_jobs <= LARGEST_SMALL => Self::VrfSmall,
                false => Self::VrfLarge,
            };
            set == self
        })
    }
}

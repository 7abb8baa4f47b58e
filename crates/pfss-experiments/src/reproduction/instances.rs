//! The instances of a group.

use std::path::PathBuf;

use pfss_core::Seed;
use pfss_core::generate::{Distribution, Generated, Recipe};
use pfss_io::{AnyInstance, ReadOptions, instance_hash, match_instance};

use super::group::{Group, Source};
use crate::{Selection, load};

/// An instance of either problem.
#[derive(Clone, Debug)]
pub enum PlanInstance {
    /// A flow shop.
    FlowShop(AnyInstance),
    /// A map.
    #[cfg(feature = "tsp")]
    Tour(pfss_tsp::TspInstance),
}

impl PlanInstance {
    /// Its fingerprint.
    pub(super) fn hash(&self) -> String {
        match self {
            Self::FlowShop(any) => match_instance!(any, shop => instance_hash(shop)),
            #[cfg(feature = "tsp")]
            Self::Tour(map) => map_hash(map),
        }
    }
}

/// The SHA-256 of the metric and the coordinates.
#[cfg(feature = "tsp")]
fn map_hash(map: &pfss_tsp::TspInstance) -> String {
    use sha2::{Digest, Sha256};
    let mut hash = Sha256::new();
    hash.update(format!("{:?}", map.metric()));
    for coordinate in map.points().iter().flatten() {
        hash.update(coordinate.to_le_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Group {
    /// Makes or reads the instances, each with a name that tells how it was made.
    ///
    /// # Errors
    /// A sentence that says why there are none.
    pub fn instances(&self, seed: u64, data: &[PathBuf]) -> Result<Vec<(String, PlanInstance)>, String> {
        let size = format!("{}x{}", self.jobs, self.machines);
        match self.source()? {
            Source::Set(set) => {
                let selection = Selection { groups: vec![(self.jobs, self.machines)], instances: Vec::new() };
                let sets = [set.as_str().to_string()];
                let loaded = load(&sets, &selection, data, &ReadOptions::default())
                    .map_err(|error| format!("the instances of {} are not there: {error}", set.as_str()))?;
                let named = loaded.into_iter().map(|instance| {
                    (instance.name().to_string(), PlanInstance::FlowShop(instance.instance().clone()))
                });
                Ok(named.take(self.most.unwrap_or(usize::MAX)).collect())
            }
            Source::Cities => self.maps(seed),
            Source::Drawn(recipe) => (0..self.count as u64)
                .map(|index| {
                    let drawn = recipe
                        .nth(self.jobs, self.machines, Seed::new(seed), index)
                        .map_err(|error| error.to_string())?;
                    let name = format!("{} {size} seed {seed} #{}", name_of(recipe), index + 1);
                    let instance: AnyInstance = match drawn {
                        Generated::Real(instance) => instance.into(),
                        Generated::Integer(instance) => instance.into(),
                    };
                    Ok((name, PlanInstance::FlowShop(instance)))
                })
                .collect(),
        }
    }

    #[cfg(feature = "tsp")]
    fn maps(&self, seed: u64) -> Result<Vec<(String, PlanInstance)>, String> {
        let map = |index: u64| {
            let map = pfss_tsp::TspInstance::uniform(self.cities, Seed::new(seed), index)
                .map_err(|error| error.to_string())?;
            let name = format!("unit square {} seed {seed} #{}", self.cities, index + 1);
            Ok((name, PlanInstance::Tour(map)))
        };
        (0..self.count as u64).map(map).collect()
    }

    #[cfg(not(feature = "tsp"))]
    fn maps(&self, _: u64) -> Result<Vec<(String, PlanInstance)>, String> {
        Err("this program was built without tours".to_string())
    }

    /// In words, for captions.
    pub fn describe(&self) -> String {
        let what = match self.source() {
            Ok(Source::Set(set)) => set.as_str().to_string(),
            Ok(Source::Cities) => format!("{} maps of the unit square, {} cities", self.count, self.cities),
            Ok(Source::Drawn(recipe)) => format!("{} instances, {}", self.count, name_of(recipe)),
            Err(reason) => reason,
        };
        if self.cities > 0 { what } else { format!("{what}, {} jobs, {} machines", self.jobs, self.machines) }
    }
}

/// The distribution with its parameters.
fn name_of(recipe: Recipe) -> String {
    match recipe.distribution {
        _ if recipe.zeros > 0.0 => recipe.to_string(),
        Distribution::Gamma { shape, scale } => format!("gamma({shape},{scale})"),
        Distribution::Normal { mean, std } => format!("normal({mean},{std})"),
        Distribution::Uniform { low, high } => format!("uniform({low},{high})"),
        _ => recipe.to_string(),
    }
}
